"""The segments of a transcript as chapters of its recording."""

from __future__ import annotations

import html
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from docbats.errors import InputError
from docbats.places import clock
from docbats.render.one_line import one_line

if TYPE_CHECKING:
    from docbats.result import Result

_MIN_CHAPTERS, _MIN_SECONDS = 3, 10  # required by YouTube


class Chapter(NamedTuple):
    """A chapter of a recording: its title, and where it begins and ends, in seconds."""

    title: str
    begins: float
    ends: float


def chapters(result: Result) -> list[Chapter]:
    """Return a chapter for each segment, which ends where the next one begins."""
    times = [s.place.seconds for s in result.segments if s.place and s.place.seconds]
    if len(times) < len(result.segments):
        msg = "chapters need times, and this document has none: use a transcript in SRT or VTT"
        raise InputError(msg)
    edges = [*(begins for begins, _ in times), max(ends for _, ends in times)]
    return [
        Chapter(one_line(segment.title) or "Chapter", begins, max(begins, ends))
        for segment, (begins, ends) in zip(result.segments, pairwise(edges), strict=True)
    ]


def to_vtt(result: Result) -> str:
    """Return a WebVTT file of chapters, for the ``<track kind="chapters">`` of a player."""
    cues = ["WEBVTT\n"]
    for number, chapter in enumerate(chapters(result), start=1):
        end = max(chapter.ends, chapter.begins + 0.001)  # WebVTT has no empty cues
        times = f"{_stamp(chapter.begins)} --> {_stamp(end)}"
        cues.append(f"{number}\n{times}\n{html.escape(chapter.title, quote=False)}\n")
    return "\n".join(cues)


def to_youtube(result: Result) -> str:
    """Return lines for the description of a video; raise an error if YouTube would ignore them.

    It requires the first chapter at 0:00, at least three, and at least ten seconds each.
    """
    found = chapters(result)
    starts = _starts(found)
    if len(found) < _MIN_CHAPTERS:
        msg = (
            f"YouTube requires at least {_MIN_CHAPTERS} chapters, got {len(found)}: "
            f"{_advice(result, _MIN_CHAPTERS)}"
        )
        raise InputError(msg)
    for chapter, (start, end) in zip(found, pairwise(starts), strict=True):
        if end - start < _MIN_SECONDS:
            msg = (
                f"YouTube requires chapters of at least {_MIN_SECONDS} seconds, and "
                f"“{chapter.title}” has {end - start}: {_advice(result, len(found) - 1)}"
            )
            raise InputError(msg)
    return "".join(
        f"{clock(start)} {chapter.title}\n" for start, chapter in zip(starts, found, strict=False)
    )


def _starts(found: list[Chapter]) -> list[int]:
    """Return the second at which each chapter begins, and the second at which the last one ends."""
    return [0, *(int(chapter.begins) for chapter in found[1:]), int(found[-1].ends)]


def _advice(result: Result, k: int) -> str:
    """Suggest a number of chapters, at most `k`, that YouTube accepts, if there is one."""
    while _MIN_CHAPTERS <= k <= len(result.document):
        starts = _starts(chapters(result.cut(k)))
        if all(end - start >= _MIN_SECONDS for start, end in pairwise(starts)):
            return f"use -k {k}"
        k = min(k - 1, k * 9 // 10)
    return "no other number of chapters fits either: write them by hand, or use --format vtt"


def _stamp(seconds: float) -> str:
    second, thousandth = divmod(round(seconds * 1000), 1000)
    return f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.{thousandth:03}"
