"""The experiment on whole books, and its page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from docbats_lab.experiments.books import WAYS, page, run
from docbats_lab.experiments.request import Request

RESULTS = Path(__file__).parents[3] / "benchmarks" / "results" / "lab" / "books"
WORDS = {
    "Bats": "wing cave night echo insect roost",
    "Tea": "leaf kettle cup water garden harvest",
    "Ships": "sail mast harbour storm captain rope",
}


def write_book(data: Path) -> None:
    blocks: list[dict[str, object]] = []
    for subject, words in WORDS.items():
        blocks.append({"type": "heading", "level": 1, "text": subject})
        for i in range(8):
            a, b, c = (words.split()[(i + shift) % 6] for shift in range(3))
            blocks.append({
                "type": "paragraph",
                "text": f"The {a} is near the {b}. Every {b} needs a {c}. No {a} has a {c}.",
            })  # fmt: skip
    folder = data / "structured" / "standard-ebooks"
    folder.mkdir(parents=True)
    for number in (1, 2):
        half = blocks[: len(blocks) // 2] if number == 1 else blocks[len(blocks) // 2 :]
        text = json.dumps({"language": "en", "blocks": half})
        (folder / f"nobody_three-things_{number}.json").write_text(text, encoding="utf-8")


@pytest.fixture
def facts(tmp_path: Path) -> dict[str, Any]:
    write_book(tmp_path)
    run(Request(tmp_path, tmp_path / "results"))
    text = (tmp_path / "results" / "books" / "facts.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)["books"]["nobody_three-things"]
    return found


def test_chapters_are_found_in_every_way(facts: dict[str, Any]) -> None:
    assert (facts["chapters"], facts["sentences"]) == (3, 72)
    for way in WAYS:
        assert facts[way]["true"] == {"f1_2": 1.0, "pk": 0.0, "wd": 0.0}
    assert facts["headings"]["parts"] == 3
    assert facts["none"]["f1_2"] == 0


def test_the_page_counts_books_that_do_well(tmp_path: Path) -> None:
    write_book(tmp_path)
    run(Request(tmp_path, tmp_path / "results"))
    text = "\n".join(page(tmp_path / "results" / "books", tmp_path))
    assert "| three things | standard-ebooks | 3 | 72 |" in text
    assert "- headings: 0 of 1 books get 5 to 20 parts." in text
    assert "- bare (k): 1 of 1 books reach 0.5." in text


def test_headings_make_the_parts_of_every_stored_book() -> None:
    books = json.loads((RESULTS / "facts.json").read_text(encoding="utf-8"))["books"]
    assert len(books) == 10
    for book in books.values():
        assert book["headings"]["parts"] == book["chapters"]
        assert book["headings"]["true"]["f1_2"] == book["headings"]["found"]["f1_2"] == 1
