"""Haystack: a component that splits documents, and a converter of files."""

# No `from __future__ import annotations` here: older versions of Haystack need the types of inputs
# as objects, not as strings.

from collections.abc import Callable, Sequence
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, Union

from docbats.chunks import Chunk, ChunkNode
from docbats.chunks.chunk import stable_id
from docbats.document import Document as DocbatsDocument
from docbats.errors import InputError, ReadError, require_extra
from docbats.integrations.loaded_files import (
    FileReader,
    LoadedFile,
    OnError,
    find_files,
    warn_of_skipped,
)
from docbats.integrations.splitting import (
    DistinctIds,
    add_to_metadata,
    make_splitter,
    unless_changed,
)

with require_extra("Haystack", "haystack"):
    from haystack import Document, component
    from haystack.core.serialization import default_from_dict, default_to_dict
    from haystack.dataclasses import ByteStream
    from haystack.utils import deserialize_callable, serialize_callable

if TYPE_CHECKING:
    from typing import Unpack

    from docbats.options import SplitterOptionsWithTokenizer

__all__ = ["DocbatsConverter", "DocbatsDocumentSplitter", "HaystackDocument"]


class HaystackDocument(Document):
    """A document with its pages, times, headings and so on, as docbats read them from a file.

    A :class:`DocbatsDocumentSplitter` uses them. They are not stored with the document.
    """

    _document: DocbatsDocument | None = None

    @classmethod
    def of(cls, document: DocbatsDocument, meta: dict[str, Any] | None = None) -> Self:
        """Make one of a :class:`docbats.Document`."""
        made = cls(id=document.id or "", content=document.text, meta=dict(meta or {}))
        made._document = document
        return made

    @property
    def document(self) -> DocbatsDocument | None:
        """The document as docbats read it; None if its text has changed since then."""
        return unless_changed(self._document, self.content)


_CALLABLE = "callable"  # the only key of a stored function, whose value is its import path


class _StoredByArguments:
    """A component that is stored as its arguments; functions are stored by their import paths."""

    _arguments: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Return the component as a dictionary, to store it in a pipeline."""
        stored = {
            name: {_CALLABLE: serialize_callable(value)} if callable(value) else value
            for name, value in self._arguments.items()
        }
        arguments: dict[str, Any] = default_to_dict(self, **stored)
        return arguments

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Make the component from the result of `to_dict`."""
        arguments = {
            name: deserialize_callable(value[_CALLABLE])
            if isinstance(value, dict) and [*value] == [_CALLABLE]
            else value
            for name, value in data.get("init_parameters", {}).items()
        }
        made: Self = default_from_dict(cls, {**data, "init_parameters": arguments})
        return made


