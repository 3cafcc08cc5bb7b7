"""DOCX and EPUB, and archives that mean no good."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

import docbats
from docbats import Document, ReadError
from docbats.blocks import check_blocks
from docbats.readers.read_file import read_file

if TYPE_CHECKING:
    from docbats.readers.file_text import FileText

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
    assert read.text == "Contents\n\nBats\n\nBats hunt.\n\nMoths\t dive.\n\ncup\tbig\n\nTea"
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


def _blocks(read: FileText) -> list[tuple[str, int | None, str]]:
    check_blocks(read.blocks, len(read.text))
    assert read.document().sentences
    return [(b.kind, b.level, read.text[b.start : b.end]) for b in read.blocks]


def _list_item(text: str, level: int, number: int = 1) -> str:
    numbering = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'
    return f"<w:p><w:pPr>{numbering}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def test_blocks_of_a_word_document(files: Any) -> None:
    styles = "".join(
        f'<w:style w:styleId="{identity}"><w:name w:val="{name}"/>{rest}</w:style>'
        for identity, name, rest in [
            ("berschrift3", "heading 3", ""),
            ("Eigene", "Eigene", '<w:pPr><w:outlineLvl w:val="3"/></w:pPr>'),
            ("Titel", "Title", ""),
            ("Zitat", "Quote", ""),
            ("Quelltext", "Source Code", ""),
            ("Aufz", "Aufz", '<w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr>'),
            ("Beschriftung", "caption", '<w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr>'),
            ("Verzeichnis1", "toc 1", ""),
        ]
    )
    own_level = '<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr><w:r><w:t>Own</w:t></w:r></w:p>'
    body = "".join(
        [
            _paragraph("All of it", "Titel"),
            _paragraph("Bats 3", "Verzeichnis1"),
            _paragraph("1.2. Bats", "berschrift3"),
            _paragraph("Deep", "Eigene"),
            own_level,
            _list_item("Moths", 0),
            _list_item("dive", 1),
            _list_item("no list", 0, number=0),
            _paragraph("Styled", "Aufz"),
            _paragraph("Said.", "Zitat"),
            _paragraph("def f():", "Quelltext"),
            _paragraph("", "Quelltext"),
            _paragraph("    x", "Quelltext"),
            _paragraph("A bat", "Beschriftung"),
        ]
    )
    read = read_file(files.docx(body, styles))
    assert _blocks(read) == [
        ("heading", 1, "All of it"),
        ("contents", None, "Bats 3"),
        ("heading", 3, "1.2. Bats"),
        ("heading", 4, "Deep"),
        ("heading", 2, "Own"),
        ("list_item", 1, "Moths"),
        ("list_item", 2, "dive"),
        ("paragraph", None, "no list"),
        ("list_item", 1, "Styled"),
        ("quote", None, "Said."),
        ("code", None, "def f():\n\n    x"),
        ("paragraph", None, "A bat"),
    ]
    assert (read.blocks[2].number, read.blocks[2].title) == ("1.2.", "Bats")
    assert read.prose is not None
    assert "def" not in read.prose
    assert "Bats 3" not in read.prose


def _table(*rows: list[str]) -> str:
    cells = ("".join(f"<w:tc>{_paragraph(cell)}</w:tc>" for cell in row) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"


def test_tables_of_a_word_document(files: Any) -> None:
    long = "Bats hunt moths by night. " * 20
    body = _table(["cup", "size"], ["big", "3"]) + _table(["x", long]) + _table(["boxed"])
    assert _blocks(read_file(files.docx(body))) == [
        ("table", None, "cup\tsize\nbig\t3"),
        ("paragraph", None, "x"),
        ("paragraph", None, long.strip()),
        ("paragraph", None, "boxed"),
    ]


def test_many_headings_of_a_word_document_are_read(files: Any) -> None:
    read = read_file(files.docx(_paragraph("1. Bats", "Heading1") * 10_000))
    assert len(read.document()) == len(read.blocks) == 10_000


# EPUB


def test_contents_of_a_book_are_no_prose(files: Any) -> None:
    links = "".join(f'<p><a href="{i}.xhtml">Chapter {i}</a> {i}</p>' for i in range(5))
    book = files.epub(
        {
            "toc.xhtml": f"<html><h1>The book</h1>{links}</html>",
            "one.xhtml": "<html><h1>Bats</h1><p>They <a href='#x'>fly</a>.</p><a id='p'/></html>",
            "two.xhtml": "<html><h2>I</h2><p>Tea cools.</p><pre>x = 1</pre></html>",
        }
    )
    read = read_file(book)
    assert [kind for kind, _, _ in _blocks(read)] == [
        *["contents"] * 6,
        *("heading", "paragraph"),
        *("heading", "paragraph", "code"),
    ]
    assert read.prose is not None
    assert read.prose.split() == ["Bats", "They", "fly.", "I", "Tea", "cools."]


def test_navigation_document_in_the_reading_order_is_contents(files: Any) -> None:
    package = (
        '<package><manifest><item id="n" href="nav.xhtml" media-type="text/html" properties="nav"/>'
        '<item id="a" href="a.xhtml" media-type="text/html"/></manifest>'
        '<spine><itemref idref="n"/><itemref idref="a"/></spine></package>'
    )
    nav = '<nav epub:type="toc"><h1>Contents</h1><ol><li>Bats</ol></nav><nav hidden="">x</nav>'
    book = files.epub(
        {"nav.xhtml": nav, "a.xhtml": "<h1>Bats</h1><p>They fly.</p>"},
        **{"OEBPS/book.opf": package},
    )
    assert _blocks(read_file(book)) == [
        ("contents", None, "Contents"),
        ("contents", None, "Bats"),
        ("heading", 1, "Bats"),
        ("paragraph", None, "They fly."),
    ]


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
        ({"xl/workbook.xml": ""}, "an Excel file: save"),
        ({"content.xml": ""}, "an OpenDocument file, but no text: save"),
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
        (b"\x1f\x8bxx", "a gzip file.*gunzip"),
        (b"\x89PNG\r\n\x1a\n", "an image: recognize its text"),
    ],
)
def test_files_that_no_reader_handles_are_named(data: bytes, message: str) -> None:
    with pytest.raises(ReadError, match=message):
        read_file(data)
