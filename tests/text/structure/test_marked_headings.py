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
