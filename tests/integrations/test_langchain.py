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
    strengths = [document.metadata.get("strength") for document in documents]
    assert strengths == [segment.strength for segment in result.segments]
    labels = {topic.label for topic in result.topics}
    assert all(labels.issuperset(document.metadata.get("topics", [])) for document in documents)


def test_offsets_are_exact_for_repeated_words(repeated: str) -> None:
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
    assert plain.metadata["title"] == "A"
    (prefixed,) = splitter(k=1, prefix="segment_").split_documents(documents)
    assert prefixed.metadata["title"] == "A"
    assert prefixed.metadata["segment_title"] == plain.metadata["docbats_title"]
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
    with pytest.raises(SettingsError, match="no setting 'separators'"):
        splitter(separators=["a"])
    with pytest.raises(SettingsError, match="either chunk_size, chunk_overlap and length_function"):
        splitter(chunk_size=100, max_size=100)
    with pytest.raises(InputError, match="got 1 for 2 texts"):
        splitter().create_documents(["A b.", "C d."], [{}])


@pytest.mark.parametrize("length_function", [len, lambda text: len(text.split())])
@pytest.mark.parametrize(("chunk_size", "chunk_overlap"), [(40, 0), (300, 60), (1000, 100)])
def test_sizes_as_langchain_names_them(
    example: Path, length_function: Any, chunk_size: int, chunk_overlap: int
) -> None:
    text = example.read_text()
    made = splitter(
        chunk_size=chunk_size, chunk_overlap=chunk_overlap, length_function=length_function
    )
    documents = made.create_documents([text])
    assert max(length_function(d.page_content) for d in documents) <= chunk_size
    ends = [d.metadata["end"] for d in documents]
    for document, end in zip(documents[1:], ends, strict=False):
        repeated = text[document.metadata["start"] : end]
        assert length_function(repeated) <= chunk_overlap


