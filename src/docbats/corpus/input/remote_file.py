"""A file of another storage, read like one of this machine."""

from __future__ import annotations

import io
from typing import Any

from docbats.corpus.storage import storage_errors, to_path

__all__ = ["RemoteFile"]

_CHUNK_SIZE = 1 << 16


class RemoteFile(io.RawIOBase):
    """The bytes of the file that a URL names.

    Where the storage fails amid a file, the run ends and can be resumed: it must not look as if the
    file ended there.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        with storage_errors(url):
            self._file: Any = to_path(url).open("rb")

    def readable(self) -> bool:
        """Whether it can be read, as the standard library asks."""
        return True

    def seekable(self) -> bool:
        """Whether it can be read from anywhere."""
        return bool(self._file.seekable())

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        """Go to a byte."""
        with storage_errors(self._url):
            self._file.seek(offset, whence)
            return self.tell()

    def tell(self) -> int:
        """Return how many bytes are behind."""
        return int(self._file.tell())

    def readinto(self, buffer: Any, /) -> int:
        """Read as many bytes as fit, or fewer."""
        with storage_errors(self._url):
            data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def read1(self, size: int = _CHUNK_SIZE, /) -> bytes:
        """Return some bytes, none at the end."""
        return self.read(size) or b""

    def close(self) -> None:
        """Close the file."""
        if not self.closed:
            self._file.close()
        super().close()
