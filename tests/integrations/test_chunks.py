from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats import BATS, PRESETS, InputError, MissingExtraError, Settings, TooFewSentencesError
from docbats.integrations.chunks import make_chunks
from docbats.integrations.extra import importing
from docbats.integrations.rows import COLUMNS, segment_columns

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


def test_facts_take_a_prefix(repeated: str) -> None:
    chunk = make_chunks(BATS(PRESETS["sharp"]), repeated, strip=True)[0]
    assert set(chunk.facts()) == {"title", "topics", "strength"}
    assert set(chunk.facts("segment_")) == {"segment_title", "segment_topics", "segment_strength"}


def test_rows_name_the_text_that_cannot_be_analysed() -> None:
    with pytest.raises(TooFewSentencesError, match="row b: k=3 segments"):
        segment_columns(["a", "b"], ["One. Two. Red one.", "One."], 3, "sharp", min_sentences=1)
    with pytest.raises(InputError, match="row 7: int is no kind of text"):
        segment_columns([7], [1], "auto", "sharp")  # type: ignore[list-item]


def test_no_text_no_rows() -> None:
    columns = segment_columns([1, 2], [None, " \n"], "auto", "sharp")
    assert columns == {name: [] for name in COLUMNS}


def test_a_missing_library_is_named_with_its_extra() -> None:
    found = pytest.raises(MissingExtraError, match=r'Nothing .*: pip install "docbats\[none\]"')
    with found, importing("Nothing", "none"):
        import a_module_that_is_not_there  # type: ignore[import-not-found]  # noqa: F401


@pytest.mark.parametrize(
    ("file", "module", "extra"),
    [
        ("langchain", "langchain_core.documents", "langchain"),
        ("llama_index", "llama_index.core.bridge.pydantic", "llama-index"),
        ("haystack", "haystack", "haystack"),
        ("spacy", "spacy.language", "spacy"),
        ("sklearn", "sklearn.base", "scikit-learn"),
        ("pandas", "pandas", "pandas"),
        ("polars", "polars", "polars"),
    ],
)
def test_each_file_says_which_extra_it_needs(
    file: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"docbats.integrations.{file}"
    monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=rf"docbats\[{extra}\]"):
        __import__(name)
