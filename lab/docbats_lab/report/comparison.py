"""Other methods compared with docbats: the differences, and which methods are ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats_lab.baselines.bats_topics import TEN_WORDS
from docbats_lab.method_registry import SEGMENTERS
from docbats_lab.report.labels import score_label
from docbats_lab.report.markdown_tables import format_difference, markdown_table
from docbats_lab.score_summary import paired_difference

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from docbats_lab.report.stored_results import VariantRows
    from docbats_lab.score_summary import ScoreDifference

    Differences = dict[str, dict[str, ScoreDifference]]

_LOWER_IS_BETTER = ("pk", "wd")


def docbats_counterpart(segmenter: str) -> str:
    """Return the name of the docbats that is given k if and only if the segmenter is."""
    return "docbats (k)" if SEGMENTERS[segmenter].takes_k else "docbats"


def compare_with_docbats(
    found: VariantRows, counterpart_of: Callable[[str], str], scores: Sequence[str]
) -> Differences:
    """Return the score of each other method minus that of docbats, on the same documents."""
    differences: Differences = {}
    for name, rows in found.items():
        if name in {counterpart_of(name), TEN_WORDS.name}:
            continue
        others = found.get(counterpart_of(name), {})
        all_scores = {score: paired_difference(rows, others, score) for score in scores}
        known = {score: difference for score, difference in all_scores.items() if difference}
        if known:
            differences[name] = known
    return differences


def differences_table(differences: Differences, scores: Sequence[str], decimals: int = 3) -> str:
    """Return a table of some of the differences; an empty text if there are none."""
    if not differences:
        return ""
    heads = ["", *(f"{score_label(score)} - docbats" for score in scores)]
    rows = [
        [name, *(format_difference(found.get(score), decimals) for score in scores)]
        for name, found in differences.items()
    ]
    return "\n" + markdown_table(heads, rows)


def list_methods_ahead(differences: Differences) -> str:
    """Return a line with the methods that are significantly better than docbats, if any compare."""
    if not differences:
        return ""
    better = []
    for name, found in differences.items():
        wins = [
            score_label(score)
            for score, difference in found.items()
            if difference.sign == (-1 if score in _LOWER_IS_BETTER else 1)
        ]
        if wins:
            better.append(f"{name} ({', '.join(wins)})")
    listed = ", ".join(better) or "none"
    return f"\nCompared with docbats: {len(differences)}. Significantly better: {listed}.\n"
