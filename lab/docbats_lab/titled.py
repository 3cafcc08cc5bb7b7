"""Documents with the headings of their sections, and how near a title is to a heading."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
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
    """A document without headings, and the headings of its sections."""

    name: str
    source: str
    text: SectionedText
    headings: tuple[str | None, ...]  # None for a section without a heading, or a generic one
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


_MIN_TEMPLATE_SOURCES = 8  # a heading of as many sources is that of a role,
_MIN_TEMPLATE_DOCUMENTS = 3  # and one of as many documents of a source, and of this share of them,
_MIN_TEMPLATE_SHARE = 0.1  # is of its template


def without_templates(documents: Iterable[TitledDocument]) -> list[TitledDocument]:
    """Return the documents without headings that many share, which say nothing of the words below.

    These are the headings of many sources, and those of many documents of one source.
    """
    documents = list(documents)
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    size = Counter(document.source for document in documents)
    for document in documents:
        for heading in filter(None, document.headings):
            found[document.source, _plain(heading)].add(document.name)
    sources = Counter(heading for _, heading in found)
    templates = {
        (source, heading)
        for (source, heading), names in found.items()
        if sources[heading] >= _MIN_TEMPLATE_SOURCES
        or len(names) >= max(_MIN_TEMPLATE_DOCUMENTS, _MIN_TEMPLATE_SHARE * size[source])
    }
    kept = []
    for document in documents:
        headings = tuple(
            None if heading and (document.source, _plain(heading)) in templates else heading
            for heading in document.headings
        )
        n_templates = sum(map(bool, document.headings)) - sum(map(bool, headings))
        kept.append(
            replace(document, headings=headings, n_generic=document.n_generic + n_templates)
        )
    return kept
