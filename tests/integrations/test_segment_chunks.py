from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from docbats import BATS, PRESETS, Settings
from docbats.integrations.segment_chunks import make_chunks

TEXTS = st.text(st.sampled_from("ab. \n\t\u2003é!"), max_size=80)


@given(TEXTS, st.booleans())
def test_every_chunk_is_where_it_says(text: str, strip: bool) -> None:
    for chunk in make_chunks(BATS(), text, strip=strip):
        assert text[chunk.start : chunk.end] == chunk.text
        assert not strip or (chunk.text and chunk.text == chunk.text.strip())


@given(TEXTS)
def test_chunks_as_they_are_tile_the_text(text: str) -> None:
    chunks = make_chunks(BATS(), text, strip=False)
    assert "".join(chunk.text for chunk in chunks) == (text if text.strip() else "")


def test_a_chunk_begins_with_its_overlap(repeated: str) -> None:
    bats = BATS(Settings(max_size=3, overlap=1))
    first, second, *_ = make_chunks(bats, repeated, strip=True)
    assert second.start < first.end
    assert repeated[second.start : second.end] == second.text


def test_metadata_takes_a_prefix_and_copies_that_of_the_document(repeated: str) -> None:
    chunk = make_chunks(BATS(PRESETS["sharp"]), repeated, strip=True)[0]
    assert set(chunk.metadata("")) == {"title", "topics", "strength"}
    names = {"segment_title", "segment_topics", "segment_strength"}
    assert set(chunk.metadata("segment_")) == names
    source = {"title": "Mine", "tags": ["x"]}
    assert chunk.metadata("", source)["title"] == chunk.title
    copied = chunk.metadata("segment_", source)
    assert copied["title"] == "Mine"
    copied["tags"].append("y")
    assert source == {"title": "Mine", "tags": ["x"]}
