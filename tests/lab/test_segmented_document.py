from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from docbats import ReadError
from docbats_lab.documents import read_segmented

if TYPE_CHECKING:
    from pathlib import Path

RULE = "=" * 10


def test_reads_segments_between_rules(tmp_path: Path) -> None:
    path = tmp_path / "one.ref"
    path.write_text(f"{RULE}\nBats fly .\nThey hunt .\n{RULE}\n\nTea cools .\n{RULE}\n{RULE}\n")
    document = read_segmented(path)
    assert document.name == "one"
    assert document.segments == (("Bats fly .", "They hunt ."), ("Tea cools .",))
    assert document.sentences == ("Bats fly .", "They hunt .", "Tea cools .")


def test_a_file_without_sentences_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "none.ref"
    path.write_text(f"{RULE}\n{RULE}\n")
    with pytest.raises(ReadError, match="has no sentences"):
        read_segmented(path)
