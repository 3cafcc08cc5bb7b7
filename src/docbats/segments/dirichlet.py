"""The cost of the preset sharp: the likelihood of a segment's words, and expectations."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import inf, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.segments.choose_k import BlockGains, KModel, margin_of_short
from docbats.segments.costs import (
    FLAT,
    FLAT_WITH_CUES,
    STRUCTURED,
    STRUCTURED_WITH_CUES,
    BreakCost,
    LengthPrior,
    OpeningCost,
    SegmentCost,
    SumOfCosts,
    VectorCost,
    coarser,
    cumulative_sums,
    embed,
    embed_by_words,
    row_groups,
)
from docbats.segments.cues import find_first_words, load_cues
from docbats.segments.evidence import (
    BREAK_FEATURES,
    SPEAKER_WEIGHT,
    break_features,
    find_breaks,
    find_evidence,
    opening_features,
    speaker_changes,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from docbats.pipeline import PreparedText
    from docbats.segments.costs import CutModel
    from docbats.segments.evidence import Breaks, Evidence
    from docbats.segments.own_model import OwnModel
    from docbats.settings import Settings

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


_PAIRS_AT_A_TIME = 8_192  # more would leave the processor's cache
_PAIRS_PER_SUM = 1_000_000  # summed separately: sums of sums lose less to rounding


@dataclass(frozen=True, eq=False)
class RootUses:
    """How often roots occur in blocks, and their weights; sorted by root, then by block.

    `before` is the sum of all counts before, in this order.
    """

    root: Ints
    block: Ints
    count: Ints
    before: Ints
    weight: Floats

    def where(self, these: Bools | Ints) -> RootUses:
        """Return some of the uses."""
        return RootUses(
            self.root[these],
            self.block[these],
            self.count[these],
            self.before[these],
            self.weight[these],
        )


class RootIndex:
    """The evidence, prepared for counting its roots in any blocks of sentences.

    Narrow integers take half of the time and of the memory.
    """

    def __init__(self, evidence: Evidence) -> None:
        self._root = evidence.root.astype(np.int32)
        self._sentence = evidence.sentence.astype(np.int32)
        self._is_first = np.diff(self._root, prepend=-1) != 0
        self._before = np.cumsum(evidence.count) - evidence.count
        self._evidence = evidence

    @cached_property
    def n_sentences_with(self) -> Ints:
        """The number of sentences that contain each root."""
        return np.bincount(self._root)

    @cached_property
    def highest_count(self) -> int:
        """How often the commonest root occurs in the text."""
        return int(np.bincount(self._root, self._evidence.count).max(initial=0))

    @cached_property
    def weight_before(self) -> Floats:
        """The weight of the words before each sentence, and of the whole text."""
        evidence = self._evidence
        weighted = evidence.weight[self._root] * evidence.count
        in_each = np.bincount(self._sentence, weighted, minlength=len(evidence))
        return np.concatenate([[0.0], np.cumsum(in_each)])

    def in_blocks(self, edges: Ints) -> RootUses:
        """Count the roots of each block."""
        evidence, n_blocks = self._evidence, len(edges) - 1
        if n_blocks == len(evidence):
            weight = evidence.weight[self._root]
            return RootUses(evidence.root, evidence.sentence, evidence.count, self._before, weight)
        block_of = np.repeat(np.arange(n_blocks, dtype=np.int32), np.diff(edges))
        block = block_of[self._sentence]
        is_new = self._is_first.copy()
        is_new[1:] |= block[1:] != block[:-1]
        new = np.flatnonzero(is_new)
        root, before = self._root[new].astype(np.int64), self._before[new]
        count = np.diff(before, append=evidence.n_tokens)
        return RootUses(root, block[new].astype(np.int64), count, before, evidence.weight[root])


def count_roots(uses: RootUses, n_blocks: int) -> tuple[Floats, Ints]:
    """Return the weight of each root, and how often it occurs in each block."""
    new = np.diff(uses.root, prepend=-1) > 0
    counts = np.zeros((np.count_nonzero(new), n_blocks), np.int64)
    counts[np.cumsum(new) - 1, uses.block] = uses.count
    return uses.weight[new], counts


def sum_over_pairs(uses: RootUses, f: Floats, shape: tuple[int, ...]) -> Floats:
    """Sum f of the count of each root in each segment, without visiting segments.

    For one root, f(its count in a segment) is a sum over the pairs of blocks in the segment that
    contain the root, of f's second difference: how much the segment from one to the other has
    beyond those that are one block shorter. Running sums spread that over all segments.
    """
    n_blocks, width = shape
    sums = np.zeros(shape)
    firsts, partners = _count_partners(uses, n_blocks, width)
    alone = np.ones(len(uses.root), np.bool_)
    alone[firsts] = False
    single = uses.weight[alone] * f[uses.count[alone]]
    sums[:, 0] = np.bincount(uses.block[alone], single, minlength=n_blocks)
    upto = np.cumsum(uses.count)
    before = upto - uses.count
    for group in _groups(partners, _PAIRS_PER_SUM):
        table = np.zeros(n_blocks * width) if group.start else sums.reshape(-1)
        for few in _groups(partners[group.start : group.stop], _PAIRS_AT_A_TIME):
            these = slice(group.start + few.start, group.start + few.stop)
            first, times = firsts[these], partners[these]
            begin = np.cumsum(times) - times
            last = np.repeat(first - begin, times) + np.arange(begin[-1] + times[-1])
            upto_last = upto[last]
            # What the first adds to a segment up to the last, minus what it adds up to the last
            # but one, which is the entry before.
            added = f[upto_last - np.repeat(before[first], times)]
            added -= f[upto_last - np.repeat(upto[first], times)]
            gain = np.diff(added, prepend=0.0)
            gain[begin] = added[begin]
            gain *= np.repeat(uses.weight[first], times)
            cells = uses.block[last] * (width + 1) - np.repeat(uses.block[first], times)
            np.add.at(table, cells, gain)
        if group.start:
            sums += table.reshape(shape)
    for part in row_groups(shape):
        np.cumsum(sums[part], axis=1, out=sums[part])
    for above, row in zip(sums[:-1, :-1], sums[1:, 1:], strict=True):
        np.add(row, above, out=row)
    return sums


def _count_partners(uses: RootUses, n_blocks: int, width: int) -> tuple[Ints, Ints]:
    """Return the uses that are paired with others, and how many pairs each one begins.

    A use is paired with itself, and with uses of its root less than `width` blocks after it.
    """
    places = uses.root * (n_blocks + width) + uses.block
    firsts = np.flatnonzero(np.diff(places) < width)
    return firsts, np.searchsorted(places, places[firsts] + width) - firsts


def _groups(sizes: Ints, limit: int) -> Iterator[range]:
    """Group neighbours so that their sizes add up to at most `limit`, or to a single larger one."""
    upto = np.concatenate([[0], np.cumsum(sizes)])
    begin = 0
    while begin < len(sizes):
        end = int(np.searchsorted(upto, upto[begin] + limit, side="right")) - 1
        end = max(end, begin + 1)
        yield range(begin, end)
        begin = end


def split_gains(
    uses: RootUses, f: Floats, size_costs: Floats, weight_before: Floats, block_size: int
) -> Floats:
    """Return the gain of a boundary before each unit of text, within the two nearest blocks.

    A block is `block_size` units. The gain is the cost of both blocks as one segment, minus their
    cost if they are cut there.

    Parameters
    ----------
    uses
        How often each root occurs in each unit.
    f
        The contribution of a root that occurs 0, 1, ... times in a segment.
    size_costs
        The cost of a segment of 0, 1, ... weighted words without its roots; in between it is
        interpolated, which is only rough for a few words.
    weight_before
        The weight of the words before each unit, and of the whole text.
    block_size
        Units of a block.
    """
    n = len(weight_before) - 1
    unit = np.arange(n)
    nearest = np.clip((unit + block_size // 2) // block_size, 1, max(1, (n - 1) // block_size))
    gains = np.zeros(n)
    for parity in (0, 1):
        # The two blocks around every other edge make a pair.
        pair = (unit // block_size + 1 - parity) // 2
        starts = np.flatnonzero(np.diff(pair, prepend=-1))
        ends = np.append(starts[1:], n)
        left = weight_before[:-1] - weight_before[starts][pair]
        both = (weight_before[ends] - weight_before[starts])[pair]
        sizes = np.arange(len(size_costs))
        gain = np.interp(both, sizes, size_costs) - np.interp(left, sizes, size_costs)
        gain -= np.interp(both - left, sizes, size_costs)
        moved = np.cumsum(_moves(uses, f, pair)) if len(uses.root) else np.zeros(n)
        moved = np.concatenate([[0.0], moved[:-1]])
        gain += moved - moved[starts][pair]
        np.copyto(gains, gain, where=nearest % 2 == parity)
    gains[0] = 0.0
    return gains


def _moves(uses: RootUses, f: Floats, pair: Ints) -> Floats:
    """Return the gain as each unit moves from the right of the boundary to its left."""
    group = uses.root * (int(pair[-1]) + 1) + pair[uses.block]
    first = np.flatnonzero(np.diff(group, prepend=-1))
    sizes = np.diff(first, append=len(group))
    is_repeated = np.repeat(sizes > 1, sizes)  # a root in a single unit gains nothing
    totals = np.add.reduceat(uses.count, first)
    kept = uses.where(is_repeated)
    first, totals, sizes = first[sizes > 1], totals[sizes > 1], sizes[sizes > 1]
    left = kept.before - np.repeat(uses.before[first], sizes)
    right = np.repeat(totals, sizes) - left
    gain = f[left + kept.count] - f[left] + f[right - kept.count] - f[right]
    moves: Floats = np.bincount(kept.block, kept.weight * gain, minlength=len(pair)).astype(float)
    return moves


_CACHED_SENTENCES = 256  # shorter texts keep their table of costs: a megabyte at most
_SHORT_TEXT = 192  # sentences; its table serves for any blocks, too
_MAX_KEPT_TABLES = 3  # 21 megabytes at most
_COMMON_SHARE = 0.3  # of the blocks; roots in more of them are counted in each segment
_STIRLING_FROM = 8  # from here on, the log gamma function has a fast approximation

_AFFORDABLE_CELLS = 2_000_000  # of a table; more would take seconds
_AFFORDABLE_COUNTS = 100_000_000  # of a root in a segment; more would take seconds
_COUNTS_PER_PAIR = 8  # counts that take as long as a pair of blocks


class DirichletCost(SegmentCost):
    """Minus the log marginal likelihood of the words of each segment.

    J. Eisenstein and R. Barzilay, "Bayesian Unsupervised Topic Segmentation", EMNLP 2008: words are
    drawn from a distribution of the segment's own, which is integrated out under a symmetric
    Dirichlet prior a. With n_w of a segment's n words being w, V words in all and G the gamma
    function, the cost is ``log G(n + V a) - log G(V a) - sum_w (log G(n_w + a) - log G(a))``;
    here each word counts by its weight, and the costs under several priors are averaged.

    A boundary has to gain in proportion to the root of the number of words, since the likelihood
    treats words as independent, which they are not.
    """

    penalty: float

    def __init__(self, evidence: Evidence, model: CutModel, share: float = 1.0) -> None:
        self._evidence, self._model = evidence, model
        self._share = share  # of the cost, if there are several of this kind
        self._kept: tuple[tuple[Ints, Floats], ...] = ()  # edges and their table, latest first
        self._start_gains: tuple[Ints, int, Floats] | None = None
        self.penalty = share * model.boundary_penalty * sqrt(max(1, evidence.n_tokens))

    def under(self, model: CutModel) -> DirichletCost:
        """Return the cost by a model of the same priors, with the tables that this one keeps."""
        if model.priors != self._model.priors:
            return DirichletCost(self._evidence, model, self._share)
        found = copy.copy(self)
        found._model, found._start_gains = model, None
        return found

    def table(self, edges: Ints, width: int, k: int | None = None) -> Floats:
        """Return the costs of all segments; see :meth:`SegmentCost.table`."""
        n_blocks, m = len(edges) - 1, len(self._evidence)
        width = min(width, n_blocks)
        if m <= _SHORT_TEXT and n_blocks < m:
            return coarser(self.table(np.arange(m + 1), m), edges, width)
        if n_blocks == m <= _CACHED_SENTENCES:
            # After the choice of k, the text is cut, and perhaps cut again, by the same table.
            self.keep(edges, width)
        known = self._find_kept(edges, width)
        return self._fill(edges, width) if known is None else known[:, :width].copy()

    def keep(self, edges: Ints, width: int) -> None:
        """Fill the table of these edges now; it does not depend on k."""
        width = min(width, len(edges) - 1)
        if self._find_kept(edges, width) is None:
            others = [kept for kept in self._kept if not np.array_equal(kept[0], edges)]
            # Threads that get here at the same time fill the same table; one of them stays.
            kept = (edges, self._fill(edges, width))
            self._kept = (kept, *others)[:_MAX_KEPT_TABLES]

    def _find_kept(self, edges: Ints, width: int) -> Floats | None:
        for known, table in self._kept:
            if table.shape[1] >= width and np.array_equal(known, edges):
                return table
        return None

    def start_gains(self, units: Ints, block_size: int) -> Floats:
        """Return the gain of a boundary before each unit; see :meth:`SegmentCost.start_gains`."""
        known = self._start_gains
        if known is None or known[1] != block_size or not np.array_equal(known[0], units):
            gains = self._find_start_gains(units, block_size)
            self._start_gains = known = units, block_size, gains
        return known[2]

    def _find_start_gains(self, units: Ints, block_size: int) -> Floats:
        uses, weight_before = self._index.in_blocks(units), self._index.weight_before[units]
        pairs_of_blocks = np.diff(weight_before[:: 2 * block_size], append=weight_before[-1])
        size_costs = _size_costs(np.arange(2 * pairs_of_blocks.max() + 2), self._sum_priors)
        gains = split_gains(uses, self._f, size_costs, weight_before, block_size)
        n_blocks = -(-len(gains) // block_size)
        scale = self._model.expectation_scale(self._evidence.n_tokens, n_blocks)
        return gains * (self._share / scale)

    def _fill(self, edges: Ints, width: int) -> Floats:
        n_blocks, n_priors = len(edges) - 1, len(self._model.priors)
        uses, f = self._index.in_blocks(edges), self._f
        is_common = (np.bincount(uses.root) > _COMMON_SHARE * n_blocks)[uses.root]
        costs = sum_over_pairs(uses.where(~is_common), f, (n_blocks, width))
        weight, counts = count_roots(uses.where(is_common), n_blocks)
        root_ends, root_starts = cumulative_sums(counts, width)
        ends, starts = cumulative_sums(np.diff(self._index.weight_before[edges]), width)
        for rows, columns in row_groups(costs.shape, max(n_priors, len(weight))):
            part = _size_costs(ends[rows] - starts[rows, columns], self._sum_priors)
            if len(weight):
                often = root_ends[:, rows] - root_starts[:, rows, columns]
                part -= (weight @ f.take(often).reshape(len(weight), -1)).reshape(part.shape)
            np.subtract(part, costs[rows, columns], out=costs[rows, columns])
        if self._share != 1:
            costs *= self._share
        return costs

    def between(self, first: int, end: int) -> DirichletCost:
        """Return the cost of the words that two of these sentences share."""
        return DirichletCost(self._evidence.between(first, end), self._model, self._share)

    def affordable_cells(self, block_size: int) -> int:
        """Return how many cells a table may have, by the time it takes to fill it."""
        share = self._index.n_sentences_with * block_size / len(self._evidence)  # of blocks
        # Roots that are not counted in each segment are counted in pairs, which take longer.
        counts_per_cell = np.minimum(_COUNTS_PER_PAIR * share**2, 1).sum()
        return int(min(_AFFORDABLE_CELLS, _AFFORDABLE_COUNTS / max(counts_per_cell, 1)))

    @cached_property
    def _index(self) -> RootIndex:
        return RootIndex(self._evidence)

    @cached_property
    def _f(self) -> Floats:
        """The contribution of a root that occurs 0, 1, ... times in a segment."""
        return _log_rising(self._index.highest_count, self._model.priors)

    @cached_property
    def _sum_priors(self) -> Floats:
        return max(float(self._evidence.weight.sum()), 1e-9) * np.array(self._model.priors)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what can be made again."""
        made = {name: self.__dict__[name] for name in ("_evidence", "_model", "_share", "penalty")}
        return {**made, "_kept": (), "_start_gains": None}


