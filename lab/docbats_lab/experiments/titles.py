"""Titles of given sections, and labels of topics, against the headings of authors.

Also fits the weights of the ranker of titles.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from docbats.pipeline import analyze, prepare
from docbats.runtime import find_versions
from docbats.settings import Settings
from docbats.titles.phrases import phrases_of
from docbats.titles.titles import CONFIDENCE_WEIGHTS, TITLE_WEIGHTS, title_segments
from docbats_lab.carry_over.cues import family, fold_of_families
from docbats_lab.documents import read_structured
from docbats_lab.experiments.request import evenly_spaced, map_with_progress
from docbats_lab.layouts import SectionFiles, read_section_line
from docbats_lab.report.tables import format_number, markdown_table, named_table
from docbats_lab.results import read_facts, write_facts
from docbats_lab.score_summary import bootstrap
from docbats_lab.title_fits import best_phrases, fit_confidence, fit_weights, rank_sections
from docbats_lab.title_methods import TITLE_METHODS
from docbats_lab.titled import TitledDocument, f1, read_titled, stems, without_templates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from docbats_lab.experiments.request import Request
    from docbats_lab.title_fits import RankedSection

    Floats = NDArray[np.float64]
    Scores = dict[str, list[tuple[str, float, bool]]]


Result = TypeVar("Result")

OURS = "docbats"
CONFIRMING_SOURCES = ("pro-git", "rust-book", "standard-ebooks", "turing-way")
"""The English sources that weights are confirmed on; they are fitted to the others."""
_N_LABEL_WORDS = 3
_MAX_DOCUMENTS = 20  # of each source of `sections`; more take longer
_MAX_JUDGED = 2  # of these, by all methods; more take KeyBERT long
_N_FIFTHS = 5
_THRESHOLDS = (0.0, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4)  # that are shown beside the default
_INTRODUCTION = (
    "Each document is given without its headings but with its true sections "
    "(`docbats.analyze(text, boundaries=...)`), and the title of each section is compared with the "
    "author's heading: F1 of their stems without stop words, and how often these are the same. "
    'Headings that say nothing about their sections ("Introduction", "Abstract") are left out and '
    "counted separately. The other methods get the text of the section, and tf-idf also the other "
    "sections. YAKE is its authors' program; RAKE, TextRank and PositionRank are our "
    "implementations of their papers; KeyBERT ranks the fifty most frequent noun phrases of a "
    "section by all-MiniLM-L6-v2. A method that a run leaves out (`--method`) keeps its scores of "
    "the run before, which do not depend on ours, and has no differences.\n"
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
_OF_SECTIONS = (
    "\n## Sections of {sources} sources\n\n{scored} sections of {documents} documents of "
    "`sections`, at most twenty of a source, none of them among the sources that the weights of "
    "the ranker were fitted to. If every section has a phrase, its F1 is {f1:.3f}, the mean over "
    "the sources. Headings that recur are left out, since nothing below them says what they are: "
    "those of eight sources or more, and those of at least three documents and a tenth of one "
    'source ("Drawbacks", "Graduation criteria"; {templates} of them). With these, it is '
    "{f1_with_templates:.3f}.\n\nThe other methods, on {judged} sections of at most two documents "
    "of each source, and our F1 minus theirs, with 95 % intervals of a paired bootstrap over "
    "sections:\n"
)
_TRUST = (
    "\n## Confidence beside truth\n\n`title_confidence` is the expected F1: a logistic regression "
    "on the features of the best phrase, its lead over the fourth best, the number of segments, "
    "and how the document uses it, fitted to `sections`. By fifths of the titles, the most trusted "
    "first; each source counts the same.\n"
)
_TRUSTED = {
    "sections": "`sections`, by weights that were fitted without the source and its like:",
    "English": "The English sources of `structured`, all of them left out:",
    "other languages": "The other languages of `structured`:",
}
_SHOWN = (
    "\nPhrases are shown as titles from a confidence of `title_threshold` on, by default {}. The "
    "share of the sections that have one, and its F1:\n"
)
_LABELS = (
    "\n## Labels of topics\n\nF1 of the label of a section's strongest topic with the section's "
    "heading, and the same for the topic's three best words.\n"
)


class TrustedTitle(NamedTuple):
    """A title of words for a section: its confidence, and its F1 with the heading."""

    group: str
    section: int
    confidence: float
    score: float


def titles_by(document: TitledDocument, weights: Sequence[Mapping[str, float]]) -> list[list[str]]:
    """Return the titles of the sections by each of several weights."""
    text = document.text
    prepared = prepare(text.text, Settings(language=text.known_language))
    phrases = phrases_of(prepared)
    starts = np.searchsorted(prepared.document.spans[:, 0], text.starts)
    return [
        [title.text for title in title_segments(prepared.document, phrases, starts, weights=each)]
        for each in weights
    ]


def trusted_titles(task: tuple[TitledDocument, Mapping[str, float]]) -> list[TrustedTitle]:
    """Return a phrase for each section that is scored, with a confidence by these weights."""
    document, weights = task
    text = document.text
    prepared = prepare(text.text, Settings(language=text.known_language))
    starts = np.searchsorted(prepared.document.spans[:, 0], text.starts)
    phrases = phrases_of(prepared)
    titles = title_segments(prepared.document, phrases, starts, confidence=weights)
    return [
        TrustedTitle(
            document.group,
            i,
            titles[i].confidence,
            f1(stems(titles[i].text, text.language), wanted),
        )
        for i, wanted in document.scored()
    ]


def read_sections(request: Request) -> list[TitledDocument]:
    """Return documents of each source of `sections`."""
    most = _MAX_DOCUMENTS if request.limit is None else min(request.limit, _MAX_DOCUMENTS)
    return read_titled(
        read_section_line(source, line)
        for source, lines in SectionFiles().lines(request.data / "sections").items()
        for line in evenly_spaced(lines, most)
    )


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
    trust, of_sections = _run_sections(request, documents, methods)
    means = _means(scores)
    if request.methods is not None:
        means |= _known_means(request.output / "titles", [*scores, *methods])
    facts = {
        "command": "docbats lab run titles",
        "versions": find_versions("docbats", "numpy", "scipy", "PyStemmer", "yake"),
        "seed": request.seed,
        "methods": {name: TITLE_METHODS[name].citation for name in methods},
        "sections": _count_sections(documents),
        "scores": means,
        "fitted": _means(by_weights),
        "differences": _differences(by_weights, scores, request.seed),
        "sections_of_83": of_sections,
        "confidence": trust,
        "labels": _means(_collect(documents, labels)),
        "two_phrases": _share_of_pairs(documents, fitted),
        "weights": weights["all"],
        "weights_of_half": weights["half"],
    }
    write_facts(request.output / "titles", facts)


def _run_sections(
    request: Request, structured: Sequence[TitledDocument], methods: Sequence[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Fit the confidence to `sections`, and score all ways there.

    The weights of the ranker were fitted to other sources. The confidence of a source comes from
    weights that were fitted without it and its like.
    """
    all_of_them = read_sections(request)
    documents = without_templates(all_of_them)
    found = map_with_progress(request, "titles: best phrases", best_phrases, documents)
    folds = fold_of_families(document.source for document in documents)
    fold_of = [folds[family(document.source)] for document in documents]

    def fit(left_out: int | None) -> dict[str, float]:
        rows = [
            row
            for fold, rows in zip(fold_of, found, strict=True)
            for row in rows
            if fold != left_out
        ]
        return fit_confidence(rows) if rows else dict(CONFIDENCE_WEIGHTS)

    weights = {fold: fit(fold) for fold in (None, *sorted(set(fold_of)))}
    tasks = [
        *((document, weights[fold]) for document, fold in zip(all_of_them, fold_of, strict=True)),
        *((document, weights[None]) for document in structured),
    ]
    titles = map_with_progress(request, "titles: confidence", trusted_titles, tasks)
    with_templates = [title for of_one in titles[: len(documents)] for title in of_one]
    others = [title for of_one in titles[len(documents) :] for title in of_one]
    judged = [
        title
        for document, of_one in zip(documents, titles[: len(documents)], strict=True)
        for title in of_one
        if document.headings[title.section] is not None
    ]
    trust = {
        "weights": weights[None],
        "threshold": Settings().title_threshold,
        "sections": _trust(judged),
        "English": _trust([title for title in others if not title.group.endswith(")")]),
        "other languages": _trust([title for title in others if title.group.endswith(")")]),
    }
    by_source: dict[str, list[TitledDocument]] = {}
    for document in documents:
        by_source.setdefault(document.source, []).append(document)
    some = [each for found in by_source.values() for each in evenly_spaced(found, _MAX_JUDGED)]
    ways = partial(_titles_by_methods, methods=[OURS, *methods])
    peers = map_with_progress(request, "titles: sections", ways, some)
    scores = _collect(some, peers)
    return trust, {
        "documents": len(documents),
        "sources": len(by_source),
        "scored": len(judged),
        "f1": _rounded(np.mean(_group_means(judged))),
        "templates": sum(d.n_generic for d in documents) - sum(d.n_generic for d in all_of_them),
        "f1_with_templates": _rounded(np.mean(_group_means(with_templates))),
        "judged": sum(sum(1 for _ in document.scored()) for document in some),
        "methods": {way: _mean_f1(rows) for way, rows in _means(scores).items()},
        "differences": {
            way: bootstrap(
                [_gaps(scores[OURS][group], rows[group]) for group in rows], request.seed
            )
            for way, rows in scores.items()
            if way != OURS
        },
    }


