"""The numbers of headings, each by itself and in a row."""

from __future__ import annotations

import pytest

from docbats.text.headings import HeadingNumber, in_sequence, parse_number
from docbats.text.languages import load_language

ENGLISH = load_language("en")


@pytest.mark.parametrize(
    ("text", "style", "values", "written", "title"),
    [
        ("2 Food", "1", (2,), "2", "Food"),
        ("2.3 Food", "1", (2, 3), "2.3", "Food"),
        ("2.3.  Food", "1", (2, 3), "2.3.", "Food"),
        ("99 Food", "1", (99,), "99", "Food"),
        ("1) Food", "1)", (1,), "1)", "Food"),
        ("iv) Food", "i)", (4,), "iv)", "Food"),
        ("A.1 Food", "A", (1, 1), "A.1", "Food"),
        ("Chapter Four", "chapter", (), "Chapter Four", ""),
        ("Unit 5 Food", "unit", (5,), "Unit 5", "Food"),
        ("Appendix B Food", "appendix", (2,), "Appendix B", "Food"),
        ("1.2.3.4.5.6 Food", "1", (1, 2, 3, 4, 5, 6), "1.2.3.4.5.6", "Food"),
        ("3、夜", "1", (3,), "3、", "夜"),
        ("§ 5 Tea", "§", (5,), "§ 5", "Tea"),
        ("§§ 12a. Tea", "§", (12,), "§§ 12a.", "Tea"),
        ("IV. Bats", "I", (4,), "IV.", "Bats"),
        ("VI. Bats", "I", (6,), "VI.", "Bats"),
        ("XLIX. Bats", "I", (49,), "XLIX.", "Bats"),
        ("XC. Bats", "I", (90,), "XC.", "Bats"),
        ("CXX", "I", (120,), "CXX", ""),
        ("V", "I", (5,), "V", ""),
        ("X. Ships", "I", (10,), "X.", "Ships"),
        ("C. Cats", "A", (3,), "C.", "Cats"),
        ("L. Lamps", "A", (12,), "L.", "Lamps"),
        ("A. Bats", "A", (1,), "A.", "Bats"),
        ("Z. Zebras", "A", (26,), "Z.", "Zebras"),
        ("Chapter 4: The Storm", "chapter", (4,), "Chapter 4", "The Storm"),
        ("CHAPTER IX", "chapter", (9,), "CHAPTER IX", ""),
        ("Chapter B — Tea", "chapter", (2,), "Chapter B", "Tea"),
        ("Chapter 2.7 Tea", "chapter", (2,), "Chapter 2.7", "Tea"),
    ],
)
def test_a_number_and_what_comes_after_it(
    text: str, style: str, values: tuple[int, ...], written: str, title: str
) -> None:
    number = parse_number(text, ENGLISH)
    assert number is not None
    assert (number.style, number.values, number.written) == (style, values, written)
    assert text[number.length :] == title
    assert number.has_word == (style in {"§", "chapter", "unit", "appendix"})


@pytest.mark.parametrize(
    "text",
    ["Bats", "a. bats", "2.", "2,5 litres", "123456 bats", "12.1234 bats", "MIX. Bats", "Chapter",
     "Chapter once", "Chapters 4", "1984 Revisited", "Book A Flight",
     "§ Tea", "IVXLCIVX", "IV Bats", "AB. Bats", "A.Bats", "一. 夜"],
)  # fmt: skip
def test_what_is_no_number(text: str) -> None:
    assert parse_number(text, ENGLISH) is None


@pytest.mark.parametrize(
    ("written", "value"),
    [("一", 1), ("十", 10), ("十二", 12), ("二十", 20), ("二十三", 23), ("百二", 102),
     ("三百四十五", 345), ("三千零五", 3005), ("一〇四", 104), ("12", 12), ("１２", 12)],
)  # fmt: skip
def test_ideographic_numbers(written: str, value: int) -> None:
    number = parse_number(f"第{written}章 夜", load_language("zh"))
    assert number == HeadingNumber("章", (value,), len(written) + 3, f"第{written}章")


def fits(*texts: str) -> list[bool]:
    numbers = [parse_number(f"{text} Tea", ENGLISH) for text in texts]
    return in_sequence(number for number in numbers if number is not None)


@pytest.mark.parametrize(
    "texts",
    [
        ("1.", "2.", "3."),
        ("3.", "4."),  # a row may begin with three
        ("1.", "4."),  # two were missed
        ("1.", "2.", "1.", "2."),  # begins again
        ("0.", "1."),
        ("1.", "1.1", "1.2", "2.", "2.1", "2.1.1"),
        ("2.", "2.3"),
        ("1.3", "2.", "3."),
        ("1.9", "2.3"),
        ("1.2.9", "1.3"),
        ("7.4", "7.5"),  # with a number below it a row may begin anywhere
        ("A.", "B."),
        ("I.", "II."),
        ("1.", "A.", "2.", "B."),  # each style is a row of its own
    ],
)
def test_numbers_that_follow_each_other(texts: tuple[str, ...]) -> None:
    assert fits(*texts) == [True] * len(texts)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("1.",), "-"),
        (("4.", "5."), "--"),
        (("1.", "5."), "--"),
        (("2.", "2."), "--"),
        (("3.", "2."), "--"),
        (("1.", "2.", "2.", "3."), "xx-x"),
        (("1.", "2.", "9.", "3."), "xx-x"),
        (("1.1", "1.5", "1.2"), "x-x"),
        (("1.", "2.4", "2."), "x-x"),
        (("2.1", "2.", "2.2"), "x-x"),
        (("1.", "1.4", "1.3"), "x-x"),
        (("1.", "A.", "2."), "x-x"),
    ],
)
def test_numbers_that_do_not(texts: tuple[str, ...], expected: str) -> None:
    assert fits(*texts) == [sign == "x" for sign in expected]


def test_a_number_with_a_word_needs_no_others() -> None:
    assert fits("Chapter 7") == [True]
    assert fits("Chapter 9", "Chapter 3", "§ 12", "5.") == [True, True, True, False]
