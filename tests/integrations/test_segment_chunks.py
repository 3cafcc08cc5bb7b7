from __future__ import annotations

import doctest

from hypothesis import given
from hypothesis import strategies as st

from docbats import BATS, PRESETS, Document, Settings
from docbats.integrations import splitting
from docbats.integrations.splitting import TopicSplitter, add_to_metadata

TEXTS = st.text(st.sampled_from("ab. \n\t\u2003é!"), max_size=80)


@given(TEXTS, st.booleans())
def test_every_chunk_is_where_it_says(text: str, strip: bool) -> None:
    for chunk in TopicSplitter(BATS()).chunks(text, strip=strip):
        assert text[chunk.start : chunk.end] == chunk.text
        assert not strip or (chunk.text and chunk.text == chunk.text.strip())


@given(TEXTS)
def test_chunks_as_they_are_tile_the_text(text: str) -> None:
    chunks = TopicSplitter(BATS()).chunks(text, strip=False)
    assert "".join(chunk.text for chunk in chunks) == (text if text.strip() else "")


def test_a_chunk_begins_with_its_overlap(repeated: str) -> None:
    bats = BATS(Settings(max_size=3, overlap=1))
    first, second, *_ = TopicSplitter(bats).chunks(repeated, strip=True)
    assert second.start < first.end < second.own_start
    assert second.values()["own_start"] == second.own_start
    assert repeated[second.start : second.end] == second.text


def test_metadata_takes_a_prefix_and_copies_that_of_the_document(repeated: str) -> None:
    chunk = TopicSplitter(BATS(PRESETS["sharp"])).chunks(repeated, strip=True)[0]
    names = {"start", "end", "title", "topics", "strength"}
    values = chunk.values()
    assert set(values) == names
    prefixed = add_to_metadata({}, values, "segment_")
    assert set(prefixed) == {f"segment_{name}" for name in names}
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
