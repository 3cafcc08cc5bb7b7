"""Fits of the rules, in which every source counts the same.

Openings, plain breaks and strengths are logistic regressions. The number of parts is fitted to how
good a cut into each number would be.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

import numpy as np
from scipy.optimize import minimize

from docbats.segments.choose_k import PLAIN, PlainRule, StrengthRule
from docbats.segments.costs import PARTS, PartsRule
from docbats.segments.evidence import opening_features
from docbats_lab.carry_over.trials import ARTIFICIAL, NATURAL, OPENING_SOURCES, Rules, family_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from numpy.typing import NDArray
    from scipy import sparse

    from docbats_lab.carry_over.trials import Judged, Score, Trial, Weighed

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Folds = dict[str | None, Rules]


_OPENING_C, _PLAIN_C, _STRENGTH_C = 0.3, 0.1, 10.0  # larger: the data count for more


_RIDGE = 0.001  # times the squares of the parameters; larger: closer to zero
_BOUNDARY_SHARE = 0.25  # share of misplaced boundaries in the loss
_GAIN_UNIT = 5.0  # makes gains about as large as the other features
_GAINS = tuple(float(gain) for gain in range(20, 151, 10))  # tried one by one
_GROUPS = 10


class LogisticFit(NamedTuple):
    """The log odds: weights of features, and a constant."""

    weights: Floats
    constant: float


def fit_logistic(
    X: Floats | sparse.csr_array, y: Bools, weight: Floats, C: float, tolerance: float = 1e-4
) -> LogisticFit:
    """Fit log odds to weighted rows; weights are scaled to a mean of 1."""
    from sklearn.linear_model import LogisticRegression

    if not 0 < np.count_nonzero(y) < len(y):  # too few documents to learn from
        return LogisticFit(np.zeros(X.shape[1]), 0.0)
    model = LogisticRegression(C=C, max_iter=3000, tol=tolerance)
    model.fit(X, y, sample_weight=weight / weight.mean())
    return LogisticFit(model.coef_[0], float(model.intercept_[0]))


def source_weights(sources: Sequence[Hashable]) -> Floats:
    """Return weights that make each source count the same, and each row of a source."""
    count = Counter(sources)
    return np.array([1 / count[source] for source in sources])


def fit_openings(trials: Sequence[Trial]) -> tuple[float, ...]:
    """Fit the log odds that a segment begins with a sentence; headings have their own weight.

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
    """Return the features that distinguish joined texts from parts of one text."""
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


@dataclass(frozen=True, eq=False)
class KExample:
    """One document, for a choice among several numbers of segments."""

    features: Floats  # of each number; their weighted sum is its log odds
    offset: Floats  # added to the log odds
    losses: Floats  # of each number
    weight: float  # of the document


def loss_of(score: Score) -> float:
    """Return three parts of the mean of Pk and WD, and one part of 1 - F1."""
    return (1 - _BOUNDARY_SHARE) * (score.pk + score.wd) / 2 + _BOUNDARY_SHARE * (1 - score.f1)


def expected_loss(parameters: Floats, examples: Sequence[KExample]) -> tuple[float, Floats]:
    """Return the expected loss if k is drawn by its log odds, with a ridge; and its gradient."""
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
    """Fit the weight of gains alone; the rest comes from `rule`."""
    known = _known(rule)
    examples = [
        KExample(features[:, :1], features[:, 1:] @ known, losses, weight)
        for features, losses, weight in _tables(documents)
    ]
    (gain,) = _fit(examples, 1)
    return round(_GAIN_UNIT * gain, 1)


def losses_by_gain(documents: Sequence[Weighed], rule: PartsRule) -> dict[float, float]:
    """Return the mean loss at the numbers that several weights of gains would choose."""
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
    """Return the features and losses of each k, and the weight, of each document."""
    weights = source_weights([document.source for document in documents])
    return [
        (_features(document), np.array([loss_of(document.scores[k]) for k in document.gains]), w)
        for document, w in zip(documents, weights.tolist(), strict=True)
    ]


def _features(document: Weighed) -> Floats:
    k = np.array(list(document.gains))
    gains = np.array(list(document.gains.values())) / max(1.0, document.n_tokens) ** PARTS.power
    return np.column_stack([_GAIN_UNIT * gains, k - 1, np.log(k / PARTS.usual) ** 2])


def reliability(predicted: Floats, is_right: Bools, weight: Floats) -> dict[str, Any]:
    """Compare probabilities with outcomes, in tenths from the weakest to the strongest.

    Returns
    -------
    facts
        The area under the curve, the Brier score, the share that is right, and for each tenth of
        the weight its mean probability, the share that is right and the number of boundaries.
    """
    order = np.argsort(predicted, kind="stable")
    share = np.cumsum(weight[order]) / weight.sum()
    group = np.empty(len(order), np.int64)
    group[order] = np.minimum((share * _GROUPS - 1e-9).astype(np.int64), _GROUPS - 1)
    tenths = []
    for i in range(_GROUPS):
        inside = group == i
        if inside.any():
            tenths.append(
                {
                    "predicted": _mean(predicted[inside], weight[inside]),
                    "right": _mean(is_right[inside], weight[inside]),
                    "boundaries": int(inside.sum()),
                }
            )
    return {
        "auc": round(area_under_curve(predicted, is_right, weight), 4),
        "brier": _mean((predicted - is_right) ** 2, weight),
        "right": _mean(is_right, weight),
        "boundaries": len(predicted),
        "tenths": tenths,
    }


