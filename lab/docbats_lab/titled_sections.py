"""Sections with their authors' headings, and how close a title is to a heading."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from docbats.document import Document
from docbats.text.languages import LANGUAGES, load_language
from docbats.text.words import normal_form, stemming, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from docbats_lab.documents import SectionedText, StructuredDocument

GENERIC = frozenset(
    re.split(
        r",\s+",
        """
    abstract, acceptance, acknowledgements, acknowledgments, appendix, architecture overview,
    background, backward compatibility, backwards compatibility, closing remarks,
    concluding remarks, conclusion, conclusions, discussion, example, examples, exercises, faq,
    final thoughts, foreword, further reading, future work, glossary, how to teach this,
    implementation, introduction, lessons learned, method, methods, motivation, next steps, notes,
    objectives, open issues, overview, pep rejection, preface, prerequisites, proposal, rationale,
    reference implementation, references, rejected alternatives, rejected ideas, rejection,
    rejection notice, related work, requirements, results, security implications, see also,
    specification, summary, summing up, use cases, what's next, wrapping up, conclusión,
    disposiciones generales, ejemplos, introducción, resumen, ve también, visión general,
    véase también, exemple, pour la suite, prérequis, résumé, voir aussi, conclusão, exemplos,
    introdução, resumo, введение, заключение, итоги, подведение итогов, примеры, смотрите также,
    まとめ, はじめに, 例, 概要, 結論, 関連情報, 前提条件,
    总结, 小结, 测试, 其他链接, 参见, 另见, 결론, 요약
    """.strip(),
    )
)
"""Headings that say nothing about their sections, in lower case; they are counted separately."""


@dataclass(frozen=True, eq=False)
class TitledDocument:
    """A document without headings, and the headings of its sections.

    Attributes
    ----------
    name, source
        Its own name, and the name of its source.
    text
        Its prose, and where its sections begin.
    headings
        The heading of each section; None for a section without one, and for a generic heading.
    n_generic
        The number of generic headings.
    """

    name: str
    source: str
    text: SectionedText
    headings: tuple[str | None, ...]
    n_generic: int

    @property
    def group(self) -> str:
        """The source, with the language if it is not English."""
        language = self.text.language
        return self.source if language == "en" else f"{self.source} ({language})"

    def scored(self) -> Iterator[tuple[int, frozenset[str]]]:
        """Yield the numbers of the sections that are scored, and the stems of their headings."""
        for i, heading in enumerate(self.headings):
            wanted = stems(heading, self.text.language) if heading else frozenset()
            if wanted:
                yield i, wanted


def read_titled(documents: Iterable[StructuredDocument]) -> list[TitledDocument]:
    """Return the documents that have sections with headings."""
    found = []
    for document in documents:
        text = document.without_headings()
        if any(text.headings):
            is_generic = [
                heading is not None and _plain(heading) in GENERIC for heading in text.headings
            ]
            headings = (
                None if generic else heading
                for heading, generic in zip(text.headings, is_generic, strict=True)
            )
            found.append(
                TitledDocument(
                    document.name, document.source, text, tuple(headings), sum(is_generic)
                )
            )
    return found


def _plain(title: str) -> str:
    return " ".join(title.lower().replace("’", "'").split())


@lru_cache(maxsize=50_000)
def stems(text: str, code: str) -> frozenset[str]:
    """Return the stems of the words of a text without stop words.

    >>> sorted(stems("Hunting with the bats", "en"))
    ['bat', 'hunt']
    """
    if not text.strip():
        return frozenset()
    language = load_language(code if code in LANGUAGES else None)
    document = Document(text, np.array([[0, len(text)]]))
    forms = [normal_form(form) for form in tokenize(document, language).forms]
    words = [
        form
        for form in forms
        if any(map(str.isalnum, form))
        and form not in language.stop_words
        and form not in language.elided_forms
    ]
    return frozenset(stemming(language.stemmer)(words)) if words else frozenset()


def f1(found: frozenset[str], wanted: frozenset[str]) -> float:
    """Return the harmonic mean of precision and recall of some stems."""
    return 2 * len(found & wanted) / max(1, len(found) + len(wanted))
