"""BERTSeg: sentence vectors of a BERT-family encoder, neighbours merged by average linkage.

The BATS paper, section 4.3 (vi): "employs the agglomerative segment clustering method from BATS to
convert the sentence embeddings into segments". It is here twice: with the average linkage that
eq. 14 defines, and with scikit-learn's along a chain, which only compares the two sentences at a
boundary (scikit-learn issue 23550) and is how BERTSeg is usually run. The paper's encoder was a
large BERT; this is all-MiniLM-L6-v2 (`minilm`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats.errors import MissingExtraError
from docbats.segments.cuts import average_linkage_starts
from docbats_lab.baselines import minilm
from docbats_lab.method_types import Segmenter

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats_lab.preparation import Prepared


def cut(prepared: Prepared, k: int, seed: int) -> list[int]:  # noqa: ARG001 - a Segmenter
    """Cut by our own average linkage."""
    vectors = minilm.encode(prepared.sentences)
    return [int(start) for start in average_linkage_starts(vectors, k)]


def cut_with_sklearn(prepared: Prepared, k: int, seed: int) -> list[int]:  # noqa: ARG001
    """Cut by scikit-learn's average linkage."""
    vectors = minilm.encode(prepared.sentences)
    return sklearn_starts(vectors, k)


def sklearn_starts(vectors: NDArray[np.float64], k: int) -> list[int]:
    """Merge along the chain of sentences with scikit-learn; return each segment's first one."""
    if len(vectors) == 1:
        return [0]  # scikit-learn needs two at least
    try:
        from sklearn.cluster import AgglomerativeClustering
    except ImportError as error:
        msg = "BERTSeg (sklearn) needs scikit-learn: pip install docbats-lab"
        raise MissingExtraError(msg) from error
    from scipy import sparse

    beside = np.ones(len(vectors) - 1)
    clustering = AgglomerativeClustering(
        n_clusters=k,
        metric="cosine",
        linkage="average",
        connectivity=sparse.diags_array([beside, beside], offsets=[-1, 1]).tocsr(),
    )
    labels = clustering.fit_predict(vectors)
    return [0, *(np.flatnonzero(np.diff(labels)) + 1).tolist()]


_PARAMETERS = {"encoder": "all-MiniLM-L6-v2", "linkage": "average", "metric": "cosine"}

METHODS = (
    Segmenter("BERTSeg", minilm.CITATION, cut, parameters=_PARAMETERS, extra="neural"),
    Segmenter(
        "BERTSeg (sklearn)",
        f"{minilm.CITATION}; sklearn.cluster.AgglomerativeClustering",
        cut_with_sklearn,
        parameters=_PARAMETERS | {"connectivity": "chain"},
        extra="neural",
    ),
)
