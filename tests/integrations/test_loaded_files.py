from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from docbats import InputError, ReadError
from docbats.integrations.loaded_files import FileReader, find_files

if TYPE_CHECKING:
    from pathlib import Path


def test_a_folder_yields_its_readable_files(folder: Path) -> None:
    found = [path.relative_to(folder).as_posix() for path in find_files(folder)]
    assert found == ["a.md", "c.txt", "inside/b.vtt"]
    named: list[str | Path] = [folder / "c.txt", str(folder / "inside")]
    assert [path.name for path in find_files(named)] == ["c.txt", "b.vtt"]


def test_files_know_their_kind_and_blank_ones_have_no_document(folder: Path) -> None:
    read = FileReader().read(folder / "a.md")
    assert (read.kind, read.document is not None) == ("markdown", True)
    assert FileReader().read(folder / "c.txt").document is None
    assert FileReader(kind="text").read(folder / "a.md").kind == "text"


def test_wrong_paths_are_refused(folder: Path) -> None:
    with pytest.raises(InputError, match="expected the path of a file or of a folder, got int"):
        list(find_files([3]))  # type: ignore[list-item]
    (folder / "empty").mkdir()
    with pytest.raises(ReadError, match="this folder has no file that docbats can read"):
        list(find_files(folder / "empty"))
    with pytest.raises(ReadError, match=r"none\.txt"):
        FileReader().read(folder / "none.txt")
