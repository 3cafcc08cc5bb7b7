"""Documents from the files of the input; what cannot be read becomes one that has failed."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import IO, TYPE_CHECKING, Any, TextIO, cast

from docbats.corpus.errors import CorpusError, Failure, too_large_failure
from docbats.corpus.storage import (
    COMPRESSED_SUFFIXES,
    BrokenFileError,
    DecompressedFile,
    is_url,
    iter_lines,
)
from docbats.errors import MissingExtraError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from docbats.corpus.source_files import SourceFile

Content = str | tuple[str, ...] | bytes
"""A text, its sentences, or the bytes of a file, which are read where they are analyzed."""

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class InputDocument:
    """A document as the input gives it.

    Attributes
    ----------
    id
        Its name; no two documents that are analyzed have the same.
    source
        The file that it comes from.
    content
        Its text or its file; None where that cannot be had.
    failure
        Why it is not to be analyzed; None where it is.
    bytes_read
        How many bytes of the input are behind it; for the progress only.
    place
        Its place in the input, from 0.
    """

    id: str
    source: str
    content: Content | None
    failure: Failure | None = None
    bytes_read: int = 0
    place: int = 0

    @property
    def size(self) -> int:
        """How many characters it has, or bytes where it is a file.

        >>> InputDocument("a", "", "four").size, InputDocument("b", "", ("four", "five")).size
        (4, 9)
        """
        if self.content is None:
            return 0
        if isinstance(self.content, tuple):
            return sum(map(len, self.content)) + max(0, len(self.content) - 1)
        return len(self.content)

    @property
    def checksum(self) -> str | None:
        """The SHA-256 of the file, or of the text in UTF-8, where newlines join sentences."""
        if self.content is None:
            return None
        content = "\n".join(self.content) if isinstance(self.content, tuple) else self.content
        data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        return hashlib.sha256(data).hexdigest()


def replace_surrogates(text: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot hold, one by one, so that offsets stay true."""
    return _SURROGATE.sub("\ufffd", text)


_CACHE_SIZE = "-16000"  # kilobytes, as SQLite writes it; with more, it looks less at the disk


def number_documents(
    documents: Iterable[InputDocument], seen: SeenIds | None = None
) -> Iterator[InputDocument]:
    """Yield documents with their places, from 0; a second one with the same id fails."""
    for place, document in enumerate(documents):
        failure = document.failure
        if failure is None and seen is not None and not seen.add(document.id):
            failure = Failure(
                "duplicate-id",
                f"an earlier document has the id {document.id!r}, too: give it another, or name "
                "another column by --id-column",
            )
        yield replace(document, place=place, failure=failure)


class SeenIds:
    """A set of ids on disk, so that a large input needs no large memory.

    It is a table without a name, which the system removes with the process, however that ends.

    Examples
    --------
    >>> seen = SeenIds()
    >>> [seen.add(name) for name in ("a", "b", "a")]
    [True, True, False]
    """

    def __init__(self) -> None:
        import sqlite3  # not loaded by the command before it is needed

        self._full = sqlite3.OperationalError
        self._table = sqlite3.connect("", isolation_level=None)
        for pragma in (f"cache_size={_CACHE_SIZE}", "journal_mode=OFF", "synchronous=OFF"):
            self._table.execute(f"PRAGMA {pragma}")
        self._table.execute("CREATE TABLE ids (id BLOB PRIMARY KEY) WITHOUT ROWID")

    def add(self, name: str) -> bool:
        """Add an id; False if it was there already."""
        key = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        try:
            added = self._table.execute("INSERT OR IGNORE INTO ids VALUES (?)", (key,))
        except self._full as error:
            msg = f"the table of ids in the temporary folder: {error}: make room there and resume"
            raise CorpusError(msg) from None
        return added.rowcount == 1

    def close(self) -> None:
        """Remove the table."""
        self._table.close()


_ROWS_AT_A_TIME = 64  # of a Parquet file; with more, more memory is held


def csv_rows(
    file: DecompressedFile, name: str, encoding: str | None, max_size: int
) -> Iterator[list[str]]:
    """Yield the rows of a CSV file, or of one with tabs; the first has the names of the columns.

    Bytes that are not text stay as lone surrogates, so that they spoil no other row.
    """
    text = io.TextIOWrapper(
        cast("IO[bytes]", file), encoding or "utf-8-sig", "surrogateescape", newline=""
    )
    csv.field_size_limit(max(csv.field_size_limit(), max_size))
    is_tsv = ".tsv" in PurePath(name.lower()).suffixes
    try:
        yield from csv.reader(_lines(text, max_size), "excel-tab" if is_tsv else "excel")
    except (csv.Error, UnicodeError) as error:
        raise BrokenFileError(str(error)) from None


def parquet_file(path: str) -> Any:
    """Open a Parquet file without reading it."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ModuleNotFoundError:
        msg = 'Parquet files need pyarrow: pip install "docbats[corpus]"'
        raise MissingExtraError(msg) from None
    try:
        return pq.ParquetFile(_local_or_remote(path), pre_buffer=False, buffer_size=1 << 20)
    except (pa.ArrowException, OSError) as error:
        raise BrokenFileError(_first_line(error)) from None


def parquet_rows(file: Any, columns: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file that is open."""
    import pyarrow as pa

    try:
        for batch in file.iter_batches(_ROWS_AT_A_TIME, columns=columns, use_threads=False):
            yield from batch.to_pylist()
    except (pa.ArrowException, OSError, UnicodeError) as error:
        raise BrokenFileError(_first_line(error)) from None


def _local_or_remote(path: str) -> Any:
    if not is_url(path):
        return path
    from docbats.corpus.storage import RemoteFile

    return RemoteFile(path)


def _lines(text: TextIO, max_size: int) -> Iterator[str]:
    while line := text.readline(max_size):
        if len(line) == max_size:
            msg = f"a line of {max_size:,} characters or more"
            raise BrokenFileError(msg)
        yield line


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


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
