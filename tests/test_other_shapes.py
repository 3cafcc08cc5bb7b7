"""Other shapes of the same text have the same segments and titles, whichever way they come."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import textwrap
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.matrices import slow_except
from tests.sample_files import Files

from docbats import Document, analyze

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parent.parent
DOCUMENTS = [
    *sorted((ROOT / "examples").glob("*.txt")),
    *sorted((ROOT / "examples" / "languages").glob("*.txt")),
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
]


def _wrapped(text: str, width: int = 78) -> str:
    paragraphs = text.split("\n\n")
    return "\n\n".join(textwrap.fill(each, width, break_on_hyphens=False) for each in paragraphs)


ANY_SHAPE: dict[str, Callable[[str], str]] = {
    "more line ends": lambda text: text.rstrip("\n") + "\n\n\n",
    "no line end": lambda text: text.rstrip("\n"),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "CR": lambda text: text.replace("\n", "\r"),
    "byte order mark": lambda text: "\ufeff" + text,
    "NFC": lambda text: unicodedata.normalize("NFC", text),
    "NFD": lambda text: unicodedata.normalize("NFD", text),
}
PLAIN_SHAPE: dict[str, Callable[[str], str]] = {
    "two blanks": lambda text: re.sub(r"(?<=[.!?]) (?=\S)", "  ", text),
    "no-break blanks": lambda text: re.sub(r"(?<=[a-z]) (?=[a-z])", "\u00a0", text),
    "soft hyphens": lambda text: re.sub(r"(?<=[a-z]{4})(?=[a-z]{4})", "\u00ad", text),
    "blanks in blank lines": lambda text: text.replace("\n\n", "\n  \n"),
    "blanks at line ends": lambda text: text.replace("\n", " \t\n"),
    "wrapped": _wrapped,
    "on one line": lambda text: re.sub(r"(?<=\S)\n(?=\S)", " ", text),
}
# A phrase over a line end is not taken for a title, so that rows of tables are not.
OTHER_TITLES = {"wrapped", "on one line"}
CASES = [
    (path.relative_to(ROOT).as_posix(), shape)
    for path in DOCUMENTS
    for shape in (*ANY_SHAPE, *(PLAIN_SHAPE if path.suffix == ".txt" else ()))
]
QUICK = [case for case in CASES if case[0] == "examples/annual-report.txt"]


def _plain(text: str) -> str:
    """Return what all shapes of a text have in common."""
    text = unicodedata.normalize("NFC", text)
    return "".join(text.replace("\u00ad", "").replace("\ufeff", "").split())


def _segments(document: Document) -> list[tuple[str, str]]:
    result = analyze(document)
    text = result.document.text
    assert "".join(segment.text for segment in result.segments) == text
    return [(_plain(segment.title), _plain(segment.text)) for segment in result.segments]


@pytest.mark.parametrize(("name", "shape"), slow_except(QUICK, CASES))
def test_other_shapes_have_the_same_segments_and_titles(name: str, shape: str) -> None:
    path = ROOT / name
    text = path.read_text("utf-8")
    change = (ANY_SHAPE | PLAIN_SHAPE)[shape]
    wanted = _segments(Document.read(path))
    found = _segments(Document.read(change(text).encode(), name=path.name))
    if shape in OTHER_TITLES:
        wanted, found = ([("", each) for _, each in some] for some in (wanted, found))
    assert found == wanted


TEXT_KINDS = ("text", "markdown", "html", "srt", "vtt", "notebook", "mail", "messages", "rtf")


@pytest.mark.parametrize("kind", Files().samples())
def test_files_of_every_kind_have_the_same_segments_in_other_shapes(kind: str) -> None:
    data = Files().samples()[kind]
    if kind == "xlsx":
        pytest.importorskip("pypandoc")
    wanted = _segments(Document.read(data))
    assert len(wanted) == len(_segments(Document.read(data, kind=kind)))
    if kind not in TEXT_KINDS:
        return
    assert _segments(Document.read(data.rstrip() + b"\n\n\n", kind=kind)) == wanted
    assert _segments(Document.read(data.replace(b"\n", b"\r\n"), kind=kind)) == wanted
    if kind not in {"mail", "rtf"}:  # whose first bytes say what they are
        assert _segments(Document.read(b"\xef\xbb\xbf" + data)) == wanted
        shown = data.decode()
        for form in ("utf-16", "utf-32"):
            assert _segments(Document.read(shown.encode(form))) == wanted


def _command(*arguments: str, data: bytes | None = None) -> list[tuple[str, str]]:
    command = [sys.executable, "-m", "docbats", *arguments, "--format", "json"]
    done = subprocess.run(command, input=data, capture_output=True, check=True)
    return _of_values(json.loads(done.stdout))


def _of_values(values: Any) -> list[tuple[str, str]]:
    return [(_plain(each["title"]), _plain(each["text"])) for each in values["segments"]]


@pytest.mark.parametrize(
    "name", slow_except(["annual-report.txt"], ["annual-report.txt", "lecture.txt"])
)
def test_all_ways_in_give_the_same_segments(name: str, tmp_path: Path) -> None:
    path = ROOT / "examples" / name
    data = path.read_bytes()
    wanted = _segments(Document.read(path))
    assert _segments(Document.of(data.decode())) == wanted
    assert _segments(Document.read(data)) == wanted
    assert _segments(Document.read(str(path))) == wanted
    assert _command(str(path)) == wanted
    assert _command("-", data=data) == wanted
    odd = tmp_path / "a name with blanks.bin"
    odd.write_bytes(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"))
    assert _command(str(odd)) == wanted
    assert _by_service(data) == wanted


def _by_service(data: bytes) -> list[tuple[str, str]]:
    from docbats.serve.analysis_job import AnalysisJob, Upload, run_job
    from docbats.settings import PRESETS

    answers = [
        run_job(AnalysisJob(Upload(content), PRESETS["sharp"])) for content in (data, data.decode())
    ]
    assert all(isinstance(answer, bytes) for answer in answers)
    first, second = (
        _of_values(json.loads(answer)) for answer in answers if isinstance(answer, bytes)
    )
    assert first == second
    return first
