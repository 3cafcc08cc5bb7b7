"""Rich text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.readers.blocks_found import found_blocks

from docbats import DocbatsError, ReadError
from docbats.blocks import check_blocks
from docbats.readers.read_file import read_file

if TYPE_CHECKING:
    from docbats.readers.content import FileText


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
        (rb"bats{\*\unknown stuff}{\pict 00ff}{\header H}{\v hidden} fly", "bats fly"),
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
    assert found_blocks(read) == [
        ("heading", 1, "1. Bats"),
        ("paragraph", None, "They fly."),
        ("heading", 2, "Food"),
        ("list_item", 1, "moths"),
        ("list_item", 2, "small ones"),
        ("code", None, "a = 1\nb = 2"),
        ("table", None, "cup\tbig\npot\t3"),
        ("paragraph", None, "The end."),
    ]


def test_a_heading_after_a_table_stays_a_heading() -> None:
    table = rb"\trowd\pard\intbl cup\cell big\cell\row"
    read = _rtf(rb"\pard Bats.\par" + table + rb"\pard\outlinelevel0 Tea\par\pard It is hot.\par")
    assert found_blocks(read)[1:3] == [("table", None, "cup\tbig"), ("heading", 1, "Tea")]
    unfinished = _rtf(rb"\pard\intbl cup\cell big")
    assert found_blocks(unfinished) == [("paragraph", None, "cup"), ("paragraph", None, "big")]


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


def _notes(body: bytes) -> list[tuple[str, str]]:
    read = _rtf(body)
    return [(block.kind, read.text[block.start : block.end]) for block in read.blocks]


def test_notes_follow_the_text() -> None:
    found = _notes(
        rb"{\stylesheet{\s1 heading 1;}}\pard\s1 Bats{\super\chftn}{\footnote They fly.\par}\par "
        rb"\pard Moths{\super\chftn{\footnote \pard{\super\chftn} Some \u8212? not all\par Two.}}"
        rb" hide.\par "
        rb"Tea{\*\footnote\ftnalt At the end.}{\footnote }.\par"
    )
    assert found == [
        ("heading", "Bats"),
        ("paragraph", "Moths [2] hide."),
        ("paragraph", "Tea [3]."),
        ("references", "[1] They fly."),
        ("references", "[2] Some — not all"),
        ("references", "Two."),
        ("references", "[3] At the end."),
    ]


def test_a_note_in_a_table_stays_out_of_its_cell() -> None:
    found = _notes(
        rb"\trowd\intbl a{\footnote one\cell two\par}\cell b\cell\row"
        rb"\trowd\intbl c\cell d\cell\row\pard after\par"
    )
    assert found[0] == ("table", "a [1]\tb\nc\td")
    assert found[1:] == [
        ("paragraph", "after"), ("references", "[1] one"), ("references", "two"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "body",
    [
        rb"bats{\footnote never",
        rb"{\footnote a{\footnote b}}c",
        rb"{\*\no{\footnote b}}c",
        rb"\footnote x",
    ],
)
def test_odd_notes_lose_nothing_else(body: bytes) -> None:
    assert _rtf(body + rb" fly").text


def test_what_is_for_programs_without_nested_tables_is_not_read() -> None:
    found = _notes(
        rb"\trowd\intbl out\cell \itap2 in\nestcell{\nonesttables\par}"
        rb"{\*\nesttableprops\trowd\nestrow}{\nonesttables in again\par}\cell\row\pard after\par"
    )
    assert "again" not in found[0][1]
    assert found[0][1].count("in") == 1
