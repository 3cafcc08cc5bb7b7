"""A cache of facts about words, such as their stems, which documents share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

__all__ = ["WordCache"]

_Fact = TypeVar("_Fact")
_MAX_CHARACTERS = 1 << 18  # of all cached words, some forty thousand: more only take memory


class WordCache(Generic[_Fact]):
    """A function from words to a fact about each, with a cache of the facts.

    The function must look at each word by itself, so that an answer never depends on what was asked
    before. The cache is bounded, and threads may share it.
    """

    def __init__(self, function: Callable[[list[str]], Iterable[_Fact]]) -> None:
        self._function = function
        self._facts: dict[str, _Fact] = {}
        self._size = 0

    def __call__(self, words: Sequence[str]) -> list[_Fact]:
        """Return the fact about each word."""
        facts = self._facts
        try:
            return [facts[word] for word in words]
        except KeyError:
            new = [word for word in words if word not in facts]
        facts.update(zip(new, self._function(new), strict=True))
        self._size += sum(map(len, new))
        # Others may be reading the facts: let go of them rather than clear them.
        if self._size > _MAX_CHARACTERS:
            self._facts, self._size = {}, 0
        return [facts[word] for word in words]
