"""Splitters that look at vectors of sentences; all of them are given those of all-MiniLM-L6-v2.

Kamradt's splitter and the cluster chunker are written from their description in B. Smith and A.
Troynikov, "Evaluating Chunking Strategies for Retrieval", Chroma technical report, 2024.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.document import Document
from docbats_lab.baselines.minilm import encode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_PIECE_TOKENS = 50  # of the report's cluster chunker and of Kamradt's splitter as it has it
_MAX_CLUSTER_PIECES = 60


def _count(text: str) -> int:
    from docbats_lab.retrieval.splitters import count_tokens

    return count_tokens(text)


def chonkie_semantic(text: str, size: int) -> list[tuple[int, int, str]]:
    """Split by chonkie's semantic chunker, at the threshold that makes chunks of this mean size.

    None is more than twice as large. At its default threshold, chunks of these texts are of about
    100 tokens, whatever size is allowed.
    """
    wanted = _count(text) / size

    @cache
    def split(hundredths: int) -> list[tuple[int, int, str]]:
        return chonkie_at_threshold(text, 2 * size, hundredths / 100)

    # There are more chunks at a higher threshold.
    enough = bisect_left(range(1, 99), wanted, key=lambda each: len(split(each))) + 1
    return min(split(max(1, enough - 1)), split(enough), key=lambda found: abs(len(found) - wanted))


def chonkie_at_threshold(
    text: str, limit: int, threshold: float = 0.8
) -> list[tuple[int, int, str]]:
    """Split by chonkie's semantic chunker, by default with its own threshold."""
    from chonkie import SemanticChunker

    chunker = SemanticChunker(
        embedding_model=_chonkie_embeddings(), chunk_size=limit, threshold=threshold
    )
    return [(chunk.start_index, chunk.end_index, chunk.text) for chunk in chunker.chunk(text)]


@cache
def _chonkie_embeddings() -> Any:
    from chonkie.embeddings import BaseEmbeddings

    class MiniLM(BaseEmbeddings):
        def embed(self, text: str) -> Any:
            return encode([text])[0].astype(np.float32)

        def embed_batch(self, texts: list[str]) -> list[Any]:
            return list(encode(texts).astype(np.float32))

        def similarity(self, u: Any, v: Any) -> Any:
            return np.float32(u @ v)

        @property
        def dimension(self) -> int:
            return 384

        def get_tokenizer(self) -> Any:
            return _count

    return MiniLM()


def llama_semantic(text: str, size: int) -> list[tuple[int, int, str]]:
    """Split by LlamaIndex's semantic splitter, at the share of breaks that makes such a size."""
    sentences = _llama_sentences(text)
    windows = ["".join(sentences[max(0, i - 1) : i + 2]) for i in range(len(sentences))]
    spans, at = [], 0
    for sentence in sentences:
        start = text.find(sentence, at)
        at = (at if start < 0 else start) + len(sentence)
        spans.append(at)
    return _break_at_distances(text, spans, _distances(windows), size)


@cache
def _llama_sentences(text: str) -> list[str]:
    from llama_index.core.node_parser.text.utils import split_by_sentence_tokenizer

    return list(split_by_sentence_tokenizer()(text))


def kamradt(text: str, size: int) -> list[tuple[int, int, str]]:
    """Split at the largest distances between the vectors of windows of pieces."""
    ends = _pieces(text)
    parts = [text[a:b] for a, b in pairwise([0, *ends])]
    windows = ["".join(parts[max(0, i - 3) : i + 4]) for i in range(len(parts))]
    return _break_at_distances(text, ends, _distances(windows), size)


def cluster(text: str, size: int) -> list[tuple[int, int, str]]:
    """Group pieces so that the sum of the similarities within groups is largest.

    As in the report, similarities are taken less their mean, and no group is larger than `size`.
    """
    ends = _pieces(text)
    parts = [text[a:b] for a, b in pairwise([0, *ends])]
    tokens = np.concatenate([[0], np.cumsum([_count(part) for part in parts])])
    vectors = encode(parts)
    n, width = len(parts), max(1, min(_MAX_CLUSTER_PIECES, size // 10))
    mean = float(np.mean(vectors.sum(axis=0) @ vectors.sum(axis=0)) - n) / max(1, n * (n - 1))
    best, first = np.full(n + 1, -np.inf), np.zeros(n + 1, np.int64)
    best[0] = 0
    for end in range(1, n + 1):
        low = max(0, end - width)
        near = vectors[low:end] @ vectors[low:end].T - mean
        np.fill_diagonal(near, 0)
        for start in range(end - 1, low - 1, -1):
            if tokens[end] - tokens[start] > size and start < end - 1:
                break
            gain = best[start] + near[start - low :, start - low :].sum()
            if gain > best[end]:
                best[end], first[end] = gain, start
    edges = [n]
    while edges[-1]:
        edges.append(int(first[edges[-1]]))
    offsets = [0, *ends]
    return [
        (offsets[a], offsets[b], text[offsets[a] : offsets[b]]) for a, b in pairwise(edges[::-1])
    ]


@cache
def _pieces(text: str) -> list[int]:
    """Return the ends of pieces of at most fifty tokens, as a recursive splitter makes them."""
    ends: list[int] = []
    spans = Document.from_text(text).spans.tolist()
    for (_, end), following in zip(spans, [*spans[1:], None], strict=True):
        start = ends[-1] if ends else 0
        next_end = following[1] if following else len(text)
        if _count(text[start:next_end]) > _PIECE_TOKENS or following is None:
            ends.append(end if following else len(text))
    return ends


def _distances(windows: Sequence[str]) -> NDArray[np.float64]:
    vectors = encode(windows)
    found: NDArray[np.float64] = 1 - (vectors[:-1] * vectors[1:]).sum(axis=1)
    return found


def _break_at_distances(
    text: str, ends: Sequence[int], distances: NDArray[np.float64], size: int
) -> list[tuple[int, int, str]]:
    """Break at as many of the largest distances as make chunks of the mean size."""
    count = max(1, round(_count(text) / size))
    order = np.argsort(-distances, kind="stable")[: count - 1]
    edges = [0, *(ends[i] for i in sorted(order.tolist())), len(text)]
    return [(a, b, text[a:b]) for a, b in pairwise(edges) if a < b]
