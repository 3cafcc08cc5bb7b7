"""Rules fitted to all sources, and for each family of sources those fitted to the others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from docbats_lab.carry_over.logistic import (
    fit_openings,
    fit_plain,
    plain_features,
)
from docbats_lab.carry_over.parts_fit import fit_gain, fit_parts, losses_by_gain
from docbats_lab.carry_over.rules import Rules
from docbats_lab.carry_over.sources import NATURAL, OPENING_SOURCES, family_of
from docbats_lab.carry_over.strength_fit import Boundaries, fit_strength

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.segments.choose_k import PlainRule
    from docbats_lab.carry_over.judged import Judged
    from docbats_lab.carry_over.trials import Trial
    from docbats_lab.carry_over.weighed import Weighed

    Folds = dict[str | None, Rules]


class _HasSource(Protocol):
    @property
    def source(self) -> str: ...


Document = TypeVar("Document", bound=_HasSource)


def fit_openings_of_folds(trials: Sequence[Trial]) -> Folds:
    """Fit openings to all sources (under None), and to those outside of each family."""
    families = dict.fromkeys(family_of(trial.source) for trial in trials)
    learned = [trial for trial in trials if trial.source in OPENING_SOURCES]
    return {fold: Rules(fit_openings(_without(learned, fold))) for fold in (None, *families)}


def fit_rules_of_folds(
    folds: Folds, lists: Sequence[Weighed], structured: Sequence[Weighed]
) -> Folds:
    """Fit when breaks are plain and how many parts there are, likewise."""
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
    """Return what is lost by several weights of gains, and which one odds of k would have."""
    documents = _not_plain(structured, rules.plain)
    return {
        "losses": losses_by_gain(documents, rules.parts),
        "by odds": fit_gain(documents, rules.parts),
    }


def _not_plain(documents: Sequence[Weighed], rule: PlainRule) -> list[Weighed]:
    """Return the documents whose number of segments the rule of parts decides."""
    return [d for d in documents if d.is_open and not is_plain(d, rule)]


def is_plain(document: Weighed, rule: PlainRule) -> bool:
    """Whether the breaks of a document are plain, as `KModel` has it."""
    weights = [rule.gain, rule.vocabulary, rule.length]
    return document.plain_k > 1 and float(plain_features(document) @ np.array(weights)) > (
        rule.threshold
    )


def fit_strengths_of_folds(
    folds: Folds, lists: Sequence[Judged], structured: Sequence[Judged]
) -> Folds:
    """Fit strengths, likewise; a source's lists and its documents with paragraphs count as two."""
    fitted = {}
    for fold, rules in folds.items():
        boundaries = Boundaries.of([_without(lists, fold), _without(structured, fold)])
        fitted[fold] = replace(rules, strength=fit_strength(boundaries))
    return fitted


def _without(documents: Sequence[Document], family: str | None) -> list[Document]:
    return [document for document in documents if family_of(document.source) != family]