@component
class DocbatsDocumentSplitter(_StoredByArguments):
    """Splits documents into parts of a size, or where their topics change.

    With a `chunk_size` alone, parts are the chunks of :func:`docbats.chunk`; without it, or
    together with `k` or other settings of the analysis, they are segments by topic.

    The meta of a part is a copy of its document's, plus `source_id`, `split_id`, `split_idx_start`
    and `page_number`, and `_split_overlap` with an overlap, as Haystack's own splitters set them,
    and `start`, `end`, `title` and whatever else is known of the part, as ``Chunk.values`` returns
    it. Nothing is overwritten: if the document already uses a name, ours begins with ``docbats_``.
    Without an overlap, joining the parts of a document gives back its text, if no table is divided
    and thus its header repeated. The id of a part is made of its document's id, its place and its
    content.

    Parameters
    ----------
    k, preset, chunk_size, chunk_overlap, prefix
        As for :class:`docbats.integrations.langchain.DocbatsTextSplitter`; sizes are in characters,
        or in the `size_unit` that is given.
    length_function
        Measures sizes, instead of a `size_unit`. A function that can be imported is stored with
        the pipeline.
    parents
        Whether to also return the whole document and the sections of its outline, with the meta by
        which Haystack's ``AutoMergingRetriever`` finds parents.
    parent_size
        With `parents` and a `chunk_size`, the largest size of a parent; four times that by default.
    **settings
        As for :class:`docbats.integrations.langchain.DocbatsTextSplitter`.

    Examples
    --------
    >>> splitter = DocbatsDocumentSplitter(k=2)
    >>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    >>> for part in splitter.run([Document(content=text)])["documents"]:
    ...     print(part.meta["split_idx_start"], repr(part.content))
    0 'Bats hunt moths. Moths hear bats. '
    34 'Tea needs hot water. Hot tea cools.'
    """

    def __init__(
        self,
        k: int | Literal["auto"] = "auto",
        preset: str = "sharp",
        *,
        prefix: str = "",
        parents: bool = False,
        chunk_size: int | None = None,
        chunk_overlap: int = 0,
        length_function: Callable[[str], int] | None = None,
        parent_size: int | None = None,
        **settings: "Unpack[SplitterOptionsWithTokenizer]",
    ) -> None:
        sizes = {
            "chunk_size": chunk_size,
            "chunk_overlap": chunk_overlap,
            "length_function": length_function,
            "parent_size": parent_size,
        }
        self._splitter = make_splitter(preset, settings, k=k, **sizes)  # type: ignore[arg-type]
        self._arguments = {
            "k": k,
            "preset": preset,
            "prefix": prefix,
            "parents": parents,
            **{name: value for name, value in sizes.items() if value},
            **settings,
        }
        self._prefix = prefix
        self._parents = parents
        self._has_overlap = bool(chunk_overlap or settings.get("overlap"))

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """Split each document, of Haystack or of docbats; blank ones have no parts."""
        parts = []
        new_id = DistinctIds()
        for given in documents:
            document = HaystackDocument.of(given) if isinstance(given, DocbatsDocument) else given
            if document.content is None:
                msg = f"document {document.id} has no text: pass documents with content"
                raise InputError(msg)
            loaded = document.document if isinstance(document, HaystackDocument) else None
            source = document.content if loaded is None else loaded
            name = document.meta.get("file_path")
            of = {"document_id": document.id, "name": name if isinstance(name, str) else None}
            if self._parents:
                tree = self._splitter.tree(source, strip=False, **of)
                parts += self._with_parents(document, tree, new_id)
            else:
                chunks = self._splitter.chunks(source, strip=False, **of)
                found = [self._part(document, each, i, new_id) for i, each in enumerate(chunks)]
                if self._has_overlap:
                    _add_overlaps(found, chunks)
                parts += found
        return {"documents": parts}

    def _part(self, document: Document, chunk: Chunk, number: int, new_id: DistinctIds) -> Document:
        text = document.content or ""
        meta = {
            **add_to_metadata(document.meta, chunk.values(), self._prefix),
            "source_id": document.id,
            "split_id": number,
            "split_idx_start": chunk.start,
        }
        if chunk.place is not None and chunk.place.pages is not None:
            meta["page_number"] = chunk.place.pages[0]
        elif "\f" in text or "page_number" not in document.meta:
            meta["page_number"] = 1 + text.count("\f", 0, chunk.start)
        return Document(id=new_id(chunk.id), content=chunk.content, meta=meta)

    def _with_parents(
        self, document: Document, tree: Sequence[ChunkNode], new_id: DistinctIds
    ) -> list[Document]:
        """Return the whole document and all nodes of its tree.

        They have the same meta as from Haystack's own ``HierarchicalDocumentSplitter``.
        """
        if not tree:
            return []
        root = Document(
            id=new_id(stable_id(document.id, "root")),
            content=document.content,
            meta={**document.meta, "source_id": document.id},
        )
        parts = [self._part(document, node.chunk, i, new_id) for i, node in enumerate(tree)]
        top = [part for part, node in zip(parts, tree, strict=True) if node.parent is None]
        root.meta.update(_hierarchy(0, None, top))
        for part, node in zip(parts, tree, strict=True):
            parent = root if node.parent is None else parts[node.parent]
            below = [parts[i] for i in node.children]
            part.meta.update(_hierarchy(node.level + 1, parent, below))
            part.meta["__block_size"] = len(node.chunk.text)
        return [root, *parts]


