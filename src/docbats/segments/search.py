"""The cheapest cut: exact for short texts, from coarse to fine for long ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from docbats.segments.costs import SumOfCosts, windows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats.segments.costs import SegmentCost
    from docbats.segments.sizes import SizeLimits

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]


# In a table of costs, costs[j, l] is the segment of l + 1 blocks whose last block is j. Forbidden
# segments cost infinity. Of equal cuts, all functions return the one with the longest last segment,
# then the longest one before it, and so on.

_FORBIDDING_PENALTY = 1e12  # at which there are as few segments as possible
_TOLERANCE = 0.5  # times k: how close to k segments the two penalties must come
_CACHE_SIZE = 32_768  # numbers; with more a group of rows leaves the processor's cache
_UNIT = 2.0**-30  # sums of its multiples are exact, so that equal cuts are equal to the last bit


def cut_into_k(
    costs: Floats, k: int, last_blocks: Sequence[tuple[int, int]] | None = None
) -> list[int] | None:
    """Return the first block of each of the k cheapest segments; None if no cut is allowed.

    `last_blocks` may bound the last block of each segment, as half-open ranges.
    """
    n = len(costs)
    if last_blocks is None:
        # The segments before and after have at least one block each.
        last_blocks = [*((t, n - (k - t - 1)) for t in range(k - 1)), (n - 1, n)]
        costs = costs[:, : n - k + 1]
    width = costs.shape[1]
    flipped = _flip(costs)
    totals = np.full(n + width, np.inf)
    totals[width - 1] = 0
    before = windows(totals, width)  # the totals up to where each segment begins
    filled = slice(width - 1, width)
    choices = []
    memory = np.empty((min(n, max(1, _CACHE_SIZE // width)), width))
    for low, high in last_blocks:
        best, least = _best(before[low:high], flipped[low:high], memory)
        choices.append(best)
        totals[filled] = np.inf
        filled = slice(width + low, width + high)
        totals[filled] = least
    if not np.isfinite(totals[-1]):
        return None
    starts, end = [], n - 1
    for (low, _), best in zip(reversed(last_blocks), reversed(choices), strict=True):
        starts.append(end - (width - 1) + int(best[end - low]))
        end = starts[-1] - 1
    return starts[::-1]


def cut_with_penalty(costs: Floats, penalty: float) -> list[int] | None:
    """Return the first blocks of the cheapest segments, each with a penalty; None if none exist."""
    return _cut_flipped(_flip(costs), penalty)


def cut_into_k_approximately(costs: Floats, k: int) -> list[int] | None:
    """Return about the k cheapest segments, where `cut_into_k` would take too long.

    The higher the penalty, the fewer segments there are. Two penalties are found that give more and
    fewer segments than k; the best of their boundaries are then found exactly.
    """
    flipped = _flip(costs)
    few = _cut_flipped(flipped, _FORBIDDING_PENALTY)
    many = _cut_flipped(flipped, -_FORBIDDING_PENALTY)
    if few is None or many is None or not len(few) <= k <= len(many):
        return None
    while len(many) - len(few) > _TOLERANCE * k:
        # At this penalty both cost the same, so any better cut is between them.
        penalty = (_total(costs, few) - _total(costs, many)) / (len(many) - len(few))
        between = _cut_flipped(flipped, penalty) or few
        if not len(few) < len(between) < len(many):
            break
        if len(between) >= k:
            many = between
        if len(between) <= k:
            few = between
    starts = np.union1d(many, few)
    found = cut_into_k(_between(costs, starts, _max_between(starts, few)), k)
    return None if found is None else list(starts[found].tolist())


def _cut_flipped(flipped: Floats, penalty: float) -> list[int] | None:
    """Return the first blocks of the cheapest segments, each with a penalty."""
    n, width = flipped.shape
    penalty = round(penalty / _UNIT) * _UNIT
    totals = np.full(n + width, np.inf)
    totals[width - 1] = 0
    choice = [0] * n
    for j in range(n):
        first = max(0, width - 1 - j)  # earlier ones would begin before the text
        ways = totals[j + first : j + width] + flipped[j, first:]
        best = int(ways.argmin())
        choice[j] = first + best
        totals[width + j] = ways[best] + penalty
    if not np.isfinite(totals[-1]):
        return None
    starts, end = [], n - 1
    while end >= 0:
        starts.append(end - (width - 1) + choice[end])
        end = starts[-1] - 1
    return starts[::-1]


def _total(costs: Floats, starts: list[int]) -> float:
    """Return the total cost of the segments that begin at `starts`."""
    edges = np.array([*starts, len(costs)])
    return float(costs[edges[1:] - 1, np.diff(edges) - 1].sum())


def _between(costs: Floats, starts: Ints, width: int) -> Floats:
    """Return the costs of segments of the longer blocks that begin at `starts`."""
    ends = np.append(starts[1:], len(costs)) - 1
    padded = np.append(np.full(width - 1, -len(costs)), starts)
    lengths = ends[:, None] - windows(padded, width)[:, ::-1]
    allowed = lengths < costs.shape[1]
    return np.where(allowed, costs[ends[:, None], np.where(allowed, lengths, 0)], np.inf)


def _max_between(starts: Ints, few: list[int]) -> int:
    """Return a bit more than the most `starts` in one of few segments."""
    return 2 * int(np.diff(np.searchsorted(starts, few), append=len(starts)).max()) + 8


def least_costs(costs: Floats, k: int) -> Floats:
    """Return the least total cost of 1, 2, ... up to k segments."""
    n, width = costs.shape
    flipped = _flip(costs)
    totals = np.full(n + width, np.inf)
    totals[width - 1] = 0
    before = windows(totals, width)
    found = np.full(k, np.inf)
    memory = np.empty_like(flipped)
    for t in range(min(k, n)):
        shortest = max(0, width - (n - t))  # after t segments, the longest ones do not fit
        ways = np.add(before[t:n, shortest:], flipped[t:, shortest:], out=memory[t:, shortest:])
        least = ways.min(axis=1)
        totals[: width + t] = np.inf
        totals[width + t :] = least
        found[t] = least[-1]
    return found


def _best(before: Floats, flipped: Floats, memory: Floats) -> tuple[Ints, Floats]:
    """Return the index and the value of the least sum in each row of two tables.

    Large tables are added in parts that fit the cache, in `memory`.
    """
    rows = len(memory)
    if len(flipped) > rows:
        parts = (slice(j, j + rows) for j in range(0, len(flipped), rows))
        found = [_best(before[part], flipped[part], memory) for part in parts]
        places, sums = zip(*found, strict=True)
        return np.concatenate(places), np.concatenate(sums)
    ways = np.add(before, flipped, out=memory[: len(flipped)])
    best = ways.argmin(axis=1)
    return best, ways[np.arange(len(ways)), best]


def _flip(costs: Floats) -> Floats:
    """Put the longest segments first, in the order of their starts, and round."""
    flipped = costs[:, ::-1] * (1 / _UNIT)
    np.rint(flipped, out=flipped)
    flipped *= _UNIT
    return flipped


_GAIN_BLOCKS = 1_536  # within which boundaries are rated
_DECIMALS = 6  # by which ratings must differ, whatever the machine rounds
_FORM_FIRST = 1e6  # times the log odds, so that no rating by words outweighs them
# The shares of the places asked for that are the best of a stretch by form and by words, and that
# may be sections. The rest are the best of all by words.
_FORM_SHARE, _WORDS_SHARE, _SECTION_SHARE = 0.75, 0.25, 0.25
_NEIGHBOURS = 2  # places to either side that a peak must surpass


def allowed_edges(cost: SegmentCost, m: int, k: int) -> Ints:
    """Return the edges at which segments may begin and end; all, if there are too few for k."""
    if cost.may_start is None or np.count_nonzero(cost.may_start[1:]) < k - 1:
        return np.arange(m + 1)
    return np.concatenate([[0], 1 + np.flatnonzero(cost.may_start[1:]), [m]])


@dataclass(frozen=True, eq=False)
class StartPlaces:
    """The places at which a segment may begin, each rated twice.

    Attributes
    ----------
    edges
        The sentence at each place, and the number of sentences.
    by_form
        Higher if a segment likelier begins with the sentence by its form; of equals by the words
        around it. This is how few long segments begin.
    by_words
        Higher if the words around it and the form of the sentence suggest a boundary. This is how
        many short segments begin.
    sections
        The places at which the author's sections begin.
    """

    edges: Ints
    by_form: Floats
    by_words: Floats
    sections: Ints

    @classmethod
    def of(cls, cost: SegmentCost, edges: Ints) -> StartPlaces:
        """Rate the beginning of each block between these edges."""
        n = len(edges) - 1
        gains = cost.start_gains(edges, -(-n // _GAIN_BLOCKS))
        form = np.zeros(n) if cost.start_log_odds is None else cost.start_log_odds[edges[:-1]]
        words = form if gains is None else (form + gains).round(_DECIMALS)
        sections = np.zeros(1) if cost.section_starts is None else cost.section_starts
        places = np.minimum(np.searchsorted(edges, sections), n - 1)
        return cls(edges, _FORM_FIRST * form + words, words, places)

    def __len__(self) -> int:
        """Return the number of places."""
        return len(self.edges) - 1

    def best(self, n: int) -> Ints:
        """Return about n places: the best of each stretch of the text, and the best of all."""
        if n >= len(self):
            return np.arange(len(self))
        form = _best_of_stretches(self.by_form, int(_FORM_SHARE * n))
        words = _best_of_stretches(self.by_words, int(_WORDS_SHARE * n))
        chosen = np.zeros(len(self), np.bool_)
        chosen[0] = chosen[form] = chosen[words] = True
        if len(self.sections) <= _SECTION_SHARE * n:
            chosen[self.sections] = True
        n_left = max(0, n - np.count_nonzero(chosen))
        best = np.lexsort((-self.by_words, ~_is_peak(self.by_words), chosen))
        chosen[best[:n_left]] = True
        return np.flatnonzero(chosen)

    def best_near(self, places: Ints, reach: int, step: int) -> Ints:
        """Return the places within `reach` of each place: the best of each `step`."""
        near = np.unique(np.add.outer(places, np.arange(-reach, reach + 1, step)))
        near = near[(near > 0) & (near < len(self))]
        if step == 1:
            return near
        within = np.minimum(np.add.outer(near, np.arange(step)), len(self) - 1)
        best = self.by_words[within].argmax(axis=1)
        return np.asarray(within[np.arange(len(near)), best])


def _best_of_stretches(rating: Floats, n: int) -> Ints:
    """Return the place of the highest rating in each of up to n stretches."""
    step = -(-len(rating) // max(1, n))
    padded = np.pad(rating, (0, -len(rating) % step), constant_values=-np.inf)
    best = padded.reshape(-1, step).argmax(axis=1)
    return np.asarray(np.arange(0, len(rating), step) + best)


def _is_peak(rating: Floats) -> Bools:
    """Whether each place is rated at least as high as its neighbours."""
    padded = np.pad(rating, _NEIGHBOURS, constant_values=-np.inf)
    highest = windows(padded, 2 * _NEIGHBOURS + 1).max(axis=1)
    return np.asarray(rating >= highest)


_MAX_LENGTH_RATIO = 8  # to the mean length; longer segments are only considered if one comes near
_AFFORDABLE_CELLS = 2_000_000  # of a table; more would take seconds
_AFFORDABLE_STEPS = 1_000_000_000  # of an exact search; more would take seconds
_NEAR_BOUND = 0.75  # of the bound; if a segment is this long, others might be longer yet
_EXTRA_EFFORT = 3  # times as much is affordable if segments might be longer
_BLOCKS_PER_SEGMENT = 4  # of mean length; blocks are not coarser
_MIN_CANDIDATES = 640  # for boundaries in a long text; more take longer
_CANDIDATES_PER_SEGMENT = 8  # at least
_MAX_KEPT_CANDIDATES = 2560  # whose table is kept for other k; 21 megabytes at most
_MAX_BLOCKS_BETWEEN = 1024  # between candidates in one segment; more take longer
_FIRST_BLOCKS_BETWEEN = 256  # unless a segment comes near it; larger tables take longer to fill
_FAST_STEPS = 30_000_000  # of an exact search between candidates; more would take too long
_FINE_REACH = 16  # places to either side of a boundary that are considered last, at most
_REFINEMENT = 8  # by how much blocks shrink from one round to the next; larger: rougher


def best_starts(
    cost: SegmentCost, n_sentences: int, k: int, limits: SizeLimits | None = None
) -> list[int] | None:
    """Return the first sentence of each of the k cheapest segments.

    Up to about a thousand sentences, every cut between sentences is considered. A longer text is
    first cut at some of them only, then each boundary is moved to either side, in ever smaller
    steps. None if there are fewer than k sentences or `limits` allow no such cut.
    """
    m = n_sentences
    if k > m or (limits is not None and k < limits.fewest):
        return None
    if k == 1:
        return [0]
    longest = m - k + 1
    bound = _MAX_LENGTH_RATIO * m // k + 1
    known = [0]
    if limits is not None:
        # A grid of blocks with these boundaries has at least this cut within the limits.
        known = limits.even_starts(k)
        longest = min(longest, limits.longest)
        fits = m * longest <= _AFFORDABLE_CELLS
        bound = longest if fits else max(bound, int(np.diff(known, append=m).max()))
    bound = min(bound, longest)
    step = _first_step(cost, m, bound, _BLOCKS_PER_SEGMENT * k)
    if limits is None and step > 1:
        return _cut_between_candidates(cost, m, k)
    edges = _grid(cost, m, step, known) if limits is not None else allowed_edges(cost, m, k)
    total = cost if limits is None else SumOfCosts([cost, limits])
    starts = _cut(total, edges, bound, k)
    cells = _EXTRA_EFFORT * cost.affordable_cells(step)
    affordable = min(cells, _AFFORDABLE_STEPS // k) // len(edges) * step
    longest = min(longest, affordable)
    while bound < longest and np.diff(starts, append=m).max() > _NEAR_BOUND * bound:
        bound = min(2 * bound, longest)
        starts = _cut(total, edges, bound, k)
    return _refined(cost, total, m, starts, step)


def starts_between_blocks(cost: SegmentCost, n_sentences: int, k: int, edges: Ints) -> list[int]:
    """Return about the best cut into k segments, found between blocks and then moved.

    This is fast if the cost has kept the table of these edges.
    """
    starts = _cut_blocks(cost, edges, len(edges) - 1, k, keep=True)
    return _refined(cost, cost, n_sentences, starts, int(np.diff(edges).max()))


def starts_worth_penalty(
    cost: SegmentCost, n_sentences: int, penalty: float, limits: SizeLimits
) -> list[int]:
    """Return the best cut within the limits, into as many segments as are worth the penalty."""
    m = n_sentences
    step = _first_step(cost, m, limits.longest, 2 * _BLOCKS_PER_SEGMENT * limits.fewest)
    edges = _grid(cost, m, step, limits.even_starts(limits.fewest))
    width = _max_blocks(edges, limits.longest)
    total = SumOfCosts([cost, limits])
    while True:
        starts = _sentences(edges, cut_with_penalty(total.table(edges, width), penalty))
        if step == 1:
            return list(starts.tolist())
        reach, step = 2 * step, max(1, step // _REFINEMENT)
        edges, low, high = _near(cost, m, starts, reach, step)
        width = int((high[2:] - low[:-2]).max(initial=1))  # two segments may become one


def block_edges(cost: SegmentCost, n_sentences: int, max_blocks: int) -> Ints:
    """Return the edges of at most `max_blocks` blocks, at which segments may begin and end."""
    if cost.may_start is None:
        step = -(-n_sentences // max_blocks)
        return np.append(np.arange(0, n_sentences, step), n_sentences)
    edges = allowed_edges(cost, n_sentences, 1)
    step = -(-(len(edges) - 1) // max_blocks)
    places = np.unique([*edges[:-1:step], *_strong_starts(cost, max_blocks)])
    return np.append(places, n_sentences)


def _refined(cost: SegmentCost, total: SegmentCost, m: int, starts: Ints, step: int) -> list[int]:
    """Move each boundary to either side, in ever smaller steps; `total` includes limits."""
    while step > 1:
        reach, step = 2 * step, max(1, step // _REFINEMENT)
        edges, low, high = _near(cost, m, starts, reach, step)
        starts = _cut_within(total, edges, low, high, len(starts))
    return list(starts.tolist())


def _strong_starts(cost: SegmentCost, max_blocks: int) -> Ints:
    """Return the starts of the author's sections, at most one for each block."""
    sections = cost.section_starts
    return np.zeros(1, np.int64) if sections is None else sections[:max_blocks]