def _size_costs(sizes: Floats, sums: Floats) -> Floats:
    """Return log G(n + V a) - log G(V a), averaged over the priors; `sums` are the V a."""
    from scipy.special import gammaln

    costs = np.zeros(sizes.shape)
    for va in sums[sums < _STIRLING_FROM]:
        costs += gammaln(sizes + va)
    for log_gamma in _log_gamma(np.add.outer(sums[sums >= _STIRLING_FROM], sizes)):
        costs += log_gamma
    costs -= sum(gammaln(sums))
    costs /= len(sums)
    return costs


def _log_gamma(x: Floats) -> Floats:
    """Return log G(x) by Stirling's series, to 11 digits for large x."""
    y = 1 / x
    square = y * y
    series = square * (-1 / 1680)
    for coefficient in (1 / 1260, -1 / 360):
        series += coefficient
        series *= square
    series += 1 / 12
    series *= y
    series += 0.5 * np.log(2 * np.pi)
    result = np.log(x)
    result *= x - 0.5
    result -= x
    result += series
    return result


def _log_rising(highest: int, priors: Sequence[float]) -> Floats:
    """Return log G(n + a) - log G(a) for n from 0 to `highest`, averaged over the priors."""
    steps = np.add.outer(np.array(priors), np.arange(highest))
    return np.concatenate([[0.0], np.cumsum(np.log(steps).mean(axis=0))])


