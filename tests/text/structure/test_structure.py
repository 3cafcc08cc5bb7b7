from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats.blocks import Block, check_blocks
from docbats.text.languages import LANGUAGES, load_language
from docbats.text.sentences import split_sentences
from docbats.text.structure import find_blocks, find_structure

ENGLISH = load_language("en")
PARAGRAPH = (
    "Bats hunt at night. They hear the walls of the cave, and they hear the moths near them."
)
OTHER = "Moths hear bats, too. Some of them let themselves fall as soon as they hear one close by."
WRAPPED = (
    "Bats hunt at night and sleep by day. They hear the walls\n"
    "of the cave and the moths near them. Dr. Smith says that\n"
    "all of them do so."
)


def blocks_of(text: str, code: str = "en") -> tuple[Block, ...]:
    return find_blocks(text, load_language(code))


def kinds(text: str, code: str = "en") -> list[str]:
    return [block.kind for block in blocks_of(text, code)]


def headings(text: str, code: str = "en") -> list[tuple[int | None, str | None, str | None]]:
    found = blocks_of(text, code)
    return [(block.level, block.number, block.title) for block in found if block.kind == "heading"]


# Paragraphs


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "Bats fly.",
        WRAPPED,
        "Bats fly at night.\nThey hear well.\nTea is hot.\nIt cools.",
        "Bats fly at night.\n\nThey hear well.\n\nTea is hot.\n\nIt cools.",
        "bats\nmoths\ntea\nships",
        "Bats fly and\n\nhear the walls\n\nof their caves.\n\nMoths hear\n\nthem and\n\nfall.",
    ],
)
def test_text_without_structure_has_no_blocks(text: str) -> None:
    assert blocks_of(text) == ()


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_blank_lines_separate_paragraphs_whose_lines_belong_together(line_end: str) -> None:
    text = f"{WRAPPED}\n \t\n{OTHER}\n\n\n{WRAPPED}\n".replace("\n", line_end)
    found = blocks_of(text)
    assert [block.kind for block in found] == ["paragraph"] * 3
    parts = [text[block.start : block.end] for block in found]
    assert parts == [part.replace("\n", line_end) for part in (WRAPPED, OTHER, WRAPPED)]


def test_sentences_go_on_over_line_ends() -> None:
    spans = split_sentences(WRAPPED)
    assert [WRAPPED[start:end].split(maxsplit=1)[0] for start, end in spans] == [
        "Bats",
        "They",
        "Dr.",
    ]


def test_without_blank_lines_indents_begin_paragraphs() -> None:
    text = (
        "   Bats hunt at night. They hear\nthe walls of the cave.\n   Moths hear bats, too. They\n"
        "fall.\n   Some sing. They do."
    )
    starts = [text[block.start :].split(maxsplit=1)[0] for block in blocks_of(text)]
    assert starts == ["Bats", "Moths", "Some"]


def test_long_lines_of_several_sentences_are_paragraphs() -> None:
    text = f"Hunting\n{PARAGRAPH} {OTHER}\n{OTHER} {PARAGRAPH}\nFalling\n{OTHER} {OTHER}\n"
    assert kinds(text) == ["heading", "paragraph", "paragraph", "heading", "paragraph"]


def test_long_lines_of_a_sentence_are_no_paragraphs() -> None:
    sentence = "Bats that hunt at night hear the walls of the cave and the moths near them, " * 2
    assert blocks_of("\n".join([f"{sentence}too."] * 5)) == ()


# Headings


def test_numbered_lines_are_headings_as_deep_as_their_numbers() -> None:
    text = (
        f"1. Bats\n\n{PARAGRAPH}\n\n1.1 Their food\n\n{PARAGRAPH}\n\n2. Moths\n\n{OTHER}\n\n"
        f"2.1 Ears\n\n{OTHER}\n"
    )
    assert headings(text) == [
        (1, "1.", "Bats"),
        (2, "1.1", "Their food"),
        (1, "2.", "Moths"),
        (2, "2.1", "Ears"),
    ]
    assert not any(block.is_certain for block in blocks_of(text) if block.kind == "heading")


def test_numbered_headings_need_no_blank_line_under_them() -> None:
    text = f"1. Bats\n{WRAPPED}\n\n2. Moths\n{WRAPPED}\n"
    assert headings(text) == [(1, "1.", "Bats"), (1, "2.", "Moths")]