def area_under_curve(predicted: Floats, is_right: Bools, weight: Floats) -> float:
    """Return the chance that a right boundary has a larger probability than a wrong one."""
    values, place = np.unique(predicted, return_inverse=True)
    right = np.bincount(place, weight * is_right, len(values))
    wrong = np.bincount(place, weight * ~is_right, len(values))
    below = np.cumsum(wrong) - wrong
    pairs = right.sum() * wrong.sum()
    return float((right * (below + wrong / 2)).sum() / pairs) if pairs else 0.5


def _mean(values: Floats | Bools, weight: Floats) -> float:
    return round(float(np.average(values, weights=weight)), 4)


class Rated(Protocol):
    """A document whose boundaries were rated."""

    @property
    def source(self) -> str:
        """The source of the document."""

    @property
    def evidence(self) -> Floats:
        """The evidence for the strength of each boundary."""

    @property
    def is_right(self) -> Bools:
        """Whether there is a true boundary near each."""


@dataclass(frozen=True, eq=False)
class Boundaries:
    """All boundaries of some documents."""

    sources: tuple[str, ...]
    evidence: Floats  # for the strength of each
    is_right: Bools  # whether there is a true boundary near each
    weight: Floats  # makes each source count the same

    @classmethod
    def of(cls, kinds: Sequence[Sequence[Rated]]) -> Boundaries:
        """Collect the boundaries of several kinds of documents; a source counts once per kind."""
        documents = [document for kind in kinds for document in kind]
        sources = [d.source for d in documents for _ in d.is_right]
        of_kind = [(d.source, i) for i, kind in enumerate(kinds) for d in kind for _ in d.is_right]
        return cls(
            sources=tuple(sources),
            evidence=np.concatenate([d.evidence for d in documents]),
            is_right=np.concatenate([d.is_right for d in documents]),
            weight=source_weights(of_kind),
        )


def fit_strength(boundaries: Boundaries) -> StrengthRule:
    """Fit the log odds that there is a true boundary near one that was found."""
    fit = fit_logistic(boundaries.evidence, boundaries.is_right, boundaries.weight, _STRENGTH_C)
    place, saving, *opening = fit.weights.round(2).tolist()
    return StrengthRule(place, saving, round(fit.constant, 2), *opening)


def strength_facts(
    boundaries: Boundaries, rules: Mapping[str | None, StrengthRule]
) -> dict[str, Any]:
    """Rate each boundary by the rule fitted without its family, and compare with the truth."""
    weights = [
        (rule.place, rule.saving, rule.constant)
        for rule in (rules[family_of(source)] for source in boundaries.sources)
    ]
    evidence = np.column_stack([boundaries.evidence, np.ones(len(weights))])
    log_odds = (evidence * np.array(weights)).sum(axis=1)
    predicted = 1 / (1 + np.exp(-log_odds))
    return reliability(predicted, boundaries.is_right, boundaries.weight)


# Folds


class _HasSource(Protocol):
    @property
    def source(self) -> str: ...


Document = TypeVar("Document", bound=_HasSource)


def fit_openings_of_folds(trials: Sequence[Trial]) -> Folds:
    """Fit openings to all sources (under None), and to the sources outside each family."""
    families = dict.fromkeys(family_of(trial.source) for trial in trials)
    learned = [trial for trial in trials if trial.source in OPENING_SOURCES]
    return {fold: Rules(fit_openings(_without(learned, fold))) for fold in (None, *families)}


def fit_rules_of_folds(
    folds: Folds, lists: Sequence[Weighed], structured: Sequence[Weighed]
) -> Folds:
    """Fit plain breaks and the number of parts for each fold."""
    return {
        fold: _fit_rules(rules, _without(lists, fold), _without(structured, fold))
        for fold, rules in folds.items()
    }


def _fit_rules(rules: Rules, lists: Sequence[Weighed], structured: Sequence[Weighed]) -> Rules:
    plain = fit_plain(lists)
    natural = [document for document in lists if document.source in NATURAL]
    parts = fit_parts(_not_plain(natural, plain))
    losses = losses_by_gain(_not_plain(structured, plain), parts)
    gain = min(losses, key=lambda gain: losses[gain])
    return replace(rules, plain=plain, parts=parts, structured_gain=gain)


def gain_facts(rules: Rules, structured: Sequence[Weighed]) -> dict[str, Any]:
    """Return the loss at several weights of gains, and the weight fitted to the odds of k."""
    documents = _not_plain(structured, rules.plain)
    return {
        "losses": losses_by_gain(documents, rules.parts),
        "by odds": fit_gain(documents, rules.parts),
    }


def _not_plain(documents: Sequence[Weighed], rule: PlainRule) -> list[Weighed]:
    """Return the documents whose number of segments the rule of parts decides."""
    return [d for d in documents if d.is_open and not is_plain(d, rule)]


def is_plain(document: Weighed, rule: PlainRule) -> bool:
    """Whether the breaks of a document are plain, as in `KModel`."""
    weights = [rule.gain, rule.vocabulary, rule.length]
    return document.plain_k > 1 and float(plain_features(document) @ np.array(weights)) > (
        rule.threshold
    )


def fit_strengths_of_folds(
    folds: Folds, lists: Sequence[Judged], structured: Sequence[Judged]
) -> Folds:
    """Fit strengths for each fold; lists and documents with paragraphs are two kinds."""
    fitted = {}
    for fold, rules in folds.items():
        boundaries = Boundaries.of([_without(lists, fold), _without(structured, fold)])
        fitted[fold] = replace(rules, strength=fit_strength(boundaries))
    return fitted


def _without(documents: Sequence[Document], family: str | None) -> list[Document]:
    return [document for document in documents if family_of(document.source) != family]
