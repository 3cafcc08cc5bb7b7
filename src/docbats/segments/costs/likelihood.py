"""The cost of the preset sharp: the likelihood of words, what is expected of segments, vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.segments.costs.cost import SumOfCosts
from docbats.segments.costs.dirichlet import DirichletCost
from docbats.segments.costs.expectations import LengthPrior, OpeningCost
from docbats.segments.costs.vectors import VectorCost, embed, embed_by_words
from docbats.segments.cut_model import CutModel
from docbats.segments.evidence import find_evidence

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from docbats.prepare import PreparedText
    from docbats.segments.evidence import Evidence
    from docbats.settings import Settings

    Floats = NDArray[np.float64]

__all__ = ["LikelihoodCost", "likelihood_cost"]


class LikelihoodCost(SumOfCosts):
    """How badly segments explain their words, how odd their lengths and beginnings are.

    Attributes
    ----------
    evidence
        The words of the document.
    """

    def __init__(
        self, evidence: Evidence, model: CutModel | None = None, vectors: Floats | None = None
    ) -> None:
        model = CutModel() if model is None else model
        costs = [
            DirichletCost(evidence, model.priors),
            LengthPrior(evidence, model),
            OpeningCost(evidence, model),
        ]
        if vectors is not None:
            costs.append(VectorCost(vectors, model.vectors))
        super().__init__(costs)
        self.evidence = evidence
        self._model, self._vectors = model, vectors

    def between(self, first: int, end: int) -> LikelihoodCost:
        """Return the cost of some sentences, by the words that two of them share."""
        vectors = None if self._vectors is None else self._vectors[first:end]
        return LikelihoodCost(self.evidence.between(first, end), self._model, vectors)


def likelihood_cost(text: PreparedText, settings: Settings) -> LikelihoodCost:
    """Return the cost of the segments of a document, as the settings have it."""
    model = CutModel()
    weights = dict(settings.class_weights) if text.is_tagged else {}
    evidence = find_evidence(text, weights, model, stem=settings.stem)
    return LikelihoodCost(evidence, model, _sentence_vectors(text, settings))


def _sentence_vectors(text: PreparedText, settings: Settings) -> Floats | None:
    if settings.embeddings is None:
        return None
    if settings.embedding_unit == "sentences":
        return embed(settings.embeddings, text.document.sentences)
    words = text.words
    sentence = text.tokens.sentence[words.token]
    n_sentences = len(text.document)
    return embed_by_words(settings.embeddings, words.names, words.word, sentence, n_sentences)
