from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from docbats import ReadError, SettingsError
from docbats.mcp.allowed_folders import AllowedFolders

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """An allowed folder and one beside it, with links between them."""
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    (inside / "below").mkdir(parents=True)
    outside.mkdir()
    (tmp_path / "inside-out").mkdir()
    for folder in (inside, inside / "below", outside, tmp_path / "inside-out"):
        (folder / "a.txt").write_text(f"In {folder.name}.")
    (inside / "link.txt").symlink_to(outside / "a.txt")
    (inside / "door").symlink_to(outside)
    (inside / "back.txt").symlink_to(inside / "below" / "a.txt")
    (outside / "in.txt").symlink_to(inside / "a.txt")
    (inside / "loop").symlink_to(inside / "loop")
    (inside / "zeros.txt").write_bytes(bytes(20))
    (inside / "notes.md").write_text("# Bats\n\nThey fly.\n")
    return tmp_path


@pytest.fixture
def folders(tree: Path) -> AllowedFolders:
    return AllowedFolders.from_names([str(tree / "inside")], 100)


@pytest.mark.parametrize("name", ["a.txt", "below/a.txt", "below/../a.txt", "back.txt", "./a.txt"])
def test_files_inside_are_read(folders: AllowedFolders, tree: Path, name: str) -> None:
    assert folders.read(name).text.startswith("In ")
    assert folders.read(str(tree / "inside" / name)).text == folders.read(name).text


def test_files_of_other_kinds_are_read_as_what_they_are(folders: AllowedFolders) -> None:
    assert folders.read("notes.md").kind == "markdown"


def test_a_link_from_elsewhere_to_the_inside_is_read(folders: AllowedFolders, tree: Path) -> None:
    assert folders.read(str(tree / "outside" / "in.txt")).text == "In inside."


@pytest.mark.parametrize(
    "name",
    [
        "../outside/a.txt",
        "link.txt",
        "door/a.txt",
        "below/../../outside/a.txt",
        "../inside-out/a.txt",
        "../outside/none.txt",
        "/etc/passwd",
        "/none",
        "..",
        "/",
        "door",
        "a\0.txt",
    ],
)
def test_nothing_outside_is_read_or_revealed(folders: AllowedFolders, name: str) -> None:
    with pytest.raises(ReadError, match=r"outside the allowed folders: .*inside$"):
        folders.read(name)


def test_what_is_not_a_readable_file_is_refused(folders: AllowedFolders, tree: Path) -> None:
    os.mkfifo(tree / "inside" / "pipe")
    (tree / "inside" / "long.txt").write_text("a" * 101)
    for name, message in {
        "none.txt": "no such file in",
        "~/a.txt": "no such file in",
        "below": "not a file",
        "": "not a file",
        "pipe": "not a file",
        "long.txt": "the file has 101 bytes, but at most 100 are allowed",
        "zeros.txt": "zeros.txt: ",
    }.items():
        with pytest.raises(ReadError, match=message):
            folders.read(name)
    with pytest.raises(ReadError):
        folders.read("loop")


def test_a_relative_name_is_looked_for_in_every_folder(tree: Path) -> None:
    names = [str(tree / "outside"), str(tree / "inside" / "below"), str(tree / "inside")]
    folders = AllowedFolders.from_names([*names, names[0]], 100)
    assert len(folders.paths) == 3
    assert folders.read("below/a.txt").text == "In below."
    assert folders.read("a.txt").text == "In outside."
    assert folders.read("link.txt").text == "In outside."


def test_without_folders_no_file_is_read() -> None:
    with pytest.raises(ReadError, match="none, so pass the text itself"):
        AllowedFolders.from_names([], 100).read("/etc/passwd")


def test_folders_must_be_there(tree: Path) -> None:
    with pytest.raises(SettingsError, match="none: there is no such folder"):
        AllowedFolders.from_names([str(tree / "none")], 100)
    with pytest.raises(SettingsError, match=r"a\.txt: this is not a folder"):
        AllowedFolders.from_names([str(tree / "inside" / "a.txt")], 100)


def test_files_are_listed_with_names_to_read_them_by(folders: AllowedFolders, tree: Path) -> None:
    (tree / "inside" / ".hidden.txt").write_text("no")
    (tree / "inside" / "program.exe").write_bytes(b"MZ")
    names = [name for name, _ in folders.list_files()]
    assert names == ["a.txt", "back.txt", "below/a.txt", "notes.md", "zeros.txt"]
    assert [name for name, _ in folders.list_files("*.MD")] == ["notes.md"]
    assert [name for name, _ in folders.list_files("below/*")] == ["below/a.txt"]
    assert all(size == folders.find(name).stat().st_size for name, size in folders.list_files())


def test_files_of_one_name_in_two_folders_are_told_apart(tree: Path) -> None:
    names = [str(tree / "inside"), str(tree / "inside-out")]
    folders = AllowedFolders.from_names(names, 100)
    listed = [name for name, _ in folders.list_files("a.txt")]
    assert listed == sorted(["a.txt", str(tree / "inside-out" / "a.txt")])
    texts = {folders.read(name).text for name in listed}
    assert texts == {"In inside.", "In inside-out."}


def test_a_file_swapped_for_a_link_after_the_check_is_not_read(
    folders: AllowedFolders, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = AllowedFolders.find

    def find_and_swap(self: AllowedFolders, name: str) -> Path:
        path = find(self, name)
        if name == "below/a.txt":  # a folder on the way
            (tree / "inside" / "below").rename(tree / "inside" / "was-below")
            (tree / "inside" / "below").symlink_to(tree / "outside")
        else:
            path.unlink()
            path.symlink_to(tree / "outside" / "a.txt")
        return path

    monkeypatch.setattr(AllowedFolders, "find", find_and_swap)
    for name in ("a.txt", "below/a.txt"):
        with pytest.raises(ReadError, match="cannot be read") as caught:
            folders.read(name)
        assert "outside" not in str(caught.value)


def test_pipes_and_names_without_end_are_refused(folders: AllowedFolders, tree: Path) -> None:
    os.mkfifo(tree / "inside" / "pipe.txt")
    with pytest.raises(ReadError, match="not a file"):
        folders.read("pipe.txt")
    for name in ("x" * 5000, "below/" * 2000 + "a.txt", "\0", "x\ud800"):
        with pytest.raises(ReadError):
            folders.read(name)
