"""Themes of a corpus: topics of different documents that share their words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.corpus.output.document_rows import RowSummary

__all__ = ["Theme", "Themes"]

_MIN_LIKENESS = 0.3  # cosine from which a topic joins a theme; with less, themes are vaguer
_MAX_THEMES = 3000  # under way; beyond that those of a single document are dropped
_MAX_LISTED = 12  # documents of a theme that are named
_WIDESPREAD = 0.2  # share of the themes that have a word, beyond which it tells nothing


@dataclass(eq=False)
class Theme:
    """Topics with common words: how often each word occurs, and the documents that have them."""

    words: Counter[str] = field(default_factory=Counter)
    documents: int = 0
    listed: list[RowSummary] = field(default_factory=list)

    @property
    def name(self) -> tuple[str, ...]:
        """Its commonest words."""
        return tuple(w for w, _ in sorted(self.words.items(), key=lambda i: (-i[1], i[0]))[:8])


class Themes:
    """Gathers the topics of documents, one document after another, into themes."""

    def __init__(self) -> None:
        self._themes: list[Theme] = []
        self._with_word: dict[
            str, set[int]
        ] = {}  # from a word to the places of themes that have it

    def add(self, row: RowSummary) -> None:
        """Let each topic of a document join the theme that is most like it, or begin another."""
        joined: set[int] = set()
        for topic in row.words:
            if not topic:
                continue
            place = self._most_similar(topic)
            if place is None:
                place = len(self._themes)
                self._themes.append(Theme())
            theme = self._themes[place]
            theme.words.update(topic)
            for word in topic:
                self._with_word.setdefault(word, set()).add(place)
            if place not in joined:
                joined.add(place)
                theme.documents += 1
                if len(theme.listed) < _MAX_LISTED:
                    theme.listed.append(row)
        if len(self._themes) > _MAX_THEMES:
            self._drop_rare()

    def largest(self, number: int) -> list[Theme]:
        """Return the themes of most documents, at least two each."""
        shared = [theme for theme in self._themes if theme.documents > 1]
        return sorted(shared, key=lambda theme: (-theme.documents, theme.name))[:number]

    def _most_similar(self, topic: Sequence[str]) -> int | None:
        most = max(3.0, _WIDESPREAD * len(self._themes))
        near: set[int] = set()
        for word in topic:
            places = self._with_word.get(word, set())
            if len(places) <= most:
                near |= places
        best = max(near, key=lambda place: (self._likeness(place, topic), -place), default=None)
        if best is None or self._likeness(best, topic) < _MIN_LIKENESS:
            return None
        return best

    def _likeness(self, place: int, topic: Sequence[str]) -> float:
        words = self._themes[place].words
        norm = sqrt(sum(count * count for count in words.values()) * len(topic))
        return sum(words[word] for word in topic) / norm

    def _drop_rare(self) -> None:
        self._themes = [theme for theme in self._themes if theme.documents > 1]
        self._with_word = {}
        for place, theme in enumerate(self._themes):
            for word in theme.words:
                self._with_word.setdefault(word, set()).add(place)
