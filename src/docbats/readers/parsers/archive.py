"""Files in a ZIP archive, unpacked into memory within limits."""

from __future__ import annotations

import io
import zipfile

from docbats.errors import ReadError
from docbats.limits import UNPACKED_BYTES, UNPACKED_RATIO, Limit

__all__ = ["Archive"]

# What the members that are read may unpack to, however small the file is; larger values let a file
# of a few kilobytes take longer.
_ALWAYS_ALLOWED_BYTES = 4 << 20


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
        self._packed_bytes = len(data)

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
        limit, in_all = self._limit()
        allowed = in_all - self._bytes_read
        try:
            with self._zip.open(info) as member:
                data = member.read(allowed + 1) if info.file_size <= allowed else None
        except MemoryError:  # which says nothing of the file
            raise
        except Exception as error:  # each way of packing has classes of its own, as LZMAError
            msg = f"a broken file ({name}: {error}): save the file again, or download it again"
            raise ReadError(msg) from None
        if data is None or len(data) > allowed:
            msg = (
                f"it unpacks to more than {in_all:,} bytes, too much for a document of "
                f"{self._packed_bytes:,}: if it really is one, save it as plain text, or "
                f"{limit.advice}"
            )
            raise ReadError(msg)
        self._bytes_read += len(data)
        return data

    def _limit(self) -> tuple[Limit, int]:
        """Return the bound that comes first, and how many bytes it allows over all members."""
        in_proportion = max(_ALWAYS_ALLOWED_BYTES, UNPACKED_RATIO.value * self._packed_bytes)
        if in_proportion < UNPACKED_BYTES.value:
            return UNPACKED_RATIO, in_proportion
        return UNPACKED_BYTES, UNPACKED_BYTES.value
