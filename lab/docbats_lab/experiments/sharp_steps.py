"""What each part of the preset sharp's cut is worth, and what was tried and left out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from docbats.matrix import bond, laplacian, leading_singular_vectors, unit_rows
from docbats.pipeline import analyze
from docbats.segments.costs import CutModel
from docbats.segments.dirichlet import LikelihoodCost
from docbats.segments.evidence import find_evidence
from docbats.segments.search import best_starts
from docbats.topics import kmeans
from docbats_lab.datasets import PAPER_DATASETS
from docbats_lab.experiments.request import evenly_spaced, run_scored
from docbats_lab.experiments.scorers import rows_or_errors, segmentation_row
from docbats_lab.report.tables import markdown_table, mean_cell
from docbats_lab.results import read_datasets
from docbats_lab.score_summary import paired_difference
from docbats_lab.splits import is_held_out

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from docbats.pipeline import Analysis
    from docbats.segments.evidence import Evidence
    from docbats_lab.documents import SegmentedDocument
    from docbats_lab.experiments.request import Request
    from docbats_lab.results import Row

_SHARP = CutModel()
_INTRODUCTION = (
    "Pk / WindowDiff at the true number of segments (lower is better) on the documents that the "
    "settings were chosen on. A row with a minus leaves out a part of the cut; a row with a plus "
    "adds something that was tried and not kept. A star marks a significant difference in Pk from "
    "`sharp`, by a 95 % interval of a paired bootstrap.\n"
)


def _as_it_is(evidence: Evidence) -> Evidence:
    return evidence


def _once_a_sentence(evidence: Evidence) -> Evidence:
    return replace(evidence, count=np.ones_like(evidence.count))


def _by_sentence_frequency(evidence: Evidence) -> Evidence:
    sentences = np.bincount(evidence.root)
    return replace(evidence, weight=_scaled(evidence, np.sqrt(np.log(len(evidence) / sentences))))


def _by_clustering(evidence: Evidence) -> Evidence:
    """Raise the weights of roots whose sentences are closer together than by chance."""
    sentences = np.bincount(evidence.root)
    first = np.flatnonzero(np.diff(evidence.root, prepend=-1))
    gaps = np.diff(evidence.sentence, prepend=0).astype(float)
    gaps[first] = np.nan
    usual = np.add.reduceat(np.nan_to_num(np.log(gaps)), first) / np.maximum(sentences - 1, 1)
    by_chance = np.log(len(evidence) / (sentences + 1))
    return replace(evidence, weight=_scaled(evidence, np.exp(0.5 * (by_chance - usual))))


def _with_clusters(share: float, evidence: Evidence) -> Evidence:
    """Add the cluster of a root, by the sentences near it, as another word."""
    m, n = len(evidence), len(evidence.weight)
    counts = (evidence.count.astype(float), (evidence.sentence, evidence.root))
    near = bond(sparse.csr_array(counts, shape=(m, n)), 3, 0.6)
    V = unit_rows(leading_singular_vectors(laplacian(near, None, None), min(m, n, 20)).V)
    cluster = kmeans(V, max(1, n // 6), restarts=1, seed=0)
    cell, inverse = np.unique(cluster[evidence.root] * m + evidence.sentence, return_inverse=True)
    root, sentence = np.divmod(cell, m)
    return replace(
        evidence,
        root=np.concatenate([evidence.root, n + root]),
        sentence=np.concatenate([evidence.sentence, sentence]),
        count=np.concatenate([evidence.count, np.bincount(inverse, evidence.count).astype(int)]),
        weight=np.concatenate([
            (1 - share) * evidence.weight,
            2 * share * np.bincount(cluster, evidence.weight) / np.bincount(cluster),
        ]),
    )  # fmt: skip


def _scaled(evidence: Evidence, factors: np.ndarray) -> np.ndarray:
    """Multiply the weights, but keep the weight of the whole text."""
    uses = np.bincount(evidence.root, evidence.count)
    weight = evidence.weight * factors
    return np.asarray(weight * ((evidence.weight @ uses) / max(weight @ uses, 1e-9)))


@dataclass(frozen=True)
class Step:
    """The cut with something changed."""

    model: CutModel = _SHARP
    class_weights: Mapping[str, float] | None = None  # None means those of the preset
    change: Callable[[Evidence], Evidence] = _as_it_is  # of the words
    spectral: bool = False  # whether to use the rows of the paper's U' as sentence vectors


_PLAIN = CutModel(
    priors=(0.15,), root_letters=0, function_word_weight=0, openings=0, heading=0, length=0,
    first_length=0, last_length=0,
)  # fmt: skip
STEPS: dict[str, Step] = {
    "sharp": Step(),
    "likelihood of stems alone": Step(_PLAIN, class_weights={}),
    "- averaged priors, 0.1": Step(replace(_SHARP, priors=(0.1,))),
    "- averaged priors, 0.3": Step(replace(_SHARP, priors=(0.3,))),
    "- averaged priors, 1.0": Step(replace(_SHARP, priors=(1.0,))),
    "- roots (stems instead)": Step(replace(_SHARP, root_letters=0)),
    "- pronouns and auxiliaries": Step(replace(_SHARP, function_word_weight=0)),
    "- weights by word class": Step(class_weights={}),
    "- openings": Step(replace(_SHARP, openings=0)),
    "- headings": Step(replace(_SHARP, heading=0)),
    "- lengths": Step(replace(_SHARP, length=0, first_length=0, last_length=0)),
    "- short ends": Step(
        replace(_SHARP, first_length=0.3, first_share=1, last_length=0.3, last_share=1)
    ),
    "- expectations by words": Step(replace(_SHARP, growth=0)),
    "expectations by words, in proportion": Step(replace(_SHARP, growth=1)),
    "+ words of one sentence": Step(replace(_SHARP, rare_roots=True)),
    "+ each word once a sentence": Step(change=_once_a_sentence),
    "+ weights by sentence frequency": Step(change=_by_sentence_frequency),
    "+ weights by clustering": Step(change=_by_clustering),
    "+ clusters of words, lightly": Step(change=partial(_with_clusters, 0.15)),
    "+ clusters of words": Step(change=partial(_with_clusters, 0.3)),
    "+ U' of the spectrum, weight 2": Step(replace(_SHARP, vectors=2), spectral=True),
    "+ U' of the spectrum, weight 8": Step(replace(_SHARP, vectors=8), spectral=True),
    "+ U' of the spectrum, weight 32": Step(replace(_SHARP, vectors=32), spectral=True),
}


@dataclass(frozen=True)
class _StepScorer:
    seed: int

    def __call__(self, document: SegmentedDocument, variants: Sequence[str]) -> dict[str, Row]:
        """Cut the document into its true number of segments by each step."""
        k = len(document.segments)
        analysis = analyze(document.sentences, k=1, seed=self.seed).analysis

        def row(name: str) -> Row:
            starts = best_starts(_cost(analysis, STEPS[name], k), len(analysis.text), k)
            if starts is None:
                msg = f"the document cannot be cut into {k} segments"
                raise ValueError(msg)
            return segmentation_row(document, starts)

        return rows_or_errors(variants, row)


def _cost(analysis: Analysis, step: Step, k: int) -> LikelihoodCost:
    weights = step.class_weights
    if weights is None:
        weights = dict(analysis.settings.class_weights)
    evidence = step.change(find_evidence(analysis.text, weights, step.model, stem=True))
    vectors = unit_rows(analysis.spectrum_of(k).U) if step.spectral else None
    return LikelihoodCost(evidence, step.model, vectors)


def run(request: Request) -> None:
    """Score each step on the documents that the settings were chosen on."""

    def select(dataset: str, documents: list[SegmentedDocument]) -> list[SegmentedDocument]:
        tuning = [document for document in documents if not is_held_out(dataset, document.name)]
        return evenly_spaced(tuning, request.limit)

    run_scored(
        request,
        "sharp-steps",
        PAPER_DATASETS,
        list(STEPS),
        lambda *_: _StepScorer(request.seed),
        select=select,
    )


def page(folder: Path, _: Path) -> Iterator[str]:
    """Write one table, a column for each dataset."""
    yield _INTRODUCTION
    found = read_datasets(folder, PAPER_DATASETS, STEPS)
    heads = [f"{dataset.capitalize()} ({len(rows['sharp'])})" for dataset, rows in found.items()]
    body = []
    for step in STEPS:
        cells = []
        for rows in found.values():
            difference = paired_difference(rows[step], rows["sharp"], "pk")
            star = " *" if difference is not None and difference.sign else ""
            scores = " / ".join(mean_cell(rows[step], score) for score in ("pk", "wd"))
            cells.append(scores + star)
        body.append([step, *cells])
    yield markdown_table(["", *heads], body)
