"""Broken and hostile archives, and other files that no reader handles."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
from tests.readers.word_xml import paragraph
from tests.sample_files import W

from docbats import Document, ReadError
from docbats.readers.read_file import read_file

LAUGHS = """<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "bats bats bats">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
<!ENTITY d SYSTEM "file:///etc/passwd">]>"""


def test_entities_are_refused_before_they_expand(files: Any) -> None:
    laughing = f"{LAUGHS}<w:document>&c;&d;</w:document>"
    data = files.zip({"word/document.xml": laughing})
    with pytest.raises(ReadError, match="declares a document type, which is refused"):
        read_file(data)
    book = files.epub({"one.xhtml": f"{LAUGHS}<html><p>Bats &c; &d;.</p></html>"})
    assert len(read_file(book).text) < 100
    with pytest.raises(ReadError, match="declares a document type"):
        read_file(files.epub({}, **{"META-INF/container.xml": f"{LAUGHS}<container/>"}))


def test_bombs_do_not_go_off(files: Any) -> None:
    data = files.zip({"word/document.xml": b" " * (300 << 20)})
    assert len(data) < 1 << 20
    with pytest.raises(ReadError, match="unpacks to more than"):
        read_file(data)


def test_bombs_that_lie_about_their_size_do_not_go_off(files: Any) -> None:
    data = bytearray(files.zip({"word/document.xml": b" " * (60 << 20)}))
    place = data.rindex(b"PK\x01\x02") + 24  # where the directory tells the size
    data[place : place + 4] = (1000).to_bytes(4, "little")
    with pytest.raises(ReadError):
        read_file(bytes(data))


def test_many_members_share_one_bound(files: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCBATS_MAX_UNPACKED_BYTES", "10000")
    chapters = {f"{i}.xhtml": f"<p>{'Bats. ' * 500}</p>" for i in range(5)}
    with pytest.raises(ReadError, match="unpacks to more than"):
        read_file(files.epub(chapters))


def test_deep_nesting_is_refused(files: Any) -> None:
    with pytest.raises(ReadError, match="elements deep"):
        read_file(files.docx("<w:p>" * 5000 + "</w:p>" * 5000))


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"xl/workbook.xml": ""}, "a broken file .its XML"),
        ({"content.xml": ""}, "an OpenDocument file other than text: save"),
        ({"a.txt": "bats"}, "a ZIP archive: unpack it first"),
        ({"word/document.xml": "<w:p>"}, "a broken file .its XML"),
        ({"META-INF/container.xml": "<x/>"}, "names no package"),
        ({"META-INF/container.xml": "<rootfile full-path='a'/>"}, "a is missing in it"),
    ],
)
def test_other_archives_are_named(files: Any, members: dict[str, str], message: str) -> None:
    with pytest.raises(ReadError, match=message):
        read_file(files.zip(members))


@pytest.mark.parametrize("cut", [10, 60, -30])
def test_broken_archives_are_refused(files: Any, cut: int) -> None:
    with pytest.raises(ReadError, match="broken ZIP archive"):
        read_file(files.docx(paragraph("Bats."))[:cut])


def test_damaged_bytes_are_refused(files: Any) -> None:
    data = bytearray(files.docx(paragraph("Bats. " * 50)))
    place = data.index(b"word/document.xml") + 40
    data[place : place + 8] = b"\xff" * 8
    with pytest.raises(ReadError, match=r"a broken file .word/document\.xml"):
        read_file(bytes(data))


@pytest.mark.parametrize("packing", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("bad", [b"\0", b"\x55", b"\xff"])
def test_damage_is_refused_however_the_members_are_packed(packing: int, bad: bytes) -> None:
    name = "word/document.xml"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", packing) as archive:
        body = paragraph("Bats fly at night and hear the walls.")
        archive.writestr(name, f'<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>')
    start, end = 30 + len(name), buffer.getvalue().index(b"PK\x01\x02")
    for place in range(start, end):
        data = bytearray(buffer.getvalue())
        data[place : min(place + 8, end)] = bad * (min(place + 8, end) - place)
        try:
            text = Document.read(bytes(data)).text
        except ReadError:
            continue
        # A byte of no meaning, or one that was so before.
        assert text == "Bats fly at night and hear the walls."


def test_members_with_a_password_are_refused() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("word/document.xml", "<x/>")
    data = bytearray(buffer.getvalue())
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + place] |= 1
    with pytest.raises(ReadError, match="encrypted: remove its password first"):
        read_file(bytes(data))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"x" * 99, "an old Office file: save it as DOCX"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"),
            "an Office file with a password",
        ),
        (b"\x1f\x8bxx", "a gzip file.*gunzip"),
        (b"\x89PNG\r\n\x1a\n", "an image: recognize its text"),
    ],
)
def test_files_that_no_reader_handles_are_named(data: bytes, message: str) -> None:
    with pytest.raises(ReadError, match=message):
        read_file(data)
