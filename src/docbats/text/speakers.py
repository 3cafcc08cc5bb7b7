"""Who speaks, and when: lines that begin with a name and a colon, or with a time."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from docbats.text.layout import LineGroup, ends_sentence, split_at

if TYPE_CHECKING:
    from docbats.text.layout import TextLine

_CLOCK = r"(?:(\d{1,2}):)?(\d{1,2}):(\d\d)(?:[.,]\d{1,3})?"
_STAMP = re.compile(rf"[\[(]?{_CLOCK}[\])]?(?=[\s:–—-]|$)[ \t]*[:–—-]?[ \t]*")
_STAMP_AT_END = re.compile(rf"[ \t]*[\[(]?\b{_CLOCK}[\])]?$")
_MAX_NAME = 40  # characters
_MAX_NAME_WORDS = 4
_COLON = re.compile(r"[:：]")
_NOT_IN_NAMES = re.compile(r"[?!,;\"“”«»/\\=<>|{}\[\]@#%+]|\.\.|\w\.\w")
_PARTICLES = frozenset(
    {"de", "da", "del", "della", "di", "do", "dos", "du", "la", "le", "el", "al", "bin", "af"}
    | {"van", "von", "der", "den", "of", "the"}
)
_EMPHASIS = "*_"

_MIN_SHARE = 1 / 3  # of the paragraphs begin with a speaker or a time in a transcript
# With this share, names that occur only once are speakers, too.
_MIN_SHARE_FOR_RARE_NAMES = 0.6
_MIN_RECURRING_SHARE = 0.5  # of the labels are names that recur; in a glossary none do
_MIN_TIMES = 3
# Stretches with times but no names are joined until a sentence ends after this many seconds, and
# for at most twice as long.
_MAX_STRETCH = 30.0


@dataclass(slots=True)
class _Label:
    name: str | None
    seconds: float | None
    length: int  # of the label, with the white space after it


def mark_speakers(lines: list[TextLine], groups: list[LineGroup]) -> list[LineGroup]:
    """Split off and mark the turns of a transcript; names and times are marks.

    What follows a turn without a label belongs to the same speaker: :func:`continue_turns`.
    """
    labels = _find_labels(lines, groups)
    if not labels:
        return groups
    groups = split_at(groups, set(labels))
    turns = [group for group in groups if group.is_free and group.first in labels]
    for group in turns:
        label, line = labels[group.first], lines[group.first]
        group.kind, group.speaker = "turn", label.name
        group.marks.append((line.start, line.start + label.length))
    _mark_times(turns, labels)
    has_names = any(label.name for label in labels.values())
    return groups if has_names else _join_stretches(lines, groups)


def continue_turns(groups: list[LineGroup]) -> None:
    """Let paragraphs after a turn belong to the same speaker, until a heading or another turn."""
    last: LineGroup | None = None
    for group in groups:
        if group.kind in {"turn", "heading"}:
            last = group
        elif group.is_free and last is not None and last.kind == "turn":
            group.kind, group.speaker, group.seconds = "turn", last.speaker, last.seconds


def is_name(text: str) -> bool:
    """Whether a text looks like the name of a speaker: a few words with capitals.

    >>> is_name("Erik St. Martin"), is_name("DR. VAN DYKE"), is_name("As they say")
    (True, True, False)
    """
    words = text.split()
    if not 1 <= len(words) <= _MAX_NAME_WORDS or len(text) > _MAX_NAME:
        return False
    first = words[0][0]
    if not first.isalpha() or first.islower() or _NOT_IN_NAMES.search(text):
        return False
    return all(not word[0].islower() or word.lower() in _PARTICLES for word in words[1:]) and not (
        words[-1].islower() and words[-1] in _PARTICLES
    )


def _find_labels(lines: list[TextLine], groups: list[LineGroup]) -> dict[int, _Label]:
    """Return the labels by their lines, if names recur or times go up, and enough have one."""
    found: dict[int, _Label] = {}
    for group in groups:
        if group.is_free:
            for i in range(group.first, group.stop):
                label = _label(lines[i].text)
                if label is not None:
                    found[i] = label
    n_groups = sum(group.is_free for group in groups)
    named = {i: label for i, label in found.items() if label.name}
    counts = Counter(label.name for label in named.values())
    recurring = {i: label for i, label in named.items() if counts[label.name] > 1}
    min_share = _MIN_SHARE if len(counts) > 1 else _MIN_SHARE_FOR_RARE_NAMES
    is_transcript = len(recurring) >= _MIN_RECURRING_SHARE * len(named) and len(recurring) >= max(
        2, min_share * n_groups
    )
    if is_transcript:
        takes_rare = len(named) >= _MIN_SHARE_FOR_RARE_NAMES * n_groups
        return named if takes_rare else recurring
    timed = {i: label for i, label in found.items() if label.seconds is not None}
    times = [label.seconds for label in timed.values() if label.seconds is not None]
    n_later = sum(a <= b for a, b in pairwise(times))
    goes_up = len(times) >= _MIN_TIMES and n_later == len(times) - 1
    return timed if goes_up and len(timed) >= _MIN_SHARE * n_groups else {}


def _label(text: str) -> _Label | None:
    start = len(text) - len(text.lstrip(_EMPHASIS)) if text[0] in _EMPHASIS else 0
    seconds = None
    if start == len(text):
        return None  # a line of asterisks
    if text[start] in "[(" or text[start].isdecimal():
        stamp = _STAMP.match(text, start)
        if stamp is None:
            return None
        seconds, start = _seconds(stamp), stamp.end()
    colon = _COLON.search(text, start, start + _MAX_NAME + 20)
    while colon is not None and text[colon.end() : colon.end() + 1].isdecimal():
        colon = _COLON.search(text, colon.end(), start + _MAX_NAME + 20)
    end = len(text) if colon is None else colon.start()
    name = text[start:end].strip(_EMPHASIS + " \t") if end - start <= _MAX_NAME + 20 else ""
    later = _STAMP_AT_END.search(name)
    if later is not None and later.start() > 0:
        seconds, name = _seconds(later), name[: later.start()]
    name = name.rstrip(" \t-–—,")
    is_label = (colon is not None and _ends_label(text, colon.end())) or later is not None
    if not (is_label and is_name(name)):
        return None if seconds is None or later is not None else _Label(None, seconds, start)
    rest = text[end + (colon is not None) :]
    length = len(text) - len(rest.lstrip(_EMPHASIS + " \t"))
    return _Label(name, seconds, length)


def _ends_label(text: str, after: int) -> bool:
    """Whether a colon is followed by white space, nothing, or was a wide one."""
    following = text[after : after + 1]
    return not following or following.isspace() or following in _EMPHASIS or text[after - 1] == "："


def _seconds(stamp: re.Match[str]) -> float:
    hours, minutes, seconds = stamp.groups()
    return int(hours or 0) * 3600.0 + int(minutes) * 60 + int(seconds)


def _mark_times(turns: list[LineGroup], labels: dict[int, _Label]) -> None:
    """Let each turn with a time last until the next one."""
    ends: float | None = None
    for group in reversed(turns):
        begins = labels[group.first].seconds
        if begins is not None:
            group.seconds = (begins, max(begins, begins if ends is None else ends))
            ends = begins


def _join_stretches(lines: list[TextLine], groups: list[LineGroup]) -> list[LineGroup]:
    """Join stretches of a recording without names: their edges may lie amid sentences."""
    joined: list[LineGroup] = []
    for group in groups:
        last = joined[-1] if joined else None
        if last is not None and last.seconds and group.kind == "turn" and group.seconds:
            passed = group.seconds[0] - last.seconds[0]
            is_open = not ends_sentence(lines[group.first - 1].text)
            if passed < _MAX_STRETCH or (is_open and passed < 2 * _MAX_STRETCH):
                last.stop, last.seconds = group.stop, (last.seconds[0], group.seconds[1])
                last.marks += group.marks
                continue
        joined.append(group)
    return joined