class LikelihoodCost(SumOfCosts):
    """How badly segments explain their words, and how unusual their lengths and starts are.

    Attributes
    ----------
    evidence
        The words of the document.
    """

    penalty: float

    def __init__(
        self, evidence: Evidence, model: CutModel = FLAT, vectors: Floats | None = None
    ) -> None:
        words, openings = DirichletCost(evidence, model), OpeningCost(evidence, model)
        costs = [words, LengthPrior(evidence, model), openings]
        super().__init__([*costs, *_vector_costs(vectors, model)])
        self.evidence = evidence
        self._model, self._vectors, self._words = model, vectors, words
        self._if_not_joined: LikelihoodCost | None = None
        self._openings, self._scale = openings, self.penalty / words.penalty

    @cached_property
    def k_model(self) -> KModel:  # type: ignore[override]
        """What is expected of the number of segments."""
        evidence, odds = self.evidence, self._openings.start_log_odds
        found = _k_model(self._scale, evidence, evidence.n_tokens, odds, self._model)
        return _expecting(
            found, self._model, evidence, self._openings.log_odds, ~evidence.is_heading
        )

    def with_cues(self, cue_odds: Floats, model: CutModel) -> LikelihoodCost:
        """Return the cost where cues are known: this one if breaks are plain, as in joined texts.

        Joined texts change where their words do, whatever their sentences begin with.
        """
        evidence, n_sentences = self.evidence, len(self.evidence)
        cost = LikelihoodCost(replace(evidence, cue_odds=cue_odds), model, self._vectors)
        cost.costs = (self._words.under(model), *cost.costs[1:])
        cost.k_model = replace(cost.k_model, margin=inf)
        blocks, margin = BlockGains(self, n_sentences), margin_of_short(n_sentences)
        openings = np.zeros(n_sentences)  # they do not make breaks plain
        found = _k_model(self._scale, evidence, evidence.n_tokens, openings, self._model)
        if replace(found, margin=margin).has_plain_breaks(blocks):
            self._if_not_joined = cost
            self.k_model = replace(self.k_model, margin=margin)
            return self
        cost.blocks = blocks
        return cost

    def adapted_to(self, own: OwnModel) -> LikelihoodCost:
        """Return the cost by a model of your own; both share the tables of the words."""
        base = self if own.joined or self._if_not_joined is None else self._if_not_joined
        model = own.applied_to(base._model)
        adapted = LikelihoodCost(base.evidence, model, base._vectors)
        adapted.costs = (base._words.under(model), *adapted.costs[1:])
        margin = base.k_model.margin if own.joined else inf
        adapted.k_model = replace(adapted.k_model, margin=margin)
        return adapted

    def between(self, first: int, end: int) -> LikelihoodCost:
        """Return the cost of some sentences, by the words that two of them share."""
        vectors = None if self._vectors is None else self._vectors[first:end]
        return LikelihoodCost(self.evidence.between(first, end), self._model.of_a_part, vectors)


