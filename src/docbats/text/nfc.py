"""Composed characters (NFC), in linear time whatever the text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from unicodedata import combining, normalize

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["compose", "has_accent_run"]

_LONG_STRETCH = re.compile(r"\S{200,}")
# Python sorts a run of accents by insertion: a run as long as a file would take minutes. No script
# has more than a few in a row, and Unicode's stream-safe format allows thirty.
_MAX_ACCENTS = 100


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
    """Whether there are so many accents in a row that other libraries would take minutes."""
    return not text.isascii() and next(_accent_runs(text), None) is not None


def _accent_runs(text: str) -> Iterator[tuple[int, int]]:
    """Yield where there is no blank around too many accents in a row."""
    for found in _LONG_STRETCH.finditer(text):
        run = 0
        for letter in "" if found[0].isascii() else found[0]:
            run = run + 1 if combining(letter) else 0
            if run > _MAX_ACCENTS:
                yield found.span()
                break
