"""How many segments a document has, why, and how strong each boundary is.

:func:`choose_k` is the one place where the number is chosen; another way to choose it takes the
same arguments and returns a :class:`Choice`.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil, inf, log, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.errors import SettingsError
from docbats.runtime import DescribedLater
from docbats.segments.costs import at_starts
from docbats.segments.search import block_edges, cut_into_k, least_costs, starts_between_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from docbats.segments.costs import PartsRule, SegmentCost
    from docbats.settings import Granularity

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Choice(DescribedLater):
    """How many segments a document has, and why.

    Attributes
    ----------
    k
        The number chosen.
    runner_up
        The next best number, or None if there is no other.
    gains
        How much less the best 1, 2, ... segments cost than one segment does; for the cut by
        likelihood in logarithms of likelihoods.
    penalty
        What a boundary must gain to be worth it.
    scores
        For 1, 2, ... segments, the gain minus what that many segments must gain; k has the largest
        of those that `granularity` allows.
    confidence
        From 0 to 1, how far k stands out among the other numbers; None if it is not rated.
    has_plain_breaks
        Whether the parts are as different as texts on different subjects.
    follows_headings
        Whether the author's headings decided.
    n_sections
        How many sections these headings make; more than k if sections are gathered into parts.
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
    reason: str = field(default_factory=str, compare=False, repr=False)

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


@dataclass(frozen=True)
class PlainRule:
    """When the breaks of a text are plain, as between texts on different subjects.

    They are if the sum of three terms exceeds `threshold`: `gain` times the mean share of their
    cost that neighbours save by being apart, `vocabulary` times the log of distinct words per word,
    and `length` times the log of words per segment.

    Attributes
    ----------
    penalty
        What a boundary must gain, times the root of the number of words.
    share
        The share of the mean gain of the boundaries that each must gain.
    """

    gain: float = 215.0
    vocabulary: float = 5.3
    length: float = 1.5
    threshold: float = 4.6
    penalty: float = 0.15
    share: float = 0.12


PLAIN = PlainRule()
"""Fitted by ``docbats lab run carry-over``."""

_MAX_WHOLE = 3.0  # parts to expect; a text with more is cut even where the words hardly change
_SHORT = 25  # sentences; if cues are known, a text that is not longer has no more parts than
_MAX_PARTS_OF_SHORT = 2  # this; larger: more news stories in three parts
_SENTENCES_OF_PART = 2  # beyond a short text that allow another part; larger: fewer parts
_PLAIN_MARGIN = 5.0  # larger: more news stories stay whole, and more short texts on many subjects
_MARGIN_TO = 40  # sentences; from those of a short text on, the margin shrinks to nothing


def margin_of_short(n_sentences: int) -> float:
    """Return what a short text must exceed the threshold by: it has few words to repeat."""
    share = (_MARGIN_TO - n_sentences) / (_MARGIN_TO - _SHORT)
    return _PLAIN_MARGIN * min(1.0, max(0.0, share))


