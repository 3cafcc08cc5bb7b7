"""One document into its topics and its segments, by biclustering (BATS).

>>> import docbats
>>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
>>> docbats.analyze(text, k=2)
<Result: segments 2, topics 2, sentences 4>
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from docbats.runtime import __version__

if TYPE_CHECKING:
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
    from docbats.fitting.fit import fit
    from docbats.naming import NamingRequest, SegmentName, SegmentToName
    from docbats.parts import Entry, Outline, ScoredWord, Segment, Sentence, Topic, Vectors
    from docbats.pipeline import BATS, PreparedText, analyze
    from docbats.result import Result
    from docbats.segments.choose_k import Choice
    from docbats.segments.costs import SegmentCost
    from docbats.segments.own_model import OwnModel
    from docbats.settings import PRESETS, Settings

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


_HOME = {
    "blocks": "Block",
    "chunks": "Chunk Chunker chunk",
    "document": "Document",
    "errors": (
        "DocbatsError EmptyDocumentError InputError MissingExtraError NoKeptWordsError ReadError "
        "SettingsError TooFewSentencesError"
    ),
    "fitting.fit": "fit",
    "naming": "NamingRequest SegmentName SegmentToName",
    "parts": "Entry Outline ScoredWord Segment Sentence Topic Vectors",
    "pipeline": "BATS PreparedText analyze",
    "result": "Result",
    "segments.choose_k": "Choice",
    "segments.costs": "SegmentCost",
    "segments.own_model": "OwnModel",
    "settings": "PRESETS Settings",
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names.split()}


def __getattr__(name: str) -> object:
    """Load a name with its module when it is first asked for: not all programs need all."""
    if name not in _MODULE_OF:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    value = globals()[name] = getattr(import_module(f"docbats.{_MODULE_OF[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
