"""Where files are: on this machine, or in a storage that a URL names.

fsspec reaches every storage that Ray does, and universal-pathlib makes paths of its URLs, so that
whoever writes into a folder need not know where that is.
"""

from __future__ import annotations

import glob
import os
import re
import stat
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Literal, cast

from docbats.corpus.errors import CorpusError
from docbats.errors import DocbatsError, MissingExtraError, ReadError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = [
    "Entry",
    "file_or_folder",
    "file_size",
    "find_matching",
    "find_problem",
    "is_remote",
    "is_url",
    "list_folder",
    "storage_errors",
    "strip_file_scheme",
    "to_path",
]

_URL = re.compile(r"(?!https?:|ftp:)[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_LOCAL_SCHEMES = ("file://", "local://")


@dataclass(frozen=True, slots=True)
class Entry:
    """What stands in a folder: its name there, its full name, and its bytes.

    `problem` says why it cannot be read, where that is known without opening it.
    """

    name: str
    path: str
    is_folder: bool
    size: int
    problem: str | None = None


def strip_file_scheme(name: str | os.PathLike[str]) -> str:
    """Turn the URL of a file on this machine into its path; other names stay.

    >>> strip_file_scheme("file:///data/talks"), strip_file_scheme("s3://talks/1999")
    ('/data/talks', 's3://talks/1999')
    """
    given = str(name)
    prefix = next((prefix for prefix in _LOCAL_SCHEMES if given.startswith(prefix)), "")
    return given.removeprefix(prefix)


def is_url(name: str) -> bool:
    """Whether a name leads to another storage than the disks of this machine.

    Web addresses do not: a text may begin with one, and nothing is fetched that nobody asked for.

    >>> is_url("s3://talks/1999"), is_url("talks/1999")
    (True, False)
    """
    return _URL.match(name) is not None


def is_remote(path: Path) -> bool:
    """Whether a path leads to another storage than the disks of this machine."""
    return not isinstance(path, PurePath)


def to_path(name: str) -> Path:
    """Return the path of a name; that of a URL can be used like one of this machine."""
    if not is_url(name):
        return Path(name)
    with storage_errors(name):
        return cast("Path", _remote_path(name))


@contextmanager
def storage_errors(name: object) -> Iterator[None]:
    """Turn the errors of a storage, which are of many types, into one of ours.

    That a file is not there, or may not be read, stays an error of its own.
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
    """Return what a name leads to; None if to nothing."""
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
    """Return the bytes of a file; 0 where it is not there, which is an error when it is read."""
    path = to_path(name)
    if is_remote(path):
        return int((_info(name, path) or {}).get("size") or 0)
    try:
        return path.stat().st_size
    except (OSError, ValueError):
        return 0


def list_folder(folder: str) -> list[Entry]:
    """Return what is in a folder, by name, without hidden files and folders."""
    try:
        found = list(_remote_entries(folder) if is_url(folder) else _local_entries(folder))
    except OSError as error:
        msg = f"{folder}: cannot be read: {error.strerror or error}"
        raise ReadError(msg) from None
    return sorted((e for e in found if not e.name.startswith(".")), key=lambda e: e.name)


def find_problem(path: str) -> str | None:
    """Return why what stands in a folder of this machine cannot be read as a file; None if it can.

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
    """Return the files that a pattern matches, by name."""
    if not is_url(pattern):
        # Names stay as they were given, which pathlib would change.
        names: Iterable[str] = glob.iglob(pattern, recursive=True)  # noqa: PTH207
        # What is no file, such as a link to nowhere, becomes a row that says so.
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
        _ = path.fs  # what it needs is looked for only now
    except ImportError as error:
        needed = 'pip install "docbats[cloud]"' if error.name in {"upath", "fsspec"} else error
        msg = f"{name}: what reaches this storage is not installed: {needed}"
        raise MissingExtraError(msg) from None
    except ValueError as error:
        msg = f"{name}: not a storage that can be reached: {error}"
        raise SettingsError(msg) from None
    return path


def _local_entries(folder: str) -> Iterator[Entry]:
    with os.scandir(folder) as found:
        for entry in found:
            is_folder = entry.is_dir(follow_symlinks=False)
            problem = None if is_folder else find_problem(entry.path)
            size = 0 if is_folder or problem else entry.stat().st_size
            yield Entry(entry.name, entry.path, is_folder, size, problem)


def _remote_entries(folder: str) -> Iterator[Entry]:
    path = cast("Any", to_path(folder))
    with storage_errors(folder):
        found = path.fs.ls(path.path, detail=True)
        path.fs.invalidate_cache()  # it would hold all names of a large storage
    for info in found:
        full = info["name"].rstrip("/")
        if full != path.path.rstrip("/"):  # some storages have an object for the folder itself
            is_folder = info["type"] == "directory"
            name = full.rpartition("/")[2]
            yield Entry(name, path.fs.unstrip_protocol(full), is_folder, info["size"] or 0)


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