@dataclass(frozen=True, eq=False)
class KModel:
    """What to expect of the number of segments of one text.

    Attributes
    ----------
    n_tokens, n_roots
        How many words there are, and how many different ones.
    openings
        For each sentence, what its form adds to the gain of a segment that begins with it, if there
        are as many segments as usual.
    parts, plain
        How many parts people divide a text into, and when its breaks are plain.
    margin
        What the evidence for plain breaks must exceed its threshold by; infinite if it is known
        that they are not plain.
    temperature
        For each k, what to divide costs by to get log odds.
    scale
        How much more cuts gain by other evidence, such as vectors, than by the words alone.
    expected
        How many parts texts of this length and with these openings have; None if that is not known,
        and the same number is usual for all but books.
    log_odds_of_openings
        For each sentence, the log odds that a segment begins with it; None if cues are not known.
    times_as_many
        How many times as many parts as usual a text of this length has, by a model of your own.
    """

    n_tokens: float
    n_roots: int
    openings: Floats
    parts: PartsRule
    temperature: Callable[[float], float]
    scale: float = 1.0
    plain: PlainRule = PLAIN
    margin: float = 0.0
    expected: float | None = None
    log_odds_of_openings: Floats | None = None
    times_as_many: float = 1.0

    @property
    def unit(self) -> float:
        """Gains divided by this are log odds."""
        return float(self.scale * max(1.0, self.n_tokens) ** self.parts.power / self.parts.gain)

    @property
    def plain_penalty(self) -> float:
        """What a boundary must gain if breaks are plain."""
        return self.scale * self.plain.penalty * sqrt(max(1.0, self.n_tokens))

    @property
    def is_book(self) -> bool:
        """Whether a text is so long that nobody would leave it in one piece."""
        return self.n_tokens > self.parts.book

    @property
    def may_stay_whole(self) -> bool:
        """Whether a text may be left in one piece if no break is worth a boundary."""
        if self.expected is None:
            return not self.is_book
        return self.expected < _MAX_WHOLE

    def most_parts(self, factor: float) -> int | None:
        """Return the most parts that a text of few sentences has; None if that is not known."""
        if self.expected is None:
            return None
        longer = max(0, len(self.openings) - _SHORT) / _SENTENCES_OF_PART
        return max(1, int(factor * (_MAX_PARTS_OF_SHORT + longer)))

    def log_odds(self, gains: Floats, factor: float) -> Floats:
        """Return how well 1, 2, ... segments do, up to a constant.

        `factor` is how many times as many parts as usual are wanted.
        """
        rule, k = self.parts, np.arange(1, len(gains) + 1)
        usual = rule.usual
        if self.expected is not None:
            usual = rule.usual_share * self.expected
        elif self.is_book:
            factor *= min(rule.most, (self.n_tokens / rule.book) ** rule.growth)
        surprise = rule.boundary / factor * (k - 1)
        surprise = surprise + rule.spread * np.log(k / (factor * usual)) ** 2
        return np.asarray(gains / self.unit - surprise)

    def is_plain(self, savings: Floats) -> bool:
        """Whether the breaks are plain, given the share of their cost that neighbours save."""
        if not len(savings) or self.n_tokens < 1:
            return False
        rule = self.plain
        evidence = (
            rule.gain / self.scale * float(np.mean(savings))
            + rule.vocabulary * log(max(1, self.n_roots) / self.n_tokens)
            + rule.length * log(self.n_tokens / (len(savings) + 1))
        )
        return evidence > rule.threshold + self.margin

    def has_plain_breaks(self, blocks: BlockGains) -> bool:
        """Whether the breaks are plain where each is kept that is worth its penalty."""
        if self.margin == inf:
            return False
        k = worth_penalty(blocks.gains(), self.plain_penalty, self.plain.share).k
        return k > 1 and self.is_plain(blocks.savings(k))


_MAX_BLOCKS = 256  # a longer text is cut between this many blocks of sentences; more take longer
_FEW_BLOCKS = 8  # for each segment, if few are looked for
_MAX_K = 100


class BlockGains:
    """The gains of cuts between blocks of sentences, and what neighbours save by being apart.

    Attributes
    ----------
    cost
        The cost of segments.
    max_k
        The most segments that are considered. If few are asked for, the blocks are longer.
    """

    def __init__(self, cost: SegmentCost, n_sentences: int, max_k: int | None = None) -> None:
        self.cost = cost
        self._n_sentences = n_sentences
        max_blocks = _MAX_BLOCKS if max_k is None else _FEW_BLOCKS * max_k
        self._edges = block_edges(cost, n_sentences, max_blocks)
        n_blocks = len(self._edges) - 1
        cost.keep(self._edges, n_blocks)
        self._costs = cost.table(self._edges, n_blocks)
        self.max_k = min(n_blocks, max_k or _MAX_K, ceil(2.5 * sqrt(n_sentences)))

    def gains(self, openings: Floats | None = None) -> Floats:
        """Return how much less the best 1, 2, ... segments cost than one segment does.

        `openings` is how much less a segment costs that begins with each sentence.
        """
        if openings is None:
            return self._bare_gains
        n_blocks = len(self._costs)
        at_edges = np.append(0.0, openings[self._edges[1:-1]])
        before = np.zeros(n_blocks - 1)
        added = at_starts(np.concatenate([before, at_edges, [0]]), n_blocks)
        return self._gains_of(self._costs - added)

    @cached_property
    def _bare_gains(self) -> Floats:
        return self._gains_of(self._costs)

    def _gains_of(self, costs: Floats) -> Floats:
        totals = least_costs(costs, self.max_k)
        return np.asarray((totals[0] - totals).round(6))

    def under(self, cost: SegmentCost) -> BlockGains:
        """Return the same for a cost with the same words and other expectations."""
        found = copy.copy(self)
        found.cost = cost
        return found

    def starts(self, k: int) -> list[int]:
        """Return the first sentence of each of about the best k segments."""
        return starts_between_blocks(self.cost, self._n_sentences, k, self._edges)

    def savings(self, k: int) -> Floats:
        """Return the share of their cost that neighbours among the best k segments save."""
        starts = cut_into_k(self._costs, k)
        if starts is None:
            return np.empty(0)
        ends = np.append(starts[1:], len(self._costs)) - 1
        first = np.array(starts)
        return _savings(
            self._costs[ends, ends - first], self._costs[ends[1:], ends[1:] - first[:-1]]
        )


