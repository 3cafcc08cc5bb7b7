"""Chunks of a size and segments by topic, by the same arguments."""

from __future__ import annotations

from typing import Any

import pytest

import docbats
from docbats.errors import SettingsError
from docbats.integrations.splitting import make_splitter

TEXT = "# Bats\n\nThey fly at night. They hear.\n\n# Food\n\nThey eat moths. They drink water.\n"


def test_a_size_alone_makes_chunks() -> None:
    splitter = make_splitter("sharp", {"context": "headings"}, chunk_size=50)
    found = splitter.chunks(TEXT, strip=True)
    assert list(found) == docbats.chunk(TEXT, 50, context="headings")
    assert "".join(each.text for each in splitter.chunks(TEXT, strip=False)) == TEXT


@pytest.mark.parametrize(("settings", "k"), [({}, 2), ({"min_size": 5}, "auto")])
def test_k_or_settings_make_segments_within_the_size(settings: dict[str, Any], k: Any) -> None:
    text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    found = make_splitter("sharp", settings, k=k, chunk_size=40).chunks(text, strip=True)
    assert all("strength" in each.values() for each in found)
    assert max(len(each.text) for each in found) <= 40


def test_parents_consist_of_whole_chunks() -> None:
    splitter = make_splitter("sharp", {}, chunk_size=40, parent_size=90)
    nodes = splitter.tree(TEXT, strip=True)
    for i, node in enumerate(nodes):
        for child in node.children:
            assert nodes[child].parent == i
            assert node.chunk.start <= nodes[child].chunk.start
            assert nodes[child].chunk.end <= node.chunk.end
        assert len(node.chunk.text) <= 90


@pytest.mark.parametrize(
    ("settings", "sizes", "message"),
    [
        ({"context": "headings"}, {}, "context goes with chunk_size alone"),
        ({"titles": True, "min_size": 3}, {"chunk_size": 9}, "titles goes with chunk_size alone"),
        ({}, {"parent_size": 9}, "parent_size goes with chunk_size alone"),
        ({}, {"chunk_size": 9, "k": 2, "chunk_overlap": 20}, "overlap"),
    ],
)
def test_what_does_not_go_together(
    settings: dict[str, object], sizes: dict[str, int], message: str
) -> None:
    with pytest.raises(SettingsError, match=message):
        make_splitter("sharp", settings, **sizes)  # type: ignore[arg-type]


def test_a_parent_is_no_smaller_than_its_chunks() -> None:
    with pytest.raises(SettingsError, match="parent_size must be at least chunk_size"):
        make_splitter("sharp", {}, chunk_size=40, parent_size=20).tree(TEXT, strip=True)
