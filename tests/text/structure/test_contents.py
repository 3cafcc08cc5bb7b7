"""Tables of contents in plain text, and the headings that they list."""

from __future__ import annotations

import textwrap

import pytest
from tests.growth import takes_linear_time
from tests.text.structure.sample_text import (
    BODY,
    ENGLISH,
    OTHER,
    blocks_of,
    kinds,
    levels,
    titles,
)

from docbats.text.contents import find_contents
from docbats.text.layout import scan_lines

PART = f"{BODY}\n\n{OTHER}\n\n"


def contents(text: str) -> tuple[list[tuple[int, int]], list[int]]:
    found = find_contents(scan_lines(text), ENGLISH)
    return list(found.runs), sorted(found.headings)


def test_entries_that_stand_again_in_their_order_are_contents() -> None:
    assert contents("On bats\nOn tea\nOn cups\nOn bats\nx\nOn tea\ny\nOn cups\nz") == (
        [(0, 3)],
        [3, 5, 7],
    )
    assert contents("On bats 3\non  tea … 12\nON CUPS\nOn bats\nx\nOn tea\ny\nOn cups\nz") == (
        [(0, 3)],
        [3, 5, 7],
    )
    four = "On bats\nOn tea\nOn cups\nOn pots\nOn bats\nx\nOn tea\ny\nOn cups\nz\nOn pots"
    assert contents(four) == ([(0, 4)], [4, 6, 8, 10])


@pytest.mark.parametrize(
    "text",
    [
        "On bats\nOn tea\nOn bats\nx\nOn tea\ny",  # too few
        "On bats\nOn tea\nOn cups\nOn bats\nOn tea\nOn cups",  # nothing in between
        "On bats\nOn tea\nOn cups\nOn cups\nx\nOn tea\ny\nOn bats\nz",  # another order
        "1\n2\n3\n1\nx\n2\ny\n3\nz",  # no words
        "let a\nlet b\nlet c\n\nlet a\nx\n\nlet b\ny\n\nlet c\nz",  # code
    ],
)
def test_entries_that_do_not(text: str) -> None:
    assert contents(text) == ([], [])


SECTIONS = [("1", "Bats"), ("1.1", "Wings"), ("1.2", "Food"), ("2", "Tea"), ("2.1", "Food")]
CHAPTERS = "".join(f"{number}. {title}\n\n{PART}" for number, title in SECTIONS)


@pytest.mark.parametrize(
    "entry",
    [
        "{indent}{number}. {title}",
        "{indent}* {number}. {title}\n",
        "{indent}{number}.\N{NO-BREAK SPACE}{title} . . . . 7",
        "{number}.        {title}",
        "   {number}  {title} .......... iv",
    ],
)
def test_contents_of_any_look_list_the_chapters_and_their_levels(entry: str) -> None:
    table = "\n".join(
        entry.format(number=number, title=title, indent="    " * number.count("."))
        for number, title in SECTIONS
    )
    text = f"Contents\n\n{table}\n\n{CHAPTERS}"
    assert titles(text) == [title for _, title in SECTIONS]
    assert levels(text) == [1, 2, 2, 1, 2]
    assert kinds(text)[:2] == ["contents", "contents"]
    assert all(block.is_certain for block in blocks_of(text))


def test_chapters_may_be_written_with_a_word_and_on_two_lines() -> None:
    table = "I. Down the Cave\nII. The Pool\nIII. A Long Night\n\n"
    body = "".join(
        f"CHAPTER {number}\n{title.upper()}\n\n{PART}{PART}"
        for number, title in [("I", "Down the Cave"), ("II", "The Pool"), ("III", "A Long Night")]
    )
    found = [b for b in blocks_of(f"CONTENTS\n\n{table}{body}") if b.kind == "heading"]
    assert [heading.number for heading in found] == ["CHAPTER I", "CHAPTER II", "CHAPTER III"]
    assert {heading.level for heading in found} == {1}