@pytest.mark.integrations("tiktoken", "tiktoken")
def test_tokens_of_tiktoken(example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import tiktoken
    from tiktoken import registry

    ranks = {bytes([i]): i for i in range(256)}
    for pair in (b"th", b"he", b" t", b" a", b"in", b"er", b" th", b" the"):
        ranks[pair] = len(ranks)
    pattern = r" ?\p{L}+| ?[^\s\p{L}]+|\s+(?!\S)|\s+"
    encoding = tiktoken.Encoding(
        "docbats-test", pat_str=pattern, mergeable_ranks=ranks, special_tokens={}
    )
    monkeypatch.setitem(registry.ENCODINGS, "docbats-test", encoding)
    made = type(splitter()).from_tiktoken_encoder("docbats-test", chunk_size=400, chunk_overlap=40)
    sizes = [len(encoding.encode(chunk)) for chunk in made.split_text(example.read_text())]
    assert 300 < max(sizes) <= 400


def test_it_takes_documents_of_docbats(markdown: Any, captions: Any) -> None:
    made = splitter(k=2)
    texts = made.split_text(markdown)
    assert texts[1].startswith("# Tea")
    for found in (made.create_documents([captions]), made.split_documents([captions])):
        assert [d.metadata["speakers"] for d in found] == [["Ann"], ["Bob"]]
        assert found[1].metadata["seconds"] == [4.0, 9.0]


def test_the_loader_reads_what_docbats_reads(folder: Path) -> None:
    from langchain_core.documents import Document

    from docbats.integrations.langchain import DocbatsLoader

    documents = DocbatsLoader(folder).load()
    sources = [document.metadata["source"] for document in documents]
    assert sources == [str(folder / name) for name in ("a.md", "c.txt", "inside/b.vtt")]
    chunks = splitter(k=2).split_documents(documents)
    assert [c.metadata.get("speakers") for c in chunks] == [None, None, ["Ann"], ["Bob"]]
    assert chunks[1].metadata["heading_path"] == ["Tea"]
    # One whose text was changed on the way is a text as any other.
    documents[2].page_content = documents[2].page_content.upper()
    changed = splitter(k=2).split_documents(documents[2:])
    assert "speakers" not in changed[0].metadata
    assert asyncio.run(DocbatsLoader([folder / "a.md"]).aload())[0].page_content.startswith(
        "# Bats"
    )
    plain = Document(page_content="Tea cools.", metadata={})
    assert len(DocbatsLoader(folder / "a.md").load_and_split(splitter(k=2))) == 2
    assert splitter(k=1).split_documents([plain])[0].metadata["start"] == 0


@pytest.mark.filterwarnings("ignore")  # its way to load is in beta
def test_a_loaded_document_is_stored_as_any_other(folder: Path) -> None:
    from langchain_core.documents import Document
    from langchain_core.load import dumpd, load

    from docbats.integrations.langchain import DocbatsLoader

    (document,) = DocbatsLoader(folder / "a.md").load()
    again = load(dumpd(document))
    assert type(again) is Document
    assert (again.page_content, again.metadata) == (document.page_content, document.metadata)


def test_chunks_know_their_sections(markdown: Any) -> None:
    from langchain_core.stores import InMemoryStore

    sections, chunks = splitter().split_with_parents([markdown])
    store: Any = InMemoryStore()
    store.mset([(section.id, section) for section in sections])
    assert len(chunks) > len(sections) > 0
    for chunk in chunks:
        (section,) = store.mget([chunk.metadata["parent_id"]])
        assert chunk.page_content in section.page_content
    assert len({document.id for document in [*sections, *chunks]}) == len(sections) + len(chunks)
    assert splitter().split_with_parents([markdown])[1][0].id == chunks[0].id
    (only,), (same,) = splitter(k=1).split_with_parents([_short()])
    assert same.metadata["parent_id"] == only.id
    assert (same.page_content, same.metadata["title"]) == (only.page_content, "Mine")


def _short() -> Any:
    from langchain_core.documents import Document

    return Document(page_content="Tea cools. Tea steams.", metadata={"title": "Mine"})


def test_separators_are_white_space(repeated: str) -> None:
    for keep in (True, "end"):
        kept = splitter(chunk_size=60, keep_separator=keep, strip_whitespace=False)
        assert "".join(kept.split_text(repeated)) == repeated
        assert all(text[-1] == " " for text in kept.split_text(repeated))
    assert splitter(chunk_size=60, keep_separator=True).split_text(repeated) == splitter(
        chunk_size=60
    ).split_text(repeated)
    with pytest.raises(SettingsError, match="keep_separator must be True, False or 'end'"):
        splitter(chunk_size=60, keep_separator="start")


TEXTS = {
    "numbers": "1. 2. 3.\n\n4. 5. 6. 7. 8.",  # no topics
    "bats": "# Bats\n\nThey fly at night. They hear.\n\n# Food\n\nThey eat moths. They drink.\n",
    "plain": "They fly at night. They hear the walls. They hunt moths.",  # no title
}


@pytest.mark.filterwarnings("ignore::docbats.errors.ShortTextWarning")
@pytest.mark.parametrize("options", [{}, {"titles": True}, {"k": 2, "chunk_size": 999}])
def test_metadata_has_nothing_that_stores_refuse(options: dict[str, Any], folder: Path) -> None:
    """Neither None nor empty lists nor lists in lists."""
    from tests.sample_files import Files

    from docbats.integrations.langchain import DocbatsLoader

    for name, text in TEXTS.items():
        (folder / f"{name}.md").write_text(text)
    (folder / "paper.pdf").write_bytes(Files().paper())
    chunks = splitter(**{"chunk_size": 40, **options}).split_documents(DocbatsLoader(folder).load())
    values = [value for chunk in chunks for value in chunk.metadata.values()]
    for value in values:
        assert value is not None
        if isinstance(value, list):
            assert value
            assert len({type(item) for item in value}) == 1
            assert type(value[0]) in {str, int, float}
    assert any("boxes" in chunk.metadata for chunk in chunks)


@pytest.mark.integrations("langchain_chroma", "langchain-chroma")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("options", [{}, {"titles": True}, {"k": 2, "chunk_size": 999}])
def test_chroma_takes_every_chunk(options: dict[str, Any], folder: Path) -> None:
    from langchain_chroma import Chroma
    from langchain_core.embeddings import DeterministicFakeEmbedding

    from docbats.integrations.langchain import DocbatsLoader

    for name, text in TEXTS.items():
        (folder / f"{name}.md").write_text(text)
    chunks = splitter(**{"chunk_size": 40, **options}).split_documents(DocbatsLoader(folder).load())
    store = Chroma(f"bats-{len(options)}-{'k' in options}", DeterministicFakeEmbedding(size=3))
    for _ in range(2):  # the same ids, so nothing is there twice
        store.add_documents(chunks, ids=[str(chunk.id) for chunk in chunks])
        assert len(store.get()["ids"]) == len(chunks)
