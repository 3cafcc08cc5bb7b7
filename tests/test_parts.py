"""The outline as a value: cut at a depth, walked, shown."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from docbats import Entry, Outline, SettingsError


def entry(title: str, first: int, end: int, *children: Entry) -> Entry:
    return Entry(title, 10 * first, 10 * end, (first, end), children)


OUTLINE = Outline(
    [
        entry("A", 0, 6, entry("B", 0, 2), entry("C", 2, 6, entry("D", 2, 4), entry("E", 4, 6))),
        entry("F", 6, 8),
    ]
)


@pytest.mark.parametrize(
    ("depth", "expected"),
    [(1, "1 A\n2 F"), (2, "1 A\n  1.1 B\n  1.2 C\n2 F"), (3, str(OUTLINE)), (9, str(OUTLINE))],
)
def test_it_is_cut_at_a_depth(depth: int, expected: str) -> None:
    cut = OUTLINE(depth=depth)
    assert str(cut) == expected
    assert cut.depth == min(depth, 3)
    assert OUTLINE.depth == 3  # and stays what it is


def test_none_is_all() -> None:
    assert OUTLINE() is OUTLINE
    assert OUTLINE(None) is OUTLINE


@pytest.mark.parametrize("depth", [0, -1, 1.5, "2", True])
def test_a_wrong_depth_is_refused(depth: Any) -> None:
    with pytest.raises(SettingsError, match="depth must be a whole number, at least 1, or None"):
        OUTLINE(depth)


def test_it_is_walked_and_has_leaves() -> None:
    assert [(numbers, found.title) for numbers, found in OUTLINE.walk()] == [
        ((1,), "A"),
        ((1, 1), "B"),
        ((1, 2), "C"),
        ((1, 2, 1), "D"),
        ((1, 2, 2), "E"),
        ((2,), "F"),
    ]
    assert [leaf.title for leaf in OUTLINE.leaves] == ["B", "D", "E", "F"]


def test_it_is_a_tuple_that_shows_its_size_and_survives_pickling() -> None:
    assert isinstance(OUTLINE, tuple)
    assert repr(OUTLINE) == "<Outline: entries 2, levels 3, leaves 4>"
    copied = pickle.loads(pickle.dumps(OUTLINE))
    assert copied == OUTLINE
    assert isinstance(copied, Outline)
    assert (Outline().depth, Outline().leaves, str(Outline())) == (0, (), "")


def test_it_becomes_json_ready_values() -> None:
    assert [value["title"] for value in OUTLINE.to_list()] == ["A", "F"]
    assert OUTLINE(1).to_list()[0]["children"] == []
