from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from docbats import ReadError
from docbats.document import Document
from docbats_lab.datasets import DATASETS
from docbats_lab.layouts import StructuredFiles

if TYPE_CHECKING:
    from pathlib import Path


def heading(text: str, level: int = 2) -> dict[str, Any]:
    return {"type": "heading", "level": level, "text": text}


def paragraph(text: str) -> dict[str, Any]:
    return {"type": "paragraph", "text": text}


BLOCKS = [
    paragraph("Caves are dark. Few people go there."),
    heading("Bats"),
    paragraph("Bats hunt moths at night. They hear the walls."),
    heading("Food", 3),
    paragraph("Moths are food."),
    heading("Tea"),
    {"type": "code", "text": "boil(water)"},
    paragraph("Tea needs hot water."),
    heading("Ships"),
    {"type": "list_item", "text": "Ships sail."},
]


def write(folder: Path, name: str, language: str = "en", blocks: Any = BLOCKS) -> None:
    path = folder / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"language": language, "blocks": blocks}), encoding="utf-8")


def test_sections_without_headings_are_segments(tmp_path: Path) -> None:
    write(tmp_path, "peps/b")
    (document,) = StructuredFiles().read(tmp_path)
    assert document.name == "peps/b"
    assert document.segments == (
        ("Caves are dark.", "Few people go there."),
        ("Bats hunt moths at night.", "They hear the walls.", "Moths are food."),
        ("Tea needs hot water.",),
        ("Ships sail.",),
    )
    assert document.text is not None
    assert document.text.split("\n\n")[2] == "Moths are food."
    assert Document.from_text(document.text).sentences == document.sentences
    assert DATASETS["structured"].groups_of(document.name) == ("peps",)


def test_documents_come_in_order_and_in_their_language(tmp_path: Path) -> None:
    write(tmp_path, "peps/a")
    write(tmp_path, "legalize-es/z", "es")
    write(tmp_path, "mdn-translated/k", "ko")  # which docbats does not know
    write(tmp_path, "mdn-translated/p", "pt-br")
    write(tmp_path, "_format_only/x")
    write(tmp_path, "peps/originals/a")
    read = list(StructuredFiles().read(tmp_path))
    assert [(document.name, document.language) for document in read] == [
        ("legalize-es/z", "es"),
        ("mdn-translated/k", "auto"),
        ("mdn-translated/p", "pt"),
        ("peps/a", "en"),
    ]
    assert StructuredFiles().count(tmp_path) == 4


@pytest.mark.parametrize("text", ["{", '{"language": "en"}', "[]"])
def test_a_broken_file_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "peps").mkdir()
    (tmp_path / "peps" / "a.json").write_text(text)
    with pytest.raises(ReadError, match=r"a\.json cannot be read as a structured document"):
        list(StructuredFiles().read(tmp_path))
