"""Who speaks in a document, when, and how large their share of the words is."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from docbats.places import clock
from docbats.render.one_line import excerpt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats.blocks import Block
    from docbats.result import Result

_MAX_NAME = 40  # characters; a longer name makes the column beside the text as tall as a turn
_MAX_NAMED = 3  # speakers of a part; if larger, they take more lines than its title


class Turn(NamedTuple):
    """What one speaker says without a break: who it is, and when it begins.

    `speaker` is a number; it is None, and `seconds` is, where the document does not say.
    """

    block: Block
    speaker: int | None
    seconds: float | None
    goes_on: bool  # whether the same speaker had the turn before

    @property
    def time(self) -> str:
        """The time at which it begins, for people; empty if unknown."""
        return "" if self.seconds is None else clock(self.seconds)


class Share(NamedTuple):
    """A speaker's share of the words of a part, in percent; None if nobody says a word."""

    speaker: int
    percent: int | None

    @property
    def shown(self) -> str:
        """The share for people.

        >>> Share(0, 62).shown, Share(1, 0).shown, Share(2, None).shown
        ('62%', '<1%', '')
        """
        return "" if self.percent is None else f"{self.percent}%" if self.percent else "<1%"


@dataclass(frozen=True, eq=False)
class Talk:
    """The turns of a document.

    Attributes
    ----------
    names
        The speakers, those who say most first: a speaker's number is its place here.
    turns
        In the order of the text.
    """

    names: tuple[str, ...]
    turns: tuple[Turn, ...]
    _word_starts: NDArray[np.int64]
    _word_speakers: NDArray[np.int64]  # of each word; the number of speakers if it has none

    @classmethod
    def of(cls, result: Result) -> Talk | None:
        """Return the turns of a document; None if it has no speakers and no times."""
        blocks = [
            block
            for block in result.document.blocks
            if block.kind == "turn" and (block.speaker or block.seconds)
        ]
        if not blocks:
            return None
        first_turns = {block.speaker: i for i, block in reversed([*enumerate(blocks)])}
        tokens = result.analysis.text.tokens
        word_starts = tokens.start[tokens.is_word]
        ends = np.array([block.end for block in blocks])
        turn = np.searchsorted([block.start for block in blocks], word_starts, side="right") - 1
        turn[(turn < 0) | (word_starts >= ends[turn])] = -1
        words = Counter(blocks[i].speaker for i in turn.tolist() if i >= 0)
        names = tuple(
            name
            for name in sorted(first_turns, key=lambda name: (-words[name], first_turns[name]))
            if name
        )
        number = {name: i for i, name in enumerate(names)}
        speakers = [number.get(block.speaker or "", len(names)) for block in blocks]
        word_speakers = np.array([*speakers, len(names)], np.int64)[turn]
        return cls(names, tuple(_turns(blocks, number)), word_starts, word_speakers)

    @cached_property
    def short_names(self) -> tuple[str, ...]:
        """The names, shortened to fit beside the text."""
        return tuple(excerpt(name, _MAX_NAME) or "?" for name in self.names)

    def turn(self, block: Block) -> Turn | None:
        """Return the turn that a block is; None if it is not one."""
        i = bisect_left(self._starts, block.start)
        return self.turns[i] if i < len(self.turns) and self.turns[i].block is block else None

    def words(self, start: int, end: int) -> dict[int, int]:
        """Return how many words each speaker says between two offsets; those who say most first.

        Speakers who only cough or laugh there have 0.
        """
        low, high = np.searchsorted(self._word_starts, [start, end]).tolist()
        counts = np.bincount(self._word_speakers[low:high], minlength=len(self.names))
        first = max(0, bisect_right(self._starts, start) - 1)
        inside = self.turns[first : bisect_left(self._starts, end)]
        found = {turn.speaker for turn in inside if turn.block.end > start} - {None}
        ranked = sorted((-int(counts[i]), i) for i in found if i is not None)
        return {speaker: -words for words, speaker in ranked}

    def shares(self, start: int, end: int) -> list[Share]:
        """Return each speaker's share of what is said between two offsets, the largest first."""
        words = self.words(start, end)
        return [Share(*pair) for pair in zip(words, percents([*words.values()]), strict=True)]

    def begins(self, start: int, end: int) -> str:
        """Return the time of the first turn between two offsets that has one; empty if none has.

        A part that begins within a turn has the time of that turn.
        """
        first = max(0, bisect_right(self._starts, start) - 1)
        turns = self.turns[first : bisect_left(self._starts, end)]
        return next((turn.time for turn in turns if turn.time), "")

    def named(self, start: int, end: int, most: int = _MAX_NAMED) -> str:
        """Return who speaks between two offsets, in a few words; empty if nobody is named."""
        shares = self.shares(start, end)
        most = room_for(len(shares), most)
        shown = [f"{self.short_names[s.speaker]} {s.shown}".rstrip() for s in shares[:most]]
        more = f" and {len(shares) - most} more" if len(shares) > most else ""
        return ", ".join(shown) + more

    @cached_property
    def _starts(self) -> list[int]:
        return [turn.block.start for turn in self.turns]


def room_for(speakers: int, most: int) -> int:
    """Return how many of some speakers to name: one more where that leaves none out.

    >>> room_for(3, 3), room_for(4, 3), room_for(5, 3)
    (3, 4, 3)
    """
    return speakers if speakers == most + 1 else most


def percents(amounts: Sequence[int]) -> list[int] | list[None]:
    """Return the shares of amounts in percent, rounded so that they add up to 100.

    >>> percents([1, 1, 1]), percents([2, 1, 0]), percents([0, 0])
    ([34, 33, 33], [67, 33, 0], [None, None])
    """
    total = sum(amounts)
    if not total:
        return [None] * len(amounts)
    whole = [100 * amount // total for amount in amounts]
    rest = [100 * amount % total for amount in amounts]
    ranked = sorted(range(len(amounts)), key=lambda i: -rest[i])
    for i in ranked[: 100 - sum(whole)]:
        whole[i] += 1
    return whole


def _turns(blocks: Sequence[Block], number: dict[str, int]) -> list[Turn]:
    found: list[Turn] = []
    last: Block | None = None
    for block in blocks:
        goes_on = last is not None and last.speaker == block.speaker and bool(block.speaker)
        # What belongs to the turn before, such as its second paragraph, has the same times.
        is_later = last is None or last.seconds != block.seconds
        seconds = block.seconds[0] if block.seconds is not None and is_later else None
        found.append(Turn(block, number.get(block.speaker or ""), seconds, goes_on))
        last = block
    return found