def _cut_between_candidates(cost: SegmentCost, m: int, k: int) -> list[int]:
    """Cut a long text into k segments without limits.

    The candidates for boundaries are the same for many k, so that the cost may keep their table.
    """
    places = StartPlaces.of(cost, allowed_edges(cost, m, k))
    cells, n = 2 * cost.affordable_cells(1), _MIN_CANDIDATES  # half of a table is empty
    while n * n > cells:
        n //= 2
    while n < _CANDIDATES_PER_SEGMENT * k:
        n *= 2
    edges = np.append(places.edges[places.best(n)], m)
    widest = min(len(edges) - 1, _MAX_BLOCKS_BETWEEN, max(cells // n, 4 * _CANDIDATES_PER_SEGMENT))
    width = widest if n <= _MIN_CANDIDATES else min(_FIRST_BLOCKS_BETWEEN, widest)
    starts = _cut_blocks(cost, edges, width, k, keep=n <= _MAX_KEPT_CANDIDATES)
    if width < widest and _most_blocks(edges, starts) > _NEAR_BOUND * width:
        starts = _cut_blocks(cost, edges, widest, k, keep=n <= _MAX_KEPT_CANDIDATES)
    step, reach = len(places) // n, _FINE_REACH
    if step > 1:
        finer = max(1, step // _REFINEMENT)
        starts = _move(cost, places, starts, step, finer)
        reach = min(reach, 2 * finer)
    return list(_move(cost, places, starts, reach, 1).tolist())


def _cut_blocks(cost: SegmentCost, edges: Ints, width: int, k: int, *, keep: bool) -> Ints:
    """Cut into k segments of at most `width` blocks; the cost may keep the table for other k."""
    if keep:
        cost.keep(edges, width)
    table = cost.table(edges, width, k)
    cut = cut_into_k if k * table.size <= _FAST_STEPS else cut_into_k_approximately
    return _sentences(edges, cut(table, k))


def _most_blocks(edges: Ints, starts: Ints) -> int:
    """Return the largest number of blocks in a segment."""
    return int(np.diff(np.searchsorted(edges, np.append(starts, edges[-1]))).max())


def _move(cost: SegmentCost, places: StartPlaces, starts: Ints, reach: int, step: int) -> Ints:
    """Move each start to one of the places within `reach`, so that the total cost is least."""
    n, k = len(places), len(starts)
    now = np.searchsorted(places.edges, starts)
    chosen = np.unique(np.concatenate([now, places.best_near(now[1:], reach, step), [n]]))
    low, high = _bounds(chosen, _reached(now, reach, n))
    return _cut_within(cost, places.edges[chosen], low, high, k)


def _reached(starts: Ints, reach: int, end: int) -> Ints:
    """Return the first and the last place of each boundary; both ends stay."""
    inner = [starts[1:] - reach, starts[1:] + reach]
    return np.array([np.concatenate([[0], places, [end]]) for places in inner])


def _bounds(edges: Ints, limits: Ints) -> tuple[Ints, Ints]:
    """Return the first and the last edge within the limits of each boundary of the segments."""
    low = np.searchsorted(edges, limits[0])
    high = np.searchsorted(edges, limits[1], side="right") - 1
    inside = np.arange(len(low))  # each segment before and after needs at least one block
    return np.maximum(low, inside), np.minimum(high, len(edges) - 1 - inside[::-1])


def _cut_within(cost: SegmentCost, edges: Ints, low: Ints, high: Ints, k: int) -> Ints:
    """Cut into k segments, each boundary between its first and its last allowed edge."""
    table = cost.table(edges, int((high[1:] - low[:-1]).max()), k)
    last_blocks = np.column_stack([low[1:] - 1, high[1:]])
    return _sentences(edges, cut_into_k(table, k, last_blocks.tolist()))


def _cut(cost: SegmentCost, edges: Ints, longest: int, k: int) -> Ints:
    """Cut between blocks into segments of at most `longest` sentences."""
    table = cost.table(edges, _max_blocks(edges, longest), k)
    places = len(table) - k + 1  # of each boundary
    is_affordable = k * places * min(places, table.shape[1]) <= _AFFORDABLE_STEPS
    cut = cut_into_k if is_affordable else cut_into_k_approximately
    return _sentences(edges, cut(table, k))


def _sentences(edges: Ints, blocks: list[int] | None) -> Ints:
    if blocks is None:
        msg = "no cut is within the limits, though a known one is"
        raise AssertionError(msg)
    return np.asarray(edges[blocks])


def _grid(cost: SegmentCost, m: int, step: int, known: Sequence[int]) -> Ints:
    """Return the edges of blocks of about `step` sentences, and the known starts."""
    if step == 1:
        return np.arange(m + 1)
    return np.unique([0, *_likeliest(cost, m, np.arange(0, m, step), step), *known, m])


def _likeliest(cost: SegmentCost, m: int, places: Ints, step: int) -> Ints:
    """Return the likeliest start of a segment among the `step` sentences from each place on."""
    if cost.start_log_odds is None:
        return places
    within = np.minimum(np.add.outer(places, np.arange(step)), m - 1)
    best = cost.start_log_odds[within].argmax(axis=1)
    return np.asarray(within[np.arange(len(places)), best])


def _max_blocks(edges: Ints, longest: int) -> int:
    """Return the most blocks in a segment of up to `longest` sentences, or one more."""
    ends = np.searchsorted(edges, edges + longest, side="right") - 1
    return int((ends - np.arange(len(edges))).max()) + 1


def _near(
    cost: SegmentCost, m: int, starts: Ints, reach: int, step: int
) -> tuple[Ints, Ints, Ints]:
    """Return edges up to `reach` from each start, and the first and last of them for each."""
    places = np.add.outer(starts[1:], np.arange(-reach, reach + 1, step)).ravel()
    places = _likeliest(cost, m, np.unique(np.clip(places, 1, m - 1)), step)
    edges = np.unique(np.concatenate([[0], starts, places, [m]]))
    return edges, *_bounds(edges, _reached(starts, reach, m))


def _first_step(cost: SegmentCost, m: int, longest: int, min_blocks: int) -> int:
    """Return the number of sentences in the first blocks."""
    step = 1
    while m // (2 * step) >= min_blocks and m * longest > cost.affordable_cells(step) * step**2:
        step *= 2
    return step
