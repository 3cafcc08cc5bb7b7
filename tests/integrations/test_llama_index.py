from __future__ import annotations

import asyncio
import doctest
import json
import pickle
from typing import TYPE_CHECKING, Any

import pytest

from docbats import SettingsError, analyze

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.integrations("llama_index", "docbats[llama-index]"),
    # Its own: pydantic's and asyncio's old ways, and files that its workflows leave open.
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning"),
]


def parser(**settings: Any) -> Any:
    from docbats.integrations.llama_index import DocbatsNodeParser

    return DocbatsNodeParser.from_defaults(**settings)


def document(text: str, **metadata: Any) -> Any:
    from llama_index.core.schema import Document

    return Document(text=text, metadata=metadata)


def test_docstrings_tell_the_truth() -> None:
    from docbats.integrations import llama_index

    assert doctest.testmod(llama_index).failed == 0


@pytest.mark.parametrize("settings", [{}, {"max_size": 60, "size_unit": "words", "overlap": 15}])
def test_offsets_are_exact(example: Path, settings: dict[str, Any]) -> None:
    text = example.read_text()
    nodes = parser(**settings).get_nodes_from_documents([document(text)])
    assert len(nodes) == len(analyze(text, **settings).segments)
    assert all(text[node.start_char_idx : node.end_char_idx] == node.text for node in nodes)


def test_offsets_are_exact_for_repeated_words(repeated: str) -> None:
    text = "Moths hear bats. " + repeated
    nodes = parser(max_size=2, overlap=1).get_nodes_from_documents([document(text)])
    segments = analyze(text, max_size=2, overlap=1).segments
    assert [node.start_char_idx for node in nodes] == [s.overlap_start for s in segments]


def test_nodes_know_their_neighbours_and_their_source(repeated: str) -> None:
    sources = [document(repeated, file="a"), document("Tea cools. Tea steams.", file="b")]
    nodes = parser(k=2).get_nodes_from_documents(sources)
    assert [node.ref_doc_id for node in nodes] == [sources[i].doc_id for i in (0, 0, 1, 1)]
    first, second, third, fourth = nodes
    assert first.prev_node is None
    assert first.next_node.node_id == second.node_id
    assert second.prev_node.node_id == first.node_id
    assert second.next_node is None
    assert third.prev_node is None
    assert fourth.prev_node.node_id == third.node_id
    assert [node.metadata["file"] for node in nodes] == ["a", "a", "b", "b"]


def test_metadata_has_title_topics_and_strength(repeated: str) -> None:
    from llama_index.core.schema import MetadataMode

    node = parser(k=2).get_nodes_from_documents([document(repeated, title="Mine")])[1]
    segment = analyze(repeated, k=2).segments[1]
    assert (node.metadata["title"], node.metadata["docbats_title"]) == ("Mine", segment.title)
    assert node.metadata["strength"] == segment.strength
    assert (node.metadata["start"], node.metadata["end"]) == (
        node.start_char_idx,
        node.end_char_idx,
    )
    shown = node.get_content(metadata_mode=MetadataMode.EMBED)
    assert segment.title in shown
    assert "Mine" in shown
    assert "strength" not in shown
    assert "start" not in shown
    own = parser(k=2, prefix="segment_").get_nodes_from_documents(
        [document(repeated, title="Mine")]
    )
    assert own[1].metadata["title"] == "Mine"
    assert own[1].metadata["segment_title"] == segment.title


def test_it_works_in_a_pipeline_and_async(repeated: str) -> None:
    from llama_index.core.ingestion import IngestionPipeline

    pipeline = IngestionPipeline(transformations=[parser(k=2)])
    nodes: Any = pipeline.run(documents=[document(repeated)])
    later = asyncio.run(parser(k=2).aget_nodes_from_documents([document(repeated)]))
    assert [node.text for node in nodes] == [node.text for node in later]


def test_it_can_be_stored(repeated: str) -> None:
    made = parser(k=2, max_size=40, size_unit="words", prefix="p_")
    again = type(made).from_dict(json.loads(made.to_json()))
    assert (again.k, again.prefix, again.settings) == (2, "p_", made.settings)
    texts = [
        [node.text for node in each.get_nodes_from_documents([document(repeated)])]
        for each in (made, again)
    ]
    assert texts[0] == texts[1]


