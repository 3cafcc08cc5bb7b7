"""What indexes need: equal loads, stable ids, and bad files that end nothing."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import docbats
from docbats import InputError, ReadError, SettingsError
from docbats.errors import ShortTextWarning, SkippedFileWarning
from docbats.integrations.loaded_files import FileReader, find_files

if TYPE_CHECKING:
    from collections.abc import Callable

BROKEN = {"bad.docx": b"PK\x03\x04broken", "locked.pdf": b"%PDF-1.4\nnothing"}
SHORT = "Bats fly at night."


class Library:
    """Loads and splits in one of the libraries."""

    def __init__(self, name: str) -> None:
        self.name = name

    def loader(self, **options: Any) -> Callable[[Any], list[Any]]:
        if self.name == "langchain":
            from docbats.integrations.langchain import DocbatsLoader

            return lambda paths: DocbatsLoader(paths, **options).load()
        if self.name == "llama_index":
            from docbats.integrations.llama_index import DocbatsReader

            return DocbatsReader(**options).load_data
        from docbats.integrations.haystack import DocbatsConverter

        def load(paths: Any) -> list[Any]:
            sources = paths if isinstance(paths, list) else [paths]
            found: list[Any] = DocbatsConverter(store_full_path=True, **options).run(sources)[
                "documents"
            ]
            return found

        return load

    def split(self, documents: list[Any], **options: Any) -> list[Any]:
        if self.name == "langchain":
            from docbats.integrations.langchain import DocbatsTextSplitter

            return DocbatsTextSplitter(**options).split_documents(documents)
        if self.name == "llama_index":
            from docbats.integrations.llama_index import DocbatsNodeParser

            return DocbatsNodeParser(**options).get_nodes_from_documents(documents)
        from docbats.integrations.haystack import DocbatsDocumentSplitter

        parts: list[Any] = DocbatsDocumentSplitter(**options).run(documents)["documents"]
        return parts

    def text(self, document: Any) -> str:
        return str(
            getattr(document, "page_content", None) or getattr(document, "content", "")
            or getattr(document, "text", "")
        )  # fmt: skip

    def id(self, document: Any) -> str:
        return str(document.node_id if self.name == "llama_index" else document.id)

    def source(self, document: Any) -> str:
        known = document.meta if self.name == "haystack" else document.metadata
        return str(known.get("source") or known["file_path"])


@pytest.fixture(
    params=[
        pytest.param(name, marks=pytest.mark.integrations(module, f"docbats[{extra}]"))
        for name, module, extra in (
            ("langchain", "langchain_text_splitters", "langchain"),
            ("llama_index", "llama_index", "llama-index"),
            ("haystack", "haystack", "haystack"),
        )
    ]
)
def library(request: pytest.FixtureRequest) -> Library:
    """Each library in turn."""
    warnings.filterwarnings("ignore", category=DeprecationWarning, module="pydantic|llama_index")
    return Library(request.param)


@pytest.fixture
def broken(folder: Path) -> Path:
    """The folder of good files with two broken ones among them."""
    for name, data in BROKEN.items():
        (folder / name).write_bytes(data)
    return folder


def test_a_bad_file_does_not_end_a_folder(library: Library, broken: Path) -> None:
    with pytest.warns(SkippedFileWarning) as caught:
        found = library.loader()(broken)
    assert [Path(library.source(each)).name for each in found] == ["a.md", "c.txt", "b.vtt"]
    messages = [str(each.message) for each in caught if each.category is SkippedFileWarning]
    assert len(messages) == len(BROKEN)
    for name, message in zip(BROKEN, messages, strict=True):
        start = f"skipped {broken / name}: "
        assert message.startswith(start)
        assert len(message) > len(start) + 10  # the reason


def test_errors_are_raised_on_request(library: Library, broken: Path) -> None:
    with pytest.raises(ReadError, match=r"bad\.docx"):
        library.loader(on_error="raise")(broken)
    with pytest.raises(SettingsError, match="on_error must be one of skip, raise, got 'ignore'"):
        library.loader(on_error="ignore")(broken)


def test_even_an_unforeseen_error_ends_nothing(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = FileReader.read

    def fail(self: FileReader, source: Any, *others: Any) -> Any:
        if str(source).endswith("a.md"):
            raise RecursionError
        return read(self, source, *others)

    monkeypatch.setattr(FileReader, "read", fail)
    with pytest.warns(SkippedFileWarning, match=r"a\.md: RecursionError"):
        assert len(library.loader()(folder)) == 2


def test_two_loads_of_a_file_are_equal(library: Library, folder: Path) -> None:
    first, second = (library.loader()(folder) for _ in range(2))
    assert first == second
    assert [library.id(each) for each in first] == [
        (folder / name).as_posix() for name in ("a.md", "c.txt", "inside/b.vtt")
    ]
    assert first[0] != first[2]


def test_ids_of_chunks_are_those_of_the_library(library: Library, folder: Path) -> None:
    sizes: dict[str, Any] = {"chunk_size": 60}
    if library.name == "llama_index":
        sizes["tokenizer"] = list
    runs = [library.split(library.loader()(folder), **sizes) for _ in range(2)]
    ids = [[library.id(each) for each in run] for run in runs]
    assert ids[0] == ids[1]
    assert len(set(ids[0])) == len(ids[0])
    strip = library.name != "haystack"  # whose parts tile the text
    own = [
        chunk.id
        for name in ("a.md", "inside/b.vtt")
        for chunk in docbats.chunk(folder / name, 60, strip=strip)
    ]
    assert ids[0] == own


def test_a_change_at_the_end_keeps_the_ids_before_it(library: Library, folder: Path) -> None:
    path = folder / "a.md"
    sizes: dict[str, Any] = {"chunk_size": 60}
    before = [library.id(each) for each in library.split(library.loader()(path), **sizes)]
    path.write_text(path.read_text() + "\n# Sleep\n\nBats sleep by day.\n")
    after = [library.id(each) for each in library.split(library.loader()(path), **sizes)]
    assert len(set(before) & set(after)) >= len(before) - 1
    assert before != after


def test_equal_documents_have_chunks_of_different_ids(library: Library) -> None:
    if library.name == "langchain":
        from langchain_core.documents import Document

        documents = [Document(page_content=SHORT, metadata={"page": 1})] * 2
    elif library.name == "llama_index":
        from llama_index.core.schema import Document as LlamaDocument

        documents = [LlamaDocument(text=SHORT) for _ in range(2)]  # type: ignore[misc]
    else:
        from haystack import Document as HaystackDocument

        documents = [HaystackDocument(content=SHORT)] * 2  # type: ignore[list-item]
    found = library.split(documents, chunk_size=60)
    assert len({library.id(each) for each in found}) == 2


def test_a_short_document_has_what_it_can_have(library: Library, folder: Path) -> None:
    (folder / "short.txt").write_text(SHORT)
    (folder / "numbers.txt").write_text("1. 2. 3. 4. 5. 6. 7.")
    documents = library.loader()([folder / "short.txt", folder / "a.md", folder / "numbers.txt"])
    with pytest.warns(ShortTextWarning) as caught:
        found = library.split(documents, k=3)
    sources = [Path(library.source(each)).name for each in found]
    assert sources.count("short.txt") == 1
    assert sources.count("a.md") == 3
    assert sources.count("numbers.txt") >= 1
    notes = [str(each.message) for each in caught if each.category is ShortTextWarning]
    assert notes[0].startswith(f"{folder / 'short.txt'}: made 1 of 3 segments (k must be at most")
    assert "numbers.txt" in notes[-1]


def test_a_text_without_a_name_is_shown_by_its_opening(monkeypatch: pytest.MonkeyPatch) -> None:
    from docbats.integrations.splitting import make_splitter

    with pytest.warns(ShortTextWarning, match=r"^'Bats fly at night\.': made 1 of 4 segments"):
        make_splitter("sharp", {}, k=4).chunks(SHORT, strip=True)

    def refuse(*_: object) -> None:
        msg = "too odd"
        raise InputError(msg)

    monkeypatch.setattr(docbats.BATS, "__call__", refuse)
    with pytest.raises(InputError, match=r"^a\.txt: too odd$"):
        make_splitter("sharp", {}, k=4).chunks(SHORT, strip=True, name="a.txt")


def test_globs_choose_files(library: Library, folder: Path) -> None:
    def names(paths: Any, **options: Any) -> list[str]:
        return [Path(library.source(each)).name for each in library.loader(**options)(paths)]

    assert names(folder, glob="*.md") == ["a.md"]
    assert names(folder, glob=["**/*.vtt", "*.txt"]) == ["c.txt", "b.vtt"]
    assert names(folder, exclude=["inside", "c.txt"]) == ["a.md"]
    assert names(folder, exclude="inside/*") == ["a.md", "c.txt"]
    assert names(str(folder / "*.md")) == ["a.md"]
    assert names(str(folder / "**" / "*.vtt")) == ["b.vtt"]


def test_globs_that_find_nothing_are_errors(folder: Path) -> None:
    with pytest.raises(ReadError, match=r"none\.txt: there is no such file or folder"):
        list(find_files(folder / "none.txt"))
    with pytest.raises(ReadError, match=r"no file like \*\.pdf: name the files"):
        list(find_files(folder, "*.pdf"))
    with pytest.raises(ReadError, match="there is no such file, and none like this pattern"):
        list(find_files(str(folder / "*.pdf")))
    (folder / "a[1].txt").write_text(SHORT)
    assert list(find_files(folder / "a[1].txt")) == [folder / "a[1].txt"]


@pytest.mark.integrations("haystack", "docbats[haystack]")
def test_haystack_skips_sources_and_knows_types() -> None:
    from haystack.dataclasses import ByteStream

    from docbats.integrations.haystack import DocbatsConverter

    with pytest.warns(SkippedFileWarning, match="none.txt"):
        assert DocbatsConverter().run(["none.txt"])["documents"] == []
    with pytest.raises(ReadError):
        DocbatsConverter(on_error="raise").run(["none.txt"])
    page = b"Bats\n----\n\nThey fly at <b>night</b>.\n"
    texts: dict[str | None, list[Any]] = {
        media_type: DocbatsConverter().run([ByteStream(page, mime_type=media_type)])["documents"]
        for media_type in ("text/html", "text/markdown", "text/plain", "image/x-unknown", None)
    }
    assert "<b>" not in texts["text/html"][0].content
    assert all("<b>" in found[0].content for name, found in texts.items() if name != "text/html")
    (headed,) = texts["text/markdown"]
    assert [block.kind for block in headed.document.blocks] == ["heading", "paragraph"]
