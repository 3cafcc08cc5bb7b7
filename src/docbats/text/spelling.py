"""One spelling for texts that look the same, and none of the marks for terminals and printers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import category, combining, is_normalized, normalize

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

_LONG_STRETCH = re.compile(r"\S{200,}")
# Python sorts a run of accents by insertion: a run as long as a file would take minutes. No script
# has more than a few in a row, and Unicode's stream-safe format allows thirty.
_MAX_ACCENTS = 100
_MANY_MARKS = re.compile(r"[^\x00-\u02ff\w\s]{100}")  # accents are among them
_UNSEEN = re.compile("[\xad\u2060]")  # soft hyphens and word joiners
_ACCENTED = re.compile(r"\S?[^\x00-\u02ff\s]+")
_JAMO = range(0x1160, 0x1200)  # vowels and final consonants, which join the letter before them


def compose(text: str) -> str:
    r"""Compose letters and their accents; what has far too many accents in a row stays as it is.

    >>> compose("Cafe\u0301") == "Caf\xe9"
    True
    """
    if text.isascii():
        return text
    pieces: list[str] = []
    done = 0
    for start, end in _accent_runs(text):
        pieces += [normalize("NFC", text[done:start]), text[start:end]]
        done = end
    return "".join([*pieces, normalize("NFC", text[done:])])


def has_accent_run(text: str) -> bool:
    """Whether there are too many accents in a row, for which other libraries take minutes."""
    return next(_accent_runs(text), None) is not None


def _accent_runs(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans without a blank that have too many accents in a row."""
    if text.isascii() or _MANY_MARKS.search(text) is None:
        return
    for found in _LONG_STRETCH.finditer(text):
        run = 0
        for letter in "" if found[0].isascii() else found[0]:
            run = run + 1 if combining(letter) else 0
            if run > _MAX_ACCENTS:
                yield found.span()
                break


def spelled(text: str) -> str:
    r"""Return a text with composed letters and without soft hyphens.

    >>> spelled("Cafe\u0301 is op\xaden") == "Caf\xe9 is open"
    True
    """
    found = respell(text)
    return text if found is None else found.text


class Respelled(NamedTuple):
    """A text in another spelling, and the half-open span of each character as it was written."""

    text: str
    start: NDArray[np.int64]
    end: NDArray[np.int64]


def respell(text: str) -> Respelled | None:
    """Respell a text like :func:`spelled`; None if that changes nothing."""
    if text.isascii():
        return None
    dropped = [sign.start() for sign in _UNSEEN.finditer(text)]
    shown = _UNSEEN.sub("", text) if dropped else text
    is_composed = has_accent_run(shown) or is_normalized("NFC", shown)
    if is_composed and not dropped:
        return None
    start = np.delete(np.arange(len(text)), dropped)
    if is_composed:
        return Respelled(shown, start, start + 1)
    composed, first, last = _compose_with_places(shown)
    return Respelled(composed, start[first], start[last] + 1)


def _compose_with_places(text: str) -> tuple[str, NDArray[np.int64], NDArray[np.int64]]:
    """Return the composed text, and the first and the last character of each as it was written."""
    pieces: list[str] = []
    done = 0
    dropped: list[int] = []
    last = np.arange(len(text))
    for begin, stop in _clusters(text):
        composed = normalize("NFC", text[begin:stop])
        kept = begin + len(composed)
        if kept > stop:
            continue  # a few letters have no composed form
        pieces += [text[done:begin], composed]
        done = stop
        last[kept - 1] = stop - 1
        dropped += range(kept, stop)
    composed = "".join([*pieces, text[done:]])
    return composed, np.delete(np.arange(len(text)), dropped), np.delete(last, dropped)


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of letters with their accents, where these may be composed."""
    for found in _ACCENTED.finditer(text):
        if is_normalized("NFC", found[0]):
            continue
        begin, end = found.span()
        for at in range(begin + 1, end + 1):
            joins = at < end and (category(text[at])[0] == "M" or ord(text[at]) in _JAMO)
            if not joins:
                if not is_normalized("NFC", text[begin:at]):
                    yield begin, at
                begin = at


# Colours and links; characters printed over each other, for bold and underlined ones, of which the
# last counts; and what tells the program `info` of an index or an image.
_TERMINAL_MARK = re.compile(
    r"\x00\x08\[(?:index|image)[^\x00]{0,1000}\x00\x08\]"
    r"|\x1b\[[0-?]{0,40}[ -/]{0,4}[@-~]"
    r"|\x1b\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)"
    r"|\x1b[()][0-9A-Z]"
    r"|[^\n\x08]?\x08"
)


def terminal_marks(text: str) -> Iterator[re.Match[str]]:
    """Yield the marks in a text, in order."""
    has_marks = "\x1b" in text or "\x08" in text
    return _TERMINAL_MARK.finditer(text) if has_marks else iter(())


def without_terminal_marks(text: str) -> str:
    r"""Return what a text looks like on a screen.

    >>> without_terminal_marks("\x1b[1mN\bNA\bAM\bME\bE\x1b[0m of a _\bb_\ba_\bt")
    'NAME of a bat'
    """
    has_marks = "\x1b" in text or "\x08" in text
    return _TERMINAL_MARK.sub("", text) if has_marks else text
