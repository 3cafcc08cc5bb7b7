"""From the files of the input to documents, one by one; what cannot be read becomes one, too."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from docbats.corpus.errors import Failure, too_large
from docbats.corpus.packed import PACKED, BrokenFileError, OpenFile, lines_of
from docbats.corpus.record import Content, Record
from docbats.corpus.tables import csv_rows, parquet_file, parquet_rows
from docbats.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from docbats.corpus.inputs import Source

__all__ = ["Columns", "Reader"]

_BYTES_A_CHARACTER = 6  # of JSON at most, but for rare ones outside of the first plane
_BYTES_A_LETTER = 4  # of any other text at most
_ROOM = 1 << 16  # bytes of a line beside its text
_UNDECODED = re.compile("[\udc80-\udcff]")


@dataclass(frozen=True)
class Columns:
    """Where a record has its text and its id; without `id` that is ``id`` where there is one."""

    text: str = "text"
    id: str | None = None

    def check(self, names: Iterable[str], where: str) -> None:
        """Refuse a table that lacks a column that was asked for."""
        found = list(names)
        for option, name in (("text", self.text), ("id", self.id)):
            if name is not None and name not in found:
                msg = (
                    f"{where}: there is no column {name!r}: name one of {', '.join(found)} by "
                    f"--{option}-column"
                )
                raise SettingsError(msg)


@dataclass(frozen=True)
class Reader:
    """Reads the documents of any file.

    `longest` is how many characters a document may have; of a larger one no more is held than that.
    """

    columns: Columns
    encoding: str | None = None
    longest: int = 10_000_000

    def read(self, sources: Iterable[Source]) -> Iterator[Record]:
        """Read file after file."""
        behind = 0
        for source in sources:
            try:
                for record in self._documents(source):
                    yield replace(record, read=behind + record.read)
            except BrokenFileError as error:
                message = f"{source.name}: cannot be read any further: {error}"
                yield replace(_failed(source, Failure("unreadable", message)), read=behind)
            behind += source.size

    def check(self, source: Source) -> None:
        """Refuse a file that nothing can be read from as asked, before anything is written."""
        try:
            if source.layout not in {"csv", "parquet"}:
                OpenFile(source.path).close()
                return
            names = self._heads(source)
        except BrokenFileError:
            return  # it becomes a row
        self.columns.check(names, source.name)

    def _heads(self, source: Source) -> list[str]:
        if source.layout == "parquet":
            with parquet_file(source.path) as file:
                return list(file.schema_arrow.names)
        with OpenFile(source.path) as file:
            return next(csv_rows(file, source.path, self.encoding, self.longest + _ROOM), [])

    def _documents(self, source: Source) -> Iterator[Record]:
        match source.layout:
            case "jsonl":
                return self._json_lines(source)
            case "csv":
                return self._csv(source)
            case "parquet":
                return self._parquet(source)
            case _:
                return iter([self._whole(source)])

    def _whole(self, source: Source) -> Record:
        """Read a file that is one document; what it says is found out where it is analysed."""
        most = _BYTES_A_LETTER * self.longest
        if source.size > most and not source.path.lower().endswith(PACKED):
            return _failed(source, too_large(f"{source.size:,} bytes", self.longest))
        try:
            data = _read_whole(source.path, most)
        except BrokenFileError as error:
            return _failed(source, Failure("unreadable", f"{source.name}: cannot be read: {error}"))
        if data is None:
            return _failed(source, too_large(f"more than {most:,} bytes", self.longest))
        return Record(source.name, source.name, data, None, source.size)

    def _json_lines(self, source: Source) -> Iterator[Record]:
        longest = self.longest * _BYTES_A_CHARACTER + _ROOM
        number = 0
        with OpenFile(source.path) as file:
            for line in lines_of(file, longest):
                number += 1
                if line is None or line.strip():
                    yield self._json_record(source, number, line, file.position)

    def _json_record(self, source: Source, number: int, line: bytes | None, read: int) -> Record:
        place = f"{source.name}:{number}"
        if line is None:
            failure = too_large("a longer line", self.longest)
            return Record(place, source.name, None, failure, read)
        try:
            values = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
        except UnicodeDecodeError as error:
            failure = Failure("bad-bytes", f"{place}: not UTF-8 text at byte {error.start}")
            return Record(place, source.name, None, failure, read)
        except (ValueError, RecursionError) as error:
            failure = Failure("bad-record", f"{place}: not JSON: {error}")
            return Record(place, source.name, None, failure, read)
        if not isinstance(values, dict):
            failure = Failure("bad-record", f"{place}: not a JSON object")
            return Record(place, source.name, None, failure, read)
        return self._from_values(source, place, values, read)

    def _csv(self, source: Source) -> Iterator[Record]:
        with OpenFile(source.path) as file:
            rows = csv_rows(file, source.path, self.encoding, self.longest + _ROOM)
            heads = next(rows, [])
            self.columns.check(heads, source.name)
            for number, row in enumerate(rows, start=1):
                place = f"{source.name}:{number}"
                if not any(row):
                    continue
                if any(map(_UNDECODED.search, row)):
                    failure = Failure("bad-bytes", f"{place}: not {self.encoding or 'UTF-8'} text")
                    yield Record(place, source.name, None, failure, file.position)
                    continue
                values = dict(zip(heads, row, strict=False))
                yield self._from_values(source, place, values, file.position)

    def _parquet(self, source: Source) -> Iterator[Record]:
        with parquet_file(source.path) as file:
            heads = file.schema_arrow.names
            self.columns.check(heads, source.name)
            id_column = self.columns.id or ("id" if "id" in heads else None)
            wanted = dict.fromkeys([self.columns.text, *([id_column] if id_column else [])])
            for number, values in enumerate(parquet_rows(file, list(wanted)), start=1):
                place = f"{source.name}:{number}"
                read = source.size * number // file.metadata.num_rows
                yield self._from_values(source, place, values, read)

    def _from_values(
        self, source: Source, place: str, values: Mapping[str, Any], read: int
    ) -> Record:
        """Make a document of the columns of a record."""
        given = values.get(self.columns.id or "id")
        if given is None or given == "":
            if self.columns.id is not None:
                failure = Failure("bad-record", f"{place}: it has no {self.columns.id!r}")
                return Record(place, source.name, None, failure, read)
            given = place
        name = given if isinstance(given, str) else _as_text(given)
        if self.columns.text not in values:
            found = ", ".join(map(repr, list(values)[:10])) or "nothing"
            failure = Failure("bad-record", f"{place}: no {self.columns.text!r} in it, but {found}")
            return Record(name, source.name, None, failure, read)
        text = values[self.columns.text]
        if isinstance(text, list) and all(isinstance(sentence, str) for sentence in text):
            text = tuple(text)
        elif isinstance(text, bytes):
            try:
                text = text.decode()
            except UnicodeDecodeError as error:
                failure = Failure("bad-bytes", f"{place}: not UTF-8 text at byte {error.start}")
                return Record(name, source.name, None, failure, read)
        elif not isinstance(text, str):
            kind = "nothing" if text is None else type(text).__name__
            failure = Failure("bad-record", f"{place}: {self.columns.text!r} is {kind}, not text")
            return Record(name, source.name, None, failure, read)
        return self._record(name, source, text, read)

    def _record(self, name: str, source: Source, content: Content, read: int) -> Record:
        record = Record(name, source.name, content, None, read)
        if record.size > self.longest:
            failure = too_large(f"{record.size:,} characters", self.longest)
            return replace(record, content=None, failure=failure)
        return record


def _read_whole(path: str, most: int) -> bytes | None:
    """Read a file, unpacked; None if it has more than `most` bytes."""
    pieces, size = [], 0
    with OpenFile(path) as file:
        while piece := file.read1():
            pieces.append(piece)
            size += len(piece)
            if size > most:
                return None
    return b"".join(pieces)


def _failed(source: Source, failure: Failure) -> Record:
    return Record(source.name, source.name, None, failure, source.size)


def _as_text(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    except (TypeError, ValueError):
        return str(value)
