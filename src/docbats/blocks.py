"""Blocks: the headings, paragraphs, lists, code, tables and turns that a document is built of.

An index tells which headings are over each place of a text, and which title a segment.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, Literal, get_args

from docbats.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from docbats.document import Document
    from docbats.parts import TitleSource

BlockKind = Literal[
    "heading",
    "paragraph",
    "list_item",
    "quote",
    "turn",
    "code",
    "table",
    "contents",
    "references",
]
BLOCK_KINDS: tuple[str, ...] = get_args(BlockKind)
_VISIBLE = re.compile(r"[^\r\n]")
_NON_PROSE = frozenset({"code", "table", "contents", "references"})


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a document, ``text[start:end]``, as its author built it.

    Attributes
    ----------
    kind
        ``"heading"``; ``"paragraph"``, ``"list_item"``, ``"quote"`` or ``"turn"`` of a speaker;
        or one that is not prose: ``"code"``, ``"table"``, ``"contents"``, which includes
        navigation, and ``"references"``.
    start, end
        Half-open character offsets, which include marks such as Markdown's.
    level
        Of a heading, from 1, the highest; of a list item, the depth of its list.
    number
        Of a heading, as written: "3.2", "Chapter 4", "IV."; None if it has none.
    title
        Of a heading, its text without number and marks.
    written
        Of a heading with a number, all of its text without marks, as in "Appendix A: Tea".
    is_certain
        Whether the file says that this is a heading, rather than its look.
    speaker
        Of a turn, the name of the speaker.
    seconds
        Of a turn, its start and end in the recording.
    """

    kind: BlockKind
    start: int
    end: int
    level: int | None = None
    number: str | None = None
    title: str | None = None
    is_certain: bool = True
    speaker: str | None = None
    seconds: tuple[float, float] | None = None
    written: str | None = None

    @property
    def is_prose(self) -> bool:
        """Whether its words say what the document is about."""
        return self.kind not in _NON_PROSE

    @property
    def heading(self) -> str:
        """The heading as its author wrote it, with its number."""
        return self.written or " ".join(filter(None, [self.number, self.title]))

    def to_dict(self) -> dict[str, Any]:
        """Return what is known of the block as JSON-ready values."""
        values = {
            "kind": self.kind,
            "start": self.start,
            "end": self.end,
            "level": self.level,
            "number": self.number,
            "title": self.title,
            "speaker": self.speaker,
            "seconds": None if self.seconds is None else list(self.seconds),
        }
        return {name: value for name, value in values.items() if value is not None}


def check_blocks(blocks: tuple[Block, ...], length: int) -> None:
    """Refuse blocks that overlap, run backwards or exceed a text of this length."""
    end = 0
    for block in blocks:
        if block.kind not in BLOCK_KINDS:
            msg = f"the kind of a block must be one of {', '.join(BLOCK_KINDS)}, got {block.kind!r}"
            raise InputError(msg)
        if not end <= block.start <= block.end <= length:
            msg = (
                f"blocks must lie in order, within 0 and {length}, and not overlap, "
                f"got one from {block.start} to {block.end} after {end}"
            )
            raise InputError(msg)
        end = block.end


def non_prose_spans(blocks: Iterable[Block]) -> list[tuple[int, int]]:
    """Return the spans of the blocks that are not prose.

    A document without prose has nothing but its tables and lists, so only code is left out.
    """
    blocks = list(blocks)
    has_prose = any(block.is_prose and block.kind != "heading" for block in blocks)
    return [
        (block.start, block.end)
        for block in blocks
        if block.kind == "code" or (has_prose and not block.is_prose)
    ]


def blank(text: str, spans: Iterable[tuple[int, int]], *, with_line_ends: bool = False) -> str:
    r"""Return the text with spaces in these spans; line ends stay unless asked for.

    >>> blank("bats\nand tea", [(2, 8), (3, 4)])
    'ba  \n    tea'
    """
    parts, done = [], 0
    for start, end in sorted(spans):
        if end <= done:
            continue
        first = max(start, done)
        blanks = " " * (end - first) if with_line_ends else _VISIBLE.sub(" ", text[first:end])
        parts += [text[done:first], blanks]
        done = end
    return "".join([*parts, text[done:]])


MIN_TOP_HEADINGS = 3
"""How many headings of one level it takes for them to divide a text."""


@dataclass(frozen=True)
class HeadingTitle:
    """What the author's headings say about a segment.

    Attributes
    ----------
    title
        The heading that it begins with; None if it begins with none.
    path
        The headings above it, highest first, and its own.
    source
        Whether its title is a ``"heading"``, or that of the ``"document"``, over what comes before
        the first part.
    """

    title: str | None = None
    path: tuple[str, ...] = ()
    source: TitleSource = "heading"


def _heading_runs(blocks: Sequence[Block]) -> list[int]:
    """Return a number for each heading that is the same for those right after each other."""
    is_heading = [False, *(block.kind == "heading" for block in blocks)]
    runs = accumulate(now and not before for before, now in pairwise(is_heading))
    return [run for run, now in zip(runs, is_heading[1:], strict=True) if now]


