from __future__ import annotations

import doctest
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats import BATS, PRESETS, Document, Settings, analyze
from docbats.integrations import splitting
from docbats.integrations.splitting import TopicSplitter, add_to_metadata

TEXTS = st.text(st.sampled_from("ab. \n\t\u2003é!"), max_size=80)


@given(TEXTS, st.booleans())
def test_every_chunk_is_where_it_says(text: str, strip: bool) -> None:
    for chunk in TopicSplitter(BATS()).chunks(text, strip=strip):
        assert text[chunk.start : chunk.end] == chunk.text
        assert not strip or (chunk.text and chunk.text == chunk.text.strip())


@given(TEXTS)
def test_unstripped_chunks_tile_the_text(text: str) -> None:
    chunks = TopicSplitter(BATS()).chunks(text, strip=False)
    assert "".join(chunk.text for chunk in chunks) == (text if text.strip() else "")


def test_a_chunk_begins_with_its_overlap(repeated: str) -> None:
    bats = BATS(Settings(max_size=3, overlap=1))
    first, second, *_ = TopicSplitter(bats).chunks(repeated, strip=True)
    assert second.start < first.end < second.own_start
    assert second.values()["own_start"] == second.own_start
    assert repeated[second.start : second.end] == second.text


def test_metadata_takes_a_prefix_and_copies_the_document(repeated: str) -> None:
    chunk = TopicSplitter(BATS(PRESETS["sharp"])).chunks(repeated, strip=True)[0]
    names = {"start", "end", "title", "topics", "strength"}
    values = chunk.values()
    assert set(values) == names
    prefixed = add_to_metadata({}, values, "segment_")
    assert set(prefixed) == {f"segment_{name}" for name in names - {"strength"}}  # of the first
    source = {"title": "Mine", "tags": ["x"]}
    kept = add_to_metadata(source, values)
    assert (kept["title"], kept["docbats_title"]) == ("Mine", chunk.title)
    assert add_to_metadata(kept, values)["title"] == "Mine"
    copied = add_to_metadata(source, values, "segment_")
    assert copied["title"] == "Mine"
    assert copied["segment_title"] == chunk.title
    copied["tags"].append("y")
    assert source == {"title": "Mine", "tags": ["x"]}


def test_chunks_of_files_know_headings_speakers_and_times(
    captions: Document, markdown: Document
) -> None:
    splitter = TopicSplitter(BATS(Settings(k=2)))
    values = [chunk.values() for chunk in splitter.chunks(captions, strip=True)]
    assert [value["speakers"] for value in values] == [["Ann"], ["Bob"]]
    assert [value["seconds"] for value in values] == [[1.0, 4.0], [4.0, 9.0]]
    chunks = splitter.chunks(markdown, strip=True)
    assert [chunk.values()["heading_path"] for chunk in chunks] == [["Bats"], ["Tea"]]


def test_docstrings_tell_the_truth() -> None:
    assert doctest.testmod(splitting).failed == 0


def test_the_tree_is_the_outline(markdown: Document) -> None:
    nodes = TopicSplitter(BATS(Settings(k=2))).tree(markdown, strip=True)
    titles = [(node.level, node.chunk.title) for node in nodes]
    assert [title for level, title in titles if level == 0] == ["Bats", "Tea"]
    assert [nodes[i].chunk.title for i in nodes[0].children] == [titles[1][1], "Food"]
    for index, node in enumerate(nodes):
        text = markdown.text
        assert text[node.chunk.start : node.chunk.end] == node.chunk.text
        if node.parent is not None:
            assert index in nodes[node.parent].children
            assert nodes[node.parent].level == node.level - 1
            assert node.chunk.text in nodes[node.parent].chunk.text
    food = nodes[nodes[0].children[1]]
    assert food.chunk.heading_path == ("Bats", "Food")


@pytest.mark.parametrize("name", ["article", "annual-report"])
def test_leaves_tile_the_text_within_the_limits(name: str) -> None:
    text = (Path(__file__).parents[2] / "examples" / f"{name}.txt").read_text()
    bats = BATS(Settings(max_size=80, size_unit="words"))
    nodes = TopicSplitter(bats).tree(text, strip=False)
    leaves = [node.chunk for node in nodes if not node.children]
    assert "".join(leaf.text for leaf in leaves) == text
    assert max(len(leaf.text.split()) for leaf in leaves) <= 80
    assert max(node.level for node in nodes) >= 1
    for node in nodes:
        own = "".join(nodes[child].chunk.text for child in node.children)
        assert own in ("", node.chunk.text)
    roots = [node.chunk.title for node in nodes if node.level == 0]
    outline = analyze(text, max_size=80, size_unit="words").outline
    assert roots == [entry.title for entry in outline]


def test_leaves_begin_with_their_overlap(example: Path) -> None:
    bats = BATS(Settings(max_size=80, size_unit="words", overlap=10))
    nodes = TopicSplitter(bats).tree(example.read_text(), strip=True)
    leaves = [node.chunk for node in nodes if not node.children]
    assert leaves[1].start < leaves[0].end
    assert max(len(leaf.text.split()) for leaf in leaves) <= 80


def test_a_blank_text_has_no_nodes() -> None:
    assert TopicSplitter(BATS()).tree(" \n", strip=True) == []
