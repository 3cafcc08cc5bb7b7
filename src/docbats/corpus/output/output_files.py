"""Files of the output, on this machine or in another storage, that appear whole or not at all."""

from __future__ import annotations

import io
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from docbats.atomic_write import UNFINISHED_SUFFIX, unfinished_path, write_atomically
from docbats.corpus.storage import is_remote, storage_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = [
    "lock_folder",
    "make_folder",
    "remove_unfinished_files",
    "write_file",
    "write_files",
]

_OBJECT_STORES = {"abfs", "abfss", "adl", "az", "gcs", "gs", "memory", "oss", "s3", "s3a"}
"""Storages where a file appears whole by itself, and which have no folders."""


def write_file(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Let `write` write a file that gets its name when it is complete."""
    write_files({path: write})


def write_files(files: dict[Path, Callable[[BinaryIO], object]]) -> None:
    """Write several files; on this machine, none gets its name before all are on the disk.

    The last one gets its name last, so whoever finds it finds them all.
    """
    if any(map(is_remote, files)):
        _write_to_storage(files)
    else:
        write_atomically(files)


def make_folder(folder: Path) -> None:
    """Make a folder, and those that it is in, where there are folders."""
    if not _is_in_object_store(folder):
        folder.mkdir(parents=True, exist_ok=True)


def remove_unfinished_files(folder: Path) -> None:
    """Remove what a run that was killed has left behind."""
    if _is_in_object_store(folder):
        return
    for path in folder.rglob(f".*{UNFINISHED_SUFFIX}"):
        path.unlink(missing_ok=True)


@contextmanager
def lock_folder(folder: Path) -> Iterator[bool]:
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


def _write_to_storage(files: dict[Path, Callable[[BinaryIO], object]]) -> None:
    """Write files to another storage, each by one call, which fails or succeeds as a whole."""
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
