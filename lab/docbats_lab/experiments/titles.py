"""Titles of given sections, and labels of topics, against the headings of authors.

Also fits the weights of the ranker of titles.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from scipy.optimize import minimize

from docbats.document import Document
from docbats.pipeline import analyze, prepare
from docbats.runtime import find_versions
from docbats.settings import Settings
from docbats.text.languages import LANGUAGES, load_language
from docbats.text.words import normal_form, stemming, tokenize
from docbats.titles.phrases import phrases_of
from docbats.titles.titles import (
    FEATURES,
    TITLE_WEIGHTS,
    SentenceGroups,
    find_candidates,
    title_segments,
)
from docbats_lab.documents import read_structured
from docbats_lab.experiments.request import map_with_progress
from docbats_lab.report.tables import format_number, markdown_table, named_table
from docbats_lab.results import read_facts, write_facts
from docbats_lab.score_summary import bootstrap
from docbats_lab.title_methods import TITLE_METHODS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from docbats_lab.documents import SectionedText, StructuredDocument
    from docbats_lab.experiments.request import Request

    Floats = NDArray[np.float64]
    Scores = dict[str, list[tuple[str, float, bool]]]


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


Result = TypeVar("Result")

_REGULARIZATION = 3e-4  # for features of unit deviation; larger: smaller weights
_START_SCALE = 1.5  # the solution of the convex problem is stretched by this, to start from
_TINY = 1e-30


OURS = "docbats"
CONFIRMING_SOURCES = ("pro-git", "rust-book", "standard-ebooks", "turing-way")
"""The English sources that weights are confirmed on; they are fitted to the others."""
_N_LABEL_WORDS = 3
_INTRODUCTION = (
    "Each document is given without its headings but with its true sections "
    "(`docbats.analyze(text, boundaries=...)`), and the title of each section is compared with the "
    "author's heading: F1 of their stems without stop words, and how often these are the same. "
    'Headings that say nothing about their sections ("Introduction", "Abstract") are left out and '
    "counted separately. The other methods get the text of the section, and tf-idf also the other "
    "sections. YAKE is its authors' program; RAKE, TextRank and PositionRank are our "
    "implementations of their papers; KeyBERT ranks the fifty most frequent noun phrases of a "
    "section by all-MiniLM-L6-v2.\n"
)
_CONFIRMED = (
    "\n## Confirmed on other sources\n\nThe weights of the ranker, fitted to four English sources, "
    f"on the four others ({', '.join(CONFIRMING_SOURCES)}) and on the other languages: our F1 "
    "minus that of each other method, with 95 % intervals of a paired bootstrap over sections; a "
    "star marks intervals without zero. The features and the lag of a second phrase were chosen by "
    "their scores on left-out English sources, all eight of them.\n"
)
_LEFT_OUT = (
    "\n## Weights of other sources\n\nF1 with the weights in the package, which were fitted to all "
    "English sources; with the weights of the four sources above; and for each English source with "
    "weights fitted to the seven others.\n"
)
_LABELS = (
    "\n## Labels of topics\n\nF1 of the label of a section's strongest topic with the section's "
    "heading, and the same for the topic's three best words.\n"
)


@dataclass(frozen=True, eq=False)
class RankedSection:
    """The phrases that may title a section: their features, and their F1 with its heading."""

    source: str
    features: Floats
    scores: Floats


def rank_sections(document: TitledDocument) -> list[RankedSection]:
    """Return the candidates of each section that is scored."""
    text = document.text
    prepared = prepare(text.text, Settings(language=text.known_language))
    phrases = phrases_of(prepared)
    starts = np.searchsorted(prepared.document.spans[:, 0], text.starts)
    found = find_candidates(phrases, SentenceGroups.of_segments(starts, len(prepared)))
    features = np.column_stack([found.features[name] for name in FEATURES])
    sections = []
    for i, wanted in document.scored():
        rows = np.flatnonzero((found.group == i) & found.is_title)
        if len(rows):
            words = (phrases.word_set(phrase) for phrase in found.phrase[rows].tolist())
            titles = (" ".join(phrases.names[word] for word in each) for each in words)
            scores = np.array([f1(stems(title, text.language), wanted) for title in titles])
            sections.append(RankedSection(document.source, features[rows], scores))
    return sections


def fit_weights(sections: Sequence[RankedSection]) -> dict[str, float]:
    """Fit the weights under which a phrase drawn by its score has the highest expected F1.

    A phrase is drawn with a probability proportional to the exponential of its score. Each source
    counts the same. The search starts from the weights that make the good phrases most likely.
    """
    X = np.concatenate([section.features for section in sections])
    y = np.concatenate([section.scores for section in sections])
    size = np.array([len(section.scores) for section in sections])
    edges = np.cumsum(size) - size
    uses = Counter(section.source for section in sections)
    importance = np.array([1 / uses[section.source] for section in sections])
    importance /= importance.sum()
    scale = X.std(axis=0) + 1e-9
    X = (X - X.mean(axis=0)) / scale
    wanted = y / np.repeat(np.maximum(np.add.reduceat(y, edges), _TINY), size)

    def draw(weights: Floats) -> Floats:
        z = X @ weights
        p = np.exp(z - np.repeat(np.maximum.reduceat(z, edges), size))
        drawn: Floats = p / np.repeat(np.add.reduceat(p, edges), size)
        return drawn

    each = np.repeat(importance, size)

    def likelihood(weights: Floats) -> tuple[float, Floats]:
        p = draw(weights)
        has = np.repeat(np.add.reduceat(wanted, edges), size) * each
        value = -(each * wanted * np.log(p + _TINY)).sum() + _REGULARIZATION * (weights @ weights)
        return float(value), -(X.T @ (each * wanted - has * p)) + 2 * _REGULARIZATION * weights

    def expected_f1(weights: Floats) -> tuple[float, Floats]:
        p = draw(weights)
        expected = np.add.reduceat(p * y, edges)
        value = -(importance @ expected) + _REGULARIZATION * (weights @ weights)
        slope = X.T @ (p * (y - np.repeat(expected, size)) * each)
        return float(value), -slope + 2 * _REGULARIZATION * weights

    options = {"maxiter": 1000, "ftol": 1e-12, "gtol": 1e-8}
    start = np.zeros(X.shape[1])
    for target, stretch in ((likelihood, _START_SCALE), (expected_f1, 1.0)):
        found = minimize(target, start, jac=True, method="L-BFGS-B", options=options)
        start = found.x * stretch
    return {
        name: round(float(weight), 2) for name, weight in zip(FEATURES, start / scale, strict=True)
    }


def titles_by(document: TitledDocument, weights: Sequence[Mapping[str, float]]) -> list[list[str]]:
    """Return the titles of the sections by each of several weights."""
    text = document.text
    prepared = prepare(text.text, Settings(language=text.known_language))
    phrases = phrases_of(prepared)
    starts = np.searchsorted(prepared.document.spans[:, 0], text.starts)
    return [
        list(title_segments(prepared.document, phrases, starts, weights=each)) for each in weights
    ]


def run(request: Request) -> None:
    """Score all ways to title sections, fit the weights, and compare on other sources."""
    sources = read_structured(request.data, request.limit)
    documents = read_titled(each for found in sources.values() for each in found)
    methods = request.choose_methods([name for name in TITLE_METHODS if name != OURS])

    def each_document(label: str, function: Callable[[TitledDocument], Result]) -> list[Result]:
        return map_with_progress(request, f"titles: {label}", function, documents)

    ranked = _by_source(documents, each_document("rank", rank_sections))
    weights = _fit(ranked)
    fitted = each_document("ours", partial(_titles_by_weights, weights=weights))
    scored = each_document("peers", partial(_titles_by_methods, methods=methods))
    labels = each_document("labels", _labels)
    by_weights = _collect(documents, fitted)
    scores = {OURS: by_weights["all sources"], **_collect(documents, scored)}
    facts = {
        "command": "docbats lab run titles",
        "versions": find_versions("docbats", "numpy", "scipy", "PyStemmer", "yake"),
        "seed": request.seed,
        "methods": {name: TITLE_METHODS[name].citation for name in methods},
        "sections": _count_sections(documents),
        "scores": _means(scores),
        "fitted": _means(by_weights),
        "differences": _differences(by_weights, scores, request.seed),
        "labels": _means(_collect(documents, labels)),
        "two_phrases": _share_of_pairs(documents, fitted),
        "weights": weights["all"],
        "weights_of_half": weights["half"],
    }
    write_facts(request.output / "titles", facts)


def _by_source(
    documents: Sequence[TitledDocument], ranked: Sequence[list[RankedSection]]
) -> dict[str, list[RankedSection]]:
    """Return the sections of each English source."""
    found: dict[str, list[RankedSection]] = {}
    for document, sections in zip(documents, ranked, strict=True):
        if document.text.language == "en":
            found.setdefault(document.source, []).extend(sections)
    return {source: sections for source, sections in found.items() if sections}


def _fit(ranked: Mapping[str, list[RankedSection]]) -> dict[str, dict[str, float]]:
    """Fit weights to all sources, to one half of them, and to all but each."""

    def fit(use: Callable[[str], bool]) -> dict[str, float]:
        chosen = [each for name, found in ranked.items() if use(name) for each in found]
        return fit_weights(chosen) if chosen else dict(TITLE_WEIGHTS)

    weights = {
        "all": fit(lambda _: True),
        "half": fit(lambda source: source not in CONFIRMING_SOURCES),
    }
    for name in ranked:
        weights[name] = fit(lambda source, left_out=name: source != left_out)  # type: ignore[misc]
    return weights


def _titles_by_weights(
    document: TitledDocument, weights: Mapping[str, Mapping[str, float]]
) -> dict[str, list[str]]:
    ways = {
        "all sources": weights["all"],
        "the fitting half": weights["half"],
        "the other sources": weights.get(document.source, weights["all"]),
    }
    return dict(zip(ways, titles_by(document, list(ways.values())), strict=True))


def _titles_by_methods(document: TitledDocument, methods: Sequence[str]) -> dict[str, list[str]]:
    titles: dict[str, list[str]] = {}
    for name in methods:
        titles |= TITLE_METHODS[name].titles(document.text)
    return titles


def _labels(document: TitledDocument) -> dict[str, list[str]]:
    """Return the label of each section's strongest topic, and that topic's best words."""
    text = document.text
    result = analyze(
        text.text, boundaries=text.starts, language=text.known_language, structure="ignore"
    )
    topics = [
        None if segment.topic is None else result.topics[segment.topic]
        for segment in result.segments
    ]
    best = [
        "" if topic is None else ", ".join(word for word, _ in topic.words[:_N_LABEL_WORDS])
        for topic in topics
    ]
    labels = ["" if topic is None else topic.label for topic in topics]
    return {"label": labels, "the topic's three best words": best}


def _collect(
    documents: Sequence[TitledDocument], titles: Sequence[Mapping[str, Sequence[str]]]
) -> dict[str, Scores]:
    """Return, for each way and each group of documents, the score of each section."""
    scores: dict[str, Scores] = {}
    for document, ways in zip(documents, titles, strict=True):
        for way, found in ways.items():
            rows = scores.setdefault(way, {}).setdefault(document.group, [])
            for i, wanted in document.scored():
                got = stems(found[i], document.text.language)
                rows.append((f"{document.name}/{i}", f1(got, wanted), got == wanted))
    return scores


def _means(scores: Mapping[str, Scores]) -> dict[str, dict[str, dict[str, float]]]:
    return {
        way: {
            group: {
                "sections": len(rows),
                "f1": _rounded(np.mean([score for _, score, _ in rows])),
                "exact": _rounded(np.mean([exact for _, _, exact in rows])),
            }
            for group, rows in groups.items()
            if rows
        }
        for way, groups in scores.items()
    }


def _differences(
    ours: Mapping[str, Scores], others: Mapping[str, Scores], seed: int
) -> dict[str, dict[str, list[float]]]:
    """Bootstrap our F1 minus that of each other way, over sections and means of sources.

    In English on the confirming sources, with the weights of the other half; and in each other
    language.
    """
    half = ours["the fitting half"]
    groups = {"English": [name for name in CONFIRMING_SOURCES if name in half]}
    for name in half:
        if name.endswith(")"):
            groups.setdefault(name, []).append(name)
    found: dict[str, dict[str, list[float]]] = {}
    for way, scores in others.items():
        if way != OURS:
            found[way] = {
                label: bootstrap([_gaps(half[name], scores[name]) for name in names], seed)
                for label, names in groups.items()
                if names
            }
    return found


def _gaps(
    ours: Sequence[tuple[str, float, bool]], theirs: Sequence[tuple[str, float, bool]]
) -> list[float]:
    other = {name: score for name, score, _ in theirs}
    return [score - other[name] for name, score, _ in ours]


def _count_sections(documents: Sequence[TitledDocument]) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for document in documents:
        row = counts.setdefault(
            document.group, {"documents": 0, "sections": 0, "generic": 0, "scored": 0}
        )
        row["documents"] += 1
        row["sections"] += len(document.headings)
        row["generic"] += document.n_generic
        row["scored"] += sum(1 for _ in document.scored())
    return counts


def _share_of_pairs(
    documents: Sequence[TitledDocument], scored: Sequence[Mapping[str, Sequence[str]]]
) -> float | None:
    """Return the share of our English titles that have the form "A and B"."""
    titles = [
        title
        for document, ways in zip(documents, scored, strict=True)
        if document.text.language == "en"
        for title in ways["all sources"]
    ]
    return _rounded(np.mean([" and " in title for title in titles])) if titles else None


def _rounded(value: Any) -> float:
    return round(float(value), 4)


def page(folder: Path, _: Path) -> Iterator[str]:
    """Show the scores of all ways, the differences, the weights, and the labels."""
    facts = read_facts(folder)
    yield _INTRODUCTION
    yield named_table(
        ("source", "documents", "sections", "generic headings", "scored"),
        facts["sections"],
        lambda row: [str(n) for n in row.values()],
    )
    yield "\n## F1 and exact matches\n\nMeans over the sources.\n"
    yield named_table(
        ("titles", "English: F1", "exact", "other languages: F1", "exact"),
        facts["scores"],
        lambda rows: [
            _mean(rows, score, english=english)
            for english in (True, False)
            for score in ("f1", "exact")
        ],
    )
    pairs = facts["two_phrases"]
    if pairs is not None:
        yield f'\nOf our English titles {pairs:.0%} have the form "A and B".\n'
    yield _CONFIRMED
    labels = list(next(iter(facts["differences"].values()), {}))
    yield named_table(
        ("minus", *labels),
        facts["differences"],
        lambda row: [_difference(row.get(label)) for label in labels],
    )
    yield "\n## By source, F1\n"
    ways = list(facts["scores"])
    yield markdown_table(
        ("source", *ways),
        [
            [group, *(_cell(facts["scores"][way], group) for way in ways)]
            for group in facts["scores"].get(OURS, {})
        ],
    )
    yield _LEFT_OUT
    yield named_table(
        ("weights fitted to", "English, mean", *_english(facts)),
        facts["fitted"],
        lambda rows: [_mean(rows, "f1"), *(_cell(rows, name) for name in _english(facts))],
    )
    yield _LABELS
    yield named_table(
        ("", "English", "other languages"),
        facts["labels"],
        lambda rows: [_mean(rows, "f1"), _mean(rows, "f1", english=False)],
    )
    yield "\n## The weights\n"
    yield markdown_table(
        ("feature", "all sources", "the fitting half"),
        [
            [name, format_number(weight, 2), format_number(facts["weights_of_half"][name], 2)]
            for name, weight in facts["weights"].items()
        ],
    )


def _english(facts: Mapping[str, Any]) -> list[str]:
    return [name for name in facts["sections"] if not name.endswith(")")]


def _mean(rows: Mapping[str, Mapping[str, float]], score: str, *, english: bool = True) -> str:
    values = [row[score] for name, row in rows.items() if name.endswith(")") != english]
    return format_number(float(np.mean(values)) if values else None)


def _cell(rows: Mapping[str, Mapping[str, float]], group: str) -> str:
    return format_number(rows[group]["f1"] if group in rows else None)


def _difference(values: list[float] | None) -> str:
    if values is None:
        return format_number(None)
    mean, low, high = values
    star = " *" if low > 0 or high < 0 else ""
    return f"{mean:+.3f} [{low:+.3f}, {high:+.3f}]{star}"
