"""Paragraphs of plain text."""

from __future__ import annotations

import re
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats.readers.markdown import PARAGRAPH

BY_CHARACTER = re.compile(r"\S(?:[^\n]|\n(?!\s*\n))*")


@given(st.text("ab \t\r\n\x0b\x85\xa0\u2028"))
def test_paragraphs_are_those_found_by_single_characters(text: str) -> None:
    found = [match.span() for match in PARAGRAPH.finditer(text)]
    assert found == [match.span() for match in BY_CHARACTER.finditer(text)]


@pytest.mark.parametrize("text", ["Bats fly at night. " * 20_000, "Bats fly.\n" * 40_000])
def test_a_long_paragraph_takes_little_memory(text: str) -> None:
    tracemalloc.start()
    try:
        assert [match.span() for match in PARAGRAPH.finditer(text)] == [(0, len(text))]
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < len(text)
