"""Headings of plain text that are underlined, or marked as in wikis."""

from __future__ import annotations

import pytest
from tests.text.structure.sample_text import (
    BODY,
    ENGLISH,
    OTHER,
    PARAGRAPH,
    blocks_of,
    headings,
    kinds,
    levels,
    titles,
)

from docbats.text.languages import load_language
from docbats.text.structure import find_structure


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


def test_underlined_headings_and_their_numbers() -> None:
    text = f"2.1 Food\n--------\n\n{BODY}\n\n7\n-\n\n{OTHER}"
    found = [b for b in blocks_of(text) if b.kind == "heading"]
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
    found = blocks_of(text)
    assert not any(block.is_certain for block in found if block.kind == "heading")


def test_rules_above_and_below_are_of_one_heading() -> None:
    text = f"====\nFood\n====\n{BODY}\n\nDrink\n-----\n{OTHER}\n\nTea\n---\nCup\n---\n{BODY}"
    found = [b for b in blocks_of(text) if b.kind == "heading"]
    assert [(text[b.start : b.end], b.level) for b in found] == [
        ("====\nFood\n====", 1),
        ("Drink\n-----", 2),
        ("Tea\n---", 2),
        ("Cup\n---", 2),
    ]
    prose = find_structure(text, load_language("en")).prose(text)
    assert "=" not in prose
    assert "-" not in prose


def test_rules_around_code_are_of_no_heading() -> None:
    code = ["$ eat moth", "$ sleep all day\nat home", "$ eat\n$ fly\n$ sleep", "eat the moth"]
    listed = "\n\n".join(f"{BODY}\n\n------------\n{lines}\n------------" for lines in code)
    text = f"Bats\n----\n\n{listed}\n\nTheir food\n----------\n\n{OTHER}"
    assert titles(text) == ["Bats", "Their food"]


def test_an_underlined_line_amid_a_paragraph_is_no_heading() -> None:
    assert titles(f"Bats fly far.\nFood\n----\n{BODY}\n\n{OTHER}") == []


def test_headings_of_wikis() -> None:
    text = (
        f"= Bats =\n{BODY}\n== Food==\n{OTHER}\n= = Drink = =\n{BODY}\n=== Tea = time ===\n{OTHER}"
    )
    found = [b for b in blocks_of(text) if b.kind == "heading"]
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


def test_headings_of_asciidoc() -> None:
    text = (
        f"Bats\n====\n\nFor whom\n--------\n{BODY}\n\n== [[food]]Food\n\n{OTHER}\n\n"
        f"[[drink]]\n=== Drink\n{BODY}\n\n== Tea\n\n{OTHER}\n== 2 and 2 is four\n"
    )
    found = [(b.level, b.title) for b in blocks_of(text) if b.kind == "heading"]
    assert found == [(1, "Bats"), (2, "For whom"), (2, "Food"), (3, "Drink"), (2, "Tea")]
    assert "food]]" not in find_structure(text, ENGLISH).prose(text)
    assert titles(f"{BODY}\n\n== Food\n\n{OTHER}") == []  # one alone


def test_stars_before_titles_are_an_outline() -> None:
    text = (
        f"* Changes in bats 2\n\n** Food\n\n  {BODY}\n\n** Moths are\n   larger\n\n"
        f"** Cups are smaller.\n\n** Tea\n\n  {OTHER}\n\n* Changes in bats 1\n\n  {BODY}\n"
    )
    assert levels(f"{BODY}\n\n{text}") == [1, 2, 2, 1]
    assert titles(f"{BODY}\n\n* Food\n\n* Tea\n** Cups\n** Pots\n\n{OTHER}") == []


def test_sections_below_those_with_rules_may_have_none() -> None:
    ruled = ["1. Bats", "1.1. Wings", "2. Tea", "2.1. Cups", "2.2. Pots", "2.3. Milk"]
    rules = ["=-"[name.count(".") - 1] * len(name) for name in ruled]
    chapters = [f"{n}\n{rule}\n\n{BODY}\n\n" for n, rule in zip(ruled, rules, strict=True)]
    deep = f"2.3.1. Hot milk\n\n{OTHER}\n\n2.3.2. Cold milk\n\n{BODY}\n\n"
    items = f"3. Open the tin\n\n{BODY}"
    found = headings("".join(chapters) + deep + items)
    assert [level for level, _, _ in found] == [1, 2, 1, 2, 2, 2, 3, 3]
    assert found[-1] == (3, "2.3.2.", "Cold milk")


def test_a_title_between_two_rules_may_be_much_shorter_than_they_are() -> None:
    rule = "-" * 70
    text = f"{rule}\nBATS\n{rule}\n\n{BODY}\n\n{rule}\nTEA\n{rule}\n\n{BODY}"
    assert titles(text) == ["BATS", "TEA"]
    table = f"{rule}\nname    size\n{rule}\nbat     3\n{rule}"
    assert "heading" not in kinds(f"{BODY}\n\n{table}\n\n{BODY}")


def test_numbers_tell_the_levels_where_all_rules_are_the_same() -> None:
    names = ["1. Bats", "1.1. Wings", "2. Tea", "2.1. Cups"]
    text = "".join(f"{name}\n{'-' * len(name)}\n\n{BODY}\n\n" for name in names)
    assert levels(text) == [1, 2, 1, 2]