@pytest.mark.parametrize(
    ("code", "first", "second", "number", "title"),
    [
        ("en", "Chapter 1: Bats", "Chapter 2: Moths", "Chapter 1", "Bats"),
        ("en", "CHAPTER I. Bats", "CHAPTER II. Moths", "CHAPTER I.", "Bats"),
        ("en", "I. Bats", "II. Moths", "I.", "Bats"),
        ("en", "A. Bats", "B. Moths", "A.", "Bats"),
        ("de", "§ 4 Fledermäuse", "§ 5 Motten", "§ 4", "Fledermäuse"),
        ("de", "Kapitel 1 Die Motte", "Kapitel 2 Der Tee", "Kapitel 1", "Die Motte"),
        ("es", "Artículo 1. Objeto.", "Artículo 2. Ámbito.", "Artículo 1.", "Objeto"),
        ("fr", "Chapitre 3 : La nuit", "Chapitre 4 : Le jour", "Chapitre 3", "La nuit"),
        ("ru", "Глава 1. Ночь", "Глава 2. День", "Глава 1.", "Ночь"),
        ("zh", "第一章 夜晚", "第二章 白天", "第一章", "夜晚"),
        ("ja", "第1章　夜", "第2章　昼間", "第1章", "夜"),
    ],
)
def test_numbers_are_apart_from_titles(
    code: str, first: str, second: str, number: str, title: str
) -> None:
    found = headings(f"{first}\n\n{PARAGRAPH}\n\n{second}\n\n{OTHER}\n", code)
    assert found[0] == (1, number, title)
    assert len(found) == 2


def test_numbers_that_do_not_go_up_make_no_headings() -> None:
    text = f"7. Bats\n\n{PARAGRAPH}\n\n3. Moths are\n\n{OTHER}\n\n{PARAGRAPH}\n\n{OTHER}"
    assert not any(number for _, number, _ in headings(text))


def test_number_and_title_on_two_lines_are_one_heading() -> None:
    text = f"CHAPTER I\n\nThe Storm\n\n{PARAGRAPH}\n\nCHAPTER II\n\nThe Calm\n\n{OTHER}\n"
    found = blocks_of(text)
    assert [block.heading for block in found[::2]] == ["CHAPTER I The Storm", "CHAPTER II The Calm"]
    assert text[found[0].start : found[0].end] == "CHAPTER I\n\nThe Storm"


def test_underlined_headings_are_certain() -> None:
    text = (
        f"Bats\n====\n\n{PARAGRAPH}\n\n1. Food\n-------\n{PARAGRAPH}\n\nDrink\n-----\n{OTHER}\n\n"
        f"~~~~~\nMoths\n~~~~~\n\n{OTHER}"
    )
    found = [block for block in blocks_of(text) if block.kind == "heading"]
    assert [(block.level, block.title) for block in found] == [
        (1, "Bats"),
        (2, "Food"),
        (2, "Drink"),
        (3, "Moths"),
    ]
    assert all(block.is_certain for block in found)
    assert "===" not in find_structure(text, ENGLISH).prose(text)


def test_rule_of_another_length_is_no_underline() -> None:
    assert not headings(f"{PARAGRAPH}\n\nBats\n{'-' * 40}\n{PARAGRAPH}\n\n{OTHER}")


def test_capitals_are_above_short_lines() -> None:
    body = f"{PARAGRAPH}\n\n{OTHER}\n\n{PARAGRAPH}\n\n"
    text = f"BATS\n\n{body}What they eat\n\n{body}MOTHS\n\n{body}How they hear\n\n{body}"
    assert [(level, title) for level, _, title in headings(text)] == [
        (1, "BATS"),
        (2, "What they eat"),
        (1, "MOTHS"),
        (2, "How they hear"),
    ]


def test_first_line_above_a_heading_is_the_title_of_all() -> None:
    body = f"{PARAGRAPH}\n\n{OTHER}\n\n"
    text = f"All about bats\n\n1. Food\n\n{body}2. Drink\n\n{body}"
    assert [level for level, _, _ in headings(text)] == [1, 2, 2]


@pytest.mark.parametrize(
    "short",
    [
        "Moths\n\nFlies\n\nWorms",
        "Figure 3: A bat",
        "“Where do they go”",
        "they are small",
        "They are small.",
        "See https://example.org/bats",
    ],
)
def test_items_captions_and_speech_are_no_headings(short: str) -> None:
    text = f"{PARAGRAPH}\n\n{OTHER}\n\n{short}\n\n{PARAGRAPH}\n\n{OTHER}\n\n{PARAGRAPH}"
    assert headings(text) == []


def test_item_after_a_colon_is_no_heading() -> None:
    text = f"{PARAGRAPH}\n\nThey eat what they hear:\n\nMoths\n\n{OTHER}\n\n{PARAGRAPH}"
    assert headings(text) == []


# Lists, quotes, code, tables


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


# Contents and references


