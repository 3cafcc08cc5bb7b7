"""What the choice of k has to go on, and how well each k would do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from docbats.segments.choose_k import BlockGains, heading_starts, worth_penalty
from docbats_lab.carry_over.cutter import cutter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from docbats_lab.carry_over.rules import Rules
    from docbats_lab.carry_over.trials import Score, Trial

NUMBERS = (*range(1, 13), 14, 16, 18, 20, 24, 28, 34, 40)
"""The numbers of segments among which the rules are fitted to choose."""

FIVE = 5
"""The number of parts that is the most usual."""


@dataclass(frozen=True, eq=False)
class Weighed:
    """A document under every number of segments.

    Attributes
    ----------
    source
        Where it comes from.
    is_open
        Whether more than one segment is worth its penalty, and no headings decide.
    n_tokens, n_roots
        Its words, and the different ones.
    plain_k, saving
        How many segments it has if its breaks are plain, and the mean share of their cost that
        neighbours then save.
    gains
        What the best k segments gain, the look of their openings included; for each of `NUMBERS`
        that the document may be cut into.
    scores
        How well the cut into k segments does; for the same numbers, five and the true one.
    """

    source: str
    is_open: bool
    n_tokens: float
    n_roots: int
    plain_k: int
    saving: float
    gains: Mapping[int, float]
    scores: Mapping[int, Score]


def weigh(task: tuple[Trial, Rules]) -> Weighed:
    """Cut a document into each number of segments; of the rules only the openings matter."""
    trial, rules = task
    cost, m = trial.cost(rules), len(trial)
    blocks, model = BlockGains(cost, m), cost.k_model
    bare, opened = blocks.gains(), blocks.gains(model.openings)
    plain_k = worth_penalty(bare, model.plain_penalty, rules.plain.share).k
    is_cut = worth_penalty(bare, cost.penalty, 0.0).k > 1
    numbers = [k for k in NUMBERS if k <= blocks.max_k]
    cut = cutter(cost, m)
    return Weighed(
        source=trial.source,
        is_open=is_cut and heading_starts(cost, "medium") is None,
        n_tokens=model.n_tokens,
        n_roots=model.n_roots,
        plain_k=plain_k,
        saving=float(blocks.savings(plain_k).mean()) if plain_k > 1 else 0.0,
        gains={k: float(opened[k - 1]) for k in numbers},
        scores={k: trial.score(cut(k)) for k in sorted({*numbers, FIVE, trial.k})},
    )
