"""Themes: topics of different documents about the same."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest import mock

from hypothesis import given, settings
from hypothesis import strategies as st

from docbats.corpus import themes as module
from docbats.corpus.themes import Theme, Themes

BATS = ("bats", "moths", "night", "echo", "wings")
TEA = ("tea", "water", "cup", "leaves", "hot")


def _row(name: str, *topics: tuple[str, ...]) -> Any:
    return SimpleNamespace(id=name, words=topics)


def _find(rows: list[Any], number: int = 10) -> list[Theme]:
    themes = Themes()
    for row in rows:
        themes.add(row)
    return themes.find(number)


def test_topics_with_common_words_are_one_theme() -> None:
    found = _find(
        [
            _row("a", BATS, TEA),
            _row("b", ("bats", "echo", "cave", "moths", "dusk")),
            _row("c", ("tea", "hot", "pot", "milk", "cup"), ("ships", "sails", "harbour")),
        ]
    )
    assert [theme.documents for theme in found] == [2, 2]
    assert [theme.name[0] for theme in found] == ["bats", "tea"]
    assert [sorted(row.id for row in theme.listed) for theme in found] == [["a", "b"], ["a", "c"]]


def test_topics_without_a_common_word_meet_through_other_documents() -> None:
    dusk, cave, cup = ("dusk", "owls"), ("cave", "bones"), ("cup", "pot")
    rows = [_row(f"{i}", (*dusk, *cave)) for i in range(4)]
    rows += [_row(f"tea{i}", cup) for i in range(4)]
    rows += [_row("one", dusk), _row("other", cave)]
    by_word = {theme.name[0]: theme for theme in _find(rows, 2)}
    assert by_word["cup"].documents == 4
    (night,) = (theme for name, theme in by_word.items() if name != "cup")
    assert {"one", "other"} <= {row.id for row in night.listed}


def test_a_document_counts_once_and_lone_topics_are_no_theme() -> None:
    assert _find([]) == []
    assert _find([_row("a", BATS, BATS, TEA)]) == []
    (theme,) = _find([_row("a", BATS, BATS, TEA), _row("b", BATS)])
    assert theme.documents == 2
    assert set(theme.name) == set(BATS)


def test_of_very_many_documents_some_are_drawn() -> None:
    with mock.patch.object(module, "_MAX_DOCUMENTS", 40):
        themes = Themes()
        for i in range(1000):
            themes.add(_row(str(i), BATS if i % 2 else TEA))
        assert (themes.seen, themes.looked_at) == (1000, 40)
        found = themes.find(10)
    assert sum(theme.documents for theme in found) == 40
    assert {theme.name[0] for theme in found} == {"bats", "tea"}
    assert max(int(row.id) for theme in found for row in theme.listed) >= 40


WORDS = st.sampled_from([*BATS, *TEA, "a", "b", "c", "the"])
TOPICS = st.lists(WORDS, max_size=6, unique=True).map(tuple)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(TOPICS, max_size=4).map(tuple), max_size=12), st.integers(1, 6))
def test_any_topics(documents: list[tuple[tuple[str, ...], ...]], number: int) -> None:
    rows = [_row(str(i), *topics) for i, topics in enumerate(documents)]
    found = _find(rows, number)
    assert found == _find(rows, number)
    assert len(found) <= max(2, number)
    for theme in found:
        assert theme.documents >= len(theme.listed) >= 2
        assert len({row.id for row in theme.listed}) == len(theme.listed)
        words = {word for row in theme.listed for topic in row.words for word in topic}
        assert words & set(theme.name)