class StructuredCost(SumOfCosts):
    """The same for a document with the author's breaks, which count wherever they are.

    Half of the likelihood counts each word once in a block.

    Attributes
    ----------
    evidence
        The words of the document.
    breaks
        Its breaks.
    speakers
        How much the speakers change before each sentence; None if that is not known. It says where
        parts begin, but not how many there are.
    """

    penalty: float
    k_model: KModel

    def __init__(
        self,
        evidence: Evidence,
        breaks: Breaks,
        odds: Floats,
        model: CutModel = STRUCTURED,
        vectors: Floats | None = None,
        *,
        speakers: Floats | None = None,
    ) -> None:
        once = evidence.once_per_block(breaks.block)
        n_tokens = (evidence.n_tokens + once.n_tokens) / 2
        words = [DirichletCost(evidence, model, 0.5), DirichletCost(once, model, 0.5)]
        at_breaks = BreakCost(breaks, model.openings * odds, n_tokens, model)
        placed = at_breaks
        if speakers is not None:
            with_speakers = model.openings * (odds + SPEAKER_WEIGHT * speakers)
            placed = BreakCost(breaks, with_speakers, n_tokens, model)
        costs = [*words, LengthPrior(evidence, model, n_tokens), placed]
        super().__init__([*costs, *_vector_costs(vectors, model)])
        scale = self.penalty / sum(cost.penalty for cost in words)
        found = _k_model(scale, evidence, n_tokens, at_breaks.scaled_log_odds, model)
        headed_odds = at_breaks.scaled_log_odds / model.openings
        self.k_model = _expecting(found, model, evidence, headed_odds, breaks.opens_free_block)
        if model.own is not None and not model.own.joined:
            self.k_model = replace(self.k_model, margin=inf)
        elif model.number is not None:
            self.k_model = replace(self.k_model, margin=margin_of_short(len(evidence)))
        self.evidence, self.breaks, self.speakers = evidence, breaks, speakers
        self._odds, self._model, self._vectors, self._words = odds, model, vectors, words

    def adapted_to(self, own: OwnModel) -> StructuredCost:
        """Return the cost by a model of your own; both share the tables of the words."""
        model = own.applied_to(self._model)
        adapted = self._replaced(model, self.speakers)
        adapted.costs = (*(words.under(model) for words in self._words), *adapted.costs[2:])
        return adapted

    def with_speakers(self, speakers: Floats | None) -> StructuredCost:
        """Return the cost where the speakers change by other amounts, or are not known."""
        return self._replaced(self._model, speakers)

    def _replaced(self, model: CutModel, speakers: Floats | None) -> StructuredCost:
        evidence, breaks, odds = self.evidence, self.breaks, self._odds
        return StructuredCost(evidence, breaks, odds, model, self._vectors, speakers=speakers)

    def between(self, first: int, end: int) -> StructuredCost:
        """Return the cost of some sentences, by the words that two of them share."""
        return StructuredCost(
            self.evidence.between(first, end),
            self.breaks.between(first, end),
            self._odds[first:end],
            self._model.of_a_part,
            None if self._vectors is None else self._vectors[first:end],
            speakers=None if self.speakers is None else self.speakers[first:end],
        )