def _savings(costs: Floats, joined: Floats) -> Floats:
    """Return the share of their cost that neighbours save by being apart.

    `joined` is the cost of each segment but the first merged with its predecessor.
    """
    apart = costs[1:] + costs[:-1]
    return np.asarray((joined - apart) / np.maximum(np.abs(apart), 1e-9))


_MAX_SECTIONS = 60  # of the author's that are followed; more are too many for one list
_MAX_COARSE_SECTIONS = 5  # more are gathered into parts if segments are to be coarse
_PARTS_FACTOR = {"coarse": 0.5, "medium": 1.0, "fine": 2.0}  # times the usual number of parts
_COARSER, _FINER = 2 / 3, 1.5  # times the usual number of segments at most, at least
_MIN_GAIN_SHARE = 0.15  # of the mean gain, that a boundary must gain by a cost without a model of k


def choose_k(cost: SegmentCost, n_sentences: int, granularity: Granularity = "medium") -> Choice:
    """Choose the number of segments by the author's headings, or else by what cuts gain.

    A text stays whole if no cut is worth its penalty. If its breaks are plain, each is kept that
    gains its penalty and a fair share of what the others gain. Otherwise gains are weighed against
    the number of parts that people divide a text into. A custom cost has only its penalty.
    """
    if cost.penalty is None:
        msg = 'k must be a whole number, got "auto": the cost of the setting cut has no penalty'
        raise SettingsError(msg)
    sections = heading_starts(cost, granularity)
    if sections is None:
        blocks = cost.blocks.under(cost) if cost.blocks else BlockGains(cost, n_sentences)
        return choose_k_by_gains(blocks, granularity)
    n = k = len(sections)
    if granularity == "coarse" and n > _MAX_COARSE_SECTIONS:
        k = round(sqrt(n))
    penalty = cost.penalty / _PARTS_FACTOR[granularity]
    return Choice(k, None, (), penalty, follows_headings=True, n_sections=n)


def heading_starts(cost: SegmentCost, granularity: Granularity) -> Ints | None:
    """Return the sentences at which the sections begin that the author's headings make.

    If segments are to be fine, sections of the next level count, too. None if headings do not
    divide the text, or if they make too many sections for one list.
    """
    levels = [cost.section_starts]
    if granularity == "fine":
        levels.insert(0, cost.subsection_starts)
    for starts in levels:
        if starts is not None and len(starts) <= _MAX_SECTIONS:
            return starts
    return None


def choose_k_by_gains(blocks: BlockGains, granularity: Granularity) -> Choice:
    """Choose the number of segments by what cuts gain."""
    scores = _score(blocks, _PARTS_FACTOR[granularity])
    if granularity == "medium" or scores.is_whole:
        return scores.choice()
    usual = _score(blocks).k
    if usual == 1:
        return scores.choice()
    if granularity == "coarse":
        return scores.choice(most=int(_COARSER * usual))
    return scores.choice(least=ceil(_FINER * usual))


