from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, BinaryIO

import pytest

from docbats.atomic_write import UNFINISHED_SUFFIX, write_atomically, write_bytes_atomically

if TYPE_CHECKING:
    from pathlib import Path


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
