"""Files that appear complete or not at all, even if the power fails."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

UNFINISHED_SUFFIX = ".unfinished"
"""Suffix of files that are not complete yet; a killed process leaves them behind."""

# Bytes of a file's name to keep in its temporary name. With more, that could be longer than systems
# allow: 255 bytes, or 143 if names are encrypted.
MAX_KEPT_BYTES = 100


def unfinished_path(path: Path) -> Path:
    """Return the temporary path of a file, in the same folder, until it is complete.

    >>> from pathlib import Path
    >>> unfinished_path(Path("out/report.html")).name.startswith(".report.html.")
    True
    """
    name, encoded = path.name, os.fsencode(path.name)
    if len(encoded) > MAX_KEPT_BYTES:
        digest = hashlib.sha256(encoded).hexdigest()[:16]
        name = f"{encoded[:MAX_KEPT_BYTES].decode('utf-8', 'ignore')}.{digest}"
    return path.with_name(f".{name}.{os.getpid()}{UNFINISHED_SUFFIX}")


def write_bytes_atomically(path: Path, data: bytes) -> None:
    """Write a file that gets its name once it is on the disk; a pipe or a device is written to."""
    if path.exists() and not path.is_file():
        path.write_bytes(data)
    else:
        write_atomically({path: lambda file: file.write(data)})


def write_atomically(files: Mapping[Path, Callable[[BinaryIO], object]]) -> None:
    """Write files by their functions; none gets its name before all are on the disk.

    They get their names in the given order: once the last one exists, they all do. A replaced file
    keeps its permissions, and if it is a link, its target is replaced.
    """
    # Not `Path.resolve`, which fails for links in a circle.
    targets = {Path(os.path.realpath(path)): write for path, write in files.items()}
    unfinished = {path: unfinished_path(path) for path in targets}
    try:
        for path, write in targets.items():
            with unfinished[path].open("wb") as file:
                write(file)
                file.flush()
                os.fsync(file.fileno())
            if path.exists():
                shutil.copymode(path, unfinished[path])
        for path in targets:
            unfinished[path].replace(path)
            _sync_folder(path.parent)
    except BaseException:
        for path in unfinished.values():
            path.unlink(missing_ok=True)
        raise


def _sync_folder(folder: Path) -> None:
    """Write the names of its files to the disk, too."""
    if os.name != "posix":  # pragma: no cover
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except PermissionError:  # a folder that may be written to, but not read
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
