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


def count_letters(text: str) -> int:
    return len(text)


@pytest.mark.parametrize(
    "settings",
    [{"chunk_size": 60, "length_function": count_letters},
     {"max_size": 60, "size_unit": count_letters}],
)  # fmt: skip
def test_functions_are_stored_by_their_import_paths(
    repeated: str, settings: dict[str, Any]
) -> None:
    from haystack import Pipeline

    pipeline = Pipeline()
    pipeline.add_component("splitter", splitter(**settings))
    stored = pipeline.dumps()
    assert f"callable: {__name__}.count_letters" in stored
    trust = "allowed_modules" in inspect.signature(Pipeline.loads).parameters
    modules = ["docbats.integrations.haystack", __name__]
    named: dict[str, Any] = {"allowed_modules": modules} if trust else {}
    again = Pipeline.loads(stored, **named)
    texts = [
        [part.content for part in each.run({"splitter": {"documents": [document(repeated)]}})[
            "splitter"]["documents"]]
        for each in (pipeline, again)
    ]  # fmt: skip
    assert texts[0] == texts[1]
    assert max(map(len, texts[0])) <= 60


def test_functions_without_a_name_are_refused_when_stored() -> None:
    from haystack.core.errors import SerializationError

    with pytest.raises(SerializationError, match="lambdas"):
        splitter(chunk_size=60, length_function=lambda _: 1).to_dict()


@pytest.mark.parametrize("options", [{}, {"context": "headings"}])
def test_neighbors_know_what_they_share(markdown: Any, options: dict[str, Any]) -> None:
    parts = splitter(chunk_size=120, chunk_overlap=40, **options).run([markdown])["documents"]
    by_id = {part.id: part for part in parts}
    shared = [(part, each) for part in parts for each in part.meta["_split_overlap"]]
    assert len(shared) > 2
    for part, each in shared:
        other = by_id[each["doc_id"]]
        first, last = each["range"]
        mutual = [back for back in other.meta["_split_overlap"] if back["doc_id"] == part.id]
        (start, end) = mutual[0]["range"]
        assert other.content[first:last] == part.content[start:end] != ""
    plain = splitter(chunk_size=120).run([markdown])["documents"]
    assert not any("_split_overlap" in part.meta for part in plain)


def test_overlaps_are_told_as_by_the_splitter_of_haystack() -> None:
    from haystack.components.preprocessors import DocumentSplitter

    text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools. "
    theirs = DocumentSplitter(split_by="word", split_length=7, split_overlap=3)
    if hasattr(theirs, "warm_up"):
        theirs.warm_up()
    one = theirs.run([document(text)])["documents"][1].meta["_split_overlap"][0]
    ours = splitter(chunk_size=60, chunk_overlap=20).run([document(text)])["documents"]
    two = ours[1].meta["_split_overlap"][0]
    assert one.keys() == two.keys()
    assert type(one["range"]) is type(two["range"])
    start, end = two["range"]
    assert ours[0].content[start:end] == ours[1].content[: end - start]


def test_a_prefix_saves_the_title_of_the_document(repeated: str) -> None:
    kept = splitter(k=2).run([document(repeated, title="Mine")])["documents"][0]
    assert kept.meta["title"] == "Mine"
    assert kept.meta["docbats_title"]
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


def converter(**arguments: Any) -> Any:
    from docbats.integrations.haystack import DocbatsConverter

    return DocbatsConverter(**arguments)


def test_the_converter_reads_what_docbats_reads(folder: Path) -> None:
    from haystack.dataclasses import ByteStream

    found = converter().run([folder], meta={"by": "us"})["documents"]
    assert [d.meta["file_path"] for d in found] == ["a.md", "c.txt", "b.vtt"]
    assert {d.meta["by"] for d in found} == {"us"}
    parts = splitter(k=2).run(found)["documents"]
    assert [part.meta.get("speakers") for part in parts] == [None, None, ["Ann"], ["Bob"]]
    assert parts[1].meta["heading_path"] == ["Tea"]
    assert parts[3].meta["seconds"] == [4.0, 9.0]
    stream = ByteStream((folder / "a.md").read_bytes(), meta={"file_name": "a.md"})
    (read,) = converter().run([stream])["documents"]
    assert read.content == found[0].content
    (full,) = converter(store_full_path=True).run([str(folder / "a.md")])["documents"]
    assert full.meta["file_path"] == str(folder / "a.md")
    with pytest.raises(InputError, match="got 1 for 2 sources"):
        converter().run([folder, folder], meta=[{}])


def test_files_keep_their_pages_and_times_in_a_pipeline(folder: Path) -> None:
    from haystack import Pipeline

    pipeline = Pipeline()
    pipeline.add_component("converter", converter())
    pipeline.add_component("splitter", splitter(k=2))
    pipeline.connect("converter", "splitter")
    ran = pipeline.run({"converter": {"sources": [folder / "inside" / "b.vtt"]}})
    parts = ran["splitter"]["documents"]
    assert [part.meta["speakers"] for part in parts] == [["Ann"], ["Bob"]]
    assert "_document" not in parts[0].to_dict()
    again = type(converter()).from_dict(converter(kind="text").to_dict())
    assert again.to_dict() == converter(kind="text").to_dict()


def test_it_takes_documents_of_docbats(captions: Any) -> None:
    parts = splitter(k=2).run([captions])["documents"]
    assert [part.meta["speakers"] for part in parts] == [["Ann"], ["Bob"]]
    assert (parts[1].meta["start"], parts[1].meta["end"]) == (40, 80)  # with "Ann: "


def test_the_page_number_of_a_document_is_kept(repeated: str) -> None:
    part = splitter(k=2).run([document(repeated, page_number=7)])["documents"][1]
    assert part.meta["page_number"] == 7


def test_parents_are_merged_by_the_retriever(markdown: Any) -> None:
    module = "haystack.components.retrievers.auto_merging_retriever"
    merging = pytest.importorskip(module, reason="this version has no such retriever")
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    parts = splitter(k=2, parents=True).run([markdown])["documents"]
    leaves = [part for part in parts if not part.meta["__children_ids"]]
    assert "".join(leaf.content for leaf in leaves) == markdown.text
    store = InMemoryDocumentStore()
    store.write_documents([part for part in parts if part.meta["__children_ids"]])
    tea = [leaf for leaf in leaves if leaf.meta["heading_path"][0] == "Tea"]
    merged = merging.AutoMergingRetriever(store, threshold=0.5).run(tea)["documents"]
    assert [found.meta["title"] for found in merged] == ["Tea"]
    assert splitter(parents=True).run([document(" ")])["documents"] == []
