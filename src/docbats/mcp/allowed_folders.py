"""The folders whose files an assistant may read; no other file is read."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from docbats.corpus.documents import replace_surrogates
from docbats.errors import ReadError, SettingsError
from docbats.readers.kinds import SUFFIXES
from docbats.readers.read_file import read_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from docbats.readers.content import FileText

_MAX_FILES = 10_000  # to list; with more, a large folder takes too long


@dataclass(frozen=True)
class AllowedFolders:
    """Folders, as resolved paths, and the largest size in bytes of a file to read."""

    paths: tuple[Path, ...]
    max_bytes: int

    @classmethod
    def from_names(cls, names: Iterable[str], max_bytes: int) -> AllowedFolders:
        """Return the folders with these names; SettingsError if one does not exist."""
        paths = []
        for name in names:
            try:
                folder = Path(name).resolve(strict=True)
            except (OSError, ValueError):
                msg = f"{name}: there is no such folder: name an existing one"
                raise SettingsError(msg) from None
            if not folder.is_dir():
                msg = f"{name}: this is not a folder: name the folder that it is in"
                raise SettingsError(msg)
            paths.append(folder)
        return cls(tuple(dict.fromkeys(paths)), max_bytes)

    def read(self, name: str) -> FileText:
        """Read a file inside the folders.

        A relative name is searched for in each of them. Links are resolved first, so that a file
        counts as being where it really is. Errors reveal nothing about files outside, not even
        whether they exist.
        """
        path = self.find(name)
        try:
            size, data = self._read_bytes(path)
        except OSError as error:
            msg = f"{name}: cannot be read: {error.strerror or error}"
            raise ReadError(msg) from None
        if data is None:
            msg = f"{name}: this is not a file: name a file inside a folder"
            raise ReadError(msg)
        if max(size, len(data)) > self.max_bytes:
            msg = f"{name}: the file has {size:,} bytes, but at most {self.max_bytes:,} are allowed"
            raise ReadError(msg)
        return read_file(data, name=name)

    def identity(self, name: str) -> tuple[str, int, int]:
        """Return what changes with a file inside the folders: its path, time and size."""
        path = self.find(name)
        try:
            known = path.stat()
        except OSError as error:
            msg = f"{name}: cannot be read: {error.strerror or error}"
            raise ReadError(msg) from None
        return str(path), known.st_mtime_ns, known.st_size

    def _read_bytes(self, path: Path) -> tuple[int, bytes | None]:
        """Return the size and the bytes of a path from `find`; None if it is not a file.

        It is opened from its folder down without following links: one that was created in the
        meantime could lead outside. Files that are too large are not read.
        """
        folder = next(folder for folder in self.paths if path.is_relative_to(folder))
        descriptor = _open_below(folder, path.relative_to(folder).parts)
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            os.close(descriptor)
            return 0, None
        with os.fdopen(descriptor, "rb") as file:
            is_large = found.st_size > self.max_bytes
            return found.st_size, b"" if is_large else file.read(self.max_bytes + 1)

    def find(self, name: str) -> Path:
        """Return the path of a file or folder inside the folders, with all links resolved."""
        inside = []
        for folder in self.paths:
            try:
                path = (folder / name).resolve()
            except (OSError, ValueError, RuntimeError):  # loops of links, zero bytes
                continue
            if any(path.is_relative_to(other) for other in self.paths):
                inside.append(path)
        if not inside:
            msg = f"{name}: this is outside the allowed folders: {self}"
            raise ReadError(msg)
        found = next((path for path in inside if _exists(path)), None)
        if found is None:
            msg = f"{name[:200]}: there is no such file in {self}"
            raise ReadError(msg)
        return found

    def list_files(self, pattern: str = "*") -> list[tuple[str, int]]:
        """Return the name and the size of each file that can be read, sorted by name.

        Their suffixes are of formats that docbats reads, and their names, relative to the folder,
        match the pattern. Hidden files, links that lead outside, and names that are not UTF-8,
        which nobody could ask for, are left out.
        """
        found: dict[str, int] = {}
        for folder in self.paths:
            for parent, below, names in os.walk(folder):
                below[:] = sorted(name for name in below if not name.startswith("."))
                for name in sorted(names):
                    path = Path(parent) / name
                    shown = path.relative_to(folder).as_posix()
                    if len(found) < _MAX_FILES and self._is_listed(path, shown, pattern):
                        own = shown if self.find(shown) == path.resolve() else str(path)
                        found[own] = path.stat().st_size
        return sorted(found.items())

    def _is_listed(self, path: Path, shown: str, pattern: str) -> bool:
        if path.name.startswith(".") or path.suffix.lower() not in SUFFIXES:
            return False
        if replace_surrogates(shown) != shown:
            return False
        if not fnmatch(shown.lower(), pattern.lower()):
            return False
        try:
            return self.find(str(path)).is_file()
        except (ReadError, OSError):
            return False

    def __str__(self) -> str:
        return ", ".join(map(str, self.paths)) or "none, so pass the text itself"


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name that is too long
        return False


def _open_below(folder: Path, names: tuple[str, ...]) -> int:
    """Open a file by the names on the way to it; OSError if one of them is a link."""
    if os.open not in os.supports_dir_fd:  # pragma: no cover  (Windows)
        return os.open(folder.joinpath(*names), os.O_RDONLY | os.O_BINARY)  # type: ignore[attr-defined]
    no_link = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
    at = os.open(folder, no_link | os.O_DIRECTORY)
    for place, name in enumerate(names, start=1):
        # Without O_NONBLOCK, opening a pipe would wait for a writer.
        kind = os.O_NONBLOCK if place == len(names) else os.O_DIRECTORY
        try:
            below = os.open(name, no_link | kind, dir_fd=at)
        finally:
            os.close(at)
        at = below
    return at
