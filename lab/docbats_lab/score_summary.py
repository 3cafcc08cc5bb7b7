"""Means, deviations and bootstrap intervals of scores."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from docbats_lab.results import Row

_RESAMPLES = 2000
_DECIMALS = 9  # bounds are compared with zero at this precision; beyond are rounding errors


@dataclass(frozen=True)
class ScoreSummary:
    """A score over the documents that have it; failed ones do not."""

    mean: float
    deviation: float
    documents: int


@dataclass(frozen=True)
class ScoreDifference:
    """The mean difference of two variants on the documents that both scored, with 95 % bounds."""

    mean: float
    low: float
    high: float
    documents: int

    @property
    def sign(self) -> int:
        """1 or -1 if both bounds are on that side of zero, 0 if it may be chance."""
        if round(self.low, _DECIMALS) > 0:
            return 1
        return -1 if round(self.high, _DECIMALS) < 0 else 0


def summarize_score(rows: Mapping[str, Row], score: str) -> ScoreSummary | None:
    """Return the mean and deviation of a score; None if no document has it."""
    values = [row[score] for row in rows.values() if row.get(score) is not None]
    if not values:
        return None
    return ScoreSummary(float(np.mean(values)), float(np.std(values)), len(values))


def paired_difference(
    rows: Mapping[str, Row], others: Mapping[str, Row], score: str, seed: int = 0
) -> ScoreDifference | None:
    """Bootstrap the mean of `rows` minus `others` over documents; None if they share none."""
    pairs = [
        rows[name][score] - others[name][score]
        for name in sorted(rows.keys() & others.keys())
        if rows[name].get(score) is not None and others[name].get(score) is not None
    ]
    if not pairs:
        return None
    n = len(pairs)
    means = _draw(n, seed) @ np.array(pairs) / n
    low, high = np.quantile(means, [0.025, 0.975])
    return ScoreDifference(float(np.mean(pairs)), float(low), float(high), n)


@lru_cache(maxsize=2)  # a page compares many variants on the same number of documents
def _draw(n: int, seed: int) -> NDArray[np.float64]:
    """Count how often each of n documents is drawn, in each resample."""
    rng = np.random.default_rng(seed)
    return rng.multinomial(n, np.full(n, 1 / n), size=_RESAMPLES).astype(float)


def bootstrap(
    samples: Sequence[Sequence[float] | NDArray[np.float64]], seed: int, resamples: int = _RESAMPLES
) -> list[float]:
    """Return the mean over the means of the samples and its 95 % bounds, to four decimals."""
    rng = np.random.default_rng(seed)
    samples = [sample for sample in samples if len(sample)]
    drawn = [rng.choice(each, (resamples, len(each))).mean(axis=1) for each in samples]
    low, high = np.quantile(np.mean(drawn, axis=0), [0.025, 0.975])
    mean = np.mean([np.mean(sample) for sample in samples])
    return [round(float(value), 4) for value in (mean, low, high)]
