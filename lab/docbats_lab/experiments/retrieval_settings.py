"""What a cut between chunks costs: chosen on one corpus, confirmed on the others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.chunks.packer import Packer
from docbats.chunks.pieces import CutCosts
from docbats.chunks.sizes import make_sizes
from docbats.runtime import find_versions
from docbats_lab.experiments.request import progress
from docbats_lab.experiments.retrieval import REFERENCE, SIZES, score_chunks
from docbats_lab.experiments.titles import write_facts
from docbats_lab.retrieval.equal_sizes import chunk_all, chunk_to_count
from docbats_lab.retrieval.measures import bootstrap
from docbats_lab.retrieval.questions import read_retrieval_set
from docbats_lab.retrieval.splitters import SPLITTERS, Splitter, count_tokens, read_document

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    folder = request.data / "retrieval"
    data = read_retrieval_set(folder if folder.is_dir() else request.data)
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
    """Return the costs that are tried, by name: one changed at a time, and all together."""
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
    """Return what is best on one corpus, and what it gains over the default on the others."""
    best = max(recalls, key=lambda name: float(recalls[name][is_of_corpus].mean()))
    gain = recalls[best] - recalls[DEFAULT]
    return {
        "costs": best,
        "gain here": _round(gain[is_of_corpus].mean()),
        "gain on the others": [_round(value) for value in bootstrap(gain[~is_of_corpus], seed)],
    }


def _round(value: float | np.float64) -> float:
    return round(float(value), 4)
