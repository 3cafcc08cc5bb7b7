"""Which language a text is in: by its script, and by the commonest words of each language."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache

from docbats.text.common_words import COMMON_WORDS, SPECIAL_LETTERS
from docbats.text.languages import LANGUAGES

__all__ = ["Detected", "detect_language"]

_SLICES, _SLICE = 10, 200  # a longer text is judged by so many pieces, of so many characters
_WORD = re.compile(r"[^\W\d_]+")
_KANA = re.compile("[\u3041-\u309f\u30a1-\u30fa]+")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
_CYRILLIC = re.compile("[\u0400-\u052f]+")
_LATIN = re.compile("[a-z\u00c0-\u024f\u1e00-\u1eff]+")
_SPECIAL = re.compile(r"[^\W\d_a-zа-шьюя]")
_OTHER_LETTER = re.compile(r"[^\W\d_a-z\u00c0-\u024f\u1e00-\u1eff]+")

_KANA_SHARE = 0.1  # of the characters of a Japanese text are kana at least; Chinese has none
_DENSE = 2.5  # letters of an alphabet that say as much as one character of Chinese or Japanese
_LEAST = 0.08  # of the words are common ones in any prose
_MOST = 0.05  # of the words, that one and the same counts for: a single one tells nothing
_SPECIAL_SHARE = 0.1  # letters that English does not have, a word, in a text that is not English
_FEW = 25  # words, below which a text may well lack common ones


@dataclass(frozen=True)
class Detected:
    """The language of a text.

    Attributes
    ----------
    code
        One of :data:`docbats.text.languages.LANGUAGES`, or None for any other language.
    is_doubtful
        Whether the text is long enough to tell, and does not.
    """

    code: str | None
    is_doubtful: bool = False


def detect_language(text: str) -> Detected:
    """Find the language that most of `text` is in.

    What cannot be told apart is taken for English.

    >>> detect_language("Die Fledermaus hört, was sie nicht sehen kann.").code
    'de'
    """
    sample = _sample(text).lower()
    by_script = None if sample.isascii() else _by_script(sample)
    return _by_words(sample) if by_script is None else by_script


def _sample(text: str) -> str:
    """Take pieces spread evenly over a long text."""
    if len(text) <= _SLICES * _SLICE:
        return text
    step = (len(text) - _SLICE) / (_SLICES - 1)
    return " ".join(text[int(i * step) : int(i * step) + _SLICE] for i in range(_SLICES))


def _by_script(sample: str) -> Detected | None:
    """Tell the languages that have a script of their own; None leaves it to the words."""
    other = _count(_OTHER_LETTER, sample)
    if not other:
        return None
    kana, han = _count(_KANA, sample), _count(_HAN, sample)
    alphabetic = _count(_LATIN, sample)
    other -= kana + han
    if _DENSE * (kana + han) > alphabetic + other:
        return Detected("ja" if kana > _KANA_SHARE * (kana + han) else "zh")
    cyrillic = _count(_CYRILLIC, sample)
    if other - cyrillic > max(alphabetic, cyrillic):
        return Detected(None)
    return None


def _count(characters: re.Pattern[str], sample: str) -> int:
    """Count characters, which the pattern takes in runs."""
    return sum(map(len, characters.findall(sample)))


def _by_words(sample: str) -> Detected:
    """Count common words and special letters of each language; the one with most of them it is.

    Where hardly any are found, English is the guess, but not for letters that it does not have.
    """
    languages_of = _languages_of()
    words = _WORD.findall(sample)
    letters = [] if sample.isascii() else _SPECIAL.findall(sample)
    hits = dict.fromkeys(COMMON_WORDS, 0)
    uses = Counter(words + letters)
    most = max(1, int(_MOST * len(words)))
    for sign in uses.keys() & languages_of.keys():
        for language in languages_of[sign]:
            hits[language] += min(uses[sign], most)
    best = max(hits, key=hits.__getitem__)
    if hits[best] >= max(2, _LEAST * len(words)):
        return Detected(best if best in LANGUAGES else None)
    is_long = len(words) >= _FEW
    if _count(_CYRILLIC, sample) > _count(_LATIN, sample):
        return Detected("ru", is_doubtful=is_long)
    if is_long and len(letters) > _SPECIAL_SHARE * len(words):
        return Detected(None)
    return Detected("en", is_doubtful=is_long)


@cache
def _languages_of() -> dict[str, tuple[str, ...]]:
    """Give the languages of each common word and of each special letter."""
    languages: dict[str, tuple[str, ...]] = {}
    for code, common in COMMON_WORDS.items():
        letters = SPECIAL_LETTERS.get(code, "")
        for sign in dict.fromkeys([*common.split(), *letters]):
            languages[sign] = (*languages.get(sign, ()), code)
    return languages
