"""LangChain: a text splitter, and a loader of files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal, cast
from uuid import NAMESPACE_URL, uuid5

from docbats.document import Document as DocbatsDocument
from docbats.errors import InputError, require_extra
from docbats.integrations.splitting import (
    FilePaths,
    FileReader,
    add_to_metadata,
    find_files,
    make_splitting,
)

with require_extra("LangChain's text splitters", "langchain"):
    from langchain_core.document_loaders import BaseLoader
    from langchain_core.documents import Document
    from langchain_text_splitters import TextSplitter
    from pydantic import PrivateAttr

__all__ = ["DocbatsLoader", "DocbatsTextSplitter", "LoadedDocument"]

_BASE_CHUNK_SIZE = 4000  # what LangChain's base class is told where there is no limit


class LoadedDocument(Document):
    """A document that knows more of its file than its text: pages, times, headings and so on.

    A :class:`DocbatsTextSplitter` uses what it knows. It is stored as any other document.
    """

    _document: Any = PrivateAttr(default=None)

    @classmethod
    def of(cls, document: DocbatsDocument, **metadata: Any) -> LoadedDocument:
        """Make one of a :class:`docbats.Document`."""
        made = cls(page_content=document.text, metadata=metadata)
        made._document = document
        return made

    @property
    def document(self) -> DocbatsDocument | None:
        """The document as docbats read it; None where its text has changed since then."""
        known = cast("DocbatsDocument | None", self._document)
        return known if known is not None and known.text == self.page_content else None

    @classmethod
    def lc_id(cls) -> list[str]:
        """Return the name under which LangChain stores it."""
        return list(Document.lc_id())


class DocbatsTextSplitter(TextSplitter):
    """Splits texts into chunks of a size, or where their topics change.

    With a `chunk_size`, paragraphs, lists, tables and code stay whole unless one alone is larger,
    and headings go with what follows them: see :func:`docbats.chunk`. Without it, or with `k` or
    other settings of the analysis, chunks are the segments that it finds.

    The metadata of a chunk is that of its document, of which nothing is overwritten, and `start`,
    `end` and `title`; `size` of chunks of a size, `topics` and `strength` of segments;
    `heading_path`, `document_title`, `context`, `speakers`, `pages` and `seconds` where they are
    known. Where the document has a name itself, ``docbats_`` goes before ours.

    Parameters
    ----------
    k
        The number of chunks of each text; ``"auto"`` lets the text decide.
    preset
        Which settings to start from.
    chunk_size
        The largest size of a chunk, which is never exceeded; None sets no limit.
    chunk_overlap
        How much of the text before it a chunk repeats, at most.
    length_function
        What measures both: characters by default.
    add_start_index
        Whether the metadata says where a chunk begins by LangChain's name, too (``start_index``).
    strip_whitespace
        Whether to strip the white space around chunks.
    prefix
        Put before the names of what we add to the metadata.
    parent_size
        The largest size of the sections of :meth:`split_with_parents`; four times `chunk_size` by
        default.
    **settings
        With a `chunk_size`, any other attribute of :class:`docbats.Chunker`, such as `tokenizer`
        and `context`, which goes before the text of a chunk. Or any other attribute of
        :class:`docbats.Settings`, such as the limits `min_size`, `max_size`, `size_unit` and
        `overlap`.

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
        prefix: str = "",
        parent_size: int | None = None,
        **settings: Any,
    ) -> None:
        self._splitting = make_splitting(
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
            add_start_index=add_start_index,
            strip_whitespace=strip_whitespace,
        )
        self._prefix = prefix

    def split_text(self, text: str | DocbatsDocument) -> list[str]:
        """Split one text."""
        found = self._splitting.chunks(text, strip=self._strip_whitespace)
        return [chunk.content for chunk in found]

    def create_documents(
        self,
        texts: Sequence[str | DocbatsDocument],
        metadatas: list[dict[Any, Any]] | None = None,
    ) -> list[Document]:
        """Return a document for each chunk, with a copy of its text's metadata.

        The offsets are those of the segments; searching the text for a chunk would be wrong where
        the same words occur twice.
        """
        metadatas = metadatas or [{} for _ in texts]
        if len(metadatas) != len(texts):
            msg = f"expected a metadata for each text, got {len(metadatas)} for {len(texts)} texts"
            raise InputError(msg)
        documents = []
        for text, metadata in zip(texts, metadatas, strict=True):
            for chunk in self._splitting.chunks(text, strip=self._strip_whitespace):
                own = add_to_metadata(metadata, chunk.values(), self._prefix)
                if self._add_start_index:
                    own["start_index"] = chunk.start
                documents.append(Document(page_content=chunk.content, metadata=own))
        return documents

    def split_documents(self, documents: Iterable[Document | DocbatsDocument]) -> list[Document]:
        """Split documents, with what a loader of docbats knows of their files."""
        pairs = [_text_and_metadata(document) for document in documents]
        return self.create_documents([text for text, _ in pairs], [own for _, own in pairs])

    def split_with_parents(
        self, documents: Iterable[Document | DocbatsDocument]
    ) -> tuple[list[Document], list[Document]]:
        """Return the sections of the texts, and the small chunks that they consist of.

        With a `chunk_size`, sections are chunks of up to `parent_size`; without, those of the
        outline.

        Each has an `id` of its own, and each chunk the `parent_id` of its section in its metadata:
        search the chunks and read the sections, as LangChain's ``MultiVectorRetriever`` does with
        ``id_key="parent_id"``. What is not divided is both: a section that is its only chunk.
        """
        sections: list[Document] = []
        chunks: list[Document] = []
        for document in documents:
            text, metadata = _text_and_metadata(document)
            nodes = self._splitting.tree(text, strip=self._strip_whitespace)
            identity = (getattr(document, "id", None), repr(metadata), _text_of(text))
            ids = [str(uuid5(NAMESPACE_URL, repr((*identity, i)))) for i in range(len(nodes))]
            for node, id_ in zip(nodes, ids, strict=True):
                values = {**node.chunk.values(), "level": node.level}
                if node.parent is not None:
                    values["parent_id"] = ids[node.parent]
                own = add_to_metadata(metadata, values, self._prefix)
                made = Document(page_content=node.chunk.content, metadata=own, id=id_)
                if node.children:
                    sections.append(made)
                elif node.parent is not None:
                    chunks.append(made)
                else:
                    own = add_to_metadata(metadata, {**values, "parent_id": id_}, self._prefix)
                    sections.append(made)
                    chunks.append(
                        Document(page_content=node.chunk.content, metadata=own, id=f"{id_}-chunk")
                    )
        return sections, chunks


