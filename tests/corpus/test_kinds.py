"""Files of all kinds in a folder: each is read where it is analyzed."""

from __future__ import annotations

import gzip
import json
import sys
from importlib.metadata import PackageNotFoundError
from typing import TYPE_CHECKING, Any

import pytest

from docbats import Document, analyze
from docbats.corpus import CorpusOptions, run
from docbats.corpus.documents import InputDocument
from docbats.errors import MissingExtraError

from .conftest import read_lines, text_of, tree

if TYPE_CHECKING:
    from pathlib import Path

VTT = """WEBVTT

00:00.000 --> 00:04.000
Bats hunt moths. Moths hear bats.

00:04.000 --> 00:09.000
Tea needs hot water. Hot tea cools.
"""


@pytest.fixture
def paper(files: Any) -> bytes:
    """A PDF of three pages."""
    made: bytes = files.paper()
    return made


@pytest.fixture
def folder(tmp_path: Path, paper: bytes) -> Path:
    """Files of several kinds, and some that are none."""
    place = tmp_path / "in"
    place.mkdir()
    for name, data in {
        "broken.pdf": b"%PDF-1.4\n" + bytes(range(256)),
        "german.txt": ("Größe über Äpfel für Käfer. " * 9).encode("cp1252"),
        "notes.md.gz": gzip.compress(b"# Bats\n\nBats fly. They hunt.\n\n# Tea\n\nHot tea."),
        "page.html": b"<html><body><h1>Bats</h1><p>They fly. They hunt.</p></body></html>",
        "paper.pdf": paper,
        "photo.jpg": b"\xff\xd8\xff\xe0\0\0",
        "plain.txt": text_of(1).encode(),
        "talk.vtt": VTT.encode(),
    }.items():
        (place / name).write_bytes(data)
    return place


def test_rows_are_those_of_single_files(tmp_path: Path, folder: Path, faults: Any) -> None:
    run(folder, tmp_path / "out", engine=faults.HereEngine)
    rows = {row["id"]: row for row in read_lines(tmp_path / "out")}
    failed = {name: row["error"]["kind"] for name, row in rows.items() if row["error"]}
    assert failed == {"broken.pdf": "bad-bytes", "photo.jpg": "bad-bytes"}
    assert "repair it first" in rows["broken.pdf"]["error"]["message"]
    for name in ("page.html", "paper.pdf", "talk.vtt"):
        result = analyze(Document.read(folder / name)).to_dict(top_words=10)
        assert rows[name]["segments"] == result["segments"]
        assert rows[name]["topics"] == result["topics"]
    pages = [segment["place"]["pages"] for segment in rows["paper.pdf"]["segments"]]
    assert (pages[0][0], pages[-1][1]) == (1, 3)
    assert "Bats" in str(rows["notes.md.gz"]["segments"][0]["heading_path"])
    assert rows["german.txt"]["notes"] == ["The file is not UTF-8, read as cp1252."]
    assert "place" not in rows["plain.txt"]["segments"][0]
    assert rows["plain.txt"]["sha256"] == InputDocument("", "", text_of(1)).checksum
    request = json.loads((tmp_path / "out" / "run.json").read_text())
    assert list(request["input"]["readers"]) == ["pypdfium2"]


def test_tables_say_where_segments_are(tmp_path: Path, folder: Path, faults: Any) -> None:
    import pyarrow.parquet as pq

    run(folder, tmp_path / "out", CorpusOptions(format="parquet"), engine=faults.HereEngine)
    segments = pq.read_table(tmp_path / "out" / "segments").to_pylist()
    by_id = {segment["id"]: segment for segment in segments}
    assert by_id["paper.pdf"]["last_page"] == 3
    assert by_id["talk.vtt"]["ends"] == 9.0
    assert by_id["page.html"]["heading_path"] == ["Bats"]
    assert by_id["plain.txt"]["first_page"] is None


def test_a_file_that_hangs_or_kills_its_reader_is_a_row(
    tmp_path: Path, paper: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With real processes, since it must not happen in ours."""
    place = tmp_path / "in"
    place.mkdir()
    for name in ("crash.pdf", "good.pdf", "hang.pdf"):
        (place / name).write_bytes(paper + name.encode())
    _replace_pdf_reader(tmp_path / "path", monkeypatch)
    summary = run(place, tmp_path / "out", jobs=1, timeout=2)
    rows = read_lines(tmp_path / "out")
    assert [row["error"] and row["error"]["kind"] for row in rows] == ["crash", None, "time-out"]
    assert summary.failed == 2
    before = tree(tmp_path / "out")
    assert run(place, tmp_path / "out", resume=True).resumed == 3
    assert tree(tmp_path / "out") == before


def _replace_pdf_reader(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have other processes read PDF files by something that some files are too much for."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(
        "import os, time\n"
        "import docbats.readers.pdf as reader\n"
        "real = reader.read_pdf\n"
        "def read(content):\n"
        "    if content.data.endswith(b'crash.pdf'):\n"
        "        os._exit(3)\n"
        "    if content.data.endswith(b'hang.pdf'):\n"
        "        time.sleep(1000)\n"
        "    return real(content)\n"
        "reader.read_pdf = read\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(folder), prepend=":")


def test_too_many_characters_after_unpacking(tmp_path: Path, faults: Any) -> None:
    (tmp_path / "a.txt").write_text("A bat. " * 40)
    options = CorpusOptions(max_characters=200, input_format="text")
    summary = run(tmp_path / "a.txt", tmp_path / "out", options, engine=faults.HereEngine)
    assert summary.failures == {"too-large": 1}


def test_without_the_reader_of_pdf_nothing_begins(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docbats.runtime.version", _not_found)
    with pytest.raises(MissingExtraError, match=r"docbats\[files\]"):
        run(folder, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def _not_found(name: str) -> str:
    raise PackageNotFoundError(name)


def test_a_pdf_by_another_name_without_its_reader_ends_the_run(
    tmp_path: Path, paper: bytes, faults: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "paper").write_bytes(paper)
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "pypdfium2", None)
        with pytest.raises(MissingExtraError, match=r"docbats\[files\]"):
            run(tmp_path / "in", tmp_path / "out", engine=faults.HereEngine)
    assert run(tmp_path / "in", tmp_path / "out", resume=True, engine=faults.HereEngine).failed == 0
