"""Which language a text is in: by its script, and by the commonest words of each language."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache

from docbats.text.languages import LANGUAGES, load_language

__all__ = ["DetectedLanguage", "detect_language"]

_WORD = re.compile(r"[^\W\d_]+")
_KANA = re.compile("[\u3041-\u309f\u30a1-\u30fa]+")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
_CYRILLIC = re.compile("[\u0400-\u052f]+")
_LATIN = re.compile("[a-z\u00c0-\u024f\u1e00-\u1eff]+")
_SPECIAL_LETTER = re.compile(r"[^\W\d_a-zа-шьюя]")
_OTHER_LETTER = re.compile(r"[^\W\d_a-z\u00c0-\u024f\u1e00-\u1eff]+")

# What a text is taken for whose words do not tell, by its script.
_KANA_DEFAULT, _HAN_DEFAULT, _CYRILLIC_DEFAULT, _DEFAULT = "ja", "zh", "ru", "en"

_N_PIECES, _PIECE_SIZE = 10, 200  # a longer text is judged by so many pieces of so many characters
_MIN_KANA_SHARE = 0.1  # of the characters of a Japanese text are kana; Chinese has none
_LETTERS_PER_CHARACTER = 2.5  # of an alphabet, that say as much as one of Chinese or Japanese
_MIN_COMMON_SHARE = 0.08  # of the words are common ones in any prose
_MAX_WORD_SHARE = 0.05  # of the words, that one and the same counts for: a single one tells nothing
_MAX_SPECIAL_RATE = 0.1  # letters a word that the default language does not have
_MIN_TELLING_WORDS = 25  # a text with fewer may well lack common ones


@dataclass(frozen=True)
class DetectedLanguage:
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


def detect_language(text: str) -> DetectedLanguage:
    """Detect the language that most of `text` is in.

    A text that does not tell is taken for English.

    >>> detect_language("Die Fledermaus hört, was sie nicht sehen kann.").code
    'de'
    """
    sample = _sample(text).lower()
    by_script = None if sample.isascii() else _detect_by_script(sample)
    return _detect_by_words(sample) if by_script is None else by_script


def _sample(text: str) -> str:
    """Take pieces spread evenly over a long text."""
    if len(text) <= _N_PIECES * _PIECE_SIZE:
        return text
    step = (len(text) - _PIECE_SIZE) / (_N_PIECES - 1)
    starts = [int(i * step) for i in range(_N_PIECES)]
    return " ".join(text[start : start + _PIECE_SIZE] for start in starts)


def _detect_by_script(sample: str) -> DetectedLanguage | None:
    """Detect the languages that have a script of their own; None leaves it to the words."""
    other = _count(_OTHER_LETTER, sample)
    if not other:
        return None
    kana, han = _count(_KANA, sample), _count(_HAN, sample)
    alphabetic = _count(_LATIN, sample)
    other -= kana + han
    if _LETTERS_PER_CHARACTER * (kana + han) > alphabetic + other:
        has_kana = kana > _MIN_KANA_SHARE * (kana + han)
        return DetectedLanguage(_KANA_DEFAULT if has_kana else _HAN_DEFAULT)
    cyrillic = _count(_CYRILLIC, sample)
    if other - cyrillic > max(alphabetic, cyrillic):
        return DetectedLanguage(None)
    return None


def _count(characters: re.Pattern[str], sample: str) -> int:
    """Count characters, which the pattern takes in runs."""
    return sum(map(len, characters.findall(sample)))


def _detect_by_words(sample: str) -> DetectedLanguage:
    """Choose the language with most common words and special letters.

    Where hardly any are found the default is chosen, but not for letters that it does not have.
    """
    languages_of = _languages_of_signs()
    words = _WORD.findall(sample)
    letters = [] if sample.isascii() else _SPECIAL_LETTER.findall(sample)
    hits = dict.fromkeys(_signs_of_languages(), 0)
    uses = Counter(words + letters)
    most = max(1, int(_MAX_WORD_SHARE * len(words)))
    for sign in uses.keys() & languages_of.keys():
        for language in languages_of[sign]:
            hits[language] += min(uses[sign], most)
    best = max(hits, key=hits.__getitem__)
    if hits[best] >= max(2, _MIN_COMMON_SHARE * len(words)):
        return DetectedLanguage(best if best in LANGUAGES else None)
    is_long = len(words) >= _MIN_TELLING_WORDS
    if _count(_CYRILLIC, sample) > _count(_LATIN, sample):
        return DetectedLanguage(_CYRILLIC_DEFAULT, is_doubtful=is_long)
    if is_long and len(letters) > _MAX_SPECIAL_RATE * len(words):
        return DetectedLanguage(None)
    return DetectedLanguage(_DEFAULT, is_doubtful=is_long)


@cache
def _signs_of_languages() -> dict[str, frozenset[str]]:
    """Return the common words and special letters of each language, those of docbats first."""
    from docbats.text.other_languages import COMMON_WORDS, SPECIAL_LETTERS

    ours = {code: load_language(code) for code in LANGUAGES}
    signs = {
        code: language.common_words.union(language.special_letters)
        for code, language in ours.items()
    }
    for code, words in COMMON_WORDS.items():
        signs.setdefault(code, frozenset([*words.split(), *SPECIAL_LETTERS.get(code, "")]))
    return signs


@cache
def _languages_of_signs() -> dict[str, list[str]]:
    """Return the languages of each common word and of each special letter."""
    languages: dict[str, list[str]] = {}
    for code, signs in _signs_of_languages().items():
        for sign in signs:
            languages.setdefault(sign, []).append(code)
    return languages
