"""The options of a run: everything that determines the bytes it writes."""

from __future__ import annotations

import codecs
import hashlib
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from docbats.chunks.chunker import make_chunker
from docbats.chunks.sizes import tokenizer_file
from docbats.corpus.documents import DocumentReader
from docbats.corpus.formats import Format, get_format
from docbats.corpus.rows import DocumentAnalyzer
from docbats.errors import SettingsError
from docbats.runtime import installed_version, row_versions
from docbats.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

_PLAIN_OPTIONS = (
    "format", "part_size", "input_format", "text_column", "id_column", "encoding",
    "max_characters", "top_words", "with_text", "reports",
)  # fmt: skip
_SCHEMA_VERSION = 3  # of the output; it grows when a reader of the old layout would break


@dataclass(frozen=True, kw_only=True)
class CorpusOptions:
    """How to read documents, what to do with them and how to write the results.

    Attributes
    ----------
    settings
        Settings of the analysis.
    input_format
        What the files contain, if their names do not say: ``"text"``, ``"list"``, ``"jsonl"``,
        ``"csv"`` or ``"parquet"``.
    text_column, id_column
        Columns with the text and the id of a record. Without `id_column`, the id is in ``id`` if
        there is such a column, and otherwise the file and the line.
    encoding
        Encoding of text and CSV files; by default that of text is detected, and CSV is UTF-8.
    format
        Format of the output: ``"jsonl"``, ``"jsonl.gz"``, ``"jsonl.zst"`` or ``"parquet"``.
    part_size
        Maximum number of documents in a part of the output.
    max_characters
        Maximum number of characters of a document; a file may have four times as many bytes.
    top_words
        Number of words to write for each topic and segment.
    with_text
        Whether segments and chunks include their text.
    reports
        Whether to write a page for each document.
    chunks
        The options of a :class:`docbats.Chunker`, by their names, to cut documents into chunks
        instead of analyzing them.
    """

    settings: Settings = field(default_factory=Settings)
    input_format: str | None = None
    text_column: str = "text"
    id_column: str | None = None
    encoding: str | None = None
    format: str = "jsonl"
    part_size: int = 1000
    max_characters: int = 10_000_000
    top_words: int = 10
    with_text: bool = True
    reports: bool = False
    chunks: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.settings, Settings):
            msg = f"settings must be a docbats.Settings, got {type(self.settings).__name__}"
            raise SettingsError(msg)
        get_format(self.format)
        if self.chunks is not None:
            if self.reports:
                msg = "reports need an analysis: leave out reports, or chunks"
                raise SettingsError(msg)
            make_chunker(self.chunks)
        for name in ("part_size", "max_characters", "top_words"):
            value = getattr(self, name)
            if not isinstance(value, int) or value < 1:
                msg = f"{name} must be a whole number, at least 1, got {value!r}"
                raise SettingsError(msg)
        try:
            codecs.lookup(self.encoding or "utf-8")
        except LookupError:
            msg = f"unknown encoding {self.encoding!r}: try utf-8, latin-1 or cp1252"
            raise SettingsError(msg) from None

    @property
    def output(self) -> Format:
        """The format of the output."""
        return get_format(self.format, chunks=self.chunks is not None)

    @property
    def reader(self) -> DocumentReader:
        """What reads the documents."""
        return DocumentReader(self.text_column, self.id_column, self.encoding, self.max_characters)

    @property
    def analyzer(self) -> DocumentAnalyzer:
        """What analyzes a document."""
        return DocumentAnalyzer(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the options, and the versions that the bytes depend on, as JSON-ready values."""
        return {
            "schema": _SCHEMA_VERSION,
            "versions": {**row_versions(), **self._further_versions()},
            **{name: getattr(self, name) for name in _PLAIN_OPTIONS},
            "settings": self.settings.to_dict(),
            **({} if self.chunks is None else {"chunks": _to_json(self.chunks)}),
        }

    def _further_versions(self) -> dict[str, str | None]:
        """Return the versions of libraries that only some runs use: for tables and token counts."""
        libraries = ["pyarrow"] if self.format == "parquet" else []
        chunks = self.chunks or {}
        tokenizer = chunks.get("tokenizer")
        if chunks.get("size_unit") == "tokens" or tokenizer is not None:
            libraries += ["tiktoken", "tokenizers"]
        versions = {library: installed_version(library) for library in libraries}
        path = tokenizer_file(str(tokenizer)) if isinstance(tokenizer, str | PurePath) else None
        if path is not None:
            versions[path.name] = hashlib.sha256(path.read_bytes()).hexdigest()
        return versions


def _to_json(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a chunker, with the name of a function or a tokenizer instead of it.

    >>> _to_json({"chunk_size": 300, "size_unit": len})
    {'chunk_size': 300, 'size_unit': 'function:len'}
    """
    shown = {}
    for name, value in options.items():
        if value is None or isinstance(value, str | int):
            shown[name] = value
        elif isinstance(value, PurePath):
            shown[name] = str(value)
        else:
            known_as = getattr(value, "__qualname__", type(value).__qualname__)
            shown[name] = f"function:{known_as}" if callable(value) else f"object:{known_as}"
    return shown
