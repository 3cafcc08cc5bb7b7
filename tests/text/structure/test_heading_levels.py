"""The levels of the headings of plain text."""

from __future__ import annotations

from tests.text.structure.sample_text import BODY, OTHER, PARAGRAPH, headings, levels, titles


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


def test_lines_that_contents_do_not_list_are_below_those_that_they_list() -> None:
    part = f"{BODY}\n\n{OTHER}\n\n"
    listed = "".join(f"{title}\n\n{part}" for title in ("On bats", "They eat", "On tea"))
    text = f"On bats\nThey eat\nOn tea\n\n{listed}Cups\n\n{part}"
    assert titles(text) == ["On bats", "They eat", "On tea", "Cups"]
    assert levels(text) == [1, 1, 1, 2]
