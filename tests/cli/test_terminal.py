from __future__ import annotations

import errno
import os
import pty
import re
import subprocess
import threading
from pathlib import Path

import pytest
from rich.cells import cell_len
from tests.cli.command import COMMAND, clean_env, output_of, run, run_process, write_file

REPORT = Path(__file__).parent.parent.parent / "examples" / "annual-report.txt"
HOSTILE = (
    "\x1b]0;title\x07Bats hunt \x1b[2Jmoths\x08. \u202eMoths hear bats\u2066. Bats\x00 "
    "\x9b31mdive. \x7fTea needs\r hot water. Hot tea\x85 cools. \u200fWater, tea\ufeff and "
    "\x0b\x0cbats."
)


def test_piped_lines_keep_to_80_columns(example: Path) -> None:
    for k in ("1", "7", "30"):
        lines = output_of(example, "-k", k).splitlines()
        assert max(map(cell_len, lines)) <= 80
        assert not any(line.endswith(" ") for line in lines)


def test_wide_characters_keep_to_80_columns(tmp_path: Path) -> None:
    path = write_file(
        tmp_path / ("蝙蝠" * 30 + ".txt"), "蝙蝠在夜里飞行和捕食飞蛾。飞蛾在夜里飞行。" * 20
    )
    lines = output_of(path, "-k", "4").splitlines()
    assert max(map(cell_len, lines)) <= 80


@pytest.mark.parametrize("format_", ["text", "md"])
def test_pipe_gets_no_escape_codes(bats: Path, format_: str) -> None:
    process = run_process(bats, "absent", "-k", "2", "--format", format_, TERM="xterm-256color")
    assert b"\x1b" not in process.stdout + process.stderr


@pytest.mark.parametrize("format_", ["text", "md"])
def test_a_reason_that_quotes_a_heading_is_printable(tmp_path: Path, format_: str) -> None:
    paragraphs = REPORT.read_text(encoding="utf-8").strip().split("\n\n")
    for place in (3, 10):
        paragraphs[place] = f"# \x1b[31mEVIL\n\n{paragraphs[place]}"
    path = write_file(tmp_path / "report.md", "\n\n".join(paragraphs))
    shown = output_of(path, "--format", format_)
    assert "EVIL”" in shown
    assert all(line.isprintable() for line in shown.split("\n"))


@pytest.mark.parametrize("format_", ["text", "md"])
def test_nothing_a_document_hides_reaches_the_terminal(tmp_path: Path, format_: str) -> None:
    path = write_file(tmp_path / "hostile\x1b[2J\u202e.txt", HOSTILE)
    output = output_of(path, "-k", "2", "--format", format_, "--encoding", "utf-8")
    assert "bats" in output.lower()
    assert [line for line in output.split("\n") if not line.isprintable()] == []


def test_nothing_a_file_name_hides_reaches_the_terminal(tmp_path: Path) -> None:
    result = run(tmp_path / "no\x1b]0;title\x07\u202e.txt", "-k", "2")
    assert result.exit_code == 1
    assert all(line.isprintable() for line in result.stderr.split("\n"))


def _on_a_terminal(*args: str | Path, **env: str) -> str:
    """Run the command with a terminal as its standard output, and return what it shows there."""
    terminal, stdout = pty.openpty()
    shown = bytearray()

    def collect() -> None:
        try:
            while data := os.read(terminal, 4096):
                shown.extend(data)
        except OSError as error:  # Linux reports the other end's closing so
            assert error.errno == errno.EIO  # noqa: PT017

    reader = threading.Thread(target=collect)
    reader.start()
    subprocess.run(
        [*COMMAND, *map(str, args)], stdout=stdout, env=clean_env(TERM="xterm", **env), check=True
    )
    os.close(stdout)
    reader.join()
    os.close(terminal)
    return shown.decode()


def test_terminal_gets_colours(bats: Path) -> None:
    assert re.search(r"\x1b\[[0-9;]*3\dm", _on_a_terminal(bats, "-k", "2", COLUMNS="80"))


def test_no_color_takes_the_colours_away(bats: Path) -> None:
    shown = _on_a_terminal(bats, "-k", "2", COLUMNS="80", NO_COLOR="1")
    assert "Segments" in shown
    assert not re.search(r"\x1b\[[0-9;]*[34]\dm", shown)


def test_topics_of_a_terminal_have_colours_of_their_own() -> None:
    from docbats.render.terminal import _colour

    assert len({_colour(number) for number in range(32)}) == 32


def test_terminal_width_is_used(bats: Path) -> None:
    for columns, widest in (("60", 60), ("120", 120)):
        shown = _on_a_terminal(bats, "-k", "2", COLUMNS=columns)
        lines = re.sub(r"\x1b\[[0-9;]*m", "", shown).splitlines()
        assert widest - 5 <= max(map(cell_len, lines)) <= widest
