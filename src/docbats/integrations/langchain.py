"""LangChain: a text splitter, and a loader of files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

from docbats.chunks.chunk import stable_id
from docbats.document import Document as DocbatsDocument
from docbats.errors import InputError, SettingsError, require_extra
from docbats.integrations.loaded_files import FilePaths, FileReader, OnError
from docbats.integrations.splitting import (
    DistinctIds,
    add_to_metadata,
    make_splitter,
    unless_changed,
)

with require_extra("LangChain's text splitters", "langchain"):
    from langchain_core.document_loaders import BaseLoader
    from langchain_core.documents import Document
    from langchain_text_splitters import TextSplitter
    from pydantic import PrivateAttr

if TYPE_CHECKING:
    from typing import Unpack

    from docbats.chunks import ChunkNode
    from docbats.options import SplitterOptionsWithTokenizer

__all__ = ["DocbatsLoader", "DocbatsTextSplitter", "LangChainDocument"]

_BASE_CHUNK_SIZE = 4000  # passed to LangChain's base class if there is no limit


class LangChainDocument(Document):  # noqa: PLW1641  (like any document of its library)
    """A document with its pages, times, headings and so on, as docbats read them from a file.

    A :class:`DocbatsTextSplitter` uses them. They are not stored with the document.
    """

    _document: Any = PrivateAttr(default=None)

    @classmethod
    def of(cls, document: DocbatsDocument, **metadata: Any) -> LangChainDocument:
        """Make one of a :class:`docbats.Document`."""
        made = cls(page_content=document.text, metadata=metadata, id=document.id)
        made._document = document
        return made

    def __eq__(self, other: object) -> bool:
        """Whether it is the same document for LangChain; an ordinary one may be, too."""
        if not isinstance(other, Document):
            return NotImplemented
        own = (self.id, self.page_content, self.metadata)
        return own == (other.id, other.page_content, other.metadata)

    @property
    def document(self) -> DocbatsDocument | None:
        """The document as docbats read it; None if its text has changed since then."""
        return unless_changed(self._document, self.page_content)

    @classmethod
    def lc_id(cls) -> list[str]:
        """Return the name under which LangChain stores it: an ordinary document."""
        return list(Document.lc_id())


class DocbatsTextSplitter(TextSplitter):
    """Splits texts into chunks of a size, or where their topics change.

    With a `chunk_size` alone, it works like :func:`docbats.chunk`; without it, or together
    with `k` or other settings of the analysis, chunks are segments by topic.

    The metadata of a chunk is a copy of its document's, plus `start`, `end`, `title` and whatever
    else is known of the chunk, as ``Chunk.values`` returns it. Nothing is overwritten: if the
    document already uses a name, ours begins with ``docbats_``.

    Parameters
    ----------
    k
        The number of chunks of each text; by default the text decides.
    preset
        Which settings to start from.
    chunk_size
        The largest size of a chunk, which is never exceeded; None sets no limit.
    chunk_overlap
        How much of the text before it a chunk repeats, at most.
    length_function
        Measures both; characters by default.
    add_start_index
        Whether to also add LangChain's own name for `start`, ``start_index``.
    strip_whitespace
        Whether to strip the white space around chunks.
    keep_separator
        As in LangChain: chunks are only ever separated by white space, which is at the end of a
        chunk if `strip_whitespace` does not strip it.
    prefix
        Goes before the names of the metadata that is added.
    parent_size
        The largest size of the sections of :meth:`split_with_parents`; four times `chunk_size` by
        default.
    **settings
        With a `chunk_size` alone, any other attribute of :class:`docbats.Chunker`, such as
        `tokenizer`, or `context`, which goes before the text of a chunk. Otherwise any other
        attribute of :class:`docbats.Settings`, such as `max_size` and `size_unit`.

    Examples
    --------
    >>> splitter = DocbatsTextSplitter(k=2)
    >>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    >>> for document in splitter.create_documents([text]):
    ...     print(document.metadata["start"], document.page_content)
    0 Bats hunt moths. Moths hear bats.
    34 Tea needs hot water. Hot tea cools.
    """

    def __init__(
        self,
        k: int | Literal["auto"] = "auto",
        preset: str = "sharp",
        *,
        chunk_size: int | None = None,
        chunk_overlap: int = 0,
        length_function: Callable[[str], int] = len,
        add_start_index: bool = True,
        strip_whitespace: bool = True,
        keep_separator: bool | Literal["end"] = False,
        prefix: str = "",
        parent_size: int | None = None,
        **settings: Unpack[SplitterOptionsWithTokenizer],
    ) -> None:
        if keep_separator not in {True, False, "end"}:
            msg = f"keep_separator must be True, False or 'end', got {keep_separator!r}"
            raise SettingsError(msg)
        self._splitter = make_splitter(
            preset,
            settings,
            k=k,
            chunk_size=chunk_size,
            chunk_overlap=chunk_overlap,
            length_function=length_function,
            parent_size=parent_size,
        )
        super().__init__(
            chunk_size=max(_BASE_CHUNK_SIZE, chunk_overlap) if chunk_size is None else chunk_size,
            chunk_overlap=chunk_overlap,
            length_function=length_function,
            keep_separator=keep_separator,
            add_start_index=add_start_index,
            strip_whitespace=strip_whitespace,
        )
        self._prefix = prefix

    def split_text(self, text: str | DocbatsDocument) -> list[str]:
        """Split one text."""
        chunks = self._splitter.chunks(text, strip=self._strip_whitespace)
        return [chunk.content for chunk in chunks]

    def create_documents(
        self,
        texts: Sequence[str | DocbatsDocument],
        metadatas: list[dict[Any, Any]] | None = None,
    ) -> list[Document]:
        """Return a document for each chunk, with a copy of its text's metadata.

        Offsets are exact, even where the same words occur twice.
        """
        metadatas = metadatas or [{} for _ in texts]
        if len(metadatas) != len(texts):
            msg = f"expected a metadata for each text, got {len(metadatas)} for {len(texts)} texts"
            raise InputError(msg)
        pairs = zip(texts, metadatas, strict=True)
        return self._split([_Source(text, metadata) for text, metadata in pairs])

    def split_documents(self, documents: Iterable[Document | DocbatsDocument]) -> list[Document]:
        """Split documents; chunks of loaded files know their pages, times and so on."""
        return self._split(map(_Source.of, documents))

    def _split(self, sources: Iterable[_Source]) -> list[Document]:
        new_id = DistinctIds()
        documents = []
        for source in sources:
            chunks = self._splitter.chunks(
                source.text,
                strip=self._strip_whitespace,
                document_id=source.id,
                name=source.name,
            )
            for chunk in chunks:
                own = add_to_metadata(source.metadata, chunk.values(), self._prefix)
                if self._add_start_index:
                    own["start_index"] = chunk.start
                made = Document(page_content=chunk.content, metadata=own, id=new_id(chunk.id))
                documents.append(made)
        return documents

    def split_with_parents(
        self, documents: Iterable[Document | DocbatsDocument]
    ) -> tuple[list[Document], list[Document]]:
        """Return the sections of documents, and the small chunks that they consist of.

        With a `chunk_size`, sections are chunks of up to `parent_size`; otherwise entries of the
        outline.

        Each has an `id`, and each chunk the `parent_id` of its section in its metadata: search the
        chunks and read the sections, as LangChain's ``MultiVectorRetriever`` does with
        ``id_key="parent_id"``. A section of one chunk is in both lists.
        """
        sections: list[Document] = []
        chunks: list[Document] = []
        new_id = DistinctIds()
        for document in documents:
            source = _Source.of(document)
            nodes = self._splitter.tree(
                source.text,
                strip=self._strip_whitespace,
                document_id=source.id,
                name=source.name,
            )
            ids: list[str] = []
            for node in nodes:
                id_ = new_id(node.chunk.id)
                parent_id = None if node.parent is None else ids[node.parent]
                if node.children or parent_id is None:
                    ids.append(id_ if node.children else stable_id(id_, "section"))
                    sections.append(self._document_of(node, source.metadata, ids[-1], parent_id))
                else:
                    ids.append(id_)
                if not node.children:
                    parent_id = parent_id or ids[-1]
                    chunks.append(self._document_of(node, source.metadata, id_, parent_id))
        return sections, chunks

    def _document_of(
        self, node: ChunkNode, metadata: dict[Any, Any], id_: str, parent_id: str | None
    ) -> Document:
        values = {**node.chunk.values(), "level": node.level}
        if parent_id is not None:
            values["parent_id"] = parent_id
        own = add_to_metadata(metadata, values, self._prefix)
        return Document(page_content=node.chunk.content, metadata=own, id=id_)


class DocbatsLoader(BaseLoader):
    """Loads files of any kind that docbats reads, one document per file.

    The metadata has the path as `source`. A :class:`DocbatsTextSplitter` also uses the pages,
    times, headings, speakers, code and tables of a file.

    Each document has its path as `id`, so that an index can be updated.

    Parameters
    ----------
    paths
        A file, a folder, a pattern such as ``docs/*.md``, or several of them.
    encoding, kind, sentences, language
        As for :meth:`docbats.Document.read`.
    on_error
        What to do with a file that cannot be read: ``"skip"`` it with a
        :class:`docbats.errors.SkippedFileWarning`, or ``"raise"`` the error.
    glob
        Patterns of the files to read from folders, such as ``"**/*.md"``; by default all files that
        docbats can read.
    exclude
        Patterns of files not to read from folders.
    """

    def __init__(
        self,
        paths: FilePaths | Iterable[FilePaths],
        *,
        encoding: str | None = None,
        kind: str | None = None,
        sentences: Literal["auto", "lines"] = "auto",
        language: str = "auto",
        on_error: OnError = "skip",
        glob: str | Sequence[str] | None = None,
        exclude: str | Sequence[str] | None = None,
    ) -> None:
        self._paths = (
            paths if isinstance(paths, str) or not isinstance(paths, Iterable) else [*paths]
        )
        self._reader = FileReader(encoding, kind, sentences, language, on_error, glob, exclude)

    def lazy_load(self) -> Iterator[Document]:
        """Read the files, one by one."""
        for file in self._reader.read_all(self._paths):
            if file.document is None:
                yield Document(page_content=file.text, metadata={"source": file.name}, id=file.id)
            else:
                yield LangChainDocument.of(file.document, source=file.name)


class _Source:
    """A text to split, with its metadata, and what the ids of its chunks are made of."""

    def __init__(
        self, text: str | DocbatsDocument, metadata: dict[Any, Any], id_: str | None = None
    ) -> None:
        self.text, self.metadata = text, metadata
        source = metadata.get("source")
        self.name = source if isinstance(source, str) else id_
        self.id = id_ or (text.id if isinstance(text, DocbatsDocument) else None)
        if self.id is None and metadata:
            # Several documents may have the same metadata, unless it names their source.
            known = repr(sorted(metadata.items(), key=repr))
            self.id = known if self.name else stable_id(known, _written(text))

    @classmethod
    def of(cls, document: Document | DocbatsDocument) -> _Source:
        """Make one of a document of LangChain or of docbats."""
        if isinstance(document, DocbatsDocument):
            return cls(document, {})
        loaded = document.document if isinstance(document, LangChainDocument) else None
        text = document.page_content if loaded is None else loaded
        return cls(text, document.metadata, document.id)


def _written(text: str | DocbatsDocument) -> str:
    return text if isinstance(text, str) else text.text
