"""Segmenters that compare words: TextTiling and C99; and those that ignore the text.

L. Pevzner and M. A. Hearst, "A Critique and Improvement of an Evaluation Metric for Text
Segmentation", Computational Linguistics 28(1), 2002, show how well cuts that ignore the text can
score under Pk: every other method must beat them.

M. A. Hearst, "TextTiling: Segmenting Text into Multi-paragraph Subtopic Passages", Computational
Linguistics 23(1), 1997; as nltk implements it.

F. Y. Y. Choi, "Advances in domain independent linear text segmentation", NAACL 2000: C99 ranks the
similarities of sentences and cuts by divisive clustering.
"""

from __future__ import annotations

import math
import unicodedata
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from docbats.text.languages import load_language
from docbats_lab.methods import Segmenter

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from docbats_lab.methods import Prepared

# Cuts that ignore the text

_PEVZNER_HEARST = "Pevzner & Hearst 2002, Computational Linguistics 28(1)"


def _cut_nowhere(_prepared: Prepared, _k: int, _seed: int) -> list[int]:
    return [0]


def _cut_evenly(prepared: Prepared, k: int, _seed: int) -> list[int]:
    """Cut into k parts whose numbers of sentences differ by one at most."""
    m = len(prepared.sentences)
    return [i * m // k for i in range(k)]


def _cut_randomly(prepared: Prepared, k: int, seed: int) -> list[int]:
    """Draw k - 1 of the gaps between sentences, each set of gaps as likely as any other."""
    m = len(prepared.sentences)
    gaps = np.random.default_rng(seed).choice(m - 1, size=k - 1, replace=False)
    return [0, *(np.sort(gaps) + 1).tolist()]


NONE = Segmenter("None", _PEVZNER_HEARST, _cut_nowhere, takes_k=False)
EVEN = Segmenter("Even (k)", _PEVZNER_HEARST, _cut_evenly)
RANDOM = Segmenter("Random (k)", _PEVZNER_HEARST, _cut_randomly)


# TextTiling

_W, _K = 20, 10  # nltk's defaults: tokens of a sequence, sequences of a block


def _cut_by_tiles(prepared: Prepared, _k: int, _seed: int) -> list[int]:
    """Cut where nltk's TextTilingTokenizer does, at its default parameters.

    It only cuts between paragraphs, so each sentence is given as a paragraph: its white space
    becomes single spaces, and an empty line separates it from the next. nltk ignores a paragraph
    break less than 100 characters after the previous one. It gets docbats' stop words, since its
    own are a download. A text too short for it stays whole.

    nltk only sees the letters a to z. The letters of other languages lose their accents, so that it
    sees their words; a text in another script stays whole.
    """
    from nltk.tokenize import TextTilingTokenizer

    paragraphs = [" ".join(sentence.split()) for sentence in prepared.sentences]
    stop_words: Collection[str] = load_language(prepared.language).stop_words
    if prepared.language != "en":
        paragraphs = [_without_accents(paragraph) for paragraph in paragraphs]
        stop_words = {_without_accents(word) for word in stop_words}
    text = "\n\n".join(paragraphs)
    tokenizer = TextTilingTokenizer(w=_W, k=_K, stopwords=stop_words)
    # nltk spends nine tenths of its time on this step; here it is the same sums as arrays.
    tokenizer._block_comparison = compare_blocks
    # nltk refuses long texts because that step of its own is slow on them.
    tokenizer.MAX_TEXT_LEN = len(text)
    try:
        pieces = tokenizer.tokenize(text)
    except (ValueError, UnboundLocalError):
        # The former if it finds no paragraph break or too few words, the latter if its only
        # boundary is the last character.
        return [0]
    # nltk cuts at the end of a paragraph, before the empty line.
    ends = np.array([*accumulate(len(p) + 2 for p in paragraphs)]) - 2
    cuts = [*accumulate(len(piece) for piece in pieces[:-1])]
    return [0, *(np.searchsorted(ends, cuts) + 1).tolist()]


def compare_blocks(sequences: Sequence[Any], table: Mapping[str, Any]) -> list[float]:
    """Return for each gap between nltk's token sequences the cosine of the blocks around it.

    `table` holds for each word the sequences that it occurs in, and how often. A block is ten
    sequences, fewer near the ends of the text. The sums are of integers, so the scores equal those
    of nltk's own step to the last bit.
    """
    n = len(sequences)
    counts = np.zeros((n + 1, len(table)), np.int64)
    for column, word in enumerate(table.values()):
        for sequence, times in word.ts_occurences:
            counts[sequence + 1, column] = times
    before = counts.cumsum(0)
    gap = np.arange(1, n)
    # As in nltk, a block before the gap may be longer than the one after it in a short text.
    size = np.where(gap < _K, gap, np.minimum(n - gap, _K))
    left = before[gap] - before[gap - size]
    right = before[np.minimum(gap + size, n)] - before[gap]
    both = (left * right).sum(1).tolist()
    squares = ((left * left).sum(1) * (right * right).sum(1)).tolist()
    return [a / math.sqrt(b) if b else 0.0 for a, b in zip(both, squares, strict=True)]


def _without_accents(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


TEXT_TILING = Segmenter(
    "TextTiling",
    "Hearst 1997, Computational Linguistics 23(1); nltk.tokenize.TextTilingTokenizer",
    _cut_by_tiles,
    takes_k=False,
    parameters={"w": _W, "k": _K, "paragraph": "one sentence"},
)


# C99

_MASK = 11
_C = 1.2  # a larger one leaves fewer boundaries
# The author smooths the profile of densities with this.
_KERNEL = np.array([1.0, 2, 4, 8, 4, 2, 1])


def _cut_by_ranks(prepared: Prepared, k: int, _seed: int) -> list[int]:
    boundaries, _ = divide(ranks(_similarity(prepared)), k)
    return [0, *sorted(boundaries)]


def _cut_by_ranks_with_own_k(prepared: Prepared, _k: int, _seed: int) -> list[int]:
    """Cut as long as the density rises unusually fast."""
    boundaries, density = divide(ranks(_similarity(prepared)), len(prepared.sentences))
    return [0, *sorted(boundaries[: number_of_boundaries(density)])]


def _similarity(prepared: Prepared) -> NDArray[np.float64]:
    """Square the cosine of every two sentences' stem counts.

    Only the order of similarities matters from here on. Unlike the root, a quotient of integers is
    the same float for the same fraction, so that equal cosines stay equal.
    """
    lengths = [len(ids) for ids in prepared.content]
    counts = sparse.csr_array(
        (np.ones(sum(lengths)), np.concatenate(prepared.content), np.cumsum([0, *lengths])),
        shape=(len(lengths), prepared.content_size),
    )
    dot = (counts @ counts.T).toarray()
    norm = np.maximum(dot.diagonal(), 1)
    return np.asarray(dot * dot / np.outer(norm, norm))


def ranks(similarity: NDArray[np.float64], mask: int = _MASK) -> NDArray[np.float64]:
    """Replace each similarity by the share of its neighbors that it exceeds.

    Neighbours are in a square of `mask` rows and columns around it; there are fewer at the border
    of the matrix.
    """
    m, reach = len(similarity), mask // 2
    # What is outside is never exceeded, and so never counted.
    around = np.pad(similarity, reach, constant_values=np.inf)
    below = np.zeros((m, m), np.min_scalar_type(mask * mask))
    exceeds = np.empty((m, m), np.bool_)
    for row in range(mask):
        for column in range(mask):
            np.greater(similarity, around[row : row + m, column : column + m], out=exceeds)
            below += exceeds
    place = np.arange(m)
    side = np.minimum(place + reach, m - 1) - np.maximum(place - reach, 0) + 1
    return np.asarray(below / np.maximum(np.outer(side, side) - 1, 1))


def divide(rank: NDArray[np.float64], k: int) -> tuple[list[int], NDArray[np.float64]]:
    """Split the document k - 1 times, each time where the inside density becomes highest.

    The inside density is the sum of the ranks inside the segments' squares on the diagonal, over
    the area of these squares. Of equal densities the later one in the text wins, as in the author's
    program.

    Returns
    -------
    tuple
        The first sentences of the new segments in the order of the splits, and the density before
        the first and after each split.
    """
    m = len(rank)
    corner = np.zeros((m + 1, m + 1))
    corner[1:, 1:] = rank.cumsum(0).cumsum(1)
    diagonal = corner.diagonal()

    def best_split(start: int, end: int) -> tuple[int, float, int]:
        """Where to split one segment, and what this does to the sum and to the area."""
        at = np.arange(start + 1, end)
        left = diagonal[at] - 2 * corner[start, at] + diagonal[start]
        right = diagonal[end] - 2 * corner[at, end] + diagonal[at]
        area = (at - start) ** 2 + (end - at) ** 2
        best = len(at) - 1 - int(np.argmax(((left + right) / area)[::-1]))
        whole = diagonal[end] - 2 * corner[start, end] + diagonal[start]
        change = float(left[best] + right[best] - whole)
        return int(at[best]), change, int(area[best]) - (end - start) ** 2

    # Segments by their first sentence; those of one sentence cannot be split and are not listed.
    ends = np.zeros(m, np.int64)
    at, sums, areas = np.zeros(m, np.int64), np.zeros(m), np.ones(m)
    splittable = np.zeros(m, np.bool_)

    def add(start: int, end: int) -> None:
        ends[start] = end
        splittable[start] = end - start > 1
        if splittable[start]:
            at[start], sums[start], areas[start] = best_split(start, end)

    add(0, m)
    total, area = float(diagonal[m]), m * m
    boundaries, density = [], [total / area]
    for _ in range(k - 1):
        candidates = np.flatnonzero(splittable)
        reached = (total + sums[candidates]) / (area + areas[candidates])
        start = int(candidates[len(candidates) - 1 - int(np.argmax(reached[::-1]))])
        total, area = total + float(sums[start]), area + int(areas[start])
        middle, end = int(at[start]), int(ends[start])
        add(start, middle)
        add(middle, end)
        boundaries.append(middle)
        density.append(total / area)
    return boundaries, np.array(density)


def number_of_boundaries(density: NDArray[np.float64]) -> int:
    """Return the number of splits before the first that raises the density by a usual amount.

    The rises are smoothed; one is unusual if it exceeds their mean by 1.2 standard deviations.
    """
    rise = np.diff(density)
    if not len(rise):
        return 0
    reach = len(_KERNEL) // 2
    inside = slice(reach, reach + len(rise))
    # At both ends only the part of the kernel that meets the profile counts.
    weight = np.convolve(np.ones(len(rise)), _KERNEL)[inside]
    smooth = np.convolve(rise, _KERNEL)[inside] / weight
    unusual = smooth > smooth.mean() + _C * smooth.std()
    return int(np.argmin(np.append(unusual, False)))


_CHOI = "Choi 2000, NAACL"

C99_K = Segmenter("C99 (k)", _CHOI, _cut_by_ranks, parameters={"mask": _MASK})
C99 = Segmenter(
    "C99", _CHOI, _cut_by_ranks_with_own_k, takes_k=False, parameters={"mask": _MASK, "c": _C}
)
