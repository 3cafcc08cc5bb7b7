"""Titles of given sections, and labels of topics, against the headings of authors."""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.pipeline import analyze
from docbats.runtime import find_versions
from docbats.titles.ranker import TITLE_WEIGHTS
from docbats_lab.structured_documents import by_source, read_structured
from docbats_lab.title_fit import fit_weights, rank_sections, titles_by
from docbats_lab.title_methods import PEERS
from docbats_lab.titled_sections import f1, read_titled, stems

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from docbats_lab.experiments.request import Request
    from docbats_lab.title_fit import RankedSection
    from docbats_lab.titled_sections import TitledDocument

    Scores = dict[str, list[tuple[str, float, bool]]]

OURS = "docbats"
CONFIRMING_SOURCES = ("pro-git", "rust-book", "standard-ebooks", "turing-way")
"""The English sources that weights are confirmed on; they are fitted to the others."""

_RESAMPLES = 2000
_N_LABEL_WORDS = 3


def run(request: Request) -> None:
    """Score all ways to title sections, fit the weights, and compare on sources not fitted to."""
    sources = by_source(list(read_structured(request.data)))
    if request.limit is not None:
        sources = {name: documents[: request.limit] for name, documents in sources.items()}
    documents = read_titled(each for found in sources.values() for each in found)
    methods = request.choose_methods(list(PEERS))
    with ProcessPoolExecutor(request.jobs) as pool:
        ranked = _by_source(documents, list(pool.map(rank_sections, documents)))
        weights = _fit(ranked)
        fitted = list(pool.map(partial(_score_weights, weights=weights), documents))
        scored = list(pool.map(partial(_score_methods, methods=methods), documents))
        labels = list(pool.map(_score_labels, documents))
    by_weights = _collect(documents, fitted)
    scores = {OURS: by_weights["all sources"], **_collect(documents, scored)}
    facts = {
        "command": "docbats lab run titles",
        "versions": find_versions("docbats", "numpy", "scipy", "PyStemmer", "yake"),
        "seed": request.seed,
        "methods": {name: PEERS[name].citation for name in methods},
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


def write_facts(folder: Path, facts: Mapping[str, Any]) -> None:
    """Write the results of an experiment that does not score documents one by one."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(facts, indent=1, ensure_ascii=False)
    (folder / "facts.json").write_text(text + "\n", encoding="utf-8")


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


def _score_weights(
    document: TitledDocument, weights: Mapping[str, Mapping[str, float]]
) -> dict[str, list[str]]:
    ways = {
        "all sources": weights["all"],
        "the fitting half": weights["half"],
        "the other sources": weights.get(document.source, weights["all"]),
    }
    return dict(zip(ways, titles_by(document, list(ways.values())), strict=True))


def _score_methods(document: TitledDocument, methods: Sequence[str]) -> dict[str, list[str]]:
    titles: dict[str, list[str]] = {}
    for name in methods:
        titles |= PEERS[name].titles(document.text)
    return titles


def _score_labels(document: TitledDocument) -> dict[str, list[str]]:
    """Return for each section the label of its strongest topic, and that topic's best words."""
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
    """Bootstrap our F1 minus that of each other way, by sections, and over means of sources.

    On the confirming sources with the weights of the other half, and in each other language.
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
                label: _bootstrap([_gaps(half[name], scores[name]) for name in names], seed)
                for label, names in groups.items()
                if names
            }
    return found


def _gaps(
    ours: Sequence[tuple[str, float, bool]], theirs: Sequence[tuple[str, float, bool]]
) -> list[float]:
    other = {name: score for name, score, _ in theirs}
    return [score - other[name] for name, score, _ in ours]


def _bootstrap(samples: Sequence[list[float]], seed: int) -> list[float]:
    """Return the mean over the means of the samples, and its 95 % bounds."""
    rng = np.random.default_rng(seed)
    drawn = [
        rng.choice(sample, (_RESAMPLES, len(sample))).mean(axis=1) for sample in samples if sample
    ]
    means = np.mean(drawn, axis=0)
    low, high = np.quantile(means, [0.025, 0.975])
    centre = np.mean([np.mean(sample) for sample in samples if sample])
    return [_rounded(centre), _rounded(low), _rounded(high)]


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