def count_letters(text: str) -> int:
    return len(text)


def split_letters(text: str) -> list[str]:
    return list(text)


def test_functions_are_stored_by_their_import_paths() -> None:
    made = parser(chunk_size=60, tokenizer=split_letters)
    stored = json.loads(made.to_json())
    assert stored["tokenizer"] == {"callable": f"{__name__}:split_letters"}
    again = type(made).from_dict(stored)
    assert again.tokenizer is split_letters
    sized = parser(max_size=60, size_unit=count_letters)
    assert type(sized).from_dict(json.loads(sized.to_json())).settings == sized.settings
    nameless = json.loads(parser(chunk_size=60, tokenizer=lambda text: text.split()).to_json())
    with pytest.raises(ValueError, match=r"cannot be imported .*: name a function"):
        type(made).from_dict(nameless)
    own = json.loads(parser(k=2, id_func=lambda i, _: str(i)).to_json())
    with pytest.raises(SettingsError, match="id_func <lambda> cannot be stored: pass it again"):
        type(made).from_dict(own)


def test_titles_are_found_on_request(example: Path) -> None:
    nodes = parser(chunk_size=800, tokenizer=list, titles=True).get_nodes_from_documents(
        [document(example.read_text())]
    )
    assert all(node.metadata["title"] for node in nodes)


def test_blank_documents_have_no_nodes() -> None:
    assert parser().get_nodes_from_documents([document(" \n")]) == []


def test_wrong_settings_are_refused_at_once() -> None:
    with pytest.raises(SettingsError, match="no argument 'split_length'"):
        parser(split_length=100)
    with pytest.raises(SettingsError, match="no argument 'split_length'"):
        type(parser())(split_length=100)
    with pytest.raises(SettingsError, match="max_size cannot be combined with chunk_size"):
        type(parser())(max_size=100, chunk_size=100)
    with pytest.raises(SettingsError, match="max_size must be a whole number"):
        type(parser())(max_size=0)
    with pytest.raises(SettingsError, match="k is an argument: pass"):
        type(parser())(settings={"k": 3})


def test_it_can_be_pickled(repeated: str) -> None:
    made = parser(k=2, max_size=40)
    again = pickle.loads(pickle.dumps(made))
    assert (again.k, again.settings) == (2, {"max_size": 40})
    assert len(again.get_nodes_from_documents([document(repeated)])) == 2


def test_settings_and_sizes_are_not_ignored(example: Path) -> None:
    kind, text = type(parser()), example.read_text()
    found = kind(max_size=200, size_unit="characters").get_nodes_from_documents([document(text)])
    assert max(len(node.text) for node in found) <= 200
    made = kind(chunk_size=50, chunk_overlap=10, tokenizer=str.split)
    nodes = made.get_nodes_from_documents([document(text)])
    assert max(len(node.text.split()) for node in nodes) <= 50
    assert nodes[1].start_char_idx < nodes[0].end_char_idx


def test_the_tokenizer_of_llama_index_counts_by_default(example: Path) -> None:
    import llama_index.core

    llama_index.core.global_tokenizer, before = str.split, llama_index.core.global_tokenizer
    try:
        nodes = parser(chunk_size=50).get_nodes_from_documents([document(example.read_text())])
    finally:
        llama_index.core.global_tokenizer = before
    assert max(len(node.text.split()) for node in nodes) <= 50


def test_ids_and_callbacks_are_used(repeated: str) -> None:
    from llama_index.core.callbacks import CallbackManager, CBEventType, LlamaDebugHandler

    handler = LlamaDebugHandler(print_trace_on_end=False)
    made = parser(
        k=2,
        id_func=lambda i, doc: f"{doc.node_id}-{i}",
        callback_manager=CallbackManager([handler]),
    )
    source = document(repeated)
    nodes = made.get_nodes_from_documents([source])
    assert [node.node_id for node in nodes] == [f"{source.node_id}-{i}" for i in (0, 1)]
    assert handler.get_event_pairs(CBEventType.NODE_PARSING)


