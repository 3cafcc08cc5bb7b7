"""Non-negative Matrix Factorization (Pauca et al. 2004), by scikit-learn on its tf-idf."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.runtime import single_blas_thread
from docbats_lab.baselines.ranking import rank_words
from docbats_lab.method_types import TopicMethod

if TYPE_CHECKING:
    from docbats_lab.method_types import Topics
    from docbats_lab.preparation import Prepared


def factorize(prepared: Prepared, k: int, seed: int, max_iter: int = 200) -> Any:
    """Fit scikit-learn's model to the tf-idf of the counts, each sentence of unit length."""
    from sklearn.decomposition import NMF
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.feature_extraction.text import TfidfTransformer

    tf_idf = TfidfTransformer().fit_transform(prepared.counts)
    # scikit-learn takes the root of the error, which rounding may put below zero at a perfect fit.
    with single_blas_thread(), np.errstate(invalid="ignore"), warnings.catch_warnings():
        # The number of iterations is part of the paper's "default parameters".
        warnings.simplefilter("ignore", ConvergenceWarning)
        return NMF(n_components=k, random_state=seed, max_iter=max_iter).fit(tf_idf)


def _find(prepared: Prepared, k: int, seed: int) -> Topics:
    if not prepared.words:
        return []
    return rank_words(factorize(prepared, k, seed).components_, prepared.words)


METHOD = TopicMethod(
    name="NMF",
    citation="Pauca, Shahnaz, Berry & Plemmons 2004, Text Mining using Non-Negative Matrix "
    "Factorizations; sklearn.decomposition.NMF",
    find=_find,
    parameters={"tf-idf": "sklearn TfidfTransformer", "init": "nndsvda", "max_iter": 200},
)
