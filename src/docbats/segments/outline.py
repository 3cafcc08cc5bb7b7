"""A nested table of contents, of any depth."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import ceil, log, sqrt
from typing import TYPE_CHECKING

import numpy as np

from docbats.parts import Entry, Outline, Title
from docbats.segments.choose_k import BlockGains, choose_k_by_gains
from docbats.segments.search import cut_into_k, cut_into_k_approximately

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from docbats.document import Document
    from docbats.parts import Segment
    from docbats.pipeline import Analysis
    from docbats.segments.costs import SegmentCost


@dataclass(frozen=True)
class OutlinePart:
    """The sentences from `first` to before `end`, the heading over them, and their parts.

    A chapter and its first section may begin with the same sentence, each with its own heading.
    """

    first: int
    end: int
    heading: int | None = None
    # Without the children in the hash, a deep outline takes no longer than a flat one.
    children: tuple[OutlinePart, ...] = field(default=(), hash=False)


def title_parts(
    analysis: Analysis, segments: Sequence[Segment], parts: Sequence[OutlinePart]
) -> dict[OutlinePart, Title]:
    """Return the title of each part: the title of its segment, its heading, or one of its words.

    Parts of one depth, and those that are not divided so far, choose their words together. A title
    made of words differs from the titles of siblings and of the part above.
    """
    titles = _given_titles(analysis, segments, parts)
    level: list[tuple[OutlinePart, OutlinePart | None]] = [(part, None) for part in parts]
    siblings: dict[OutlinePart | None, Sequence[OutlinePart]] = {None: parts}
    while True:
        unnamed = [(part, above) for part, above in level if part not in titles]
        if unnamed:
            avoided = {
                part: _titles_around(titles, part, above, siblings[above])
                for part, above in unnamed
            }
            starts = np.array([part.first for part, _ in level], np.int64)
            avoid = [avoided.get(part, ()) for part, _ in level]
            by_words = analysis.title_segments(starts, avoid)
            for (part, above), title in zip(level, by_words, strict=True):
                if part in avoided:
                    around = _titles_around(titles, part, above, siblings[above])
                    titles[part] = title._replace(text=differing(title.text, around))
        below = [(child, part) for part, _ in level for child in part.children]
        if not below:
            return titles
        siblings |= {part: part.children for part, _ in level}
        level = [
            (child, part) if child is not part else (part, above)
            for part, above in level
            for child in part.children or (part,)
        ]


def _given_titles(
    analysis: Analysis, segments: Sequence[Segment], parts: Sequence[OutlinePart]
) -> dict[OutlinePart, Title]:
    """Return the titles of the parts that are segments or begin with a heading."""
    known = {segment.sentences: segment for segment in segments}
    titles: dict[OutlinePart, Title] = {}
    taken: set[int | None] = set()  # headings
    level = list(parts)
    while level:
        for part in level:
            segment = known.pop((part.first, part.end), None)
            if segment is not None:
                titles[part] = Title(segment.title, segment.title_source, segment.title_confidence)
            elif part.heading is not None and part.heading not in taken:
                titles[part] = Title(analysis.headings.titles[part.heading], "heading")
            taken.add(part.heading)
        level = [child for part in level for child in part.children]
    return titles


def _titles_around(
    titles: dict[OutlinePart, Title],
    part: OutlinePart,
    above: OutlinePart | None,
    siblings: Sequence[OutlinePart],
) -> set[str]:
    """Return the titles above, beside and below a part, from which its own must differ."""
    around = [*siblings, *part.children, *([above] if above else [])]
    return {titles[other].text.casefold() for other in around if other in titles}


def differing(title: str, others: Collection[str]) -> str:
    """Return a title, with a number if it is one of the others."""
    number, numbered = 1, title
    while numbered.casefold() in others:
        number += 1
        numbered = f"{title} ({number})"
    return numbered


def sentence_offset(document: Document, sentence: int) -> int:
    """Return where a part begins that begins with this sentence; the end after the last one."""
    if sentence == len(document):
        return len(document.text)
    return int(document.spans[sentence, 0]) if sentence > 0 else 0


_MIN_DIVIDED = 8  # sentences; shorter parts are not divided, nor those below the root of all
_MAX_ENTRIES = 12  # in one list; more are gathered into parts, unless headings made them
_USUAL_ENTRIES = 9  # in a list; larger: longer lists and fewer levels
_MIN_LEVELS = 2  # that even a short text may have
_AFFORDABLE_STEPS = 100_000_000  # of an exact search; more would take seconds


def make_outline(analysis: Analysis, segments: Sequence[Segment]) -> Outline:
    """Divide the segments by the headings inside them, then wherever a cut is worth it.

    Long parts are divided again. Long lists are gathered into parts, unless the author's headings
    made them.
    """
    n_by_heading = sum(segment.title_source == "heading" for segment in segments)
    is_gathered = 2 * n_by_heading < len(segments)
    divider = _Divider(analysis)
    edges = [*(segment.sentences[0] for segment in segments), len(analysis.text)]
    level = _n_levels(len(segments)) if is_gathered else 1
    parts = divider.divide_each(analysis.cost, edges, level)
    if is_gathered:
        parts = _gather(analysis.cost, parts)
    titles = title_parts(analysis, segments, parts)
    return Outline(_entry(analysis.text.document, part, titles) for part in parts)


class _Divider:
    """Divides parts of a document by its headings, or else by its words."""

    def __init__(self, analysis: Analysis) -> None:
        self._document = document = analysis.text.document
        self._headings = headings = analysis.headings
        self._sentence = np.searchsorted(document.spans[:, 0], np.array(headings.starts, np.int64))
        self._level = np.array(headings.levels, np.int64)
        self._granularity = analysis.settings.granularity
        # Otherwise the table of contents of a long text would be as long in proportion.
        self._min_divided = max(_MIN_DIVIDED, sqrt(len(document)))
        self._max_levels = max(_MIN_LEVELS, int(log(len(document)) / log(_USUAL_ENTRIES)))

    def divide_each(
        self,
        cost: SegmentCost,
        edges: list[int],
        level: int,
        headings: Sequence[int | None] | None = None,
    ) -> list[OutlinePart]:
        """Divide each stretch between neighbouring edges; the results are entries of `level`.

        `cost` is the cost of all stretches together, counted from 0. `headings` are those over the
        stretches, by default those that they begin with.
        """
        if headings is None:
            offsets = (sentence_offset(self._document, first) for first in edges[:-1])
            headings = list(map(self._headings.title_index, offsets))
        costs = _costs_between(cost, edges, edges[0])
        return [
            self._divide(OutlinePart(first, end, heading), inside, level)
            for (first, end), heading, inside in zip(pairwise(edges), headings, costs, strict=True)
        ]

    def _divide(self, part: OutlinePart, cost: SegmentCost, level: int) -> OutlinePart:
        """Divide a part by the highest headings inside, or else where a cut is worth it."""
        starts = self._heading_starts(part)
        if starts:
            children = self.divide_each(cost, [*starts, part.end], level + 1, [*starts.values()])
            return replace(part, children=tuple(children))
        edges = [part.first, part.end]
        if level < self._max_levels:
            edges = self._edges_by_words(part.first, part.end, cost)
        if len(edges) == 2:
            return part
        level += _n_levels(len(edges) - 1)
        headings = [part.heading, *(None for _ in edges[2:])]
        children = _gather(cost, self.divide_each(cost, edges, level, headings), part.first)
        return replace(part, children=tuple(children))

    def _heading_starts(self, part: OutlinePart) -> dict[int, int | None]:
        """Return where a part and the highest headings in it begin, each with its heading.

        Nothing if it has no headings but its own.
        """
        low, high = np.searchsorted(self._sentence, [part.first, part.end]).tolist()
        if part.heading is not None:
            low = part.heading + 1
        levels = self._level[low:high]
        if not len(levels):
            return {}
        inside = (low + np.flatnonzero(levels == levels.min())).tolist()
        opening = part.heading
        if opening is not None:
            first = inside[0]
            if self._headings.are_adjacent(opening, first, but_for_contents=True):
                opening = inside.pop(0)
        starts = {part.first: opening}
        for heading in inside:  # one without words has no sentence of its own
            starts.setdefault(int(self._sentence[heading]), heading)
        return starts if len(starts) > 1 or opening != part.heading else {}

    def _edges_by_words(self, first: int, end: int, cost: SegmentCost) -> list[int]:
        """Cut the sentences from `first` to before `end`, if that is worth it.

        A part of more than half of them is cut again, which makes the list longer instead of
        adding a level.
        """
        edges = [first, *self._cuts(cost, end - first, first), end]
        while len(edges) > 2:
            longest = int(np.argmax(np.diff(edges)))
            low, high = edges[longest : longest + 2]
            if 2 * (high - low) <= end - first:
                break
            cuts = self._cuts(cost.between(low - first, high - first), high - low, low)
            if not cuts or len(edges) - 1 + len(cuts) > _USUAL_ENTRIES:
                break
            edges[longest + 1 : longest + 1] = cuts
        return edges

    def _cuts(self, cost: SegmentCost, n_sentences: int, first: int) -> list[int]:
        """Return where cuts are worth it among `n_sentences` from `first` on."""
        if n_sentences < self._min_divided or cost.penalty is None:
            return []
        blocks = BlockGains(cost, n_sentences, _MAX_ENTRIES)
        k = choose_k_by_gains(blocks, self._granularity).k
        return [first + start for start in blocks.starts(k)[1:]]


def _costs_between(cost: SegmentCost, edges: list[int], first: int) -> Iterator[SegmentCost]:
    """Yield the cost of each stretch between edges, given a cost that begins with `first`.

    Costs are halved again and again, so that a long list takes hardly longer.
    """
    if len(edges) == 2:
        yield cost
        return
    middle = len(edges) // 2
    for half in (edges[: middle + 1], edges[middle:]):
        inside = cost.between(half[0] - first, half[-1] - first)
        yield from _costs_between(inside, half, half[0])


def _n_levels(n: int) -> int:
    """Return the number of levels that a list of n parts is gathered into."""
    return 1 if n <= _MAX_ENTRIES else ceil(log(n) / log(_USUAL_ENTRIES))


def _gather(cost: SegmentCost, parts: list[OutlinePart], first: int = 0) -> list[OutlinePart]:
    """Put neighbouring parts into larger ones until no list is too long.

    `cost` begins with the sentence `first`.
    """
    while len(parts) > _MAX_ENTRIES:
        n = len(parts)
        k = round(n ** (1 - 1 / _n_levels(n)))
        edges = np.array([*(part.first for part in parts), parts[-1].end]) - first
        table = cost.table(edges, _MAX_ENTRIES, k)
        is_affordable = n * k * _MAX_ENTRIES <= _AFFORDABLE_STEPS
        cut = cut_into_k if is_affordable else cut_into_k_approximately
        starts = cut(table, k) or range(0, n, _USUAL_ENTRIES)
        groups = [tuple(parts[a:b]) for a, b in pairwise([*starts, n])]
        parts = [
            OutlinePart(g[0].first, g[-1].end, children=g) if len(g) > 1 else g[0] for g in groups
        ]
    return parts


def _entry(document: Document, part: OutlinePart, titles: dict[OutlinePart, Title]) -> Entry:
    title = titles[part]
    return Entry(
        title=title.text,
        start=sentence_offset(document, part.first),
        end=sentence_offset(document, part.end),
        sentences=(part.first, part.end),
        children=tuple(_entry(document, child, titles) for child in part.children),
        title_source=title.source,
        title_confidence=title.confidence,
    )
