"""Documents of many sources, and how well rules cut them."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from docbats.pipeline import prepare
from docbats.segments.choose_k import (
    NEAR,
    PLAIN,
    STRENGTH,
    BlockGains,
    boundary_evidence,
    choose_k,
    heading_starts,
    worth_penalty,
)
from docbats.segments.costs import FLAT, PARTS, STRUCTURED
from docbats.segments.dirichlet import LikelihoodCost, StructuredCost, likelihood_cost
from docbats.segments.evidence import BREAK_FEATURES, OPENING_FEATURES, break_features
from docbats.segments.search import allowed_edges, best_starts
from docbats.settings import Settings
from docbats_lab.metrics.segmentation import (
    boundary_f1,
    count_words,
    segment_lengths,
    window_errors,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from docbats.segments.choose_k import PlainRule, StrengthRule
    from docbats.segments.costs import CutModel, PartsRule, SegmentCost
    from docbats.segments.evidence import Breaks, Evidence
    from docbats_lab.documents import SegmentedDocument

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]


MAX_DOCUMENTS = 200
"""The most documents of a source, evenly spaced; more take longer and change little."""

SEVEN = ("textbook", "lectures", "wiki", "avlectures", "icsi", "openstax", "wikitext")
"""The datasets whose means are judged."""

_STRUCTURED_ONLY = (
    "aosa", "legalize-es", "mdn-translated", "peps", "pro-git", "rust-book", "standard-ebooks",
    "turing-way",
)  # fmt: skip

NATURAL = (*SEVEN, "handbook-fr", *_STRUCTURED_ONLY)
"""Sources of documents that were written, or spoken, as one."""

ARTIFICIAL = ("choi", "introductions", "news")
"""Sources of joined texts on different subjects."""

FLAT_SETS = (*SEVEN, "handbook-fr", *ARTIFICIAL)
"""The sources that are datasets of their own, without paragraphs."""

OPENING_SOURCES = (*NATURAL, "choi", "introductions")
"""The sources from which openings of segments are learned."""

_FAMILIES = {"wikitext": "wiki"}  # both are articles of Wikipedia


_KEPT_CELLS = 2_000_000  # of one cost table for every k; more take too much memory
NUMBERS = (*range(1, 13), 14, 16, 18, 20, 24, 28, 34, 40)
"""The numbers of segments that the fitted rules choose from."""
FIVE = 5
"""The most common number of parts."""


def family_of(source: str) -> str:
    """Return the name of the group of sources that are left out together."""
    return _FAMILIES.get(source, source)


@dataclass(frozen=True)
class Rules:
    """The fitted numbers of the cut and of the choice of k; by default those of docbats."""

    openings: tuple[float, ...] = tuple(OPENING_FEATURES.values())  # weights of features
    plain: PlainRule = PLAIN  # when the breaks of a text are plain: it is joined texts
    parts: PartsRule = PARTS  # how many parts a text has
    structured_gain: float = STRUCTURED.parts.gain  # for `parts.gain` where authors left breaks
    strength: StrengthRule = STRENGTH  # how likely a person is to draw a boundary

    @property
    def flat_model(self) -> CutModel:
        """The constants of the cut of a list of sentences."""
        return replace(FLAT, opening_weights=self.openings, parts=self.parts)

    @property
    def structured_model(self) -> CutModel:
        """The constants of the cut of a text whose author left breaks."""
        return replace(STRUCTURED, parts=replace(self.parts, gain=self.structured_gain))

    def to_dict(self) -> dict[str, Any]:
        """Return the rules as JSON-ready values."""
        return {
            "openings": dict(zip(OPENING_FEATURES, self.openings, strict=True)),
            "plain": asdict(self.plain),
            "parts": _without(self.parts, "usual_share"),  # which cues need
            "structured gain": self.structured_gain,
            "strength": _without(self.strength, "opening"),
        }


def _without(rule: PartsRule | StrengthRule, left_out: str) -> dict[str, float]:
    return {name: value for name, value in asdict(rule).items() if name != left_out}


class Score(NamedTuple):
    """How good a cut is; `k_error` is its surplus of segments."""

    pk: float
    wd: float
    f1: float
    k_error: float


@dataclass(frozen=True, eq=False)
class Trial:
    """A document without its headings."""

    source: str
    evidence: Evidence
    breaks: Breaks | None  # where its paragraphs begin; None for a list of sentences
    break_odds: Floats | None  # log odds that a segment begins there
    words: tuple[int, ...]  # of each sentence
    true_starts: tuple[int, ...]  # the first sentence of each true segment

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.words)

    @property
    def k(self) -> int:
        """The true number of segments."""
        return len(self.true_starts)

    @property
    def tolerance(self) -> int:
        """How many sentences off a boundary may be; with paragraphs it must be exact."""
        return 2 if self.breaks is None else 0

    def cost(self, rules: Rules) -> LikelihoodCost | StructuredCost:
        """Return the cost of segments under these rules."""
        cost: LikelihoodCost | StructuredCost
        if self.breaks is None or self.break_odds is None:
            cost = LikelihoodCost(self.evidence, rules.flat_model)
        else:
            model = rules.structured_model
            cost = StructuredCost(self.evidence, self.breaks, self.break_odds, model)
        cost.k_model = replace(cost.k_model, plain=rules.plain)
        return cost

    def score(self, starts: Sequence[int]) -> Score:
        """Compare a cut with the true one."""
        pk, wd = window_errors(self.words, self.true_starts, starts)
        true = segment_lengths(self.true_starts, len(self))
        return Score(
            pk=pk,
            wd=wd,
            f1=boundary_f1(true, segment_lengths(starts, len(self)), self.tolerance),
            k_error=len(starts) - self.k,
        )


def prepare_list(task: tuple[str, SegmentedDocument]) -> Trial:
    """Return a document of a source as a list of sentences."""
    source, document = task
    settings = Settings(language=document.language, structure="ignore")
    cost = likelihood_cost(prepare(document.sentences, settings), settings)
    return _trial(source, document, cost.evidence)


def prepare_structured(task: tuple[str, SegmentedDocument]) -> Trial | None:
    """Return a document with its paragraphs; None if docbats would treat it as a list."""
    source, document = task
    if document.text is None:
        return None
    settings = Settings(language=document.language)
    text = prepare(document.text, settings)
    cost = likelihood_cost(text, settings)
    if not isinstance(cost, StructuredCost):
        return None
    features = break_features(text.document, cost.evidence, cost.breaks)
    odds = features @ list(BREAK_FEATURES.values())
    return _trial(source, document, cost.evidence, cost.breaks, odds)


def _trial(
    source: str,
    document: SegmentedDocument,
    evidence: Evidence,
    breaks: Breaks | None = None,
    break_odds: Floats | None = None,
) -> Trial:
    lengths = [len(segment) for segment in document.segments]
    return Trial(
        source=source,
        evidence=replace(evidence, cue_odds=None),
        breaks=breaks,
        break_odds=break_odds,
        words=tuple(count_words(sentence) for sentence in document.sentences),
        true_starts=tuple((np.cumsum(lengths) - lengths).tolist()),
    )


def cutter(cost: SegmentCost, n_sentences: int) -> Callable[[int], list[int]]:
    """Return a function from k to the first sentences of the best k segments."""
    edges = np.array(allowed_edges(cost, n_sentences, 1))
    if len(edges) ** 2 <= _KEPT_CELLS:
        cost.keep(edges, len(edges))

    @cache
    def cut(k: int) -> list[int]:
        return best_starts(cost, n_sentences, min(k, n_sentences)) or [0]

    return cut


@dataclass(frozen=True, eq=False)
class Weighed:
    """A document under every number of segments."""

    source: str
    is_open: bool  # whether more than one segment is worth its penalty, and no headings decide
    n_tokens: float
    n_roots: int
    plain_k: int  # the number of segments if its breaks are plain
    saving: float  # the mean share of cost that merging two of these segments saves
    gains: Mapping[int, float]  # of the best k segments and their openings, for each of `NUMBERS`
    scores: Mapping[int, Score]  # of the cut into k; for the same numbers, five and the true one


def weigh(task: tuple[Trial, Rules]) -> Weighed:
    """Cut a document into each number of segments; of the rules only the openings matter."""
    trial, rules = task
    cost, m = trial.cost(rules), len(trial)
    blocks, model = BlockGains(cost, m), cost.k_model
    bare, opened = blocks.gains(), blocks.gains(model.openings)
    plain_k = worth_penalty(bare, model.plain_penalty, rules.plain.share).k
    is_cut = worth_penalty(bare, cost.penalty, 0.0).k > 1
    numbers = [k for k in NUMBERS if k <= blocks.max_k]
    cut = cutter(cost, m)
    return Weighed(
        source=trial.source,
        is_open=is_cut and heading_starts(cost, "medium") is None,
        n_tokens=model.n_tokens,
        n_roots=model.n_roots,
        plain_k=plain_k,
        saving=float(blocks.savings(plain_k).mean()) if plain_k > 1 else 0.0,
        gains={k: float(opened[k - 1]) for k in numbers},
        scores={k: trial.score(cut(k)) for k in sorted({*numbers, FIVE, trial.k})},
    )


@dataclass(frozen=True, eq=False)
class JudgeTask:
    """A document, the rules of other sources and of all sources, and shares to try."""

    trial: Trial
    others: Rules
    everything: Rules
    shares: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class Judged:
    """How well a document is cut by rules."""

    source: str
    found: Score  # at the number of segments found, by the rules of other sources
    by_share: Mapping[float, Score]  # the same, for each share of the mean gain to require
    found_by_all: Score  # by the rules of all sources
    true_by_all: Score  # the same, at the true number of segments
    has_plain_breaks: bool  # by the rules of other sources
    evidence: Floats  # for the strength of each boundary found; none where headings decide
    is_right: Bools  # whether there is a true boundary within two sentences of each


def judge(task: JudgeTask) -> Judged:
    """Cut a document by the rules of other sources, and by those of all."""
    trial, m = task.trial, len(task.trial)
    cost = trial.cost(task.others)
    choice, cut = choose_k(cost, m), cutter(cost, m)
    starts = cut(choice.k)
    by_share = {}
    for share in task.shares:
        plain = replace(cost.k_model.plain, share=share)
        cost.k_model = replace(cost.k_model, plain=plain)
        by_share[share] = trial.score(cut(choose_k(cost, m).k))
    by_all = trial.cost(task.everything)
    cut_by_all = cutter(by_all, m)
    rated = [] if choice.follows_headings else starts[1:]
    evidence = np.empty((0, 2))
    if rated:
        evidence = np.column_stack(boundary_evidence(cost, m, starts)[:2])
    return Judged(
        source=trial.source,
        found=trial.score(starts),
        by_share=by_share,
        found_by_all=trial.score(cut_by_all(choose_k(by_all, m).k)),
        true_by_all=trial.score(cut_by_all(trial.k)),
        has_plain_breaks=choice.has_plain_breaks,
        evidence=evidence,
        is_right=are_near(rated, trial.true_starts[1:]),
    )


def are_near(found: list[int], true: tuple[int, ...]) -> Bools:
    """Whether there is a true boundary near each boundary found."""
    distances = np.abs(np.subtract.outer(found, np.array([*true, np.inf])))
    return np.asarray(distances.min(axis=1, initial=np.inf) <= NEAR)