def _group_means(titles: Sequence[TrustedTitle]) -> list[float]:
    """Return the mean score of each group."""
    scores: dict[str, list[float]] = {}
    for title in titles:
        scores.setdefault(title.group, []).append(title.score)
    return [float(np.mean(values)) for values in scores.values()]


def _mean_f1(rows: Mapping[str, Mapping[str, float]]) -> float:
    return _rounded(np.mean([row["f1"] for row in rows.values()]))


def _trust(titles: Sequence[TrustedTitle]) -> dict[str, Any]:
    """Compare the confidence of titles with their scores; each source counts the same."""
    uses = Counter(title.group for title in titles)
    weight = np.array([1 / uses[title.group] for title in titles])
    confidence = np.array([title.confidence for title in titles])
    score = np.array([title.score for title in titles])
    order = np.argsort(-confidence, kind="stable")
    share = np.cumsum(weight[order]) / max(1, len(uses))
    fifth = np.minimum(((share - 1e-9) * _N_FIFTHS).astype(int), _N_FIFTHS - 1)
    fifths = [order[fifth == i] for i in range(_N_FIFTHS)]

    def mean(values: Floats, rows: NDArray[np.int64]) -> float:
        return _rounded(np.average(values[rows], weights=weight[rows]))

    thresholds = []
    for threshold in (*_THRESHOLDS, Settings().title_threshold):
        shown = np.flatnonzero(confidence >= threshold)
        if len(shown):
            share_shown = _rounded(weight[shown].sum() / len(uses))
            thresholds.append([threshold, share_shown, mean(score, shown)])
    return {
        "fifths": [
            [mean(confidence, rows), mean(score, rows), mean((score == 0).astype(float), rows)]
            for rows in fifths
            if len(rows)
        ],
        "thresholds": thresholds,
    }


