from __future__ import annotations

import os
import threading
from operator import methodcaller
from pathlib import Path
from typing import BinaryIO

import pytest

from docbats.atomic_write import (
    UNFINISHED_SUFFIX,
    unfinished_path,
    write_atomically,
    write_bytes_atomically,
)


def test_a_file_is_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"before")
    path.chmod(0o600)
    write_bytes_atomically(path, b"after")
    assert path.read_bytes() == b"after"
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_no_file_appears_where_one_fails(tmp_path: Path) -> None:
    def fail(file: BinaryIO) -> None:
        file.write(b"the beginning")
        assert any(path.name.endswith(UNFINISHED_SUFFIX) for path in tmp_path.iterdir())
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_atomically({tmp_path / "a": lambda file: file.write(b"all"), tmp_path / "b": fail})
    assert list(tmp_path.iterdir()) == []


def test_a_pipe_stays_one(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writing = threading.Thread(target=write_bytes_atomically, args=(path, b"through it"))
    writing.start()
    assert path.read_bytes() == b"through it"
    writing.join()
    assert path.is_fifo()


@pytest.mark.parametrize("exists", [True, False])
def test_a_link_stays_one_and_its_target_is_written(tmp_path: Path, *, exists: bool) -> None:
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "target", tmp_path / "link"
    if exists:
        target.write_bytes(b"before")
        target.chmod(0o600)
    link.symlink_to(Path("folder") / "target")
    write_bytes_atomically(link, b"after")
    assert link.is_symlink()
    assert target.read_bytes() == link.read_bytes() == b"after"
    assert not exists or target.stat().st_mode & 0o777 == 0o600
    assert list(target.parent.iterdir()) == [target]


def test_a_link_that_leads_nowhere_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "loop"
    path.symlink_to(path)
    write_bytes_atomically(path, b"after")
    assert path.read_bytes() == b"after"


@pytest.mark.parametrize("letter", ["a", "é", "本", "🦇"])
def test_the_longest_names_can_be_written(tmp_path: Path, letter: str) -> None:
    """A system that allows 255 bytes for a name allows them to us."""
    stem = letter * (250 // len(letter.encode()))
    paths = [tmp_path / f"{stem}{number}" for number in range(2)]
    write_atomically({path: methodcaller("write", path.name.encode()) for path in paths})
    for path in paths:
        assert path.read_bytes() == path.name.encode()
    assert sorted(tmp_path.iterdir()) == paths


def test_files_have_different_names_until_they_are_complete() -> None:
    names = [f"{letter * size}{end}" for letter in "aé" for size in (1, 90, 240) for end in "xy"]
    unfinished = {unfinished_path(Path("out") / name) for name in names}
    assert len(unfinished) == len(names)
    for path in unfinished:
        assert path.parent == Path("out")
        assert path.name.startswith(".")
        assert path.name.endswith(UNFINISHED_SUFFIX)
        assert len(os.fsencode(path.name)) <= 143  # where names are encrypted, they are shorter
