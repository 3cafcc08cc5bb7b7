"""The files that the loaders of other libraries read, and what becomes of those that are broken."""

from __future__ import annotations

import glob as globbing
import os
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from docbats.errors import (
    DocbatsError,
    EmptyDocumentError,
    InputError,
    ReadError,
    SettingsError,
    SkippedFileWarning,
)
from docbats.readers.kinds import KIND_OF_MEDIA_TYPE, SUFFIXES
from docbats.readers.read_file import read_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from docbats.document import Document

FilePaths = str | os.PathLike[str]
OnError = Literal["skip", "raise"]


@dataclass(frozen=True)
class LoadedFile:
    """A file: its path or name, its kind, its text, and its document, None if it is blank.

    The `id` is the path or name with slashes; None for bytes without a name.
    """

    name: str
    kind: str
    text: str
    document: Document | None
    id: str | None = None


@dataclass(frozen=True)
class FileReader:
    """Reads files as :meth:`docbats.Document.read` does.

    Attributes
    ----------
    encoding, kind, sentences, language
        As for :meth:`docbats.Document.read`.
    on_error
        What to do with a file that cannot be read: ``"skip"`` it with a
        :class:`~docbats.errors.SkippedFileWarning`, or ``"raise"`` the error.
    glob
        Patterns of the files to read from folders, relative to them, such as ``"**/*.md"``; by
        default all files that docbats reads.
    exclude
        Patterns of files to leave out of folders.
    """

    encoding: str | None = None
    kind: str | None = None
    sentences: Literal["auto", "lines"] = "auto"
    language: str = "auto"
    on_error: OnError = "skip"
    glob: str | Sequence[str] | None = None
    exclude: str | Sequence[str] | None = None

    def __post_init__(self) -> None:
        if self.on_error not in get_args(OnError):
            msg = f"on_error must be one of skip, raise, got {self.on_error!r}"
            raise SettingsError(msg)

    def read(
        self, source: FilePaths | bytes, name: str | None = None, media_type: str | None = None
    ) -> LoadedFile:
        """Read a file, or the content of one, whose media type may tell its kind."""
        kind = self.kind or KIND_OF_MEDIA_TYPE.get(media_type or "")
        read = read_file(source, name=name, encoding=self.encoding, kind=kind)
        shown = name or (os.fspath(source) if not isinstance(source, bytes) else "")
        try:
            document = read.document(self.sentences, self.language)
        except EmptyDocumentError:
            document = None
        return LoadedFile(shown, read.kind, read.text, document, read.id)

    def read_all(self, paths: FilePaths | Iterable[FilePaths]) -> Iterator[LoadedFile]:
        """Yield each file that can be read, in the order of :func:`find_files`."""
        for path in find_files(paths, self.glob, self.exclude):
            file = self.try_to_read(path)
            if file is not None:
                yield file

    def try_to_read(
        self, source: FilePaths | bytes, name: str | None = None, media_type: str | None = None
    ) -> LoadedFile | None:
        """Return a file; None, with a warning, if it cannot be read and is to be skipped."""
        try:
            return self.read(source, name, media_type)
        except Exception as error:
            if self.on_error == "raise":
                raise
            warn_of_skipped(error, name or ("" if isinstance(source, bytes) else os.fspath(source)))
            return None


def warn_of_skipped(error: Exception, name: str) -> None:
    """Warn that a file is skipped, with its name and the reason."""
    reason = str(error)
    if not isinstance(error, DocbatsError):  # not foreseen, so say what it is
        reason = f"{type(error).__name__}: {reason}" if reason else type(error).__name__
    if name and not reason.startswith(f"{name}: "):
        reason = f"{name}: {reason}"
    warnings.warn(f"skipped {reason}", SkippedFileWarning, stacklevel=2)


def find_files(
    paths: FilePaths | Iterable[FilePaths],
    glob: str | Sequence[str] | None = None,
    exclude: str | Sequence[str] | None = None,
) -> Iterator[Path]:
    """Yield each file, and for each folder the files in it that docbats can read, sorted.

    A path that does not exist may be a pattern, such as ``docs/*.md``; otherwise it is an error.
    Files in folders are chosen by their suffix, or by `glob`; hidden ones and those of `exclude`
    are skipped.
    """
    if isinstance(paths, str | os.PathLike):
        paths = [paths]
    for path in paths:
        if not isinstance(path, str | os.PathLike):
            msg = f"expected the path of a file or of a folder, got {type(path).__name__}"
            raise InputError(msg)
        found = Path(path)
        if found.is_dir():
            yield from _files_in(found, _patterns(glob), _patterns(exclude))
        elif found.exists() or str(path) == "-":
            yield found
        elif globbing.has_magic(str(path)):
            yield from _files_like(str(path))
        else:
            msg = f"{path}: there is no such file or folder"
            raise ReadError(msg)


def _patterns(given: str | Sequence[str] | None) -> list[str]:
    return [] if given is None else [given] if isinstance(given, str) else list(given)


def _files_in(folder: Path, patterns: list[str], excluded: list[str]) -> list[Path]:
    left_out = {file for pattern in excluded for file in folder.glob(pattern)}
    found = {file for pattern in patterns or ["**/*"] for file in folder.glob(pattern)}
    inside = [
        file
        for file in sorted(found)
        if (patterns or file.suffix.lower() in SUFFIXES) and file.is_file()
        if file not in left_out and left_out.isdisjoint(file.parents)
        if not any(part.startswith(".") for part in file.relative_to(folder).parts)
    ]
    if not inside:
        what = (
            f"no file like {', '.join(patterns)}" if patterns else "no file that docbats can read"
        )
        msg = f"{folder}: this folder has {what}: name the files"
        raise ReadError(msg)
    return inside


def _files_like(pattern: str) -> list[Path]:
    found = [Path(name) for name in sorted(globbing.glob(pattern, recursive=True))]  # noqa: PTH207
    files = [file for file in found if file.is_file()]
    if not files:
        msg = f"{pattern}: there is no such file, and none like this pattern"
        raise ReadError(msg)
    return files
