"""Files on this machine or in a storage named by a URL: found, read and written."""

from __future__ import annotations

import glob
import gzip
import io
import os
import re
import stat
import sys
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, cast

from docbats.atomic_write import UNFINISHED_SUFFIX, unfinished_path, write_atomically
from docbats.corpus.errors import CorpusError
from docbats.errors import DocbatsError, MissingExtraError, ReadError, SettingsError
from docbats.readers.decoding import STDIN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_URL = re.compile(r"(?!https?:|ftp:)[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_LOCAL_SCHEME = re.compile("^(file|local)://")


@dataclass(frozen=True, slots=True)
class FolderEntry:
    """A file or folder: its name in its parent, its full name, and its size in bytes.

    `problem` says why it cannot be read, if that is known without opening it.
    """

    name: str
    path: str
    is_folder: bool
    size: int
    problem: str | None = None


def strip_file_scheme(name: str | os.PathLike[str]) -> str:
    """Turn the URL of a file on this machine into its path; other names stay the same.

    >>> strip_file_scheme("file:///data/talks"), strip_file_scheme("s3://talks/1999")
    ('/data/talks', 's3://talks/1999')
    """
    return _LOCAL_SCHEME.sub("", str(name))


def is_url(name: str) -> bool:
    """Whether a name is the URL of a storage other than this machine's disks.

    Web addresses are not: a text may begin with one, and docbats never fetches a page unasked.

    >>> is_url("s3://talks/1999"), is_url("talks/1999")
    (True, False)
    """
    return _URL.match(name) is not None


def is_remote(path: Path) -> bool:
    """Whether a path is in a storage other than this machine's disks."""
    return not isinstance(path, PurePath)


def to_path(name: str) -> Path:
    """Return a local path or a URL as a path object."""
    if not is_url(name):
        return Path(name)
    with storage_errors(name):
        return cast("Path", _remote_path(name))


@contextmanager
def storage_errors(name: object) -> Iterator[None]:
    """Turn the errors of a storage, which are of many types, into CorpusError.

    A file that does not exist or may not be read is still reported as such.
    """
    if not is_url(str(name)):
        yield
        return
    try:
        yield
    except (DocbatsError, FileNotFoundError, PermissionError):
        raise
    except Exception as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:500]
        msg = (
            f"{name}: its storage cannot be used: {reason}: correct that, then continue with "
            "--resume"
        )
        raise CorpusError(msg) from error


def file_or_folder(name: str) -> Literal["file", "folder"] | None:
    """Return whether a name is a file or a folder; None if it does not exist."""
    path = to_path(name)
    if not is_remote(path):
        # pathlib would raise an error on a name that is too long.
        is_there = os.path.exists(name)  # noqa: PTH110
        return None if not is_there else "folder" if path.is_dir() else "file"
    found = _info(name, path)
    if found is None:
        return None
    return "folder" if found["type"] == "directory" else "file"


def file_size(name: str) -> int:
    """Return the size of a file; 0 if it does not exist, which is an error when it is read."""
    path = to_path(name)
    if is_remote(path):
        return int((_info(name, path) or {}).get("size") or 0)
    try:
        return path.stat().st_size
    except (OSError, ValueError):
        return 0


def list_folder(folder: str) -> list[FolderEntry]:
    """Return the entries of a folder, sorted by name, without hidden ones."""
    try:
        found = list(_remote_entries(folder) if is_url(folder) else _local_entries(folder))
    except OSError as error:
        msg = f"{folder}: cannot be read: {error.strerror or error}"
        raise ReadError(msg) from None
    return sorted((e for e in found if not e.name.startswith(".")), key=lambda e: e.name)


def find_problem(path: str) -> str | None:
    """Return why a local path cannot be read as a file; None if it can.

    Pipes and devices are never opened: they might keep the run waiting forever.
    """
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116  (as pathlib does, on every file)
    except OSError as error:
        is_link = os.path.islink(path)  # noqa: PTH114
        reason = error.strerror or str(error)
        return f"a link that leads nowhere: {reason}" if is_link else f"cannot be read: {reason}"
    if stat.S_ISREG(mode):
        return None
    if stat.S_ISDIR(mode):
        return "a link to a folder, which is not followed: name that folder as an input, too"
    return "a pipe, a socket or a device, not a file"


def find_matching(pattern: str) -> list[str]:
    """Return the files that match a pattern, sorted by name."""
    if not is_url(pattern):
        # Names stay as they were given, which pathlib would change.
        names: Iterable[str] = glob.iglob(pattern, recursive=True)  # noqa: PTH207
        # What is not a file, such as a broken link, becomes a row that says so.
        return sorted(name for name in names if not os.path.isdir(name))  # noqa: PTH112
    path = cast("Any", to_path(pattern))
    with storage_errors(pattern):
        found = path.fs.glob(path.path, detail=True)
    return sorted(
        path.fs.unstrip_protocol(name) for name, info in found.items() if info["type"] == "file"
    )


def _remote_path(name: str) -> Any:
    try:
        from upath import UPath

        path = UPath(name)
        _ = path.fs  # what it needs is imported only now
    except ImportError as error:
        needed = 'pip install "docbats[cloud]"' if error.name in {"upath", "fsspec"} else error
        msg = f"{name}: what reaches this storage is not installed: {needed}"
        raise MissingExtraError(msg) from None
    except ValueError as error:
        msg = f"{name}: not a storage that can be reached: {error}"
        raise SettingsError(msg) from None
    return path


