from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats import DocbatsError, ReadError
from docbats.blocks import check_blocks
from docbats.readers.read_file import read_file

if TYPE_CHECKING:
    from docbats.readers.file_text import FileText


def _found(read: FileText) -> list[tuple[str, int | None, str]]:
    check_blocks(read.blocks, len(read.text))
    return [(b.kind, b.level, read.text[b.start : b.end]) for b in read.blocks]


# DOCX

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


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
    assert _found(read) == [("heading", 2, "Bats")]


def test_moved_text_is_read_once(files: Any) -> None:
    run = "<w:r><w:t>Moths dive.</w:t></w:r>"
    body = (
        f"<w:p><w:moveFrom>{run}</w:moveFrom></w:p><w:p><w:r><w:t>Bats fly.</w:t></w:r></w:p>"
        f"<w:p><w:moveTo>{run}</w:moveTo></w:p>"
    )
    assert read_file(files.docx(body)).text == "Bats fly.\n\nMoths dive."


# ODT


def test_opendocument_text(files: Any) -> None:
    styles = (
        '<style:style style:name="P1" style:family="paragraph" '
        'style:parent-style-name="Preformatted_20_Text"/>'
        '<style:style style:name="P2" style:family="paragraph" '
        'style:parent-style-name="Quotations"/>'
    )
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    row = "<table:table-row>{}</table:table-row>"
    body = (
        "<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>"
        "<text:table-of-content><text:index-body><text:p>Bats 1</text:p></text:index-body>"
        "</text:table-of-content>"
        '<text:h text:outline-level="2">1.2 Bats</text:h>'
        '<text:p>They <text:span>fly</text:span>.<text:s text:c="2"/>High<text:note><text:p>x'
        "</text:p></text:note><text:line-break/>up.</text:p>"
        "<text:list><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>two"
        "</text:p></text:list-item></text:list></text:list-item></text:list>"
        '<text:p text:style-name="P1">a = 1</text:p><text:p text:style-name="P1">b = 2</text:p>'
        '<text:p text:style-name="P2">Said so.</text:p>'
        f"<table:table>{row.format(cell.format('cup') + cell.format('big'))}</table:table>"
        "<text:bibliography><text:p>Lee 2020</text:p></text:bibliography>"
    )
    read = read_file(files.odt(body, styles))
    assert read.kind == "odt"
    assert _found(read) == [
        ("contents", None, "Bats 1"),
        ("heading", 2, "1.2 Bats"),
        ("paragraph", None, "They fly.  High\nup."),
        ("list_item", 1, "one"),
        ("list_item", 2, "two"),
        ("code", None, "a = 1\nb = 2"),
        ("quote", None, "Said so."),
        ("table", None, "cup\tbig"),
        ("references", None, "Lee 2020"),
    ]
    assert (read.blocks[1].number, read.blocks[1].title) == ("1.2", "Bats")


def test_encrypted_opendocument_is_refused(files: Any) -> None:
    manifest = (
        "<m:manifest xmlns:m='x'><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>"
    )
    data = files.odt("<text:p>Bats</text:p>", **{"META-INF/manifest.xml": manifest})
    with pytest.raises(ReadError, match="encrypted: open it and save it without a password"):
        read_file(data)


def test_opendocument_without_text_is_refused(files: Any) -> None:
    with pytest.raises(ReadError, match="a document without text"):
        read_file(files.odt("<text:p/>"))


# PPTX


def test_slides_are_sections(files: Any) -> None:
    table = (
        "<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>cup</a:t></a:r></a:p>"
        "</a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>big</a:t></a:r></a:p></a:txBody></a:tc>"
        "</a:tr></a:tbl></p:graphicFrame>"
    )
    slides = [
        files.shape("Moths dive.", placeholder="body") + files.shape("Bats", placeholder="title"),
        files.shape("No title here.") + files.shape("7", placeholder="sldNum"),
        "",
        files.shape("Hot", "tea", placeholder="ctrTitle") + table,
    ]
    notes = (
        '<p:notes xmlns:p="x" xmlns:a="y"><p:sp><p:nvPr><p:ph type="body"/></p:nvPr>'
        "<a:p><a:r><a:t>Say this.</a:t></a:r></a:p></p:sp></p:notes>"
    )
    links = (
        '<Relationships><Relationship Id="n" Type="x/notesSlide" Target="../notes/n1.xml"/>'
        "</Relationships>"
    )
    extra = {"ppt/slides/_rels/slide0.xml.rels": links, "ppt/notes/n1.xml": notes}
    read = read_file(files.pptx(slides, **extra))
    assert read.kind == "pptx"
    assert _found(read) == [
        ("heading", 1, "Bats"),
        ("list_item", 1, "Moths dive."),
        ("paragraph", None, "Say this."),
        ("paragraph", None, "No title here."),
        ("heading", 1, "Hot tea"),
        ("table", None, "cup\tbig"),
    ]
    document = read.document()
    places = [document.place(block.start, block.end) for block in read.blocks]
    assert [place.pages for place in places if place] == [(1, 1)] * 3 + [(2, 2)] + [(4, 4)] * 2
    assert places[3] is not None
    assert places[3].under == ("Bats",)


