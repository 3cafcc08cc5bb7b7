"""The titles of docbats, given the sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.pipeline import analyze
from docbats_lab.title_methods.title_method import TitleMethod

if TYPE_CHECKING:
    from docbats_lab.title_methods.title_method import SectionedText


def _rank(text: SectionedText) -> list[list[str]]:
    result = analyze(
        text.text, boundaries=text.starts, language=text.known_language, structure="ignore"
    )
    return [[segment.title] for segment in result.segments]


METHOD = TitleMethod("docbats", "this project", _rank, n_phrases=(1,))
