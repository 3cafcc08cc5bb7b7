"""The command on files of all kinds."""

from __future__ import annotations

import io
import json
import sys
import time
from typing import TYPE_CHECKING, Any

import pypdf
import pytest
from click.testing import CliRunner, Result

from docbats.cli import main
from docbats.cli.files import shown_while_waiting
from docbats.readers.read_file import read_file

if TYPE_CHECKING:
    from pathlib import Path


def _run(*args: str | Path, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], input=stdin, prog_name="docbats")


@pytest.fixture
def talk(files: Any, tmp_path: Path) -> Path:
    path = tmp_path / "talk.vtt"
    path.write_text(files.vtt([*files.bats, *files.tea, *files.ships]), encoding="utf-8")
    return path


@pytest.fixture
def paper(files: Any, tmp_path: Path) -> Path:
    path = tmp_path / "paper.pdf"
    path.write_bytes(files.paper())
    return path


def test_json_of_a_talk_has_times(talk: Path) -> None:
    values = json.loads(_run(talk, "-k", "3", "--format", "json").stdout)
    assert [segment["place"] for segment in values["segments"]] == [
        {"seconds": [0.0, 20.0]},
        {"seconds": [20.0, 40.0]},
        {"seconds": [40.0, 60.0]},
    ]


def test_people_see_times_and_pages(talk: Path, paper: Path) -> None:
    shown = _run(talk, "-k", "3").stdout
    assert "\n 1  0:00-0:20 " in shown
    assert "sentences 1-4: Bats hunt" in shown
    assert "sentences 6-10, page 2: On tea" in _run(paper, "-k", "3").stdout
    assert "sentences 6-10, page 2, characters" in _run(paper, "-k", "3", "--format", "md").stdout


def test_chapters_for_players_and_youtube(talk: Path) -> None:
    assert _run(talk, "-k", "3", "--format", "vtt").stdout.startswith("WEBVTT\n\n1\n00:00:00.000")
    lines = _run(talk, "-k", "3", "--format", "youtube").stdout.splitlines()
    assert [line.split(" ", 1)[0] for line in lines] == ["0:00", "0:20", "0:40"]


def test_impossible_chapters_are_reported(talk: Path, paper: Path, tmp_path: Path) -> None:
    out = tmp_path / "chapters"
    result = _run(talk, "-k", "2", "--format", "youtube", "-o", out)
    assert (result.exit_code, result.stdout) == (1, "")
    assert f"docbats: {talk}: YouTube requires at least 3 chapters" in result.stderr
    assert not out.exists()
    result = _run(paper, talk, "-k", "3", "--format", "vtt")
    assert result.exit_code == 1
    assert f"docbats: {paper}: chapters need times" in result.stderr
    assert result.stdout.startswith("WEBVTT")


def test_kind_of_standard_input_is_detected_or_given(talk: Path, paper: Path) -> None:
    assert "0:00-0:20" in _run("-", "-k", "3", stdin=talk.read_bytes()).stdout
    assert "page 2" in _run("-", "-k", "3", stdin=paper.read_bytes()).stdout
    values = _run("-", "-k", "1", "--type", "markdown", "--format", "json", stdin=b"# Bats\n\nFly.")
    assert json.loads(values.stdout)["segments"][0]["heading_path"] == ["Bats"]
    plain = _run(talk, "-k", "1", "--type", "text", "--format", "json")
    assert "WEBVTT" in json.loads(plain.stdout)["segments"][0]["text"]


def test_outline_becomes_bookmarks(paper: Path, tmp_path: Path) -> None:
    out = tmp_path / "new.pdf"
    result = _run(paper, "-k", "3", "--write-outline", out)
    assert (result.exit_code, result.stderr) == (0, "")
    reader: Any = pypdf.PdfReader(io.BytesIO(out.read_bytes()))
    pages = [reader.get_destination_page_number(entry) for entry in reader.outline]
    assert pages == [0, 1, 2]
    assert [float(entry.top) for entry in reader.outline] == [776, 776, 776]  # of each heading
    segments = json.loads(_run(paper, "-k", "3", "--format", "json").stdout)["segments"]
    assert [entry.title for entry in reader.outline] == [segment["title"] for segment in segments]
    assert [page.extract_text() for page in reader.pages] == [
        page.extract_text() for page in pypdf.PdfReader(paper).pages
    ]


def test_depth_limits_the_bookmarks(paper: Path, tmp_path: Path) -> None:
    out = tmp_path / "new.pdf"
    result = _run(paper, "-k", "1", "--write-outline", out, "--depth", "1")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "Outline" not in result.stdout
    outline: Any = pypdf.PdfReader(out).outline
    assert len(outline) == 1


