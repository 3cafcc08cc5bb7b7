"""Semantics-assisted Non-negative Matrix Factorization (SeaNMF; Shi, Kang, Choo & Reddy 2018).

Factorises the word-sentence matrix A and the word-context matrix S with the words' factor W in
common, so that words which share sentences share topics:

    ½ ‖A - W Hᵀ‖² + ½ α ‖S - W Wcᵀ‖²  over non-negative W (words), Wc (contexts), H (sentences).

S is what skip-gram with negative sampling factorises (Levy & Goldberg 2014): with #(w, c) counting
how often two words meet in a sentence, S = max(log(#(w, c) / (#(w) p(c))) - log κ, 0), where p(c)
is proportional to #(c)^γ.

The paper's parameters are those of the authors' program: α = 0.1, κ = γ = 1, at most 500 sweeps,
until the objective falls by less than 0.1. Theirs scales each column of W to length one inside the
sweep without the other factors, which may raise the objective; ours minimises over each column
exactly and leaves the lengths alone, as they do not change the ranking of a topic's words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from docbats.runtime import single_blas_thread
from docbats_lab.baselines.ranking import rank_words
from docbats_lab.method_types import TopicMethod

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy import sparse

    from docbats_lab.method_types import Topics
    from docbats_lab.preparation import Prepared

_ALPHA = 0.1
_KAPPA = 1.0
_GAMMA = 1.0
_SWEEPS = 500
_THRESHOLD = 0.1

Matrix = np.ndarray[tuple[int, int], np.dtype[np.float64]]


@dataclass(frozen=True, eq=False)
class Factors:
    """W, Wc and H, a column for each topic, and the objective after each sweep."""

    words: Matrix
    contexts: Matrix
    sentences: Matrix
    objectives: tuple[float, ...]


def correlate(
    counts: sparse.csr_array, *, kappa: float = _KAPPA, gamma: float = _GAMMA
) -> NDArray[np.float64]:
    """Return S from sentences by words; the context of an occurrence is its whole sentence.

    A word meets itself too, as in the authors' program.
    """
    meetings = (counts.T @ counts).toarray()
    of_word, of_context = meetings.sum(axis=1), meetings.sum(axis=0) ** gamma
    chance = np.outer(of_word, of_context / of_context.sum())
    ratio = np.divide(meetings, kappa * chance, out=np.ones_like(meetings), where=meetings > 0)
    correlations: NDArray[np.float64] = np.log(np.maximum(ratio, 1))
    return correlations


def factorize(
    counts: sparse.csr_array,
    S: NDArray[np.float64],
    k: int,
    seed: int,
    *,
    alpha: float = _ALPHA,
    sweeps: int = _SWEEPS,
    threshold: float = _THRESHOLD,
) -> Factors:
    """Minimise the objective by block coordinate descent from random factors."""
    rng = np.random.default_rng(seed)
    n_sentences, n_words = counts.shape
    W, Wc, H = (rng.random((n, k)) for n in (n_words, n_words, n_sentences))
    W /= np.linalg.norm(W, axis=0)
    Wc /= np.linalg.norm(Wc, axis=0)
    A = counts.T.tocsr()
    constant = counts.data @ counts.data + alpha * np.vdot(S, S)
    objectives: list[float] = []
    for _ in range(sweeps):
        _descend(W, A @ H + alpha * (S @ Wc), H.T @ H + alpha * (Wc.T @ Wc))
        gram, SW, AW = W.T @ W, S.T @ W, counts @ W
        _descend(Wc, SW, gram)
        _descend(H, AW, gram)
        fit = np.vdot(gram, H.T @ H + alpha * (Wc.T @ Wc))
        overlap = np.vdot(AW, H) + alpha * np.vdot(SW, Wc)
        objectives.append(float(constant - 2 * overlap + fit) / 2)
        if len(objectives) > 1 and objectives[-2] - objectives[-1] < threshold:
            break
    return Factors(W, Wc, H, tuple(objectives))


def _descend(factor: Matrix, target: Matrix, gram: Matrix) -> None:
    """Minimise ½ tr(F gram Fᵀ) - tr(F targetᵀ) over each non-negative column of F in turn."""
    for column in np.flatnonzero(np.diag(gram) > 0):
        slope = factor @ gram[:, column] - target[:, column]
        factor[:, column] = np.maximum(factor[:, column] - slope / gram[column, column], 0)


def _find(prepared: Prepared, k: int, seed: int) -> Topics:
    if not prepared.words:
        return []
    with single_blas_thread():
        factors = factorize(prepared.counts, correlate(prepared.counts), k, seed)
    return rank_words(factors.words.T, prepared.words)


METHOD = TopicMethod(
    name="SeaNMF",
    citation="Shi, Kang, Choo & Reddy 2018, Short-Text Topic Modeling via Non-negative Matrix "
    "Factorization Enriched with Local Word-Context Correlations",
    find=_find,
    parameters={
        "alpha": _ALPHA,
        "kappa": _KAPPA,
        "gamma": _GAMMA,
        "sweeps": _SWEEPS,
        "threshold": _THRESHOLD,
    },
)
