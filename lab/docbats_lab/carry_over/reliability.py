"""Whether boundaries of a strength are right as often as it says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]

_GROUPS = 10


def reliability(predicted: Floats, is_right: Bools, weight: Floats) -> dict[str, Any]:
    """Compare probabilities with what came true, in tenths from the weakest to the strongest.

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
    """Return how likely one that is right has a larger probability than one that is not."""
    values, place = np.unique(predicted, return_inverse=True)
    right = np.bincount(place, weight * is_right, len(values))
    wrong = np.bincount(place, weight * ~is_right, len(values))
    below = np.cumsum(wrong) - wrong
    pairs = right.sum() * wrong.sum()
    return float((right * (below + wrong / 2)).sum() / pairs) if pairs else 0.5


def _mean(values: Floats | Bools, weight: Floats) -> float:
    return round(float(np.average(values, weights=weight)), 4)