class HeadingIndex:
    """The headings of a text, each below the last one before it that has a higher level.

    Make one with :meth:`of`, or from the start, the level and the title of each heading.

    Examples
    --------
    >>> headings = HeadingIndex([(0, 1, "Bats"), (9, 2, "Wings"), (20, 3, "Bones"), (30, 2, "Tea")])
    >>> headings.path_at(40)
    ('Bats', 'Tea')
    >>> headings.path_above(20)
    ('Bats', 'Wings')
    """

    def __init__(self, headings: Iterable[tuple[int, int, str]]) -> None:
        self.starts: list[int] = []
        self.levels: list[int] = []
        self.titles: list[str] = []
        self._parents: list[int | None] = []
        self._text = ""
        # Which headings follow each other with nothing between them, or nothing but contents.
        self._runs: list[int] = []
        self._loose_runs: list[int] = self._runs
        open_: list[int] = []  # the headings over the current place
        for i, (start, level, title) in enumerate(headings):
            while open_ and self.levels[open_[-1]] >= level:
                open_.pop()
            self._parents.append(open_[-1] if open_ else None)
            self.starts.append(start)
            self.levels.append(level)
            self.titles.append(title)
            self._runs.append(i)
            open_.append(i)

    @classmethod
    def of(cls, document: Document) -> HeadingIndex:
        """Index the headings of a document; those without text do not count."""
        blocks = [block for block in document.blocks if block.kind != "heading" or block.heading]
        headings = (block for block in blocks if block.kind == "heading")
        index = cls((block.start, block.level or 1, block.heading) for block in headings)
        index._text = document.text
        index._runs = _heading_runs(blocks)
        index._loose_runs = _heading_runs([b for b in blocks if b.kind != "contents"])
        return index

    def path_at(self, start: int) -> tuple[str, ...]:
        """Return the headings over a stretch of text, with the one that it begins with."""
        return self._path(bisect_right(self.starts, start) - 1)

    def path_above(self, start: int) -> tuple[str, ...]:
        """Return the headings over a stretch of text, without those that it begins with."""
        i = bisect_left(self.starts, start)
        if i < len(self.starts) and self.starts[i] == start:
            return self._path(self._parents[i])
        return self._path(i - 1)

    def between(self, start: int, end: int) -> tuple[str, ...]:
        """Return the headings that begin in a stretch of text."""
        low, high = bisect_left(self.starts, start), bisect_left(self.starts, end)
        return tuple(self.titles[low:high])

    @cached_property
    def document_title(self) -> str | None:
        """The only title of the highest level; None if there are several or none."""
        tops = {t for t, parent in zip(self.titles, self._parents, strict=True) if parent is None}
        return tops.pop() if len(tops) == 1 else None

    def segment_title(self, start: int) -> HeadingTitle:
        """Return what the headings say about a segment that begins at this character.

        If it begins with several headings, its title is the first of the highest level that
        divides the text: not the title of the whole document, if the first section follows. A lower
        one right under that title is its subtitle.
        """
        i = self.title_index(start)
        if i is not None:
            title, is_part = self.titles[i], self.levels[i] >= self._top_level
            is_heading = is_part or title != self.document_title
            return HeadingTitle(title, self._path(i), "heading" if is_heading else "document")
        return HeadingTitle(None, self._path(bisect_left(self.starts, self._visible(start)) - 1))

    def title_index(self, start: int) -> int | None:
        """Return which heading titles a segment that begins at this character; None if none does.

        See :meth:`segment_title`.
        """
        start = self._visible(start)
        first = i = bisect_left(self.starts, start)
        if i == len(self.starts) or self.starts[i] != start:
            return None
        while self.levels[i] < self._top_level:
            if not self.are_adjacent(i, i + 1):
                return first
            i += 1
        return i if self.levels[i] == self._top_level else first

    def are_adjacent(self, i: int, j: int, *, but_for_contents: bool = False) -> bool:
        """Whether there are only headings between two headings, or also tables of contents."""
        runs = self._loose_runs if but_for_contents else self._runs
        return j < len(runs) and runs[i] == runs[j]

    def _visible(self, start: int) -> int:
        while start < len(self._text) and self._text[start].isspace():
            start += 1
        return start

    @cached_property
    def _top_level(self) -> int:
        return top_level(zip(self.levels, self.titles, strict=True))

    def _path(self, i: int | None) -> tuple[str, ...]:
        """Return a heading and those above it, highest first; nothing for None and -1."""
        path: list[str] = []
        while i is not None and i >= 0:
            path.append(self.titles[i])
            i = self._parents[i]
        return tuple(reversed(path))


def top_level(headings: Iterable[tuple[int, str]]) -> int:
    """Return the highest level that three headings have, given levels and titles, or the highest.

    A single heading above the others is the title of the whole, also if the title page repeats it.

    >>> top_level([(1, "Tea"), (1, "Tea"), (1, "Tea"), (2, "Leaf"), (2, "Pot"), (2, "Cup")])
    2
    """
    count = Counter(level for level, _ in set(headings))
    often = [level for level, uses in count.items() if uses >= MIN_TOP_HEADINGS]
    return min(often or count)
