from __future__ import annotations

import asyncio
import doctest
from typing import TYPE_CHECKING, Any

import pytest

from docbats import InputError, SettingsError, analyze

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.integrations("langchain_text_splitters", "docbats[langchain]")


def splitter(*args: Any, **settings: Any) -> Any:
    from docbats.integrations.langchain import DocbatsTextSplitter

    return DocbatsTextSplitter(*args, **settings)


def test_docstrings_tell_the_truth() -> None:
    from docbats.integrations import langchain

    assert doctest.testmod(langchain).failed == 0


@pytest.mark.parametrize(
    "settings",
    [{}, {"k": 9}, {"max_size": 60, "size_unit": "words", "overlap": 15}, {"preset": "paper"}],
)
def test_offsets_are_exact(example: Path, settings: dict[str, Any]) -> None:
    text = example.read_text()
    documents = splitter(**settings).create_documents([text])
    for document in documents:
        start = document.metadata["start_index"]
        assert text[start : start + len(document.page_content)] == document.page_content
    result = analyze(text, **settings)
    assert [d.metadata["title"] for d in documents] == [s.title for s in result.segments]
    assert [d.metadata["strength"] for d in documents] == [s.strength for s in result.segments]
    labels = {topic.label for topic in result.topics}
    assert all(labels.issuperset(document.metadata["topics"]) for document in documents)


def test_offsets_are_exact_where_the_same_words_come_again(repeated: str) -> None:
    documents = splitter(max_size=1).create_documents([repeated])
    starts = [document.metadata["start_index"] for document in documents]
    assert starts == [segment.start for segment in analyze(repeated, max_size=1).segments]
    assert len(set(starts)) == 12


def test_limits_are_kept(example: Path) -> None:
    texts = splitter(max_size=400, size_unit="characters").split_text(example.read_text())
    assert max(map(len, texts)) <= 400


def test_documents_keep_their_metadata() -> None:
    from langchain_core.documents import Document

    source = {"source": "a.txt", "title": "A", "tags": ["x"]}
    documents = [Document(page_content="Bats fly. Bats hunt.", metadata=source)]
    (plain,) = splitter(k=1).split_documents(documents)
    assert (plain.metadata["source"], plain.metadata["start_index"]) == ("a.txt", 0)
    (prefixed,) = splitter(k=1, prefix="segment_").split_documents(documents)
    assert prefixed.metadata["title"] == "A"
    assert prefixed.metadata["segment_title"] == plain.metadata["title"]
    prefixed.metadata["tags"].append("y")
    assert documents[0].metadata == source


def test_all_ways_to_split_agree(repeated: str) -> None:
    from langchain_core.documents import Document

    made = splitter(k=2, add_start_index=False)
    texts = made.split_text(repeated)
    documents = [Document(page_content=repeated)]
    assert [d.page_content for d in made.transform_documents(documents)] == texts
    later = asyncio.run(made.atransform_documents(documents))
    assert [d.page_content for d in later] == texts
    assert "start_index" not in later[0].metadata
    assert "".join(splitter(k=2, strip_whitespace=False).split_text(repeated)) == repeated


def test_blank_texts_have_no_chunks() -> None:
    assert splitter().create_documents(["", " \n"]) == []


def test_wrong_use_is_refused() -> None:
    with pytest.raises(SettingsError, match="no setting 'chunk_size'"):
        splitter(chunk_size=100)
    with pytest.raises(InputError, match="got 1 for 2 texts"):
        splitter().create_documents(["A b.", "C d."], [{}])