def test_entries_and_headings_may_be_wrapped_at_different_words() -> None:
    long = "2. Of the many ways in which a bat that flies at night may find its own way home"
    entry = textwrap.indent(textwrap.fill(long, 50), "   ")
    heading = textwrap.fill(long, 60)
    body = f"1. On bats\n\n{PART}{heading}\n\n{PART}3. On tea\n\n{PART}"
    text = f"Contents\n\n   1. On bats\n{entry}\n   3. On tea\n\n{body}"
    assert titles(text) == ["On bats", long[3:], "On tea"]


def chapter(number: int, title: str, sections: tuple[str, ...]) -> str:
    names = [f"{number}.{i}. {section}" for i, section in enumerate(sections, 1)]
    table = "\n".join(names)
    parts = "".join(f"{name}\n\n{PART}" for name in names)
    return f"Chapter {number}. {title}\n\nContents\n\n{table}\n\n{parts}"


def test_contents_of_chapters_are_contents_too() -> None:
    table = "1. Bats\n1.1. Wings\n1.2. Food\n2. Tea\n2.1. Cups\n2.2. Pots\n"
    chapters = chapter(1, "Bats", ("Wings", "Food")) + chapter(2, "Tea", ("Cups", "Pots"))
    text = f"Contents\n\n{table}\n{chapters}"
    assert titles(text) == ["Bats", "Wings", "Food", "Tea", "Cups", "Pots"]
    assert levels(text) == [1, 2, 2, 1, 2, 2]


def test_the_last_line_of_a_wrapped_entry_may_be_a_title_by_itself() -> None:
    long = "1.1. Of the many ways in which bats find their Food"
    table = f"1. Bats\n  {long[:46]}\n  Food\n2. Tea\n  2.1. Food\n3. Cups\n"
    names = ("1. Bats", long, "2. Tea", "2.1. Food", "3. Cups")
    text = f"Contents\n\n{table}\n" + "".join(f"{name}\n\n{PART}" for name in names)
    assert titles(text) == ["Bats", long[5:], "Tea", "Food", "Cups"]
    assert levels(text) == [1, 2, 1, 2, 1]


def test_contents_of_chapters_alone_list_sections() -> None:
    table = "1.1. Wings\n  1.1.1. Skin\n1.2. Food\n"
    names = ("1.1. Wings", "1.1.1. Skin", "1.2. Food")
    chapters = f"1. Bats\n\nContents\n\n{table}\n" + "".join(f"{n}\n\n{PART}" for n in names)
    assert levels(f"{chapters}2. Tea\n\n{PART}") == [1, 2, 3, 2, 1]


def test_entries_without_a_number_among_numbered_ones_are_sections() -> None:
    names = ("Preface", "1. Bats", "Wings", "Food", "2. Tea", "Cups", "Pots", "3. Moths")
    text = "Contents\n\n" + "\n\n".join(names) + "\n\n"
    text += "".join(f"{name}\n\n{PART}" for name in names)
    assert levels(text) == [1, 1, 2, 2, 1, 2, 2, 1]


def test_contents_with_a_title_that_comes_twice_go_on() -> None:
    names = ("1. Bats", "Food", "Wings", "Caves", "2. Moths", "Food", "Lamps", "Clothes", "3. Tea")
    text = "Contents\n\n" + "\n\n".join(names) + "\n\n" + PART * 9
    text += "".join(f"{name}\n\n{PART}" for name in names)
    assert levels(text) == [1, 2, 2, 2, 1, 2, 2, 2, 1]


def test_nothing_on_the_title_page_is_a_heading() -> None:
    page = "        The Book of Bats\n\nVersion 2\n\nMay 2020\n\nAbstract\n\n" + PART
    table = "1. Bats\n  1.1. Wings\n2. Tea\n  2.1. Cups\n"
    body = "".join(
        f"{title}\n\n{PART}" for title in ("1. Bats", "1.1. Wings", "2. Tea", "2.1. Cups")
    )
    assert titles(f"{page}Contents\n\n{table}\n{body}") == ["Bats", "Wings", "Tea", "Cups"]


def test_items_of_lists_are_not_listed_headings() -> None:
    steps = "1. Open the cave\n\nx\n\n2. Close the cave\n\nx\n\n"
    chapters = f"1. Bats\n\n{PART}{steps}2. Tea\n\n{PART}3. Cups\n\n{PART}"
    text = f"Contents\n\n1. Bats\n2. Tea\n3. Cups\n\n{chapters}"
    assert titles(text) == ["Bats", "Tea", "Cups"]


