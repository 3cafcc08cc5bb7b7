"""Files as streams of bytes, unpacked on the way where their names end in .gz or .zst."""

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

    from docbats.corpus.remote import RemoteFile

__all__ = ["PACKED", "BrokenFileError", "OpenFile", "lines_of", "unpacked_name", "zstd_module"]

PACKED = (".gz", ".zst")
"""How the names of compressed files end."""

_CHUNK = 1 << 16


def unpacked_name(name: str) -> str:
    """Give the name of what a file holds.

    >>> unpacked_name("notes.md.gz"), unpacked_name("notes.md")
    ('notes.md', 'notes.md')
    """
    return name[: name.rindex(".")] if name.lower().endswith(PACKED) else name


class BrokenFileError(Exception):
    """A file, or the rest of it, cannot be read."""


class OpenFile(io.BufferedIOBase):
    """A file that is being read, unpacked on the way.

    Bytes come as they come: a line is there as soon as it was written, and nothing that could be
    read is lost where the rest cannot.
    """

    def __init__(self, path: str) -> None:
        try:
            self._raw = _open(path)
        except (OSError, ValueError) as error:
            raise BrokenFileError(getattr(error, "strerror", None) or str(error)) from None
        self._damage: tuple[type[Exception], ...] = (EOFError, OSError, zlib.error)
        self._stream: Any = self._raw
        if path.lower().endswith(".gz"):
            self._stream = gzip.GzipFile(fileobj=self._raw)
        elif path.lower().endswith(".zst"):
            zstd = zstd_module()
            self._stream = zstd.ZstdFile(self._raw)
            self._damage = (*self._damage, zstd.ZstdError)

    @property
    def position(self) -> int:
        """How many bytes of the file itself were read; 0 where it cannot tell."""
        return self._raw.tell() if self._raw.seekable() else 0

    def readable(self) -> bool:
        """Tell the standard library that this can be read."""
        return True

    def read1(self, size: int = _CHUNK, /) -> bytes:
        """Give some bytes, none at the end."""
        try:
            data: bytes = self._stream.read1(size)
        except EOFError:
            msg = "it ends in the middle, as a copy that was cut off"
            raise BrokenFileError(msg) from None
        except self._damage as error:
            raise BrokenFileError(getattr(error, "strerror", None) or str(error)) from None
        return data

    def close(self) -> None:
        """Let go of the file."""
        if not self.closed:
            self._raw.close()
        super().close()


class _Raw(io.FileIO):
    """A file without a buffer."""

    def read1(self, size: int = _CHUNK, /) -> bytes:
        return self.read(size) or b""


def _open(path: str) -> _Raw | RemoteFile:
    if path == STDIN:
        return _Raw(0, closefd=False)
    if is_url(path):
        from docbats.corpus.remote import RemoteFile

        return RemoteFile(path)
    return _Raw(path)


def zstd_module() -> Any:
    """Give the standard library's zstd, or the same for a Python that has none."""
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ModuleNotFoundError:
        msg = 'files that end in .zst need zstd: pip install "docbats[corpus]"'
        raise MissingExtraError(msg) from None
    return zstd


def lines_of(stream: io.BufferedIOBase, longest: int) -> Iterator[bytes | None]:
    r"""Give line after line without its end; None for one of more than `longest` bytes.

    >>> list(lines_of(io.BytesIO(b"one\ntwo, which is long\nsix"), 10))
    [b'one', None, b'six']
    """
    held: list[bytes] = []
    size = 0
    while chunk := stream.read1(_CHUNK):
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            yield b"".join([*held, end]) if size + len(end) <= longest else None
            held, size = [], 0
        size += len(rest)
        if size <= longest:
            held.append(rest)
        else:
            held.clear()
    if size:
        yield b"".join(held) if size <= longest else None
