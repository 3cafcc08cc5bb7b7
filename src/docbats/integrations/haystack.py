"""Haystack: a component that splits documents, and a converter of files."""

# No `from __future__ import annotations` here: older versions of Haystack need the types of inputs
# as objects, not as strings.

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, Self, Union

from docbats.document import Document as DocbatsDocument
from docbats.errors import InputError, require_extra
from docbats.integrations.splitting import FileReader, add_to_metadata, find_files, make_splitting

with require_extra("Haystack", "haystack"):
    from haystack import Document, component
    from haystack.core.serialization import default_from_dict, default_to_dict
    from haystack.dataclasses import ByteStream

__all__ = ["DocbatsConverter", "DocbatsDocumentSplitter", "LoadedDocument"]


class LoadedDocument(Document):
    """A document that knows more of its file than its text: pages, times, headings and so on.

    A :class:`DocbatsDocumentSplitter` uses what it knows. It is stored as any other document.
    """

    @classmethod
    def of(cls, document: DocbatsDocument, meta: dict[str, Any] | None = None) -> Self:
        """Make one of a :class:`docbats.Document`."""
        made = cls(content=document.text, meta=dict(meta or {}))
        made._document = document
        return made

    _document: DocbatsDocument | None = None

    @property
    def document(self) -> DocbatsDocument | None:
        """The document as docbats read it; None where its text has changed since then."""
        known = self._document
        return known if known is not None and known.text == self.content else None


class _StoredByArguments:
    """A component that a stored pipeline makes again from its arguments."""

    _arguments: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Return what a stored pipeline needs to make the component again."""
        arguments: dict[str, Any] = default_to_dict(self, **self._arguments)
        return arguments

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Make the component from what `to_dict` returned."""
        made: Self = default_from_dict(cls, data)
        return made


@component
class DocbatsDocumentSplitter(_StoredByArguments):
    """Splits documents into parts of a size, or where their topics change.

    With a `chunk_size`, paragraphs, lists, tables and code stay whole unless one alone is larger:
    see :func:`docbats.chunk`. Without it, or with `k` or other settings of the analysis, parts are
    the segments that it finds.

    The meta of each part is that of its document, of which nothing is overwritten, and `source_id`,
    `split_id`, `split_idx_start` and `page_number` as Haystack's own splitters set them; `start`,
    `end`, `title`, `topics` and `strength`; `heading_path`, `speakers`, `pages` and `seconds` where
    they are known. Where the document has a name itself, ``docbats_`` goes before ours. Without an
    overlap, joining the parts of a document gives back the document.

    Parameters
    ----------
    k
        The number of parts of each document; ``"auto"`` lets the text decide.
    preset
        Which settings to start from.
    prefix
        Put before the names of what we add to the meta.
    chunk_size, chunk_overlap
        The largest size of a part, which is never exceeded, and how much of the text before it a
        part repeats, at most: in characters, or in the `size_unit` that is given.
    parent_size
        With `parents` and a `chunk_size`, the largest size of a parent; four times that by default.
    parents
        Whether to make documents of the whole document and of the parts of its outline, too, with
        the meta by which Haystack's ``AutoMergingRetriever`` finds parents.
    **settings
        With a `chunk_size`, any other attribute of :class:`docbats.Chunker`, such as `tokenizer`
        and `context`. Or any other attribute of :class:`docbats.Settings`, such as the limits
        `min_size`, `max_size`, `size_unit` and `overlap`.

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
        parent_size: int | None = None,
        **settings: Any,
    ) -> None:
        sizes = {
            "chunk_size": chunk_size,
            "chunk_overlap": chunk_overlap,
            "parent_size": parent_size,
        }
        self._splitting = make_splitting(preset, settings, k=k, **sizes)  # type: ignore[arg-type]
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

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """Split each document, of Haystack or of docbats; blank ones have no parts."""
        parts = []
        for given in documents:
            document = LoadedDocument.of(given) if isinstance(given, DocbatsDocument) else given
            if document.content is None:
                msg = f"document {document.id} has no text: pass documents with a content"
                raise InputError(msg)
            known = document.document if isinstance(document, LoadedDocument) else None
            source = document.content if known is None else known
            if self._parents:
                tree = self._splitting.tree(source, strip=False)
                parts += self._with_parents(document, tree)
            else:
                chunks = self._splitting.chunks(source, strip=False)
                parts += [self._part(document, chunk, i) for i, chunk in enumerate(chunks)]
        return {"documents": parts}

    def _part(self, document: Document, chunk: Any, number: int) -> Document:
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
        return Document(content=chunk.content, meta=meta)

    def _with_parents(self, document: Document, tree: Sequence[Any]) -> list[Document]:
        """Return the document itself, the parts that are divided further, and those that are not.

        The root and all parts have the meta of Haystack's own ``HierarchicalDocumentSplitter``.
        """
        if not tree:
            return []
        root = Document(content=document.content, meta={**document.meta, "source_id": document.id})
        parts = [self._part(document, node.chunk, i) for i, node in enumerate(tree)]
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
    """Turns files of all kinds that docbats reads into documents, one a file.

    A :class:`DocbatsDocumentSplitter` uses all that was read of a file: its pages, times, headings,
    speakers, code and tables.

    Parameters
    ----------
    encoding, kind, sentences, language
        As for :meth:`docbats.Document.read`.
    store_full_path
        Whether `file_path` in the meta is the whole path; by default it is the name alone, as with
        Haystack's own converters.
    """

    def __init__(
        self,
        *,
        encoding: str | None = None,
        kind: str | None = None,
        sentences: Literal["auto", "lines"] = "auto",
        language: str = "auto",
        store_full_path: bool = False,
    ) -> None:
        self._reader = FileReader(encoding, kind, sentences, language)
        self._arguments = {
            "encoding": encoding,
            "kind": kind,
            "sentences": sentences,
            "language": language,
            "store_full_path": store_full_path,
        }

    @component.output_types(documents=list[Document])
    def run(
        self,
        sources: list[Union[str, Path, ByteStream]],  # noqa: UP007  (the docs mock Haystack)
        meta: dict[str, Any] | list[dict[str, Any]] | None = None,
    ) -> dict[str, list[Document]]:
        """Read each source: a file, the files of a folder, or a stream of bytes.

        `meta` is added to the documents of all sources, or one of a list to those of each.
        """
        metas = meta if isinstance(meta, list) else [meta or {}] * len(sources)
        if len(metas) != len(sources):
            msg = f"expected a meta for each source, got {len(metas)} for {len(sources)} sources"
            raise InputError(msg)
        documents = []
        for source, own in zip(sources, metas, strict=True):
            if isinstance(source, ByteStream):
                name = source.meta.get("file_path") or source.meta.get("file_name")
                documents.append(self._convert(source.data, name, {**source.meta, **own}))
            else:
                documents += [self._convert(path, None, own) for path in find_files(source)]
        return {"documents": documents}

    def _convert(self, source: Path | bytes, name: str | None, meta: dict[str, Any]) -> Document:
        file = self._reader.read(source, name)
        if file.name:
            shown = file.name if self._arguments["store_full_path"] else Path(file.name).name
            meta = {**meta, "file_path": shown}
        if file.document is None:
            return Document(content=file.text, meta=dict(meta))
        return LoadedDocument.of(file.document, meta)


def _hierarchy(level: int, parent: "Document | None", children: list[Document]) -> dict[str, Any]:
    return {
        "__level": level,
        "__block_size": 0,
        "__parent_id": None if parent is None else parent.id,
        "__children_ids": [child.id for child in children],
    }
