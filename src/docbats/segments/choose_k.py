"""The number of segments, with its evidence, and how strong each boundary is."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import ceil, log, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.errors import InputError, SettingsError
from docbats.segments.costs import at_starts
from docbats.segments.search import block_edges, cut_into_k, least_costs, starts_between_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.segments.costs import PartsRule, SegmentCost
    from docbats.settings import Granularity, Settings

    Floats = NDArray[np.float64]
    _Numbers = tuple[int, int | None] | None  # the least and the most segments
    Ints = NDArray[np.int64]


@dataclass(frozen=True)
class PlainRule:
    """When the breaks of a text are plain, as between texts on subjects of their own.

    The breaks are plain where `gain` times the mean share of their cost that neighbours save by
    being apart, `vocabulary` times the log of distinct words per word and `length` times the log of
    words per segment, in sum, exceed `threshold`.

    Attributes
    ----------
    penalty
        What a boundary must gain, times the root of the number of words.
    share
        Of the mean gain of the boundaries, that each must gain.
    """

    gain: float = 215.0
    vocabulary: float = 5.3
    length: float = 1.5
    threshold: float = 4.6
    penalty: float = 0.15
    share: float = 0.12


PLAIN = PlainRule()


@dataclass(frozen=True, eq=False)
class KModel:
    """What to expect of the number of segments of one text.

    Attributes
    ----------
    n_tokens, n_roots
        How many words there are, and how many different ones.
    openings
        What the look of each sentence adds to the gain of a segment that begins with it, in a usual
        number of segments.
    parts, plain
        How many parts people give a text, and when its breaks are plain.
    temperature
        For each k, by what to divide costs for them to be logarithms of odds.
    scale
        How much more than the words alone other evidence, such as vectors, lets cuts gain.
    """

    n_tokens: float
    n_roots: int
    openings: Floats
    parts: PartsRule
    temperature: Callable[[int], float]
    scale: float = 1.0
    plain: PlainRule = PLAIN

    @property
    def unit(self) -> float:
        """Gains over this are the logarithms of odds."""
        return float(self.scale * max(1.0, self.n_tokens) ** self.parts.power / self.parts.gain)

    @property
    def plain_penalty(self) -> float:
        """What a boundary must gain where breaks are plain."""
        return self.scale * self.plain.penalty * sqrt(max(1.0, self.n_tokens))

    @property
    def is_book(self) -> bool:
        """Whether a text is so long that nobody would leave it in one piece."""
        return self.n_tokens > self.parts.book

    def log_odds(self, gains: Floats, factor: float) -> Floats:
        """Return for 1, 2, ... segments how well they do, but for a constant.

        `factor` says how many times as many parts as usual are wanted.
        """
        rule, k = self.parts, np.arange(1, len(gains) + 1)
        if self.is_book:
            factor *= min(rule.most, (self.n_tokens / rule.book) ** rule.growth)
        expected = rule.boundary / factor * (k - 1)
        expected = expected + rule.spread * np.log(k / (factor * rule.usual)) ** 2
        return np.asarray(gains / self.unit - expected)

    def is_plain(self, savings: Floats) -> bool:
        """Whether the breaks are plain, by the share of their cost that neighbours save."""
        if not len(savings) or self.n_tokens < 1:
            return False
        rule = self.plain
        sign = (
            rule.gain / self.scale * float(np.mean(savings))
            + rule.vocabulary * log(max(1, self.n_roots) / self.n_tokens)
            + rule.length * log(self.n_tokens / (len(savings) + 1))
        )
        return sign > rule.threshold


_MAX_BLOCKS = 256  # a longer text is cut between so many blocks of sentences; more take longer
_FEW_BLOCKS = 8  # for each segment, where few are looked for
_MAX_K = 100


class BlockGains:
    """The gains of cuts between blocks, and what neighbours save by being apart.

    Attributes
    ----------
    cost
        By which they gain.
    max_k
        The most segments that are weighed. If few are asked for, the blocks are longer and the cost
        keeps their table, so that :meth:`starts` is fast.
    """

    def __init__(self, cost: SegmentCost, n_sentences: int, max_k: int | None = None) -> None:
        self.cost = cost
        self._n_sentences = n_sentences
        max_blocks = _MAX_BLOCKS if max_k is None else _FEW_BLOCKS * max_k
        self._edges = block_edges(cost, n_sentences, max_blocks)
        n_blocks = len(self._edges) - 1
        if max_k is not None:
            cost.keep(self._edges, n_blocks)
        self._costs = cost.table(self._edges, n_blocks)
        self.max_k = min(n_blocks, max_k or _MAX_K, ceil(2.5 * sqrt(n_sentences)))

    def gains(self, openings: Floats | None = None) -> Floats:
        """Return how much less the best 1, 2, ... segments cost than one segment does.

        `openings` may say for each sentence how much less a segment costs that begins with it.
        """
        costs = self._costs
        if openings is not None:
            n_blocks = len(costs)
            at_edges = np.append(0.0, openings[self._edges[1:-1]])
            before = np.zeros(n_blocks - 1)
            costs = costs - at_starts(np.concatenate([before, at_edges, [0]]), n_blocks)
        totals = least_costs(costs, self.max_k)
        return np.asarray((totals[0] - totals).round(6))

    def starts(self, k: int) -> list[int]:
        """Return the first sentence of each of about the best k segments."""
        return starts_between_blocks(self.cost, self._n_sentences, k, self._edges)

    def savings(self, k: int) -> Floats:
        """Return what share of their cost neighbours among the best k segments save."""
        starts = cut_into_k(self._costs, k)
        if starts is None:
            return np.empty(0)
        ends = np.append(starts[1:], len(self._costs)) - 1
        first = np.array(starts)
        own = self._costs[ends, ends - first]
        joined = self._costs[ends[1:], ends[1:] - first[:-1]]
        together = own[1:] + own[:-1]
        return np.asarray((joined - together) / np.maximum(np.abs(together), 1e-9))


_MAX_SECTIONS = 60  # of the author's that are followed; more are too many for one list
_MAX_COARSE_SECTIONS = 5  # more are gathered into parts where the segments are to be coarse
_PARTS_FACTOR = {"coarse": 0.5, "medium": 1.0, "fine": 2.0}  # of the number that is usual
_COARSER, _FINER = 2 / 3, 1.5  # times the usual number of segments at most, at least
_MIN_GAIN_SHARE = 0.15  # of the mean gain, that a boundary must gain by a cost without a model of k


@dataclass(frozen=True)
class Choice:
    """How many segments a document has, and why.

    Attributes
    ----------
    k
        The number chosen.
    runner_up
        The next best number, or None where there is no other.
    gains
        How much less the best 1, 2, ... segments cost than one segment does; for the cut by
        likelihood in logarithms of likelihoods.
    penalty
        What a boundary must gain to be worth it.
    scores
        For 1, 2, ... segments, the gain minus what so many segments must gain; k has the largest of
        those that `granularity` allows.
    confidence
        From 0 to 1, how far k stands out among the other numbers; None where it is not rated.
    has_plain_breaks
        Whether the parts are as different as texts on subjects of their own.
    follows_headings
        Whether the author's headings decided.
    n_sections
        How many sections these headings make; more than k where sections are gathered into parts.
    reason
        Why k was chosen, in a sentence or two.
    """

    k: int
    runner_up: int | None
    gains: tuple[float, ...] = field(repr=False)
    penalty: float
    scores: tuple[float, ...] = field(default=(), repr=False)
    confidence: float | None = None
    has_plain_breaks: bool = field(default=False, repr=False)
    follows_headings: bool = False
    n_sections: int | None = field(default=None, repr=False)
    reason: str = field(default="", compare=False, repr=False)

    def _repr_html_(self) -> str:
        """Show the reason and the numbers around k in a notebook."""
        from docbats.render.notebook import choice_card

        return choice_card(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the choice as JSON-ready values."""
        return {
            "k": self.k,
            "runner_up": self.runner_up,
            "confidence": None if self.confidence is None else round(self.confidence, 3),
            "reason": self.reason,
            "penalty": round(self.penalty, 6),
            "scores": [round(score, 6) for score in self.scores],
        }


