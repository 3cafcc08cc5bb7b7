"""Headings put over the segments of a text."""

from __future__ import annotations

from typing import Any

import docbats
from docbats import Document
from docbats.render.markdown import insert_headings


def _inserted(text: str, k: int, name: str = "text.md") -> str:
    return insert_headings(docbats.analyze(Document.read(text.encode(), name=name), k=k))


def test_headings_are_put_over_segments(files: Any) -> None:
    text = " ".join([*files.bats, *files.tea]) + "\n"
    inserted = _inserted(text, 2)
    assert inserted.count("\n## ") + inserted.startswith("## ") == 2
    assert [line for line in inserted.splitlines() if line and not line.startswith("#")] == [
        " ".join(files.bats),
        " ".join(files.tea),
    ]


def test_own_headings_stay_and_levels_follow(files: Any) -> None:
    text = "# Notes\n\n" + "\n".join(files.bats) + "\n\n## Drinks\n\n" + "\n".join(files.tea) + "\n"
    assert _inserted(text, 2) == text
    three = _inserted(text, 3)
    assert three.replace("\n", "").startswith("# Notes")
    assert "# Notes" in three
    assert "## Drinks" in three


def test_without_the_new_headings_nothing_has_changed(example: Any) -> None:
    text = example.read_text()
    result = docbats.analyze(text)
    inserted = insert_headings(result)
    kept = [line for line in inserted.splitlines() if not line.startswith("## ")]
    assert " ".join("\n".join(kept).split()) == " ".join(text.split())
    assert sum(line.startswith("## ") for line in inserted.splitlines()) == len(result.segments)


def test_no_list_or_table_is_cut_in_two(files: Any) -> None:
    rows = [f"| {sentence} |" for sentence in [*files.bats, *files.tea]]
    text = "\n".join(["| head |", "|---|", *rows]) + "\n"
    body = [line for line in _inserted(text, 2).splitlines() if not line.startswith("#")]
    assert "\n".join(body).strip() == text.strip()


def test_headings_of_other_files_become_markdown(files: Any) -> None:
    page = "<h1>Notes</h1>" + "".join(f"<p>{s}</p>" for s in files.bats) + "<h2>Drinks</h2>"
    page += "".join(f"<p>{s}</p>" for s in files.tea)
    inserted = _inserted(f"<html>{page}</html>", 2, "page.html")
    assert "# Notes\n" in inserted
    assert "## Drinks\n" in inserted
