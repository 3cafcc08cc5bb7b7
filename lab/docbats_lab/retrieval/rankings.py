"""Scores of chunks for questions: Okapi BM25, and the cosine of sentence vectors."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Ranking = Callable[[Sequence[str], Sequence[str]], NDArray[np.float64]]

K1, B = 1.5, 0.75  # the usual parameters of BM25
_WORD = re.compile(r"\w+")


def _words(text: str) -> list[str]:
    """Return the words in lower case, as they are."""
    return _WORD.findall(text.lower())


def bm25(chunks: Sequence[str], questions: Sequence[str]) -> NDArray[np.float64]:
    """Score chunks by Okapi BM25, questions by chunks."""
    number: dict[str, int] = {}
    rows, columns, counts, lengths = [], [], [], []
    for row, chunk in enumerate(chunks):
        found = Counter(_words(chunk))
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
        for word in set(_words(question)):
            if word in number:
                asked[row, number[word]] = 1
    scores: NDArray[np.float64] = (asked.tocsr() @ matrix.T).toarray()
    return scores


def dense(chunks: Sequence[str], questions: Sequence[str]) -> NDArray[np.float64]:
    """Score chunks by the cosine of the vectors of all-MiniLM-L6-v2, questions by chunks."""
    from docbats_lab.baselines.minilm import encode

    scores: NDArray[np.float64] = encode(questions) @ encode(chunks).T
    return scores


RANKINGS: dict[str, Ranking] = {"BM25": bm25, "MiniLM": dense}
