"""The command ``docbats fit``, and where its file is used."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.cli.command import output_of, run, write_file
from tests.fitting.texts import (
    make_markdown,
    make_parts,
    many_short_parts,
    with_paragraphs,
    without_signal,
)

from docbats.segments.own_model import OwnModel

if TYPE_CHECKING:
    from pathlib import Path

N_PARTS = 14


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twenty documents with headings, and the model that is fitted to them."""
    path = tmp_path_factory.mktemp("documents")
    for number, parts in enumerate(many_short_parts(20)):
        write_file(path / f"{number:02}.md", make_markdown(parts))
    return path


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """A document of that kind without headings."""
    parts = map(with_paragraphs, make_parts(seed=99, n_parts=N_PARTS))
    return write_file(tmp_path / "plain.txt", "\n\n".join(parts))


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    """The file of a model that expects many parts."""
    path = tmp_path / "ours.json"
    OwnModel(parts=4, documents=20).write(path)
    return path


def n_segments(output: str) -> int:
    return len(json.loads(output)["segments"])


def test_fit_and_use(folder: Path, plain: Path, tmp_path: Path) -> None:
    path = tmp_path / "ours.json"
    shown = output_of("fit", folder, "-o", path)
    assert shown.startswith("20 documents, 0 without known boundaries\n")
    assert "gain +0." in shown
    first = path.read_bytes()
    assert json.loads(first)["documents"] == 20
    assert output_of("fit", folder, "-o", path) == shown
    assert path.read_bytes() == first
    assert n_segments(output_of(plain, "--format", "json")) < N_PARTS - 3
    found = output_of(plain, "--format", "json", "--model", path)
    assert n_segments(found) == N_PARTS
    assert "A model fitted to 20 documents of your own was used." in json.loads(found)["notes"]
    assert json.loads(found)["settings"]["model"]["parts"] == json.loads(first)["numbers"]["parts"]
    assert "of your own was used" in output_of(plain, "--model", path)


def test_without_an_output_it_only_prints(folder: Path) -> None:
    assert "gain +0." in output_of("fit", folder)


def test_json_lines_and_what_is_left_out(tmp_path: Path) -> None:
    lines = [json.dumps({"segments": parts}) for parts in many_short_parts(20)]
    lines += [json.dumps({"segments": []})] * 7
    path = write_file(tmp_path / "marked.jsonl", "\n".join(lines))
    result = run("fit", path)
    assert result.exit_code == 0
    assert result.stdout.startswith("20 documents, 7 without known boundaries\n")
    complaints = result.stderr.splitlines()
    assert complaints[0].startswith(f"docbats: {path}, line 21: left out: expected an object")
    assert complaints[-1] == "docbats: 2 more are left out"


def test_no_gain_is_an_error_and_changes_nothing(tmp_path: Path) -> None:
    lines = "\n".join(json.dumps({"segments": parts}) for parts in without_signal(24))
    path, output = write_file(tmp_path / "marked.jsonl", lines), tmp_path / "ours.json"
    result = run("fit", path, "-o", output)
    assert result.exit_code == 1
    assert "default" in result.stdout
    assert result.stderr.startswith("docbats: the model gains nothing beyond chance on documents")
    assert not output.exists()


def test_too_few_documents(tmp_path: Path) -> None:
    write_file(tmp_path / "one.md", make_markdown(make_parts(1, 4)))
    result = run("fit", tmp_path)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "20 or more documents with known boundaries are needed, got 1: add" in result.stderr


def test_wrong_usage(folder: Path, tmp_path: Path) -> None:
    document = folder / "00.md"
    result = run("fit", document, "-o", document)
    assert (result.exit_code, "would overwrite an input" in result.stderr) == (2, True)
    assert run("fit").exit_code == 2
    assert run("fit", folder, "--language", "xx").exit_code == 2
    result = run("fit", folder, "-o", tmp_path / "none" / "ours.json")
    assert (result.exit_code, "cannot be written" in result.stderr) == (1, True)


@pytest.mark.parametrize(
    ("content", "code", "message"),
    [
        ("{", 2, "ours.json: truncated or damaged"),
        ('{"format": "docbats-model-9"}', 2, "a model of the format docbats-model-9"),
        (None, 1, "ours.json: no such file"),
    ],
)
def test_files_that_are_not_models(
    content: str | None, code: int, message: str, plain: Path, tmp_path: Path
) -> None:
    path = tmp_path / "ours.json"
    if content is not None:
        write_file(path, content)
    for command in ([], ["corpus"], ["serve"]):
        result = run(*command, *([] if command == ["serve"] else [plain]), "--model", path)
        assert result.exit_code == code
        assert message in " ".join(result.stderr.split())


@pytest.mark.parametrize("command", [[], ["summarize"]])
def test_the_output_must_not_overwrite_the_model(
    command: list[str], plain: Path, ours: Path
) -> None:
    result = run(*command, plain, "--model", ours, "-o", ours)
    assert (result.exit_code, "would overwrite an input" in result.stderr) == (2, True)
    assert run(*command, plain, "--model", ours).exit_code == 0


def test_a_corpus_by_a_model_is_not_resumed_with_another(
    plain: Path, ours: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    plain.rename(folder / "plain.txt")
    out = str(tmp_path / "out")
    command = ["corpus", str(folder), "-o", out, "-q", "-j", "1", "--model", str(ours)]
    assert run(*command).exit_code == 0
    row = json.loads((tmp_path / "out" / "part-000000.jsonl").read_text())
    assert len(row["segments"]) > N_PARTS - 3
    copy = tmp_path / "copy.json"
    copy.write_bytes(ours.read_bytes())
    assert run(*command[:-1], str(copy), "--resume").exit_code == 0  # only the contents count
    OwnModel(parts=3, documents=20).write(ours)
    result = run(*command, "--resume")
    assert result.exit_code == 2
    assert "settings model parts was 4.0 and is 3.0 now" in " ".join(result.stderr.split())
    assert run(*command[:-2], "--resume").exit_code == 2
