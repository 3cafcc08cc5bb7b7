"""Lines and the paragraphs that they make."""

from __future__ import annotations

import pytest

from docbats.text.languages import load_language
from docbats.text.layout import (
    LineGroup,
    TextLine,
    ends_sentence,
    is_double_spaced,
    join_runs,
    scan_lines,
    split_at,
    split_groups,
)

ENGLISH, JAPANESE = load_language("en"), load_language("ja")


def test_lines_have_their_spans_indents_and_gaps() -> None:
    assert scan_lines("  a b \n\n\tc\r\nd\fe\rf") == [
        TextLine(2, 5, 2, 0, "a b"),
        TextLine(9, 10, 4, 1, "c"),
        TextLine(12, 13, 0, 0, "d"),
        TextLine(14, 15, 0, 0, "e"),
        TextLine(16, 17, 0, 0, "f"),
    ]
    assert scan_lines("a\n\n\n  \nb\n\n") == [TextLine(0, 1, 0, 0, "a"), TextLine(7, 8, 0, 3, "b")]
    assert scan_lines("\n\n \t x") == [TextLine(5, 6, 5, 2, "x")]
    assert scan_lines("\n \n") == []


@pytest.mark.parametrize(
    "text",
    ["Yes.", "Well?", "So:", "“No.”", "(see there.)", "Wait…", "**Go!**", "夜。", "「夜。」",
     "Yes;", "a." + ")" * 7],
)  # fmt: skip
def test_ends_of_sentences(text: str) -> None:
    assert ends_sentence(text)


@pytest.mark.parametrize("text", ["", "Yes", "3.5", "“No”", "Yes,", "夜", "a." + ")" * 8])
def test_other_ends(text: str) -> None:
    assert not ends_sentence(text)


def spans(text: str, code: str = "en") -> list[tuple[int, int]]:
    return [(u.first, u.stop) for u in split_groups(scan_lines(text), load_language(code))]


LONG = (
    "Bats hunt at night and hear the walls. " + "They hear the moths and the water near them. " * 2
)


def test_blank_lines_end_paragraphs() -> None:
    assert spans("a\nb\n\nc\n\n\nd") == [(0, 2), (2, 3), (3, 4)]
    assert spans("a") == [(0, 1)]


def test_long_lines_are_paragraphs_if_they_end_with_sentences() -> None:
    assert len(LONG) > 100
    assert spans(f"{LONG}\n{LONG}\nTea\n{LONG}") == [(0, 1), (1, 2), (2, 3), (3, 4)]
    assert spans(f"Tea\nShips\n\n{LONG}\n{LONG}") == [(0, 2), (2, 3), (3, 4)]
    assert spans(f"Tea\nShips\n{LONG}\n{LONG}") == [(0, 1), (1, 2), (2, 3), (3, 4)]
    assert spans(f"{LONG}\nTea\nShips") == [(0, 1), (1, 2), (2, 3)]
    half = LONG[:101].rstrip(" .")
    assert spans(f"{half}\n{half}\n{half}") == [(0, 3)]  # none ends a sentence
    short = "Tea is hot. " * 6
    assert spans(f"{LONG}\n{LONG}\n{short}") == [(0, 1), (1, 2), (2, 3)]
    assert spans(f"{LONG}\n{LONG}\n{short}\n{short}") == [(0, 1), (1, 2), (2, 3), (3, 4)]
    # With blank lines, too little of the text is long.
    assert spans(f"{LONG}\n{LONG}\n\n{short}\n{short}") == [(0, 2), (2, 4)]


def test_lines_that_fill_a_width_and_go_on_are_no_paragraphs() -> None:
    full = "Bats hunt at night, and they hear the walls of the cave, the water in it, and the moths"
    whole = f"{full} that are near them."
    assert len(whole) > 100
    assert len(spans(f"{whole}\n" * 4)) == 4
    assert len(spans(f"{whole}\n" * 4 + f"{full}\nthat are near them.")) == 1
    assert len(spans(f"{whole}\n" * 4 + "They hunt\nat night.")) == 6  # not broken to fit


