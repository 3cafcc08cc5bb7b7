"""The costs of a cut between chunks: chosen on one corpus, confirmed on the others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.chunks.packer import Packer
from docbats.chunks.pieces import CutCosts
from docbats.chunks.sizes import make_sizes
from docbats.runtime import find_versions
from docbats_lab.experiments.request import progress
from docbats_lab.experiments.retrieval import REFERENCE, SIZES, interval, points, score_chunks
from docbats_lab.report.tables import markdown_table
from docbats_lab.results import read_facts, write_facts
from docbats_lab.retrieval.scores import read_retrieval_set
from docbats_lab.retrieval.splitters import (
    SPLITTERS,
    Splitter,
    chunk_all,
    chunk_to_count,
    count_tokens,
    read_document,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from docbats_lab.experiments.request import Request

DEFAULT = "as they are"
_COSTS = CutCosts()
_TRIED = {
    "heading": (-0.5, 0.0, 0.1),
    "unit": (0.0, 0.05, 0.3),
    "item": (0.1, 0.6),
    "sentence": (0.2, 1.0),
}
_FACTORS = (0.0, 0.25, 0.5, 2.0, 4.0)


def run(request: Request) -> None:
    """Score chunks at other costs by BM25, and choose the best on each corpus."""
    data = read_retrieval_set(request.data)
    corpus_of = np.array([question.corpus for question in data.questions])
    counts = {size: len(chunk_all(SPLITTERS[REFERENCE], data.texts, size)) for size in SIZES}
    tried = _tried()
    recalls: dict[str, NDArray[np.float64]] = {}
    with progress(request, "retrieval: settings", len(tried)) as on_done:
        for name, costs in tried.items():
            splitter = _splitter(costs)
            found = []
            for size in SIZES:
                _, chunks = chunk_to_count(splitter, data.texts, counts[size], size)
                found.append(score_chunks(chunks, data.questions, "BM25")[:, 0])
            recalls[name] = np.mean(found, axis=0)
            on_done()
    corpora = list(data.texts)
    facts = {
        "command": "docbats lab run retrieval-settings",
        "versions": find_versions("docbats", "numpy", "langchain-text-splitters"),
        "seed": request.seed,
        "questions": {name: int((corpus_of == name).sum()) for name in corpora},
        "recall": {
            name: {corpus: _round(each[corpus_of == corpus].mean()) for corpus in corpora}
            for name, each in recalls.items()
        },
        "chosen": {
            corpus: _choose(recalls, corpus_of == corpus, request.seed) for corpus in corpora
        },
    }
    write_facts(request.output / "retrieval-settings", facts)


def _tried() -> dict[str, CutCosts]:
    """Return the costs to try, by name: one changed at a time, and all together."""
    tried = {DEFAULT: _COSTS}
    for name, values in _TRIED.items():
        tried |= {f"{name} {value:g}": replace(_COSTS, **{name: value}) for value in values}
    for factor in _FACTORS:
        scaled = {name: getattr(_COSTS, name) * factor for name in _TRIED}
        tried[f"all times {factor:g}"] = replace(_COSTS, **scaled)
    return tried


def _splitter(costs: CutCosts) -> Splitter:
    sizes = make_sizes(count_tokens, None, None)

    def split(text: str, size: int) -> list[tuple[int, int, str]]:
        packer = Packer(read_document(text), sizes, size, context="headings", costs=costs)
        return [(chunk.start, chunk.end, chunk.content) for chunk in packer.chunks()]

    return Splitter("docbats", "chunk(context='headings')", split)


def _choose(
    recalls: Mapping[str, NDArray[np.float64]], is_of_corpus: NDArray[np.bool_], seed: int
) -> dict[str, Any]:
    """Return the best costs on one corpus, and their gain over the default on the others."""
    best = max(recalls, key=lambda name: float(recalls[name][is_of_corpus].mean()))
    gain = recalls[best] - recalls[DEFAULT]
    return {
        "costs": best,
        "gain here": _round(gain[is_of_corpus].mean()),
        "gain on the others": interval(gain[~is_of_corpus], seed),
    }


def _round(value: float | np.float64) -> float:
    return round(float(value), 4)


def page(folder: Path, _: Path) -> Iterator[str]:
    """Show recall at other costs of cuts, and the gain of the best on one corpus on the others."""
    facts = read_facts(folder)
    yield (
        "Recall in % by BM25 with 2,000 retrieved characters and headings as context, mean of the "
        "sizes of 100, 200 and 400 tokens, if the costs by which chunks are cut were other than "
        "they are:\n"
    )
    corpora = list(facts["questions"])
    yield markdown_table(
        ("costs", *corpora),
        [
            [name, *(f"{100 * row[corpus]:.1f}" for corpus in corpora)]
            for name, row in facts["recall"].items()
        ],
    )
    yield "\nThe best on one corpus, and what it gains over the default, in points:\n"
    yield markdown_table(
        ("chosen on", "costs", "gain there", "gain on the others"),
        [
            [
                corpus,
                row["costs"],
                f"{100 * row['gain here']:+.1f}",
                points(row["gain on the others"]),
            ]
            for corpus, row in facts["chosen"].items()
        ],
    )
