"""The first six words of a section."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats_lab.title_methods.title_method import TitleMethod

if TYPE_CHECKING:
    from docbats_lab.title_methods.title_method import SectionedText

_N_WORDS = 6
_N_CHARACTERS = 15  # of a language without spaces between words


def _rank(text: SectionedText) -> list[list[str]]:
    if text.language in {"zh", "ja"}:
        return [[section[:_N_CHARACTERS]] for section in text.sections]
    return [[" ".join(section.split()[:_N_WORDS])] for section in text.sections]


METHOD = TitleMethod("first words", "a baseline", _rank, n_phrases=(1,))