def test_two_of_three_long_lines_must_end_with_a_sentence() -> None:
    open_line = LONG.rstrip()[:-1] + " and"
    assert spans(f"{LONG}\n{LONG}\n{open_line}") == [(0, 1), (1, 2), (2, 3)]
    assert spans(f"{LONG}\n{open_line}\n{open_line}") == [(0, 3)]


def test_long_lines_of_ideographs_are_shorter() -> None:
    line = "蝙蝠は夜に飛ぶ。壁の音を聞く。" * 4
    assert 50 < len(line) <= 100
    assert spans(f"{line}\n{line}", "ja") == [(0, 1), (1, 2)]
    assert spans(f"{line[:50]}\n{line[:50]}", "ja") == [(0, 2)]


def test_indents_begin_paragraphs_after_the_ends_of_sentences() -> None:
    assert spans("A.\n  B b\nc.\n  D d\ne.") == [(0, 1), (1, 3), (3, 5)]
    assert spans("A.\n  B b\nc.\nD d\ne.") == [(0, 5)]  # one alone is none
    assert spans("A\n  B b\nc\n  D d\ne.") == [(0, 5)]  # amid sentences
    assert spans("A.\n" + 8 * " " + "B b\nc.\n" + 8 * " " + "D d\ne.") == [(0, 1), (1, 3), (3, 5)]
    assert spans("A.\n" + 9 * " " + "B b\nc.\n" + 9 * " " + "D d\ne.") == [(0, 5)]  # set apart
    assert spans("A a.\n  B b\n  c. c\n  D d.") == [(0, 4)]  # most are indented
    assert spans("A a a.\n  B b.\n  C c.\n  D d and\ne e.") == [(0, 1), (1, 2), (2, 3), (3, 5)]


def double(*texts: str, code: str = "en") -> bool:
    lines = scan_lines("\n\n".join(texts))
    language = load_language(code)
    return is_double_spaced(lines, split_groups(lines, language), language)


def test_lines_with_a_blank_one_after_each_that_go_on_are_one_text() -> None:
    assert double("Bats fly and", "hear the walls", "of their caves.", "Moths hear", "them and")
    assert not double("Bats fly and", "hear the walls", "of their caves.")  # too few
    assert not double("Bats fly.", "They hear.", "of their caves.", "Moths hear", "them.")
    assert not double("Bats", "Moths", "Tea", "Ships", "Ropes")  # nothing goes on
    assert not double("Bats fly", "a. hear", "b) see", "c. fall", "Moths", "Tea")  # labels
    two = "of the\nwalls"
    assert not double("Bats fly and", "hear the", "walls of", "caves and", two, two)
    assert double("Bats fly and", "hear the", "walls of", "caves and", two)


def test_units_are_split_where_nothing_is_known() -> None:
    units = [LineGroup(0, 3), LineGroup(3, 6, "table"), LineGroup(6, 7)]
    found = split_at(units, {0, 1, 2, 4, 6, 7})
    assert [(u.first, u.stop, u.kind) for u in found] == [
        (0, 1, "paragraph"),
        (1, 2, "paragraph"),
        (2, 3, "paragraph"),
        (3, 6, "table"),
        (6, 7, "paragraph"),
    ]


def test_runs_of_lines_become_units_as_far_as_nothing_else_is_known() -> None:
    units = [
        LineGroup(0, 2),
        LineGroup(2, 4),
        LineGroup(4, 5, "code"),
        LineGroup(5, 7),
        LineGroup(7, 9),
    ]
    found = join_runs(units, [(1, 6), (7, 8)], "table")
    assert [(u.first, u.stop, u.kind) for u in found] == [
        (0, 1, "paragraph"),
        (1, 4, "table"),
        (4, 5, "code"),
        (5, 6, "paragraph"),
        (6, 7, "paragraph"),
        (7, 8, "table"),
        (8, 9, "paragraph"),
    ]
    assert join_runs(units, [], "table") is units
