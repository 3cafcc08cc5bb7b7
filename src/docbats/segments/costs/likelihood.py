"""The cost of the preset sharp: the likelihood of words, what is expected of segments, vectors."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from docbats.segments.break_odds import BREAK_FEATURES, break_features
from docbats.segments.breaks import find_breaks
from docbats.segments.costs.break_cost import BreakCost
from docbats.segments.costs.cost import SumOfCosts
from docbats.segments.costs.dirichlet import DirichletCost
from docbats.segments.costs.expectations import LengthPrior, OpeningCost
from docbats.segments.costs.vectors import VectorCost, embed, embed_by_words
from docbats.segments.cut_model import FLAT, STRUCTURED
from docbats.segments.evidence import find_evidence
from docbats.segments.k_model import KModel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from docbats.prepare import PreparedText
    from docbats.segments.breaks import Breaks
    from docbats.segments.costs.cost import SegmentCost
    from docbats.segments.cut_model import CutModel
    from docbats.segments.evidence import Evidence
    from docbats.settings import Settings

    Floats = NDArray[np.float64]

__all__ = ["LikelihoodCost", "StructuredCost", "likelihood_cost"]


class LikelihoodCost(SumOfCosts):
    """How badly segments explain their words, how odd their lengths and beginnings are.

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
        self._model, self._vectors = model, vectors
        self._openings, self._scale = openings, self.penalty / words.penalty

    @cached_property
    def k_model(self) -> KModel:  # type: ignore[override]
        """What is expected of the number of segments."""
        evidence, odds = self.evidence, self._openings.start_log_odds
        return _k_model(self._scale, evidence, evidence.n_tokens, odds, self._model)

    def between(self, first: int, end: int) -> LikelihoodCost:
        """Return the cost of some sentences, by the words that two of them share."""
        vectors = None if self._vectors is None else self._vectors[first:end]
        return LikelihoodCost(self.evidence.between(first, end), self._model, vectors)


class StructuredCost(SumOfCosts):
    """The same for a document whose author left breaks, which count wherever they stand.

    Half of the likelihood counts each word once in a block.

    Attributes
    ----------
    evidence
        The words of the document.
    breaks
        Its breaks.
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
    ) -> None:
        once = evidence.once_per_block(breaks.block)
        n_tokens = (evidence.n_tokens + once.n_tokens) / 2
        words = [DirichletCost(evidence, model, 0.5), DirichletCost(once, model, 0.5)]
        at_breaks = BreakCost(breaks, odds, n_tokens, model)
        costs = [*words, LengthPrior(evidence, model, n_tokens), at_breaks]
        super().__init__([*costs, *_vector_costs(vectors, model)])
        scale = self.penalty / sum(cost.penalty for cost in words)
        self.k_model = _k_model(scale, evidence, n_tokens, at_breaks.scaled_log_odds, model)
        self.evidence, self.breaks = evidence, breaks
        self._odds, self._model, self._vectors = odds, model, vectors

    def between(self, first: int, end: int) -> StructuredCost:
        """Return the cost of some sentences, by the words that two of them share."""
        return StructuredCost(
            self.evidence.between(first, end),
            self.breaks.between(first, end),
            self._odds[first:end],
            self._model,
            None if self._vectors is None else self._vectors[first:end],
        )


def likelihood_cost(text: PreparedText, settings: Settings) -> LikelihoodCost | StructuredCost:
    """Return the cost of the segments of a document, as the settings have it."""
    weights = dict(settings.class_weights) if text.is_tagged else {}
    vectors = _sentence_vectors(text, settings)
    evidence = find_evidence(text, weights, FLAT, stem=settings.stem)
    breaks = None
    if settings.structure != "ignore":
        breaks = find_breaks(text.document, strict=settings.structure == "strict")
    if breaks is None:
        return LikelihoodCost(evidence, FLAT, vectors)
    features = break_features(text.document, evidence, breaks)
    odds = features @ list(BREAK_FEATURES.values())
    return StructuredCost(evidence, breaks, odds, STRUCTURED, vectors)


def _k_model(
    scale: float, evidence: Evidence, n_tokens: float, odds: Floats, model: CutModel
) -> KModel:
    temperature = partial(model.expectation_scale, n_tokens)
    openings = temperature(model.parts.usual) * odds
    return KModel(n_tokens, len(evidence.weight), openings, model.parts, temperature, scale)


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
