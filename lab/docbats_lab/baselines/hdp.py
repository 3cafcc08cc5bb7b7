"""Hierarchical Dirichlet Process (Teh et al. 2005), by gensim with its defaults.

gensim learns online (Wang, Paisley & Blei 2011) and was made for large collections: its defaults
give a chunk of 256 texts a weight of 1/65 against the random start. A single document is one chunk
or two, so the topics stay close to that start. We keep the defaults because the paper does; with a
larger step and more rounds, such as ``tau=0.1, max_chunks=20``, the document comes through.
"""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from docbats.runtime import single_blas_thread
from docbats_lab.baselines.ranking import rank_words
from docbats_lab.method_types import TopicMethod

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docbats_lab.method_types import Topics
    from docbats_lab.preparation import Prepared


def find_topics(prepared: Prepared, k: int, seed: int, **parameters: Any) -> Topics:
    """Take the k heaviest of the topics that the process holds; `parameters` go to ``HdpModel``.

    A topic weighs as much as the words that are assigned to it, as in gensim's ``show_topics``.
    """
    if not prepared.words:
        return []
    from gensim.matutils import Sparse2Corpus
    from gensim.models import HdpModel

    corpus = Sparse2Corpus(prepared.counts, documents_columns=False)
    names = dict(enumerate(prepared.words))
    with single_blas_thread(), _without_warnings():
        model = HdpModel(corpus, names, random_state=seed, **parameters)
    assigned = model.m_lambda + model.m_eta
    heaviest = (-assigned.sum(axis=1)).argsort(kind="stable")[:k]
    return rank_words(assigned[heaviest], prepared.words)


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Silence gensim's warning that the likelihood falls, which it gives for many sentences.

    It watches a number that its rounds do not quite maximize: for one, the first three of them
    ignore the overall weights of the topics.
    """

    def keep(record: logging.LogRecord) -> bool:
        return record.msg != "likelihood is decreasing!"

    logger = logging.getLogger("gensim.models.hdpmodel")
    logger.addFilter(keep)
    try:
        yield
    finally:
        logger.removeFilter(keep)


METHOD = TopicMethod(
    name="HDP",
    citation="Teh, Jordan, Beal & Blei 2005, Sharing Clusters among Related Groups; "
    "gensim.models.HdpModel",
    find=find_topics,
    parameters={"T": 150, "K": 15, "chunksize": 256, "kappa": 1.0, "tau": 64.0},
)
