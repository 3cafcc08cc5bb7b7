"""Themes: topics of different documents, gathered by their words."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from docbats.corpus.output.themes import Themes

BATS = ("bats", "moths", "night", "echo", "wings")
TEA = ("tea", "water", "cup", "leaves", "hot")


def _row(name: str, *topics: tuple[str, ...]) -> Any:
    return SimpleNamespace(id=name, words=topics)


def test_topics_with_common_words_are_one_theme() -> None:
    themes = Themes()
    themes.add(_row("a", BATS, TEA))
    themes.add(_row("b", ("bats", "echo", "cave", "moths", "dusk")))
    themes.add(_row("c", ("tea", "hot", "pot", "milk", "cup"), ("ships", "sails", "harbour")))
    found = themes.largest(10)
    assert [theme.documents for theme in found] == [2, 2]
    assert [theme.name[0] for theme in found] == ["bats", "cup"]
    assert [[row.id for row in theme.listed] for theme in found] == [["a", "b"], ["a", "c"]]


def test_a_document_counts_once_and_lone_topics_are_no_theme() -> None:
    themes = Themes()
    themes.add(_row("a", BATS, BATS, TEA))
    assert themes.largest(10) == []
    themes.add(_row("b", BATS))
    (theme,) = themes.largest(10)
    assert theme.documents == 2
    assert set(theme.name) <= set(BATS)


def test_many_lone_themes_are_dropped_and_others_stay() -> None:
    themes = Themes()
    themes.add(_row("a", BATS))
    themes.add(_row("b", BATS))
    for i in range(3500):
        themes.add(_row(str(i), (f"x{i}", f"y{i}")))
    themes.add(_row("c", BATS))
    assert [theme.documents for theme in themes.largest(5)] == [3]
