"""Word documents."""

from __future__ import annotations

from typing import Any

from tests.readers.blocks_found import found_blocks
from tests.readers.word_xml import list_item, paragraph, table

import docbats
from docbats import Document
from docbats.readers.read_file import read_file

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def test_paragraphs_and_headings_of_a_word_document(files: Any) -> None:
    body = (
        paragraph("Contents", "TOC1")
        + paragraph("Bats", "Heading1")
        + paragraph("Bats hunt.")
        + '<w:p><w:r><w:t>Moths</w:t><w:tab/><w:t xml:space="preserve"> dive</w:t></w:r>'
        "<w:del><w:r><w:delText>not</w:delText></w:r></w:del><w:r><w:t>.</w:t></w:r></w:p>"
        + "<w:tbl><w:tr><w:tc>" + paragraph("cup") + "</w:tc><w:tc>" + paragraph("big")
        + "</w:tc></w:tr></w:tbl>"
        + paragraph("Tea", "Mine")
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
    body = paragraph("On bats", "Heading1") + "".join(map(paragraph, files.bats))
    body += paragraph("On tea", "Heading1") + "".join(map(paragraph, files.tea))
    result = docbats.analyze(Document.read(files.docx(body)), k=2)
    assert [s.place.headings for s in result.segments if s.place] == [("On bats",), ("On tea",)]


def test_text_of_a_box_is_read_once(files: Any) -> None:
    namespace = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    box = paragraph("Boxed.")
    body = (
        f'<w:p><w:r><mc:AlternateContent xmlns:mc="{namespace}"><mc:Choice>{box}</mc:Choice>'
        f"<mc:Fallback>{box}</mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    assert read_file(files.docx(body)).text == "Boxed."


def test_styles_that_lead_in_a_circle_end(files: Any) -> None:
    circle = '<w:style w:styleId="A"><w:name w:val="x"/><w:basedOn w:val="A"/></w:style>'
    assert read_file(files.docx(paragraph("Bats.", "A"), circle)).text == "Bats."


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
            paragraph("All of it", "Titel"),
            paragraph("Bats 3", "Verzeichnis1"),
            paragraph("1.2. Bats", "berschrift3"),
            paragraph("Deep", "Eigene"),
            own_level,
            list_item("Moths", 0),
            list_item("dive", 1),
            list_item("no list", 0, number=0),
            paragraph("Styled", "Aufz"),
            paragraph("Said.", "Zitat"),
            paragraph("def f():", "Quelltext"),
            paragraph("", "Quelltext"),
            paragraph("    x", "Quelltext"),
            paragraph("A bat", "Beschriftung"),
        ]
    )
    read = read_file(files.docx(body, styles))
    assert found_blocks(read) == [
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


def test_tables_of_a_word_document(files: Any) -> None:
    long = "Bats hunt moths by night. " * 20
    body = table(["cup", "size"], ["big", "3"]) + table(["x", long]) + table(["boxed"])
    assert found_blocks(read_file(files.docx(body))) == [
        ("table", None, "cup\tsize\nbig\t3"),
        ("paragraph", None, "x"),
        ("paragraph", None, long.strip()),
        ("paragraph", None, "boxed"),
    ]


def test_many_headings_of_a_word_document_are_read(files: Any) -> None:
    read = read_file(files.docx(paragraph("1. Bats", "Heading1") * 10_000))
    assert len(read.document()) == len(read.blocks) == 10_000


def test_the_body_of_a_word_document_may_have_any_name(files: Any) -> None:
    content_type = (
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    )
    data = files.zip(
        {
            "[Content_Types].xml": (
                f'<Types><Override PartName="/word/document2.xml" ContentType="{content_type}"/>'
                "</Types>"
            ),
            "_rels/.rels": (
                '<Relationships><Relationship Id="a" Type="x/officeDocument" '
                'Target="/word/document2.xml"/></Relationships>'
            ),
            "word/_rels/document2.xml.rels": (
                '<Relationships><Relationship Id="b" Type="x/styles" Target="looks.xml"/>'
                "</Relationships>"
            ),
            "word/looks.xml": (
                f'<w:styles {W}><w:style w:styleId="x"><w:name w:val="heading 2"/></w:style>'
                "</w:styles>"
            ),
            "word/document2.xml": (
                f'<w:document {W}><w:body><w:p><w:pPr><w:pStyle w:val="x"/></w:pPr>'
                "<w:r><w:t>Bats</w:t></w:r></w:p></w:body></w:document>"
            ),
        }
    )
    read = read_file(data)
    assert read.kind == "docx"
    assert found_blocks(read) == [("heading", 2, "Bats")]


def test_moved_text_is_read_once(files: Any) -> None:
    run = "<w:r><w:t>Moths dive.</w:t></w:r>"
    body = (
        f"<w:p><w:moveFrom>{run}</w:moveFrom></w:p><w:p><w:r><w:t>Bats fly.</w:t></w:r></w:p>"
        f"<w:p><w:moveTo>{run}</w:moveTo></w:p>"
    )
    assert read_file(files.docx(body)).text == "Bats fly.\n\nMoths dive."


def test_notes_follow_the_text(files: Any) -> None:
    def mark(kind: str, number: int) -> str:
        return f'<w:r><w:{kind}Reference w:id="{number}"/></w:r>'

    def notes(kind: str, *found: str) -> str:
        inside = "".join(
            f'<w:{kind} w:id="{i}">{paragraphs}</w:{kind}>' for i, paragraphs in enumerate(found)
        )
        return f"<w:{kind}s {W}>{inside}</w:{kind}s>"

    heading = paragraph("Bats", "Heading1").replace("</w:p>", mark("footnote", 1) + "</w:p>")
    body = (
        heading
        + f"<w:p><w:r><w:t>Moths</w:t></w:r>{mark('footnote', 2)}<w:r><w:t> hide</w:t></w:r>"
        f"{mark('endnote', 1)}{mark('footnote', 2)}{mark('footnote', 77)}</w:p>" + table(["a", "b"])
    )
    footnotes = notes(
        "footnote", paragraph("separator"), paragraph("They fly."),
        paragraph("Some") + table(["not", "all."]), paragraph("Nobody refers to it."),
    )  # fmt: skip
    others = {
        "word/footnotes.xml": footnotes,
        "word/endnotes.xml": notes("endnote", "", paragraph("End.")),
    }
    assert found_blocks(read_file(files.docx(body, **others))) == [
        ("heading", 1, "Bats"),
        ("paragraph", None, "Moths [2] hide [3] [2]"),
        ("table", None, "a\tb"),
        ("references", None, "[1] They fly."),
        ("references", None, "[2] Some"),
        ("references", None, "not"),
        ("references", None, "all."),
        ("references", None, "[3] End."),
    ]
