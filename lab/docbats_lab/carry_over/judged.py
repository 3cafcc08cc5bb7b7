"""How documents are cut by rules that were fitted to other sources, and by those fitted to all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from docbats.segments.choose_k import NEAR, boundary_evidence, choose_k
from docbats_lab.carry_over.cutter import cutter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from docbats_lab.carry_over.rules import Rules
    from docbats_lab.carry_over.trials import Score, Trial

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class JudgeTask:
    """A document, the rules of other sources and those of all, and shares to try."""

    trial: Trial
    others: Rules
    everything: Rules
    shares: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class Judged:
    """How well a document is cut.

    Attributes
    ----------
    source
        Where it comes from.
    found
        At the number of segments found, by the rules of other sources.
    by_share
        The same, for each share of the mean gain that a plain break may have to gain.
    found_by_all, true_by_all
        By the rules of all sources, at the number found and at the true one.
    has_plain_breaks
        Whether the rules of other sources take its breaks for plain.
    evidence
        Of each boundary of `found`, in one row, what its strength is found by; none where headings
        decide.
    is_right
        For each of these, whether a person has a boundary within two sentences.
    """

    source: str
    found: Score
    by_share: Mapping[float, Score]
    found_by_all: Score
    true_by_all: Score
    has_plain_breaks: bool
    evidence: Floats
    is_right: Bools


def judge(task: JudgeTask) -> Judged:
    """Cut a document by the rules of other sources and by those of all."""
    trial, m = task.trial, len(task.trial)
    cost = trial.cost(task.others)
    choice, cut = choose_k(cost, m), cutter(cost, m)
    starts = cut(choice.k)
    by_share = {}
    for share in task.shares:
        plain = replace(cost.k_model.plain, share=share)
        cost.k_model = replace(cost.k_model, plain=plain)
        by_share[share] = trial.score(cut(choose_k(cost, m).k))
    by_all = trial.cost(task.everything)
    cut_by_all = cutter(by_all, m)
    rated = [] if choice.follows_headings else starts[1:]
    evidence = np.empty((0, 2))
    if rated:
        evidence = np.column_stack(boundary_evidence(cost, m, starts))
    return Judged(
        source=trial.source,
        found=trial.score(starts),
        by_share=by_share,
        found_by_all=trial.score(cut_by_all(choose_k(by_all, m).k)),
        true_by_all=trial.score(cut_by_all(trial.k)),
        has_plain_breaks=choice.has_plain_breaks,
        evidence=evidence,
        is_right=_are_near(rated, trial.true_starts[1:]),
    )


def _are_near(found: list[int], true: tuple[int, ...]) -> Bools:
    """Whether there is a true boundary near each of those found."""
    distances = np.abs(np.subtract.outer(found, np.array([*true, np.inf])))
    return np.asarray(distances.min(axis=1, initial=np.inf) <= NEAR)