def likelihood_cost(text: PreparedText, settings: Settings) -> LikelihoodCost | StructuredCost:
    """Return the cost of the segments of a document, by the settings."""
    cost = _default_cost(text, settings)
    return cost if settings.own_model is None else cost.adapted_to(settings.own_model)


def _default_cost(text: PreparedText, settings: Settings) -> LikelihoodCost | StructuredCost:
    weights = dict(settings.class_weights) if text.is_tagged else {}
    vectors = _sentence_vectors(text, settings)
    evidence = find_evidence(text, weights, FLAT, stem=settings.stem)
    breaks = None
    if settings.structure != "ignore":
        breaks = find_breaks(text.document, strict=settings.structure == "strict")
    speakers = None if breaks is None else speaker_changes(text.document, evidence.sizes)
    cues = load_cues(text.language.code)
    if cues is None:
        if breaks is None:
            return LikelihoodCost(evidence, FLAT, vectors)
        odds = break_features(text.document, evidence, breaks) @ list(BREAK_FEATURES.values())
        return StructuredCost(evidence, breaks, odds, STRUCTURED, vectors, speakers=speakers)
    uses = cues.vocabulary.find(find_first_words(text.tokens, evidence.sizes))
    if breaks is None:
        model = replace(FLAT_WITH_CUES, opening_weights=tuple(cues.lists.features.tolist()))
        n_places = int(np.count_nonzero(~evidence.is_heading[1:]))
        odds = cues.lists.cue_odds(uses, len(evidence), n_places)
        return LikelihoodCost(evidence, FLAT, vectors).with_cues(odds, model)
    features = [break_features(text.document, evidence, breaks), opening_features(evidence)]
    n_places = int(np.count_nonzero(breaks.opens_free_block[1:]))
    odds = cues.paragraphs.cue_odds(uses, len(evidence), n_places)
    odds += np.hstack(features) @ cues.paragraphs.features
    return StructuredCost(evidence, breaks, odds, STRUCTURED_WITH_CUES, vectors, speakers=speakers)


