"""Where headings of plain text begin and end: the limits of what is one, from both sides."""

from __future__ import annotations

import pytest

from docbats.text.languages import load_language
from docbats.text.structure import find_blocks, find_structure

BODY = "Bats hunt at night. They hear the walls of the cave, and they hear the moths that are near."
OTHER = "Moths hear bats, too. Some of them let themselves fall as soon as they hear one close by."


def titles(text: str, code: str = "en") -> list[str | None]:
    found = find_blocks(text, load_language(code))
    return [block.title for block in found if block.kind == "heading"]


def levels(text: str) -> list[int | None]:
    found = find_blocks(text, load_language("en"))
    return [block.level for block in found if block.kind == "heading"]


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


def test_numbered_headings_have_up_to_fifteen_words() -> None:
    title = "Food " + "and drink " * 7
    for words, found in ((title.strip(), [title.strip(), "Tea"]), (f"{title}now", [])):
        text = f"1. {words}\n\n{BODY}\n\n2. Tea\n\n{OTHER}\n\n{BODY}"
        assert [t for t in titles(text) if t in found] == found
        assert (words in titles(text)) == bool(found)


@pytest.mark.parametrize(
    ("line", "title"),
    [("2. Tea", "Tea"), ("2. Ab", "Ab"), ("2. Tea?", "Tea?"), ("2. 1 a b", "1 a b")],
)
def test_titles_after_numbers(line: str, title: str) -> None:
    assert titles(f"1. Food\n\n{BODY}\n\n{line}\n\n{OTHER}\n\n{BODY}") == ["Food", title]


@pytest.mark.parametrize("line", ["2. tea", "2. A", "2. Tea:", "2. Tea,", "2. Tea.", "2. 12"])
def test_no_titles_after_numbers(line: str) -> None:
    found = titles(f"1. Food\n\n{BODY}\n\n{line}\n\n{OTHER}\n\n{BODY}")
    assert line[3:] not in found


def test_chapters_may_end_with_a_full_stop_and_have_one_letter() -> None:
    text = f"Chapter 1. Food.\n\n{BODY}\n\nChapter 2. A.\n\n{OTHER}"
    assert titles(text) == ["Food", "A"]
    assert titles(f"Chapter 1. Food,\n\n{BODY}\n\n{OTHER}") == []


def test_roman_numbers_alone_are_headings_but_the_first_of_all_persons_is_not() -> None:
    text = f"II\n\n{BODY}\n\nIII\n\n{OTHER}"
    found = find_blocks(text, load_language("en"))
    assert [(b.kind, b.number) for b in found if b.kind == "heading"] == [
        ("heading", "II"),
        ("heading", "III"),
    ]
    found = find_blocks(f"I\n\n{BODY}\n\nII\n\n{OTHER}", load_language("en"))
    assert not any(block.number for block in found)
    assert titles(f"1\n\n{BODY}\n\n2\n\n{OTHER}") == []


def test_headings_right_over_their_paragraphs_are_narrow() -> None:
    text = "1. {}\nBats hunt at night, and they hear the walls.\n\n"
    text += "2. {}\nMoths hear bats, and they fall at once.\n"
    assert titles(text.format("Food", "Drink")) == ["Food", "Drink"]
    wide = "Food that they find in the caves"
    assert titles(text.format(wide, "Drink that they find in caves")) == []
    low = text.replace("Bats hunt", "bats hunt").replace("Moths hear", "moths hear")
    assert titles(low.format("Food", "Drink")) == []


def test_a_number_and_the_title_under_it_are_one_heading() -> None:
    text = f"Chapter 1\n\nFood\n\n{BODY}\n\nChapter 2\n\nDRINK\n\n{OTHER}\n\nChapter 3\n\n{BODY}"
    found = [b for b in find_blocks(text, load_language("en")) if b.kind == "heading"]
    assert [(b.number, b.title) for b in found] == [
        ("Chapter 1", "Food"),
        ("Chapter 2", "DRINK"),
        ("Chapter 3", ""),
    ]
    twice = f"Chapter 1\n\nChapter 2\n\nFood\n\n{BODY}\n\n{OTHER}"
    found = [b for b in find_blocks(twice, load_language("en")) if b.kind == "heading"]
    assert [(b.number, b.title) for b in found] == [("Chapter 1", ""), ("Chapter 2", "Food")]


def test_underlined_headings_and_their_numbers() -> None:
    text = f"2.1 Food\n--------\n\n{BODY}\n\n7\n-\n\n{OTHER}"
    found = [b for b in find_blocks(text, load_language("en")) if b.kind == "heading"]
    assert [(b.number, b.title, b.is_certain) for b in found] == [("2.1", "Food", True)]


@pytest.mark.parametrize(
    ("title", "rule"),
    [("Food", "==="), ("Food", "======"), ("Ab", "~~~"), ("m" * 120, "*" * 120), ("Food", "....")],
)
def test_rules_under_headings(title: str, rule: str) -> None:
    assert titles(f"{title}\n{rule}\n\n{BODY}\n\n{OTHER}") == [title]