def choose_k(cost: SegmentCost, n_sentences: int, granularity: Granularity = "medium") -> Choice:
    """Find how many segments the words, and what is known of people's habits, speak for.

    A text stays whole where no cut is worth its penalty. Where the breaks are plain, each is kept
    that gains its penalty and a fair share of what the others gain. Elsewhere gains are weighed
    against the number of parts that people give a text. A cost of the user's own has nothing but
    its penalty.
    """
    if cost.penalty is None:
        msg = 'k must be a whole number, got "auto": the cost of the setting cut has no penalty'
        raise SettingsError(msg)
    factor = _PARTS_FACTOR[granularity]
    sections = heading_starts(cost, granularity)
    if sections is not None:
        n = k = len(sections)
        if granularity == "coarse" and n > _MAX_COARSE_SECTIONS:
            k = round(sqrt(n))
        return Choice(k, None, (), cost.penalty / factor, follows_headings=True, n_sections=n)
    return choose_k_by_gains(BlockGains(cost, n_sentences), granularity)


def choose_k_by_gains(blocks: BlockGains, granularity: Granularity) -> Choice:
    """Do the same without the author's headings."""
    medium = _weigh(blocks)
    if granularity == "medium":
        return medium
    factor = _PARTS_FACTOR[granularity]
    return _weigh(blocks, factor, _other_numbers(medium.k, granularity))


