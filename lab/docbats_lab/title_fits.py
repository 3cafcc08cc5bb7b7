"""The fits behind titles: the weights that rank phrases, and how far a phrase is to be trusted.

Both learn from the headings that authors gave to their sections.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import minimize

from docbats.pipeline import prepare
from docbats.settings import Settings
from docbats.titles.phrases import phrases_of
from docbats.titles.titles import (
    CONFIDENCE_FEATURES,
    FEATURES,
    SentenceGroups,
    best_candidates,
    confidence_features,
    find_candidates,
)
from docbats_lab.titled import f1, stems

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats.titles.phrases import Phrases
    from docbats_lab.titled import TitledDocument

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

_REGULARIZATION = 3e-4  # for features of unit deviation; larger: smaller weights
_START_SCALE = 1.5  # the solution of the convex problem is stretched by this, to start from
_CONFIDENCE_REGULARIZATION = 1e-4  # likewise, for the confidence
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
    phrases, groups = _sections(document)
    found = find_candidates(phrases, groups)
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


@dataclass(frozen=True, eq=False)
class BestPhrase:
    """The best phrase of a section: the features of its confidence, and its F1 with the heading."""

    source: str
    features: Floats
    score: float


def best_phrases(document: TitledDocument) -> list[BestPhrase]:
    """Return the best phrase of each section that is scored and has one."""
    phrases, groups = _sections(document)
    found, score, tops = best_candidates(phrases, groups)
    features = confidence_features(phrases, found, score, tops)
    table = np.column_stack([features[name] for name in CONFIDENCE_FEATURES])
    first = np.cumsum([0, *(len(top) for top in tops)])
    language, best = document.text.language, []
    for i, wanted in document.scored():
        if len(tops[i]) and found.is_title[tops[i][0]]:
            phrase = phrases.in_full(int(found.phrase[tops[i][0]]))
            value = f1(stems(phrases.spell(phrase), language), wanted)
            best.append(BestPhrase(document.source, table[first[i]], value))
    return best


def fit_confidence(best: Sequence[BestPhrase]) -> dict[str, float]:
    """Fit the expected F1 of a best phrase by logistic regression; each source counts the same."""
    X = np.array([each.features for each in best])
    y = np.array([each.score for each in best])
    uses = Counter(each.source for each in best)
    importance = np.array([1 / uses[each.source] for each in best])
    importance /= importance.sum()
    mean, scale = X.mean(axis=0), X.std(axis=0) + 1e-9
    Z = np.column_stack([np.ones(len(X)), (X - mean) / scale])
    penalty = np.append(0, np.full(X.shape[1], _CONFIDENCE_REGULARIZATION))

    def loss(weights: Floats) -> tuple[float, Floats]:
        z = Z @ weights
        value = importance @ (np.logaddexp(0, z) - y * z) + penalty @ weights**2
        slope = Z.T @ (importance * (1 / (1 + np.exp(-z)) - y)) + 2 * penalty * weights
        return float(value), slope

    options = {"maxiter": 1000, "ftol": 1e-14, "gtol": 1e-9}
    found = minimize(loss, np.zeros(Z.shape[1]), jac=True, method="L-BFGS-B", options=options).x
    weights = found[1:] / scale
    named = zip(CONFIDENCE_FEATURES, weights.tolist(), strict=True)
    return {
        "constant": round(float(found[0] - weights @ mean), 3),
        **{name: round(weight, 3) for name, weight in named},
    }


def _sections(document: TitledDocument) -> tuple[Phrases, SentenceGroups]:
    """Return the phrases of a document, and its sentences by its sections."""
    text = document.text
    prepared = prepare(text.text, Settings(language=text.known_language))
    starts = np.searchsorted(prepared.document.spans[:, 0], text.starts)
    return phrases_of(prepared), SentenceGroups.of_segments(starts, len(prepared))
