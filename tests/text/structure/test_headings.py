"""Where headings of plain text begin and end: the limits of what is one, from both sides."""

from __future__ import annotations

import pytest
from tests.text.structure.sample_text import BODY, OTHER, PARAGRAPH, headings, levels, titles


def between(line: str) -> str:
    """Stand over a paragraph, with others around it."""
    return f"{BODY}\n\n{OTHER}\n\n{line}\n\n{BODY}\n\n{OTHER}\n\n{BODY}"


@pytest.mark.parametrize(
    "line",
    [
        "Food",
        "Ox",
        "What bats eat in winter and in the summer months",  # ten words
        "Tea and " + "very " * 7 + "m" * 57,  # a hundred characters
        "Émile",
        "2001 and after",
        "Food (and drink)",
        "THE FOOD OF BATS",
        "FOOD.",
        "THE FOOD...",
        "Dr. Lee",
    ],
)
def test_short_lines_over_paragraphs_are_headings(line: str) -> None:
    assert titles(between(line)) == [line]


@pytest.mark.parametrize(
    "line",
    [
        "What bats eat in winter and in the warm summer months",  # eleven words
        "Tea and " + "very " * 7 + "m" * 58,  # 101 characters
        "A",
        "food",
        "- Food",
        "(Food)",
        "“Food”",
        "#food",
        "Food:",
        "Food,",
        "Food;",
        "Food —",
        "Food.",
        "Food = moths",
        "Food is here. Drink it",
        "bat@cave",
        "See www.example.org",
        "Mail to @bats",
        "eat(moth)",
        "Table 3: Food",
        "Fig. 2 Food",
        "They eat",  # speaks of somebody
        "However",
        "12 34",
        "Food and drink?",  # asked, maybe by somebody
    ],
)
def test_other_lines_are_not(line: str) -> None:
    assert titles(between(line)) == []


def test_lines_in_capitals_need_four_letters() -> None:
    clear = f"FOOD\n\n{BODY}\n\n{OTHER}\n\n"
    assert titles(f"{clear}CATS\n\n{BODY}\n\n{OTHER}") == ["FOOD", "CATS"]
    # With three it is a short line: a level below.
    assert levels(f"{clear}CAT\n\n{BODY}\n\n{OTHER}") == [1, 2]


def test_ideographs_are_counted_one_by_one() -> None:
    body = "蝙蝠在夜里飞行。它们听见洞壁的声音，也听见附近的飞蛾。" * 4
    line = "夜" * 30
    assert titles(f"{body}\n\n{body}\n\n{line}\n\n{body}\n\n{body}", "zh") == [line]
    assert titles(f"{body}\n\n{body}\n\n{line}夜\n\n{body}\n\n{body}", "zh") == []


def test_what_is_said_three_times_is_no_heading() -> None:
    part = f"{BODY}\n\n{OTHER}\n\n{BODY}\n\n"
    assert titles(f"Food\n\n{part}Food\n\n{part}Drink\n\n{part}") == ["Food", "Food", "Drink"]
    assert titles(f"Food\n\n{part}Food\n\n{part}Food\n\n{part}Drink\n\n{part}") == ["Drink"]


def test_two_lines_over_a_paragraph_are_headings_and_three_are_a_list() -> None:
    part = f"{BODY}\n\n{OTHER}\n\n{BODY}\n\n{OTHER}\n\n{BODY}\n\n"
    assert titles(f"{part}Food\n\nDrink\n\n{part}") == ["Food", "Drink"]
    assert titles(f"{part}Food\n\nDrink\n\nSleep\n\n{part}") == []


def test_lines_over_short_pieces_are_headings_beside_clear_ones() -> None:
    clear = f"Food\n\n{BODY} {OTHER}\n\nDrink\n\n{OTHER} {BODY}\n\nSleep\n\n{BODY} {OTHER}\n\n"
    filler = f"{BODY} {OTHER}\n\n" * 4
    little = "They nest in old trees and caves."  # less than half of a paragraph, but ended
    assert titles(f"{clear}{filler}Nests\n\n{little}\n\n{OTHER}") == [
        "Food", "Drink", "Sleep", "Nests",
    ]  # fmt: skip
    assert titles(f"{filler}Food\n\n{BODY} {OTHER}\n\nNests\n\n{little}\n\n{OTHER}") == ["Food"]
    least = "They nest here and there."  # just a quarter of a paragraph
    assert len(least) == 25
    assert titles(f"{clear}{filler}Nests\n\n{least}\n\n{OTHER}")[3:] == ["Nests"]
    assert titles(f"{clear}{filler}Nests\n\n{least[1:]}\n\n{OTHER}")[3:] == []


