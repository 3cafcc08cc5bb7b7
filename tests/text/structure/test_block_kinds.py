"""Lists, quotations, code, tables, contents and references of plain text."""

from __future__ import annotations

import pytest
from tests.text.structure.sample_text import (
    BODY,
    ENGLISH,
    OTHER,
    PARAGRAPH,
    blocks_of,
    kinds,
)

from docbats.text.languages import LANGUAGES, load_language
from docbats.text.structure import find_structure


def test_list_items_are_nested_by_indents() -> None:
    text = (
        f"{PARAGRAPH}\n\nThey eat:\n- moths\n- flies\n  and beetles\n    * green\n    * blue\n"
        f"- worms\n\n{OTHER}"
    )
    items = [block for block in blocks_of(text) if block.kind == "list_item"]
    assert [block.level for block in items] == [1, 1, 2, 2, 1]
    assert text[items[1].start : items[1].end] == "- flies\n  and beetles"
    prose = find_structure(text, ENGLISH).prose(text)
    assert "-" not in prose
    assert "*" not in prose
    assert len(prose) == len(text)


@pytest.mark.parametrize(
    "labels", ["1. 2. 3.", "1) 2) 3)", "(1) (2) (3)", "a) b) c)", "a. b. c.", "• • •", "- - -"]
)
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_rows_of_labels_are_lists(labels: str, gap: str) -> None:
    items = [f"{label} Some moths" for label in labels.split()]
    text = f"{PARAGRAPH}\n\n{gap.join(items)}\n\n{OTHER}"
    assert kinds(text) == ["paragraph", *["list_item"] * 3, "paragraph"]


def test_one_label_is_no_list() -> None:
    assert "list_item" not in kinds(f"{PARAGRAPH}\n\n- {OTHER}\n\n{PARAGRAPH}")


def test_long_numbered_pieces_are_paragraphs() -> None:
    text = "\n\n".join(f"{i}. {PARAGRAPH} {OTHER} {PARAGRAPH} {OTHER}" for i in range(1, 5))
    assert kinds(text) == ["paragraph"] * 4


def test_quotes_have_their_marks_blanked() -> None:
    text = f"{PARAGRAPH}\n\n> Bats, he said,\n> are blind.\n\n{OTHER}"
    assert kinds(text) == ["paragraph", "quote", "paragraph"]
    assert ">" not in find_structure(text, ENGLISH).prose(text)


def test_indented_code_is_no_prose() -> None:
    text = f"{PARAGRAPH}\n\n    def hunt(moth):\n        return moth.eat()\n\n{OTHER}"
    assert kinds(text) == ["paragraph", "code", "paragraph"]
    prose = find_structure(text, ENGLISH).prose(text)
    assert "hunt(" not in prose
    assert prose.count("\n") == text.count("\n")


def test_indented_prose_is_no_code() -> None:
    assert kinds(f"{PARAGRAPH}\n\n    {OTHER}\n\n{PARAGRAPH}") == ["paragraph"] * 3


@pytest.mark.parametrize(
    "table",
    [
        "bat | 12\nmoth | 9\ntea | 3",
        "| bat | 12 |\n|-----|----|\n| moth | 9 |",
        "Name    Legs   Ears\nBat        2      2\nMoth       6      2",
        "bat\t12\nmoth\t9\ntea\t3",
    ],
)
def test_rows_and_columns_are_a_table(table: str) -> None:
    text = f"{PARAGRAPH}\n\n{table}\n\n{OTHER}"
    assert kinds(text) == ["paragraph", "table", "paragraph"]


def test_two_blanks_after_full_stops_make_no_table() -> None:
    line = "Bats fly far.  They hear well.  They eat moths."
    assert kinds(f"{PARAGRAPH}\n\n{line}\n{line}\n{line}\n\n{OTHER}") == ["paragraph"] * 3


def test_lines_that_lead_to_pages_are_contents() -> None:
    text = f"Contents\n\nBats ........ 3\nMoths . . . . 5\nTea ….. 12\n\n{PARAGRAPH}\n\n{OTHER}"
    assert kinds(text) == ["contents", "contents", "paragraph", "paragraph"]


def test_lines_that_are_repeated_as_headings_are_contents() -> None:
    text = (
        f"On bats\non moths 7\nOn tea\n\nOn bats\n\n{PARAGRAPH}\n\nOn moths\n\n{OTHER}\n\n"
        f"On tea\n\n{PARAGRAPH}"
    )
    assert kinds(text) == ["contents", *["heading", "paragraph"] * 3]


@pytest.mark.parametrize("code", LANGUAGES)
def test_entries_under_their_title_are_references(code: str) -> None:
    title = load_language(code).reference_titles.split(", ")[0].capitalize()
    text = f"{PARAGRAPH}\n\n{OTHER}\n\n{title}\n\n[1] A. Lee. Bats. 2001.\n\n[2] B. Ray. Tea. 1999."
    assert kinds(text, code) == ["paragraph", "paragraph", "heading", "references", "references"]


def test_prose_under_such_a_title_is_prose() -> None:
    text = f"1. Bats\n\n{PARAGRAPH}\n\n2. Sources\n\n{OTHER}\n\n{PARAGRAPH}"
    assert "references" not in kinds(text)


@pytest.mark.parametrize("code", [*LANGUAGES, None])
def test_words_of_headings_are_known_in_each_language(code: str | None) -> None:
    language = load_language(code)
    titles = f"{language.reference_titles}, {language.contents_titles}".split(", ")
    assert language.section_words
    assert language.caption_words
    assert language.reference_titles
    assert language.contents_titles
    assert all(title == title.lower() for title in titles)


def test_a_plus_sign_adds_blocks_to_an_item_of_asciidoc() -> None:
    text = f"* {BODY}\n+\n{OTHER}\n+\n{BODY}\n* {OTHER}\n"
    found = [text[block.start : block.end] for block in blocks_of(text) if block.kind != "code"]
    assert found == [f"* {BODY}", OTHER, BODY, f"* {OTHER}"]
    assert "+" not in find_structure(text, ENGLISH).prose(text)