def test_hidden_slides_are_not_read(files: Any) -> None:
    data = files.pptx(
        [files.shape("Bats fly."), ""],
        **{
            "ppt/slides/slide1.xml": (
                '<p:sld xmlns:p="p" xmlns:a="a" show="0"><p:sp><a:p><a:r><a:t>Secret</a:t></a:r>'
                "</a:p></p:sp></p:sld>"
            )
        },
    )
    assert read_file(data).text == "Bats fly."


def test_presentation_without_text_is_refused(files: Any) -> None:
    with pytest.raises(ReadError, match="a presentation without text"):
        read_file(files.pptx([""]))


# RTF


def _rtf(body: bytes) -> FileText:
    return read_file(b"{\\rtf1\\ansi\\ansicpg1252\\deff0 " + body + b"}")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (rb"M\'e4use \u8212?\u8220?fly\u8221?", "Mäuse —“fly”"),
        (rb"\u-10178?\u-8825? bats", "🦇 bats"),
        (rb"{\uc2\u8364\'80\'80}x{\uc0\u8364}y", "€x€y"),
        (rb"a\emdash b\~c\_d\-e\{f\}\\", "a—b\xa0c-de{f}\\"),
        (rb"{\fonttbl{\f0 Arial;}{\f1\fcharset204 Arial Cyr;}}{\f1 \'ec\'fb\'f8\'e8}", "мыши"),
        (rb"{\fonttbl{\f2\fcharset128 MS Mincho;}}\f2\'92\'83 tea", "茶 tea"),
        (rb"bats{\*\unknown stuff}{\pict 00ff}{\header H}{\footnote n}{\v hidden} fly", "bats fly"),
        (b"bats{\\pict\\bin6 }}{{\\\\} fly", "bats fly"),
        (rb"{\field{\*\fldinst HYPERLINK x}{\fldrslt a link}}", "a link"),
        (rb"{\shp{\*\shpinst{\shptxt boxed\par}}}", "boxed"),
        (b"one\\\ntwo", "one\n\ntwo"),
        (rb"{\info{\title Not this}}bats", "bats"),
    ],
)
def test_odd_escapes_of_rich_text(body: bytes, text: str) -> None:
    assert _rtf(body).text == text


def test_blocks_of_rich_text() -> None:
    read = _rtf(
        rb"{\stylesheet{\s0 Normal;}{\s1 heading 1;}{\s5\f1 HTML Preformatted;}}"
        rb"\pard\s1 1. Bats\par\pard They fly.\par\pard\outlinelevel1 Food\par"
        rb"\pard{\listtext\'b7\tab}\ls1\ilvl0 moths\par\pard\ls1\ilvl1 small ones\par"
        rb"\pard\s5 a = 1\par b = 2\par\pard"
        rb"\trowd\pard\intbl cup\cell big\cell\row\trowd\pard\intbl pot\cell 3\cell\row"
        rb"\pard The end."
    )
    assert _found(read) == [
        ("heading", 1, "1. Bats"),
        ("paragraph", None, "They fly."),
        ("heading", 2, "Food"),
        ("list_item", 1, "moths"),
        ("list_item", 2, "small ones"),
        ("code", None, "a = 1\nb = 2"),
        ("table", None, "cup\tbig\npot\t3"),
        ("paragraph", None, "The end."),
    ]


@pytest.mark.parametrize(
    "body", [b"bats" + b"{" * 5000 + b" fly", b"bats }}}} fly", b"bats\\", rb"bats\u99999999999? x"]
)
def test_broken_rich_text_is_read_as_far_as_it_goes(body: bytes) -> None:
    assert _rtf(body).text.startswith("bats")


def test_rich_text_of_nothing_but_groups_is_refused() -> None:
    with pytest.raises(ReadError, match="groups are more than 10,000 deep"):
        _rtf(b"{" * 20_000)
    with pytest.raises(ReadError, match="a document without text"):
        _rtf(rb"{\*\x y}\par")


