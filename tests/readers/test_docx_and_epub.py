"""DOCX and EPUB, and archives that mean no good."""

from __future__ import annotations

import io
import time
import zipfile
from typing import Any

import pytest

import docbats
from docbats import Document, ReadError
from docbats.readers.read_file import read_file

LAUGHS = """<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "bats bats bats">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
<!ENTITY d SYSTEM "file:///etc/passwd">]>"""


def _paragraph(text: str, style: str = "") -> str:
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}<w:r><w:t>{text}</w:t></w:r></w:p>"


# DOCX


def test_paragraphs_and_headings_of_a_word_document(files: Any) -> None:
    body = (
        _paragraph("Contents", "TOC1")
        + _paragraph("Bats", "Heading1")
        + _paragraph("Bats hunt.")
        + '<w:p><w:r><w:t>Moths</w:t><w:tab/><w:t xml:space="preserve"> dive</w:t></w:r>'
        "<w:del><w:r><w:delText>not</w:delText></w:r></w:del><w:r><w:t>.</w:t></w:r></w:p>"
        + "<w:tbl><w:tr><w:tc>" + _paragraph("cup") + "</w:tc><w:tc>" + _paragraph("big")
        + "</w:tc></w:tr></w:tbl>"
        + _paragraph("Tea", "Mine")
    )  # fmt: skip
    styles = (
        '<w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="Heading2"/></w:style>'
        '<w:style w:styleId="TOC1"><w:name w:val="toc 1"/></w:style>'
    )
    read = read_file(files.docx(body, styles))
    assert read.kind == "docx"
    assert read.text == "Bats\n\nBats hunt.\n\nMoths\t dive.\n\ncup\tbig\n\nTea"
    assert read.places is not None
    assert [(h.level, h.title) for h in read.places.headings] == [(1, "Bats"), (2, "Tea")]


def test_segments_of_a_word_document_know_their_headings(files: Any) -> None:
    body = _paragraph("On bats", "Heading1") + "".join(map(_paragraph, files.bats))
    body += _paragraph("On tea", "Heading1") + "".join(map(_paragraph, files.tea))
    result = docbats.analyze(Document.read(files.docx(body)), k=2)
    assert [s.place.headings for s in result.segments if s.place] == [("On bats",), ("On tea",)]


def test_text_of_a_box_is_read_once(files: Any) -> None:
    namespace = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    box = _paragraph("Boxed.")
    body = (
        f'<w:p><w:r><mc:AlternateContent xmlns:mc="{namespace}"><mc:Choice>{box}</mc:Choice>'
        f"<mc:Fallback>{box}</mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    assert read_file(files.docx(body)).text == "Boxed."


def test_styles_that_lead_in_a_circle_end(files: Any) -> None:
    circle = '<w:style w:styleId="A"><w:name w:val="x"/><w:basedOn w:val="A"/></w:style>'
    assert read_file(files.docx(_paragraph("Bats.", "A"), circle)).text == "Bats."


# EPUB


def test_chapters_of_a_book_come_in_the_order_of_its_spine(files: Any) -> None:
    book = files.epub(
        {
            "one.xhtml": "<?xml version='1.0'?><!DOCTYPE html><h1>Bats</h1><p>They fly.</p>",
            "two%20b.xhtml": "<html><h1>Tea</h1><p>It cools.</p></html>",
        },
        **{"OEBPS/two b.xhtml": "<html><h1>Tea</h1><p>It cools.</p></html>"},
    )
    read = read_file(book)
    assert read.kind == "epub"
    assert read.text == "Bats\n\nThey fly.\n\nTea\n\nIt cools."
    assert read.places is not None
    assert [h.title for h in read.places.headings] == ["Bats", "Tea"]


@pytest.mark.parametrize(
    "href", ["../../../../etc/passwd", "/etc/passwd", "file:///etc/passwd", "no.xhtml"]
)
def test_no_link_leads_out_of_the_book(files: Any, href: str) -> None:
    with pytest.raises(ReadError, match="a book without text"):
        read_file(files.epub({}, **_spine(href)))


def _spine(href: str) -> dict[str, str]:
    return {
        "OEBPS/book.opf": (
            f'<package><manifest><item id="a" href="{href}" media-type="text/html"/></manifest>'
            '<spine><itemref idref="a"/></spine></package>'
        )
    }


def test_protected_books_are_refused(files: Any) -> None:
    lock = (
        '<encryption xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:EncryptedData><e:CipherData>'
        '<e:CipherReference URI="OEBPS/one.xhtml"/></e:CipherData></e:EncryptedData></encryption>'
    )
    book = files.epub({"one.xhtml": "<p>Bats.</p>"}, **{"META-INF/encryption.xml": lock})
    with pytest.raises(ReadError, match="protected against reading"):
        read_file(book)


# What means no good


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
    started = time.perf_counter()
    with pytest.raises(ReadError, match="unpacks to more than"):
        read_file(data)
    assert time.perf_counter() - started < 5


def test_bombs_that_lie_about_their_size_do_not_go_off(files: Any) -> None:
    data = bytearray(files.zip({"word/document.xml": b" " * (60 << 20)}))
    place = data.rindex(b"PK\x01\x02") + 24  # where the directory tells the size
    data[place : place + 4] = (1000).to_bytes(4, "little")
    with pytest.raises(ReadError):
        read_file(bytes(data))


def test_many_members_share_one_bound(files: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docbats.readers.parsers.archive._MAX_TOTAL_BYTES", 10_000)
    chapters = {f"{i}.xhtml": f"<p>{'Bats. ' * 500}</p>" for i in range(5)}
    with pytest.raises(ReadError, match="unpacks to more than"):
        read_file(files.epub(chapters))


def test_deep_nesting_is_refused(files: Any) -> None:
    with pytest.raises(ReadError, match="elements deep"):
        read_file(files.docx("<w:p>" * 5000 + "</w:p>" * 5000))


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"xl/workbook.xml": ""}, "an Excel file: save"),
        ({"ppt/presentation.xml": ""}, "a PowerPoint file: save"),
        ({"content.xml": ""}, "an OpenDocument file: save"),
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
        read_file(files.docx(_paragraph("Bats."))[:cut])


def test_damaged_bytes_are_refused(files: Any) -> None:
    data = bytearray(files.docx(_paragraph("Bats. " * 50)))
    place = data.index(b"word/document.xml") + 40
    data[place : place + 8] = b"\xff" * 8
    with pytest.raises(ReadError, match=r"a broken file .word/document\.xml"):
        read_file(bytes(data))


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
        (b"{\\rtf1 bats}", "an RTF file: save it as DOCX"),
        (b"\x1f\x8bxx", "a gzip file.*gunzip"),
        (b"\x89PNG\r\n\x1a\n", "an image: recognize its text"),
    ],
)
def test_files_that_no_reader_handles_are_named(data: bytes, message: str) -> None:
    with pytest.raises(ReadError, match=message):
        read_file(data)
