"""Files in a ZIP archive, read into memory within bounds."""

from __future__ import annotations

import io
import zipfile
import zlib

from docbats.errors import ReadError

__all__ = ["Archive"]

_MOST = 256 << 20  # bytes that all members read may have together
_RATIO = 200  # how many times larger a member may be than its packed bytes,
_SMALL = 8 << 20  # unless it is as small as this


class Archive:
    """A ZIP archive; nothing of it is ever written anywhere."""

    def __init__(self, data: bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as error:
            msg = f"a broken ZIP archive ({error}): make the file anew, or get it once more"
            raise ReadError(msg) from None
        self.names = frozenset(self._zip.namelist())
        self._read = 0

    def read(self, name: str) -> bytes:
        """Unpack one member, as long as it stays within the bounds."""
        try:
            info = self._zip.getinfo(name)
        except KeyError:
            msg = f"a broken file: {name} is missing in it: make the file anew"
            raise ReadError(msg) from None
        if info.flag_bits & 1:
            msg = "encrypted: remove its password first"
            raise ReadError(msg)
        allowed = min(_MOST - self._read, max(_SMALL, _RATIO * info.compress_size))
        try:
            with self._zip.open(info) as member:
                data = member.read(allowed + 1) if info.file_size <= allowed else None
        except (
            *(zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError),
            *(EOFError, OSError, ValueError),
        ) as error:
            msg = f"a broken file ({name}: {error}): make the file anew, or get it once more"
            raise ReadError(msg) from None
        if data is None or len(data) > allowed:
            msg = (
                f"{name} unpacks to more than {allowed >> 20} MB, which no document needs: if it "
                "is what it says, save it as plain text"
            )
            raise ReadError(msg)
        self._read += len(data)
        return data
