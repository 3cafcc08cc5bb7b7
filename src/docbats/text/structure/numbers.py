"""The numbers of headings: "2.3", "IV.", "Chapter 4", "§ 5", and whether they follow each other."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from docbats.text.languages.language import Language

__all__ = ["HeadingNumber", "in_sequence", "parse_number"]

_DECIMAL = re.compile(r"(\d{1,5}(?:\.\d{1,3}){0,5})(\.?)[ \t\u3000]+(?=\S)|(\d{1,3})、\s*")
_ROMAN = re.compile(r"([IVXLC]{1,7})(?:\.(?:[ \t]+|$)|$)")
_LETTER = re.compile(r"([A-Z])\.[ \t]+(?=\S)")
_PARAGRAPH_SIGN = re.compile(r"§{1,2}\s?(\d{1,4})[a-z]?\.?(?=\s|$)[ \t]*")
_IDEOGRAPHIC_NUMBER = "0-9０-９〇零一二三四五六七八九十百千"
_DIGITS = {sign: i for i, sign in enumerate("〇一二三四五六七八九")} | {"零": 0}
_POWERS = {"十": 10, "百": 100, "千": 1000}
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_ALWAYS_ROMAN = frozenset("IVX")  # as single letters; C may be the third of a row of letters
_MAX_STEP = 3  # by which numbers that follow each other may differ, where headings are missed
_MAX_FIRST = 3  # number of a row


class HeadingNumber(NamedTuple):
    """The number of a heading.

    Attributes
    ----------
    style
        ``"1"``, ``"I"``, ``"A"``, ``"§"``, or the word before the number, such as "chapter".
    values
        The number, and those below it in "2.3".
    length
        How many characters it takes, with the white space after it.
    written
        As it is written, such as "Chapter 4".
    """

    style: str
    values: tuple[int, ...]
    length: int
    written: str

    @property
    def has_word(self) -> bool:
        """Whether a word or sign says that it is the number of a heading."""
        return len(self.style) > 1 or not self.style.isascii()


def parse_number(text: str, language: Language) -> HeadingNumber | None:
    """Return the number that `text` begins with; None if there is none.

    >>> from docbats.text.languages import load_language
    >>> parse_number("Chapter 4: The Storm", load_language("en")).written
    'Chapter 4'
    """
    first = text[0]
    if first.isdecimal() and (match := _DECIMAL.match(text)):
        values = tuple(map(int, (match[1] or match[3]).split(".")))
        return HeadingNumber("1", values, match.end(), match[0].rstrip())
    if first == "§" and (match := _PARAGRAPH_SIGN.match(text)):
        return HeadingNumber("§", (int(match[1]),), match.end(), match[0].rstrip())
    if first in _ROMAN_VALUES and (match := _ROMAN.match(text)):
        value = _roman(match[1])
        if value and (len(match[1]) > 1 or match[1] in _ALWAYS_ROMAN):
            return HeadingNumber("I", (value,), match.end(), match[0].rstrip())
    if match := _section_pattern(language).match(text):
        section = _value(match["value"])
        if section is not None:
            written = match["number"].rstrip()
            return HeadingNumber(match["word"].lower(), (section,), match.end(), written)
    if match := _LETTER.match(text):
        return HeadingNumber("A", (ord(match[1]) - ord("A") + 1,), match.end(), match[0].rstrip())
    return None


def in_sequence(numbers: Iterable[HeadingNumber]) -> list[bool]:
    """Whether each number follows the one before it of its style; a row has at least two.

    Numbers may begin again at one. A number with a word needs no others.
    """
    numbers = list(numbers)
    follows: list[bool] = []
    last: dict[str, HeadingNumber] = {}
    n_in_row: dict[str, int] = {}
    for number in numbers:
        before = last.get(number.style)
        fits = number.has_word or _follows(None if before is None else before.values, number.values)
        follows.append(fits)
        if fits:
            last[number.style] = number
            n_in_row[number.style] = n_in_row.get(number.style, 0) + 1
    return [
        fits and (number.has_word or n_in_row[number.style] > 1)
        for fits, number in zip(follows, numbers, strict=True)
    ]


def _follows(before: tuple[int, ...] | None, values: tuple[int, ...]) -> bool:
    if before is None:
        return len(values) > 1 or values[0] <= _MAX_FIRST
    if all(value <= 1 for value in values):
        return True
    at = 0
    while at < min(len(before), len(values)) and before[at] == values[at]:
        at += 1
    if at == len(values):
        return False
    step = values[at] - (before[at] if at < len(before) else 0)
    return 1 <= step <= _MAX_STEP and all(value <= _MAX_FIRST for value in values[at + 1 :])


@cache
def _section_pattern(language: Language) -> re.Pattern[str]:
    """Make the pattern of "Chapter 4", or of "第四章" in languages without spaces."""
    words = "|".join(map(re.escape, sorted(language.section_words, key=len, reverse=True)))
    if not words:
        return re.compile("(?!)")
    if not language.writes_spaces:
        return re.compile(
            rf"(?P<number>第\s?(?P<value>[{_IDEOGRAPHIC_NUMBER}]{{1,6}})\s?(?P<word>{words}))"
            r"(?=[\s：:、．.・—]|$|\w)[\s：:、．.・—]*"
        )
    return re.compile(
        rf"(?P<number>(?P<word>(?i:{words}))\.?[ \t]+"
        r"(?P<value>\d{1,4}|[IVXLC]{1,7}|[A-Z])(?:\.\d{1,3})*(?:\.?[ªº°])?\b\.?)"
        r"(?=[\s:–—-]|$)[ \t]*(?:[:–—-][ \t]*)?"
    )


def _value(written: str) -> int | None:
    """Return a number in digits, Roman, ideographic or as a letter."""
    if written.isdecimal():
        return int(written)
    if written[0] in _DIGITS or written[0] in _POWERS:
        return _ideographic(written)
    value = _roman(written)
    if value:
        return value
    return ord(written) - ord("A") + 1 if len(written) == 1 and written.isascii() else None


def _roman(written: str) -> int:
    """Return the value of a Roman number; 0 if it is none."""
    if any(sign not in _ROMAN_VALUES for sign in written):
        return 0
    value = 0
    for sign, following in zip(written, [*written[1:], ""], strict=True):
        own = _ROMAN_VALUES[sign]
        value += -own if following and _ROMAN_VALUES[following] > own else own
    return value


def _ideographic(written: str) -> int:
    value = digit = 0
    for sign in written:
        if sign in _POWERS:
            value += (digit or 1) * _POWERS[sign]
            digit = 0
        else:
            digit = 10 * digit + (_DIGITS[sign] if sign in _DIGITS else int(sign))
    return value + digit
