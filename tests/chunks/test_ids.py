"""Ids of chunks: the same on every machine and run, and different for different chunks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

import docbats
from docbats.chunks.chunk import stable_id
from docbats.chunks.chunker import chunk_with_parents

if TYPE_CHECKING:
    import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "article.txt"
TEXT = "# Bats\n\nThey fly at night.\n\n# Food\n\nThey eat moths. They drink.\n"


def ids(source: docbats.document.Source, **options: object) -> list[str]:
    return [chunk.id for chunk in docbats.chunk(source, 40, **options)]  # type: ignore[arg-type]


def test_ids_are_those_of_this_release() -> None:
    """An index that was built before must not be built anew: these never change."""
    assert ids(TEXT, document_id="bats.md") == [
        "d9197794-abf3-5aff-a46d-ce8374921aa5",
        "764633a8-3829-5f77-9474-77b09132247c",
    ]


def test_ids_are_the_same_in_another_process(tmp_path: Path) -> None:
    code = f"import docbats; print(*(c.id for c in docbats.chunk({TEXT!r}, 40)))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=True, cwd=tmp_path,
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )  # fmt: skip
    assert done.stdout.split() == ids(TEXT)


def test_ids_are_uuids_of_the_document_the_place_and_the_content() -> None:
    found = ids(EXAMPLE.read_text())
    assert all(str(UUID(each)) == each for each in found)
    assert len(set(found)) == len(found)
    assert ids(TEXT, document_id="a") != ids(TEXT, document_id="b")
    assert ids("\n" + TEXT, document_id="a") != ids(TEXT, document_id="a")  # another place
    plain, headed = (docbats.chunk(TEXT, 40, context=c)[1] for c in ("none", "headings"))
    assert (plain.id == headed.id) == (plain.content == headed.content)


def test_what_follows_a_change_only_changes_where_it_does() -> None:
    before, after = (ids(TEXT + more, document_id="a") for more in ("", "\n# Sleep\n\nBy day.\n"))
    assert after[: len(before)] == before


def test_a_path_is_the_id_of_its_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bats.md").write_text(TEXT)
    document = docbats.Document.read("bats.md")
    assert (document.id, document.identity) == ("bats.md", "bats.md")
    with Path("bats.md").open("rb") as opened:
        found = [ids(each) for each in (Path("bats.md"), document, opened)]
    assert found == [ids(TEXT, document_id="bats.md")] * 3
    assert docbats.Document.of(TEXT).id is None


def test_every_node_of_a_tree_has_its_own_id() -> None:
    nodes = chunk_with_parents(docbats.Chunker(300), EXAMPLE, 900, document_id="a")
    assert len({node.chunk.id for node in nodes}) == len(nodes)
    assert {node.chunk.document_id for node in nodes} == {"a"}


def test_a_chunk_as_a_dictionary() -> None:
    chunk = docbats.chunk(TEXT, 40, context="headings", document_id="a")[1]
    values = chunk.to_dict()
    assert (values["id"], values["document_id"], values["text"]) == (chunk.id, "a", chunk.text)
    assert chunk.values().items() <= values.items()
    assert values.get("content", chunk.text) == chunk.content


@given(st.lists(st.one_of(st.text(), st.integers()), max_size=3))
def test_any_parts_make_an_id(parts: list[str | int]) -> None:
    assert stable_id(*parts) == stable_id(*parts)
    assert stable_id(*parts, "") != stable_id(*parts)
