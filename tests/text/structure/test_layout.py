"""Tables, code, quotations, lists, contents and sources: the limits of what is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.text.structure.sample_text import BODY, ENGLISH, OTHER

from docbats.text.structure import find_structure

if TYPE_CHECKING:
    from docbats.blocks import Block


def blocks(text: str) -> list[Block]:
    return list(find_structure(text, ENGLISH).blocks)


def inside(text: str) -> list[tuple[str, str]]:
    """Put a piece between paragraphs; return the kinds and the texts of what lies there."""
    whole = f"{BODY} {OTHER}\n\n{text}\n\n{OTHER} {BODY}"
    found: list[tuple[str, str]] = [
        (block.kind, whole[block.start : block.end]) for block in blocks(whole)
    ]
    assert found[0] == ("paragraph", f"{BODY} {OTHER}")
    assert found[-1] == ("paragraph", f"{OTHER} {BODY}")
    return found[1:-1]


def prose(text: str) -> str:
    return find_structure(text, ENGLISH).prose(text)


TABLES = [
    "|bats|\n|tea|\n|cup|",
    "bats |\ntea |\ncup |",
    "+----+\n| a  |\n+----+",
    "== ==\n-- --\n== ==",
    "Bats    12\nMoths    9\nTea      3",  # both end at one place
    "Bats  12\nMice  9 old\nTeas  3",  # all begin at one place
    "    Bats  12\n    Mice  9 old\n    Teas  3",
    "a\tb\nc\td\ne\tf",
]


@pytest.mark.parametrize("table", TABLES)
def test_three_rows_with_columns_are_a_table(table: str) -> None:
    assert inside(table) == [("table", table.strip())]
    two = "\n".join(table.split("\n")[:2])
    assert "table" not in [kind for kind, _ in inside(two)]
    apart = table.replace("\n", "\n\n")
    assert "table" not in [kind for kind, _ in inside(apart)]


@pytest.mark.parametrize(
    "rows",
    [
        "a|b\nc|d\ne|f",
        "Bats   12\nMoths     9\nTea 3",
        "a\tb\nc\td\te\ne\tf",
        "Bats.  They\nMice.  They\nTeas.  They",
        "+ a\n+ b\n- c c",
        "+ +\n- -\n= =",
        "--x\n--x\n--x",
        "-- a --\n-- b --\n-- c --",
    ],
)
def test_rows_without_columns_are_none(rows: str) -> None:
    assert "table" not in [kind for kind, _ in inside(rows)]


def test_a_table_ends_where_its_columns_do() -> None:
    text = "a | b\nc | d\ne | f\nThat was it.\ng\th\ni\tj\nk\tl"
    assert inside(text) == [
        ("table", "a | b\nc | d\ne | f"),
        ("paragraph", "That was it."),
        ("table", "g\th\ni\tj\nk\tl"),
    ]


CODE = ["    moth = bat[1]", "    eat moth()\n    go home", "    $ eat\n\n    # go", "    x -> y"]


@pytest.mark.parametrize("code", CODE)
def test_indented_lines_with_signs_are_code(code: str) -> None:
    assert {kind for kind, _ in inside(code)} == {"code"}
    shallow = code.replace("    ", "   ")
    assert "code" not in [kind for kind, _ in inside(shallow)]


@pytest.mark.parametrize(
    "text",
    [
        "    eat moth()\n    go home\n    sleep",  # one of three
        "    He (my uncle) went to see the bats in their cave",
        "    eat the moth",
        "    eat moth()\n go home",
        "    A value of MOTH_SIZE or more makes eat() fail, as $bat does.",
    ],
)
def test_other_indented_lines_are_not(text: str) -> None:
    assert "code" not in [kind for kind, _ in inside(text)]


def test_code_is_indented_further_than_the_rest() -> None:
    deep = "\n\n".join(f"    {part}" for part in (BODY, OTHER, "moth = bat[1]", BODY, OTHER))
    assert "code" not in [block.kind for block in blocks(deep)]


def test_quotations_have_marks_before_their_lines() -> None:
    text = "He said:\n> Bats fly.\n>> Moths\n> fall.\nShe did not."
    assert inside(text) == [
        ("paragraph", "He said:"),
        ("quote", "> Bats fly.\n>> Moths\n> fall."),
        ("paragraph", "She did not."),
    ]
    whole = f"{BODY}\n\n{text}\n\n{OTHER}"
    assert ">" not in prose(whole)
    assert prose(whole).split() == whole.replace(">", "").split()
    assert [kind for kind, _ in inside(">>> eat()\n>>> go()")] == ["paragraph"]


def test_where_most_lines_have_marks_they_are_none_of_quotations() -> None:
    assert "quote" in [block.kind for block in blocks(f"{BODY}\n\n> {OTHER}")]
    assert "quote" not in [block.kind for block in blocks(f"{BODY}\n\n> {OTHER}\n\n> {BODY}")]


def items(text: str) -> list[tuple[int | None, str]]:
    return [(b.level, text[b.start : b.end]) for b in blocks(text) if b.kind == "list_item"]


def around(text: str) -> str:
    return f"{BODY}\n\n{text}\n\n{OTHER}"


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("- a\n- b", [1, 1]),
        ("- a\n - b\n- c", [1, 1, 1]),  # one blank is nothing
        ("- a\n  - b\n  - c\n- d", [1, 2, 2, 1]),
        ("1. a\n2. b", [1, 1]),
        ("0. a\n1. b", [1, 1]),
        ("1. a\na) b\nb) c\n2. d", [1, 2, 2, 1]),  # nested without an indent
        ("1. a\n- b\n- c\n2. d", [1, 2, 2, 1]),
        ("1. a\n2. b\n1. c\n2. d", [1, 1, 1, 1]),
        ("(a) x\n(b) y", [1, 1]),
        ("999. a\n1. b\n2. c", [1, 1]),
        ("- a\n* b\n* c\n- d", [1, 2, 2, 1]),
    ],
)
def test_lists_in_lists(text: str, levels: list[int]) -> None:
    assert [level for level, _ in items(around(text))] == levels


@pytest.mark.parametrize(
    "text", ["1. a\n3. b", "2. a\n3. b", "a) a\nc) b", "- a", "1. a\n2) b", "-a\n-b", "A) a\nB) b"]
)
def test_rows_that_are_no_lists(text: str) -> None:
    assert items(around(text)) == []


def test_a_list_goes_on_after_a_paragraph() -> None:
    text = around(f"1. a\n2. b\n\n{OTHER}\n\n3. c\n4. d")
    assert [part for _, part in items(text)] == ["1. a", "2. b", "3. c", "4. d"]
    text = around(f"1. a\n2. b\n\n{OTHER}\n\n4. c\n5. d")
    assert [part for _, part in items(text)] == ["1. a", "2. b"]


def test_what_is_set_in_belongs_to_an_item() -> None:
    text = around("- a\n\n  This is more.\n\n- b\n\nThis is not.")
    assert [part for _, part in items(text)] == ["- a", "This is more.", "- b"]
    text = around("- a\n\n This is not.\n\n- b\n- c")
    assert [part for _, part in items(text)] == ["- b", "- c"]


def test_code_does_not_end_a_list() -> None:
    text = around("1. a\n\n        x = f(y)\n\n2. b")
    assert [part for _, part in items(text)] == ["1. a", "2. b"]
    assert "code" in [block.kind for block in blocks(text)]


def test_long_numbered_pieces_are_no_list_and_long_ones_with_bullets_are() -> None:
    long = f"{BODY} {OTHER} {BODY} {OTHER}"
    assert len(long) > 300
    assert items(around(f"1. {long}\n\n2. {long}\n\n3. {BODY}")) == []
    assert len(items(around(f"1. {long}\n\n2. {BODY}\n\n3. {BODY}"))) == 3
    assert len(items(around(f"- {long}\n\n- {long}"))) == 2


def test_labels_are_no_prose() -> None:
    text = around("1.  Bats\n2.  Moths\n\n- Tea\n- Cup")
    left = prose(text)
    assert "1" not in left
    assert "-" not in left
    assert left.split() == f"{BODY} Bats Moths Tea Cup {OTHER}".split()


@pytest.mark.parametrize(
    "lines",
    ["Bats ... 3\nTea ... 4\nCup ... 5", "Bats … 3\nTea … 4\nCup … iv",
     "Bats...3\nx\nTea...4\nCup...5", "Bats . . . 3\nTea ___ 12\nCup ··· 13"],
)  # fmt: skip
def test_lines_that_lead_to_pages(lines: str) -> None:
    assert [kind for kind, _ in inside(lines)] == ["contents"]


@pytest.mark.parametrize(
    "lines",
    ["Bats ... 3\nTea ... 4", "Bats .. 3\nTea .. 4\nCup .. 5", "Bats ...\nTea ...\nCup ...",
     "... 3\n... 4\n... 5", "Bats ... 3\nx\ny\nTea ... 4\nx\ny\nCup ... 5"],
)  # fmt: skip
def test_lines_that_do_not(lines: str) -> None:
    assert "contents" not in [kind for kind, _ in inside(lines)]


def test_the_word_over_contents_is_part_of_them() -> None:
    text = f"Contents:\n\nBats ... 3\nTea ... 4\nCup ... 5\n\n{BODY}\n\n{OTHER}"
    found = blocks(text)
    assert (found[0].kind, found[0].title, found[0].level) == ("contents", None, None)
    assert [block.kind for block in found] == ["contents", "contents", "paragraph", "paragraph"]
    text = text.replace("Contents:", "They drink:")
    assert blocks(text)[0].kind == "paragraph"


ENTRIES = "[1] A. Lee. Bats.\n\n[2] B. Ray. Tea.\n\n[3] C. Doe. Cups."


@pytest.mark.parametrize(
    "entries",
    [
        ENTRIES,
        "Lee, A. Bats. 1999.\n\nRay, B. Tea. 2012b.\n\nDoe, C. Cups. 1534.",
        "1. A. Lee. Bats.\n\nB. Ray. Tea. 2012.",
        "IV. Lee\n\n12) Ray",
        "- A. Lee\n- B. Ray",
        f"[1] A. Lee. Bats.\n\n{OTHER}",  # one of two
    ],
)
def test_what_looks_like_sources_under_its_title(entries: str) -> None:
    found = blocks(f"{BODY}\n\n{OTHER}\n\nReferences:\n\n{entries}")
    assert [block.kind for block in found[:3]] == ["paragraph", "paragraph", "heading"]
    assert {block.kind for block in found[3:]} == {"references"}
    assert {block.level for block in found[3:]} == {None}
    assert (found[2].title, found[2].level, found[2].is_certain) == ("References", 1, False)


@pytest.mark.parametrize(
    "entries",
    [f"[1] A. Lee. Bats.\n\n{OTHER}\n\n{BODY}", "Bats. 1499.\n\nTea. 2112.\n\nCups. 19991."],
)
def test_what_does_not(entries: str) -> None:
    found = blocks(f"{BODY}\n\n{OTHER}\n\nReferences\n\n{entries}")
    assert "references" not in [block.kind for block in found]


def test_sources_end_with_the_next_heading() -> None:
    text = f"1. Bats\n\n{BODY}\n\n2. References\n\n{ENTRIES}\n\n3. Tea\n\n{OTHER}"
    assert [block.kind for block in blocks(text)] == [
        "heading", "paragraph", "heading", *["references"] * 3, "heading", "paragraph",
    ]  # fmt: skip
    assert [b.number for b in blocks(text) if b.kind == "heading"] == ["1.", "2.", "3."]


def test_sources_in_a_list_end_with_it() -> None:
    text = (
        f"1. Bats\n\n{BODY}\n\n2. References\n\n- A. Lee\n- B. Ray\n\n{OTHER}\n\n3. Tea\n\n{BODY}"
    )
    assert [block.kind for block in blocks(text)] == [
        "heading", "paragraph", "heading", *["references"] * 2, "paragraph", "heading", "paragraph",
    ]  # fmt: skip


def test_text_under_a_lower_heading_is_not_a_source() -> None:
    text = f"1. References\n\n{ENTRIES}\n\n1.1. Notes\n\n{BODY}\n\n{OTHER}\n\n2. Tea\n\n{BODY}"
    assert [block.kind for block in blocks(text)] == [
        "heading", *["references"] * 3, "heading", *["paragraph"] * 2, "heading", "paragraph",
    ]  # fmt: skip


def test_sources_that_the_contents_do_not_list_are_in_a_chapter() -> None:
    names = ("1. Bats", "1.1. Wings", "1.2. Food", "2. Tea")
    parts = [f"{name}\n\n{BODY}\n\n{OTHER}\n\n" for name in names]
    parts.insert(2, f"References:\n\n{ENTRIES}\n\n")
    text = "Contents\n\n" + "\n".join(names) + "\n\n" + "".join(parts)
    levels = {b.title: b.level for b in blocks(text) if b.kind == "heading"}
    assert levels == {"Bats": 1, "Wings": 2, "References": 3, "Food": 2, "Tea": 1}


@pytest.mark.parametrize(
    "words",
    [
        'Each call of wake() or sleep() (with a time) and each "night" that hear() finds is one.',
        "The word (in brackets) after wake() and before sleep() can be left out, for example:",
    ],
)
def test_words_around_names_of_code_are_prose(words: str) -> None:
    assert inside(f"      {words}") == [("paragraph", words)]
