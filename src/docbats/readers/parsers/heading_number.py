"""The number of a heading, apart from its title."""

from __future__ import annotations

import re

__all__ = ["is_only_number", "split_number"]

_WORDS = (
    "chapter|part|section|appendix|article|book|act|scene|lecture|lesson|unit|annex|"
    "kapitel|teil|abschnitt|anhang|artikel|chapitre|partie|annexe|section|livre|"
    "capítulo|capitulo|parte|sección|seccion|artículo|articulo|anexo|título|titulo|seção|artigo|"
    "capitolo|sezione|articolo|allegato|hoofdstuk|deel|bijlage|rozdział|część|глава|часть|раздел"
)
_NUMBER_WORDS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|"
    "sixteen|seventeen|eighteen|nineteen|twenty"
)
_NUMBER = re.compile(
    rf"(?:(?:{_WORDS})\s+(?:\d+(?:\.\d+)*|[ivxlcdm]+|[a-z]|{_NUMBER_WORDS})(?!\w)[.)]?"
    r"|§+\s*\d+[a-z]?(?!\w)[.)]?"
    r"|(?:[a-z]\.)?\d{1,3}(?:\.\d{1,3}){0,8}(?!\w)[.)]?"
    r"|[a-z](?:\.\d{1,3}){1,8}(?!\w)[.)]?"
    r"|(?:[ivxlc]{1,8}|[a-z])[.)])"
    r"(?=\s|$|[:—–])[\s:—–]*",
    re.IGNORECASE,
)


_WORD = re.compile(_WORDS, re.IGNORECASE)


def split_number(heading: str) -> tuple[str | None, str]:
    """Return the number of a heading as it is written, and the rest.

    >>> split_number("3.2 Iterators"), split_number("Chapter IV: The bats"), split_number("Bats")
    (('3.2', 'Iterators'), ('Chapter IV', 'The bats'), (None, 'Bats'))
    """
    found = _NUMBER.match(heading)
    if found is None:
        return None, heading
    return found[0].rstrip(" \t\n:—–"), heading[found.end() :]


def is_only_number(heading: str) -> bool:
    """Whether a heading, or the first line of one, is nothing but a word and a number of chapters.

    >>> is_only_number("Chapter 2"), is_only_number("CHAPTER"), is_only_number("12")
    (True, True, False)
    """
    if not _WORD.match(heading):
        return False
    return _WORD.fullmatch(heading) is not None or not split_number(heading)[1]