class DocbatsLoader(BaseLoader):
    """Loads files of all kinds that docbats reads, one document a file.

    The metadata has the `source`, its path. A :class:`DocbatsTextSplitter` uses all else that was
    read of a file: its pages, times, headings, speakers, code and tables.

    Parameters
    ----------
    paths
        A file, a folder, or several of them; of a folder, all files that docbats can read.
    encoding, kind, sentences, language
        As for :meth:`docbats.Document.read`.
    """

    def __init__(
        self,
        paths: FilePaths | Iterable[FilePaths],
        *,
        encoding: str | None = None,
        kind: str | None = None,
        sentences: Literal["auto", "lines"] = "auto",
        language: str = "auto",
    ) -> None:
        self._paths = (
            paths if isinstance(paths, str) or not isinstance(paths, Iterable) else [*paths]
        )
        self._reader = FileReader(encoding, kind, sentences, language)

    def lazy_load(self) -> Iterator[Document]:
        """Read the files, one by one."""
        for path in find_files(self._paths):
            file = self._reader.read(path)
            if file.document is None:
                yield Document(page_content=file.text, metadata={"source": file.name})
            else:
                yield LoadedDocument.of(file.document, source=file.name)


def _text_of(text: str | DocbatsDocument) -> str:
    """Return the text itself."""
    return text if isinstance(text, str) else text.text


def _text_and_metadata(
    document: Document | DocbatsDocument,
) -> tuple[str | DocbatsDocument, dict[Any, Any]]:
    if isinstance(document, DocbatsDocument):
        return document, {}
    known = document.document if isinstance(document, LoadedDocument) else None
    return document.page_content if known is None else known, document.metadata