@component
class DocbatsConverter(_StoredByArguments):
    """Turns files of any kind that docbats reads into documents, one per file.

    A :class:`DocbatsDocumentSplitter` also uses the pages, times, headings, speakers, code and
    tables of a file.

    Parameters
    ----------
    encoding, kind, sentences, language
        As for :meth:`docbats.Document.read`; the `mime_type` of a stream of bytes says its kind,
        too.
    store_full_path
        Whether `file_path` in the meta is the full path; by default only the name, as in Haystack's
        own converters.
    on_error, glob, exclude
        As for :class:`docbats.integrations.langchain.DocbatsLoader`. A file that does not exist is
        skipped as well, as by Haystack's own converters.
    """

    def __init__(
        self,
        *,
        encoding: str | None = None,
        kind: str | None = None,
        sentences: Literal["auto", "lines"] = "auto",
        language: str = "auto",
        store_full_path: bool = False,
        on_error: OnError = "skip",
        glob: str | Sequence[str] | None = None,
        exclude: str | Sequence[str] | None = None,
    ) -> None:
        self._reader = FileReader(encoding, kind, sentences, language, on_error, glob, exclude)
        self._arguments = {**asdict(self._reader), "store_full_path": store_full_path}

    @component.output_types(documents=list[Document])
    def run(
        self,
        sources: list[Union[str, Path, ByteStream]],  # noqa: UP007  (the docs mock Haystack)
        meta: dict[str, Any] | list[dict[str, Any]] | None = None,
    ) -> dict[str, list[Document]]:
        """Read each source: a file, the files of a folder, or a stream of bytes.

        `meta` is added to all documents; a list has one for each source.
        """
        metas = meta if isinstance(meta, list) else [meta or {}] * len(sources)
        if len(metas) != len(sources):
            msg = f"expected a meta for each source, got {len(metas)} for {len(sources)} sources"
            raise InputError(msg)
        documents = []
        for source, own in zip(sources, metas, strict=True):
            shared = {**source.meta, **own} if isinstance(source, ByteStream) else own
            documents += [self._convert(file, shared) for file in self._read(source)]
        return {"documents": documents}

    def _read(self, source: "str | Path | ByteStream") -> list[LoadedFile]:
        """Return the files of a source that can be read."""
        if isinstance(source, ByteStream):
            name = source.meta.get("file_path") or source.meta.get("file_name")
            file = self._reader.try_to_read(source.data, name, source.mime_type)
            return [] if file is None else [file]
        try:
            paths = list(find_files(source, self._reader.glob, self._reader.exclude))
        except ReadError as error:
            if self._reader.on_error == "raise":
                raise
            warn_of_skipped(error, str(source))
            return []
        read = map(self._reader.try_to_read, paths)
        return [file for file in read if file is not None]

    def _convert(self, file: LoadedFile, meta: dict[str, Any]) -> Document:
        if file.name:
            shown = file.name if self._arguments["store_full_path"] else Path(file.name).name
            meta = {**meta, "file_path": shown}
        if file.document is None:
            return Document(id=file.id or "", content=file.text, meta=dict(meta))
        return HaystackDocument.of(file.document, meta)


def _add_overlaps(parts: list[Document], chunks: Sequence[Chunk]) -> None:
    """Say in the meta of neighbors which characters they share, as Haystack's splitters do."""
    for part in parts:
        part.meta["_split_overlap"] = []
    for i, (before, after) in enumerate(pairwise(chunks)):
        shared = before.end - after.start
        if shared > 0:
            end, start = len(before.content), len(after.content) - len(after.text)
            parts[i + 1].meta["_split_overlap"].append(
                {"doc_id": parts[i].id, "range": (end - shared, end)}
            )
            parts[i].meta["_split_overlap"].append(
                {"doc_id": parts[i + 1].id, "range": (start, start + shared)}
            )


def _hierarchy(level: int, parent: "Document | None", children: list[Document]) -> dict[str, Any]:
    return {
        "__level": level,
        "__block_size": 0,
        "__parent_id": None if parent is None else parent.id,
        "__children_ids": [child.id for child in children],
    }
