"""The encoding of a file that does not declare one.

Old texts are in one of a few dozen encodings. Each is tried; the one that makes the bytes look most
like one language wins, by the letters that the language has beside a to z. On short texts in 23
languages that finds more than charset-normalizer does (``docs/files.md``), with nothing to install.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from docbats.readers.decoding import marked_encoding

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["declared_encoding", "guess_encoding"]

_META_CHARSET = re.compile(
    rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{2,40})""", re.IGNORECASE
)
_XML_ENCODING = re.compile(
    rb"""<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w.:-]{2,40})["']""", re.IGNORECASE
)
_HEAD_BYTES = 2048  # in which a page declares its encoding

_SAMPLE_BYTES = 100_000
_MIN_NON_ASCII = 8  # bytes; guesses from fewer would often be wrong
_MIN_SCORE = 0.85  # larger: fewer files are read, and fewer wrongly

_WESTERN = ("cp1252", "iso8859-15", "cp850", "mac-roman")
_CENTRAL = ("cp1250", "iso8859-2", "cp852")
_CYRILLIC = ("cp1251", "koi8-r", "koi8-u", "cp866", "iso8859-5", "mac-cyrillic")
_GREEK = ("cp1253", "iso8859-7")

# The letters of languages beside a to z, and the encodings that have them.
_LANGUAGE_LETTERS = (
    ("äöüß", _WESTERN),
    ("éèêëàâçîïôùûüœ", _WESTERN),
    ("áéíóúñü¿¡ºª", _WESTERN),
    ("ãõáéíóúâêôàç", _WESTERN),
    ("àèéìòùîº", _WESTERN),
    ("ëïéèöüóá", _WESTERN),
    ("åäöé", _WESTERN),
    ("æøåé", _WESTERN),
    ("áéíóúýþæöð", _WESTERN),
    ("çğıöşüâîİ", ("cp1254", "iso8859-9", "cp857")),
    ("ąćęłńóśźż", _CENTRAL),
    ("áčďéěíňóřšťúůýž", _CENTRAL),
    ("áäčďéíĺľňóôŕšťúýž", _CENTRAL),
    ("áéíóöőúüű", _CENTRAL),
    ("ăâîşţ", _CENTRAL),
    ("čćđšž", _CENTRAL),
    ("абвгдежзийклмнопрстуфхцчшщъыьэюяё", _CYRILLIC),
    ("абвгдежзийклмнопрстуфхцчшщьюяєіїґ", _CYRILLIC),
    ("αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ", _GREEK),
)
_COMMON_MARKS = "“”‘’„‚«»‹›–—…°§·•€\xa0\xad"  # may stand in any language

# Frequent characters of encodings with several bytes a character, and their share of a text.
_FREQUENT_CHARACTERS = (
    ("cp932", "のにはをたがでてとしれさいるなもこっンスルトー。、", 0.25),
    ("euc_jp", "のにはをたがでてとしれさいるなもこっンスルトー。、", 0.25),
    ("gb18030", "的一是不了在人有我他这中大来上个国到说们和地出也要时会可能。，", 0.10),
    ("big5", "的一是不了在人有我他這中大來上個國到說們和地出也要時會可能。，", 0.10),
    ("cp949", "이다는의에을를가은고지하로기도사한서시자", 0.15),
)


def declared_encoding(data: bytes) -> str | None:
    """Return the encoding that a page declares in its head, as browsers understand it."""
    found = _XML_ENCODING.search(data, 0, _HEAD_BYTES) or _META_CHARSET.search(data, 0, _HEAD_BYTES)
    if found is None:
        return None
    try:
        name = codecs.lookup(found[1].decode("ascii")).name
    except (LookupError, ValueError):
        return None
    return "cp1252" if name in {"iso8859-1", "ascii"} else name


def guess_encoding(data: bytes) -> str | None:
    """Guess an encoding from the bytes; None if they are too few, or nothing fits.

    >>> text = "Fünf Fledermäuse fliegen höher, über Dächer, für größere Käfer."
    >>> guess_encoding(text.encode("cp1252"))
    'cp1252'
    """
    if marked_encoding(data) is not None:
        return None
    if b"\0" in data:
        return _wide_encoding(data)
    sample = data[:_SAMPLE_BYTES]
    if sum(byte > 127 for byte in sample) < _MIN_NON_ASCII:
        return None
    best = max(_scores(sample), default=(0.0, ""), key=lambda score: score[0])
    return best[1] if best[0] >= _MIN_SCORE else None


def _scores(sample: bytes) -> Iterator[tuple[float, str]]:
    """Yield a score for each encoding that can decode the bytes, most often up to 1."""
    for encoding, frequent, share in _FREQUENT_CHARACTERS:
        text = _decoded(sample, encoding)
        if text is not None:
            non_ascii = [c for c in text if c > "\x7f"]
            found = sum(c in frequent for c in non_ascii) / len(non_ascii)
            yield 1.1 * min(1.0, found / share), encoding
    for letters, encodings in _LANGUAGE_LETTERS:
        for encoding in encodings:
            text = _decoded(sample, encoding)
            if text is not None:
                yield _fit(text, letters), encoding


def _decoded(sample: bytes, encoding: str) -> str | None:
    """Decode; the sample may end amid a character."""
    try:
        return codecs.getincrementaldecoder(encoding)().decode(sample)
    except UnicodeError:
        return None


def _fit(text: str, letters: str) -> float:
    """Return the share of the non-ASCII characters that a language would have at their place.

    A capital belongs at the beginning of a word, or among other capitals.
    """
    good = total = 0.0
    before = " "
    for character in text:
        if character > "\x7f":
            total += 1
            if character in letters:
                good += 1
            elif character in _COMMON_MARKS or (
                character.lower() in letters and not before.islower()
            ):
                good += 0.9
            elif not character.isprintable():
                good -= 2
        before = character
    return good / total


def _wide_encoding(data: bytes) -> str | None:
    """Recognize UTF-16 without a mark: in most texts every other byte is often zero."""
    sample = data[:_SAMPLE_BYTES]
    half = len(sample) // 2
    if len(data) % 2 or half < _MIN_NON_ASCII:
        return None
    low, high = sample[::2].count(0), sample[1::2].count(0)
    if high > 0.3 * half and low < 0.01 * half:
        return "utf-16-le"
    if low > 0.3 * half and high < 0.01 * half:
        return "utf-16-be"
    return None
