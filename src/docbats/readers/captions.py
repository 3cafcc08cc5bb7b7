"""The captions of SRT and WebVTT files: what is said, and when."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from docbats.blocks import Block
from docbats.errors import ReadError
from docbats.places import Cue, Places
from docbats.readers.content import FileText
from docbats.readers.html import unescape
from docbats.text.layout import ends_sentence
from docbats.text.speakers import is_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Seconds without a word that end a turn after a full stop, and that end it in any case. Speakers
# also stop to think amid a sentence, which only a long silence may tear apart. If larger, fewer
# turns are told apart.
_MIN_PAUSE, _MIN_SILENCE = 2.0, 5.0
_MAX_TURN = 30.0  # seconds; a longer turn is divided where a sentence ends


@dataclass(frozen=True)
class Said:
    """What one speaker says in a caption.

    Attributes
    ----------
    cue
        Where it stands in the text, and when it is said.
    speaker
        Who speaks, where the caption says so.
    is_turn
        Whether another speaker begins.
    label_size
        How many characters at its beginning are the name of the speaker.
    """

    cue: Cue
    speaker: str | None
    is_turn: bool
    label_size: int = 0


@dataclass(frozen=True)
class Turns:
    """The turns, and the text with the names of speakers blanked."""

    turns: tuple[Block, ...]
    prose: str


def find_turns(text: str, said: list[Said], spans: list[tuple[int, int]] | None) -> Turns:
    """Join what is said to turns; with `spans` given, sentences end there and nowhere else."""
    starts = None if spans is None else {start for start, _ in spans}
    turns: list[Block] = []
    prose: list[str] = []
    at = 0
    last: Cue | None = None
    for piece in said:
        cue = piece.cue
        if starts is None:
            is_start = last is None or ends_sentence(text[last.start : last.end])
        else:
            is_start = cue.start in starts
        if last is None or piece.is_turn or _divides(turns[-1], last, cue, is_start=is_start):
            goes_on = bool(turns) and not piece.is_turn
            speaker = turns[-1].speaker if goes_on else piece.speaker
            turns.append(
                Block("turn", cue.start, cue.end, speaker=speaker, seconds=(cue.begins, cue.ends))
            )
        else:
            begins, ends = turns[-1].seconds or (cue.begins, cue.ends)
            turns[-1] = replace(turns[-1], end=cue.end, seconds=(begins, max(ends, cue.ends)))
        label_end = cue.start + piece.label_size
        prose += [text[at : cue.start], " " * piece.label_size, text[label_end : cue.end]]
        at, last = cue.end, cue
    return Turns(tuple(turns), "".join([*prose, text[at:]]))


def _divides(turn: Block, last: Cue, cue: Cue, *, is_start: bool) -> bool:
    """Whether a turn ends between two captions of the same speaker."""
    pause = cue.begins - last.ends
    begins = cue.begins if turn.seconds is None else turn.seconds[0]
    is_long = last.ends - begins >= _MAX_TURN
    return pause > _MIN_SILENCE or (is_start and (is_long or pause > _MIN_PAUSE))


_TIME = r"(?:(\d{1,9}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})"
_TIMING = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}")
_BLANK_LINES = re.compile(r"(?:\r\n?|\n){3,}+")
_VOICE = re.compile(r"<v(?:\.[^\s<>]*+)?\s++([^<>]*+)>")
_TAG = re.compile(r"<[^<>]*>|\{\\[^{}]*\}")
_SPEAKER_MARK = re.compile(r"(?:>>+|[-–—](?=\s|\w))\s*")
_LABEL = re.compile(r"([^:：]{1,40})[:：](?:\s+|$)")
_NOT_SPEECH = re.compile(r"\[[^\[\]]{0,60}\]|[♪♫]+|^\([^()]{0,40}\)$", re.MULTILINE)
# Captions roll up if this share of them repeats the last line of the one before; if larger, lines
# are read twice in transcripts where only some captions roll up.
_MIN_ROLLING_SHARE = 0.3
# With more words than this to each full stop, the speech counts as unpunctuated, and a sentence is
# as many words, or goes on until a pause of as many seconds.
_MAX_WORDS_PER_STOP = 40
_UNPUNCTUATED_WORDS, _UNPUNCTUATED_PAUSE = 14, 1.5
_MIN_USES = 2  # of a name before a colon; what occurs once may be any word


class _Line(NamedTuple):
    """A line of a caption.

    Attributes
    ----------
    text
        What is said, and the name before it where that is written in plain letters.
    voice
        The name in a tag.
    name
        The name in plain letters.
    is_turn
        Whether a mark says that another speaker begins.
    """

    text: str
    voice: str | None = None
    name: str | None = None
    is_turn: bool = False


@dataclass(frozen=True)
class _Caption:
    begins: float
    ends: float
    lines: tuple[_Line, ...]


def read_captions(text: str) -> FileText:
    """Join the captions to one running text, and to turns of those who speak."""
    captions = sorted(_captions(text), key=lambda caption: caption.begins)
    if not captions:
        msg = "a transcript without captions: check that it has lines like 00:01.000 --> 00:04.000"
        raise ReadError(msg)
    parts: list[str] = []
    cues: list[Cue] = []
    said: list[Said] = []
    size = 0
    for line, begins, ends in _speech(list(_without_repeats(_without_rare_names(captions)))):
        if parts:
            gap = "\n\n" if line.is_turn else " "
            parts.append(gap)
            size += len(gap)
        cues.append(Cue(size, size + len(line.text), begins, ends))
        said.append(Said(cues[-1], line.voice or line.name, line.is_turn, _label_size(line)))
        parts.append(line.text)
        size += len(line.text)
    whole = "".join(parts)
    if not whole.strip():
        msg = "a transcript in which nothing is said"
        raise ReadError(msg)
    spans = _unpunctuated_spans(whole, said)
    found = find_turns(whole, said, spans)
    return FileText(
        whole,
        Places(cues=tuple(cues)),
        prose=found.prose,
        breaks=[turn.start for turn in found.turns],
        spans=spans,
        lines=[(cue.start, cue.end) for cue in cues],
        blocks=found.turns,
    )


def _captions(text: str) -> Iterator[_Caption]:
    """Yield the captions: a line with times, and the lines after it up to a blank one."""
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
            yield _Caption(*times, _lines(lines))
        times, lines = (_times(timing) if timing else None), []


def _times(timing: re.Match[str]) -> tuple[float, float]:
    begins, ends = (
        int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds) + int(rest) / 10 ** len(rest)
        for hours, minutes, seconds, rest in (timing.groups()[:4], timing.groups()[4:])
    )
    return begins, max(begins, ends)


def _lines(written: Sequence[str]) -> tuple[_Line, ...]:
    """Return the lines of a caption without tags, marks and what is not spoken."""
    voices = [_VOICE.search(line) for line in written]
    plain = unescape(_TAG.sub("", "\n".join(written)))
    spoken = _NOT_SPEECH.sub(" ", plain).split("\n")
    if len(spoken) != len(written):  # a tag went over the end of a line
        voices = [next(filter(None, voices), None), *[None] * (len(spoken) - 1)]
    lines: list[_Line] = []
    voice: str | None = None
    for tag, line in zip(voices, spoken, strict=True):
        voice = tag[1].strip() if tag is not None else voice
        mark = _SPEAKER_MARK.match(line.lstrip())
        text = " ".join(line.lstrip()[mark.end() if mark else 0 :].split())
        if text:
            label = _LABEL.match(text)
            name = label[1] if label is not None and is_name(label[1]) else None
            lines.append(_Line(text, voice, name, is_turn=mark is not None))
            voice = None
    return tuple(lines)


def _without_rare_names(captions: list[_Caption]) -> list[_Caption]:
    """Take a word before a colon for a name only if it recurs, or a mark says who speaks."""
    uses = Counter(line.name for caption in captions for line in caption.lines)

    def checked(line: _Line) -> _Line:
        is_known = line.is_turn or uses[line.name] >= _MIN_USES
        return line if is_known else line._replace(name=None)

    return [replace(caption, lines=tuple(map(checked, caption.lines))) for caption in captions]


def _without_repeats(captions: list[_Caption]) -> Iterator[_Caption]:
    """Drop repeated lines where captions roll up: each shows the last line of the one before."""
    said = [caption for caption in captions if caption.lines]
    pairs = list(pairwise(said))
    again = sum(a.lines[-1].text == b.lines[0].text for a, b in pairs)
    if again < _MIN_ROLLING_SHARE * len(pairs) or again < 2:
        yield from said
        return
    shown: frozenset[str] = frozenset()
    for caption in said:
        fresh = caption.lines
        while fresh and fresh[0].text in shown:
            fresh = fresh[1:]
        yield replace(caption, lines=fresh)
        shown = frozenset(line.text for line in caption.lines)


def _speech(captions: list[_Caption]) -> Iterator[tuple[_Line, float, float]]:
    """Yield what one speaker says in a caption, and when; a turn is where another one begins."""
    speaker: str | None = None
    for caption in captions:
        pieces: list[_Line] = []
        for line in caption.lines:
            name = line.voice or line.name
            is_turn = line.is_turn or (name is not None and name != speaker)
            if is_turn:
                speaker = name
            if pieces and not is_turn:
                pieces[-1] = pieces[-1]._replace(text=f"{pieces[-1].text} {line.text}")
            else:
                pieces.append(line._replace(is_turn=is_turn))
        begins = caption.begins
        size = sum(len(piece.text) for piece in pieces)
        for piece in pieces[:-1]:  # as if all took equally long
            share = len(piece.text) / size
            ends = round(begins + (caption.ends - caption.begins) * share, 3)
            yield piece, begins, ends
            begins = ends
        if pieces:
            yield pieces[-1], begins, caption.ends


def _label_size(line: _Line) -> int:
    """Return how many characters the name takes that is written before what is said."""
    label = _LABEL.match(line.text) if line.name else None
    return 0 if label is None else label.end()


def _unpunctuated_spans(text: str, said: list[Said]) -> list[tuple[int, int]] | None:
    """Return sentences made of captions for speech without full stops; None if it has enough."""
    if len(re.findall(r"[.?!。！？…](?=\s|$)", text)) * _MAX_WORDS_PER_STOP > len(text.split()):
        return None
    spans: list[tuple[int, int]] = []
    words, last = _UNPUNCTUATED_WORDS, 0.0
    for piece in said:
        cue = piece.cue
        has_pause = cue.begins - last >= _UNPUNCTUATED_PAUSE
        if words >= _UNPUNCTUATED_WORDS or has_pause or piece.is_turn:
            spans.append((cue.start, cue.end))
            words = 0
        else:
            spans[-1] = (spans[-1][0], cue.end)
        words += len(text[cue.start : cue.end].split())
        last = cue.ends
    return spans