def test_a_list_of_tables_names_no_headings() -> None:
    tables = "List of Tables\n\n1.1. All bats\n1.2. All moths\n1.3. All teas\n"
    body = "".join(
        f"{number}. {title}\n\n{PART}Table 1.{number}. All {what}\n\n{PART}"
        for number, title, what in [(1, "Bats", "bats"), (2, "Moths", "moths"), (3, "Tea", "teas")]
    )
    text = f"Contents\n\n1. Bats\n2. Moths\n3. Tea\n\n{tables}\n{body}"
    assert titles(text) == ["Bats", "Moths", "Tea"]


NODE = "\x1f\nFile: bats.info,  Node: {},  Up: (dir)\n\n"


def test_the_navigation_of_an_info_file_is_contents() -> None:
    menu = "* Menu:\n\n* Food::     What they\n             eat.\n* Sleep::\n\n"
    text = (
        f"{NODE.format('Top')}Bats\n****\n\n{PART}{menu}"
        f"{NODE.format('Food')}1 Food\n******\n\n{PART}"
        f"{NODE.format('Sleep')}2 Sleep\n*******\n\n{PART}"
        "\x1f\nTag Table:\nNode: Top\x7f10\nNode: Food\x7f20\n\x1f\nEnd Tag Table\n"
    )
    found = blocks_of(text)
    assert [block.heading for block in found if block.kind == "heading"] == [
        "Bats",
        "1 Food",
        "2 Sleep",
    ]
    prose = " ".join(text[block.start : block.end] for block in found if block.is_prose)
    assert "Node" not in prose
    assert "eat" not in prose.replace("heat", "")


@pytest.mark.parametrize(
    "line",
    ["On bats\n", "On bats\n\n", "1. On bats ... 3\n", "1. On bats that are quite far from here\n",
     "* Menu:\n", "File: x,  Node: y\n", "Contents\n\n1. On bats\n\n"],
)  # fmt: skip
def test_much_of_the_same_takes_linear_time(line: str) -> None:
    assert takes_linear_time(lambda size: find_contents(scan_lines(line * size), ENGLISH), 300)


def test_a_list_of_examples_names_no_headings() -> None:
    names = ("1. Bats", "1.1. Food", "2. Tea")
    examples = tuple(f"Example 1.{n}. A {what}" for n, what in enumerate(("cup", "moth", "pot"), 1))
    parts = [f"{name}\n\n{PART}" for name in names]
    parts.insert(1, "".join(f"{example}\n\n{PART}" for example in examples))
    tables = "\n".join(names) + "\n\nList of Examples\n\n" + "\n".join(examples)
    assert titles(f"Contents\n\n{tables}\n\n{''.join(parts)}") == ["Bats", "Food", "Tea"]


def test_commands_that_are_explained_below_are_not_contents() -> None:
    commands = [f"::bats::{name} ?-by day? cave" for name in ("hunt", "sleep", "hear", "leave")]
    meanings = "".join(f"   {name}\n          {BODY}\n\n" for name in commands)
    page = "SYNOPSIS\n" + "".join(f"   {name}\n\n" for name in commands)
    assert contents(f"{page}DESCRIPTION\n   {BODY}\n\n{meanings}") == ([], [])


def test_contents_of_web_pages_have_other_bullets_at_each_level() -> None:
    names = ["Bats", "Wings of bats", "Ears of bats", "Tea", "Cups for tea", "Pots for tea"]
    depths = [0, 1, 1, 0, 1, 1]
    for outer, inner in ("*o", "○□"):
        bullets = (f"  {outer}", f"      {inner}")
        entries = [f"{bullets[d]} {name}" for name, d in zip(names, depths, strict=True)]
        text = "\n".join(entries) + "\n\n" + "".join(f"{name}\n\n{PART}" for name in names)
        assert titles(f"Topics of this page:\n\n{text}") == names
        assert levels(text) == [1, 2, 2, 1, 2, 2]
