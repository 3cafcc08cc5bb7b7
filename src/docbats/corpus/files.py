"""Files that appear whole or not at all, whenever the power fails."""

from __future__ import annotations

import io
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from docbats.corpus.storage import is_remote, reaching

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["locked", "make_folder", "remove_unfinished", "write_all_whole", "write_whole"]

_UNFINISHED = ".unfinished"
_OBJECT_STORES = {"abfs", "abfss", "adl", "az", "gcs", "gs", "memory", "oss", "s3", "s3a"}
"""Storages where a file appears whole by itself, and which have no folders."""


def write_whole(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Let `write` write a file that gets its name when it is on the disk."""
    write_all_whole({path: write})


def write_all_whole(files: dict[Path, Callable[[BinaryIO], object]]) -> None:
    """Write several files; none has its name before all are on the disk, and the last comes last.

    So whoever finds the last one finds them all.
    """
    if any(map(is_remote, files)):
        _store(files)
        return
    unfinished = {path: path.with_name(f".{path.name}{_UNFINISHED}") for path in files}
    try:
        for path, write in files.items():
            with unfinished[path].open("wb") as file:
                write(file)
                file.flush()
                os.fsync(file.fileno())
        for path in files:
            unfinished[path].replace(path)
            _sync_folder(path.parent)
    except BaseException:
        for path in unfinished.values():
            path.unlink(missing_ok=True)
        raise


def make_folder(folder: Path) -> None:
    """Make a folder, and those that it is in, where there are folders."""
    if not _appear_whole(folder):
        folder.mkdir(parents=True, exist_ok=True)


def remove_unfinished(folder: Path) -> None:
    """Remove what a run that was killed has left behind."""
    if _appear_whole(folder):
        return
    for path in folder.rglob(f".*{_UNFINISHED}"):
        path.unlink(missing_ok=True)


@contextmanager
def locked(folder: Path) -> Iterator[bool]:
    """Hold a folder for this process; False if another one holds it.

    The system lifts the lock with the process. Where there are no such locks, nobody is kept out.
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


def _store(files: dict[Path, Callable[[BinaryIO], object]]) -> None:
    """Write files to another storage, each by one call, which fails or succeeds as a whole."""
    for path, write in files.items():
        held = io.BytesIO()
        write(held)
        storage = cast("Any", path).fs
        with reaching(path):
            if _appear_whole(path):
                storage.pipe_file(cast("Any", path).path, held.getvalue())
                continue
            unfinished = path.with_name(f".{path.name}{_UNFINISHED}")
            storage.pipe_file(cast("Any", unfinished).path, held.getvalue())
            path.unlink(missing_ok=True)  # not every storage replaces a file by moving
            storage.mv(cast("Any", unfinished).path, cast("Any", path).path)


def _appear_whole(path: Path) -> bool:
    return is_remote(path) and cast("Any", path).protocol in _OBJECT_STORES


def _sync_folder(folder: Path) -> None:
    """Put names on the disk, too."""
    if os.name != "posix":  # pragma: no cover
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
