"""How many parts people give a text, fitted to how well each number would do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import minimize

from docbats.segments.costs import PARTS, PartsRule
from docbats_lab.carry_over.logistic import source_weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats_lab.carry_over.trials import Score
    from docbats_lab.carry_over.weighed import Weighed

    Floats = NDArray[np.float64]

_RIDGE = 0.001  # times the squares of the parameters; larger: nearer to zero
_BOUNDARY_SHARE = 0.25  # of the loss, that boundaries in the wrong place have
_GAIN_UNIT = 5.0  # gains of this many units have about the size of the other features
_GAINS = tuple(float(gain) for gain in range(20, 151, 10))  # that are tried one by one


@dataclass(frozen=True, eq=False)
class KExample:
    """One document, for a choice among several numbers of segments.

    Attributes
    ----------
    features
        For each number, those whose weighted sum is its log odds.
    offset
        What is added to these.
    losses
        What each number loses.
    weight
        How much the document counts.
    """

    features: Floats
    offset: Floats
    losses: Floats
    weight: float


def loss_of(score: Score) -> float:
    """Return three parts of the mean of Pk and WD, and one of what F1 lacks."""
    return (1 - _BOUNDARY_SHARE) * (score.pk + score.wd) / 2 + _BOUNDARY_SHARE * (1 - score.f1)


def expected_loss(parameters: Floats, examples: Sequence[KExample]) -> tuple[float, Floats]:
    """Return the loss if k is drawn by its log odds, with a ridge; and the gradient."""
    loss = _RIDGE * float(parameters @ parameters)
    gradient = 2 * _RIDGE * parameters
    for example in examples:
        log_odds = example.features @ parameters + example.offset
        odds = np.exp(log_odds - log_odds.max())
        odds /= odds.sum()
        mean = float(odds @ example.losses)
        loss += example.weight * mean
        gradient = gradient + example.weight * (odds * (example.losses - mean)) @ example.features
    return loss, gradient


def fit_parts(documents: Sequence[Weighed]) -> PartsRule:
    """Fit all three numbers of the rule; each source counts the same."""
    examples = [
        KExample(features, np.zeros(len(features)), losses, weight)
        for features, losses, weight in _tables(documents)
    ]
    gain, boundary, spread = _fit(examples, 3)
    return replace(
        PARTS,
        gain=round(_GAIN_UNIT * gain, 1),
        boundary=round(-boundary, 2),
        spread=round(-spread, 2),
    )


def fit_gain(documents: Sequence[Weighed], rule: PartsRule) -> float:
    """Fit the weight of gains alone, likewise; the rest is that of `rule`."""
    known = _known(rule)
    examples = [
        KExample(features[:, :1], features[:, 1:] @ known, losses, weight)
        for features, losses, weight in _tables(documents)
    ]
    (gain,) = _fit(examples, 1)
    return round(_GAIN_UNIT * gain, 1)


def losses_by_gain(documents: Sequence[Weighed], rule: PartsRule) -> dict[float, float]:
    """Return for several weights of gains the mean loss at the numbers that they would choose."""
    tables, known = _tables(documents), _known(rule)
    total = sum(weight for _, _, weight in tables)
    found = {}
    for gain in _GAINS:
        parameters = np.array([gain / _GAIN_UNIT, *known])
        chosen = (
            weight * losses[np.argmax(features @ parameters)] for features, losses, weight in tables
        )
        found[gain] = round(float(sum(chosen)) / total, 4)
    return found


def _known(rule: PartsRule) -> Floats:
    return -np.array([rule.boundary, rule.spread])


def _fit(examples: Sequence[KExample], n: int) -> list[float]:
    found = minimize(expected_loss, np.zeros(n), args=(examples,), jac=True, method="L-BFGS-B")
    return list(found.x.tolist())


def _tables(documents: Sequence[Weighed]) -> list[tuple[Floats, Floats, float]]:
    """Return for each document the features and losses of each k, and its weight."""
    weights = source_weights([document.source for document in documents])
    return [
        (_features(document), np.array([loss_of(document.scores[k]) for k in document.gains]), w)
        for document, w in zip(documents, weights.tolist(), strict=True)
    ]


def _features(document: Weighed) -> Floats:
    k = np.array(list(document.gains))
    gains = np.array(list(document.gains.values())) / max(1.0, document.n_tokens) ** PARTS.power
    return np.column_stack([_GAIN_UNIT * gains, k - 1, np.log(k / PARTS.usual) ** 2])
