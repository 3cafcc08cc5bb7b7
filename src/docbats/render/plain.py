"""Words of a document made safe to show on one line."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docbats.parts import Segment
    from docbats.readers.places import Place
    from docbats.result import Result

__all__ = ["counted", "excerpt", "heading_path", "remarks", "sentence_range", "spark", "visible"]

_BARS = "▁▂▃▄▅▆▇█"


def visible(text: str) -> str:
    """Take out what could move the cursor, change colours or turn the direction of writing.

    Marks without a width, such as the soft hyphen, go; all else that cannot be printed becomes a
    space.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else _stand_in(c) for c in text)


def excerpt(text: str, width: int) -> str:
    """Give the opening of a text, cut at a word."""
    opening = text.lstrip()
    line = " ".join(visible(opening[: 4 * width]).split())
    if len(line) <= width and len(opening) <= 4 * width:
        return line
    cut = line[:width]
    return (cut.rsplit(" ", 1)[0] if " " in cut else cut[: width - 1]) + "…"


def counted(number: int, noun: str) -> str:
    """Put a number and a noun together.

    >>> counted(1, "topic"), counted(2, "topic")
    ('1 topic', '2 topics')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def sentence_range(segment: Segment) -> str:
    """Give the numbers of a segment's sentences as people count, from 1, both ends included.

    Its pages or its times follow where they are known.

    >>> from docbats import analyze
    >>> [sentence_range(s) for s in analyze("Red cars. Cars. One boat. Boats. Boat.", k=2).segments]
    ['sentences 1-2', 'sentences 3-5']
    """
    first, last = segment.sentences
    where = f"sentence {last}" if last - first == 1 else f"sentences {first + 1}-{last}"
    place = str(segment.place or "")
    return f"{where}, {place}" if place else where


def heading_path(place: Place | None) -> str:
    """Name the headings that a stretch begins under, and those that stand in it.

    >>> from docbats.readers.places import Place
    >>> heading_path(Place(under=("Guide", "Start"), headings=("Install", "Upgrade")))
    'Guide › Start · Install, Upgrade'
    """
    if place is None:
        return ""
    return " · ".join(filter(None, [" › ".join(place.under), ", ".join(place.headings)]))


def remarks(result: Result) -> tuple[str, ...]:
    """Say why there are so many segments, and whatever else there is to note."""
    return (*([result.choice.reason] if result.choice else []), *result.notes)


def spark(values: list[float]) -> str:
    """Draw numbers from 0 to 1 as a row of small bars, 40 at most: then each shows a mean."""
    groups = -(-len(values) // 40)
    means = [values[i : i + groups] for i in range(0, len(values), max(groups, 1))]
    return "".join(_BARS[min(round(sum(m) / len(m) * 7), 7)] for m in means)


def _stand_in(character: str) -> str:
    return "" if unicodedata.category(character) == "Cf" else " "
