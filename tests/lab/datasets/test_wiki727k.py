from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from docbats import ReadError
from docbats_lab.datasets import DATASETS
from docbats_lab.layouts import Wiki727k, read_wiki727k

if TYPE_CHECKING:
    from pathlib import Path

ARTICLE = """\
========,1,preface.
Bats are mammals, as are whales.
They fly at night.
========,2,Food, and where it is found.
Most eat insects.
***LIST***.
========,3,Moths.
A moth weighs ***formula*** grams.
***formula***.
========,2,Gallery.
***LIST***.
========,2,Species.
========,3,Large.
========,4,Larger.
Flying foxes are the largest.
"""


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_segments_begin_at_top_level_headings(tmp_path: Path) -> None:
    document = read_wiki727k(write(tmp_path / "4625", ARTICLE), "4625")
    assert document.segments == (
        ("Bats are mammals, as are whales.", "They fly at night."),
        ("Most eat insects.", "A moth weighs grams."),
        ("Flying foxes are the largest.",),
    )


def test_text_before_any_heading_is_a_segment(tmp_path: Path) -> None:
    path = write(tmp_path / "1", "Bats fly.\n\n========,2,Food.\nThey eat.\n")
    assert read_wiki727k(path, "1").segments == (("Bats fly.",), ("They eat.",))


def test_a_sentence_may_hold_odd_line_breaks_and_signs(tmp_path: Path) -> None:
    path = write(tmp_path / "1", "Bats\u2028fly \x0b far.\n======== is no heading.\n")
    assert read_wiki727k(path, "1").segments == (("Bats fly far.", "======== is no heading."),)


def test_nested_folders(tmp_path: Path) -> None:
    folder = tmp_path / "wiki_727"
    write(folder / "train" / "00" / "04" / "62" / "4625", ARTICLE)
    write(folder / "test" / "05" / "13" / "00" / "513009", "Tea cools.\n")
    write(folder / "dev" / "05" / "13" / "00" / "513002", "========,1,preface.\n***LIST***.\n")
    write(folder / "train" / "paths_cache", "/somewhere/4625\n")
    write(folder / "train" / ".DS_Store", "x")
    dataset = DATASETS["wiki-727k"]
    names = [document.name for document in dataset.load(tmp_path)]
    assert names == ["test/05/13/00/513009", "train/00/04/62/4625"]
    assert dataset.groups_of(names[0]) == ("test",)
    assert Wiki727k().count(folder) == 3
    status = dataset.check(tmp_path)
    assert (status.present, status.documents, status.checksum) == (True, 3, "unknown")


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "1").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ReadError, match="cannot be read as an article of WIKI-727K"):
        read_wiki727k(tmp_path / "1", "1")
