"""Headings of plain text that begin with a number, and the titles after it."""

from __future__ import annotations

import pytest
from tests.text.structure.sample_text import (
    BODY,
    OTHER,
    PARAGRAPH,
    WRAPPED,
    blocks_of,
    headings,
    titles,
)


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
    found = blocks_of(text)
    assert [(b.kind, b.number) for b in found if b.kind == "heading"] == [
        ("heading", "II"),
        ("heading", "III"),
    ]
    found = blocks_of(f"I\n\n{BODY}\n\nII\n\n{OTHER}")
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
    found = [b for b in blocks_of(text) if b.kind == "heading"]
    assert [(b.number, b.title) for b in found] == [
        ("Chapter 1", "Food"),
        ("Chapter 2", "DRINK"),
        ("Chapter 3", ""),
    ]
    twice = f"Chapter 1\n\nChapter 2\n\nFood\n\n{BODY}\n\n{OTHER}"
    found = [b for b in blocks_of(twice) if b.kind == "heading"]
    assert [(b.number, b.title) for b in found] == [("Chapter 1", ""), ("Chapter 2", "Food")]


def test_numbered_headings_may_end_with_full_stops_over_paragraphs() -> None:
    names = ["Definitions", "Source Code", "Basic Permissions"]
    text = "".join(f"  {i}. {name}.\n\n  {BODY}\n{OTHER}\n\n" for i, name in enumerate(names))
    assert titles(text) == names
    steps = "".join(f"{i}. Do what I say.\n\n" for i in range(1, 5))
    assert not titles(f"{BODY}\n\n{steps}{OTHER}")


def test_a_no_break_space_may_follow_a_number() -> None:
    text = "".join(f"{i}.\N{NO-BREAK SPACE}On bats\n\n{BODY}\n\n{OTHER}\n\n" for i in range(1, 4))
    assert titles(text) == ["On bats"] * 3
