"""Logistic regressions in which every source counts the same."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from docbats.segments.choose_k import PLAIN, PlainRule
from docbats.segments.evidence import opening_features
from docbats_lab.carry_over.sources import ARTIFICIAL

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    from docbats_lab.carry_over.trials import Trial
    from docbats_lab.carry_over.weighed import Weighed

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]

_OPENING_C, _PLAIN_C = 0.3, 0.1  # larger: the data count for more


class LogisticFit(NamedTuple):
    """The log odds: weights of features, and a constant."""

    weights: Floats
    constant: float


def fit_logistic(X: Floats, y: Bools, weight: Floats, C: float) -> LogisticFit:
    """Fit log odds to weighted rows, of which the mean weight is made 1."""
    from sklearn.linear_model import LogisticRegression

    if not 0 < np.count_nonzero(y) < len(y):  # too few documents to learn from
        return LogisticFit(np.zeros(X.shape[1]), 0.0)
    model = LogisticRegression(C=C, max_iter=3000).fit(X, y, sample_weight=weight / weight.mean())
    return LogisticFit(model.coef_[0], float(model.intercept_[0]))


def source_weights(sources: Sequence[Hashable]) -> Floats:
    """Return weights by which each source counts the same, and each row of a source."""
    count = Counter(sources)
    return np.array([1 / count[source] for source in sources])


def fit_openings(trials: Sequence[Trial]) -> tuple[float, ...]:
    """Fit the log odds that a segment begins with a sentence; headings have a weight of their own.

    Each document of a source counts the same.
    """
    rows, labels, weights = [], [], []
    for trial, weight in zip(trials, source_weights([t.source for t in trials]), strict=True):
        used = np.flatnonzero(~trial.evidence.is_heading)[1:]
        if len(used):
            rows.append(opening_features(trial.evidence)[used])
            labels.append(np.isin(used, trial.true_starts))
            weights.append(np.full(len(used), weight / len(used)))
    X, y = np.concatenate(rows), np.concatenate(labels)
    fit = fit_logistic(X, y, np.concatenate(weights), _OPENING_C)
    return tuple(fit.weights.round(2).tolist())


def plain_features(document: Weighed) -> list[float]:
    """Return what tells texts on subjects of their own from parts of one text."""
    return [
        document.saving,
        np.log(max(1, document.n_roots) / document.n_tokens),
        np.log(document.n_tokens / document.plain_k),
    ]


def fit_plain(documents: Sequence[Weighed]) -> PlainRule:
    """Fit when breaks are plain: artificial and natural documents count the same."""
    asked = [d for d in documents if d.is_open and d.plain_k > 1]
    sources = [document.source for document in asked]
    X = np.array([plain_features(document) for document in asked])
    y = np.isin(sources, ARTIFICIAL)
    kinds = Counter(source in ARTIFICIAL for source in set(sources))
    per_kind = np.array([1 / kinds[bool(artificial)] for artificial in y])
    center, scale = X.mean(axis=0), X.std(axis=0) + 1e-9
    fit = fit_logistic((X - center) / scale, y, source_weights(sources) * per_kind, _PLAIN_C)
    gain, vocabulary, length = (fit.weights / scale).tolist()
    threshold = float(fit.weights / scale @ center) - fit.constant
    return PlainRule(
        gain=round(gain),
        vocabulary=round(vocabulary, 1),
        length=round(length, 1),
        threshold=round(threshold, 1),
        penalty=PLAIN.penalty,
        share=PLAIN.share,
    )
