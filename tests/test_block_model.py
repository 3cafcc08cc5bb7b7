"""The synthetic example of the paper's figure 2: a stochastic co-block model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import pytest
from scipy import sparse
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from sklearn.metrics import adjusted_rand_score

from docbats.matrix import laplacian, leading_singular_vectors, unit_rows
from docbats.segments.cuts import average_linkage_starts
from docbats.topics import kmeans

if TYPE_CHECKING:
    from numpy.typing import NDArray

SENTENCES, WORDS, BLOCKS = 2000, 5000, 4
WITHIN, ACROSS = 0.02, 0.003  # a sentence meets 25 words of its own block, 11 of the others


@pytest.fixture(scope="module")
def blocks() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return np.arange(SENTENCES) * BLOCKS // SENTENCES, np.arange(WORDS) * BLOCKS // WORDS


@pytest.fixture(scope="module")
def graph(blocks: tuple[NDArray[np.int64], NDArray[np.int64]]) -> sparse.csr_array:
    sentence_block, word_block = blocks
    same = sentence_block[:, None] == word_block
    drawn = np.random.default_rng(7).random(same.shape) < np.where(same, WITHIN, ACROSS)
    return sparse.csr_array(drawn.astype(float))


def test_the_spectrum_recovers_all_blocks(
    graph: sparse.csr_array, blocks: tuple[NDArray[np.int64], NDArray[np.int64]]
) -> None:
    spectrum = leading_singular_vectors(laplacian(graph), 10)
    # Four values stand apart from the noise, which has no gaps.
    gaps = spectrum.sigma[:-1] - spectrum.sigma[1:]
    assert gaps[BLOCKS - 1] > 10 * gaps[BLOCKS:].max()
    words = kmeans(unit_rows(spectrum.V[:, :BLOCKS]), BLOCKS, 10, 0)
    sentences = kmeans(unit_rows(spectrum.U[:, :BLOCKS]), BLOCKS, 10, 0)
    assert adjusted_rand_score(blocks[0], sentences) == 1
    assert adjusted_rand_score(blocks[1], words) > 0.97
    starts = average_linkage_starts(unit_rows(spectrum.U[:, :BLOCKS]), BLOCKS)
    np.testing.assert_allclose(starts, [0, 500, 1000, 1500], atol=3)


@pytest.mark.parametrize("linkage_method", ["single", "average", "complete"])
@pytest.mark.parametrize("similarity", ["shared neighbours", "Jaccard"])
def test_similarity_of_neighbourhoods_does_not(
    graph: sparse.csr_array,
    blocks: tuple[NDArray[np.int64], NDArray[np.int64]],
    similarity: str,
    linkage_method: Literal["single", "average", "complete"],
) -> None:
    sample = np.arange(0, WORDS, 5)
    neighbours = graph[:, sample]
    alike = (neighbours.T @ neighbours).toarray()
    if similarity == "Jaccard":
        degree = neighbours.sum(axis=0)
        alike = alike / np.maximum(degree[:, None] + degree - alike, 1)
    np.fill_diagonal(alike, 0)
    distance = 1 - alike / alike.max()
    np.fill_diagonal(distance, 0)
    tree = linkage(squareform(distance), linkage_method)
    clusters = fcluster(tree, BLOCKS, "maxclust")
    assert adjusted_rand_score(blocks[1][sample], clusters) < 0.6