@pytest.mark.parametrize(
    ("title", "rule"),
    [("Food", "=="), ("Food", "======="), ("A1", "---"), ("m" * 121, "-" * 121), ("Food", "==-="),
     ("Food and drink", "======="), ("a | b", "-----"), ("Food", "oooo")],
)  # fmt: skip
def test_rules_that_are_none(title: str, rule: str) -> None:
    text = f"{BODY}\n\n{title}\n{rule}\n{BODY}\n\n{OTHER}"
    found = find_blocks(text, load_language("en"))
    assert not any(block.is_certain for block in found if block.kind == "heading")


def test_rules_above_and_below_are_of_one_heading() -> None:
    text = f"====\nFood\n====\n{BODY}\n\nDrink\n-----\n{OTHER}\n\nTea\n---\nCup\n---\n{BODY}"
    found = [b for b in find_blocks(text, load_language("en")) if b.kind == "heading"]
    assert [(text[b.start : b.end], b.level) for b in found] == [
        ("====\nFood\n====", 1),
        ("Drink\n-----", 2),
        ("Tea\n---", 2),
        ("Cup\n---", 2),
    ]
    prose = find_structure(text, load_language("en")).prose(text)
    assert "=" not in prose
    assert "-" not in prose


def test_an_underlined_line_amid_a_paragraph_is_no_heading() -> None:
    assert titles(f"Bats fly far.\nFood\n----\n{BODY}\n\n{OTHER}") == []


def test_headings_of_wikis() -> None:
    text = (
        f"= Bats =\n{BODY}\n== Food==\n{OTHER}\n= = Drink = =\n{BODY}\n=== Tea = time ===\n{OTHER}"
    )
    found = [b for b in find_blocks(text, load_language("en")) if b.kind == "heading"]
    assert [(b.level, b.title) for b in found] == [
        (1, "Bats"),
        (2, "Food"),
        (2, "Drink"),
        (3, "Tea = time"),
    ]
    prose = find_structure(text, load_language("en")).prose(text)
    assert prose.count("=") == 1


@pytest.mark.parametrize(
    "line", ["= 12 =", "== Food =", "=Food", "Food =", "= " + "m" * 147 + " ="]
)
def test_what_is_no_heading_of_a_wiki(line: str) -> None:
    wiki = f"= Bats =\n{BODY}\n= Food =\n{OTHER}\n"
    assert titles(f"{wiki}{line}\n{BODY}") == ["Bats", "Food"]
    assert titles(f"= Bats =\n{BODY}\n\n{OTHER}") == []  # one alone


def test_levels_of_styles_nest_as_they_appear() -> None:
    part = f"{BODY}\n\n{OTHER}\n\n"
    inner = f"1. Food\n\n{part}1.1 Moths\n\n{part}2. Tea\n\n{part}"
    text = f"Chapter 1\n\n{part}{inner}Chapter 2\n\n{part}"
    assert levels(text) == [1, 2, 3, 2, 1]
    turned = f"A. Food\n\n{part}I. Moths\n\n{part}II. Flies\n\n{part}B. Tea\n\n{part}"
    assert levels(turned) == [1, 2, 2, 1]
    deep = f"1. Food\n\n{part}1.1.1 Moths\n\n{part}2. Tea\n\n{part}"
    assert levels(deep) == [1, 2, 1]  # no level is left out


def test_short_lines_are_above_numbers_that_begin_again() -> None:
    part = f"{BODY}\n\n{OTHER}\n\n"
    numbers = f"1. Moths\n\n{part}2. Flies\n\n{part}"
    assert levels(f"{part}Food\n\n{part}{numbers}Drink\n\n{part}{numbers}") == [1, 2, 2, 1, 2, 2]
    assert levels(f"{part}Food\n\n{part}{numbers}Drink\n\n{part}") == [2, 1, 1, 2]


def test_the_first_of_two_headings_is_the_title_of_all() -> None:
    part = f"{BODY}\n\n{OTHER}\n\n"
    assert levels(f"All of it\n\n1. Food\n\n{part}2. Tea\n\n{part}") == [1, 2, 2]
    assert levels(f"BATS\n\n1. Food\n\n{part}2. Tea\n\n{part}TEAS\n\n{part}") == [1, 2, 2, 1]


def test_lines_that_contents_list_are_of_the_level_of_short_lines() -> None:
    part = f"{BODY}\n\n{OTHER}\n\n"
    listed = "".join(f"{title}\n\n{part}" for title in ("On bats", "They eat", "On tea"))
    text = f"On bats\nThey eat\nOn tea\n\n{listed}Cups\n\n{part}"
    assert titles(text) == ["On bats", "They eat", "On tea", "Cups"]
    assert levels(text) == [1, 1, 1, 1]


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
