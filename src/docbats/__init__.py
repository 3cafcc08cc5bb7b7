"""One document into its topics and its segments, by biclustering (BATS).

>>> import docbats
>>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
>>> docbats.analyze(text, k=2)
<Result: segments 2, topics 2, sentences 4>
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.blocks import Block
from docbats.chunks import Chunk, Chunker, chunk
from docbats.document import Document
from docbats.errors import (
    DocbatsError,
    EmptyDocumentError,
    InputError,
    MissingExtraError,
    NoKeptWordsError,
    ReadError,
    SettingsError,
    TooFewSentencesError,
)
from docbats.parts import Entry, Outline, ScoredWord, Segment, Sentence, Topic, Vectors
from docbats.pipeline import BATS, PreparedText, analyze
from docbats.result import Result
from docbats.runtime import __version__
from docbats.segments.choose_k import Choice
from docbats.segments.costs import SegmentCost
from docbats.settings import PRESETS, Settings

if TYPE_CHECKING:
    from docbats.fitting.fit import fit
    from docbats.naming import NamingRequest, SegmentName, SegmentToName
    from docbats.segments.own_model import OwnModel

__all__ = [
    "BATS",
    "PRESETS",
    "Block",
    "Choice",
    "Chunk",
    "Chunker",
    "DocbatsError",
    "Document",
    "EmptyDocumentError",
    "Entry",
    "InputError",
    "MissingExtraError",
    "NamingRequest",
    "NoKeptWordsError",
    "Outline",
    "OwnModel",
    "PreparedText",
    "ReadError",
    "Result",
    "ScoredWord",
    "Segment",
    "SegmentCost",
    "SegmentName",
    "SegmentToName",
    "Sentence",
    "Settings",
    "SettingsError",
    "TooFewSentencesError",
    "Topic",
    "Vectors",
    "__version__",
    "analyze",
    "chunk",
    "fit",
]


def __getattr__(name: str) -> object:
    """Load what fits models of your own, or names segments, when it is asked for."""
    if name in {"NamingRequest", "SegmentName", "SegmentToName"}:
        from docbats import naming

        return getattr(naming, name)
    if name == "fit":
        from docbats.fitting.fit import fit

        return fit
    if name == "OwnModel":
        from docbats.segments.own_model import OwnModel

        return OwnModel
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
