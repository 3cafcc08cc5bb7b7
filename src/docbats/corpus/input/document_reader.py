"""Documents from the files of the input; what cannot be read becomes one that has failed."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from docbats.corpus.errors import Failure, too_large_failure
from docbats.corpus.input.csv_and_parquet import csv_rows, parquet_file, parquet_rows
from docbats.corpus.input.decompress import (
    COMPRESSED_SUFFIXES,
    BrokenFileError,
    DecompressedFile,
    iter_lines,
)
from docbats.corpus.input.input_document import Content, InputDocument
from docbats.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from docbats.corpus.input.source_files import SourceFile

__all__ = ["Columns", "DocumentReader"]

_MAX_JSON_BYTES = 6  # of a character, but for rare ones outside of the first plane
_MAX_TEXT_BYTES = 4  # of a character in any other text
_LINE_OVERHEAD = 1 << 16  # bytes of a line beside its text
_UNDECODED = re.compile("[\udc80-\udcff]")


@dataclass(frozen=True)
class Columns:
    """Where a record has its text and its id; without `id` that is ``id`` where there is one."""

    text: str = "text"
    id: str | None = None

    def check(self, names: Iterable[str], where: str) -> None:
        """Raise SettingsError if a table lacks a column that was asked for."""
        found = list(names)
        for option, name in (("text", self.text), ("id", self.id)):
            if name is not None and name not in found:
                msg = (
                    f"{where}: there is no column {name!r}: name one of {', '.join(found)} by "
                    f"--{option}-column"
                )
                raise SettingsError(msg)


@dataclass(frozen=True)
class DocumentReader:
    """Reads the documents of any file.

    `max_characters` is how many a document may have; of a larger one no more is held than that.
    """

    columns: Columns
    encoding: str | None = None
    max_characters: int = 10_000_000

    def read(self, sources: Iterable[SourceFile]) -> Iterator[InputDocument]:
        """Yield the documents of file after file."""
        behind = 0
        for source in sources:
            if source.problem is not None:
                failure = Failure("unreadable", f"{source.name}: {source.problem}")
                yield replace(_failed(source, failure), bytes_read=behind + source.size)
                behind += source.size
                continue
            try:
                for document in self._documents(source):
                    yield replace(document, bytes_read=behind + document.bytes_read)
            except BrokenFileError as error:
                message = f"{source.name}: cannot be read any further: {error}"
                yield replace(_failed(source, Failure("unreadable", message)), bytes_read=behind)
            behind += source.size

    def check(self, source: SourceFile) -> None:
        """Raise an error if nothing can be read from a file as asked."""
        if source.problem is not None:
            return
        try:
            if source.layout not in {"csv", "parquet"}:
                DecompressedFile(source.path).close()
                return
            names = self._column_names(source)
        except BrokenFileError:
            return  # it becomes a row
        self.columns.check(names, source.name)

    def _column_names(self, source: SourceFile) -> list[str]:
        if source.layout == "parquet":
            with parquet_file(source.path) as file:
                return list(file.schema_arrow.names)
        with DecompressedFile(source.path) as file:
            return next(
                csv_rows(file, source.path, self.encoding, self.max_characters + _LINE_OVERHEAD), []
            )

    def _documents(self, source: SourceFile) -> Iterator[InputDocument]:
        match source.layout:
            case "jsonl":
                return self._json_lines(source)
            case "csv":
                return self._csv(source)
            case "parquet":
                return self._parquet(source)
            case _:
                return iter([self._whole(source)])

    def _whole(self, source: SourceFile) -> InputDocument:
        """Read a file that is one document; its text is extracted where it is analyzed."""
        max_bytes = _MAX_TEXT_BYTES * self.max_characters
        if source.size > max_bytes and not source.path.lower().endswith(COMPRESSED_SUFFIXES):
            return _failed(source, too_large_failure(f"{source.size:,} bytes", self.max_characters))
        try:
            data = _read_whole(source.path, max_bytes)
        except BrokenFileError as error:
            return _failed(source, Failure("unreadable", f"{source.name}: cannot be read: {error}"))
        if data is None:
            return _failed(
                source, too_large_failure(f"more than {max_bytes:,} bytes", self.max_characters)
            )
        return InputDocument(source.name, source.name, data, None, source.size)

    def _json_lines(self, source: SourceFile) -> Iterator[InputDocument]:
        max_bytes = self.max_characters * _MAX_JSON_BYTES + _LINE_OVERHEAD
        number = 0
        with DecompressedFile(source.path) as file:
            for line in iter_lines(file, max_bytes):
                number += 1
                if line is None or line.strip():
                    yield self._json_document(source, number, line, file.position)

    def _json_document(
        self, source: SourceFile, number: int, line: bytes | None, bytes_read: int
    ) -> InputDocument:
        place = f"{source.name}:{number}"
        if line is None:
            failure = too_large_failure("a longer line", self.max_characters)
            return InputDocument(place, source.name, None, failure, bytes_read)
        try:
            values = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
        except UnicodeDecodeError as error:
            failure = Failure("bad-bytes", f"{place}: not UTF-8 text at byte {error.start}")
            return InputDocument(place, source.name, None, failure, bytes_read)
        except (ValueError, RecursionError) as error:
            failure = Failure("bad-record", f"{place}: not JSON: {error}")
            return InputDocument(place, source.name, None, failure, bytes_read)
        if not isinstance(values, dict):
            failure = Failure("bad-record", f"{place}: not a JSON object")
            return InputDocument(place, source.name, None, failure, bytes_read)
        return self._document_from_values(source, place, values, bytes_read)

    def _csv(self, source: SourceFile) -> Iterator[InputDocument]:
        with DecompressedFile(source.path) as file:
            rows = csv_rows(file, source.path, self.encoding, self.max_characters + _LINE_OVERHEAD)
            names = next(rows, [])
            self.columns.check(names, source.name)
            for number, row in enumerate(rows, start=1):
                place = f"{source.name}:{number}"
                if not any(row):
                    continue
                if any(map(_UNDECODED.search, row)):
                    failure = Failure("bad-bytes", f"{place}: not {self.encoding or 'UTF-8'} text")
                    yield InputDocument(place, source.name, None, failure, file.position)
                    continue
                values = dict(zip(names, row, strict=False))
                yield self._document_from_values(source, place, values, file.position)

    def _parquet(self, source: SourceFile) -> Iterator[InputDocument]:
        with parquet_file(source.path) as file:
            names = file.schema_arrow.names
            self.columns.check(names, source.name)
            id_column = self.columns.id or ("id" if "id" in names else None)
            wanted = dict.fromkeys([self.columns.text, *([id_column] if id_column else [])])
            for number, values in enumerate(parquet_rows(file, list(wanted)), start=1):
                place = f"{source.name}:{number}"
                bytes_read = source.size * number // file.metadata.num_rows
                yield self._document_from_values(source, place, values, bytes_read)

    def _document_from_values(
        self, source: SourceFile, place: str, values: Mapping[str, Any], bytes_read: int
    ) -> InputDocument:
        """Make a document of the columns of a record."""
        given = values.get(self.columns.id or "id")
        if given is None or given == "":
            if self.columns.id is not None:
                failure = Failure("bad-record", f"{place}: it has no {self.columns.id!r}")
                return InputDocument(place, source.name, None, failure, bytes_read)
            given = place
        name = given if isinstance(given, str) else _as_text(given)
        if self.columns.text not in values:
            found = ", ".join(map(repr, list(values)[:10])) or "nothing"
            failure = Failure("bad-record", f"{place}: no {self.columns.text!r} in it, but {found}")
            return InputDocument(name, source.name, None, failure, bytes_read)
        text = values[self.columns.text]
        if isinstance(text, list) and all(isinstance(sentence, str) for sentence in text):
            text = tuple(text)
        elif isinstance(text, bytes):
            try:
                text = text.decode()
            except UnicodeDecodeError as error:
                failure = Failure("bad-bytes", f"{place}: not UTF-8 text at byte {error.start}")
                return InputDocument(name, source.name, None, failure, bytes_read)
        elif not isinstance(text, str):
            kind = "nothing" if text is None else type(text).__name__
            failure = Failure("bad-record", f"{place}: {self.columns.text!r} is {kind}, not text")
            return InputDocument(name, source.name, None, failure, bytes_read)
        return self._document(name, source, text, bytes_read)

    def _document(
        self, name: str, source: SourceFile, content: Content, bytes_read: int
    ) -> InputDocument:
        document = InputDocument(name, source.name, content, None, bytes_read)
        if document.size > self.max_characters:
            failure = too_large_failure(f"{document.size:,} characters", self.max_characters)
            return replace(document, content=None, failure=failure)
        return document


def _read_whole(path: str, max_bytes: int) -> bytes | None:
    """Read a file, decompressed; None if it has more than `max_bytes` bytes."""
    pieces, size = [], 0
    with DecompressedFile(path) as file:
        while piece := file.read1():
            pieces.append(piece)
            size += len(piece)
            if size > max_bytes:
                return None
    return b"".join(pieces)


def _failed(source: SourceFile, failure: Failure) -> InputDocument:
    return InputDocument(source.name, source.name, None, failure, source.size)


def _as_text(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    except (TypeError, ValueError):
        return str(value)
