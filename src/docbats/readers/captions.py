"""The captions of SRT and WebVTT files: what is said, by whom, and when."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from docbats.blocks import Block, blank
from docbats.errors import ReadError
from docbats.places import Cue, Places
from docbats.readers.content import FileContent, FileText
from docbats.readers.html import unescape
from docbats.text.labels import is_name, name_before_colon
from docbats.text.layout import ends_sentence
from docbats.text.sentences import UNPUNCTUATED_REMARK, is_unpunctuated, split_unpunctuated
from docbats.text.turns import MIN_ROLLING_SHARE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TIME = r"(-?)(?:(\d{1,9}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})"
_TIMING = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}")
_BLANK_LINES = re.compile(r"(?:\r\n?|\n){3,}+")
_VOICE = re.compile(r"<v(?:\.[^\s<>]*+)?\s++([^<>]{1,200})>")
_TAG = re.compile(r"<[^<>]*>|\{\\[^{}]*\}")
_SPEAKER_MARK = re.compile(r"(?:>>+|[-–—](?=\s|\w))\s*")
_NOT_SPEECH = re.compile(r"\[[^\[\]]{0,60}\]|[♪♫]+|^\([^()]{0,40}\)$", re.MULTILINE)
_UNPUNCTUATED_PAUSE = 1.5  # seconds, which end a sentence of speech without full stops
_MAX_LABEL = 200  # characters before a colon that may be a name
_MIN_NAMED_SHARE = 0.8  # of captions whose first lines are names
_MIN_USES = 2  # of a name before a colon; any word may occur there once
# Seconds of silence that end a turn after a full stop, and anywhere: speakers also pause to think
# within a sentence. If larger, there are fewer turns.
_MIN_PAUSE, _MIN_SILENCE = 2.0, 5.0
_MAX_TURN = 30.0  # seconds; a longer turn is divided where a sentence ends


class CaptionLine(NamedTuple):
    """A line of a caption, or all that one speaker says in it."""

    text: str
    voice: str | None = None  # the speaker's name in a tag
    name: str | None = None  # the speaker's name before a colon, which is part of the text
    is_turn: bool = False  # whether another speaker begins
    label_size: int = 0  # the characters of the name in the text, with the colon and the blank


@dataclass(frozen=True)
class Caption:
    """What is said between two times, in seconds."""

    begins: float
    ends: float
    lines: tuple[CaptionLine, ...]


@dataclass(frozen=True)
class _Utterance:
    """What one speaker says in a caption: its place in the text and in time."""

    cue: Cue
    speaker: str | None
    is_turn: bool
    label_size: int


def read_captions(content: FileContent) -> FileText:
    """Join the captions to one running text, divided into the turns of its speakers."""
    captions = sorted(_captions(content.text), key=lambda caption: caption.begins)
    if not captions:
        msg = "a transcript without captions: check that it has lines like 00:01.000 --> 00:04.000"
        raise ReadError(msg)
    captions = _with_names_above(_without_rare_names(captions))
    return join_captions(list(_without_repeats(captions)))


def join_captions(captions: list[Caption]) -> FileText:
    """Join what is said to one running text, divided into the turns of its speakers.

    A turn begins with the name of its speaker, where that is known, and a colon.
    """
    parts: list[str] = []
    said: list[_Utterance] = []
    size = 0
    for line, begins, ends in _speech(captions):
        if parts:
            gap = "\n\n" if line.is_turn else " "
            parts.append(gap)
            size += len(gap)
        cue = Cue(size, size + len(line.text), begins, ends)
        said.append(_Utterance(cue, line.voice or line.name, line.is_turn, line.label_size))
        parts.append(line.text)
        size += len(line.text)
    text = "".join(parts)
    if not text.strip():
        msg = "a transcript in which nothing is said: check that its captions have words"
        raise ReadError(msg)
    spans = _unpunctuated_spans(text, said)
    turns = _find_turns(text, said, spans)
    return FileText(
        text,
        Places(cues=tuple(each.cue for each in said)),
        prose=blank(text, ((s.cue.start, s.cue.start + s.label_size) for s in said)),
        breaks=[turn.start for turn in turns],
        spans=spans,
        lines=[(each.cue.start, each.cue.end) for each in said],
        blocks=tuple(turns),
        remarks=(UNPUNCTUATED_REMARK,) if spans and is_unpunctuated(text) else (),
    )


def _captions(text: str) -> Iterator[Caption]:
    """Yield the captions: the lines between a line with times and a blank one."""
    times: tuple[float, float] | None = None
    lines: list[str] = []
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
            yield Caption(*times, _lines(lines))
        times, lines = (_times(timing) if timing else None), []


def _times(timing: re.Match[str]) -> tuple[float, float]:
    begins, ends = (
        0.0
        if sign
        else int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds) + int(rest) / 10 ** len(rest)
        for sign, hours, minutes, seconds, rest in (timing.groups()[:5], timing.groups()[5:])
    )
    return begins, max(begins, ends)


def _lines(written: Sequence[str]) -> tuple[CaptionLine, ...]:
    """Return the lines of a caption, without tags, marks and sounds."""
    voices = [_VOICE.search(line) for line in written]
    plain = unescape(_TAG.sub("", "\n".join(written)))
    spoken = _NOT_SPEECH.sub(" ", plain).split("\n")
    if len(spoken) != len(written):  # a tag went over the end of a line
        voices = [next(filter(None, voices), None), *[None] * (len(spoken) - 1)]
    lines: list[CaptionLine] = []
    voice: str | None = None
    for tag, line in zip(voices, spoken, strict=True):
        voice = tag[1].strip() if tag is not None else voice
        mark = _SPEAKER_MARK.match(line.lstrip())
        text = " ".join(line.lstrip()[mark.end() if mark else 0 :].split())
        if text:
            label = name_before_colon(text[:_MAX_LABEL], 0)
            name, size = (label.name, label.length) if label else (None, 0)
            size += len(text[size:]) - len(text[size:].lstrip())
            lines.append(CaptionLine(text, voice, name, mark is not None, size))
            voice = None
    return tuple(lines)


def _without_rare_names(captions: list[Caption]) -> list[Caption]:
    """Drop names before a colon that occur once, unless a mark says that a speaker begins."""
    uses = Counter(line.name for caption in captions for line in caption.lines)

    def checked(line: CaptionLine) -> CaptionLine:
        is_loud = line.name is not None and line.name.isupper()
        is_known = line.is_turn or is_loud or uses[line.name] >= _MIN_USES
        return line if is_known else line._replace(name=None, label_size=0)

    return [replace(caption, lines=tuple(map(checked, caption.lines))) for caption in captions]


def _with_names_above(captions: list[Caption]) -> list[Caption]:
    """Take the first lines of captions as names, if they are names that come back."""
    longer = [caption for caption in captions if len(caption.lines) > 1]
    names = Counter(caption.lines[0].text for caption in longer)
    n_recurring = sum(n for name, n in names.items() if n > 1 and is_name(name))
    if len(longer) < len(captions) or n_recurring < _MIN_NAMED_SHARE * len(captions):
        return captions
    return [
        replace(
            caption,
            lines=(caption.lines[1]._replace(voice=caption.lines[0].text), *caption.lines[2:]),
        )
        for caption in captions
    ]


def _without_repeats(captions: list[Caption]) -> Iterator[Caption]:
    """Drop repeated lines if captions roll up, each showing the last line of the one before."""
    said = [caption for caption in captions if caption.lines]
    pairs = list(pairwise(said))
    again = sum(a.lines[-1].text == b.lines[0].text for a, b in pairs)
    if again < MIN_ROLLING_SHARE * len(pairs) or again < 2:
        yield from said
        return
    shown: frozenset[str] = frozenset()
    for caption in said:
        fresh = caption.lines
        while fresh and fresh[0].text in shown:
            fresh = fresh[1:]
        yield replace(caption, lines=fresh)
        shown = frozenset(line.text for line in caption.lines)


def _speech(captions: list[Caption]) -> Iterator[tuple[CaptionLine, float, float]]:
    """Yield what each speaker says in each caption, with its begin and end."""
    speaker: str | None = None
    for caption in captions:
        pieces: list[list[CaptionLine]] = []
        for given in caption.lines:
            name = given.voice or given.name
            is_turn = given.is_turn or (name is not None and name != speaker)
            if is_turn:
                speaker = name
            line = _labelled(given._replace(is_turn=is_turn))
            if pieces and not is_turn:
                pieces[-1].append(line)
            else:
                pieces.append([line])
        joined = [piece[0]._replace(text=" ".join(line.text for line in piece)) for piece in pieces]
        begins = caption.begins
        size = sum(len(piece.text) for piece in joined)
        for piece in joined[:-1]:  # as if every character took equally long
            share = len(piece.text) / size
            ends = round(begins + (caption.ends - caption.begins) * share, 3)
            yield piece, begins, ends
            begins = ends
        if joined:
            yield joined[-1], begins, caption.ends


def _labelled(line: CaptionLine) -> CaptionLine:
    """Return a line with the name of its speaker if it begins a turn, and without it if not."""
    if line.voice and line.is_turn and not line.label_size:
        label = f"{line.voice}: "
        return line._replace(text=label + line.text, label_size=len(label))
    if line.label_size and not line.is_turn:
        return line._replace(text=line.text[line.label_size :], label_size=0)
    return line


def _unpunctuated_spans(text: str, said: list[_Utterance]) -> list[tuple[int, int]] | None:
    """Return sentences made of captions for unpunctuated speech; None if it has full stops."""
    if not is_unpunctuated(text, min_words=1):
        return None
    pauses = {
        number
        for number, (last, utterance) in enumerate(pairwise(said), start=1)
        if utterance.is_turn or utterance.cue.begins - last.cue.ends >= _UNPUNCTUATED_PAUSE
    }
    return split_unpunctuated(text, [(each.cue.start, each.cue.end) for each in said], pauses)


def _find_turns(
    text: str, said: list[_Utterance], spans: list[tuple[int, int]] | None
) -> list[Block]:
    """Join utterances to turns; if `spans` are given, they are the sentences."""
    starts = None if spans is None else {start for start, _ in spans}
    turns: list[Block] = []
    last: Cue | None = None
    for utterance in said:
        cue = utterance.cue
        if starts is None:
            is_start = last is None or ends_sentence(text[last.start : last.end])
        else:
            is_start = cue.start in starts
        seconds = cue.begins, cue.ends
        if last is None or utterance.is_turn or _divides(turns[-1], last, cue, is_start=is_start):
            goes_on = bool(turns) and not utterance.is_turn
            speaker = turns[-1].speaker if goes_on else utterance.speaker
            turns.append(Block("turn", cue.start, cue.end, speaker=speaker, seconds=seconds))
        else:
            begins, ends = turns[-1].seconds or seconds
            turns[-1] = replace(turns[-1], end=cue.end, seconds=(begins, max(ends, cue.ends)))
        last = cue
    return turns


def _divides(turn: Block, last: Cue, cue: Cue, *, is_start: bool) -> bool:
    """Whether a turn ends between two captions of the same speaker."""
    pause = cue.begins - last.ends
    begins = cue.begins if turn.seconds is None else turn.seconds[0]
    is_long = last.ends - begins >= _MAX_TURN
    return pause > _MIN_SILENCE or (is_start and (is_long or pause > _MIN_PAUSE))
