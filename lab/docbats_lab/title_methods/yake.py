"""YAKE, by its authors' program.

R. Campos et al., "YAKE! Keyword extraction from single documents using multiple local features",
Information Sciences 509, 2020; the package ``yake`` with its own settings.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from docbats.errors import MissingExtraError
from docbats_lab.title_methods.title_method import TitleMethod

if TYPE_CHECKING:
    from docbats_lab.title_methods.title_method import SectionedText


@cache
def _extractor(language: str) -> Any:
    try:
        import yake
    except ImportError as error:
        msg = "YAKE needs its authors' package: pip install yake"
        raise MissingExtraError(msg) from error
    return yake.KeywordExtractor(lan=language, n=3, top=2)


def _rank(text: SectionedText) -> list[list[str]]:
    # YAKE looks for blanks, so that it is given the words of Chinese and Japanese with blanks.
    sections = text.sections
    if text.language in {"zh", "ja"}:
        sections = tuple(
            " ".join(
                section.document.text[a:b]
                for a, b in zip(section.tokens.start, section.tokens.end, strict=True)
            )
            for section in text.prepared_sections
        )
    extract = _extractor(text.language).extract_keywords
    return [[phrase for phrase, _ in extract(section)] for section in sections]


METHOD = TitleMethod("YAKE", "Campos et al. 2020", _rank, extra="yake")
