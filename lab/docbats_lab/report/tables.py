"""Tables in Markdown, and the cells, headings, comparisons and plots that several pages share."""

from __future__ import annotations

import json
import shutil
from contextlib import contextmanager
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from docbats.errors import MissingExtraError
from docbats_lab.baselines.engine import TEN_WORDS
from docbats_lab.method_registry import SEGMENTERS
from docbats_lab.score_summary import paired_difference, summarize_score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from docbats_lab.results import Row, VariantRows
    from docbats_lab.score_summary import ScoreDifference

    Differences = dict[str, dict[str, ScoreDifference]]


NO_VALUE = "–"
"""The text of a cell without a value."""

_SCORES = {
    "pmi": "PMI",
    "umass": "UMass",
    "jaccard": "Jaccard",
    "dice": "Dice",
    "pk": "Pk",
    "wd": "WD",
    "b": "B",
    "f1": "F1",
    "f1_2": "F1 within 2",
}
_LOWER_IS_BETTER = ("pk", "wd")
_DATASETS = {
    "avlectures": "AVLectures",
    "icsi": "ICSI",
    "openstax": "OpenStax",
    "wikitext": "WikiText",
}


@cache
def paper_tables() -> dict[str, Any]:
    """Return tables 1 to 7 by name (``table1`` ...), as typed from the paper.

    Scores are [mean, standard deviation]. One misprint is read as it must be meant: PMI^Dice of HDP
    on News, "-5..56", as -5.56.
    """
    text = resources.files("docbats_lab").joinpath("data", "paper-tables.json").read_text("utf-8")
    tables: dict[str, Any] = json.loads(text)
    return tables


def markdown_table(
    heads: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: bool = True
) -> str:
    """Return a table; numbers are aligned right, in all columns but the first."""
    rule = ["---", *["---:" if numbers else "---"] * (len(heads) - 1)]
    return "\n".join("| " + " | ".join(row) + " |" for row in (heads, rule, *rows)) + "\n"


def named_table(
    heads: Sequence[str], rows: Mapping[str, Any], cells: Callable[[Any], Iterable[str]]
) -> str:
    """Return a table with a row for each name, and the `cells` of its value."""
    return markdown_table(heads, [[name, *cells(row)] for name, row in rows.items()])


def copy_picture(source: Path, target: Path) -> None:
    """Copy a picture if it exists; stored results leave it out since the pages have it."""
    if source.exists():
        shutil.copy(source, target)


# Cells


def format_number(value: float | None, decimals: int = 3) -> str:
    """Return a number as text, or a dash for None."""
    return NO_VALUE if value is None else f"{value:.{decimals}f}"


def mean_cell(rows: Mapping[str, Row], score: str, decimals: int = 3) -> str:
    """Return the mean of a score."""
    summary = summarize_score(rows, score)
    return format_number(summary.mean if summary else None, decimals)


def mean_and_deviation_cell(rows: Mapping[str, Row], score: str, decimals: int = 3) -> str:
    """Return the mean and the standard deviation of a score."""
    summary = summarize_score(rows, score)
    if summary is None:
        return NO_VALUE
    return f"{summary.mean:.{decimals}f} ± {summary.deviation:.{decimals}f}"


def format_difference(difference: ScoreDifference | None, decimals: int = 3) -> str:
    """Return a difference with its bounds, and a star if zero is not between them."""
    if difference is None:
        return NO_VALUE
    star = " *" if difference.sign else ""
    bounds = f"{difference.low:+.{decimals}f}, {difference.high:+.{decimals}f}"
    return f"{difference.mean:+.{decimals}f} [{bounds}]{star}"


# Headings and notes


def score_label(score: str) -> str:
    """Return the paper's name of a score, or of a composite such as ``pmi_dice``: PMI^Dice."""
    return _SCORES.get(score) or "^".join(_SCORES[part] for part in score.split("_"))


def dataset_label(dataset: str) -> str:
    """Return the name of a dataset for headings and tables."""
    return _DATASETS.get(dataset, dataset.capitalize())


def dataset_heading(dataset: str, found: VariantRows, level: int = 2) -> str:
    """Return a heading with the dataset and the number of its scored documents."""
    return f"\n{'#' * level} {dataset_label(dataset)}, {_count_documents(found)} documents\n"


def failure_note(found: VariantRows) -> str:
    """Return a note on the methods that failed on documents or were run on fewer."""
    most = _count_documents(found)
    notes = []
    for name, rows in found.items():
        failed = sum("error" in row for row in rows.values())
        if failed:
            notes.append(f"{name} failed on {failed} documents.")
        if len(rows) < most:
            notes.append(f"{name} was run on {len(rows)} documents.")
    return "\n" + " ".join(notes) + "\n" if notes else ""


def _count_documents(found: VariantRows) -> int:
    return max(len(rows) for rows in found.values())


# Comparisons with docbats


def true_segment_counts(found: VariantRows) -> dict[str, int]:
    """Return the true number of segments of each document, from the methods that are given it."""
    return {
        document: row["segments"]
        for name, rows in found.items()
        if SEGMENTERS[name].takes_k
        for document, row in rows.items()
        if "segments" in row
    }


def docbats_counterpart(segmenter: str) -> str:
    """Return the name of the docbats that is given k if and only if the segmenter is."""
    return "docbats (k)" if SEGMENTERS[segmenter].takes_k else "docbats"


def compare_with_docbats(
    found: VariantRows, counterpart_of: Callable[[str], str], scores: Sequence[str]
) -> Differences:
    """Return the scores of each other method minus those of docbats, on the same documents."""
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


_PANEL_INCHES = 3.4


@contextmanager
def plot_panels(path: Path, panels: int, columns: int | None = None) -> Iterator[list[Any]]:
    """Yield the axes of some panels, then save them as PNG without a date or version inside."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        msg = "plots need matplotlib: pip install docbats-lab"
        raise MissingExtraError(msg) from error
    columns = columns or panels
    rows = -(-panels // columns)
    drawing = Figure(figsize=(_PANEL_INCHES * columns, _PANEL_INCHES * rows), layout="constrained")
    FigureCanvasAgg(drawing)
    axes = drawing.subplots(rows, columns, squeeze=False).ravel()
    yield list(axes[:panels])
    for unused in axes[panels:]:
        unused.set_axis_off()
    drawing.savefig(path, dpi=75, metadata={"Software": None})
