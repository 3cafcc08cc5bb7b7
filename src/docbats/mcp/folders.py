"""The folders that an assistant may read, and nothing beside them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from docbats.errors import ReadError, SettingsError
from docbats.readers.paths import read_bytes
from docbats.readers.read_file import read_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from docbats.readers.file_text import FileText

__all__ = ["Folders"]


@dataclass(frozen=True)
class Folders:
    """Folders, as real paths, and the most bytes to read of a file in them."""

    allowed: tuple[Path, ...]
    max_bytes: int

    @classmethod
    def named(cls, names: Iterable[str], max_bytes: int) -> Folders:
        """Take folders by their names; each must be there."""
        allowed = []
        for name in names:
            try:
                folder = Path(name).resolve(strict=True)
            except (OSError, ValueError):
                msg = f"{name}: no such folder: name folders that the assistant may read"
                raise SettingsError(msg) from None
            if not folder.is_dir():
                msg = f"{name}: a file, not a folder: name the folder it is in"
                raise SettingsError(msg)
            allowed.append(folder)
        return cls(tuple(dict.fromkeys(allowed)), max_bytes)

    def read(self, name: str) -> FileText:
        """Read a file inside the folders.

        A relative name is looked for in each of them. Links are followed first, so that what counts
        is where a file really is; nothing is told of what lies outside, not even whether it exists.
        """
        path = self._find(name)
        try:
            size = path.stat().st_size
        except OSError as error:
            msg = f"{name}: cannot be read: {error.strerror or error}"
            raise ReadError(msg) from None
        if not path.is_file():
            msg = f"{name}: a folder or a device, not a file: name a file in it"
            raise ReadError(msg)
        data = b"" if size > self.max_bytes else read_bytes(str(path), self.max_bytes + 1)
        if max(size, len(data)) > self.max_bytes:
            msg = f"{name}: {size:,} bytes are more than the {self.max_bytes:,} that are read"
            raise ReadError(msg)
        return read_file(data, name=name)

    def _find(self, name: str) -> Path:
        inside = []
        for folder in self.allowed:
            try:
                path = (folder / name).resolve()
            except (OSError, ValueError, RuntimeError):  # loops of links, zero bytes
                continue
            if any(path.is_relative_to(other) for other in self.allowed):
                inside.append(path)
        if not inside:
            msg = f"{name}: outside the folders that may be read: {self}"
            raise ReadError(msg)
        found = next((path for path in inside if path.exists()), None)
        if found is None:
            msg = f"{name}: no such file in {self}"
            raise ReadError(msg)
        return found

    def __str__(self) -> str:
        return ", ".join(map(str, self.allowed)) or "none are allowed, so give the text itself"
