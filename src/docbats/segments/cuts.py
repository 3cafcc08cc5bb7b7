"""The ways to cut a document: by likelihood, by linkage, by your own cost or boundaries."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from docbats.errors import InputError, SettingsError
from docbats.matrix import unit_rows
from docbats.segments.costs import SegmentCost
from docbats.segments.dirichlet import likelihood_cost
from docbats.segments.search import best_starts
from docbats.segments.sizes import unit_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.pipeline import Analysis, PreparedText
    from docbats.settings import Settings

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


def average_linkage_starts(vectors: NDArray[np.float64], k: int) -> NDArray[np.int64]:
    """Merge neighbouring sentences until k segments are left; return each segment's first sentence.

    The distance of two segments is the mean cosine distance over all pairs of their sentences, as
    eq. 14 has it. Rows of `vectors` are unit vectors (or zero, at distance 1 from all), so that the
    mean is 1 - S_A · S_B / (n_A n_B) with S the sum of a segment's rows: no pair is ever formed,
    and a heap of neighbours makes it O(m log m) merges. scikit-learn's average linkage on a chain
    only compares the two sentences at the boundary, and does not accept rows of zeros.

    Of equal distances, the one nearest to the start of the text is merged first.
    """
    m = len(vectors)
    sums, sizes = list(vectors), [1] * m
    following, preceding = list(range(1, m + 1)), list(range(-1, m - 1))
    # A segment is identified by its first sentence. A heap entry holds the sizes of its two
    # segments: if one has grown or gone since, they differ and the entry is stale.
    nearest = 1 - np.einsum("ij,ij->i", vectors[:-1], vectors[1:])
    heap = [(distance, a, 1, 1) for a, distance in enumerate(nearest.tolist())]
    heapify(heap)

    def push(a: int, b: int) -> None:
        mean = float(sums[a] @ sums[b]) / (sizes[a] * sizes[b])
        heappush(heap, (1 - mean, a, sizes[a], sizes[b]))

    for _ in range(m - k):
        while True:
            _, a, size_a, size_b = heappop(heap)
            if sizes[a] == size_a and following[a] < m and sizes[following[a]] == size_b:
                break
        b = following[a]
        sums[a] = sums[a] + sums[b]
        sizes[a] += sizes[b]
        sizes[b] = 0
        following[a] = c = following[b]
        if c < m:
            preceding[c] = a
            push(a, c)
        if preceding[a] >= 0:
            push(preceding[a], a)
    return np.flatnonzero(sizes)


class Cut(Protocol):
    """A way to cut a document.

    Attributes
    ----------
    keeps_sizes
        Whether it can keep to `min_size` and `max_size`.
    uses_cost
        Whether it minimizes the cost of the segments, and so rates its boundaries.
    uses_embeddings
        Whether `embeddings` make a difference.
    uses_model
        Whether a model of your own makes a difference.
    uses_word_classes
        Whether it distinguishes nouns from verbs.
    needs_words
        Whether it cannot cut a text of which no word is kept.
    titles_by_phrases
        Whether segments are titled by their phrases; if not, by their keywords.
    """

    keeps_sizes: bool
    uses_cost: bool
    uses_embeddings: bool
    uses_model: bool
    uses_word_classes: bool
    needs_words: bool
    titles_by_phrases: bool

    def cost(self, text: PreparedText, settings: Settings) -> SegmentCost:
        """Return the cost of segments: for the choice of k, strengths, the outline and the cut."""

    def starts(self, analysis: Analysis, k: int) -> Ints:
        """Return the first sentence of each of k segments."""


class _LinkageCut:
    """Average linkage of neighbouring sentences (eq. 14)."""

    keeps_sizes = uses_cost = uses_embeddings = uses_model = False
    uses_word_classes = titles_by_phrases = False
    needs_words = True

    def cost(self, text: PreparedText, settings: Settings) -> SegmentCost:
        return likelihood_cost(text, settings)

    def starts(self, analysis: Analysis, k: int) -> Ints:
        return average_linkage_starts(unit_rows(analysis.spectrum_of(k).U), k)


class _LikelihoodCut:
    """The segments that explain their words best."""

    keeps_sizes = uses_cost = uses_embeddings = uses_model = True
    uses_word_classes = titles_by_phrases = True
    needs_words = True

    def cost(self, text: PreparedText, settings: Settings) -> SegmentCost:
        return likelihood_cost(text, settings)

    def starts(self, analysis: Analysis, k: int) -> Ints:
        cost, n_sentences, limits = analysis.cost, len(analysis.text), analysis.limits
        if limits is None:
            starts = best_starts(cost, n_sentences, k)
        else:
            starts = limits.keep_within(lambda kept: best_starts(cost, n_sentences, k, kept))
        if starts is None:
            settings = analysis.settings
            msg = (
                f"k={k} segments of at most {settings.max_size} {unit_name(settings.size_unit)} "
                "cannot hold this text: give a larger k or max_size, or leave k out"
            )
            raise SettingsError(msg)
        return np.array(starts, np.int64)


@dataclass(frozen=True)
class _CustomCostCut(_LikelihoodCut):
    """The segments of the least cost by a custom cost."""

    given: SegmentCost

    uses_embeddings = uses_model = needs_words = False

    def cost(self, text: PreparedText, settings: Settings) -> SegmentCost:  # noqa: ARG002
        fitted = copy.copy(self.given)
        fitted.fit(text)
        return _Checked(fitted, len(text))


class _Checked(SegmentCost):
    """A custom cost, whose tables and attributes are checked."""

    def __init__(self, cost: SegmentCost, n_sentences: int) -> None:
        self._cost = cost
        self.penalty = cost.penalty
        self.k_model = cost.k_model
        self.start_log_odds = self._of_sentences("start_log_odds", np.float64, n_sentences)
        self.may_start = self._of_sentences("may_start", np.bool_, n_sentences)
        self.section_starts = self._starts("section_starts", n_sentences)
        self.subsection_starts = self._starts("subsection_starts", n_sentences)

    def _of_sentences(self, name: str, kind: type[Any], n_sentences: int) -> NDArray[Any] | None:
        """Return an attribute that has a value for each sentence."""
        given = getattr(self._cost, name)
        if given is None:
            return None
        values = np.asarray(given, kind)
        if values.shape != (n_sentences,):
            msg = (
                f"{type(self._cost).__name__}.{name} must have a value for each of the "
                f"{n_sentences} sentences, got an array of shape {values.shape}"
            )
            raise SettingsError(msg)
        return values

    def _starts(self, name: str, n_sentences: int) -> Ints | None:
        """Return an attribute that holds the sentences at which sections begin."""
        given = getattr(self._cost, name)
        if given is None:
            return None
        starts = np.asarray(given, np.int64)
        is_in_order = starts.ndim == 1 and (np.diff(starts, append=n_sentences) > 0).all()
        if not is_in_order or starts[:1].tolist() != [0]:
            msg = (
                f"{type(self._cost).__name__}.{name} must be sentences in ascending order, from 0 "
                f"to at most {n_sentences - 1}, got {given!r:.60}"
            )
            raise SettingsError(msg)
        return starts

    def table(self, edges: Ints, width: int, k: int | None = None) -> Floats:
        shape = (len(edges) - 1, min(width, len(edges) - 1))
        table = np.array(self._cost.table(edges, width, k), float)
        name = type(self._cost).__name__
        if table.shape != shape:
            msg = f"{name}.table must return an array of shape {shape}, got {table.shape}"
            raise SettingsError(msg)
        if not np.isfinite(np.tril(table)).all():
            msg = f"{name} must return finite costs, got {table[~np.isfinite(table)][0]}"
            raise SettingsError(msg)
        return table

    def between(self, first: int, end: int) -> SegmentCost:
        return _Checked(self._cost.between(first, end), end - first)

    def keep(self, edges: Ints, width: int) -> None:
        self._cost.keep(edges, width)

    def start_gains(self, units: Ints, block_size: int) -> Floats | None:
        return self._cost.start_gains(units, block_size)

    def affordable_cells(self, block_size: int) -> int:
        return self._cost.affordable_cells(block_size)


CUTS: Mapping[str, Cut] = MappingProxyType(
    {"likelihood": _LikelihoodCut(), "linkage": _LinkageCut()}
)
"""The ways to cut, by their names in the setting `cut`."""


def find_cut(cut: str | SegmentCost) -> Cut:
    """Return the way to cut by its name, or the one that minimizes a custom cost."""
    return CUTS[cut] if isinstance(cut, str) else _CustomCostCut(cut)


def check_boundaries(boundaries: Iterable[int], settings: Settings) -> tuple[int, ...]:
    """Return boundaries as a tuple, or refuse what is not a list of offsets."""
    if isinstance(boundaries, str | bytes):
        raise _not_offsets(boundaries)
    try:
        found: tuple[Any, ...] = tuple(boundaries)
    except TypeError:
        raise _not_offsets(boundaries) from None
    for offset in found:
        if isinstance(offset, bool | np.bool_) or not isinstance(offset, int | np.integer):
            raise _not_offsets(boundaries)
    if settings.k != "auto":
        msg = f"give either boundaries, which set the number of segments, or k, got k={settings.k}"
        raise SettingsError(msg)
    if settings.min_size or settings.max_size is not None:
        msg = "boundaries set the sizes of the segments: leave out min_size and max_size"
        raise SettingsError(msg)
    return tuple(int(offset) for offset in found)


def find_boundary_sentences(document: Document, boundaries: tuple[int, ...]) -> NDArray[np.int64]:
    """Return the first sentence of each segment.

    A segment begins with the sentence at its offset, or with the next one if the offset is between
    two. The first segment begins with the text, whether its offset is given or not.
    """
    length = len(document.text)
    ends = document.spans[:, 1]
    starts: list[int] = []
    before = 0
    for offset in boundaries:
        if not 0 <= offset < length:
            msg = (
                f"boundaries must be character offsets from 0 to {length - 1}, where segments "
                f"begin, got {offset}"
            )
            raise InputError(msg)
        sentence = int(np.searchsorted(ends, offset, side="right"))
        if offset < before:
            msg = f"boundaries must be in ascending order, got {offset} after {before}"
            raise InputError(msg)
        if sentence == len(document):
            msg = f"no sentence follows boundary {offset}: leave it out"
            raise InputError(msg)
        if starts and sentence == starts[-1]:
            msg = (
                f"boundaries {before} and {offset} lie in the same sentence, and a segment has at "
                "least one: leave one of them out"
            )
            raise InputError(msg)
        starts.append(sentence)
        before = offset
    return np.array(starts if starts[:1] == [0] else [0, *starts], np.int64)


def _not_offsets(boundaries: object) -> InputError:
    return InputError(
        "boundaries must be character offsets, whole numbers such as [0, 1200, 3400], "
        f"got {boundaries!r:.60}"
    )
