"""The segments of a transcript as chapters of its recording."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from docbats.errors import InputError
from docbats.readers.places import clock
from docbats.render.plain import visible

if TYPE_CHECKING:
    from docbats.result import Result

__all__ = ["Chapter", "chapters", "to_vtt", "to_youtube"]

_FEWEST, _SHORTEST = 3, 10  # chapters, and seconds of each, that YouTube asks for


class Chapter(NamedTuple):
    """A title, and from when to when it holds, in seconds."""

    title: str
    begins: float
    ends: float


def chapters(result: Result) -> list[Chapter]:
    """Give each segment the time until the next one begins."""
    times = [s.place.seconds for s in result.segments if s.place and s.place.seconds]
    if len(times) < len(result.segments):
        msg = "there are no times in it, as chapters need: give a transcript in SRT or VTT"
        raise InputError(msg)
    edges = [*(begins for begins, _ in times), max(ends for _, ends in times)]
    return [
        Chapter(" ".join(visible(segment.title).split()) or "Chapter", begins, max(begins, ends))
        for segment, (begins, ends) in zip(result.segments, pairwise(edges), strict=True)
    ]


def to_vtt(result: Result) -> str:
    """Write a WebVTT file of chapters, for the ``<track kind="chapters">`` of a player."""
    cues = [
        f"{number}\n{_stamp(one.begins)} --> {_stamp(_end(one))}\n{_escaped(one.title)}\n"
        for number, one in enumerate(chapters(result), start=1)
    ]
    return "\n".join(["WEBVTT\n", *cues])


def to_youtube(result: Result) -> str:
    """Write lines for the description of a video; refuse what YouTube would not take for chapters.

    It wants the first at 0:00, three or more, and ten seconds each.
    """
    found = chapters(result)
    starts = _starts(found)
    if len(found) < _FEWEST:
        msg = (
            f"YouTube wants {_FEWEST} chapters or more, and the cut has {len(found)}: "
            f"{_advice(result, _FEWEST)}"
        )
        raise InputError(msg)
    for chapter, (start, end) in zip(found, pairwise(starts), strict=True):
        if end - start < _SHORTEST:
            msg = (
                f"YouTube wants chapters of {_SHORTEST} seconds or more, and "
                f"“{chapter.title}” lasts {end - start}: {_advice(result, len(found) - 1)}"
            )
            raise InputError(msg)
    return "".join(
        f"{clock(start)} {chapter.title}\n" for start, chapter in zip(starts, found, strict=False)
    )


def _starts(found: list[Chapter]) -> list[int]:
    """Give the second at which each begins, and that of the end."""
    return [0, *(int(chapter.begins) for chapter in found[1:]), int(found[-1].ends)]


def _advice(result: Result, k: int) -> str:
    """Look for a number of chapters, `k` or not much less, that YouTube takes."""
    while _FEWEST <= k <= len(result.document):
        starts = _starts(chapters(result.cut(k)))
        if all(end - start >= _SHORTEST for start, end in pairwise(starts)):
            return f"ask for others with -k {k}"
        k = min(k - 1, k * 9 // 10)
    return "no number of chapters that was tried fits, so write them by hand, or use --format vtt"


def _end(chapter: Chapter) -> float:
    """Let no cue end when it begins, which WebVTT forbids."""
    return max(chapter.ends, chapter.begins + 0.001)


def _stamp(seconds: float) -> str:
    thousandths = round(seconds * 1000)
    second, thousandth = divmod(thousandths, 1000)
    return f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.{thousandth:03}"


def _escaped(title: str) -> str:
    return title.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
