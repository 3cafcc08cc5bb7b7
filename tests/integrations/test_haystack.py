from __future__ import annotations

import doctest
import inspect
from typing import TYPE_CHECKING, Any

import pytest

from docbats import InputError, SettingsError, analyze

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.integrations("haystack", "docbats[haystack]")


def splitter(**settings: Any) -> Any:
    from docbats.integrations.haystack import DocbatsDocumentSplitter

    return DocbatsDocumentSplitter(**settings)


def document(text: str | None, **meta: Any) -> Any:
    from haystack import Document

    return Document(content=text, meta=meta)


def test_docstrings_tell_the_truth() -> None:
    from docbats.integrations import haystack

    assert doctest.testmod(haystack).failed == 0


@pytest.mark.parametrize("settings", [{}, {"max_size": 60, "size_unit": "words", "overlap": 15}])
def test_meta_tells_where_each_part_is(example: Path, settings: dict[str, Any]) -> None:
    text = example.read_text()
    source = document(text, file="a.txt")
    parts = splitter(**settings).run(documents=[source])["documents"]
    segments = analyze(text, **settings).segments
    assert [part.meta["split_id"] for part in parts] == list(range(len(segments)))
    assert [part.meta["title"] for part in parts] == [segment.title for segment in segments]
    for part in parts:
        start = part.meta["split_idx_start"]
        assert text[start : start + len(part.content)] == part.content
        assert part.meta["source_id"] == source.id
        assert part.meta["file"] == "a.txt"
    assert source.meta == {"file": "a.txt"}


def test_parts_joined_are_the_document(repeated: str) -> None:
    parts = splitter(k=3).run(documents=[document(repeated)])["documents"]
    assert "".join(part.content for part in parts) == repeated


def test_pages_are_counted() -> None:
    text = "Bats hunt moths. Moths hear bats.\fTea needs hot water. Hot tea cools."
    parts = splitter(k=2).run(documents=[document(text)])["documents"]
    assert [part.meta["page_number"] for part in parts] == [1, 2]


def test_it_works_in_a_pipeline_that_is_stored(repeated: str) -> None:
    from haystack import Pipeline
    from haystack.components.writers import DocumentWriter
    from haystack.document_stores.in_memory import InMemoryDocumentStore
    from haystack.document_stores.types import DuplicatePolicy

    pipeline = Pipeline()
    pipeline.add_component("splitter", splitter(k=2, max_size=40, size_unit="words"))
    writer = DocumentWriter(InMemoryDocumentStore(), policy=DuplicatePolicy.OVERWRITE)
    pipeline.add_component("writer", writer)
    pipeline.connect("splitter", "writer")
    stored = pipeline.dumps()
    assert "docbats.integrations.haystack.DocbatsDocumentSplitter" in stored
    # From version 3 on, Haystack loads only components of modules that were named.
    trust = "allowed_modules" in inspect.signature(Pipeline.loads).parameters
    named: dict[str, Any] = {"allowed_modules": ["docbats.integrations.haystack"]} if trust else {}
    for each in (pipeline, Pipeline.loads(stored, **named)):
        written = each.run({"splitter": {"documents": [document(repeated)]}})
        assert written["writer"]["documents_written"] == 2


def test_a_prefix_saves_the_title_of_the_document(repeated: str) -> None:
    part = splitter(k=2, prefix="segment_").run([document(repeated, title="Mine")])["documents"][0]
    assert part.meta["title"] == "Mine"
    assert part.meta["segment_title"]


def test_blank_documents_have_no_parts_and_others_need_text() -> None:
    assert splitter().run([document(" ")]) == {"documents": []}
    with pytest.raises(InputError, match="has no text"):
        splitter().run([document(None)])


def test_wrong_settings_are_refused_at_once() -> None:
    with pytest.raises(SettingsError, match="no setting 'split_length'"):
        splitter(split_length=100)