def test_offsets_are_exact_after_another_parser(example: Path) -> None:
    from llama_index.core.ingestion import IngestionPipeline
    from llama_index.core.node_parser import TokenTextSplitter

    text = example.read_text()
    first = TokenTextSplitter(chunk_size=400, chunk_overlap=0, tokenizer=str.split)
    source = document(text, title="Mine")
    nodes: Any = IngestionPipeline(transformations=[first, parser(max_size=4)]).run(
        documents=[source]
    )
    assert len(nodes) > 6
    for node in nodes:
        assert text[node.start_char_idx : node.end_char_idx] == node.text
        assert (node.metadata["start"], node.metadata["title"]) == (node.start_char_idx, "Mine")
        assert node.source_node.node_id == source.node_id


def test_it_takes_documents_of_docbats(markdown: Any, captions: Any) -> None:
    nodes = parser(k=2).get_nodes_from_documents([captions, markdown])
    assert [node.metadata.get("speakers") for node in nodes] == [["Ann"], ["Bob"], None, None]
    assert nodes[1].metadata["seconds"] == [4.0, 9.0]
    assert nodes[3].metadata["heading_path"] == ["Tea"]
    later = asyncio.run(parser(k=2).aget_nodes_from_documents([captions]))
    assert later[0].metadata["speakers"] == ["Ann"]
    assert parser(k=2)([captions])[0].metadata["speakers"] == ["Ann"]


def test_the_reader_reads_what_docbats_reads(folder: Path) -> None:
    from fsspec.implementations.local import LocalFileSystem

    from docbats.integrations.llama_index import DocbatsReader

    documents = DocbatsReader().load_data(folder, extra_info={"by": "us"})
    assert [d.metadata["by"] for d in documents] == ["us"] * 3
    nodes = parser(k=2).get_nodes_from_documents(documents)
    assert nodes[-1].metadata["speakers"] == ["Bob"]
    assert nodes[-1].metadata["file_path"] == str(folder / "inside" / "b.vtt")
    (opened,) = DocbatsReader().load_data(str(folder / "a.md"), fs=LocalFileSystem())
    assert opened.text.startswith("# Bats")


def test_the_reader_works_as_a_file_extractor(folder: Path) -> None:
    from llama_index.core import SimpleDirectoryReader

    from docbats.integrations.llama_index import DocbatsReader

    reader = SimpleDirectoryReader(
        input_files=[folder / "inside" / "b.vtt"], file_extractor={".vtt": DocbatsReader()}
    )
    try:
        documents = reader.load_data()
    except ImportError:
        pytest.skip("this version needs llama-index-readers-file for that")
    again = parser(k=2).get_nodes_from_documents(documents)
    assert again[0].metadata["speakers"] == ["Ann"]
    assert again[0].metadata["file_name"] == "b.vtt"


def test_parents_are_merged_by_the_retriever(markdown: Any) -> None:
    from llama_index.core import MockEmbedding, StorageContext, VectorStoreIndex
    from llama_index.core.node_parser import get_leaf_nodes, get_root_nodes
    from llama_index.core.retrievers import AutoMergingRetriever

    nodes = parser(k=2, parents=True).get_nodes_from_documents([markdown])
    roots: list[Any] = get_root_nodes(nodes)
    leaves: list[Any] = get_leaf_nodes(nodes)
    assert [node.metadata["title"] for node in roots] == ["Bats", "Tea"]
    assert roots[0].next_node.node_id == roots[1].node_id
    assert leaves[0].parent_node.node_id == roots[0].node_id
    assert leaves[0].next_node.node_id == leaves[1].node_id
    context = StorageContext.from_defaults()
    context.docstore.add_documents(nodes)
    index = VectorStoreIndex(leaves, storage_context=context, embed_model=MockEmbedding(3))
    retriever: Any = index.as_retriever(similarity_top_k=len(leaves))
    merged = AutoMergingRetriever(retriever, context, verbose=False).retrieve("moths")
    assert {found.node.node_id for found in merged} == {node.node_id for node in roots}
