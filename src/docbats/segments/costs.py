"""The costs of segments, shared by the cut, the choice of k, strengths and the outline."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import exp, log, log1p, sqrt
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from docbats.errors import SettingsError
from docbats.matrix import unit_rows
from docbats.segments.evidence import (
    NO_HEADING,
    OPENING_FEATURES,
    heads_what_follows,
    opening_features,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from docbats.pipeline import PreparedText
    from docbats.segments.choose_k import BlockGains, KModel
    from docbats.segments.evidence import Breaks, Evidence
    from docbats.segments.own_model import OwnModel
    from docbats.settings import Embeddings

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


_AFFORDABLE_CALLS = 200_000  # of `SegmentCost.cost`; more would take seconds
_AFFORDABLE_CELLS = 2_000_000  # of a table; more would take seconds


class SegmentCost(Protocol):
    """The cost of runs of sentences as one segment; a cut minimizes the sum over its segments.

    For your own cost, derive a class from this one and pass an instance as the setting `cut`.
    It needs :meth:`fit`, which looks at the document, and :meth:`cost`, or :meth:`table` if that
    is faster. The page "A cost of your own" has examples.

    Attributes
    ----------
    penalty
        What a boundary must gain to be drawn if k is not given; None if k must be given.
    start_log_odds
        For each sentence, the log odds that a segment begins with it; long texts, which are cut
        from coarse to fine, are first cut at the likeliest sentences. None if all are equal.
    may_start
        For each sentence, whether a segment should begin with it if there is a choice. None if
        any may.
    section_starts
        The sentences at which the author's sections begin, including 0; None if they are not known.
    subsection_starts
        The same with the sections of the next level; None if there are none.
    k_model
        What is expected of the number of segments; None if the penalty alone decides.
    blocks
        The gains of cuts between blocks by the same words, if they were needed before.
    """

    penalty: float | None = None
    start_log_odds: Floats | None = None
    may_start: Bools | None = None
    section_starts: Ints | None = None
    subsection_starts: Ints | None = None
    k_model: KModel | None = None
    blocks: BlockGains | None = None

    def fit(self, text: PreparedText) -> None:
        """Look at the document and keep what :meth:`cost` needs.

        It is called on a copy, so that one instance serves any number of documents.
        """
        return

    def cost(self, first: int, end: int) -> float:
        """Return the cost of the sentences from `first` to before `end` as one segment."""
        msg = f"{type(self).__name__} must define cost(first, end) or table(edges, width, k)"
        raise NotImplementedError(msg)

    def table(self, edges: Ints, width: int, k: int | None = None) -> Floats:
        """Return the costs of the segments of at most `width` blocks.

        Parameters
        ----------
        edges
            The first sentence of each block, and the number of sentences.
        width
            The most blocks of a segment.
        k
            Into how many segments the text is being cut; None if that is not known, so that there
            is no mean length to expect.

        Returns
        -------
        table
            In ``table[j, l]`` the cost of the l + 1 blocks of which block j is the last; what
            would begin before the text may hold any number. It has as many columns as `width`, or
            as there are blocks if these are fewer.
        """
        n_blocks = len(edges) - 1
        table = np.zeros((n_blocks, min(width, n_blocks)))
        sentences = edges.tolist()
        for j in range(n_blocks):
            for i in range(max(0, j - table.shape[1] + 1), j + 1):
                table[j, j - i] = self.cost(sentences[i], sentences[j + 1])
        return table

    def keep(self, edges: Ints, width: int) -> None:
        """Prepare for tables of these edges with one k after the other; nothing by default."""
        return

    def start_gains(self, units: Ints, block_size: int) -> Floats | None:
        """Return the gain of a boundary before each unit; None, the default, if it is not known.

        Parameters
        ----------
        units
            The first sentence of each unit, and the number of sentences.
        block_size
            Units of a block; a gain is that in the two blocks whose common edge is nearest.

        Returns
        -------
        gains
            In units of `start_log_odds`, to which they can be added.
        """
        return None

    def between(self, first: int, end: int) -> SegmentCost:
        """Return the cost of the sentences from `first` to before `end`, counted from 0."""
        return _Shifted(self, first, end)

    def affordable_cells(self, block_size: int) -> int:
        """Return how many cells a table of blocks of `block_size` sentences may have."""
        is_slow = type(self).table is SegmentCost.table
        return _AFFORDABLE_CALLS if is_slow else _AFFORDABLE_CELLS


class SumOfCosts(SegmentCost):
    """Several costs, added up."""

    def __init__(self, costs: Sequence[SegmentCost]) -> None:
        self.costs = tuple(costs)
        penalties = [cost.penalty for cost in self.costs]
        known = [penalty for penalty in penalties if penalty is not None]
        self.penalty = sum(known) if len(known) == len(penalties) else None
        for cost in self.costs:
            if cost.may_start is not None:
                self.may_start = cost.may_start
            if cost.section_starts is not None:
                self.section_starts = cost.section_starts
            if cost.subsection_starts is not None:
                self.subsection_starts = cost.subsection_starts

    @cached_property
    def start_log_odds(self) -> Floats | None:  # type: ignore[override]
        """The sum of the log odds that are known."""
        odds = [cost.start_log_odds for cost in self.costs if cost.start_log_odds is not None]
        return np.sum(odds, axis=0) if odds else None

    def table(self, edges: Ints, width: int, k: int | None = None) -> Floats:
        """Return the sum of the tables."""
        first, *others = self.costs
        table = first.table(edges, width, k)
        for cost in others:
            table += cost.table(edges, width, k)
        return table

    def keep(self, edges: Ints, width: int) -> None:
        """Let each of the costs prepare for these edges."""
        for cost in self.costs:
            cost.keep(edges, width)

    def start_gains(self, units: Ints, block_size: int) -> Floats | None:
        """Return the sum of the gains that are known."""
        gains = [cost.start_gains(units, block_size) for cost in self.costs]
        known = [found for found in gains if found is not None]
        return np.sum(known, axis=0) if known else None

    def between(self, first: int, end: int) -> SegmentCost:
        """Return the sum of the costs between these sentences."""
        return SumOfCosts([cost.between(first, end) for cost in self.costs])

    def affordable_cells(self, block_size: int) -> int:
        """Return the least that any of the costs allows."""
        return min(cost.affordable_cells(block_size) for cost in self.costs)


class _Shifted(SegmentCost):
    """The cost of a part of the text, taken from the cost of the whole."""

    def __init__(self, whole: SegmentCost, first: int, end: int) -> None:
        self._whole, self._first = whole, first
        self.penalty = whole.penalty
        if whole.start_log_odds is not None:
            self.start_log_odds = whole.start_log_odds[first:end]
        if whole.may_start is not None:
            self.may_start = whole.may_start[first:end]
        self.section_starts = _starts_between(whole.section_starts, first, end)
        self.subsection_starts = _starts_between(whole.subsection_starts, first, end)

    def table(self, edges: Ints, width: int, k: int | None = None) -> Floats:
        return self._whole.table(edges + self._first, width, k)

    def between(self, first: int, end: int) -> SegmentCost:
        return self._whole.between(self._first + first, self._first + end)

    def affordable_cells(self, block_size: int) -> int:
        return self._whole.affordable_cells(block_size)


def _starts_between(starts: Ints | None, first: int, end: int) -> Ints | None:
    """Return the starts inside a part of the text, counted from 0; None if there are none."""
    if starts is None:
        return None
    places = np.asarray(starts, np.int64)
    inside = places[(first < places) & (places < end)] - first
    return np.append(0, inside) if len(inside) else None


@dataclass(frozen=True)
class PartsRule:
    """How many parts people divide a text into, whatever its length.

    Attributes
    ----------
    gain
        The weight of the gain of k segments, divided by `power` of the number of words.
    boundary
        What each boundary subtracts from the score.
    spread
        What the squared log of k over `usual` subtracts from it.
    usual
        The most usual number of parts, up to `book` words, where cues are not known.
    usual_share
        The share of the expected number of parts, where it is known: a part too many is worse than
        one too few.
    book, growth, most
        A longer text has more parts, since a book has chapters: by the power `growth` of its
        number of words, at most `most` times as many.
    power
        The power of the number of words by which gains grow if boundaries are equally plain.
    """

    gain: float
    boundary: float
    spread: float
    usual: float = 5.0
    usual_share: float = 1.0
    power: float = 0.8
    book: float = 8_000
    growth: float = 0.9
    most: float = 3.0


PARTS = PartsRule(gain=27.0, boundary=3.5, spread=3.53)


@dataclass(frozen=True)
class NumberRule:
    """How many parts authors make of a text.

    Attributes
    ----------
    constant
        The logarithm of the number of parts of a text without likely openings.
    openings
        The power of 1 + the sum of the probabilities that a part begins at each place.
    short
        The power of the share that a short text has of :data:`SHORT_TEXT` sentences.
    long
        The power of how many times as long as :data:`LONG_TEXT` words a long text is, at most
        :data:`MOST_TIMES_LONGER` times: its authors make fewer parts of it than its openings say.
    """

    constant: float
    openings: float
    short: float
    long: float

    def expected(self, n_sentences: int, n_words: float, n_openings: float) -> float:
        """Return the expected number of parts."""
        log_number = self.constant + self.openings * log1p(n_openings)
        log_short, log_long = log_lengths(n_sentences, n_words)
        return exp(log_number + self.short * log_short + self.long * log_long)


SHORT_TEXT = 30
"""Sentences; a shorter text has fewer parts, if cues are known. Larger: fewer in more texts."""
LONG_TEXT = 8_000
"""Words; larger: more texts have as many parts as their openings say."""
MOST_TIMES_LONGER = 4
"""Few texts to learn from are longer than this times :data:`LONG_TEXT`."""


def log_lengths(n_sentences: int, n_words: float) -> tuple[float, float]:
    """Return the logs of how much shorter than short, and longer than long texts, a text is."""
    short = min(1.0, max(1, n_sentences) / SHORT_TEXT)
    return log(short), log(min(max(1.0, n_words / LONG_TEXT), MOST_TIMES_LONGER))


_USUAL_WORDS = 300  # of a segment


@dataclass(frozen=True)
class CutModel:
    """What the cut by likelihood expects of texts; docs/sharp.md describes how it was fitted.

    Attributes
    ----------
    priors
        Concentrations of the Dirichlet prior; the costs under each are averaged, since no one fits
        all texts.
    root_letters
        How many letters of a stem count: "biolog(ical)" and "biolog(y)" are one root. 0 is all.
    rare_roots
        Whether roots that occur in a single sentence count.
    function_word_weight
        The weight of pronouns and auxiliaries.
    openings
        The weight of the log odds that a segment begins with a sentence, by its form.
    opening_weights
        The weights of the features of a sentence in these log odds.
    heading
        Log odds that a segment begins with a heading.
    length
        How closely lengths are expected to be around their mean: the weight of a squared log ratio.
    first_length, first_share, last_length, last_share
        The same for the first and the last segment if they are short: they are then expected to be
        around a share of the mean.
    min_end
        The sentences that they are expected to have at least.
    short_ends
        How likely these are to be short.
    single
        What a segment of one sentence costs more than others.
    expectations
        How much these expectations count in segments of the usual number of words.
    growth
        The power of the number of words by which they count for more: with many words, the
        likelihood is too sure of itself.
    boundary_penalty
        What a boundary must gain to be drawn, times the root of the number of words; larger: fewer
        segments.
    parts
        How many parts people divide a text into.
    number
        The same by length and cues; None in a language whose cues are not known.
    vectors
        The weight of a sentence's vector, in units of a log likelihood.
    own
        The model of your own that these constants were adapted by; None if they were not.
    """

    priors: tuple[float, ...] = (0.1, 0.3, 1.0)
    root_letters: int = 6
    rare_roots: bool = False
    function_word_weight: float = 0.4
    openings: float = 1.0
    opening_weights: tuple[float, ...] = tuple(OPENING_FEATURES.values())
    heading: float = 6.0
    length: float = 0.3
    first_length: float = 1.2
    first_share: float = 0.25
    last_length: float = 0.6
    last_share: float = 0.4
    min_end: float = 0.0
    short_ends: float = 0.5
    single: float = 0.0
    expectations: float = 5.0
    growth: float = 0.7
    boundary_penalty: float = 0.35
    parts: PartsRule = PARTS
    number: NumberRule | None = None
    vectors: float = 80.0
    own: OwnModel | None = None

    @property
    def of_a_part(self) -> CutModel:
        """The model of a part of a text, which need not have parts of its own."""
        whole = replace(self, own=None) if self.own else self
        return replace(whole, parts=FLAT.parts, number=None) if self.number else whole

    def expectation_scale(self, n_tokens: float, k: float) -> float:
        """Return the factor by which expectations count if the words make k segments."""
        return float(self.expectations * (max(n_tokens, 1) / k / _USUAL_WORDS) ** self.growth)


FLAT = CutModel()
"""For a text that is but a list of sentences, in a language whose cues are not known."""

STRUCTURED = CutModel(
    priors=(0.4, 1.0), expectations=2.5, growth=1.0, length=0.6, first_share=0.3, last_share=1.0,
    short_ends=1.0, boundary_penalty=0.23, parts=replace(PARTS, gain=90.0),
)  # fmt: skip
"""For a text whose author left breaks."""

FLAT_WITH_CUES = replace(
    FLAT, openings=1.5, heading=1.5, length=1.3, first_length=2.0, first_share=0.1,
    last_length=1.2, last_share=0.3, min_end=3.0, short_ends=1.0, single=10.0, expectations=3.5,
    growth=0.3, parts=PartsRule(gain=0.9, boundary=0.0, spread=3.0, usual_share=0.8),
    number=NumberRule(1.1, 0.39, 1.61, -0.54),
)  # fmt: skip
STRUCTURED_WITH_CUES = replace(
    STRUCTURED, openings=2.5, heading=6.0, length=0.6, first_length=0.6, first_share=0.2,
    last_length=0.6, last_share=0.3, min_end=3.0, expectations=4.0, growth=0.3,
    parts=PartsRule(gain=1.05, boundary=0.0, spread=3.5, usual_share=0.95),
    number=NumberRule(1.01, 0.46, 1.59, -0.39),
)  # fmt: skip
"""The same in a language whose cues are known."""


class LengthPrior(SegmentCost):
    """Lengths vary around their mean by a factor, the first and last around shares of it."""

    penalty = 0.0

    def __init__(self, evidence: Evidence, model: CutModel, n_tokens: float | None = None) -> None:
        self._evidence, self._model = evidence, model
        self._n_tokens = evidence.n_tokens if n_tokens is None else n_tokens

    def table(self, edges: Ints, width: int, k: int | None = None) -> Floats:
        """Return the weighted squared log ratios of actual to expected lengths."""
        costs = np.zeros((len(edges) - 1, min(width, len(edges) - 1)))
        if k is None:
            return costs
        model, width = self._model, costs.shape[1]
        words = np.add.reduceat(self._evidence.sizes, edges[:-1])
        ends, starts = cumulative_sums(words * (k / words.sum()), width)
        scale = model.expectation_scale(self._n_tokens, k)
        for rows, columns in row_groups(costs.shape):
            group = ends[rows] - starts[rows, columns]
            np.log(group, out=group)
            group *= group
            np.multiply(group, scale * model.length, out=costs[rows, columns])
        shortest = min(1.0, k * model.min_end / len(self._evidence))
        last = np.log(np.maximum(ends[-1] - starts[-1], 1e-9))
        share = max(model.last_share, shortest)
        costs[-1] = scale * self._end_costs(last, model.last_length, share)
        first = np.log(ends[:width, 0])
        # The segments that begin with the text end with block 0, 1, ...
        diagonal = np.arange(width)
        costs[diagonal, diagonal] = scale * self._end_costs(
            first, model.first_length, max(model.first_share, shortest)
        )
        costs[:, 0] += np.where(np.diff(edges) == 1, scale * model.single, 0.0)
        return costs

    def _end_costs(self, ratio: Floats, weight: float, share: float) -> Floats:
        """Return the costs of the first or last segment, which is as long as others, or shorter."""
        model = self._model
        short = -weight * (ratio - np.log(share)) ** 2
        if model.short_ends == 1:
            return np.asarray(-short)
        usual = -model.length * ratio**2
        likelihood = model.short_ends * np.exp(short) + (1 - model.short_ends) * np.exp(usual)
        return np.asarray(-np.log(np.maximum(likelihood, 1e-300)))

    def between(self, first: int, end: int) -> LengthPrior:
        """Return the same for these sentences."""
        return LengthPrior(self._evidence.between(first, end), self._model)


class OpeningCost(SegmentCost):
    """Minus the log odds that a segment begins with its first sentence, by its form."""

    penalty = 0.0

    def __init__(self, evidence: Evidence, model: CutModel) -> None:
        self._evidence, self._model = evidence, model

    @cached_property
    def log_odds(self) -> Floats:
        """The log odds by the form of each sentence, up to a constant if cues are not known."""
        evidence = self._evidence
        odds = opening_features(evidence) @ self._model.opening_weights
        return np.asarray(odds if evidence.cue_odds is None else odds + evidence.cue_odds)

    @cached_property
    def start_log_odds(self) -> Floats:  # type: ignore[override]
        """The log odds as they count in the cost."""
        evidence, model = self._evidence, self._model
        odds = model.openings * self.log_odds
        odds[1:] -= odds[1:].mean() if len(odds) > 1 else 0.0
        return odds + model.heading * heads_what_follows(evidence)

    def table(self, edges: Ints, width: int, k: int | None = None) -> Floats:
        """Return minus the log odds of the first sentence of each segment."""
        n_blocks = len(edges) - 1
        width = min(width, n_blocks)
        if k is None:
            return np.zeros((n_blocks, width))
        odds = self.start_log_odds[edges[:-1]]
        odds[0] = 0  # the text has to begin somehow
        odds *= -self._model.expectation_scale(self._evidence.n_tokens, k)
        return at_starts(np.concatenate([np.zeros(width - 1), odds, [0]]), width).copy()

    def between(self, first: int, end: int) -> OpeningCost:
        """Return the same for these sentences."""
        return OpeningCost(self._evidence.between(first, end), self._model)


_FORBIDDEN = 1e6  # more than any gain, so that segments only break a block if they must
_SECTION = 1e4  # likewise, where a top-level section of the author's begins


class BreakCost(SegmentCost):
    """Minus the log odds that a segment begins at a break, by the text around it.

    A boundary where no segment may begin costs more than it can gain; one where a top-level section
    begins gains more than any other. In between, the odds of headings and paragraph breaks count in
    proportion to the words of a mean segment, as other expectations do.
    """

    penalty = 0.0

    def __init__(self, breaks: Breaks, odds: Floats, n_tokens: float, model: CutModel) -> None:
        self._breaks, self._odds = breaks, odds
        self._n_tokens, self._model = n_tokens, model
        self._always = np.where(breaks.may_start, 0.0, -_FORBIDDEN)
        sections = breaks.section_starts
        if len(sections) > 1:
            self._always[sections] = _SECTION
        strength = np.where(breaks.is_certain, model.heading, model.heading / 2)
        strength /= 1 + np.maximum(breaks.depth, 0)
        self.scaled_log_odds = odds + np.where(breaks.depth == NO_HEADING, 0.0, strength)
        self._always[0] = self.scaled_log_odds[0] = 0.0  # the text has to begin somehow
        self.start_log_odds = self._always + self.scaled_log_odds
        self.may_start = breaks.may_start
        self.section_starts = sections if len(sections) > 1 else None
        finer = breaks.subsection_starts
        self.subsection_starts = finer if len(finer) > len(sections) > 1 else None

    def table(self, edges: Ints, width: int, k: int | None = None) -> Floats:
        """Return minus the log odds of the first sentence of each segment."""
        width = min(width, len(edges) - 1)
        odds = self._always[edges[:-1]]
        if k is not None:
            scale = self._model.expectation_scale(self._n_tokens, k)
            odds = odds + scale * self.scaled_log_odds[edges[:-1]]
        odds[0] = 0.0
        return at_starts(np.concatenate([np.zeros(width - 1), -odds, [0]]), width).copy()

    def between(self, first: int, end: int) -> BreakCost:
        """Return the same for these sentences, with their share of the words."""
        share = (end - first) / len(self._breaks)
        breaks = self._breaks.between(first, end)
        return BreakCost(breaks, self._odds[first:end], share * self._n_tokens, self._model)


_ROWS_AT_A_TIME = 256  # of a table; more take more memory
_PENALTY_SCALE = 2.5  # times the gain of a boundary by chance; larger: fewer segments
_MIN_COSINE = 0.01  # of neighbours; less than any sentence encoder has


def embed(embeddings: Embeddings, texts: Sequence[str]) -> Floats:
    """Return the vectors of texts, each scaled to length 1."""
    vectors = np.asarray(embeddings(list(texts)), float)
    if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
        msg = (
            f"embeddings must return one row of finite numbers for each of {len(texts)} texts, got "
            f"an array of shape {vectors.shape}"
        )
        raise SettingsError(msg)
    return unit_rows(vectors)


def embed_by_words(
    embeddings: Embeddings,
    words: Sequence[str],
    word: NDArray[np.int64],
    sentence: NDArray[np.int64],
    n_sentences: int,
) -> Floats:
    """Return the sum of the vectors of the words of each sentence, scaled to length 1.

    `word` and `sentence` hold the word and the sentence of each occurrence.
    """
    vectors = embed(embeddings, words)
    sums = np.zeros((n_sentences, vectors.shape[1]))
    np.add.at(sums, sentence, vectors[word])
    return unit_rows(sums)


class VectorCost(SegmentCost):
    """Minus the length of the sum of each segment's vectors, which are of length 1.

    The closer they point the same way, the longer their sum is.

    Vectors that vary by chance around one direction gain by every boundary, too: if their cosine to
    it is c, the sum of n of them is about (1 - c^2) / 2c longer than n c, so two sums are that much
    longer than one. A boundary must gain a multiple of that; c^2 is estimated by the cosines of
    neighbours, most of which are in one segment.
    """

    def __init__(self, vectors: Floats, weight: float) -> None:
        self._vectors, self._weight = vectors, weight
        cosines = np.einsum("ij,ij->i", vectors[1:], vectors[:-1])
        square = min(max(float(cosines.mean()), _MIN_COSINE), 1.0) if len(cosines) else 1.0
        self.penalty = _PENALTY_SCALE * weight * (1 - square) / (2 * sqrt(square))

    def table(self, edges: Ints, width: int, k: int | None = None) -> Floats:
        """Return the costs of all segments; see :meth:`SegmentCost.table`."""
        vectors, n_blocks = self._vectors, len(edges) - 1
        width = min(width, n_blocks)
        upto = np.concatenate([np.zeros((1, vectors.shape[1])), np.cumsum(vectors, axis=0)])[edges]
        squares = (upto**2).sum(axis=1)
        costs = np.empty((n_blocks, width))
        for low in range(0, n_blocks, _ROWS_AT_A_TIME):
            ends = np.arange(low, min(low + _ROWS_AT_A_TIME, n_blocks))
            base = max(0, low - width + 1)
            products = upto[ends + 1] @ upto[base : ends[-1] + 1].T
            starts = np.maximum(ends[:, None] - np.arange(width), 0)
            inner = np.take_along_axis(products, np.maximum(starts - base, 0), axis=1)
            lengths = squares[ends + 1, None] + squares[starts] - 2 * inner
            costs[ends] = -self._weight * np.sqrt(np.maximum(lengths, 0))
        return costs

    def between(self, first: int, end: int) -> VectorCost:
        """Return the same for these sentences."""
        return VectorCost(self._vectors[first:end], self._weight)


_CACHE_SIZE = 16_384  # numbers; with more a group of rows leaves the processor's cache


def segment_sums(sizes: NDArray[np.float64 | np.int64], width: int) -> NDArray[Any]:
    """Return the total size of the blocks of each segment, as a table."""
    ends, starts = cumulative_sums(sizes, width)
    return np.asarray(ends - starts)


def cumulative_sums(sizes: NDArray[Any], width: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the sums of sizes up to the end and up to the start of each segment, as tables."""
    ends = np.zeros((*sizes.shape[:-1], width + sizes.shape[-1]), sizes.dtype)
    np.cumsum(sizes, axis=-1, out=ends[..., width:])
    return ends[..., width:, None], at_starts(ends, width)


