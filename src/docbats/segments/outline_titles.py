"""The titles of the parts of an outline."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from docbats.titles.segment_titles import title_segments

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from docbats.analysis import Analysis
    from docbats.document import Document
    from docbats.parts import Segment, TitleSource

__all__ = ["Part", "Title", "differing", "sentence_offset", "title_parts"]


@dataclass(frozen=True)
class Part:
    """The sentences from `first` to before `end`, and the parts that tile them."""

    first: int
    end: int
    # Without those below in the hash, a deep outline takes no longer than a flat one.
    children: tuple[Part, ...] = field(default=(), hash=False)


class Title(NamedTuple):
    """A title and where it is from."""

    text: str
    source: TitleSource


def title_parts(
    analysis: Analysis, segments: Sequence[Segment], parts: Sequence[Part]
) -> dict[Part, Title]:
    """Return the title of each part: of the segment that it is, by its heading, or by its words.

    All parts of one depth, with what is not divided so far, choose their words together. A title
    made of words is that of no sibling, nor of the part above.
    """
    document = analysis.text.document
    titles = _given_titles(analysis, segments, parts)
    level: list[tuple[Part, Part | None]] = [(part, None) for part in parts]
    siblings: dict[Part | None, Sequence[Part]] = {None: parts}
    while True:
        unnamed = [(part, above) for part, above in level if part not in titles]
        if unnamed:
            avoided = {
                part: _titles_around(titles, part, above, siblings[above])
                for part, above in unnamed
            }
            starts = np.array([part.first for part, _ in level], np.int64)
            avoid = [avoided.get(part, ()) for part, _ in level]
            by_words = title_segments(document, analysis.phrases, starts, avoid)
            for (part, above), title in zip(level, by_words, strict=True):
                if part in avoided:
                    around = _titles_around(titles, part, above, siblings[above])
                    titles[part] = Title(differing(title, around), "words")
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
    analysis: Analysis, segments: Sequence[Segment], parts: Sequence[Part]
) -> dict[Part, Title]:
    """Return the titles of the parts that are segments or begin with a heading of their own."""
    document = analysis.text.document
    known = {segment.sentences: segment for segment in segments}
    titles: dict[Part, Title] = {}
    taken: set[int] = set()  # where a part begins whose title is the heading there
    level = list(parts)
    while level:
        offsets = [sentence_offset(document, part.first) for part in level]
        headings = analysis.heading_titles(offsets)
        for part, heading in zip(level, headings, strict=True):
            segment = known.get((part.first, part.end))
            if segment is not None:
                titles[part] = Title(segment.title, segment.title_source)
            elif heading.title is not None and part.first not in taken:
                titles[part] = Title(heading.title, "heading")
        taken |= {part.first for part in level if part in titles and titles[part][1] == "heading"}
        level = [child for part in level for child in part.children]
    return titles


def _titles_around(
    titles: dict[Part, Title], part: Part, above: Part | None, siblings: Sequence[Part]
) -> set[str]:
    """Return the titles that a part must not have: those above, beside and below it."""
    around = [*siblings, *part.children, *([above] if above else [])]
    return {titles[other].text.casefold() for other in around if other in titles}


def differing(title: str, others: Collection[str]) -> str:
    """Add a number to a title that is one of the others."""
    number, numbered = 1, title
    while numbered.casefold() in others:
        number += 1
        numbered = f"{title} ({number})"
    return numbered


def sentence_offset(document: Document, sentence: int) -> int:
    """Return where a part begins whose first sentence this is; the end of the text after all."""
    if sentence == len(document):
        return len(document.text)
    return int(document.spans[sentence, 0]) if sentence > 0 else 0
