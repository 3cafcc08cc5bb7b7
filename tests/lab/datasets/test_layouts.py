from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from docbats import ReadError
from docbats_lab.layouts import RefFiles

if TYPE_CHECKING:
    from pathlib import Path

RULE = "=" * 10


def test_documents_are_named_by_their_path(tmp_path: Path) -> None:
    for name in ("1/3-5/0.ref", "1/3-11/10.ref", "St._Ives.ref", "1/README.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"{RULE}\nBats fly .\n{RULE}\nTea cools .\n{RULE}\n")
    read = list(RefFiles().read(tmp_path))
    assert [document.name for document in read] == ["1/3-11/10", "1/3-5/0", "St._Ives"]
    assert read[0].segments == (("Bats fly .",), ("Tea cools .",))
    assert RefFiles().count(tmp_path) == 3
    assert [document.language for document in read] == ["en"] * 3
    assert next(RefFiles(language="fr").read(tmp_path)).language == "fr"


def test_a_file_in_another_encoding_is_named(tmp_path: Path) -> None:
    (tmp_path / "0.ref").write_bytes("Thé .\n".encode("latin-1"))
    with pytest.raises(ReadError, match=r"0\.ref is not in UTF-8"):
        list(RefFiles().read(tmp_path))
