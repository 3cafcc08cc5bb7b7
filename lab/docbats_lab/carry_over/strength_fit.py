"""How likely a person would draw a boundary that was found: fitted, and held against the truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.segments.choose_k import StrengthRule
from docbats_lab.carry_over.logistic import fit_logistic, source_weights
from docbats_lab.carry_over.reliability import reliability
from docbats_lab.carry_over.sources import family_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from docbats_lab.carry_over.judged import Judged

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]

_C = 10.0  # larger: the data count for more


@dataclass(frozen=True, eq=False)
class Boundaries:
    """All boundaries of some documents.

    Attributes
    ----------
    sources
        Of each, where its document comes from.
    evidence
        Of each, what its strength is found by.
    is_right
        Whether a person has one near.
    weight
        By which each source counts the same.
    """

    sources: tuple[str, ...]
    evidence: Floats
    is_right: Bools
    weight: Floats

    @classmethod
    def of(cls, kinds: Sequence[Sequence[Judged]]) -> Boundaries:
        """Collect those of documents of several kinds; a source counts as two if it has both."""
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
    """Fit the log odds that a person has a boundary near one that was found."""
    fit = fit_logistic(boundaries.evidence, boundaries.is_right, boundaries.weight, _C)
    place, saving = fit.weights.tolist()
    return StrengthRule(round(place, 2), round(saving, 2), round(fit.constant, 2))


def strength_facts(
    boundaries: Boundaries, rules: Mapping[str | None, StrengthRule]
) -> dict[str, Any]:
    """Rate each boundary by the rule fitted without its family, and see how often it is right."""
    weights = [
        (rule.place, rule.saving, rule.constant)
        for rule in (rules[family_of(source)] for source in boundaries.sources)
    ]
    evidence = np.column_stack([boundaries.evidence, np.ones(len(weights))])
    log_odds = (evidence * np.array(weights)).sum(axis=1)
    predicted = 1 / (1 + np.exp(-log_odds))
    return reliability(predicted, boundaries.is_right, boundaries.weight)
