"""Latent Semantic Analysis (Deerwester et al. 1990), by gensim on its tf-idf."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats.runtime import single_blas_thread
from docbats_lab.baselines.ranking import rank_words
from docbats_lab.method_types import TopicMethod

if TYPE_CHECKING:
    from docbats_lab.method_types import Topics
    from docbats_lab.preparation import Prepared


def _find(prepared: Prepared, k: int, seed: int) -> Topics:
    """Rank words by the size of their weight, whatever its sign, as gensim's ``show_topics`` does.

    There are as many topics as the tf-idf matrix has dimensions, at most k. It has none where every
    word is in every sentence.
    """
    if not prepared.words:
        return []
    from gensim.matutils import Sparse2Corpus
    from gensim.models import LsiModel, TfidfModel

    counts = Sparse2Corpus(prepared.counts, documents_columns=False)
    # A list, since of a sparse matrix gensim 4.4 would make the model without its seed.
    tf_idf = list(TfidfModel(counts)[counts])
    if not any(tf_idf):
        return []
    names = dict(enumerate(prepared.words))
    with single_blas_thread():
        model = LsiModel(tf_idf, num_topics=k, id2word=names, random_seed=seed)
    return rank_words(np.abs(model.get_topics()), prepared.words)


METHOD = TopicMethod(
    name="LSA",
    citation="Deerwester et al. 1990, Indexing by Latent Semantic Analysis; gensim.models.LsiModel",
    find=_find,
    parameters={"tf-idf": "gensim.models.TfidfModel", "ranking": "absolute weight"},
)
