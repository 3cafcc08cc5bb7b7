"""Where sentences begin, by rules: for the languages that nupunkt was not trained on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docbats.text.languages.language import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docbats.text.languages.language import Language

__all__ = ["ideographic_starts", "starts_after_stops"]

# A stop with what closes after it, and the white space up to the next sentence; then whatever may
# stand before its first letter.
_STOP = re.compile(
    r"""
    ([.!?…]++) (?: \s?[»›](?=\s) | ["'”’“«‹»›)\]*_] )*+
    (\s++)
    (?: ["'”’“„‚«‹»›¿¡(\[*_–—-]++ \s*+ )?
    """,
    re.VERBOSE,
)
_BEFORE = re.compile(r"(?:[^\W_]+[.\-’'])*[^\W_]+$")
_APOSTROPHE = re.compile("['’]")
_LONGEST_WORD = 40  # characters before a full stop that are looked at
_DOTTED = re.compile(r"[^\W\d_]{1,4}(?:\.[^\W\d_]{1,4})+")  # as "z.B" and "т.е"
_ROMAN = re.compile(r"[IVX]+")
_LARGEST_ORDINAL = 2  # digits
# Abbreviations that often end a sentence: a capital after them decides.
_LAST_OF_LIST = words("etc ecc usw usf enz itd itp др пр т.д т.п")
_LAST_IN_TWO = re.compile(r"\bт\.\s?[дп]$")
_UNIT = re.compile(r"\d\s?[^\W\d_]$")  # as in "18 h." and "1990 r."
_NUMBERED = re.compile(r"\.\s?\d+$|\d,\d+$")  # as in "S. 12." and "3,1."
_SHORT_WORD = 6  # letters of a word that is rather an abbreviation if a number follows

_OPENING, _CLOSING = "「『（“‘《", "」』）”’》"
_IDEOGRAPHIC = re.compile(rf"[{_OPENING}]|[{_CLOSING}]|[。！？｡]++|．(?!\w)|\n")
_LONGEST_QUOTE = 300  # characters; what is open for longer was never closed
# What goes on with a sentence that a quotation is part of.
_GOING_ON = re.compile(
    r"\s*(?:[，、；：,]|[とのはがをにでも的]|って|[^，。！？\s]{1,5}[说說问問道喊][，。：])"
)


def starts_after_stops(text: str, language: Language) -> Iterator[int]:
    """Find where a sentence begins after a full stop, a question mark or the like."""
    for stop in _STOP.finditer(text):
        following = text[stop.end() : stop.end() + 1]
        if following.islower() or following in {"", ",", ";"}:
            continue
        if stop[1] == "." and _goes_on(text, stop.start(), following, language):
            continue
        yield stop.end(2)


def _goes_on(text: str, stop: int, following: str, language: Language) -> bool:
    """Tell a full stop that belongs to the word before it."""
    before = text[max(0, stop - _LONGEST_WORD) : stop]
    found = _BEFORE.search(before)
    if found is None:
        return False
    word = found[0]
    name = _APOSTROPHE.split(word.lower())[-1]
    if name in _LAST_OF_LIST or _LAST_IN_TWO.search(before) or _UNIT.search(before):
        return not following.isupper()
    if name in language.abbreviations or _DOTTED.fullmatch(word):
        return True
    if word.isalpha() and (len(word) == 1 or (following.isdecimal() and len(word) <= _SHORT_WORD)):
        return True
    return language.ordinals and _is_ordinal(word, before)


def _is_ordinal(word: str, before: str) -> bool:
    short = word.isdecimal() and len(word) <= _LARGEST_ORDINAL
    return _ROMAN.fullmatch(word) is not None or (short and not _NUMBERED.search(before))


def ideographic_starts(text: str) -> Iterator[int]:
    """Find where a sentence begins in Chinese or Japanese; a quotation is not cut."""
    depth = opened = 0
    ended = False  # whether a sentence ended inside the quotation that now closes
    for mark in _IDEOGRAPHIC.finditer(text):
        sign = mark[0]
        if depth and mark.start() - opened > _LONGEST_QUOTE:
            depth = 0
        if sign in _OPENING:
            opened = opened if depth else mark.start()
            depth += 1
            ended = False
        elif sign == "\n":
            depth = 0
        elif sign in _CLOSING:
            depth = max(0, depth - 1)
            if ended and not depth and not _GOING_ON.match(text, mark.end()):
                yield mark.end()
            ended = False
        elif depth:
            ended = True
        elif text[mark.end() : mark.end() + 1] not in _CLOSING:
            yield mark.end()
