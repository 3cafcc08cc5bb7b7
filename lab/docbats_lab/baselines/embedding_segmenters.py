"""Segmenters on the sentence vectors of a pretrained encoder, all-MiniLM-L6-v2 (`minilm`).

BERTSeg merges neighbors by average linkage. The BATS paper, section 4.3 (vi): "employs the
agglomerative segment clustering method from BATS to convert the sentence embeddings into segments".
It comes in two variants: with the average linkage that eq. 14 defines, and with scikit-learn's
along a chain, which only compares the two sentences at a boundary (scikit-learn issue 23550) and is
how BERTSeg is usually run. The paper's encoder was a large BERT.

MiniLM DP cuts where the sums of the segments' vectors are longest: A. A. Alemi and P. Ginsparg,
"Text Segmentation based on Semantic Word Embeddings", 2015 (arXiv:1503.05543), on sentence vectors
in place of word vectors. A segment is worth the length of the sum of its vectors, which is largest
where they point the same way, and dynamic programming finds the best cut into k segments exactly.
It is the strongest competitor with a pretrained model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats.errors import MissingExtraError
from docbats.segments.cuts import average_linkage_starts
from docbats_lab.baselines import minilm
from docbats_lab.baselines.least_cost import cut_into_k
from docbats_lab.methods import Segmenter

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats_lab.methods import Prepared


def _cut_by_linkage(prepared: Prepared, k: int, _seed: int) -> list[int]:
    starts = average_linkage_starts(minilm.encode(prepared.sentences), k)
    return [int(start) for start in starts]


def _cut_by_sklearn_linkage(prepared: Prepared, k: int, _seed: int) -> list[int]:
    return sklearn_starts(minilm.encode(prepared.sentences), k)


def _cut_by_sums(prepared: Prepared, k: int, _seed: int) -> list[int]:
    return best_starts(minilm.encode(prepared.sentences), k)


def sklearn_starts(vectors: NDArray[np.float64], k: int) -> list[int]:
    """Merge sentences along their chain with scikit-learn; return each segment's first one."""
    if len(vectors) == 1:
        return [0]  # scikit-learn needs at least two
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


def best_starts(vectors: NDArray[np.float64], k: int) -> list[int]:
    """Return the first rows of the k segments whose sums of rows are longest in total."""
    return cut_into_k(-_lengths_of_sums(vectors), k)


def _lengths_of_sums(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the length of the sum of rows a to b - 1 at [a, b], for a < b."""
    sums = np.vstack([np.zeros(vectors.shape[1]), vectors.cumsum(axis=0)])
    products = sums @ sums.T
    squares = products.diagonal()
    # Rounding may leave a little less than zero where the sum is zero.
    lengths: NDArray[np.float64] = np.sqrt(np.maximum(squares[:, None] + squares - 2 * products, 0))
    return lengths


_PARAMETERS = {"encoder": "all-MiniLM-L6-v2", "linkage": "average", "metric": "cosine"}

BERT_SEG = Segmenter(
    "BERTSeg", minilm.CITATION, _cut_by_linkage, parameters=_PARAMETERS, is_neural=True
)
BERT_SEG_SKLEARN = Segmenter(
    "BERTSeg (sklearn)",
    f"{minilm.CITATION}; sklearn.cluster.AgglomerativeClustering",
    _cut_by_sklearn_linkage,
    parameters=_PARAMETERS | {"connectivity": "chain"},
    is_neural=True,
)
MINILM_DP = Segmenter(
    "MiniLM DP",
    f"Alemi & Ginsparg 2015, on vectors of {minilm.CITATION}",
    _cut_by_sums,
    parameters={"encoder": "all-MiniLM-L6-v2", "objective": "sum of segment norms"},
    is_neural=True,
)