@dataclass(frozen=True, eq=False)
class KScores:
    """How well 1, 2, ... segments do.

    Attributes
    ----------
    gains, penalty, scores, has_plain_breaks
        As in :class:`Choice`.
    unit
        Scores divided by this are log odds; None if that is not known.
    is_whole
        Whether the text stays in one piece, whatever number is wanted.
    by_words
        What the words alone gain, if the penalty follows from the number: it is then between what
        the last boundary gains and what another one would.
    """

    gains: Floats
    scores: Floats
    penalty: float
    unit: float | None = None
    has_plain_breaks: bool = False
    is_whole: bool = False
    by_words: Floats | None = None

    @property
    def k(self) -> int:
        """The number of the largest score, the smallest of equals."""
        return int(np.argmax(self.scores.round(6))) + 1

    def choice(self, least: int = 1, most: int | None = None) -> Choice:
        """Choose the best number from `least` to `most`."""
        least = min(least, len(self.scores))
        allowed = self.scores[least - 1 : most]
        k = least + int(np.argmax(allowed.round(6)))
        numbers = (least + i for i in np.argsort(-allowed, kind="stable").tolist())
        scores = self.scores.round(6)
        confidence = None
        if self.unit is not None:
            odds = np.exp((scores - scores.max()) / self.unit)
            confidence = float(odds[k - 1] / odds.sum())
        return Choice(
            k=k,
            runner_up=next((number for number in numbers if number != k), None),
            gains=tuple(self.gains.tolist()),
            penalty=self._penalty_of(k),
            scores=tuple(scores.tolist()),
            confidence=confidence,
            has_plain_breaks=self.has_plain_breaks,
        )

    def _penalty_of(self, k: int) -> float:
        if self.by_words is None or k == 1:
            return self.penalty
        return max(0.0, float(np.diff(self.by_words)[k - 2 : k].mean()))


def _score(blocks: BlockGains, factor: float = 1.0) -> KScores:
    """Score each number of segments if `factor` times as many parts as usual are wanted."""
    penalty, model, gains = blocks.cost.penalty or 0.0, blocks.cost.k_model, blocks.gains()
    if model is None:
        return worth_penalty(gains, penalty / factor, _MIN_GAIN_SHARE)
    wanted = factor * model.times_as_many
    alone = worth_penalty(gains, penalty / wanted, 0.0)
    gains_nothing = gains.max(initial=0.0) <= 0
    if alone.k == 1 and (model.may_stay_whole or gains_nothing):
        return replace(alone, unit=model.unit, is_whole=True)
    # Whether breaks are plain does not depend on how many are wanted.
    if model.has_plain_breaks(blocks):
        penalty, share = model.plain_penalty / factor, model.plain.share / factor
        return replace(worth_penalty(gains, penalty, share), unit=model.unit, has_plain_breaks=True)
    by_words = None if model.expected is None else gains
    gains = blocks.gains(model.openings)[: model.most_parts(wanted)]
    scores = model.log_odds(gains, wanted) * model.unit
    if by_words is None:
        penalty = model.parts.boundary / wanted * model.unit
    return KScores(gains, scores - scores[0], penalty, model.unit, by_words=by_words)


def worth_penalty(gains: Floats, penalty: float, min_share: float) -> KScores:
    """Score numbers of segments by a penalty that each boundary must gain.

    It must gain a share of what boundaries gain on average, too: small breaks inside the parts of
    a text with plain breaks are not meant.
    """
    number = np.arange(len(gains))
    found = KScores(gains, gains - penalty * number, penalty)
    while found.k > 1:
        penalty = max(found.penalty, min_share * float(gains[found.k - 1]) / (found.k - 1))
        fewer = KScores(gains, gains - penalty * number, penalty)
        if fewer.k >= found.k:
            break
        found = fewer
    return found


NEAR = 2
"""Sentences: a boundary at most this far from a person's counts as the same."""

