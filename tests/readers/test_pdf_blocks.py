"""The headings, lists, tables and so on of PDF files."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

import pypdf
import pytest
from tests.sample_files import PdfLine

from docbats.blocks import check_blocks
from docbats.readers.pdf import join_pages
from docbats.readers.pdf_lines import PageLine
from docbats.readers.read_file import read_file

if TYPE_CHECKING:
    from docbats.readers.content import FileText


BODY = "Bats hunt moths over the river at night, and the moths dive when they hear them call."


def _read(files: Any, *pages: list[PdfLine]) -> FileText:
    return read_file(files.pdf(list(pages)))


def _shown(read: FileText, *kinds: str) -> list[tuple[str, str]]:
    """Return kinds and texts of the blocks, and see that they hold what all blocks must."""
    check_blocks(read.blocks, len(read.text))
    assert read.prose is not None
    assert len(read.prose) == len(read.text)
    outside = list(read.text)
    for block in read.blocks:
        outside[block.start : block.end] = " " * (block.end - block.start)
        if not block.is_prose:
            assert not read.prose[block.start : block.end].strip()
    assert not "".join(outside).strip()
    return [
        (block.kind, read.text[block.start : block.end])
        for block in read.blocks
        if not kinds or block.kind in kinds
    ]


def _paragraph(y: float, n: int = 3, x: float = 72) -> list[PdfLine]:
    return [PdfLine(BODY, y - 14 * i, x=x) for i in range(n)]


def _with_bookmarks(data: bytes, *bookmarks: tuple[str, int, int]) -> bytes:
    """Add bookmarks: titles, pages, and the number of the bookmark that each is under."""
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(data))
    items: list[Any] = [None]
    for title, page, parent in bookmarks:
        items.append(writer.add_outline_item(title, page, items[parent]))
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def test_bookmarks_name_the_headings(files: Any) -> None:
    pages = [
        [PdfLine("Chapter 1", 760), PdfLine("On bats", 740), *_paragraph(700)],
        [PdfLine("1.1 What they eat at", 760), PdfLine("night", 746), *_paragraph(700)],
    ]
    marks = (("1. On bats", 0, 0), ("What they eat at night", 1, 1), ("Not there", 1, 1))
    read = read_file(_with_bookmarks(files.pdf(pages), *marks))
    assert _shown(read, "heading") == [
        ("heading", "Chapter 1 On bats"),
        ("heading", "1.1 What they eat at night"),
    ]
    first, second = (block for block in read.blocks if block.kind == "heading")
    assert (first.level, first.number, first.title) == (1, "Chapter 1", "On bats")
    assert (second.level, second.number, second.title) == (2, "1.1", "What they eat at night")
    assert first.is_certain
    assert second.is_certain
    assert read.places is not None
    assert [heading.level for heading in read.places.headings] == [1, 2]


def test_larger_and_bolder_lines_are_uncertain_headings(files: Any) -> None:
    lines = [
        PdfLine("2 On bats", 760, 18),
        *_paragraph(720),
        PdfLine("What they eat", 650, font="Helvetica-Bold"),
        *_paragraph(630),
        PdfLine("Note:", 560, font="Helvetica-Bold"),
        *_paragraph(540),
        PdfLine("This sentence is bold, but no heading.", 470, font="Helvetica-Bold"),
        *_paragraph(450),
    ]
    read = _read(files, lines)
    _shown(read)
    headings = [block for block in read.blocks if block.kind == "heading"]
    assert [(h.level, h.number, h.title) for h in headings] == [
        (1, "2", "On bats"),
        (2, None, "What they eat"),
    ]
    assert not any(heading.is_certain for heading in headings)
    assert read.places is not None
    assert not read.places.headings


def test_list_items_and_their_levels(files: Any) -> None:
    lines = [
        *_paragraph(760),
        PdfLine("• A bat", 700, x=80),
        PdfLine("with long ears", 686, x=90),
        PdfLine("- a moth", 672, x=100),
        PdfLine("• Tea", 658, x=80),
        *_paragraph(620),
        PdfLine("1. First the water.", 560, x=80),
        PdfLine("2. Then the tea.", 546, x=80),
    ]
    read = _read(files, lines)
    assert _shown(read, "list_item") == [
        ("list_item", "• A bat with long ears"),
        ("list_item", "- a moth"),
        ("list_item", "• Tea"),
        ("list_item", "1. First the water."),
        ("list_item", "2. Then the tea."),
    ]
    levels = [block.level for block in read.blocks if block.kind == "list_item"]
    assert levels == [1, 2, 1, 1, 1]
    assert read.prose is not None
    assert "•" not in read.prose
    assert "1." not in read.prose


def test_a_number_that_begins_a_line_is_no_list(files: Any) -> None:
    lines = [PdfLine(f"{BODY[:-1]} since May", 700), PdfLine("7. It is written there.", 686)]
    assert [kind for kind, _ in _shown(_read(files, lines))] == ["paragraph"]


def test_code_keeps_its_lines_and_indents(files: Any) -> None:
    code = [
        PdfLine("def bats():", 640, 10, 80, "Courier"),
        PdfLine("return 3", 628, 10, 104, "Courier"),
    ]
    read = _read(files, [*_paragraph(700), *code, *_paragraph(600)])
    assert [kind for kind, _ in _shown(read)] == ["paragraph", "code", "paragraph"]
    assert _shown(read, "code") == [("code", "def bats():\n    return 3")]


def test_code_keeps_its_rows_on_later_pages() -> None:
    def code(text: str, top: float, left: float = 72) -> PageLine:
        return PageLine(text, top, 10, is_mono=True, left=left)

    row = [code("b", 600), code("c", 600, 114)]
    first = [PageLine("Bats fly at night and hear the walls.", 700, 10, left=72), code("a", 640)]
    assert join_pages([[*first, *row]]).text.endswith("a\nb c")
    assert join_pages([first, row]).text.endswith("a\nb c")
    apart = [[*first, code("b", 600)], [code("c", 600, 114)]]
    assert join_pages(apart).text.endswith("a\nb\n       c"), "one height, but another page"


def test_text_in_letters_of_one_width_is_no_code(files: Any) -> None:
    lines = [PdfLine(line.text, line.y, font="Courier") for line in _paragraph(700)]
    assert [kind for kind, _ in _shown(_read(files, lines))] == ["paragraph"]


def test_tables(files: Any) -> None:
    rows = [("Animal", "Food", "Where"), ("Bat", "moths", "river"), ("Moth", "nectar", "garden")]
    cells = [
        PdfLine(text, 640 - 14 * i, x=80 + 130 * j)
        for i, row in enumerate(rows)
        for j, text in enumerate(row)
    ]
    read = _read(files, [*_paragraph(700), *cells, *_paragraph(580)])
    assert _shown(read, "table") == [("table", "\n".join("\t".join(row) for row in rows))]


def test_contents_by_dots_and_by_bookmarks(files: Any) -> None:
    titles = ["On bats", "On tea", "On ships", "On ferries", "On tides"]
    dotted = [
        PdfLine(f"{i} {title} . . . . . . {i}", 700 - 14 * i) for i, title in enumerate(titles)
    ]
    read = _read(files, [PdfLine("Contents", 740, 18), *dotted], _paragraph(700))
    expected = "\n".join(f"{i} {title}" for i, title in enumerate(titles))
    assert _shown(read, "contents") == [("contents", expected)]
    plain = [PdfLine(title, 700 - 14 * i) for i, title in enumerate(titles)]
    chapters = [[PdfLine(title, 760, 18), *_paragraph(700)] for title in titles]
    marks = [(title, page, 0) for page, title in enumerate(titles, start=1)]
    read = read_file(_with_bookmarks(files.pdf([plain, *chapters]), *marks))
    assert _shown(read, "contents") == [("contents", "\n".join(titles))]
    assert [text for _, text in _shown(read, "heading")] == titles


@pytest.mark.parametrize("title", ["References", "5 Sources", "Further reading", "Literatur:"])
def test_references(files: Any, title: str) -> None:
    lines = [
        PdfLine("On bats", 760, 18),
        *_paragraph(720),
        PdfLine(title, 640, 18),
        PdfLine("[1] A. Bat: On moths. 1999.", 610),
        PdfLine("[2] B. Moth: On bats. 2001.", 580),
        PdfLine("On tea", 540, 18),
        *_paragraph(500),
    ]
    kinds = [kind for kind, _ in _shown(_read(files, lines))]
    assert kinds == ["heading", "paragraph", "heading", *2 * ["references"], "heading", "paragraph"]


def test_text_on_sources_is_not_references(files: Any) -> None:
    lines = [PdfLine("Sources", 760, 18), *_paragraph(720)]
    assert [kind for kind, _ in _shown(_read(files, lines))] == ["heading", "paragraph"]


def test_paragraphs_go_on_over_pages_and_columns(files: Any) -> None:
    first = [PdfLine("Bats hunt moths by", 700), PdfLine("night, and the", 686)]
    second = [PdfLine("moths hear them", 700, x=320), PdfLine("and", 686, x=320)]
    third = [PdfLine("dive to the", 700), PdfLine("ground.", 686)]
    read = _read(files, first + second, third)
    assert _shown(read) == [
        ("paragraph", "Bats hunt moths by night, and the moths hear them and dive to the ground.")
    ]


def test_indents_part_paragraphs() -> None:
    text = "x" * 80
    lines = [PageLine(text, 700 - 12 * i, 10, left=72) for i in range(6)]
    lines[2] = PageLine("It ends.", 676, 10, left=72)
    lines[3] = PageLine(text, 664, 10, left=90)
    assert [len(block) for block in join_pages([lines]).text.split("\n\n")] == [170, 242]


def test_sentences_keep_within_blocks(files: Any) -> None:
    document = read_file(files.paper()).document()
    assert "On bats" in document.sentences
    assert "Bats hunt moths by night." in document.sentences


def test_bookmarks_that_lead_in_circles(files: Any) -> None:
    data = _with_bookmarks(files.paper(), ("On bats", 0, 0), ("On tea", 1, 0))
    circle = re.sub(rb"/Prev (\d+ 0 R)", rb"/Next \1", data)
    assert circle != data
    assert "moths" in read_file(circle).text


@pytest.mark.parametrize(
    "lines",
    [
        [PdfLine("." * 20_000, 700)],
        [PdfLine("a-" * 20_000, 700), PdfLine("b", 686)],
        [PdfLine("• " * 3_000, 700 - i / 100) for i in range(20)],
        [PdfLine(f"1. {i}", 700 - i / 10, x=72 + i / 10) for i in range(5_000)],
        [PdfLine("Heading", 700 - i / 10, 20 + i % 7) for i in range(5_000)],
        [PdfLine("(", 700 - i) for i in range(500)],
    ],
    ids=["dots", "hyphens", "bullets", "nested", "headings", "marks"],
)
def test_odd_lines_become_blocks_that_fit(files: Any, lines: list[PdfLine]) -> None:
    read = _read(files, lines)
    check_blocks(read.blocks, len(read.text))
