"""The documents in the files of the input; what cannot be read becomes one that has failed."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import PurePath
from typing import IO, TYPE_CHECKING, Any, cast

from docbats.corpus.errors import CorpusError, Failure, too_large_failure
from docbats.corpus.storage import (
    COMPRESSED_SUFFIXES,
    BrokenFileError,
    DecompressedFile,
    RemoteFile,
    is_url,
    iter_lines,
)
from docbats.errors import MissingExtraError, SettingsError
from docbats.runtime import UNPACKED_RATIO

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from docbats.corpus.source_files import SourceFile

Content = str | tuple[str, ...] | bytes
"""A text, its sentences, or the bytes of a file, which are read by the process that analyzes it."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_UNDECODED = re.compile("[\udc80-\udcff]")

_CACHE_SIZE = "-16000"  # kilobytes, as SQLite writes it; with more, it reads less from the disk
_MAX_CHECKED_FILES = 20  # of which at least one must have the columns
_MAX_NAMES = 50  # of columns, in a message
_ROWS_AT_A_TIME = 64  # of a Parquet file; with more, more memory is held
_BYTES_AT_A_TIME = 32 << 20  # that these rows may have
_ALWAYS_ALLOWED_BYTES = 16 << 20  # that a column may unpack to, however small it is packed
_MAX_JSON_BYTES = 6  # of a character, except for rare ones outside the first plane
_MAX_TEXT_BYTES = 4  # of a character in any other text
_LINE_OVERHEAD = 1 << 16  # bytes of a line in addition to its text


@dataclass(frozen=True)
class InputDocument:
    """A document of the input: its text or its file, or why it is not to be analyzed."""

    id: str  # unique among the documents that are analyzed
    source: str  # the file that it comes from
    content: Content | None  # None if it cannot be read
    failure: Failure | None = None
    bytes_read: int = 0  # of the input, with this document; only for the progress
    place: int = 0  # its index in the input

    @property
    def size(self) -> int:
        """Its number of characters, or of bytes if it is a file.

        >>> InputDocument("a", "", "four").size, InputDocument("b", "", ("four", "five")).size
        (4, 9)
        """
        if isinstance(self.content, tuple):
            return sum(map(len, self.content)) + max(0, len(self.content) - 1)
        return len(self.content or "")

    @property
    def checksum(self) -> str | None:
        """The SHA-256 of the file, or of the text in UTF-8 with sentences joined by newlines."""
        if self.content is None:
            return None
        content = "\n".join(self.content) if isinstance(self.content, tuple) else self.content
        data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        return hashlib.sha256(data).hexdigest()


