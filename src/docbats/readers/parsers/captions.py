"""The captions of SRT and WebVTT files: what is said, and when."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from itertools import pairwise
from typing import TYPE_CHECKING

from docbats.errors import ReadError
from docbats.readers.file_text import FileText
from docbats.readers.places import Cue, Places

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["read_captions"]

_TIME = r"(?:(\d+):)?(\d{1,2}):(\d\d)[.,](\d{1,3})"
_TIMING = re.compile(rf"\s*{_TIME}\s+-->\s+{_TIME}")
_BLANK_LINES = re.compile(r"(?:\r\n?|\n){3,}+")
_VOICE = re.compile(r"<v(?:\.[^\s<>]*+)?\s++([^<>]*+)>")
_TAG = re.compile(r"<[^<>]*>|\{\\[^{}]*\}")
_SPEAKER_MARK = re.compile(r"^(?:>>+|[-–—](?=\s|\w))\s*", re.MULTILINE)
_NOT_SPEECH = re.compile(r"\[[^\[\]]{0,60}\]|[♪♫]+|^\([^()]{0,40}\)$", re.MULTILINE)
# Captions roll up if this share of them repeats the last line of the one before; if larger, lines
# are read twice in transcripts where only some captions roll up.
_MIN_ROLLING_SHARE = 0.3
# With more words than this to each full stop, the speech counts as unpunctuated, and a sentence is
# as many words, or goes on until a pause of as many seconds.
_MAX_WORDS_PER_STOP = 40
_UNPUNCTUATED_WORDS, _UNPUNCTUATED_PAUSE = 14, 1.5


@dataclass(frozen=True)
class _Caption:
    begins: float
    ends: float
    lines: tuple[str, ...]
    is_turn: bool  # another speaker begins


def read_captions(text: str) -> FileText:
    """Join the captions to one running text."""
    captions = sorted(_captions(text), key=lambda caption: caption.begins)
    if not captions:
        msg = "a transcript without captions: check that it has lines like 00:01.000 --> 00:04.000"
        raise ReadError(msg)
    parts: list[str] = []
    cues: list[Cue] = []
    size = 0
    for caption in _without_repeats(captions):
        said = " ".join(caption.lines)
        if not said:
            continue
        if parts:
            gap = "\n\n" if caption.is_turn else " "
            parts.append(gap)
            size += len(gap)
        cues.append(Cue(size, size + len(said), caption.begins, caption.ends))
        parts.append(said)
        size += len(said)
    whole = "".join(parts)
    if not whole.strip():
        msg = "a transcript in which nothing is said"
        raise ReadError(msg)
    places = Places(cues=tuple(cues))
    lines = [(cue.start, cue.end) for cue in cues]
    return FileText(whole, places, spans=_unpunctuated_spans(whole, cues), lines=lines)


def _captions(text: str) -> Iterator[_Caption]:
    """Yield the captions: a line with times, and the lines after it up to a blank one."""
    times: tuple[float, float] | None = None
    lines: list[str] = []
    speaker: str | None = None
    text = _BLANK_LINES.sub("\n\n", text)
    for line in [*re.split(r"\r\n|\r|\n", text), ""]:
        timing = _TIMING.match(line)
        if not timing and line.strip():
            if times is not None:
                lines.append(line)
            continue
        if times is not None:
            if timing and lines and lines[-1].strip().isdecimal():
                lines.pop()  # the next caption's number, where the blank line is missing
            written = "\n".join(lines)
            voice = _VOICE.search(written)
            is_turn = voice is not None and voice[1] != speaker
            speaker = voice[1] if voice is not None else speaker
            yield _caption(*times, written, is_turn=is_turn)
        times, lines = (_times(timing) if timing else None), []


def _times(timing: re.Match[str]) -> tuple[float, float]:
    begins, ends = (
        int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds) + int(rest) / 10 ** len(rest)
        for hours, minutes, seconds, rest in (timing.groups()[:4], timing.groups()[4:])
    )
    return begins, max(begins, ends)


def _caption(begins: float, ends: float, written: str, *, is_turn: bool) -> _Caption:
    plain = unescape(_TAG.sub("", written))
    spoken = _NOT_SPEECH.sub(" ", plain)
    is_turn = is_turn or bool(_SPEAKER_MARK.match(spoken))
    lines = (" ".join(line.split()) for line in _SPEAKER_MARK.sub("", spoken).split("\n"))
    return _Caption(begins, ends, tuple(line for line in lines if line), is_turn)


def _without_repeats(captions: list[_Caption]) -> Iterator[_Caption]:
    """Drop repeated lines where captions roll up: each shows the last line of the one before."""
    said = [caption for caption in captions if caption.lines]
    pairs = list(pairwise(said))
    again = sum(a.lines[-1] == b.lines[0] for a, b in pairs)
    if again < _MIN_ROLLING_SHARE * len(pairs) or again < 2:
        yield from said
        return
    shown: tuple[str, ...] = ()
    for caption in said:
        fresh = caption.lines
        while fresh and fresh[0] in shown:
            fresh = fresh[1:]
        yield _Caption(caption.begins, caption.ends, fresh, caption.is_turn)
        shown = caption.lines


def _unpunctuated_spans(text: str, cues: list[Cue]) -> list[tuple[int, int]] | None:
    """Return sentences made of captions for speech without full stops; None if it has enough."""
    if len(re.findall(r"[.?!。！？…](?=\s|$)", text)) * _MAX_WORDS_PER_STOP > len(text.split()):
        return None
    spans: list[tuple[int, int]] = []
    words, last = _UNPUNCTUATED_WORDS, 0.0
    for cue in cues:
        if words >= _UNPUNCTUATED_WORDS or cue.begins - last >= _UNPUNCTUATED_PAUSE:
            spans.append((cue.start, cue.end))
            words = 0
        else:
            spans[-1] = (spans[-1][0], cue.end)
        words += len(text[cue.start : cue.end].split())
        last = cue.ends
    return spans
