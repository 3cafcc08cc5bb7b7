"""Themes of a corpus: topics of different documents about the same subject.

Two topics seldom share more than one or two of their ten words. So words get positions by the
documents that they occur in, by latent semantic analysis (S. Deerwester et al., "Indexing by Latent
Semantic Analysis", JASIS 1990). A topic is in the middle of its words, and a theme is a group of
topics near each other.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from docbats.runtime import single_blas_thread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats.corpus.rows import RowSummary

    Floats = NDArray[np.float64]


_MAX_DOCUMENTS = 10_000  # to find themes in; of more, a random sample
_DOCUMENTS_PER_THEME = 3  # at least, on average: it limits the number of themes
_DIMENSIONS = 40
_MIN_LIKENESS = 0.7  # cosine between a topic and the centre of its theme
_MAX_ROUNDS = 20
_MAX_SEEDS = 2000  # topics that the first groups are made of
_N_WORDS = 8
_MAX_LISTED = 12


@dataclass(frozen=True)
class Theme:
    """Topics about the same subject."""

    name: tuple[str, ...]  # its words, the most characteristic first
    documents: int  # how many have such a topic
    listed: tuple[RowSummary, ...]  # the documents whose topics are nearest to its centre


class Themes:
    """Collects the topics of documents and finds their themes; `seen` counts the documents."""

    def __init__(self) -> None:
        self.seen = 0
        self._rows: list[RowSummary] = []
        self._chance = Random(0)

    @property
    def looked_at(self) -> int:
        """The number of documents that themes are found in."""
        return len(self._rows)

    def add(self, row: RowSummary) -> None:
        """Add the topics of a document; of very many, each is kept with the same probability."""
        self.seen += 1
        if len(self._rows) < _MAX_DOCUMENTS:
            self._rows.append(row)
        elif (place := self._chance.randrange(self.seen)) < _MAX_DOCUMENTS:
            self._rows[place] = row

    def find(self, number: int) -> list[Theme]:
        """Return at most `number` themes of two or more documents, the largest first."""
        in_documents = Counter(
            word for row in self._rows for word in {w for topic in row.words for w in topic}
        )
        shared = sorted(word for word, count in in_documents.items() if count > 1)
        topics = [(at, topic) for at, row in enumerate(self._rows) for topic in row.words]
        rarity = np.log((len(self._rows) + 1) / np.array([in_documents[word] for word in shared]))
        column = {word: i for i, word in enumerate(shared)}
        with single_blas_thread():
            weights = _weigh([topic for _, topic in topics], column, rarity)
            kept = np.flatnonzero(np.diff(weights.indptr))
            if not kept.size:
                return []
            of_topics = np.array([at for at, _ in topics])
            weights, document = weights[kept], of_topics[kept]
            points = _place(weights, document)
            most = min(number, max(2, len(self._rows) // _DOCUMENTS_PER_THEME))
            theme, likeness = _group(points, most)
        found = []
        for each in range(int(theme.max()) + 1):
            inside = np.flatnonzero((theme == each) & (likeness >= _MIN_LIKENESS))
            order = inside[np.argsort(-likeness[inside], kind="stable")]
            rows = list(dict.fromkeys(document[order].tolist()))
            if len(rows) > 1:
                listed = tuple(self._rows[at] for at in rows[:_MAX_LISTED])
                found.append(Theme(_name(weights[inside], shared), len(rows), listed))
        return sorted(found, key=lambda each: (-each.documents, each.name))


def _weigh(
    topics: Sequence[Sequence[str]], column: dict[str, int], rarity: Floats
) -> sparse.csr_array:
    """Return the matrix of topics and words: first words of topics and rare words weigh most."""
    rows, columns, values = [], [], []
    for at, topic in enumerate(topics):
        for rank, word in enumerate(topic):
            if word in column:
                rows.append(at)
                columns.append(column[word])
                values.append(float(rarity[column[word]]) / (1 + rank) ** 0.5)
    return sparse.csr_array((values, (rows, columns)), shape=(len(topics), len(column)))


def _place(weights: sparse.csr_array, document: NDArray[np.int64]) -> Floats:
    """Return a unit vector for each topic; words of the same documents are neighbours."""
    _, at = np.unique(document, return_inverse=True)
    sums = sparse.csr_array((np.ones(len(at)), (at, np.arange(len(at)))))
    documents = sparse.csr_array(sums @ weights)
    lengths = np.sqrt(documents.multiply(documents).sum(axis=1))
    documents = sparse.csr_array(sparse.diags_array(1 / np.maximum(lengths, 1e-12)) @ documents)
    size = min(_DIMENSIONS, *documents.shape)
    if size < min(documents.shape):
        from scipy.sparse.linalg import svds

        _, strengths, axes = svds(documents, size, v0=np.ones(min(documents.shape)))
    else:
        _, strengths, axes = np.linalg.svd(documents.toarray(), full_matrices=False)
    points: Floats = weights @ (axes.T * strengths)
    return _scale(points)


def _group(points: Floats, number: int) -> tuple[NDArray[np.int64], Floats]:
    """Return the group of each point, and its cosine to the group's centre.

    It starts with Ward's groups of a sample, and then moves each point to the nearest centre.
    """
    from scipy.cluster.hierarchy import fcluster, linkage

    seeds = points[:: -(-len(points) // _MAX_SEEDS)]
    group = np.zeros(len(seeds), np.int64)
    if len(seeds) > 1:
        group = fcluster(linkage(seeds, "ward"), number, "maxclust").astype(np.int64) - 1
    centres = _centres(seeds, group)
    group = np.full(len(points), -1)
    for _ in range(_MAX_ROUNDS):
        nearness = points @ centres.T
        nearest = nearness.argmax(axis=1)
        if (nearest == group).all():
            break
        group = nearest
        centres = _centres(points, group)
    return group, nearness[np.arange(len(points)), group]


def _centres(points: Floats, group: NDArray[np.int64]) -> Floats:
    sums = np.zeros((int(group.max()) + 1, points.shape[1]))
    np.add.at(sums, group, points)
    return _scale(sums)


def _scale(rows: Floats) -> Floats:
    """Scale rows to length 1; rows of zeros stay."""
    scaled: Floats = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    return scaled


def _name(weights: sparse.csr_array, words: Sequence[str]) -> tuple[str, ...]:
    total = weights.sum(axis=0)
    order = np.argsort(-total, kind="stable")[:_N_WORDS]
    return tuple(words[i] for i in order.tolist() if total[i] > 0)
