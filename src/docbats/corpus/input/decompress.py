"""Files as streams of bytes, decompressed where their names end in .gz or .zst."""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from typing import TYPE_CHECKING, Any

from docbats.corpus.storage import is_url
from docbats.errors import MissingExtraError
from docbats.readers.paths import STDIN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docbats.corpus.input.remote_file import RemoteFile

__all__ = [
    "COMPRESSED_SUFFIXES",
    "BrokenFileError",
    "DecompressedFile",
    "iter_lines",
    "name_when_decompressed",
    "zstd_module",
]

COMPRESSED_SUFFIXES = (".gz", ".zst")
"""How the names of compressed files end."""

_CHUNK_SIZE = 1 << 16


def name_when_decompressed(name: str) -> str:
    """Return the name of what a file holds.

    >>> name_when_decompressed("notes.md.gz"), name_when_decompressed("notes.md")
    ('notes.md', 'notes.md')
    """
    return name[: name.rindex(".")] if name.lower().endswith(COMPRESSED_SUFFIXES) else name


class BrokenFileError(Exception):
    """A file, or the rest of it, cannot be read."""


class DecompressedFile(io.BufferedIOBase):
    """A file that is being read, decompressed on the way.

    Bytes come as they come: a line is there as soon as it was written, and nothing that could be
    read is lost where the rest cannot.
    """

    def __init__(self, path: str) -> None:
        try:
            self._raw = _open(path)
        except (OSError, ValueError) as error:
            raise BrokenFileError(getattr(error, "strerror", None) or str(error)) from None
        self._damage_errors: tuple[type[Exception], ...] = (EOFError, OSError, zlib.error)
        self._stream: Any = self._raw
        if path.lower().endswith(".gz"):
            self._stream = gzip.GzipFile(fileobj=self._raw)
        elif path.lower().endswith(".zst"):
            zstd = zstd_module()
            self._stream = zstd.ZstdFile(self._raw)
            self._damage_errors = (*self._damage_errors, zstd.ZstdError)

    @property
    def position(self) -> int:
        """How many bytes of the file itself were read; 0 where that is unknown."""
        return self._raw.tell() if self._raw.seekable() else 0

    def readable(self) -> bool:
        """Whether it can be read, as the standard library asks."""
        return True

    def read1(self, size: int = _CHUNK_SIZE, /) -> bytes:
        """Return some bytes, none at the end."""
        try:
            data: bytes = self._stream.read1(size)
        except EOFError:
            msg = "it ends in the middle, as a copy that was cut off"
            raise BrokenFileError(msg) from None
        except self._damage_errors as error:
            raise BrokenFileError(getattr(error, "strerror", None) or str(error)) from None
        return data

    def close(self) -> None:
        """Close the file."""
        if not self.closed:
            self._raw.close()
        super().close()


class _UnbufferedFile(io.FileIO):
    """A file without a buffer."""

    def read1(self, size: int = _CHUNK_SIZE, /) -> bytes:
        return self.read(size) or b""


def _open(path: str) -> _UnbufferedFile | RemoteFile:
    if path == STDIN:
        return _UnbufferedFile(0, closefd=False)
    if is_url(path):
        from docbats.corpus.input.remote_file import RemoteFile

        return RemoteFile(path)
    return _UnbufferedFile(path)


def zstd_module() -> Any:
    """Import the standard library's zstd, or the same for a Python that has none."""
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ModuleNotFoundError:
        msg = 'files that end in .zst need zstd: pip install "docbats[corpus]"'
        raise MissingExtraError(msg) from None
    return zstd


def iter_lines(stream: io.BufferedIOBase, max_size: int) -> Iterator[bytes | None]:
    r"""Yield lines without their ends; None for one of more than `max_size` bytes.

    >>> list(iter_lines(io.BytesIO(b"one\ntwo, which is long\nsix"), 10))
    [b'one', None, b'six']
    """
    held: list[bytes] = []
    size = 0
    while chunk := stream.read1(_CHUNK_SIZE):
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            yield b"".join([*held, end]) if size + len(end) <= max_size else None
            held, size = [], 0
        size += len(rest)
        if size <= max_size:
            held.append(rest)
        else:
            held.clear()
    if size:
        yield b"".join(held) if size <= max_size else None
