"""The paragraphs, lists, tables and so on of PDF files."""

from __future__ import annotations

from typing import Any

import pytest
from tests.readers.pdf_pages import BODY, paragraph, read_pages, shown
from tests.sample_files import PdfLine

from docbats.blocks import check_blocks
from docbats.readers.pdf import join_pages
from docbats.readers.pdf_lines import PageLine
from docbats.readers.read_file import read_file


def test_list_items_and_their_levels(files: Any) -> None:
    lines = [
        *paragraph(760),
        PdfLine("• A bat", 700, x=80),
        PdfLine("with long ears", 686, x=90),
        PdfLine("- a moth", 672, x=100),
        PdfLine("• Tea", 658, x=80),
        *paragraph(620),
        PdfLine("1. First the water.", 560, x=80),
        PdfLine("2. Then the tea.", 546, x=80),
    ]
    read = read_pages(files, lines)
    assert shown(read, "list_item") == [
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
    assert [kind for kind, _ in shown(read_pages(files, lines))] == ["paragraph"]


def test_code_keeps_its_lines_and_indents(files: Any) -> None:
    code = [
        PdfLine("def bats():", 640, 10, 80, "Courier"),
        PdfLine("return 3", 628, 10, 104, "Courier"),
    ]
    read = read_pages(files, [*paragraph(700), *code, *paragraph(600)])
    assert [kind for kind, _ in shown(read)] == ["paragraph", "code", "paragraph"]
    assert shown(read, "code") == [("code", "def bats():\n    return 3")]


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
    lines = [PdfLine(line.text, line.y, font="Courier") for line in paragraph(700)]
    assert [kind for kind, _ in shown(read_pages(files, lines))] == ["paragraph"]


def test_tables(files: Any) -> None:
    rows = [("Animal", "Food", "Where"), ("Bat", "moths", "river"), ("Moth", "nectar", "garden")]
    cells = [
        PdfLine(text, 640 - 14 * i, x=80 + 130 * j)
        for i, row in enumerate(rows)
        for j, text in enumerate(row)
    ]
    read = read_pages(files, [*paragraph(700), *cells, *paragraph(580)])
    assert shown(read, "table") == [("table", "\n".join("\t".join(row) for row in rows))]


@pytest.mark.parametrize("title", ["References", "5 Sources", "Further reading", "Literatur:"])
def test_references(files: Any, title: str) -> None:
    lines = [
        PdfLine("On bats", 760, 18),
        *paragraph(720),
        PdfLine(title, 640, 18),
        PdfLine("[1] A. Bat: On moths. 1999.", 610),
        PdfLine("[2] B. Moth: On bats. 2001.", 580),
        PdfLine("On tea", 540, 18),
        *paragraph(500),
    ]
    kinds = [kind for kind, _ in shown(read_pages(files, lines))]
    assert kinds == ["heading", "paragraph", "heading", *2 * ["references"], "heading", "paragraph"]


def test_text_on_sources_is_not_references(files: Any) -> None:
    lines = [PdfLine("Sources", 760, 18), *paragraph(720)]
    assert [kind for kind, _ in shown(read_pages(files, lines))] == ["heading", "paragraph"]


def test_paragraphs_go_on_over_pages_and_columns(files: Any) -> None:
    first = [PdfLine("Bats hunt moths by", 700), PdfLine("night, and the", 686)]
    second = [PdfLine("moths hear them", 700, x=320), PdfLine("and", 686, x=320)]
    third = [PdfLine("dive to the", 700), PdfLine("ground.", 686)]
    read = read_pages(files, first + second, third)
    assert shown(read) == [
        ("paragraph", "Bats hunt moths by night, and the moths hear them and dive to the ground.")
    ]


def test_indents_part_paragraphs() -> None:
    text = "x" * 80
    lines = [PageLine(text, 700 - 12 * i, 10, left=72) for i in range(6)]
    lines[2] = PageLine("It ends.", 676, 10, left=72)
    lines[3] = PageLine(text, 664, 10, left=90)
    assert [len(block) for block in join_pages([lines]).text.split("\n\n")] == [170, 242]


def test_small_gaps_after_sentences_part_paragraphs() -> None:
    tops = [700, 688, 674.5, 662.5, 649, 637]  # formulas widen gaps, too, but not after sentences
    texts = ["Bats hunt.", "Moths dive.", "Tea is", "hot.", "A leaf of x/y", "is small."]
    lines = [PageLine(text, top, 10) for text, top in zip(texts, tops, strict=True)]
    assert join_pages([lines]).text.split("\n\n") == [
        "Bats hunt. Moths dive.",
        "Tea is hot.",
        "A leaf of x/y is small.",
    ]
    lines[4] = lines[4]._replace(text="of x/y")
    assert len(join_pages([lines]).text.split("\n\n")) == 2


def test_gaps_between_items_are_not_taken_for_those_between_lines() -> None:
    long = f"{'so ' * 25}long"
    items = [PageLine(f"Bat {n} hunts.", 780 - 18 * n, 10) for n in range(5)]
    texts = [long, long, f"{long}.", f"Tea {long}", long, f"{long}."]
    tops = [600, 588, 576, 558, 546, 534]
    lines = [PageLine(text, top, 10) for text, top in zip(texts, tops, strict=True)]
    assert len(join_pages([[*items, *lines]]).text.split("\n\n")) == 5 + 2


def test_indented_paragraphs_of_one_line_are_apart() -> None:
    long = f"{'so ' * 25}long"
    texts = [long, long, "it ends.", "Bats hunt at night.", "Tea is hot.", "Moths dive."]
    lefts = [72, 72, 72, 90, 90, 90]
    lines = [
        PageLine(text, 700 - 12 * i, 10, left=left)
        for i, (text, left) in enumerate(zip(texts, lefts, strict=True))
    ]
    assert len(join_pages([lines]).text.split("\n\n")) == 4


def test_terms_are_apart_from_their_definitions(files: Any) -> None:
    above = [PdfLine("moth prey", 700), *paragraph(686, 2, x=120)]
    beside = [PdfLine("bat", 650), *paragraph(650, 2, x=120)]
    single = [PdfLine("leaf", 610), PdfLine("It is for tea.", 610, x=120)]
    cited = [PdfLine("[Moth19]", 580), *paragraph(580, 2, x=120)]
    texts = [text for _, text in shown(read_pages(files, [*above, *beside, *single, *cited]))]
    definition = f"{BODY} {BODY}"
    assert texts == [
        "moth prey",
        definition,
        "bat",
        definition,
        "leaf",
        "It is for tea.",
        f"[Moth19] {definition}",
    ]


def test_a_dash_before_aligned_lines_begins_an_item(files: Any) -> None:
    lines = [PdfLine("—", 700), *paragraph(700, 2, x=90), PdfLine("—", 660), *paragraph(660, 2, 90)]
    assert [kind for kind, _ in shown(read_pages(files, lines))] == ["list_item"] * 2
    speech = [PdfLine("— You are late, said the bat to the moth.", 700)]
    assert [kind for kind, _ in shown(read_pages(files, speech))] == ["paragraph"]


def test_an_indented_line_of_code_is_apart() -> None:
    lines = [
        PageLine("To hunt, call", 700, 10, left=72),
        PageLine("hunt(moth)", 684, 10, is_mono=True, left=100),
        PageLine("at night. Bats hunt moths, and the moths dive.", 668, 10, left=72),
        PageLine("Bats hunt moths over the river at night with", 640, 10, left=72),
        PageLine("hunt(moth, river)", 628, 10, is_mono=True, left=72),
        PageLine("and the moths dive.", 616, 10, left=72),
    ]
    kinds = [block.kind for block in join_pages([lines]).blocks]
    assert kinds == ["paragraph", "code", "paragraph", "paragraph"]


def test_marks_of_footnotes_are_dropped(files: Any) -> None:
    def marked(text: str, mark: str, x: float, rise: float, y: float) -> list[PdfLine]:
        return [PdfLine(text, y), PdfLine(mark, y + rise, 7, 72 + x)]

    name = [*marked("by Ada Moth", "1", 61, 4, 700), PdfLine("and others.", 700, x=140)]
    units = marked("It has 10 km", "2", 64, 4, 660)
    water = marked("They drink hydrogen", "2", 102, -2, 620)
    read = read_pages(files, [*name, *units, *water])
    assert read.text == "by Ada Moth and others. It has 10 km 2 They drink hydrogen 2"


def test_sentences_keep_within_blocks(files: Any) -> None:
    document = read_file(files.paper()).document()
    assert "On bats" in document.sentences
    assert "Bats hunt moths by night." in document.sentences


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
    read = read_pages(files, lines)
    check_blocks(read.blocks, len(read.text))