def _weigh(blocks: BlockGains, factor: float = 1.0, allowed: _Numbers = None) -> Choice:
    """Weigh what cuts gain where `factor` times the usual number of parts is wanted."""
    penalty, model, gains = blocks.cost.penalty or 0.0, blocks.cost.k_model, blocks.gains()
    if model is None:
        return worth_penalty(gains, penalty / factor, _MIN_GAIN_SHARE, allowed)
    alone = worth_penalty(gains, penalty / factor, 0.0)
    if alone.k == 1 and not model.is_book:
        return _rated(alone, model.unit)
    penalty, share = model.plain_penalty, model.plain.share
    plain = worth_penalty(gains, penalty, share)
    # Whether breaks are plain does not depend on how many are wanted.
    if plain.k > 1 and model.is_plain(blocks.savings(plain.k)):
        wanted = worth_penalty(gains, penalty / factor, share / factor, allowed)
        return _rated(wanted, model.unit, has_plain_breaks=True)
    gains = blocks.gains(model.openings)
    scores = model.log_odds(gains, factor) * model.unit
    penalty = model.parts.boundary / factor * model.unit
    return _rated(_choice(gains, scores - scores[0], penalty, allowed), model.unit)


def _other_numbers(medium: int, granularity: Granularity) -> _Numbers:
    """Return the least and the most segments, where they are to be coarser or finer than usual."""
    if medium == 1:
        return None
    if granularity == "coarse":
        return 1, int(_COARSER * medium)
    return ceil(_FINER * medium), None


def heading_starts(cost: SegmentCost, granularity: Granularity) -> NDArray[np.int64] | None:
    """Return where the sections begin by which the author's headings divide the text.

    Where segments are to be fine, sections of the next level count, too, if there are any. None
    where headings do not divide the text, or into too many sections for one list.
    """
    levels = [cost.section_starts]
    if granularity == "fine":
        levels.insert(0, cost.subsection_starts)
    for starts in levels:
        if starts is not None and len(starts) <= _MAX_SECTIONS:
            return starts
    return None


def worth_penalty(
    gains: Floats, penalty: float, min_share: float, allowed: _Numbers = None
) -> Choice:
    """Keep boundaries that gain the penalty, and a share of what they gain on average.

    In a text of plain breaks the small ones inside its parts are not meant. `allowed` may bound the
    number of segments.
    """
    number = np.arange(len(gains))
    k = _best(gains - penalty * number)
    while k > 1:
        larger = max(penalty, min_share * float(gains[k - 1]) / (k - 1))
        fewer = _best(gains - larger * number)
        if fewer >= k:
            break
        k, penalty = fewer, larger
    return _choice(gains, gains - penalty * number, penalty, allowed)


def _choice(gains: Floats, scores: Floats, penalty: float, allowed: _Numbers) -> Choice:
    least, most = allowed or (1, None)
    least = min(least, len(scores))
    k = least - 1 + _best(scores[least - 1 : most])
    numbers = (least + i for i in np.argsort(-scores[least - 1 : most], kind="stable").tolist())
    runner_up = next((number for number in numbers if number != k), None)
    return Choice(k, runner_up, tuple(gains.tolist()), penalty, tuple(scores.round(6).tolist()))


def _rated(choice: Choice, unit: float, *, has_plain_breaks: bool = False) -> Choice:
    """Add how far k stands out; scores divided by the unit are log odds."""
    odds = np.exp((np.array(choice.scores) - max(choice.scores)) / unit)
    confidence = float(odds[choice.k - 1] / odds.sum())
    return replace(choice, confidence=confidence, has_plain_breaks=has_plain_breaks)


def _best(scores: Floats) -> int:
    """Return the number of segments of the largest score, the smallest of equals."""
    return int(np.argmax(scores.round(6))) + 1


def check_boundaries(boundaries: Iterable[int], settings: Settings) -> tuple[int, ...]:
    """Return boundaries as a tuple, or refuse what is no list of offsets in ascending order."""
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

    A segment begins with the sentence that holds its offset, or with the next one if the offset
    lies between two. The first segment begins with the text, whether its offset is given or not.
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


NEAR = 2  # sentences: a boundary so far from a person's is the same
_WEIGHED = 256  # sentences: in a longer text not every other place for a boundary is weighed
_PLACES = 320  # in a longer text, in all; more take longer
_MIN_PLACES, _MAX_PLACES = 12, 16  # in a segment of it


@dataclass(frozen=True)
class StrengthRule:
    """The log odds that a person has a boundary within two sentences of one.

    Attributes
    ----------
    place
        The weight of the log odds that the boundary is there and not elsewhere between its
        neighbours.
    saving
        The weight of the log of the share of their cost that its two segments save by being apart.
    constant
        What is added.
    """

    place: float
    saving: float
    constant: float


