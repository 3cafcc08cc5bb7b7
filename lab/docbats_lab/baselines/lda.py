"""Latent Dirichlet Allocation (Blei, Ng & Jordan 2003), by scikit-learn with its defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.runtime import single_blas_thread
from docbats_lab.baselines.ranking import rank_words
from docbats_lab.method_types import TopicMethod

if TYPE_CHECKING:
    from docbats_lab.method_types import Topics
    from docbats_lab.preparation import Prepared


def _find(prepared: Prepared, k: int, seed: int) -> Topics:
    """Rank words by the topic's pseudo-counts, which order them as P(word | topic) does."""
    if not prepared.words:
        return []
    from sklearn.decomposition import LatentDirichletAllocation

    with single_blas_thread():
        model = LatentDirichletAllocation(n_components=k, random_state=seed).fit(prepared.counts)
    return rank_words(model.components_, prepared.words)


METHOD = TopicMethod(
    name="LDA",
    citation="Blei, Ng & Jordan 2003, Latent Dirichlet Allocation; "
    "sklearn.decomposition.LatentDirichletAllocation",
    find=_find,
    parameters={"learning_method": "batch", "max_iter": 10, "priors": "1 / k"},
)