def _local_entries(folder: str) -> Iterator[FolderEntry]:
    with os.scandir(folder) as found:
        for entry in found:
            is_folder = entry.is_dir(follow_symlinks=False)
            problem = None if is_folder else find_problem(entry.path)
            size = 0 if is_folder or problem else entry.stat().st_size
            yield FolderEntry(entry.name, entry.path, is_folder, size, problem)


def _remote_entries(folder: str) -> Iterator[FolderEntry]:
    path = cast("Any", to_path(folder))
    with storage_errors(folder):
        found = path.fs.ls(path.path, detail=True)
        path.fs.invalidate_cache()  # it would keep all names of a large storage
    for info in found:
        full = info["name"].rstrip("/")
        if full != path.path.rstrip("/"):  # some storages have an object for the folder itself
            is_folder = info["type"] == "directory"
            name = full.rpartition("/")[2]
            yield FolderEntry(name, path.fs.unstrip_protocol(full), is_folder, info["size"] or 0)


def _info(name: str, path: Any) -> dict[str, Any] | None:
    try:
        with storage_errors(name):
            found: dict[str, Any] = path.fs.info(path.path)
    except FileNotFoundError:
        return None
    except PermissionError as error:
        msg = f"{name}: cannot be read: {error}"
        raise ReadError(msg) from None
    return found


_CHUNK_SIZE = 1 << 16


class RemoteFile(io.RawIOBase):
    """The bytes of the file at a URL.

    If the storage fails in the middle of a file, the run ends and can be resumed: the file must
    not seem to end there.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        with storage_errors(url):
            self._file: Any = to_path(url).open("rb")

    def readable(self) -> bool:
        """Whether it can be read, which the standard library asks for."""
        return True

    def seekable(self) -> bool:
        """Whether it can be read from any position."""
        return bool(self._file.seekable())

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        """Go to a position."""
        with storage_errors(self._url):
            self._file.seek(offset, whence)
            return self.tell()

    def tell(self) -> int:
        """Return the current position."""
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


COMPRESSED_SUFFIXES = (".gz", ".zst")


def name_when_decompressed(name: str) -> str:
    """Return the name of a file without the suffix of its compression.

    >>> name_when_decompressed("notes.md.gz"), name_when_decompressed("notes.md")
    ('notes.md', 'notes.md')
    """
    return name[: name.rindex(".")] if name.lower().endswith(COMPRESSED_SUFFIXES) else name


class BrokenFileError(Exception):
    """A file, or the rest of it, cannot be read."""


class DecompressedFile(io.BufferedIOBase):
    """A file that is decompressed while it is read.

    Bytes are available as soon as they are written, and those before a damaged place are not lost.
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
        """The number of bytes read from the compressed file; 0 if it is unknown."""
        return self._raw.tell() if self._raw.seekable() else 0

    def readable(self) -> bool:
        """Whether it can be read, which the standard library asks for."""
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
    return RemoteFile(path) if is_url(path) else _UnbufferedFile(path)


def zstd_module() -> Any:
    """Import zstd from the standard library, or its backport for an older Python."""
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


_OBJECT_STORES = {"abfs", "abfss", "adl", "az", "gcs", "gs", "memory", "oss", "s3", "s3a"}
"""Storages where files appear complete by themselves, and which have no folders."""


def write_file(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write a file by the function `write`; it gets its name when it is complete."""
    write_files({path: write})


def write_files(files: dict[Path, Callable[[BinaryIO], object]]) -> None:
    """Write several files; on this machine, none gets its name before all are on the disk.

    The last one gets its name last: once it exists, they all do.
    """
    if any(map(is_remote, files)):
        _write_to_storage(files)
    else:
        write_atomically(files)


def make_folder(folder: Path) -> None:
    """Make a folder and its parents, in storages that have folders."""
    if not _is_in_object_store(folder):
        folder.mkdir(parents=True, exist_ok=True)


def remove_unfinished_files(folder: Path) -> None:
    """Remove files that a killed run has left behind."""
    if _is_in_object_store(folder):
        return
    for path in folder.rglob(f".*{UNFINISHED_SUFFIX}"):
        path.unlink(missing_ok=True)


@contextmanager
def lock_folder(folder: Path) -> Iterator[bool]:
    """Lock a folder for this process; False if another process has locked it.

    The system releases the lock when the process ends. Systems without such locks allow everyone.
    """
    try:
        import fcntl
    except ModuleNotFoundError:  # pragma: no cover  (Windows)
        yield True
        return
    if is_remote(folder):
        yield True
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        yield False
    else:
        yield True
    finally:
        os.close(descriptor)


def _write_to_storage(files: dict[Path, Callable[[BinaryIO], object]]) -> None:
    """Write files to another storage, each by a single call that fails or succeeds as a whole."""
    for path, write in files.items():
        held = io.BytesIO()
        write(held)
        storage = cast("Any", path).fs
        with storage_errors(path):
            if _is_in_object_store(path):
                storage.pipe_file(cast("Any", path).path, held.getvalue())
                continue
            unfinished = unfinished_path(path)
            storage.pipe_file(cast("Any", unfinished).path, held.getvalue())
            path.unlink(missing_ok=True)  # not every storage replaces a file by moving
            storage.mv(cast("Any", unfinished).path, cast("Any", path).path)


def _is_in_object_store(path: Path) -> bool:
    return is_remote(path) and cast("Any", path).protocol in _OBJECT_STORES