STRENGTH = StrengthRule(place=0.22, saving=0.47, constant=1.41)
"""Fitted by ``docbats lab run carry-over``."""


def boundary_strengths(
    cost: SegmentCost, n_sentences: int, starts: Sequence[int]
) -> list[float] | None:
    """Rate each boundary from 0 to 1, by how likely a person would draw it.

    By a cost that has nothing but its penalty, a boundary of 0.5 gains as much as that asks for;
    without a penalty there is nothing to compare with, and the result is None.
    """
    if cost.penalty is None:
        return None
    if len(starts) == 1:
        return []
    if cost.k_model is None:
        own, joined = _own_and_joined(cost, n_sentences, starts)
        gains = np.maximum(joined - own[1:] - own[:-1], 0)
        return list((gains / np.maximum(gains + cost.penalty, 1e-300)).tolist())
    place, saving = boundary_evidence(cost, n_sentences, starts)
    log_odds = STRENGTH.place * place + STRENGTH.saving * saving + STRENGTH.constant
    return list((1 / (1 + np.exp(-log_odds))).tolist())


def boundary_evidence(
    cost: SegmentCost, n_sentences: int, starts: Sequence[int]
) -> tuple[Floats, Floats]:
    """Return for each boundary the log odds of its place, and the log of what it saves."""
    if cost.k_model is None:
        msg = "the cost has no model of k"
        raise ValueError(msg)
    own, joined = _own_and_joined(cost, n_sentences, starts)
    together = own[1:] + own[:-1]
    saving = np.log(np.maximum((joined - together) / np.maximum(np.abs(together), 1e-9), 1e-3))
    near = _shares_near(cost, n_sentences, np.array(starts), cost.k_model.temperature(len(starts)))
    near = near.clip(1e-4, 1 - 1e-4)
    return np.log(near / (1 - near)), saving


def _own_and_joined(
    cost: SegmentCost, n_sentences: int, starts: Sequence[int]
) -> tuple[Floats, Floats]:
    """Return what each segment costs, and what each but the first does with the one before it."""
    costs = cost.table(np.append(starts, n_sentences), 2)
    return costs[:, 0], costs[1:, 1]


def _shares_near(cost: SegmentCost, m: int, starts: Ints, temperature: float) -> Floats:
    """Return how likely each boundary, its neighbours staying, is where it is or near."""
    edges, weight = np.arange(m + 1), np.ones(m + 1)
    if m > _WEIGHED:
        odds = np.zeros(m) if cost.start_log_odds is None else cost.start_log_odds
        edges, weight = _places(odds, starts)
        if cost.may_start is not None:  # nobody draws a boundary elsewhere
            kept = np.append(cost.may_start, True)[edges]
            kept[np.searchsorted(edges, starts)] = True
            edges, weight = edges[kept], weight[kept]
    at = np.searchsorted(edges, np.append(starts, m))
    longest = int((at[2:] - at[:-2]).max())
    costs = cost.table(edges, longest, len(starts))
    shares = np.empty(len(starts) - 1)
    for i, (low, here, high) in enumerate(zip(at[:-2], at[1:-1], at[2:], strict=True)):
        place = np.arange(low + 1, high)
        total = costs[place - 1, place - 1 - low] + costs[high - 1, high - 1 - place]
        odds = weight[place] * np.exp((total.min() - total) / temperature)
        is_near = np.abs(edges[place] - edges[here]) <= NEAR
        shares[i] = odds[is_near].sum() / odds.sum()
    return shares


def _places(start_log_odds: Floats, starts: Ints) -> tuple[Ints, Floats]:
    """Return places for boundaries, and how many places like it each stands for.

    Near the boundaries that were drawn, each sentence is a place. Of each run of other sentences,
    the one that a segment begins with most likely stands for all.
    """
    m = len(start_log_odds)
    bounds = np.append(starts, m)
    near = np.add.outer(starts[1:], np.arange(-NEAR, NEAR + 2)).ravel()
    n = min(max(_PLACES // len(starts), _MIN_PLACES), _MAX_PLACES)
    parts = np.linspace(bounds[:-1], bounds[1:], n, endpoint=False).astype(np.int64).ravel()
    first = np.concatenate([[0, 1], near, parts])
    first = np.unique(first[(first >= 0) & (first < m)])
    run = np.repeat(np.arange(len(first)), np.diff(np.append(first, m)))
    highest = np.maximum.reduceat(start_log_odds, first)[run]
    is_highest = np.flatnonzero(start_log_odds == highest)
    likeliest = is_highest[np.flatnonzero(np.diff(run[is_highest], prepend=-1))]
    n_alike = np.add.reduceat(np.exp(start_log_odds - highest), first)
    return np.append(likeliest, m), np.append(n_alike, 0.0)