def _known_means(folder: Path, made: Sequence[str]) -> dict[str, Any]:
    """Return the scores of other methods that are stored already; ours does not change them."""
    if not (folder / "facts.json").exists():
        return {}
    scores: dict[str, Any] = read_facts(folder)["scores"]
    return {way: rows for way, rows in scores.items() if way not in made}


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
    yield from _sections_page(facts)
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


def _sections_page(facts: Mapping[str, Any]) -> Iterator[str]:
    """Show the scores on `sections`, and confidence beside truth."""
    found, trust = facts["sections_of_83"], facts["confidence"]
    yield _OF_SECTIONS.format(**found)
    yield (
        named_table(
            ("titles", "F1", "ours minus theirs"),
            found["f1"],
            lambda value: [format_number(value), ""],
        )
        if not found["differences"]
        else markdown_table(
            ("titles", "F1", "ours minus theirs"),
            [
                [way, format_number(value), _difference(found["differences"].get(way))]
                for way, value in found["methods"].items()
            ],
        )
    )
    yield _TRUST
    kinds = [kind for kind in ("sections", "English", "other languages") if trust[kind]["fifths"]]
    for kind in kinds:
        yield f"\n{_TRUSTED[kind]}\n"
        yield markdown_table(
            ("fifth", "expected F1", "true F1", "no word in common"),
            [
                [str(number), *(format_number(value, 2) for value in row)]
                for number, row in enumerate(trust[kind]["fifths"], 1)
            ],
        )
    yield _SHOWN.format(trust["threshold"])
    heads = [head for kind in kinds for head in (f"{kind}: shown", "F1")]
    tables = [trust[kind]["thresholds"] for kind in kinds]
    yield markdown_table(
        ("threshold", *heads),
        [
            [
                f"{rows[0][0]:g}" + (" (default)" if number == len(tables[0]) - 1 else ""),
                *(
                    cell
                    for _, share, value in rows
                    for cell in (f"{share:.0%}", format_number(value))
                ),
            ]
            for number, rows in enumerate(zip(*tables, strict=False))
        ],
    )
    yield "\nThe weights of the confidence:\n"
    yield markdown_table(
        ("feature", "weight"),
        [[name, format_number(weight, 3)] for name, weight in trust["weights"].items()],
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