def test_lines_after_a_colon_are_items_until_a_paragraph_comes() -> None:
    part = f"{BODY} {OTHER}\n\n" * 3
    assert titles(f"{part}Food\n\n{BODY} {OTHER}\n\n{part}") == ["Food"]
    assert titles(f"{part}They eat as follows:\n\nFood\n\n{BODY}\n\n{part}") == []
    # Up to 150 characters may be an item after that one; more is a paragraph.
    item = "Moths " + "and beetles and flies and worms " * 4 + "and moths."
    assert len(item) <= 150
    again = f"{part}They eat:\n\nMoths\n\n{item}\n\nFood\n\n{BODY} {OTHER}\n\n{part}"
    assert titles(again) == []
    longer = again.replace(item, item + " They like them all the more.")
    assert titles(longer) == ["Food"]


def test_too_many_short_lines_are_no_headings() -> None:
    pairs = "".join(f"Food {name}\n\n{BODY}\n\n" for name in "abcd")
    assert len(titles(pairs)) == 4  # each over a paragraph: half of all pieces may be headings
    assert titles(f"{pairs}Tea") == []  # else four of nine are too many
    assert len(titles(f"{pairs}{BODY}\n\nTea")) == 4  # and four of ten are not


def test_lines_of_which_hardly_any_stands_over_a_paragraph_are_no_headings() -> None:
    listed = "\n\n".join(f"Tea {letter}" for letter in "abcd")
    bodies = f"{BODY}\n\n" * 9
    assert titles(f"Food\n\n{bodies}{listed}\n\n") == ["Food"]  # one of five
    assert titles(f"Food\n\n{bodies}{listed}\n\nTea e") == []  # one of six


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


@pytest.mark.parametrize(("n", "found"), [(99, True), (100, False)])
def test_a_hundred_short_paragraphs_are_a_talk_without_headings(n: int, *, found: bool) -> None:
    said = [
        "Well, that is what they say. So it is.",
        "No, it is not. They never said that, did they?",
    ]
    turns = [said[i % 2] for i in range(n - 2)]
    half = n // 2
    text = "\n\n".join([*turns[:half], "Bats", BODY, *turns[half:]])
    assert titles(text) == (["Bats"] if found else [])


def test_a_hundred_longer_paragraphs_are_no_talk() -> None:
    text = "\n\n".join([*[f"{BODY} {OTHER}"] * 60, "Bats", *[f"{OTHER} {BODY}"] * 60])
    assert titles(text) == ["Bats"]


def test_a_paragraph_that_begins_with_the_word_is_no_title() -> None:
    entries = "[1] A. Lee. Bats.\n\n[2] B. Ray. Tea."
    assert titles(f"{BODY}\n\n{OTHER}\n\nReferences\nto bats are here.\n\n{entries}") == []


@pytest.mark.parametrize("name", ["MOTH_SIZE", "_moth", "$moth", "$ moth"])
def test_names_of_code_are_no_headings(name: str) -> None:
    text = "\n\n".join(("Food", BODY, "Drink", OTHER, name, BODY, "Tea", OTHER))
    assert titles(text) == ["Food", "Drink", "Tea"]


def test_a_term_over_its_indented_definition_is_not_a_heading() -> None:
    terms = "".join(f"{name}\n\n    {BODY}\n\n" for name in ("Wings", "FOOD", "CAVES"))
    text = f"Bats\n\n{BODY}\n\n{OTHER}\n\n{terms}Moths\n\n{OTHER}\n\n{BODY}\n\n{OTHER}\n"
    assert titles(text) == ["Bats", "Moths"]
