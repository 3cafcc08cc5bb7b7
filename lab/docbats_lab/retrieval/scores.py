"""Questions, rankings of chunks for them, and scores of the retrieved text by characters.

B. Smith and A. Troynikov, "Evaluating Chunking Strategies for Retrieval", Chroma technical report,
2024. A folder in their form has the texts of the corpora as ``NAME.md`` or ``NAME.txt``, and
``questions.jsonl`` with `corpus`, `question` and `spans`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from docbats.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Ranking = Callable[[Sequence[str], Sequence[str]], NDArray[np.float64]]


@dataclass(frozen=True)
class Question:
    """A question, and the spans of its corpus that answer it."""

    corpus: str
    text: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class RetrievalSet:
    """Texts by their names, and questions on them."""

    texts: dict[str, str]
    questions: tuple[Question, ...]


def read_retrieval_set(folder: Path) -> RetrievalSet:
    """Read a folder of corpora and questions, or the folder ``retrieval`` in it."""
    if (folder / "retrieval").is_dir():
        folder = folder / "retrieval"
    path = folder / "questions.jsonl"
    if not path.is_file():
        msg = f"there are no questions at {path}: name a folder of corpora with questions.jsonl"
        raise InputError(msg)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    questions = tuple(
        Question(row["corpus"], row["question"], tuple((a, b) for a, b in row["spans"]))
        for row in rows
        if row["spans"]
    )
    texts = {
        name: _read_text(folder, name) for name in dict.fromkeys(each.corpus for each in questions)
    }
    return RetrievalSet(texts, questions)


def _read_text(folder: Path, name: str) -> str:
    for ending in (".md", ".txt"):
        path = folder / f"{name}{ending}"
        if path.is_file():
            # Spans count line breaks as they are in the file.
            return path.read_bytes().decode("utf-8")
    msg = f"there is no text of the corpus {name} in {folder}: expected {name}.md or {name}.txt"
    raise InputError(msg)


# Rankings

K1, B = 1.5, 0.75  # the usual parameters of BM25
_WORD = re.compile(r"\w+")


def bm25(chunks: Sequence[str], questions: Sequence[str]) -> NDArray[np.float64]:
    """Return the Okapi BM25 of each question and chunk."""
    number: dict[str, int] = {}
    rows, columns, counts, lengths = [], [], [], []
    for row, chunk in enumerate(chunks):
        found = Counter(_WORD.findall(chunk.lower()))
        lengths.append(found.total())
        for word, count in found.items():
            rows.append(row)
            columns.append(number.setdefault(word, len(number)))
            counts.append(count)
    frequency = np.array(counts, float)
    holding = np.bincount(columns, minlength=len(number))
    rarity = np.log(1 + (len(chunks) - holding + 0.5) / (holding + 0.5))
    norm = K1 * (1 - B + B * np.array(lengths) / max(1.0, float(np.mean(lengths))))
    weights = rarity[columns] * frequency * (K1 + 1) / (frequency + norm[rows])
    matrix = sparse.csr_matrix((weights, (rows, columns)), shape=(len(chunks), len(number)))
    asked = sparse.lil_matrix((len(questions), len(number)))
    for row, question in enumerate(questions):
        for word in set(_WORD.findall(question.lower())):
            if word in number:
                asked[row, number[word]] = 1
    scores: NDArray[np.float64] = (asked.tocsr() @ matrix.T).toarray()
    return scores


def dense(chunks: Sequence[str], questions: Sequence[str]) -> NDArray[np.float64]:
    """Return the cosine of the all-MiniLM-L6-v2 vectors of each question and chunk."""
    from docbats_lab.baselines.minilm import encode

    scores: NDArray[np.float64] = encode(questions) @ encode(chunks).T
    return scores


RANKINGS: dict[str, Ranking] = {"BM25": bm25, "MiniLM": dense}


# Scores


@dataclass(frozen=True)
class IndexedChunk:
    """A span of a corpus, and its indexed text, possibly with a context before it."""

    corpus: str
    start: int
    end: int
    content: str


@dataclass(frozen=True)
class Scores:
    """The scores of one question, as shares of characters."""

    recall: float
    precision: float
    iou: float


Span = tuple[str, int, int]


def take_top(chunks: Sequence[IndexedChunk], order: Iterable[int], depth: int) -> list[Span]:
    """Return the spans of the first chunks."""
    found = [chunks[i] for _, i in zip(range(depth), order, strict=False)]
    return [(chunk.corpus, chunk.start, chunk.end) for chunk in found]


def take_characters(
    chunks: Sequence[IndexedChunk], order: Iterable[int], budget: int
) -> list[Span]:
    """Return the spans of the first chunks up to `budget` characters; the last may be cut short."""
    taken: list[Span] = []
    for i in order:
        chunk = chunks[i]
        end = min(chunk.end, chunk.start + budget)
        taken.append((chunk.corpus, chunk.start, end))
        budget -= end - chunk.start
        if budget <= 0:
            break
    return taken


def score_retrieved(question: Question, retrieved: Sequence[Span]) -> Scores:
    """Return the report's three measures; text retrieved twice counts twice as retrieved."""
    answers = merge(question.spans)
    own = merge((start, end) for corpus, start, end in retrieved if corpus == question.corpus)
    hit = overlap(answers, own)
    wanted = sum(end - start for start, end in answers)
    got = sum(end - start for _, start, end in retrieved)
    return Scores(
        recall=hit / wanted,
        precision=hit / got if got else 0.0,
        iou=hit / (wanted + got - hit) if wanted + got - hit else 0.0,
    )


def merge(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans in order, with overlapping ones merged.

    >>> merge([(3, 6), (0, 4), (8, 9)])
    [(0, 6), (8, 9)]
    """
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def overlap(ours: Sequence[tuple[int, int]], theirs: Sequence[tuple[int, int]]) -> int:
    """Return the number of characters in both."""
    return sum(
        max(0, min(end, other_end) - max(start, other_start))
        for start, end in ours
        for other_start, other_end in theirs
    )
