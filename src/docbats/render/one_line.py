"""Text, counts and ranges as one printable line."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from docbats.parts import AUTHORS_TITLES

if TYPE_CHECKING:
    from docbats.parts import Segment
    from docbats.result import Result

_BARS = "▁▂▃▄▅▆▇█"
_MAX_BARS = 40


def visible(text: str) -> str:
    """Return a text without characters that move the cursor, change colours or reverse the text.

    Characters without a width, such as the soft hyphen, are dropped; other unprintable ones become
    spaces.
    """
    if text.isprintable():
        return text
    kept = (c for c in text if c.isprintable() or unicodedata.category(c) != "Cf")
    return "".join(c if c.isprintable() else " " for c in kept)


def one_line(text: str) -> str:
    """Return a text without unprintable characters, and with single spaces for white space."""
    return " ".join(visible(text).split())


def excerpt(text: str, width: int) -> str:
    """Return the beginning of a text on one line, cut after a word."""
    opening = text.lstrip()
    line = one_line(opening[: 4 * width])
    if len(line) <= width and len(opening) <= 4 * width:
        return line
    cut = line[:width]
    return (cut.rsplit(" ", 1)[0] if " " in cut else cut[: width - 1]) + "…"


def after_title(segment: Segment, text: str, width: int) -> str:
    """Return the beginning of a segment's text on one line, without the words of its title."""
    quoted = segment.title.strip("“”„«» ")
    opening = excerpt(text, width + len(quoted))
    said = quoted.removesuffix("…")
    is_said = segment.title_source == "opening" and said != quoted
    if is_said and opening.casefold().startswith(said.casefold()):
        return f"… {opening[len(said) :].lstrip()}"
    return excerpt(text, width)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural unless it is 1.

    >>> counted(1, "topic"), counted(2, "topic")
    ('1 topic', '2 topics')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def sentence_range(segment: Segment, *, place: bool = True) -> str:
    """Return the sentence numbers of a segment, from 1, both ends included.

    With `place`, they are followed by its pages or times, if known.

    >>> from docbats import analyze
    >>> [sentence_range(s) for s in analyze("Red cars. Cars. One boat. Boats. Boat.", k=2).segments]
    ['sentences 1-2', 'sentences 3-5']
    """
    first, last = segment.sentences
    where = f"sentence {last}" if last - first == 1 else f"sentences {first + 1}-{last}"
    shown = str(segment.place or "") if place else ""
    return f"{where}, {shown}" if shown else where


def segment_context(segment: Segment) -> str:
    """Return the headings above a segment, and its subtitle."""
    above = segment.heading_path[: -1 if segment.title_source in AUTHORS_TITLES else None]
    subtitle = f"about {segment.subtitle}" if segment.subtitle else ""
    return " · ".join(filter(None, [" › ".join(above), subtitle]))


def remarks(result: Result) -> tuple[str, ...]:
    """Return the reason for the number of segments, and the notes."""
    return (*([result.choice.reason] if result.choice else []), *result.notes)


def sparkline(values: list[float]) -> str:
    """Return numbers from 0 to 1 as at most 40 bars, which show means if there are more."""
    size = max(1, -(-len(values) // _MAX_BARS))
    groups = [values[i : i + size] for i in range(0, len(values), size)]
    return "".join(_BARS[min(round(sum(group) / len(group) * 7), 7)] for group in groups)
