"""Table 1: counts of documents, sentences, segments and words, before and after preprocessing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docbats.matrix import bond
from docbats.settings import PRESETS
from docbats.text.words import normal_form
from docbats_lab.datasets import OTHER_DATASETS, PAPER_DATASETS
from docbats_lab.experiments.request import run_scored
from docbats_lab.methods import prepare_document
from docbats_lab.report.tables import markdown_table, mean_cell, paper_tables
from docbats_lab.results import read_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from docbats_lab.documents import SegmentedDocument
    from docbats_lab.experiments.request import Request
    from docbats_lab.results import Row

VARIANT = "counts"
_WORD = re.compile(r"\w+(?:['’-]\w+)*")


@dataclass(frozen=True)
class StatisticsScorer:
    """Counts words as written, and again as the method sees them.

    The paper does not say of which matrix it gives the sparsity after preprocessing: 75 to 89 % of
    zeros, which only the bonded matrix comes near.
    """

    def __call__(self, document: SegmentedDocument, variants: Sequence[str]) -> dict[str, Row]:
        """Return the counts of one document."""
        words = [[normal_form(w) for w in _WORD.findall(s)] for s in document.sentences]
        distinct = {word for sentence in words for word in sentence}
        prepared = prepare_document(document)
        m, n = len(words), len(prepared.words)
        paper = PRESETS["paper"]
        bonded = bond(prepared.counts, paper.window, paper.decay)
        row = {
            "sentences": m,
            "segments": len(document.segments),
            "words": sum(map(len, words)),
            "words_after": sum(map(len, prepared.sequence)),
            "distinct": len(distinct),
            "distinct_after": n,
            "sparsity": _zeros(sum(len(set(sentence)) for sentence in words), m * len(distinct)),
            "sparsity_after": _zeros(bonded.nnz, m * n),
        }
        return dict.fromkeys(variants, row)


def _zeros(filled: int, cells: int) -> float:
    return round(100 * (1 - filled / max(cells, 1)), 3)


def run(request: Request) -> None:
    """Count everything, in the datasets of the paper and in the others."""
    datasets = (*PAPER_DATASETS, *OTHER_DATASETS)
    run_scored(request, "statistics", datasets, [VARIANT], lambda *_: StatisticsScorer())


def page(folder: Path, _: Path) -> Iterator[str]:
    """Write the counts of the paper's datasets next to its own, then those of the others."""
    yield "Means per document; the paper's figures in brackets.\n"
    paper = paper_tables()["table1"]
    columns = [column for column in paper[PAPER_DATASETS[0]] if column != "documents"]
    heads = ["", "documents", *(column.replace("_", " ") for column in columns)]
    body = []
    for dataset in PAPER_DATASETS:
        documents, *means = _cells(folder / dataset, columns)
        printed = [
            f"{mean} ({paper[dataset][c]:g})" for c, mean in zip(columns, means, strict=True)
        ]
        body.append([dataset, f"{documents} ({paper[dataset]['documents']:.0f})", *printed])
    yield markdown_table(heads, body)
    others = [[name, *_cells(folder / name, columns)] for name in OTHER_DATASETS]
    yield "\n## Other kinds of documents\n\nThe paper has none of these.\n"
    yield markdown_table(heads, others)


def _cells(folder: Path, columns: Sequence[str]) -> list[str]:
    """Return the number of documents, and the mean of each column."""
    rows = read_rows(folder, VARIANT)
    return [str(len(rows)), *(mean_cell(rows, c, 1) for c in columns)]
