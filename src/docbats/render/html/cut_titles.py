"""The titles of segments under the slider, beside those of the outline."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from docbats.segments.outline_titles import differing
from docbats.titles.segment_titles import title_segments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.analysis import Analysis
    from docbats.parts import Outline, Segment

__all__ = ["CutTitles"]


class CutTitles:
    """Names the segments of other cuts as the outline does, or else as no entry around them."""

    def __init__(self, analysis: Analysis, outline: Outline) -> None:
        self._analysis = analysis
        self._entries = [entry for _, entry in outline.walk()]  # in the order of their starts
        self._starts = [entry.sentences[0] for entry in self._entries]
        self._known = {entry.sentences: entry for entry in self._entries}

    def give(self, segments: Sequence[Segment]) -> tuple[Segment, ...]:
        """Return the segments with titles that differ from those beside, above and below them."""
        found = [self._known.get(segment.sentences) for segment in segments]
        taken = {entry.title.casefold() for entry in found if entry is not None}
        avoid = [
            () if entry is not None else taken | self._titles_around(segment)
            for segment, entry in zip(segments, found, strict=True)
        ]
        titles = [segment.title for segment in segments]
        is_new = [
            entry is None and segment.title_source == "words"
            for segment, entry in zip(segments, found, strict=True)
        ]
        if any(
            new and title.casefold() in names
            for new, title, names in zip(is_new, titles, avoid, strict=True)
        ):
            starts = np.array([segment.sentences[0] for segment in segments], np.int64)
            document, phrases = self._analysis.text.document, self._analysis.phrases
            titles = list(title_segments(document, phrases, starts, avoid))
        named = []
        for segment, entry, new, title, names in zip(
            segments, found, is_new, titles, avoid, strict=True
        ):
            if entry is not None:
                shown = replace(segment, title=entry.title, title_source=entry.title_source)
            elif new:
                shown = replace(segment, title=differing(title, {*names, *taken}))
                taken.add(shown.title.casefold())
            else:
                shown = segment
            named.append(shown)
        return tuple(named)

    def _titles_around(self, segment: Segment) -> set[str]:
        """Return the titles of the entries inside a segment, or of that which it lies in."""
        first, end = segment.sentences
        low, high = bisect_left(self._starts, first), bisect_left(self._starts, end)
        above = self._entries[bisect_right(self._starts, first) - 1]
        if above.sentences[1] >= end:
            return {above.title.casefold()}
        return {
            entry.title.casefold() for entry in self._entries[low:high] if entry.sentences[1] <= end
        }
