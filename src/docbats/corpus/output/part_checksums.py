"""The SHA-256 of the files of each part, so that damage to a finished part is found and repaired.

``checksums/part-000000.sha256`` is written after the files of the part: a part without it is not
finished. ``sha256sum --check checksums/*.sha256``, run in the folder, checks them, too.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from docbats.corpus.output.formats.format import part_name
from docbats.corpus.output.output_files import make_folder, write_file

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["find_damage", "has_checksums", "write_checksums"]

_LINE = re.compile(r"([0-9a-f]{64})  ([^\r\n]+)")
_CHUNK_SIZE = 1 << 20


def write_checksums(folder: Path, part: int, names: Iterable[str]) -> None:
    """Write the checksums of files, which are named from the folder on."""
    lines = [f"{_checksum(folder / name)}  {name}\n" for name in names]
    path = _path(folder, part)
    make_folder(path.parent)
    write_file(path, lambda file: file.write("".join(lines).encode()))


def has_checksums(folder: Path, part: int) -> bool:
    """Whether a part was finished."""
    return _path(folder, part).exists()


def find_damage(folder: Path, part: int, names: Iterable[str]) -> str | None:
    """Return the name of a file that is not as it was written; None if all are, `names` as well."""
    path = _path(folder, part)
    own = f"{path.parent.name}/{path.name}"
    try:
        lines = path.read_text("ascii").splitlines()
    except (OSError, ValueError):
        return own
    found = [_LINE.fullmatch(line) for line in lines]
    written = {line[2]: line[1] for line in found if line is not None}
    if len(written) != len(lines) or not written.keys() >= set(names):
        return own
    for name, checksum in written.items():
        try:
            is_same = _checksum(folder / name) == checksum
        except OSError:
            is_same = False
        if not is_same:
            return name
    return None


def _path(folder: Path, part: int) -> Path:
    return folder / "checksums" / part_name(part, "sha256")


def _checksum(path: Path) -> str:
    total = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_SIZE):
            total.update(chunk)
    return total.hexdigest()
