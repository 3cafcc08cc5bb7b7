"""The options of a run: everything that decides which bytes it writes."""

from __future__ import annotations

import codecs
import hashlib
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from docbats.chunks.chunker import make_chunker
from docbats.chunks.sizes import tokenizer_file
from docbats.corpus.documents import Columns, DocumentReader
from docbats.corpus.formats import Format, get_format
from docbats.corpus.rows import DocumentAnalyzer
from docbats.errors import SettingsError
from docbats.runtime import installed_version, row_versions
from docbats.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

_SCHEMA_VERSION = 3  # of the output; it grows when a reader of the old layout would break


@dataclass(frozen=True, kw_only=True)
class CorpusOptions:
    """How to read documents, what to do with them and how to write the results.

    Attributes
    ----------
    settings
        Of the analysis.
    input_format
        What the files hold (``"text"``, ``"list"``, ``"jsonl"``, ``"csv"`` or ``"parquet"``), where
        their names do not tell.
    text_column, id_column
        Where a record has its text and its id. Without `id_column` that is ``id`` where there is
        one, else the file and the line.
    encoding
        Of text and CSV files; by default that of text is detected, and CSV is UTF-8.
    format
        Of the output: ``"jsonl"``, ``"jsonl.gz"``, ``"jsonl.zst"`` or ``"parquet"``.
    part_size
        How many documents a part of the output holds at most.
    max_characters
        The most characters that a document may have; a file may have four times as many bytes.
    top_words
        How many words a topic and a segment show.
    with_text
        Whether segments and chunks come with their text.
    reports
        Whether each document gets a page of its own.
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
            self._check_chunks()
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

    def _check_chunks(self) -> None:
        if self.reports:
            msg = "reports need an analysis: leave out reports, or chunks"
            raise SettingsError(msg)
        make_chunker(self.chunks or {})

    @property
    def output(self) -> Format:
        """The format of the output."""
        return get_format(self.format, chunks=self.chunks is not None)

    @property
    def reader(self) -> DocumentReader:
        """What reads the documents."""
        columns = Columns(self.text_column, self.id_column)
        return DocumentReader(columns, self.encoding, self.max_characters)

    @property
    def analyzer(self) -> DocumentAnalyzer:
        """What analyzes a document."""
        return DocumentAnalyzer(
            self.settings,
            self.output,
            top_words=self.top_words,
            with_text=self.with_text,
            reports=self.reports,
            encoding=self.encoding,
            max_characters=self.max_characters,
            chunker=None if self.chunks is None else make_chunker(self.chunks),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the options, and the versions that the bytes depend on, as JSON-ready values."""
        return {
            "schema": _SCHEMA_VERSION,
            "versions": {**row_versions(), **self._further_versions()},
            "format": self.format,
            "part_size": self.part_size,
            "input_format": self.input_format,
            "text_column": self.text_column,
            "id_column": self.id_column,
            "encoding": self.encoding,
            "max_characters": self.max_characters,
            "top_words": self.top_words,
            "with_text": self.with_text,
            "reports": self.reports,
            "settings": self.settings.to_dict(),
            **({} if self.chunks is None else {"chunks": _to_json(self.chunks)}),
        }

    def _further_versions(self) -> dict[str, str | None]:
        """Return the versions of what only some runs use: for tables, and to count tokens."""
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
    """Return the options of a chunker with a name in place of a function or a tokenizer.

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