def replace_surrogates(text: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot encode, one by one: offsets stay the same."""
    return _SURROGATE.sub("\ufffd", text)


def replace_surrogates_within(value: Any) -> Any:
    """Replace lone surrogates in nested values."""
    match value:
        case str():
            return replace_surrogates(value)
        case list():
            return list(map(replace_surrogates_within, value))
        case dict():
            return {name: replace_surrogates_within(item) for name, item in value.items()}
        case _:
            return value


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
    """A set of ids on disk, so that a large input needs little memory.

    It is an unnamed table, which the system removes with the process, however that ends.

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
        """Add an id; return whether it is new."""
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


@dataclass(frozen=True)
class _NotText:
    """A value of a Parquet file that is not text, and is not read."""

    kind: str


@dataclass(frozen=True)
class DocumentReader:
    """Reads the documents of any file.

    Records have their text in `text_column` and their id in `id_column`; if that is None, in
    ``id`` if there is one. Of a document with more than `max_characters`, no more is held.
    """

    text_column: str = "text"
    id_column: str | None = None
    encoding: str | None = None
    max_characters: int = 10_000_000

    def read(self, sources: Iterable[SourceFile]) -> Iterator[InputDocument]:
        """Yield the documents of one file after another."""
        before = 0
        for source in sources:
            try:
                for document in self._documents(source):
                    yield replace(document, bytes_read=before + document.bytes_read)
            except BrokenFileError as error:
                message = f"{source.name}: cannot be read any further: {error}"
                yield replace(_failed(source, Failure("unreadable", message)), bytes_read=before)
            except SettingsError as error:  # it lacks a column
                yield replace(_failed(source, Failure("bad-record", str(error))), bytes_read=before)
            before += source.size

    def check(self, sources: Iterable[SourceFile]) -> None:
        """Raise an error if nothing can be read from the first files with these options."""
        first: SettingsError | None = None
        for source in islice(sources, _MAX_CHECKED_FILES):
            try:
                self._check_file(source)
            except SettingsError as error:
                first = first or error
            else:
                return
        if first is not None:
            raise first

    def _check_file(self, source: SourceFile) -> None:
        if source.problem is not None:
            return
        try:
            match source.layout:
                case "parquet":
                    with _open_parquet(source.path) as file:
                        self._check_columns(file.schema_arrow.names, source)
                case "csv":
                    with DecompressedFile(source.path) as file:
                        self._check_columns(_column_names(self._csv_rows(file, source)), source)
                case _:
                    DecompressedFile(source.path).close()
        except BrokenFileError:
            return  # it becomes a row

    def _check_columns(self, names: list[str], source: SourceFile) -> None:
        for option, name in (("text", self.text_column), ("id", self.id_column)):
            if name is not None and name not in names:
                msg = (
                    f"{source.name}: there is no column {name!r}: name one of {_listed(names)} "
                    f"by --{option}-column"
                )
                raise SettingsError(msg)

    def _documents(self, source: SourceFile) -> Iterator[InputDocument]:
        if source.problem is not None:
            failure = Failure("unreadable", f"{source.name}: {source.problem}")
            return iter([_failed(source, failure)])
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
        """Read a file that is one document; whoever analyzes it extracts its text."""
        max_bytes = _MAX_TEXT_BYTES * self.max_characters
        if source.size > max_bytes and not source.path.lower().endswith(COMPRESSED_SUFFIXES):
            return _failed(source, too_large_failure(f"{source.size:,} bytes", self.max_characters))
        try:
            data = _read_whole(source.path, max_bytes)
        except BrokenFileError as error:
            return _failed(source, Failure("unreadable", f"{source.name}: cannot be read: {error}"))
        if data is None:
            found = f"more than {max_bytes:,} bytes"
            return _failed(source, too_large_failure(found, self.max_characters))
        return InputDocument(source.name, source.name, data, None, source.size)

    def _json_lines(self, source: SourceFile) -> Iterator[InputDocument]:
        max_bytes = self.max_characters * _MAX_JSON_BYTES + _LINE_OVERHEAD
        with DecompressedFile(source.path) as file:
            for number, line in enumerate(iter_lines(file, max_bytes), start=1):
                if line is None or line.strip():
                    values = self._parse_json(line, f"{source.name}:{number}", number)
                    yield self._document(source, number, values, file.position)

    def _parse_json(self, line: bytes | None, place: str, number: int) -> dict[str, Any] | Failure:
        if line is None:
            return too_large_failure("a longer line", self.max_characters)
        try:
            values = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
        except UnicodeDecodeError as error:
            return Failure("bad-bytes", f"{place}: not UTF-8 text at byte {error.start}")
        except (ValueError, RecursionError) as error:
            return Failure("bad-record", f"{place}: not JSON: {error}")
        if not isinstance(values, dict):
            return Failure("bad-record", f"{place}: not a JSON object")
        return values

    def _csv(self, source: SourceFile) -> Iterator[InputDocument]:
        with DecompressedFile(source.path) as file:
            rows = self._csv_rows(file, source)
            names = _column_names(rows)
            self._check_columns(names, source)
            for number, row in enumerate(rows, start=1):
                if not any(row):
                    continue
                values: dict[str, str] | Failure = dict(zip(names, row, strict=False))
                if any(map(_UNDECODED.search, row)):
                    message = f"{source.name}:{number}: not {self.encoding or 'UTF-8'} text"
                    values = Failure("bad-bytes", message)
                yield self._document(source, number, values, file.position)

    def _csv_rows(self, file: DecompressedFile, source: SourceFile) -> Iterator[list[str]]:
        """Yield the rows of a file with commas or tabs; the first has the names of the columns.

        Undecodable bytes stay as lone surrogates, so that they spoil no other row.
        """
        encoding = self.encoding or "utf-8-sig"
        text = io.TextIOWrapper(cast("IO[bytes]", file), encoding, "surrogateescape", newline="")
        max_size = self.max_characters + _LINE_OVERHEAD
        csv.field_size_limit(max(csv.field_size_limit(), max_size))
        is_tsv = ".tsv" in PurePath(source.path.lower()).suffixes

        def lines() -> Iterator[str]:
            while line := text.readline(max_size):
                if len(line) == max_size:
                    msg = f"a line of {max_size:,} characters or more"
                    raise BrokenFileError(msg)
                yield line

        try:
            yield from csv.reader(lines(), "excel-tab" if is_tsv else "excel")
        except (csv.Error, UnicodeError) as error:
            raise BrokenFileError(str(error)) from None

    def _parquet(self, source: SourceFile) -> Iterator[InputDocument]:
        with _open_parquet(source.path, self.text_column) as file:
            import pyarrow as pa

            names = file.schema_arrow.names
            self._check_columns(names, source)
            id_column = self.id_column or ("id" if "id" in names else None)
            wanted = list(dict.fromkeys(filter(None, [self.text_column, id_column])))
            number = 0
            try:
                for batch in _parquet_batches(file, wanted):
                    ids = _id_values(batch.column(id_column)) if id_column else [None] * len(batch)
                    texts = batch.column(self.text_column)
                    for id_, text in zip(ids, self._parquet_texts(texts), strict=True):
                        number += 1
                        bytes_read = source.size * number // file.metadata.num_rows
                        values = text if isinstance(text, Failure) else {self.text_column: text}
                        if isinstance(values, dict) and id_column is not None:
                            values.setdefault(id_column, id_)
                        yield self._document(source, number, values, bytes_read)
            except (pa.ArrowException, OSError, ValueError) as error:
                raise BrokenFileError(_first_line(error)) from None

    def _parquet_texts(self, column: Any) -> Iterator[Any]:
        """Yield the texts of rows, or why they cannot be analyzed, before they fill the memory."""
        max_bytes = self.max_characters * _MAX_TEXT_BYTES
        if 0 <= _n_bytes(column) <= max_bytes:
            yield from column.to_pylist()
            return
        for row in range(len(column)):
            size = _n_bytes(column.slice(row, 1))
            if size > max_bytes:
                yield too_large_failure(f"{size:,} bytes", self.max_characters)
            elif size < 0:
                yield _NotText(str(column.type)) if column[row].is_valid else None
            else:
                yield column[row].as_py()

    def _document(
        self, source: SourceFile, number: int, values: Mapping[str, Any] | Failure, bytes_read: int
    ) -> InputDocument:
        """Return the document of a record, which may have failed already."""
        id_ = place = f"{source.name}:{number}"
        content: Content | Failure
        if isinstance(values, Failure):
            content = values
        else:
            content = self._content(values, place)
            given = values.get(self.id_column or "id")
            if given is not None and given != "":
                id_ = given if isinstance(given, str) else _as_text(given)
            elif self.id_column is not None:
                content = Failure("bad-record", f"{place}: it has no {self.id_column!r}")
        if isinstance(content, Failure):
            return InputDocument(id_, source.name, None, content, bytes_read)
        document = InputDocument(id_, source.name, content, None, bytes_read)
        if document.size > self.max_characters:
            failure = too_large_failure(f"{document.size:,} characters", self.max_characters)
            return replace(document, content=None, failure=failure)
        return document

    def _content(self, values: Mapping[str, Any], place: str) -> Content | Failure:
        if self.text_column not in values:
            found = ", ".join(map(repr, list(values)[:10])) or "nothing"
            return Failure("bad-record", f"{place}: no {self.text_column!r} in it, but {found}")
        text = values[self.text_column]
        if isinstance(text, str):
            return text
        if isinstance(text, list) and all(isinstance(sentence, str) for sentence in text):
            return tuple(text)
        if isinstance(text, bytes):
            try:
                return text.decode()
            except UnicodeDecodeError as error:
                return Failure("bad-bytes", f"{place}: not UTF-8 text at byte {error.start}")
        kind = "nothing" if text is None else type(text).__name__
        if isinstance(text, _NotText):
            kind = text.kind
        return Failure("bad-record", f"{place}: {self.text_column!r} is {kind}, not text")


def _listed(names: list[str]) -> str:
    rest = [f"and {len(names) - _MAX_NAMES:,} others"] if len(names) > _MAX_NAMES else []
    return ", ".join([*names[:_MAX_NAMES], *rest])


def _column_names(rows: Iterator[list[str]]) -> list[str]:
    names = next(rows, None)
    if names is None:
        msg = "it is empty, without even the names of columns"
        raise BrokenFileError(msg)
    return names


def _open_parquet(path: str, text_column: str = "") -> Any:
    """Open a Parquet file without reading it."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ModuleNotFoundError:
        msg = 'Parquet files need pyarrow: pip install "docbats[corpus]"'
        raise MissingExtraError(msg) from None
    try:
        file = RemoteFile(path) if is_url(path) else path
        opened = pq.ParquetFile(file, pre_buffer=False, buffer_size=1 << 20)
        # The strings of lists may be many and the same: then each is read once.
        column = text_column and _parquet_column(opened, text_column)
        if column and column.path != text_column and column.physical_type == "BYTE_ARRAY":
            opened.close()
            opened = pq.ParquetFile(
                file, pre_buffer=False, buffer_size=1 << 20, read_dictionary=[column.path]
            )
    except (pa.ArrowException, OSError, ValueError) as error:
        raise BrokenFileError(_first_line(error)) from None
    return opened


def _parquet_column(file: Any, name: str) -> Any:
    """Return the first column of bytes in the file that a column of the table consists of."""
    columns = (file.schema.column(i) for i in range(len(file.schema)))
    return next((each for each in columns if each.path.split(".")[0] == name), None)


def _parquet_batches(file: Any, names: list[str]) -> Iterator[Any]:
    """Yield some rows at a time, so few that they fit into memory even if all are the longest."""
    for i in range(file.metadata.num_row_groups):
        group = file.metadata.row_group(i)
        unpacked = 0
        for j in range(group.num_columns):
            column = group.column(j)
            if column.path_in_schema.split(".")[0] in names:
                unpacked += column.total_uncompressed_size
                in_proportion = UNPACKED_RATIO.value * column.total_compressed_size
                if column.total_uncompressed_size > max(_ALWAYS_ALLOWED_BYTES, in_proportion):
                    msg = (
                        f"its column {column.path_in_schema!r} unpacks to "
                        f"{column.total_uncompressed_size:,} bytes: {UNPACKED_RATIO.advice}"
                    )
                    raise BrokenFileError(msg)
        rows = min(_ROWS_AT_A_TIME, max(1, _BYTES_AT_A_TIME // max(1, unpacked)))
        yield from file.iter_batches(rows, row_groups=[i], columns=names, use_threads=False)


def _n_bytes(column: Any) -> int:
    """Return the number of bytes of the strings in a column; -1 if it has none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    types = pa.types
    while types.is_list(column.type) or types.is_large_list(column.type):
        column = column.flatten()
    if types.is_null(column.type):
        return 0
    if types.is_dictionary(column.type):
        column = pc.binary_length(column.dictionary).take(column.indices)
        return pc.sum(column).as_py() or 0
    if not (
        types.is_string(column.type)
        or types.is_large_string(column.type)
        or types.is_binary(column.type)
        or types.is_large_binary(column.type)
    ):
        return -1
    return pc.sum(pc.binary_length(column)).as_py() or 0


def _id_values(column: Any) -> list[Any]:
    """Return the ids in a column; as Arrow writes them where Python has no such value."""
    import pyarrow as pa

    kind = column.type
    try:
        if pa.types.is_timestamp(kind) and kind.tz is not None:
            column = column.cast(pa.timestamp(kind.unit))  # the zone may be unknown here
        if pa.types.is_duration(kind):
            seconds = column.cast(pa.int64()).to_pylist()
            return [None if n is None else f"{n} {kind.unit}" for n in seconds]
        if pa.types.is_temporal(kind) and getattr(kind, "unit", None) == "ns":
            column = column.cast(pa.string())
        found: list[Any] = column.to_pylist()
    except (pa.ArrowException, ArithmeticError, ImportError, LookupError, ValueError):
        return [None] * len(column)  # then the file and the row are the id
    return found


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def _read_whole(path: str, max_bytes: int) -> bytes | None:
    """Return the decompressed bytes of a file; None if there are more than `max_bytes`."""
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
