"""KeyBERT with MiniLM: the phrases whose vectors lie nearest to that of the section.

M. Grootendorst, "KeyBERT", 2020. The candidates are the noun phrases of the section, the fifty
that it uses most: all runs of one to three words would take the encoder hours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats_lab.title_methods.section_phrases import find_section_phrases
from docbats_lab.title_methods.title_method import TitleMethod

if TYPE_CHECKING:
    from docbats_lab.title_methods.section_phrases import SectionPhrases
    from docbats_lab.title_methods.title_method import SectionedText

_MAX_CANDIDATES = 50


def _best(section: str, found: SectionPhrases) -> list[str]:
    from docbats_lab.baselines.minilm import encode, encode_phrases

    order = sorted(range(len(found.phrases)), key=lambda i: -found.uses[i])[:_MAX_CANDIDATES]
    phrases = [found.spelling[i] for i in order]
    if not phrases:
        return [""]
    nearness = (encode_phrases(phrases) @ encode([section])[0]).round(5).tolist()
    ranked = sorted(range(len(phrases)), key=lambda i: -nearness[i])
    return [phrases[i] for i in ranked[:2]]


def _rank(text: SectionedText) -> list[list[str]]:
    found = map(find_section_phrases, text.prepared_sections)
    return [_best(*pair) for pair in zip(text.sections, found, strict=True)]


METHOD = TitleMethod("KeyBERT", "Grootendorst 2020 (MiniLM)", _rank, extra="neural")
