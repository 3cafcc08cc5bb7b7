"""How often each splitter's chunks hold what answers a question, with intervals."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.retrieval.chunks import SPLITTERS, Chunk, Passage, find_size, make_chunks
from benchmarks.retrieval.ranking import RANKINGS
from docbats import BATS, Settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

__all__ = ["DEPTHS", "Question", "read_questions", "score_splitters", "wilson_interval"]

QUESTIONS = Path(__file__).with_name("questions.json")
DEPTHS = (1, 3)
RESAMPLES = 10_000


@dataclass(frozen=True)
class Question:
    """A question, and the passage that answers it."""

    text: str
    answer: Passage


def read_questions(texts: Mapping[str, str]) -> list[Question]:
    """Read the questions and find their passages."""
    questions = []
    for row in json.loads(QUESTIONS.read_text()):
        start = texts[row["document"]].index(row["passage"])
        answer = Passage(row["document"], start, start + len(row["passage"]))
        questions.append(Question(row["question"], answer))
    return questions


def score_splitters(
    texts: Mapping[str, str], questions: Sequence[Question], settings: Mapping[str, Any]
) -> dict[str, Any]:
    """Score all splitters at the sizes that docbats has with these settings."""
    rows: dict[str, Any] = {}
    ours: dict[str, NDArray[np.bool_]] = {}
    for name, (size, chunks) in _split(texts, settings).items():
        lengths = np.array([len(chunk.text) for chunk in chunks])
        whole = [any(chunk.holds(question.answer) for chunk in chunks) for question in questions]
        rows[name] = {
            "size": size,
            "chunks": len(chunks),
            "mean characters": round(float(lengths.mean()), 1),
            "sd characters": round(float(lengths.std()), 1),
            "passages cut": len(questions) - sum(whole),
        }
        for ranking, rank in RANKINGS.items():
            scores = rank([chunk.text for chunk in chunks], [q.text for q in questions])
            found, characters = _retrieve(chunks, questions, scores)
            ours.setdefault(ranking, found)  # docbats comes first
            rows[name][ranking] = {
                f"top {depth}": {
                    **_share(found[:, j], characters[:, j]),
                    **(
                        {"docbats less this": _difference(ours[ranking][:, j], found[:, j])}
                        if name != "docbats"
                        else {}
                    ),
                }
                for j, depth in enumerate(DEPTHS)
            }
    return rows


def _split(
    texts: Mapping[str, str], settings: Mapping[str, Any]
) -> dict[str, tuple[int | None, list[Chunk]]]:
    """Return the size and the chunks of docbats, and of the others at as many chunks."""
    bats = BATS(Settings(**settings))
    spans = {
        name: [(segment.start, segment.end) for segment in bats(text).segments]
        for name, text in texts.items()
    }
    ours = make_chunks(texts, spans)
    splits: dict[str, tuple[int | None, list[Chunk]]] = {"docbats": (None, ours)}
    for name, splitter in SPLITTERS.items():
        size = find_size(splitter, texts, len(ours))
        spans = {document: splitter(text, size) for document, text in texts.items()}
        splits[name] = (size, make_chunks(texts, spans))
    return splits


def _retrieve(
    chunks: Sequence[Chunk], questions: Sequence[Question], scores: NDArray[np.float64]
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Return, by question and depth, whether a right chunk was found, and how much text was."""
    found = np.zeros((len(questions), len(DEPTHS)), bool)
    characters = np.zeros((len(questions), len(DEPTHS)))
    for i, question in enumerate(questions):
        best = np.argsort(-scores[i], kind="stable")
        for j, depth in enumerate(DEPTHS):
            top = [chunks[place] for place in best[:depth]]
            found[i, j] = any(chunk.holds(question.answer) for chunk in top)
            characters[i, j] = sum(len(chunk.text) for chunk in top)
    return found, characters


def _share(found: NDArray[np.bool_], characters: NDArray[np.float64]) -> dict[str, Any]:
    n = int(found.sum())
    return {
        "found": n,
        "share": round(n / len(found), 4),
        "interval": wilson_interval(n, len(found)),
        "mean characters": round(float(characters.mean()), 1),
    }


def wilson_interval(hits: int, n: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share."""
    z = 1.96
    middle = (hits + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * math.sqrt(hits * (n - hits) / n + z * z / 4)
    return round(middle - half, 4), round(middle + half, 4)


def _difference(ours: NDArray[np.bool_], other: NDArray[np.bool_]) -> dict[str, Any]:
    """Return the mean difference on the same questions, with a 95 % bootstrap interval."""
    gaps = ours.astype(float) - other
    places = np.random.default_rng(0).integers(0, len(gaps), (RESAMPLES, len(gaps)))
    low, high = np.percentile(gaps[places].mean(axis=1), [2.5, 97.5])
    return {
        "difference": round(float(gaps.mean()), 4),
        "interval": [round(float(low), 4), round(float(high), 4)],
        "only docbats": int((gaps > 0).sum()),
        "only the other": int((gaps < 0).sum()),
    }
