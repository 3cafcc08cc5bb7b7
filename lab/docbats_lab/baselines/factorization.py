"""Topics by matrix factorization: LSA, pLSA, NMF and SeaNMF."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from docbats.runtime import single_blas_thread
from docbats_lab.methods import TopicMethod, rank_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats_lab.methods import Prepared, Topics


def _find_by_lsa(prepared: Prepared, k: int, seed: int) -> Topics:
    """Rank words by the size of their weight, whatever its sign, as gensim's ``show_topics`` does.

    There are as many topics as the tf-idf matrix has dimensions, at most k, and none if every word
    is in every sentence.
    """
    if not prepared.words:
        return []
    from gensim.matutils import Sparse2Corpus
    from gensim.models import LsiModel, TfidfModel

    counts = Sparse2Corpus(prepared.counts, documents_columns=False)
    # A list, since gensim 4.4 ignores the seed for a sparse matrix.
    tf_idf = list(TfidfModel(counts)[counts])
    if not any(tf_idf):
        return []
    names = dict(enumerate(prepared.words))
    with single_blas_thread():
        model = LsiModel(tf_idf, num_topics=k, id2word=names, random_seed=seed)
    return rank_words(np.abs(model.get_topics()), prepared.words)


LSA = TopicMethod(
    name="LSA",
    citation="Deerwester et al. 1990, Indexing by Latent Semantic Analysis; gensim.models.LsiModel",
    find=_find_by_lsa,
    parameters={"tf-idf": "gensim.models.TfidfModel", "ranking": "absolute weight"},
)


# pLSA

_ITERATIONS = 30
_THRESHOLD = 10.0


@dataclass(frozen=True, eq=False)
class Mixture:
    """The distributions found by expectation maximization."""

    topics: NDArray[np.float64]  # P(z | d), sentences by topics; zeros for a sentence without words
    words: NDArray[np.float64]  # P(w | z), words by topics
    log_likelihoods: tuple[float, ...]  # sum of n(d, w) log P(w | d) before each step


def fit(
    counts: sparse.csr_array,
    k: int,
    seed: int,
    *,
    iterations: int = _ITERATIONS,
    threshold: float = _THRESHOLD,
) -> Mixture:
    """Step from random distributions until the log-likelihood gains less than `threshold`.

    A sentence d draws a topic z from P(z | d) and the topic a word w from P(w | z). One step of EM
    needs no array of P(z | d, w): with R = n(d, w) / P(w | d) on the non-zero counts only, the new
    P(z | d) is proportional to P(z | d) (R P(w | z)), the new P(w | z) to P(w | z) (Rᵀ P(z | d)).
    """
    rng = np.random.default_rng(seed)
    n_sentences, n_words = counts.shape
    topics = _shares(rng.random((n_sentences, k)), axis=1)
    words = _shares(rng.random((n_words, k)), axis=0)
    sentence, word = counts.tocoo().coords
    log_likelihoods: list[float] = []
    for _ in range(iterations):
        expected = np.einsum("ik,ik->i", topics[sentence], words[word])
        log_likelihoods.append(float(counts.data @ np.log(expected)))
        if len(log_likelihoods) > 1 and log_likelihoods[-1] - log_likelihoods[-2] < threshold:
            break
        R = sparse.csr_array((counts.data / expected, counts.indices, counts.indptr), counts.shape)
        topics, words = (
            _shares(topics * (R @ words), axis=1),
            _shares(words * (R.T @ topics), axis=0),
        )
    return Mixture(topics, words, tuple(log_likelihoods))


def _shares(weights: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """Divide by the sums along `axis`, unless they are zero."""
    total = weights.sum(axis=axis, keepdims=True)
    shares: NDArray[np.float64] = weights / np.where(total > 0, total, 1)
    return shares


def _find_by_plsa(prepared: Prepared, k: int, seed: int) -> Topics:
    return rank_words(fit(prepared.counts, k, seed).words.T, prepared.words)


PLSA = TopicMethod(
    name="pLSA",
    citation="Hofmann 2001, Unsupervised Learning by Probabilistic Latent Semantic Analysis",
    find=_find_by_plsa,
    parameters={"iterations": _ITERATIONS, "threshold": _THRESHOLD},
)


# NMF


def fit_nmf(prepared: Prepared, k: int, seed: int, max_iter: int = 200) -> Any:
    """Fit scikit-learn's model to the tf-idf of the counts, each sentence of unit length."""
    from sklearn import decomposition
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.feature_extraction.text import TfidfTransformer

    tf_idf = TfidfTransformer().fit_transform(prepared.counts)
    # scikit-learn takes the root of the error, which rounding may make negative at a perfect fit.
    with single_blas_thread(), np.errstate(invalid="ignore"), warnings.catch_warnings():
        # The number of iterations is part of the paper's "default parameters".
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = decomposition.NMF(n_components=k, random_state=seed, max_iter=max_iter)
        return model.fit(tf_idf)


