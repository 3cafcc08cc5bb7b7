"""A document ready to be cut, and what its true segments say of a cut."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from docbats.prepare import prepare
from docbats.segments.dirichlet import LikelihoodCost, StructuredCost, likelihood_cost
from docbats.segments.evidence import BREAK_FEATURES, break_features
from docbats.settings import Settings
from docbats_lab.metrics.boundaries import boundary_f1
from docbats_lab.metrics.window_errors import paper_window, pk, window_diff
from docbats_lab.segmentation_score import count_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats.segments.evidence import Breaks, Evidence
    from docbats_lab.carry_over.rules import Rules
    from docbats_lab.segmented_document import SegmentedDocument

    Floats = NDArray[np.float64]


class Score(NamedTuple):
    """How well a cut does; `k_error` is how many segments it has too many."""

    pk: float
    wd: float
    f1: float
    k_error: float


@dataclass(frozen=True, eq=False)
class Trial:
    """A document without its headings.

    Attributes
    ----------
    source
        Where it comes from.
    evidence
        Its words.
    breaks, break_odds
        Where its paragraphs begin, and the log odds that a segment begins there; None for a list
        of sentences.
    words
        How many words each sentence has.
    true_starts
        The first sentence of each true segment.
    """

    source: str
    evidence: Evidence
    breaks: Breaks | None
    break_odds: Floats | None
    words: tuple[int, ...]
    true_starts: tuple[int, ...]

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
        """Compare a cut with the true one; a text too short for any window has no error."""
        true = np.add.reduceat(self.words, self.true_starts).tolist()
        found = np.add.reduceat(self.words, list(starts)).tolist()
        window = paper_window(true)
        fits = window < sum(true)
        return Score(
            pk=pk(true, found, window) if fits else 0.0,
            wd=window_diff(true, found, window) if fits else 0.0,
            f1=boundary_f1(self._lengths(self.true_starts), self._lengths(starts), self.tolerance),
            k_error=len(starts) - self.k,
        )

    def _lengths(self, starts: Sequence[int]) -> list[int]:
        return list(np.diff(starts, append=len(self)).tolist())


def prepare_list(task: tuple[str, SegmentedDocument]) -> Trial:
    """Return a document of a source as a list of sentences."""
    source, document = task
    settings = Settings(language=document.language, structure="ignore")
    cost = likelihood_cost(prepare(document.sentences, settings), settings)
    return _trial(source, document, cost.evidence)


def prepare_structured(task: tuple[str, SegmentedDocument]) -> Trial | None:
    """Return a document with its paragraphs; None where docbats would take it for a list."""
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
        evidence=evidence,
        breaks=breaks,
        break_odds=break_odds,
        words=tuple(count_words(sentence) for sentence in document.sentences),
        true_starts=tuple((np.cumsum(lengths) - lengths).tolist()),
    )
