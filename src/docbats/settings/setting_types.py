"""The words and functions that settings may be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

__all__ = [
    "Cut",
    "Embeddings",
    "Granularity",
    "Laplacian",
    "Ranking",
    "Sentences",
    "StructureUse",
    "Tagger",
    "Unit",
]

Cut = Literal["likelihood", "linkage"]
Granularity = Literal["coarse", "medium", "fine"]
Ranking = Literal["cores", "kmeans"]
Unit = Literal["sentences", "words", "characters"]
Laplacian = Literal["regularized", "plain", "none"]
Sentences = Literal["auto", "lines"]
StructureUse = Literal["auto", "ignore", "strict"]
Tagger = Callable[[list[str]], Sequence[str]]
"""Takes the tokens of one sentence and returns a tag for each; NN*, VB* and NOUN, PROPN, VERB count
as nouns and verbs."""
Embeddings = Callable[[list[str]], Any]
"""Takes texts and returns an array with a row, a vector, for each."""