RTF_PIECES = [
    *rb"{ } \par \cell \row \trowd \intbl \u99 \u-4 ? \'e4 \' \uc3 \bin2 \* \pict bats".split(),
    *(b"{\\stylesheet", b"{\\fonttbl", b"\\s1", b"\\f1", b"\\\n", b" "),
]


@given(st.lists(st.sampled_from(RTF_PIECES)))
def test_any_rich_text_is_read_or_refused(pieces: list[bytes]) -> None:
    try:
        read = _rtf(b"".join(pieces))
        read.document()
    except DocbatsError:
        return
    check_blocks(read.blocks, len(read.text))


# E-mail

HEADERS = b"From: Anna <a@example.org>\nTo: ben@example.org\nDate: Mon, 2 Mar 2026 10:00:00 +0000\n"


def test_a_message_has_its_subject_and_its_text() -> None:
    read = read_file(
        HEADERS + b"Subject: =?utf-8?q?Flederm=C3=A4use?=\nMIME-Version: 1.0\n"
        b"Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: "
        b"quoted-printable\n\nM=E4use fly.\n\n> They said\n> so.\n\nYours\n-- \nAnna\nphone 1\n"
    )
    assert read.kind == "mail"
    assert _found(read) == [
        ("heading", 1, "Fledermäuse"),
        ("paragraph", None, "Mäuse fly."),
        ("quote", None, "They said\nso."),
        ("paragraph", None, "Yours"),
    ]


MULTIPART = (
    HEADERS
    + b"""Subject: Tea
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: multipart/alternative; boundary=y

--y
Content-Type: text/html; charset=utf-8

<html><body><h2>Tea</h2><ul><li>hot</ul></body></html>
--y--
--x
Content-Type: application/octet-stream
Content-Disposition: attachment; filename=a.bin
Content-Transfer-Encoding: base64

AAAA
--x
Content-Type: message/rfc822

From: c@example.org
Subject: Inner

Inner text.
--x--
"""
)


def test_pages_and_messages_in_a_message_are_read_and_attachments_are_not() -> None:
    assert _found(read_file(MULTIPART)) == [
        ("heading", 1, "Tea"),
        ("heading", 2, "Tea"),
        ("list_item", 1, "hot"),
        ("heading", 2, "Inner"),
        ("paragraph", None, "Inner text."),
    ]


def test_an_archive_of_messages() -> None:
    one = HEADERS + b"Subject: Bats\n\nBats fly.\n>From afar.\nFrom here on, too.\n\n"
    two = HEADERS + b"Subject: Tea\n\nTea cools.\n"
    read = read_file(b"From a@example.org Mon Mar 2 2026\n" + one + b"From b Tue\n" + two)
    assert [(kind, text) for kind, _, text in _found(read)] == [
        ("heading", "Bats"),
        ("paragraph", "Bats fly.\nFrom afar.\nFrom here on, too."),
        ("heading", "Tea"),
        ("paragraph", "Tea cools."),
    ]


@pytest.mark.parametrize(
    "text", [b"From: here\nTo: there\n\nBats fly.", b"Note: bats\nSubject: tea\n\nBats."]
)
def test_a_text_that_begins_like_a_message_is_text(text: bytes) -> None:
    assert read_file(text).kind == "text"


@pytest.mark.parametrize(
    "rest",
    [
        b"Content-Type: text/plain; charset=klingon\n\nBats \xff fly.",
        b"Content-Type: multipart/mixed; boundary=x\n\n--x\n\nBats fly.",
        b"Content-Transfer-Encoding: base64\n\nQmF0cyBmbHku=====",
        b"Subject: \xff\xfe=?bad?q?x?=\n\nBats fly.",
    ],
)
def test_broken_messages_are_read_as_far_as_they_go(rest: bytes) -> None:
    assert "Bats" in read_file(HEADERS + b"Message-ID: x\n" + rest).text


def test_message_without_text_is_refused() -> None:
    with pytest.raises(ReadError, match="an e-mail without text"):
        read_file(HEADERS + b"\n\n")


@pytest.mark.parametrize(
    "data", [b"From here on bats fly.\n", b"From x\nbats\n\nFrom b\nTo: a\n\nTea\n"]
)
def test_a_text_that_begins_like_an_archive_loses_nothing(data: bytes) -> None:
    from docbats.readers.parsers.mail import split_messages

    messages = split_messages(data)
    assert b"bats" in messages[0]
    assert len(messages) == data.count(b"To: ") + 1