def at_starts(values: NDArray[Any], width: int) -> NDArray[Any]:
    """Return the value at the first block of each segment, as a table."""
    return windows(values, width)[..., :-1, ::-1]


def coarser(costs: NDArray[np.float64], edges: NDArray[np.int64], width: int) -> NDArray[Any]:
    """Return the table of blocks between these edges, of the table of all of their sentences."""
    starts = at_starts(np.concatenate([np.zeros(width - 1, np.int64), edges]), width)
    ends = edges[1:, None]
    return np.asarray(costs[ends - 1, ends - 1 - starts])


def windows(values: NDArray[Any], width: int) -> NDArray[Any]:
    """Return a view of each `width` neighbours, in a tenth of sliding_window_view's time."""
    values = np.ascontiguousarray(values)
    shape = (*values.shape[:-1], values.shape[-1] - width + 1, width)
    return np.ndarray(shape, values.dtype, values, strides=(*values.strides, values.itemsize))


def row_groups(shape: tuple[int, ...], layers: int = 1) -> Iterator[tuple[slice, slice]]:
    """Split a table into groups of rows that fit the cache, without cells before the text.

    Large intermediate tables are slow to allocate, so these are made group by group.
    """
    n_blocks, width = shape
    rows = max(1, _CACHE_SIZE // (width * layers))
    for j in range(0, n_blocks, rows):
        end = min(j + rows, n_blocks)
        yield slice(j, end), slice(0, end)
