"""What SupervisedSeg learns from: Wiki articles, documents joined from them, first word vectors.

Word vectors start from a singular value decomposition of the positive pointwise mutual information
of words near each other in the training articles, which is close to what word2vec factorises
(O. Levy and Y. Goldberg, "Neural Word Embedding as Implicit Matrix Factorization", NIPS 2014).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import torch
from scipy import sparse
from scipy.sparse.linalg import svds

from docbats_lab.baselines.supervised.model import Vocabulary, words_of
from docbats_lab.baselines.supervised.split import part_of
from docbats_lab.segmented_document import SegmentedDocument, read_segmented

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

NEIGHBORS = 5  # words to either side that count as near each other


@dataclass(frozen=True, eq=False)
class Example:
    """A document as the network sees it."""

    sentences: list[torch.Tensor]
    ends: NDArray[np.int64]
    """1 for each sentence that ends a segment."""
    lengths: NDArray[np.int64]
    """Words of each sentence, by which errors are counted."""


def read_wiki(data: Path) -> tuple[list[SegmentedDocument], list[SegmentedDocument]]:
    """Read the training and the development articles."""
    paths = sorted((data / "wiki").rglob("*.ref"))
    parts: dict[str, list[SegmentedDocument]] = {"train": [], "dev": []}
    for path in paths:
        if (part := part_of(path.stem)) in parts:
            parts[part].append(read_segmented(path))
    return parts["train"], parts["dev"]


def joined(documents: Sequence[SegmentedDocument], rng: random.Random) -> SegmentedDocument:
    """Make a document of 3 to 12 sections from as many articles.

    Half of the time only a run of 3 to 11 sentences of each is taken, in the manner of F. Choi,
    "Advances in domain independent linear text segmentation", NAACL 2000.
    """
    drawn = rng.sample(documents, min(len(documents), rng.randint(3, 12)))
    sections = [rng.choice(document.segments) for document in drawn]
    if rng.random() < 0.5:
        sections = [_run_of(section, rng.randint(3, 11), rng) for section in sections]
    return SegmentedDocument("joined", tuple(sections))


def _run_of(section: tuple[str, ...], size: int, rng: random.Random) -> tuple[str, ...]:
    first = rng.randint(0, max(0, len(section) - size))
    return section[first : first + size]


def make_vocabulary(documents: Sequence[SegmentedDocument], min_count: int) -> Vocabulary:
    """Keep the words seen often enough, the most frequent first."""
    counts = Counter(
        word
        for document in documents
        for sentence in document.sentences
        for word in words_of(sentence)
    )
    kept = [word for word, times in counts.items() if times >= min_count]
    return Vocabulary(sorted(kept, key=lambda word: (-counts[word], word)))


def initial_vectors(
    documents: Sequence[SegmentedDocument], vocabulary: Vocabulary, size: int, seed: int
) -> torch.Tensor:
    """Factorise the positive pointwise mutual information of words near each other."""
    n = len(vocabulary)
    rows, columns = [], []
    for document in documents:
        ids = torch.cat([vocabulary.encode(sentence) for sentence in document.sentences]).numpy()
        for gap in range(1, NEIGHBORS + 1):
            rows += [ids[:-gap], ids[gap:]]
            columns += [ids[gap:], ids[:-gap]]
    row, column = np.concatenate(rows), np.concatenate(columns)
    known = (row > 1) & (column > 1)
    row, column = row[known], column[known]
    near = sparse.coo_array((np.ones(len(row)), (row, column)), shape=(n, n)).tocsr()
    near.sum_duplicates()
    pairs = near.tocoo()
    total = near.sum(axis=1)
    # Context frequencies to the power 3/4, as word2vec draws them, tame the rare words.
    context = total**0.75 / (total**0.75).sum()
    information = np.log(pairs.data / (total[pairs.row] * context[pairs.col]))
    positive = sparse.csr_array((np.maximum(information, 0), (pairs.row, pairs.col)), shape=(n, n))
    start = np.random.default_rng(seed).standard_normal(n)
    left, strengths, _ = svds(positive, k=min(size, n - 1), v0=start)
    vectors = np.zeros((n, size))
    vectors[:, : len(strengths)] = left * np.sqrt(strengths)
    vectors /= vectors[vectors.any(axis=1)].std() + 1e-12
    return torch.tensor(vectors * 0.5, dtype=torch.float32)


class Encoder:
    """Turns documents into examples; a sentence is encoded once, however often it is joined in."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._encode = cache(vocabulary.encode)
        self._length = cache(lambda sentence: max(1, len(words_of(sentence))))

    def __call__(self, document: SegmentedDocument) -> Example:
        """Encode a document."""
        sizes = [len(segment) for segment in document.segments]
        ends = np.zeros(sum(sizes), np.int64)
        ends[np.cumsum(sizes) - 1] = 1
        lengths = np.array([self._length(sentence) for sentence in document.sentences])
        return Example([self._encode(s) for s in document.sentences], ends, lengths)
