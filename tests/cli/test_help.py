from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner
from tests.cli.command import TEXT, output_of, run, run_process, write_file

import docbats
from docbats.cli import main

if TYPE_CHECKING:
    from pathlib import Path


def _commands() -> dict[str, click.Command]:
    with click.Context(main) as ctx:
        found = {name: main.get_command(ctx, name) for name in main.list_commands(ctx)}
    return {name: command for name, command in found.items() if command and name != "lab"}


def test_every_option_and_command_has_a_help_text() -> None:
    lacking = [
        f"{name} {param.name}"
        for name, command in _commands().items()
        for param in command.params
        if isinstance(param, click.Option) and not param.help
    ]
    assert lacking == []
    assert [name for name, command in _commands().items() if not command.help] == []


@pytest.mark.parametrize("args", [["--help"], ["-h"], ["analyze", "--help"], ["a.txt", "--help"]])
def test_help_lists_every_option_and_examples(args: list[str]) -> None:
    output = output_of(*args)
    params = _commands()["analyze"].params
    options = [opt for param in params for opt in (*param.opts, *param.secondary_opts)]
    assert [opt for opt in options if opt.startswith("-") and opt not in output] == []
    assert re.search(r"Examples:\n +docbats \S+\n", output)
    assert "Exit codes: 0" in output
    assert max(map(len, output.splitlines())) <= 80


def test_help_has_groups() -> None:
    output = output_of("--help")
    titles = [
        "Segments and topics:",
        "What to show:",
        "What to write:",
        "How to read the files:",
        "Details of the method:",
        "Commands:",
    ]
    places = [output.index(title) for title in titles]
    assert places == sorted(places)


def test_the_groups_of_the_help_have_options_alone() -> None:
    groups = output_of("--help").partition("\nSegments and topics:\n")[2].partition("\nOther:\n")[0]
    entries = re.findall(r"^  (\S+)", groups, re.MULTILINE)
    assert len(entries) > 20
    assert [entry for entry in entries if not entry.startswith("-")] == []


def test_mistyped_commands_are_advised_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for typed, meant in (("sumarize", "summarize"), ("srve", "serve"), ("corups", "corpus")):
        result = run(typed, "x.txt")
        assert result.exit_code == 2
        assert f"Did you mean docbats {meant}?" in result.stderr
    write_file(tmp_path / "sumarize", TEXT)
    assert run("sumarize").exit_code == 0
    assert run("absent.txt").exit_code == 1


def test_a_number_of_segments_that_is_none_is_explained() -> None:
    result = run("-k", "banana", "x.txt")
    assert result.exit_code == 2
    assert "must be a whole number or auto, got banana" in result.stderr


def test_help_lists_the_commands() -> None:
    assert [name for name in _commands() if f"\n  {name} " not in output_of("--help")] == []


def test_no_argument_at_all_shows_the_help() -> None:
    result = run()
    assert result.exit_code == 2
    assert "Examples:" in result.stdout + result.stderr


def test_examples_in_the_help_are_right_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "\n".join([TEXT, TEXT.replace("ats", "oats"), TEXT.replace("ea", "ees")] * 2)
    pattern = re.compile(r"^ +(?:.* \| )?docbats (\S*(?:txt|-)(?: .+)?)$", re.MULTILINE)
    lines = pattern.findall(output_of("--help"))
    assert len(lines) >= 5
    for line in lines:
        words = ["report.txt" if word == "*.txt" else word for word in line.split()]
        for name in ("report.txt", "book.txt"):
            write_file(tmp_path / name, text.replace(". ", ".\n"))
        assert run(*words, stdin=text).exit_code == 0


def test_version() -> None:
    assert output_of("--version") == f"docbats {docbats.__version__}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script_calls_the_command(shell: str) -> None:
    script = run("completion", shell).stdout
    assert f"_DOCBATS_COMPLETE={shell}_complete" in script
    assert "docbats" in script


def test_completion_for_an_unknown_shell_is_wrong_use() -> None:
    assert run("completion", "tcsh").exit_code == 2


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("docbats --for", {"--format"}),
        ("docbats report.txt --lap", {"--laplacian"}),
        ("docbats analyze --tau", {"--tau-p", "--tau-o"}),
        ("docbats comp", {"completion"}),
        ("docbats --format js", {"json", "jsonl"}),
        ("docbats report.txt -k 3 --laplacian p", {"plain"}),
        ("docbats completion z", {"zsh"}),
    ],
)
def test_completion_offers_what_fits(words: str, offered: set[str]) -> None:
    env = {
        "_DOCBATS_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    result = CliRunner(env=env).invoke(main, prog_name="docbats")
    items = [line.split(",", 1) for line in result.stdout.splitlines()]
    assert {value for kind, value in items if kind == "plain"} == offered
    assert len({tuple(item) for item in items}) == len(items)


def test_completion_works_in_a_real_process() -> None:
    process = run_process(
        _DOCBATS_COMPLETE="bash_complete", COMP_WORDS="docbats --for", COMP_CWORD="1"
    )
    assert b"plain,--format" in process.stdout.splitlines()
