"""Where sentences begin, by rules: for the languages that nupunkt was not trained on."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docbats.text.languages.language import Language

__all__ = ["ideographic_starts", "starts_after_stops"]

# A stop with what closes after it, and the white space up to the next sentence; then whatever may
# stand before its first letter. Amid a row of stops none is looked for again: it would take long.
_STOP = re.compile(
    r"""
    (?<![.!?…]) ([.!?…]++) (?: \s?[»›](?=\s) | ["'”’“«‹»›)\]*_] )*+
    (\s++)
    (?: ["'”’“„‚«‹»›¿¡(\[*_–—-]++ \s*+ )?
    """,
    re.VERBOSE,
)
_BEFORE = re.compile(r"(?:[^\W_]+[.\-’'])*[^\W_]+$")
_APOSTROPHE = re.compile("['’]")
_MAX_LOOKBEHIND = 40  # characters before a full stop that are looked at
_DOTTED = re.compile(r"[^\W\d_]{1,4}(?:\.[^\W\d_]{1,4})+")  # as "z.B" and "т.е"
_ROMAN = re.compile(r"[IVX]+")
_MAX_ORDINAL_DIGITS = 2
_UNIT = re.compile(r"\d\s?[^\W\d_]$")  # as in "18 h." and "1990 r."
_NUMBERED = re.compile(r"\.\s?\d+$|\d,\d+$")  # as in "S. 12." and "3,1."
_MAX_ABBREVIATION = 6  # letters of a word that is rather an abbreviation if a number follows

_OPENING, _CLOSING = "「『（“‘《", "」』）”’》"
_IDEOGRAPHIC = re.compile(rf"[{_OPENING}]|[{_CLOSING}]|[。！？｡]++|．(?!\w)|\n")
_MAX_QUOTE = 300  # characters; what is open for longer was never closed
_QUOTE_CONTINUATION = "[，、；：,]"  # in any language
_NEVER = "(?!)"  # matches nothing


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
    """Whether a full stop belongs to the word before it and the sentence goes on."""
    before = text[max(0, stop - _MAX_LOOKBEHIND) : stop]
    found = _BEFORE.search(before)
    if found is None:
        return False
    word = found[0]
    name = _APOSTROPHE.split(word.lower())[-1]
    may_end = _spaced_list_ending(language).search(before) or _UNIT.search(before)
    if may_end or name in language.list_endings:
        return not following.isupper()
    if name in language.abbreviations or _DOTTED.fullmatch(word):
        return True
    longest = _MAX_ABBREVIATION if following.isdecimal() else 1
    if word.isalpha() and len(word) <= longest:
        return True
    return language.has_ordinal_stops and _is_ordinal(word, before)


@cache
def _spaced_list_ending(language: Language) -> re.Pattern[str]:
    """Make the pattern of list endings that may be written with a space inside, as "т. д."."""
    dotted = [ending.split(".") for ending in sorted(language.list_endings) if "." in ending]
    endings = (r"\.\s?".join(map(re.escape, parts)) for parts in dotted)
    return re.compile(rf"\b(?:{'|'.join(endings)})$" if dotted else _NEVER)


def _is_ordinal(word: str, before: str) -> bool:
    short = word.isdecimal() and len(word) <= _MAX_ORDINAL_DIGITS
    return _ROMAN.fullmatch(word) is not None or (short and not _NUMBERED.search(before))


def ideographic_starts(text: str, language: Language) -> Iterator[int]:
    """Find where a sentence begins in Chinese or Japanese; a quotation is not cut."""
    continuation = _quote_continuation(language)
    depth = opened = 0
    ended = False  # whether a sentence ended inside the quotation that now closes
    for mark in _IDEOGRAPHIC.finditer(text):
        sign = mark[0]
        if depth and mark.start() - opened > _MAX_QUOTE:
            depth = 0
        if sign in _OPENING:
            opened = opened if depth else mark.start()
            depth += 1
            ended = False
        elif sign == "\n":
            depth = 0
        elif sign in _CLOSING:
            depth = max(0, depth - 1)
            if ended and not depth and not continuation.match(text, mark.end()):
                yield mark.end()
            ended = False
        elif depth:
            ended = True
        elif text[mark.end() : mark.end() + 1] not in _CLOSING:
            yield mark.end()


@cache
def _quote_continuation(language: Language) -> re.Pattern[str]:
    """Make the pattern of what goes on with a sentence that a quotation is part of."""
    return re.compile(rf"\s*(?:{_QUOTE_CONTINUATION}|{language.quote_continuation or _NEVER})")
