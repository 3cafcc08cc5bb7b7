"""The files of an input, always in the same order, and what they contain."""

from __future__ import annotations

import glob
import hashlib
import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Literal, get_args

from docbats.corpus.storage import (
    file_or_folder,
    file_size,
    find_matching,
    find_problem,
    is_url,
    list_folder,
    name_when_decompressed,
    storage_errors,
    strip_file_scheme,
    to_path,
)
from docbats.errors import MissingExtraError, ReadError, SettingsError
from docbats.readers.decoding import STDIN, decode, read_text, shown_name
from docbats.runtime import installed_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from docbats.corpus.storage import FolderEntry

InputNames = str | PathLike[str] | Sequence[str | PathLike[str]]
"""One or more folders, patterns or files."""

Layout = Literal["text", "list", "jsonl", "csv", "parquet"]
"""What a file contains: one document, the names of files, or a document per line or row."""

_LAYOUTS: dict[str, Layout] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_LIST_SUFFIXES = {".txt", ".lst", ".list"}
_MAX_CHECKED_LINES = 20  # of a list, of which at least one must name a file


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of the input: its path, what to call it, what it contains, and its size in bytes.

    `problem` says why it is not opened at all.
    """

    path: str
    name: str
    layout: Layout
    size: int
    problem: str | None = None


@dataclass(frozen=True)
class InputFiles:
    """The names of folders, patterns and files, and what the files contain.

    If `layout` is None, their names say what they contain.
    """

    names: tuple[str, ...]
    layout: Layout | None = None

    @classmethod
    def from_names(cls, names: InputNames, layout: str | None) -> InputFiles:
        """Return the files with these names; SettingsError for an impossible combination."""
        if isinstance(names, str) or not isinstance(names, Sequence):
            names = [names]
        given = tuple(map(strip_file_scheme, names))
        if not given:
            msg = "no input was given: name a folder, a pattern or a file"
            raise SettingsError(msg)
        if layout is not None and layout not in get_args(Layout):
            msg = f"input_format must be one of {', '.join(get_args(Layout))}, got {layout!r}"
            raise SettingsError(msg)
        if STDIN in given and (len(given) > 1 or layout in {"text", "parquet"}):
            msg = "standard input (-) must be the only input: JSON lines, CSV or a list of files"
            raise SettingsError(msg)
        return cls(given, layout)  # type: ignore[arg-type]

    @property
    def is_stream(self) -> bool:
        """Whether it is standard input, which can be read only once."""
        return self.names == (STDIN,)

    def sources(self) -> Iterator[SourceFile]:
        """Yield the files; ReadError if a name leads to none."""
        for name in self.names:
            if name == STDIN:
                records = [SourceFile(STDIN, "stdin", self.layout or "jsonl", 0)]
                yield from self._listed(STDIN) if self.layout == "list" else records
                continue
            match file_or_folder(name):
                case "folder":
                    prefix = "" if len(self.names) == 1 else f"{name.rstrip('/')}/"
                    yield from self._from_entries(list_folder(name), prefix)
                case "file":
                    yield from self._from_file(name)
                case None:
                    yield from self._from_pattern(name)

    def fingerprint(self) -> dict[str, Any]:
        """Return what changes if the input does: the names and sizes of its files.

        It includes the version of the PDF reader, which the text of PDF files depends on.
        """
        if self.is_stream:
            return {"files": None, "bytes": None, "sha256": None}
        total = hashlib.sha256()
        files = size = 0
        has_pdf = False
        for source in self.sources():
            total.update(f"{source.name}\0{source.size}\n".encode("utf-8", "surrogateescape"))
            files += 1
            size += source.size
            name = name_when_decompressed(source.name).lower()
            has_pdf |= source.layout == "text" and name.endswith(".pdf")
        readers = {"readers": {"pypdfium2": _pdfium_version()}} if has_pdf else {}
        return {"files": files, "bytes": size, "sha256": total.hexdigest(), **readers}

    def _from_entries(self, entries: Iterable[FolderEntry], prefix: str) -> Iterator[SourceFile]:
        for entry in entries:
            name, problem = f"{prefix}{entry.name}", entry.problem
            if entry.is_folder:
                try:
                    inside = list_folder(entry.path)
                except ReadError as error:  # it becomes a row, as an unreadable file does
                    problem = str(error)
                else:
                    yield from self._from_entries(inside, f"{name}/")
                    continue
            layout = "text" if problem else self.layout or layout_from_name(entry.name)
            yield SourceFile(entry.path, name, layout, entry.size, problem)

    def _from_file(self, name: str) -> Iterator[SourceFile]:
        alone = self.layout is None and PurePath(name).suffix.lower() in _LIST_SUFFIXES
        if self.layout == "list" or alone:
            yield from self._listed(name)
        else:
            yield _source(name, self.layout)

    def _from_pattern(self, pattern: str) -> Iterator[SourceFile]:
        found = find_matching(pattern)
        if not found:
            is_pattern = glob.has_magic(pattern)
            msg = f"{pattern}: {'it matches no file' if is_pattern else 'no such file or folder'}"
            raise ReadError(msg)
        for path in found:
            problem = None if is_url(path) else find_problem(path)
            source = _source(path, self.layout)
            yield source if problem is None else replace(source, problem=problem, layout="text")

    def _listed(self, name: str) -> Iterator[SourceFile]:
        """Yield the files in a list; missing ones fail when they are read."""
        paths = [
            strip_file_scheme(line.strip()) for line in io.StringIO(_text(name)) if line.strip()
        ]
        if not any(file_or_folder(path) == "file" for path in paths[:_MAX_CHECKED_LINES]):
            msg = (
                f"{shown_name(name)}: read as a list of files, one a line, but its first lines "
                "name none: if it is a document, use docbats FILE, or --input-format text"
            )
            raise ReadError(msg)
        for path in paths:
            yield _source(path, None)


def layout_from_name(name: str) -> Layout:
    """Return what a file contains, by its name.

    >>> layout_from_name("wiki-03.jsonl.gz"), layout_from_name("notes.txt")
    ('jsonl', 'text')
    """
    return _LAYOUTS.get(PurePath(name_when_decompressed(name).lower()).suffix, "text")


def _source(path: str, layout: Layout | None) -> SourceFile:
    return SourceFile(path, path, layout or layout_from_name(path), file_size(path))


def _text(name: str) -> str:
    if not is_url(name):
        return read_text(name)
    with storage_errors(name):
        return decode(to_path(name).read_bytes(), name)


def _pdfium_version() -> str:
    found = installed_version("pypdfium2")
    if found is None:
        msg = 'there are PDF files, and reading them needs pypdfium2: pip install "docbats[files]"'
        raise MissingExtraError(msg)
    return found
