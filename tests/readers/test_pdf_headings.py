"""The headings of PDF files: by bookmarks, and by how they look."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from tests.growth import takes_linear_time
from tests.readers.pdf_pages import BODY, paragraph, read_pages, shown, with_bookmarks
from tests.sample_files import PdfLine

from docbats.readers.pdf import join_pages
from docbats.readers.pdf_lines import PageLine
from docbats.readers.read_file import read_file

if TYPE_CHECKING:
    from docbats.blocks import Block
    from docbats.readers.content import FileText

BOLD = "Helvetica-Bold"


def _prose(word: str, y: float, n: int = 30) -> list[PdfLine]:
    """Return lines that differ from those of other words, unlike headers."""
    return [PdfLine(f"{word} {i * 'so '}{BODY}"[:80], y - 14 * i) for i in range(n)]


def _headings(read: FileText) -> list[Block]:
    return [block for block in read.blocks if block.kind == "heading"]


def _titles(read: FileText) -> list[tuple[int | None, str]]:
    shown(read)
    return [(block.level, block.heading) for block in _headings(read)]


def test_bookmarks_name_the_headings(files: Any) -> None:
    pages = [
        [PdfLine("Chapter 1", 760), PdfLine("On bats", 740), *paragraph(700)],
        [PdfLine("1.1 What they eat at", 760), PdfLine("night", 746), *paragraph(700)],
    ]
    marks = (("1. On bats", 0, 0), ("What they eat at night", 1, 1), ("Not there", 1, 1))
    read = read_file(with_bookmarks(files.pdf(pages), *marks))
    assert shown(read, "heading") == [
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
        *paragraph(720),
        PdfLine("What they eat", 650, font="Helvetica-Bold"),
        *paragraph(630),
        PdfLine("Note:", 560, font="Helvetica-Bold"),
        *paragraph(540),
        PdfLine("This sentence is bold, but no heading.", 470, font="Helvetica-Bold"),
        *paragraph(450),
    ]
    read = read_pages(files, lines)
    shown(read)
    headings = [block for block in read.blocks if block.kind == "heading"]
    assert [(h.level, h.number, h.title) for h in headings] == [
        (1, "2", "On bats"),
        (2, None, "What they eat"),
    ]
    assert not any(heading.is_certain for heading in headings)
    assert read.places is not None
    assert not read.places.headings


def test_contents_by_dots_and_by_bookmarks(files: Any) -> None:
    titles = ["On bats", "On tea", "On ships", "On ferries", "On tides"]
    dotted = [
        PdfLine(f"{i} {title} . . . . . . {i}", 700 - 14 * i) for i, title in enumerate(titles)
    ]
    read = read_pages(files, [PdfLine("Contents", 740, 18), *dotted], paragraph(700))
    expected = "\n".join(f"{i} {title}" for i, title in enumerate(titles))
    assert shown(read, "contents") == [("contents", "Contents"), ("contents", expected)]
    plain = [PdfLine(title, 700 - 14 * i) for i, title in enumerate(titles)]
    chapters = [[PdfLine(title, 760, 18), *paragraph(700)] for title in titles]
    marks = [(title, page, 0) for page, title in enumerate(titles, start=1)]
    read = read_file(with_bookmarks(files.pdf([plain, *chapters]), *marks))
    assert shown(read, "contents") == [("contents", "\n".join(titles))]
    assert [text for _, text in shown(read, "heading")] == titles


def test_bookmarks_that_lead_in_circles(files: Any) -> None:
    data = with_bookmarks(files.paper(), ("On bats", 0, 0), ("On tea", 1, 0))
    circle = re.sub(rb"/Prev (\d+ 0 R)", rb"/Next \1", data)
    assert circle != data
    assert "moths" in read_file(circle).text


def test_a_bookmark_may_leave_out_the_word_before_the_number(files: Any) -> None:
    pages = [
        [PdfLine("1 Bats", 760, 18), *paragraph(720)],
        [PdfLine("Appendix A Tea", 760, 18), *paragraph(720)],
    ]
    marks = (("Bats", 0, 0), ("A Tea", 1, 0))
    read = read_file(with_bookmarks(files.pdf(pages), *marks))
    assert [(h.heading, h.is_certain) for h in _headings(read)] == [
        ("1 Bats", True),
        ("Appendix A Tea", True),
    ]


def test_headings_that_look_like_bookmarked_ones_are_as_certain(files: Any) -> None:
    titles = ["Preface", "1 Bats", "2 Tea"]
    pages = [[PdfLine(title, 760, 18), *paragraph(720, 20)] for title in titles]
    pages[2] += [PdfLine("Leaves", 400, font=BOLD), *paragraph(380)]
    read = read_file(with_bookmarks(files.pdf(pages), ("Bats", 1, 0), ("Tea", 2, 0)))
    assert [(h.level, h.heading, h.is_certain) for h in _headings(read)] == [
        (1, "Preface", True),
        (1, "1 Bats", True),
        (1, "2 Tea", True),
        (2, "Leaves", False),
    ]


@pytest.mark.parametrize("words", [["CHAPTER", "THREE"], ["Chapter Three"], ["KAPITEL DREI"]])
def test_a_number_in_words_is_a_label_above_the_title(files: Any, words: list[str]) -> None:
    label = [PdfLine(word, 760 - 24 * i, 14, 400, BOLD) for i, word in enumerate(words)]
    title = PdfLine("On bats and tea", 690, 14, 350, BOLD)
    section = PdfLine("3.1 What they eat", 640, 14, font=BOLD)
    read = read_pages(files, [*label, title, section, *paragraph(610)])
    assert _titles(read) == [(1, "On bats and tea"), (2, "3.1 What they eat")]
    assert _headings(read)[0].number == " ".join(words)


def test_a_label_over_indented_text_is_not_a_heading(files: Any) -> None:
    box = [PdfLine("Tip", 640, x=90, font=BOLD), PdfLine("Listen to the moths.", 626, x=90)]
    term = [PdfLine("Echo", 590, font=BOLD), *paragraph(576, 2, x=100)]
    heading = [PdfLine("What they eat", 540, font=BOLD), *paragraph(520)]
    listed = [PdfLine("Prey", 470, font=BOLD), PdfLine("• moths", 450, x=90)]
    read = read_pages(files, [*paragraph(700), *box, *term, *heading, *listed])
    assert [title for _, title in _titles(read)] == ["What they eat", "Prey"]


def _page_with_box(number: int, left: float = 72) -> list[PdfLine]:
    """Return a page with two headings, a box and a figure, whose titles are as large as these."""
    return [
        PdfLine(f"Chapter on {'bats' * number}", 790, 18, x=left),
        *paragraph(760),
        PdfLine("Caution", 700, 14, x=110),
        *paragraph(680, x=110),
        PdfLine(f"On moths {'and moths ' * number}", 620, 14, x=left),
        *paragraph(600),
        PdfLine(f"Drawn by {'X' * number}", 540, 14, x=90 + 11 * number),
        *paragraph(520),
    ]


@pytest.mark.parametrize("has_bookmarks", [True, False])
def test_titles_of_boxes_are_not_headings(files: Any, has_bookmarks: bool) -> None:
    data = files.pdf([_page_with_box(i) for i in range(1, 7)])
    if has_bookmarks:
        data = with_bookmarks(data, *((f"Chapter on {'bats' * i}", i - 1, 0) for i in range(1, 7)))
    titles = [title for _, title in _titles(read_file(data))]
    assert len(titles) == 12
    assert {title.split()[0] for title in titles} == {"Chapter", "On"}


def test_centred_headings_stay(files: Any) -> None:
    read = read_pages(files, *(_page_with_box(i, left=200 - 9 * i) for i in range(1, 7)))
    assert sum(title.startswith(("Chapter", "On")) for _, title in _titles(read)) == 12


def test_an_author_is_not_a_heading_among_numbered_ones(files: Any) -> None:
    sections = [
        line
        for i in range(1, 6)
        for line in (PdfLine(f"{i}. On bats", 790 - 110 * i, 14), *paragraph(770 - 110 * i))
    ]
    lines = [PdfLine("The Bat Book", 790, 24, x=200), PdfLine("Ann Lee", 740, 14, x=240), *sections]
    assert [title for _, title in _titles(read_pages(files, lines))] == [
        "The Bat Book",
        *(f"{i}. On bats" for i in range(1, 6)),
    ]


@pytest.mark.parametrize(
    "text", ["Example 2.1. A bat", "Beispiel A-3: Ein Falter", "Figure 4 A bat"]
)
def test_captions_are_not_headings(files: Any, text: str) -> None:
    lines = [*paragraph(760), PdfLine(text, 700, font=BOLD), *paragraph(680)]
    assert not _titles(read_pages(files, lines))
    numbered = [*paragraph(760), PdfLine("Section 2.1. A bat", 700, font=BOLD), *paragraph(680)]
    assert [title for _, title in _titles(read_pages(files, numbered))] == ["Section 2.1. A bat"]


def test_a_numbered_heading_ends_one_that_has_no_text(files: Any) -> None:
    first = [*_prose("Once", 780), PdfLine("4.1. On bats", 100, 14)]
    second = [PdfLine("4.2. On moths", 760, 14), PdfLine("4.3. On owls", 744, 14)]
    read = read_pages(files, first, [*second, *_prose("Twice", 700)])
    assert [title for _, title in _titles(read)] == [
        "4.1. On bats",
        "4.2. On moths",
        "4.3. On owls",
    ]


def test_lines_in_columns_are_not_headings(files: Any) -> None:
    defined = [PdfLine("hunt moth", 640, 13), PdfLine("[procedure]", 640, 13, x=400)]
    heads = [PdfLine("Name", 560, font=BOLD), PdfLine("What it does", 560, x=300, font=BOLD)]
    numbered = [PdfLine("2.1", 480, 13), PdfLine("hearing", 480, 13, x=110)]
    lines = [*paragraph(700), *defined, *paragraph(620), *heads, *paragraph(540), *numbered]
    assert [title for _, title in _titles(read_pages(files, [*lines, *paragraph(450)]))] == [
        "2.1 hearing"
    ]


def test_a_title_page_has_one_heading(files: Any) -> None:
    cover = [
        PdfLine("A book of bats", 600, 24),
        PdfLine("Second edition", 560, 14),
        PdfLine("Ada Moth", 300, 14, font=BOLD),
    ]
    chapters = [[PdfLine(f"On {t}", 760, 18), *_prose(t, 720)] for t in ("bats", "tea", "sleep")]
    again = [PdfLine("A book of bats", 700, 16)]
    read = read_pages(files, cover, again, *chapters)
    titles = ["A book of bats", "On bats", "On tea", "On sleep"]
    assert [title for _, title in _titles(read)] == titles


def test_the_headings_of_slides_stay(files: Any) -> None:
    slides = [
        [PdfLine(f"On {t}", 500, 30), PdfLine(f"Why {t}", 460, 24), *_prose(t, 400, 4)]
        for t in ("bats", "tea", "ships", "sleep")
    ]
    assert len(_titles(read_pages(files, *slides))) == 8


def test_lists_of_tables_belong_to_the_contents(files: Any) -> None:
    def entries(*titles: str) -> list[PdfLine]:
        return [PdfLine(f"{t} . . . . . . {i}", 700 - 14 * i) for i, t in enumerate(titles)]

    contents = [PdfLine("Contents", 740, 18), *entries("On bats", "On tea", "On ships")]
    tables = [PdfLine("List of Tables", 740, 18), *entries("Bats", "Moths", "Leaves")]
    chapters = [[PdfLine(f"On {t}", 760, 18), *_prose(t, 700)] for t in ("bats", "tea", "ships")]
    index = [PdfLine("Index", 740, 18), *entries("bat", "moth", "tea")]
    read = read_pages(files, contents, tables, *chapters, index)
    assert [title for _, title in _titles(read)] == ["On bats", "On tea", "On ships", "Index"]


def test_numbers_tell_levels_of_one_font_apart(files: Any) -> None:
    titles = ["1 Bats", "1.1 Food", "1.1.1 Moths", "1.2 Sleep", "2 Tea", "Sources"]
    lines: list[PdfLine] = []
    for i, title in enumerate(titles):
        lines += [PdfLine(title, 760 - 100 * i, font=BOLD), *paragraph(740 - 100 * i)]
    levels = [level for level, _ in _titles(read_pages(files, lines))]
    assert levels == [1, 2, 3, 2, 1, 1]


@pytest.mark.parametrize("has_bookmarks", [True, False])
def test_a_numbered_title_may_begin_in_lower_case(files: Any, has_bookmarks: bool) -> None:
    titles = ["1 Bats", "1.1 Food", "1.2 bat-tools: ways to fly", "1.3 Sleep", "2 Tea"]
    lines: list[PdfLine] = []
    for i, title in enumerate(titles):
        lines += [PdfLine(title, 760 - 100 * i, font=BOLD), *paragraph(740 - 100 * i)]
    data = files.pdf([lines])
    if has_bookmarks:
        marks = [(title.partition(" ")[2], 0, title.count(".")) for title in titles]
        data = with_bookmarks(data, *marks)
    assert [level for level, _ in _titles(read_file(data))] == [1, 2, 2, 2, 1]


def test_a_line_that_is_bold_in_part_is_not_a_heading(files: Any) -> None:
    parts = [("apt update ", 0), ("and", 70), ("apt upgrade ", 95), ("or", 175), ("apt show", 190)]
    mixed = [
        PdfLine(text, 672, x=72 + x, font=BOLD if "apt" in text else "Helvetica")
        for text, x in parts
    ]
    read = read_pages(files, [*paragraph(700, 2), *mixed, *paragraph(658)])
    assert not _titles(read)


def test_a_defined_function_is_not_a_heading(files: Any) -> None:
    lines = [PdfLine("void hear (moth t m, wall t w, cave t c) [Function]", 700, font=BOLD)]
    read = read_pages(
        files, [PdfLine("On bats", 760, 18), *paragraph(740), *lines, *paragraph(680)]
    )
    assert [title for _, title in _titles(read)] == ["On bats"]


def test_many_headings_take_linear_time() -> None:
    def read(n: int) -> FileText:
        line = PageLine(BODY, 0, 10, left=72)
        label = PageLine("Note", 0, 10, is_bold=True, left=90)
        lines = [each._replace(top=-12.0 * i) for i, each in enumerate([line, label, line] * n)]
        return join_pages([lines, *([line, label] for _ in range(n))])

    assert takes_linear_time(read, 100)