def test_lines_that_lead_to_pages_are_contents() -> None:
    text = f"Contents\n\nBats ........ 3\nMoths . . . . 5\nTea ….. 12\n\n{PARAGRAPH}\n\n{OTHER}"
    assert kinds(text) == ["heading", "contents", "paragraph", "paragraph"]


def test_lines_that_are_repeated_as_headings_are_contents() -> None:
    text = (
        f"On bats\non moths 7\nOn tea\n\nOn bats\n\n{PARAGRAPH}\n\nOn moths\n\n{OTHER}\n\n"
        f"On tea\n\n{PARAGRAPH}"
    )
    assert kinds(text) == ["contents", *["heading", "paragraph"] * 3]


@pytest.mark.parametrize("code", LANGUAGES)
def test_entries_under_their_title_are_references(code: str) -> None:
    title = load_language(code).reference_titles[0].capitalize()
    text = f"{PARAGRAPH}\n\n{OTHER}\n\n{title}\n\n[1] A. Lee. Bats. 2001.\n\n[2] B. Ray. Tea. 1999."
    assert kinds(text, code) == ["paragraph", "paragraph", "heading", "references", "references"]


def test_prose_under_such_a_title_is_prose() -> None:
    text = f"1. Bats\n\n{PARAGRAPH}\n\n2. Sources\n\n{OTHER}\n\n{PARAGRAPH}"
    assert "references" not in kinds(text)


@pytest.mark.parametrize("code", [*LANGUAGES, None])
def test_words_of_headings_are_known_in_each_language(code: str | None) -> None:
    language = load_language(code)
    titles = (*language.reference_titles, *language.contents_titles)
    assert language.section_words
    assert language.caption_words
    assert language.reference_titles
    assert language.contents_titles
    assert all(title == title.lower() for title in titles)


# Any text

HOSTILE = {
    "dashes": "-" * 10**6,
    "dash lines": "-\n" * 200_000,
    "dashes and a letter": "-" * 10**5 + "x\n\n" + "=-" * 10**5 + "x",
    "blank lines": "Bats.\n" + "\n" * 10**6 + "Tea.",
    "numbers": "1." * 500_000,
    "number lines": "1.\n" * 100_000,
    "one line": "bats " * 200_000,
    "leaders": "".join(f"Bats {'.' * 40} {i}\n" for i in range(500)),
    "dots": "." * 10**6 + " 3\n" + ". " * 500_000 + "4",
    "headings": "".join(f"{i}. Bats\n\n{PARAGRAPH}\n\n" for i in range(1, 10_001)),
    "only headings": "".join(f"Heading {i}\n\n" for i in range(10_000)),
    "underlined": f"Bats\n====\n{PARAGRAPH}\n\n" * 10_000,
    "turns": "ANNA: yes\nBOB: no\n" * 20_000,
    "nested": "".join(f"{' ' * i}- bats\n{' ' * i}- moths\n" for i in range(500)),
    "table": "bats | moths | tea\n" * 50_000,
    "columns": "a  " * 300_000 + "\n" + "b  " * 300_000,
    "brackets": "[" * 10**6,
    "colons": "A:" * 500_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_has_blocks_that_fit(name: str) -> None:
    text = HOSTILE[name]
    found = find_structure(text, ENGLISH)
    check_blocks(found.blocks, len(text))
    assert len(found.prose(text)) == len(text)


def test_hostile_structure_is_seen() -> None:
    seen = {name: Counter(kinds(HOSTILE[name])) for name in ("headings", "leaders", "turns")}
    assert seen["headings"] == {"heading": 10_000, "paragraph": 10_000}
    assert seen["leaders"] == {"contents": 1}
    assert seen["turns"] == {"turn": 40_000}


LINES = st.sampled_from(
    [
        *("", "", "  ", "1. Bats", "2. Moths", "- a", "  * b", "> q", "ANNA: Hi.", "BOB: No. Yes."),
        *("[0:01] x", "====", "----", "Bats", "BATS", "a | b", "a   b", "\tx = f(y);", "x .... 3"),
        *("References", "[1] Lee 2001.", PARAGRAPH, OTHER, "\f", "Chapter 1", "§ 3", ":", "\x00"),
    ]
)


@given(st.lists(LINES, max_size=30).map("\n".join) | st.text(max_size=200))
def test_blocks_hold_all_that_is_visible(text: str) -> None:
    found = find_structure(text, ENGLISH)
    check_blocks(found.blocks, len(text))
    prose = found.prose(text)
    assert len(prose) == len(text)
    assert prose.count("\n") == text.count("\n")
    if found.blocks:
        inside = "".join(text[block.start : block.end] for block in found.blocks)
        assert "".join(inside.split()) == "".join(text.split())
        assert all(text[b.start : b.end].strip() == text[b.start : b.end] for b in found.blocks)