def _expecting(
    found: KModel, model: CutModel, evidence: Evidence, log_odds: Floats, may_start: Bools
) -> KModel:
    """Return the model with the number of parts to expect, by the odds of where one may begin."""
    if model.number is None:
        return found
    n_openings = float((1 / (1 + np.exp(-log_odds[1:][may_start[1:]]))).sum())
    expected = model.number.expected(len(evidence), int(evidence.sizes.sum()), n_openings)
    openings = found.openings * (found.temperature(expected) / found.temperature(model.parts.usual))
    return replace(found, openings=openings, expected=expected, log_odds_of_openings=log_odds)


def _k_model(
    scale: float, evidence: Evidence, n_tokens: float, odds: Floats, model: CutModel
) -> KModel:
    temperature = partial(model.expectation_scale, n_tokens)
    openings = temperature(model.parts.usual) * odds
    found = KModel(n_tokens, len(evidence.weight), openings, model.parts, temperature, scale)
    if model.own is None:
        return found
    return replace(found, times_as_many=model.own.times_as_many(int(evidence.sizes.sum())))


def _vector_costs(vectors: Floats | None, model: CutModel) -> list[SegmentCost]:
    return [] if vectors is None else [VectorCost(vectors, model.vectors)]


def _sentence_vectors(text: PreparedText, settings: Settings) -> Floats | None:
    if settings.embeddings is None:
        return None
    if settings.embedding_unit == "sentences":
        return embed(settings.embeddings, text.document.sentences)
    words = text.words
    sentence = text.tokens.sentence[words.token]
    n_sentences = len(text.document)
    return embed_by_words(settings.embeddings, words.names, words.word, sentence, n_sentences)
