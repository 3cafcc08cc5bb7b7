"""Files for the loaders of other libraries: the text of each, with all that docbats read of it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from docbats.errors import EmptyDocumentError, InputError, ReadError
from docbats.readers.all_readers import READERS
from docbats.readers.read_file import read_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from docbats.document import Document

__all__ = ["FilePaths", "FileReader", "LoadedFile", "find_files"]

FilePaths = str | os.PathLike[str]
_SUFFIXES = frozenset(suffix for reader in READERS for suffix in reader.suffixes)


@dataclass(frozen=True)
class LoadedFile:
    """A file: its path or name, its kind, its text, and its document, None where it is blank."""

    name: str
    kind: str
    text: str
    document: Document | None


@dataclass(frozen=True)
class FileReader:
    """How files are read, as :meth:`docbats.Document.read` does."""

    encoding: str | None = None
    kind: str | None = None
    sentences: Literal["auto", "lines"] = "auto"
    language: str = "auto"

    def read(self, source: FilePaths | bytes, name: str | None = None) -> LoadedFile:
        """Read a file, or the content of one."""
        read = read_file(source, name=name, encoding=self.encoding, kind=self.kind)
        shown = name or (os.fspath(source) if not isinstance(source, bytes) else "")
        try:
            document = read.document(self.sentences, self.language)
        except EmptyDocumentError:
            return LoadedFile(shown, read.kind, read.text, None)
        return LoadedFile(shown, read.kind, read.text, document)


def find_files(paths: FilePaths | Iterable[FilePaths]) -> Iterator[Path]:
    """Yield the files that are named, and those of named folders that docbats can read, in order.

    In a folder, the ending of a file says whether it can be read; hidden files are left out.
    """
    if isinstance(paths, str | os.PathLike):
        paths = [paths]
    for path in paths:
        if not isinstance(path, str | os.PathLike):
            msg = f"expected the path of a file or of a folder, got {type(path).__name__}"
            raise InputError(msg)
        found = Path(path)
        if not found.is_dir():
            yield found
            continue
        inside = [file for file in sorted(found.rglob("*")) if _is_readable(file, found)]
        if not inside:
            msg = f"{path}: no file that docbats can read is in this folder: name the files"
            raise ReadError(msg)
        yield from inside


def _is_readable(file: Path, folder: Path) -> bool:
    parts = file.relative_to(folder).parts
    is_hidden = any(part.startswith(".") for part in parts)
    return file.suffix.lower() in _SUFFIXES and not is_hidden and file.is_file()