def test_bookmarks_that_are_there_stay(paper: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first.pdf", tmp_path / "second.pdf"
    assert _run(paper, "-k", "3", "--write-outline", first).exit_code == 0
    assert _run(first, "-k", "2", "--write-outline", second).exit_code == 0
    outline: Any = pypdf.PdfReader(second).outline
    assert len([entry for entry in outline if not isinstance(entry, list)]) == 4
    assert len([entry for entry in outline[-1] if not isinstance(entry, list)]) == 2


def test_headings_are_put_into_markdown(files: Any, tmp_path: Path) -> None:
    path, out = tmp_path / "notes.md", tmp_path / "out.md"
    path.write_text("# Notes\n\n" + "\n".join([*files.bats, *files.tea]), encoding="utf-8")
    assert _run(path, "-k", "2", "--insert-headings", out).exit_code == 0
    written = out.read_text(encoding="utf-8")
    assert written.startswith("# Notes\n\n")
    assert written.count("\n## ") == 1


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["paper.pdf", "talk.vtt", "--write-outline", "x.pdf"], "there are 2 documents: name one"),
        (["paper.pdf", "--write-outline", "paper.pdf"], "would overwrite an input"),
        (["paper.pdf", "-o", "x.pdf", "--write-outline", "x.pdf"], "would overwrite an input"),
        (["-", "--write-outline", "x.pdf"], "name the file instead of -"),
        (["paper.pdf", "--insert-headings", "./paper.pdf"], "would overwrite an input"),
        (["paper.pdf", "--insert-headings", "-"], "would overwrite an input"),
    ],
)
def test_wrong_use(
    paper: Path, talk: Path, monkeypatch: pytest.MonkeyPatch, args: list[str], message: str
) -> None:
    monkeypatch.chdir(paper.parent)
    before = paper.read_bytes(), talk.read_bytes()
    result = _run(*args, "-k", "3", stdin=b"Bats.")
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in " ".join(result.stderr.split())
    assert (paper.read_bytes(), talk.read_bytes()) == before


def test_bookmarks_of_a_document_without_pages_are_refused(talk: Path, tmp_path: Path) -> None:
    result = _run(talk, "-k", "3", "--write-outline", tmp_path / "x.pdf")
    assert result.exit_code == 1
    assert f"docbats: {talk}: bookmarks need pages, and this document has none" in result.stderr
    assert not (tmp_path / "x.pdf").exists()


def test_output_that_cannot_be_written_is_reported(paper: Path, tmp_path: Path) -> None:
    result = _run(paper, "-k", "3", "--write-outline", tmp_path / "none" / "x.pdf")
    assert result.exit_code == 1
    assert "x.pdf: cannot be written: No such file or directory" in result.stderr


def test_guessed_encoding_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "old.txt"
    text = "Fünf Fledermäuse fliegen höher. Fledermäuse hören Dächer. Für größere Käfer."
    path.write_bytes(text.encode("cp1252"))
    result = _run(path, "-k", "1", "--format", "json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["segments"][0]["text"] == text
    assert result.stderr == (
        f"docbats: {path}: not UTF-8, read as cp1252; --encoding names another\n"
    )


def test_broken_file_does_not_stop_the_others(files: Any, talk: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.docx"
    broken.write_bytes(files.docx("<w:p>")[:-30])
    result = _run(broken, talk, "-k", "3", "--format", "vtt")
    assert result.exit_code == 1
    assert f"docbats: {broken}: a broken ZIP archive" in result.stderr
    assert result.stdout.startswith("WEBVTT")


def test_missing_pypdfium2_stops_no_other_file(
    paper: Path, talk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    result = _run(paper, talk, "-k", "3", "--format", "vtt")
    assert result.exit_code == 1
    assert result.stderr == (
        f'docbats: {paper}: reading PDF needs pypdfium2: pip install "docbats[files]"\n'
    )
    assert result.stdout.startswith("WEBVTT")


def test_summary_of_a_pdf(paper: Path) -> None:
    result = _run("summarize", paper, "-n", "3")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 3


def test_pages_of_a_long_pdf_are_counted_on_a_terminal(
    files: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr("docbats.cli.files._PATIENCE", 0.0)
    path = tmp_path / "paper.pdf"
    path.write_bytes(files.paper())
    with shown_while_waiting("paper.pdf") as on_page:
        read_file(path, on_page=on_page)
        for _ in range(500):  # the line appears from a thread of its own
            if "(page 3 of 3)" in terminal.getvalue():
                break
            time.sleep(0.01)
    assert "(page 3 of 3)" in terminal.getvalue()
