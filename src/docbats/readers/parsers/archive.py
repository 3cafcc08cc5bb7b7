"""Files in a ZIP archive, unpacked into memory within limits."""

from __future__ import annotations

import io
import zipfile
import zlib

from docbats.errors import ReadError

__all__ = ["Archive"]

# Larger limits would let a small file fill the memory.
_MAX_TOTAL_BYTES = 256 << 20  # of all members that are read
_MAX_RATIO = 200  # of a member to its packed bytes,
_ALWAYS_ALLOWED_BYTES = 8 << 20  # unless it is as small as this


class Archive:
    """A ZIP archive; nothing in it is ever written to disk."""

    def __init__(self, data: bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as error:
            msg = f"a broken ZIP archive ({error}): save the file again, or download it again"
            raise ReadError(msg) from None
        self.names = frozenset(self._zip.namelist())
        self._bytes_read = 0

    def read(self, name: str) -> bytes:
        """Unpack one member; a `ReadError` if that would exceed the limits."""
        try:
            info = self._zip.getinfo(name)
        except KeyError:
            msg = f"a broken file: {name} is missing in it: save the file again"
            raise ReadError(msg) from None
        if info.flag_bits & 1:
            msg = "encrypted: remove its password first"
            raise ReadError(msg)
        allowed = min(
            _MAX_TOTAL_BYTES - self._bytes_read,
            max(_ALWAYS_ALLOWED_BYTES, _MAX_RATIO * info.compress_size),
        )
        try:
            with self._zip.open(info) as member:
                data = member.read(allowed + 1) if info.file_size <= allowed else None
        except (
            *(zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError),
            *(EOFError, OSError, ValueError),
        ) as error:
            msg = f"a broken file ({name}: {error}): save the file again, or download it again"
            raise ReadError(msg) from None
        if data is None or len(data) > allowed:
            msg = (
                f"{name} unpacks to more than {allowed >> 20} MB, too much for a document: if it "
                "really is one, save it as plain text"
            )
            raise ReadError(msg)
        self._bytes_read += len(data)
        return data
