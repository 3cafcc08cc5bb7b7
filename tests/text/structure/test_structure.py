"""The blocks of any text, be it hostile, hold all of it."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.matrices import slow_except
from tests.text.structure.sample_text import ENGLISH, OTHER, PARAGRAPH, kinds

from docbats.blocks import check_blocks
from docbats.text.structure import find_structure

HOSTILE = {
    "dashes": "-" * 10**6,
    "dash lines": "-\n" * 200_000,
    "dashes and a letter": "-" * 10**5 + "x\n\n" + "=-" * 10**5 + "x",
    "blank lines": "Bats.\n" + "\n" * 10**6 + "Tea.",
    "numbers": "1." * 500_000,
    "number lines": "1.\n" * 100_000,
    "one line": "bats " * 200_000,
    "leaders": "".join(f"Bats {'.' * 40} {i}\n" for i in range(500)),
    "dots": "." * 10**6 + " 3\n" + ". " * 500_000 + "4",
    "headings": "".join(f"{i}. Bats\n\n{PARAGRAPH}\n\n" for i in range(1, 10_001)),
    "only headings": "".join(f"Heading {i}\n\n" for i in range(10_000)),
    "underlined": f"Bats\n====\n{PARAGRAPH}\n\n" * 10_000,
    "turns": "ANNA: yes\nBOB: no\n" * 20_000,
    "nested": "".join(f"{' ' * i}- bats\n{' ' * i}- moths\n" for i in range(500)),
    "table": "bats | moths | tea\n" * 50_000,
    "columns": "a  " * 300_000 + "\n" + "b  " * 300_000,
    "brackets": "[" * 10**6,
    "colons": "A:" * 500_000,
}


TELLING = ["dashes", "blank lines", "leaders", "nested", "table", "turns", "underlined"]


@pytest.mark.parametrize("name", slow_except(TELLING, HOSTILE))
def test_hostile_text_has_blocks_that_fit(name: str) -> None:
    text = HOSTILE[name]
    found = find_structure(text, ENGLISH)
    check_blocks(found.blocks, len(text))
    assert len(found.prose(text)) == len(text)


def test_hostile_structure_is_seen() -> None:
    seen = {name: Counter(kinds(HOSTILE[name])) for name in ("headings", "leaders", "turns")}
    assert seen["headings"] == {"heading": 10_000, "paragraph": 10_000}
    assert seen["leaders"] == {"contents": 1}
    assert seen["turns"] == {"turn": 40_000}


LINES = st.sampled_from(
    [
        *("", "", "  ", "1. Bats", "2. Moths", "- a", "  * b", "> q", "ANNA: Hi.", "BOB: No. Yes."),
        *("[0:01] x", "====", "----", "Bats", "BATS", "a | b", "a   b", "\tx = f(y);", "x .... 3"),
        *("References", "[1] Lee 2001.", PARAGRAPH, OTHER, "\f", "Chapter 1", "§ 3", ":", "\x00"),
    ]
)


@given(st.lists(LINES, max_size=30).map("\n".join) | st.text(max_size=200))
def test_blocks_hold_all_that_is_visible(text: str) -> None:
    found = find_structure(text, ENGLISH)
    check_blocks(found.blocks, len(text))
    prose = found.prose(text)
    assert len(prose) == len(text)
    assert all(text[i] == "\n" for i, sign in enumerate(prose) if sign == "\n")
    if found.blocks:
        inside = "".join(text[block.start : block.end] for block in found.blocks)
        assert "".join(inside.split()) == "".join(text.split())
        assert all(text[b.start : b.end].strip() == text[b.start : b.end] for b in found.blocks)
