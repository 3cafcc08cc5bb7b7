"""LexRank: sentences ranked by a walk over the graph of their likeness.

G. Erkan and D. Radev, "LexRank: Graph-based Lexical Centrality as Salience in Text Summarization",
JAIR 22, 2004: the continuous variant, where likeness is the cosine of tf-idf vectors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy import sparse

_DAMPING = 0.85
_ROUNDS = 200
_TOLERANCE = 1e-10


def lex_rank(tf_idf: sparse.csr_array, n: int) -> list[int]:
    """Return the `n` best sentences in the order of the text, the earliest of equals."""
    rows = tf_idf.toarray()
    norm = np.linalg.norm(rows, axis=1)
    rows = rows / np.where(norm > 0, norm, 1)[:, None]
    likeness = rows @ rows.T
    total = likeness.sum(axis=0)
    step = likeness / np.where(total > 0, total, 1)
    size = len(rows)
    rank = np.full(size, 1 / size)
    for _ in range(_ROUNDS):
        new = (1 - _DAMPING) / size + _DAMPING * (step @ rank)
        done = np.abs(new - rank).sum() < _TOLERANCE
        rank = new
        if done:
            break
    best = np.argsort(-rank.round(12), kind="stable")[:n]
    return sorted(best.tolist())
