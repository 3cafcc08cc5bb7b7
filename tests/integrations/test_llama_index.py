from __future__ import annotations

import asyncio
import doctest
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


def test_offsets_are_exact_where_the_same_words_come_again(repeated: str) -> None:
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
    assert node.metadata["title"] == segment.title
    assert node.metadata["strength"] == segment.strength
    shown = node.get_content(metadata_mode=MetadataMode.EMBED)
    assert segment.title in shown
    assert "strength" not in shown
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
    stored = made.to_dict()
    del stored["id_func"]  # LlamaIndex stores only its name, which none of its parsers take back
    again = type(made).from_dict(stored)
    assert (again.k, again.prefix, again.settings) == (2, "p_", made.settings)
    texts = [
        [node.text for node in each.get_nodes_from_documents([document(repeated)])]
        for each in (made, again)
    ]
    assert texts[0] == texts[1]


def test_blank_documents_have_no_nodes() -> None:
    assert parser().get_nodes_from_documents([document(" \n")]) == []


def test_wrong_settings_are_refused_at_once() -> None:
    with pytest.raises(SettingsError, match="no setting 'chunk_size'"):
        parser(chunk_size=100)
    with pytest.raises(SettingsError, match=r"no field 'max_size': .*from_defaults"):
        type(parser())(max_size=100)
    with pytest.raises(SettingsError, match="k is an argument of its own"):
        type(parser())(settings={"k": 3})


def test_it_can_be_pickled(repeated: str) -> None:
    made = parser(k=2, max_size=40)
    again = pickle.loads(pickle.dumps(made))
    assert (again.k, again.settings) == (2, {"max_size": 40})
    assert len(again.get_nodes_from_documents([document(repeated)])) == 2
