"""Fit the weights of the ranker of titles to the headings of authors."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import minimize

from docbats.prepare import prepare
from docbats.settings import Settings
from docbats.titles.phrases import phrases_of
from docbats.titles.ranker import FEATURES, SentenceGroups, find_candidates
from docbats.titles.titles import title_segments
from docbats_lab.titled_sections import f1, stems

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from docbats_lab.titled_sections import TitledDocument

    Floats = NDArray[np.float64]

_REGULARIZATION = 3e-4  # of weights for features of unit deviation; larger: smaller weights
_START_SCALE = 1.5  # by which the solution of the convex problem is stretched, to start from
_TINY = 1e-30


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
    """Fit the weights under which a phrase drawn by its score has the highest F1 expected.

    A phrase is drawn with a probability in proportion to the exponential of its score. Each source
    counts the same. The search starts from the weights under which the good phrases are likeliest.
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
