"""The segments of a transcript as chapters of its recording, as captions and as minutes."""

from __future__ import annotations

import html
import json
import re
from collections import Counter, deque
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from docbats.errors import InputError
from docbats.places import clock
from docbats.render.markdown import escape_markdown
from docbats.render.one_line import excerpt, one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from docbats.result import Result

_FFMETADATA_SIGNS = re.compile(r"[=;#\\\n]")
_MAX_SUMMARY = 300  # characters of the sentence under a part in minutes

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
        msg = "chapters need times, and this document has none: use a transcript with times"
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


def to_podcast(result: Result) -> str:
    """Return the chapters as JSON of Podcasting 2.0, for the ``<podcast:chapters>`` of a feed."""
    found = [
        {"startTime": chapter.begins, "endTime": chapter.ends, "title": chapter.title}
        for chapter in chapters(result)
    ]
    values = {"version": "1.2.0", "chapters": found}
    return json.dumps(values, indent=2, ensure_ascii=False) + "\n"


def to_ffmetadata(result: Result) -> str:
    """Return the chapters for ffmpeg, which writes them to MP3, MP4 and others."""
    lines = [";FFMETADATA1"]
    for chapter in chapters(result):
        title = _FFMETADATA_SIGNS.sub(r"\\\g<0>", chapter.title)
        begins, ends = round(chapter.begins * 1000), round(chapter.ends * 1000)
        times = [f"START={begins}", f"END={max(begins + 1, ends)}"]
        lines += ["[CHAPTER]", "TIMEBASE=1/1000", *times, f"title={title}"]
    return "\n".join(lines) + "\n"


def to_srt(result: Result) -> str:
    """Return the captions, with the title of a chapter above the first of them in brackets."""
    document = result.document
    prose = document.text if document.prose is None else document.prose
    titles = deque(zip(result.segments, chapters(result), strict=True))
    turns = deque(block for block in document.blocks if block.speaker)
    rows: list[str] = []
    for cue in document.places.cues if document.places else ():
        if not prose[cue.start : cue.end].strip():
            continue  # the label of what is said in the next one
        lines, speaker = [], ""
        while titles and titles[0][0].start < cue.end:
            lines.append(f"[{titles.popleft()[1].title}]")
        while turns and turns[0].start < cue.end:
            speaker = f"{turns.popleft().speaker}: "
        lines.append(speaker + one_line(document.without_marks(cue.start, cue.end)))
        times = f"{_stamp(cue.begins, ',')} --> {_stamp(max(cue.ends, cue.begins + 0.001), ',')}"
        rows.append("\n".join([str(len(rows) + 1), times, *lines, ""]))
    return "\n".join(rows)


def to_minutes(result: Result) -> str:
    """Return the parts as Markdown: when they were, who spoke, and a sentence each.

    The shares of the speakers are those of the words of the text.
    """
    shares = _speaker_shares(result)
    lines = ["# Minutes", ""]
    if shares:
        named = (f"{escape_markdown(name)} ({share:.0%})" for name, share in shares)
        lines += [f"Speakers: {', '.join(named)}", ""]
    for number, segment in enumerate(result.segments, start=1):
        lines += [f"## {number}\\. {escape_markdown(segment.title)}", ""]
        times = str(segment.place) if segment.place and segment.place.seconds else ""
        facts = [times, escape_markdown(", ".join(segment.speakers))]
        if any(facts):
            lines += [" · ".join(filter(None, facts)), ""]
        summary = segment.summary or excerpt(segment.text, _MAX_SUMMARY)
        lines += [escape_markdown(excerpt(summary, _MAX_SUMMARY)), ""]
    return "\n".join(lines).rstrip() + "\n"


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


def _speaker_shares(result: Result) -> list[tuple[str, float]]:
    """Return the speakers with their shares of the words, the one who says most first."""
    document = result.document
    prose = document.text if document.prose is None else document.prose
    n_words: Counter[str] = Counter()
    for block in document.blocks:
        if block.speaker:
            n_words[block.speaker] += len(prose[block.start : block.end].split())
    total = max(1, n_words.total())
    return [(name, n / total) for name, n in n_words.most_common()]


def _stamp(seconds: float, sign: str = ".") -> str:
    second, thousandth = divmod(round(seconds * 1000), 1000)
    return f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}{sign}{thousandth:03}"


FORMATS: dict[str, Callable[[Result], str]] = {
    "vtt": to_vtt,
    "youtube": to_youtube,
    "podcast": to_podcast,
    "ffmetadata": to_ffmetadata,
    "srt": to_srt,
    "minutes": to_minutes,
}
"""The formats of transcripts, by their names."""
