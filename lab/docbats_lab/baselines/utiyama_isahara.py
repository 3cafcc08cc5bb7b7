"""Segments whose words are cheapest to encode: Utiyama & Isahara's statistical model.

M. Utiyama, H. Isahara, "A Statistical Model for Domain-Independent Text Segmentation", ACL 2001.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats_lab.baselines.least_cost import cut_into_k, cut_with_penalty
from docbats_lab.baselines.segment_counts import count_segments
from docbats_lab.method_types import Segmenter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats_lab.preparation import Prepared

_CITATION = "Utiyama & Isahara 2001, A Statistical Model for Domain-Independent Text Segmentation"


def encoding_costs(sentences: Sequence[NDArray[np.int64]], n_words: int) -> NDArray[np.float64]:
    """Return the cost of each segment [i, j): its words by Laplace's rule, plus log n.

    With n_w of the n_i words of a segment being w, a vocabulary of V words and N words in all, the
    cost is ``sum_w n_w log((n_i + V) / (n_w + 1)) + log N``.
    """
    counts = count_segments(sentences)
    n = np.arange(counts.sizes.max() + 1.0)
    size = np.maximum(counts.sizes, 0)
    costs: NDArray[np.float64] = (n * np.log(np.maximum(n + n_words, 1)))[size]
    costs -= counts.sum_over_words(n * np.log(n + 1))
    costs += np.log(max(1.0, n[-1]))
    return costs


def _cut_into_k(document: Prepared, k: int, _seed: int) -> list[int]:
    return cut_into_k(encoding_costs(document.content, document.content_size), k)


def _cut_with_own_k(document: Prepared, _k: int, _seed: int) -> list[int]:
    return cut_with_penalty(encoding_costs(document.content, document.content_size))


METHODS = (
    Segmenter("U&I (k)", _CITATION, _cut_into_k),
    Segmenter("U&I", _CITATION, _cut_with_own_k, takes_k=False),
)
