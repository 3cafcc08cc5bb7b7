"""How many topics a text should have: by how well topics tell its sections apart.

N. X. Vinh, J. Epps and J. Bailey, "Information Theoretic Measures for Clusterings Comparison:
Variants, Properties, Normalization and Correction for Chance", JMLR 11, 2010: adjusted mutual
information, which does not favour any number of groups.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from docbats.pipeline import analyze
from docbats.runtime import find_versions
from docbats.topics import MAX_TOPICS, MIN_TOPICS
from docbats_lab.experiments.request import evenly_spaced, load_documents, map_with_progress
from docbats_lab.report.tables import format_number, named_table
from docbats_lab.results import read_facts, write_facts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from docbats.pipeline import Analysis
    from docbats_lab.documents import SegmentedDocument
    from docbats_lab.experiments.request import Request

_SETS = ("textbook", "lectures", "introductions", "wiki", "news", "choi", "avlectures", "icsi",
         "openstax", "wikitext", "handbook-fr", "wikinews", "sections")  # fmt: skip
SHARES = (0.6, 0.65, 0.7, 0.75, 0.8, 0.85)
FIXED = (3, 5, 7, 9, 12)
_OURS = "singular values of at least {:g} of the second"
_FIXED = "always {}"
_SEGMENTS = "as many as segments"
_LEFT_OUT = "singular values, the share chosen on the other sets"
_DOCUMENTS = 60  # of each dataset, unless the request has a limit


def run(request: Request) -> None:
    """Score the topics of each number of each document, and the rules that choose one."""
    scores: dict[str, dict[str, float]] = {}
    numbers: dict[str, dict[str, float]] = {}
    counts = {}
    for dataset in request.choose_datasets(_SETS):
        chosen = evenly_spaced(load_documents(request.data, dataset), request.limit or _DOCUMENTS)
        score = partial(_score_rules, seed=request.seed)
        rows = [row for row in map_with_progress(request, dataset, score, chosen) if row]
        counts[dataset] = len(rows)
        for rule in rows[0] if rows else ():
            mean = np.mean([row[rule] for row in rows], axis=0)
            scores.setdefault(rule, {})[dataset] = round(float(mean[0]), 4)
            numbers.setdefault(rule, {})[dataset] = round(float(mean[1]), 2)
    facts = {
        "command": "docbats lab run topic-number",
        "versions": find_versions("docbats", "numpy", "scipy", "scikit-learn"),
        "seed": request.seed,
        "documents": counts,
        "scores": scores,
        "numbers": numbers,
    }
    write_facts(request.output / "topic-number", facts)


def _score_rules(document: SegmentedDocument, seed: int) -> dict[str, tuple[float, int]] | None:
    """Return the score of each rule and its number; None if topics tell no sections apart."""
    source = list(document.sentences)
    section = np.repeat(np.arange(len(document.segments)), list(map(len, document.segments)))
    most = analyze(source, n_topics=MAX_TOPICS, seed=seed, language=document.language)
    by_number = {
        n: agreement(_with_topics(most.analysis, n), section)
        for n in range(MIN_TOPICS, MAX_TOPICS + 1)
    }
    best = max(by_number.values())
    if best <= 0:
        return None
    sigma = most.analysis.spectrum.sigma
    wanted = {_OURS.format(share): int((sigma >= share * sigma[1]).sum()) for share in SHARES}
    wanted |= {_FIXED.format(n): n for n in FIXED}
    wanted[_SEGMENTS] = len(most.segments)
    found = {rule: min(max(n, MIN_TOPICS), MAX_TOPICS) for rule, n in wanted.items()}
    return {rule: (by_number[n] / best, n) for rule, n in found.items()}


def _with_topics(analysis: Analysis, n: int) -> Analysis:
    """Return the analysis with n topics."""
    settings = replace(analysis.settings, n_topics=n)
    return replace(analysis, settings=settings, n_topics=n)


def agreement(analysis: Analysis, section: NDArray[np.int64]) -> float:
    """Return the adjusted mutual information of sections and the main topics of sentences."""
    from sklearn.metrics import adjusted_mutual_info_score

    topics, occurrences = analysis.topics, analysis.text.counts.occurrences
    weight = np.zeros((len(topics.scores), len(topics.words)))
    for i, words in enumerate(topics.words):
        weight[words, i] = 1 / np.sqrt(1 + np.arange(len(words)))
    said = occurrences @ weight
    has_topic = said.max(axis=1, initial=0) > 0
    if not has_topic.any():
        return 0.0
    main = said[has_topic].round(9).argmax(axis=1)
    return float(adjusted_mutual_info_score(section[has_topic], main))


def leave_out(scores: Mapping[str, Mapping[str, float]], dataset: str) -> str:
    """Return the rule of ours that is best on all datasets but one, the earliest of equals."""
    rules = [rule for share in SHARES if (rule := _OURS.format(share)) in scores]

    def mean_of_others(rule: str) -> float:
        return float(np.mean([score for name, score in scores[rule].items() if name != dataset]))

    return max(rules, key=mean_of_others)


def page(folder: Path, _: Path) -> Iterator[str]:
    """Show how close each rule comes to the best number, and which numbers it chooses."""
    facts = read_facts(folder)
    scores, numbers = facts["scores"], facts["numbers"]
    datasets = list(facts["documents"])
    rows = {
        rule: ([scores[rule][name] for name in datasets], [*numbers[rule].values()])
        for rule in scores
    }
    if len(datasets) > 1:
        chosen = [leave_out(scores, name) for name in datasets]
        pairs = list(zip(chosen, datasets, strict=True))
        rows[_LEFT_OUT] = (
            [scores[rule][name] for rule, name in pairs],
            [numbers[rule][name] for rule, name in pairs],
        )
    yield (
        "Topics are good if they tell the sections of a text apart. The score is the adjusted "
        "mutual information of the author's sections (or of the texts that were joined) and the "
        "topic whose words each sentence uses most, as a share of what the best number of topics "
        f"for the document, from {MIN_TOPICS} to {MAX_TOPICS}, reaches. Every rule keeps to these "
        "limits. docbats counts the singular values that are at least a share of the second; the "
        "last row takes for each dataset the share that is best on the others. At most "
        f"{max(facts['documents'].values())} documents of each dataset.\n"
    )
    yield named_table(
        ("rule", *datasets, "mean", "topics"),
        rows,
        lambda row: [
            *map(format_number, row[0]),
            format_number(float(np.mean(row[0]))),
            f"{np.mean(row[1]):.1f}",
        ],
    )