def _find_by_nmf(prepared: Prepared, k: int, seed: int) -> Topics:
    if not prepared.words:
        return []
    return rank_words(fit_nmf(prepared, k, seed).components_, prepared.words)


NMF = TopicMethod(
    name="NMF",
    citation="Pauca, Shahnaz, Berry & Plemmons 2004, Text Mining using Non-Negative Matrix "
    "Factorizations; sklearn.decomposition.NMF",
    find=_find_by_nmf,
    parameters={"tf-idf": "sklearn TfidfTransformer", "init": "nndsvda", "max_iter": 200},
)


# SeaNMF

_ALPHA = 0.1
_KAPPA = 1.0
_GAMMA = 1.0
_SWEEPS = 500
_SEANMF_THRESHOLD = 0.1

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

    A word also meets itself, as in the authors' program.
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
    threshold: float = _SEANMF_THRESHOLD,
) -> Factors:
    """Factorize the word-sentence matrix A and the word-context matrix S with the words' factor W.

    Words that share sentences then share topics. Block coordinate descent from random factors
    minimizes ½ ‖A - W Hᵀ‖² + ½ α ‖S - W Wcᵀ‖² over non-negative W (words), Wc (contexts) and H
    (sentences).

    S is what skip-gram with negative sampling factorizes (Levy & Goldberg 2014): if #(w, c) counts
    how often two words meet in a sentence, S = max(log(#(w, c) / (#(w) p(c))) - log κ, 0), where
    p(c) is proportional to #(c)^γ.

    The paper's parameters are those of the authors' program: α = 0.1, κ = γ = 1, at most 500
    sweeps, until the objective falls by less than 0.1. Theirs scales each column of W to length one
    inside the sweep without the other factors, which may raise the objective; ours minimizes over
    each column exactly and leaves the lengths alone, as they do not change the ranking of words.
    """
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
    """Minimize ½ tr(F gram Fᵀ) - tr(F targetᵀ) over each non-negative column of F in turn."""
    for column in np.flatnonzero(np.diag(gram) > 0):
        slope = factor @ gram[:, column] - target[:, column]
        factor[:, column] = np.maximum(factor[:, column] - slope / gram[column, column], 0)


def _find_by_seanmf(prepared: Prepared, k: int, seed: int) -> Topics:
    if not prepared.words:
        return []
    with single_blas_thread():
        factors = factorize(prepared.counts, correlate(prepared.counts), k, seed)
    return rank_words(factors.words.T, prepared.words)


SEANMF = TopicMethod(
    name="SeaNMF",
    citation="Shi, Kang, Choo & Reddy 2018, Short-Text Topic Modeling via Non-negative Matrix "
    "Factorization Enriched with Local Word-Context Correlations",
    find=_find_by_seanmf,
    parameters={
        "alpha": _ALPHA,
        "kappa": _KAPPA,
        "gamma": _GAMMA,
        "sweeps": _SWEEPS,
        "threshold": _SEANMF_THRESHOLD,
    },
)