_MAX_WEIGHED = 256  # sentences; in a longer text not every other place for a boundary is weighed
_N_PLACES = 320  # in a longer text, in all; more take longer
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
        The constant term.
    opening
        The weight of the log odds that a segment begins with its first sentence.
    """

    place: float
    saving: float
    constant: float
    opening: float = 0.0


STRENGTH = StrengthRule(place=0.22, saving=0.47, constant=1.41)
"""Fitted by ``docbats lab run carry-over``, where cues are not known."""

STRENGTH_WITH_CUES = StrengthRule(place=0.07, saving=0.03, constant=0.36, opening=0.33)
"""Fitted by ``docbats lab run cues``."""


_HEADED = 3.0  # log odds at least, where the author's own section begins


def boundary_strengths(
    cost: SegmentCost, n_sentences: int, starts: Sequence[int]
) -> list[float] | None:
    """Rate each boundary from 0 to 1, by how likely a person is to draw it.

    With a cost that has only a penalty, a boundary of 0.5 gains just that; without a penalty there
    is nothing to compare with, and the result is None.
    """
    if cost.penalty is None:
        return None
    if len(starts) == 1:
        return []
    if cost.k_model is None:
        costs, joined = _costs_and_joined(cost, n_sentences, starts)
        gains = np.maximum(joined - costs[1:] - costs[:-1], 0)
        return list((gains / np.maximum(gains + cost.penalty, 1e-300)).tolist())
    place, saving, opening = boundary_evidence(cost, n_sentences, starts)
    rule = STRENGTH if cost.k_model.expected is None else STRENGTH_WITH_CUES
    log_odds = rule.place * place + rule.saving * saving + rule.opening * opening + rule.constant
    for headed in (cost.section_starts, cost.subsection_starts):
        if headed is not None:
            log_odds[np.isin(starts[1:], headed) & (log_odds < _HEADED)] = _HEADED
    return list((1 / (1 + np.exp(-log_odds))).tolist())


def boundary_evidence(
    cost: SegmentCost, n_sentences: int, starts: Sequence[int]
) -> tuple[Floats, Floats, Floats]:
    """Return the evidence for each boundary.

    Returns
    -------
    place, saving, opening
        The log odds of its place, the log of what it saves, and the log odds that a segment begins
        there, by the sentence itself.
    """
    if cost.k_model is None:
        msg = "the cost has no model of k"
        raise ValueError(msg)
    saving = np.log(np.maximum(_savings(*_costs_and_joined(cost, n_sentences, starts)), 1e-3))
    near = _shares_near(cost, n_sentences, np.array(starts), cost.k_model.temperature(len(starts)))
    near = near.clip(1e-4, 1 - 1e-4)
    opening = cost.k_model.log_odds_of_openings
    at_boundaries = np.zeros(len(saving)) if opening is None else opening[np.array(starts[1:])]
    return np.log(near / (1 - near)), saving, at_boundaries


def _costs_and_joined(
    cost: SegmentCost, n_sentences: int, starts: Sequence[int]
) -> tuple[Floats, Floats]:
    """Return each segment's cost, and the cost of each but the first merged with the one before."""
    costs = cost.table(np.append(starts, n_sentences), 2)
    return costs[:, 0], costs[1:, 1]


def _shares_near(cost: SegmentCost, m: int, starts: Ints, temperature: float) -> Floats:
    """Return how likely each boundary is where it is or near, if its neighbours stay."""
    edges, weight = np.arange(m + 1), np.ones(m + 1)
    if m > _MAX_WEIGHED:
        odds = np.zeros(m) if cost.start_log_odds is None else cost.start_log_odds
        edges, weight = _places(odds, starts)
        if cost.may_start is not None:  # nobody draws a boundary elsewhere
            kept = np.append(cost.may_start, True)[edges]
            kept[np.searchsorted(edges, starts)] = True
            edges, weight = edges[kept], weight[kept]
    bounds = np.searchsorted(edges, np.append(starts, m))
    longest = int((bounds[2:] - bounds[:-2]).max())
    costs = cost.table(edges, longest, len(starts))
    shares = np.empty(len(starts) - 1)
    for i, (low, here, high) in enumerate(zip(bounds[:-2], bounds[1:-1], bounds[2:], strict=True)):
        place = np.arange(low + 1, high)
        total = costs[place - 1, place - 1 - low] + costs[high - 1, high - 1 - place]
        odds = weight[place] * np.exp((total.min() - total) / temperature)
        is_near = np.abs(edges[place] - edges[here]) <= NEAR
        shares[i] = odds[is_near].sum() / odds.sum()
    return shares


def _places(start_log_odds: Floats, starts: Ints) -> tuple[Ints, Floats]:
    """Return places for boundaries, and how many similar places each represents.

    Near the given boundaries, each sentence is a place. The likeliest start in each run of other
    sentences represents the run.
    """
    m = len(start_log_odds)
    bounds = np.append(starts, m)
    near = np.add.outer(starts[1:], np.arange(-NEAR, NEAR + 2)).ravel()
    n = min(max(_N_PLACES // len(starts), _MIN_PLACES), _MAX_PLACES)
    runs = np.linspace(bounds[:-1], bounds[1:], n, endpoint=False).astype(np.int64).ravel()
    first = np.concatenate([[0, 1], near, runs])
    first = np.unique(first[(first >= 0) & (first < m)])
    run = np.repeat(np.arange(len(first)), np.diff(np.append(first, m)))
    highest = np.maximum.reduceat(start_log_odds, first)[run]
    is_highest = np.flatnonzero(start_log_odds == highest)
    likeliest = is_highest[np.flatnonzero(np.diff(run[is_highest], prepend=-1))]
    n_alike = np.add.reduceat(np.exp(start_log_odds - highest), first)
    return np.append(likeliest, m), np.append(n_alike, 0.0)
