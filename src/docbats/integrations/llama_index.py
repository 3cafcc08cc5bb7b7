"""LlamaIndex: a node parser, and a reader of files."""

from __future__ import annotations

# LlamaIndex reads the types of fields at run time, when a class is made.
from collections.abc import Callable, Iterable, Sequence
from os import PathLike  # noqa: TC003
from typing import TYPE_CHECKING, Annotated, Any, Literal

from docbats.chunks.chunk import ChunkNode
from docbats.document import Document as DocbatsDocument
from docbats.errors import SettingsError, require_extra
from docbats.integrations.loaded_files import FileReader, LoadedFile, OnError
from docbats.integrations.splitting import (
    DistinctIds,
    add_to_metadata,
    import_path,
    imported_function,
    make_splitter,
    unless_changed,
)
from docbats.settings import SETTING_INFOS

with require_extra("LlamaIndex", "llama-index"):
    from llama_index.core.bridge.pydantic import (
        BeforeValidator,
        Field,
        PlainSerializer,
        PrivateAttr,
        WithJsonSchema,
    )
    from llama_index.core.node_parser import NodeParser
    from llama_index.core.node_parser.node_utils import build_nodes_from_splits, default_id_func
    from llama_index.core.readers.base import BaseReader
    from llama_index.core.schema import (
        BaseNode,
        Document,
        MetadataMode,
        NodeRelationship,
        TextNode,
    )
    from llama_index.core.utils import get_tokenizer, get_tqdm_iterable

if TYPE_CHECKING:
    from typing import Unpack

    from docbats.integrations.splitting import SizeSplitter, TopicSplitter
    from docbats.options import NodeParserOptions, NodeParserOptionsWithK

__all__ = ["DocbatsNodeParser", "DocbatsReader", "LlamaIndexDocument"]

_CALLABLE = "callable"  # the only key of a stored function, whose value is its import path


def _stored(value: Any) -> Any:
    """Return a function by its import path, so that a pipeline can be stored."""
    return {_CALLABLE: import_path(value)} if callable(value) else value


def _restored(value: Any) -> Any:
    is_stored = isinstance(value, dict) and [*value] == [_CALLABLE]
    return imported_function(value[_CALLABLE]) if is_stored else value


def _each(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return what changes each value of a dictionary."""
    return lambda given: (
        {name: change(value) for name, value in given.items()} if isinstance(given, dict) else given
    )


_JSON = WithJsonSchema({"type": "object"})
_Tokenizer = Annotated[
    Callable[[str], Sequence[Any]] | None, BeforeValidator(_restored), PlainSerializer(_stored),
    _JSON,
]  # fmt: skip
_Settings = Annotated[
    dict[str, Any], BeforeValidator(_each(_restored)), PlainSerializer(_each(_stored)), _JSON
]

# Metadata that models see which embed or read nodes; offsets would only disturb them.
_SHOWN = ("title", "heading_path")


class LlamaIndexDocument(Document):  # noqa: PLW1641  (like any document of its library)
    """A document with its pages, times, headings and so on, as docbats read them from a file.

    A :class:`DocbatsNodeParser` uses them. They are not stored with the document.
    """

    _document: Any = PrivateAttr(default=None)

    @classmethod
    def of(
        cls, document: DocbatsDocument, metadata: dict[str, Any] | None = None
    ) -> LlamaIndexDocument:
        """Make one of a :class:`docbats.Document`."""
        fields: dict[str, Any] = {"text": document.text, "metadata": metadata or {}}
        if document.id is not None:
            fields["id_"] = document.id
        made: LlamaIndexDocument = cls.model_validate(fields)
        made._document = document
        return made

    @property
    def document(self) -> DocbatsDocument | None:
        """The document as docbats read it; None if its text has changed since then."""
        return unless_changed(self._document, self.text)

    def __eq__(self, other: object) -> bool:
        """Whether it is the same document for LlamaIndex; an ordinary one may be, too."""
        if not isinstance(other, Document):
            return NotImplemented
        return bool(self.to_dict() == other.to_dict())


class DocbatsReader(BaseReader):
    """Reads files of any kind that docbats reads, one document per file.

    A :class:`DocbatsNodeParser` also uses the pages, times, headings, speakers, code and tables of
    a file. The reader can be a `file_extractor` of LlamaIndex's ``SimpleDirectoryReader``. The id
    of a document is its path, so that an index can be updated.

    Parameters
    ----------
    encoding, kind, sentences, language
        As for :meth:`docbats.Document.read`.
    on_error, glob, exclude
        As for :class:`docbats.integrations.langchain.DocbatsLoader`.
    """

    def __init__(
        self,
        *,
        encoding: str | None = None,
        kind: str | None = None,
        sentences: Literal["auto", "lines"] = "auto",
        language: str = "auto",
        on_error: OnError = "skip",
        glob: str | Sequence[str] | None = None,
        exclude: str | Sequence[str] | None = None,
    ) -> None:
        self._reader = FileReader(encoding, kind, sentences, language, on_error, glob, exclude)

    def lazy_load_data(  # type: ignore[override]
        self,
        file: str | PathLike[str] | Iterable[str | PathLike[str]],
        extra_info: dict[str, Any] | None = None,
        fs: Any = None,
    ) -> Iterable[Document]:
        """Yield a document for each file, or for each file of a folder that docbats can read.

        `extra_info` is added to the metadata; `fs`, a file system of fsspec, opens the file.
        """
        if fs is None:
            files = self._reader.read_all(file)
        else:
            name = str(file)
            with fs.open(name, "rb") as opened:
                found = self._reader.try_to_read(opened.read(), name)
            files = iter([] if found is None else [found])
        for each in files:
            yield _load(each, extra_info)

    def load_data(self, *args: Any, **kwargs: Any) -> list[Document]:
        """Return a document for each file."""
        return list(self.lazy_load_data(*args, **kwargs))


def _load(file: LoadedFile, extra_info: dict[str, Any] | None) -> Document:
    metadata = {"file_path": file.name, **(extra_info or {})}
    if file.document is None:
        return Document(text=file.text, metadata=metadata, id_=file.id)
    return LlamaIndexDocument.of(file.document, metadata)


class DocbatsNodeParser(NodeParser):
    """Splits documents into nodes of a size, or where their topics change.

    With a `chunk_size` alone, nodes are the chunks of :func:`docbats.chunk`; without it, or
    together with `k` or other settings of the analysis, they are segments by topic.

    The metadata of a node is a copy of its document's, plus `start`, `end`, `title` and whatever
    else is known of the node, as ``Chunk.values`` returns it. Nothing is overwritten: if the
    document already uses a name, ours begins with ``docbats_``. Models that embed or read nodes
    only see the title and the headings. Any attribute of :class:`docbats.Settings` can be passed
    by its name.

    Examples
    --------
    >>> parser = DocbatsNodeParser(k=2)
    >>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    >>> for node in parser.get_nodes_from_documents([Document(text=text)]):
    ...     print(node.start_char_idx, node.end_char_idx, node.text)
    0 33 Bats hunt moths. Moths hear bats.
    34 69 Tea needs hot water. Hot tea cools.
    """

    k: int | Literal["auto"] = Field(
        default="auto", description="Number of nodes of each document; auto: the text decides."
    )
    preset: str = Field(default="sharp", description="Settings to start from: sharp or paper.")
    prefix: str = Field(default="", description="Goes before the names of added metadata.")
    parents: bool = Field(
        default=False,
        description="Whether to also make nodes of the sections of the outline, with "
        "relationships to their parents and children.",
    )
    chunk_size: int | None = Field(
        default=None, description="Largest number of tokens of a node; None sets no limit."
    )
    chunk_overlap: int = Field(
        default=0, description="How many tokens before it a node repeats, at most."
    )
    tokenizer: _Tokenizer = Field(
        default=None,
        description="Finds tokens; LlamaIndex's tokenizer by default. It is stored by its import "
        "path.",
    )
    parent_size: int | None = Field(
        default=None,
        description="With parents and a chunk_size, the largest number of tokens of a parent; four "
        "times the chunk_size by default.",
    )
    context: Literal["none", "headings", "title"] = Field(
        default="none", description="What goes before the text of each node, with a chunk_size."
    )
    settings: _Settings = Field(
        default_factory=dict, description="Other settings of docbats, such as max_size."
    )

    def __init__(self, **fields: Unpack[NodeParserOptionsWithK]) -> None:
        known = type(self).model_fields
        given: dict[str, Any] = dict(fields)
        stored = given.get("id_func")
        if isinstance(stored, dict):  # LlamaIndex stores only its name, even that of its own
            if stored.get("id_func_name") != default_id_func.__name__:
                msg = f"id_func {stored.get('id_func_name')} cannot be stored: pass it again"
                raise SettingsError(msg)
            del given["id_func"]
        settings = dict(given.get("settings") or {})
        for name in [name for name in given if name not in known and name != "class_name"]:
            if name not in SETTING_INFOS and name != "titles":  # LlamaIndex would ignore it
                names = ", ".join(sorted({*known, *SETTING_INFOS, "titles"}))
                msg = f"there is no argument {name!r}: the arguments are {names}"
                raise SettingsError(msg)
            settings[name] = given.pop(name)
        super().__init__(**{**given, "settings": settings})
        self._splitter()  # refuses wrong settings here, not at the first document

    @classmethod
    def from_defaults(
        cls,
        k: int | Literal["auto"] = "auto",
        preset: str = "sharp",
        **fields: Unpack[NodeParserOptions],
    ) -> DocbatsNodeParser:
        """Make a parser, as LlamaIndex's own parsers do; the same as calling the class."""
        return cls(k=k, preset=preset, **fields)

    @classmethod
    def class_name(cls) -> str:
        """Return the name under which LlamaIndex stores the class."""
        return "DocbatsNodeParser"

    def get_nodes_from_documents(
        self,
        documents: Sequence[Document | DocbatsDocument],
        show_progress: bool = False,
        **kwargs: Any,
    ) -> list[BaseNode]:
        """Parse documents of LlamaIndex or of docbats into nodes."""
        nodes = _as_nodes(documents)
        found: list[BaseNode] = super().get_nodes_from_documents(nodes, show_progress, **kwargs)
        return found

    async def aget_nodes_from_documents(
        self,
        documents: Sequence[Document | DocbatsDocument],
        show_progress: bool = False,
        **kwargs: Any,
    ) -> list[BaseNode]:
        """Parse documents of LlamaIndex or of docbats into nodes."""
        nodes = _as_nodes(documents)
        found: list[BaseNode] = await super().aget_nodes_from_documents(
            nodes, show_progress, **kwargs
        )
        return found

    def _splitter(self) -> SizeSplitter | TopicSplitter:
        tokenize = self.tokenizer

        def tokens(text: str) -> int:
            return len((tokenize or get_tokenizer())(text))

        settings = dict(self.settings)
        if self.context != "none":
            settings["context"] = self.context
        return make_splitter(
            self.preset,
            settings,
            k=self.k,
            chunk_size=self.chunk_size,
            chunk_overlap=self.chunk_overlap,
            length_function=tokens,
            parent_size=self.parent_size,
        )

    def _parse_nodes(
        self,
        nodes: Sequence[BaseNode],
        show_progress: bool = False,
        **kwargs: Any,  # noqa: ARG002  (LlamaIndex may pass more)
    ) -> list[BaseNode]:
        splitter = self._splitter()
        new_id = DistinctIds()
        parsed: list[BaseNode] = []
        for source in get_tqdm_iterable(nodes, show_progress, "Finding segments"):
            text = source.document if isinstance(source, LlamaIndexDocument) else None
            if text is None:
                text = source.get_content(metadata_mode=MetadataMode.NONE)
            name = source.metadata.get("file_path")
            of = {
                "document_id": source.node_id,
                "name": name if isinstance(name, str) else None,
            }
            if self.parents:
                tree = splitter.tree(text, strip=True, **of)
            else:
                chunks = splitter.chunks(text, strip=True, **of)
                tree = [ChunkNode(chunk, 0, None, ()) for chunk in chunks]
            parsed.extend(self._make_nodes(source, tree, new_id))
        return parsed

    def _make_nodes(
        self, source: BaseNode, tree: Sequence[ChunkNode], new_id: DistinctIds
    ) -> list[TextNode]:
        texts = [each.chunk.content for each in tree]
        ids = [new_id(each.chunk.id) for each in tree]
        id_func = self.id_func
        if id_func in {None, default_id_func}:
            id_func = lambda i, _: ids[i]  # noqa: E731
        made: list[TextNode] = build_nodes_from_splits(texts, source, id_func=id_func)
        taken: dict[str, Any] = {}  # the names of the metadata that nodes inherit
        if self.include_metadata:
            origin = source.source_node
            inherited = {} if origin is None else origin.metadata
            taken = dict.fromkeys([*inherited, *source.metadata])
        shown = add_to_metadata(taken, dict.fromkeys(_SHOWN), self.prefix)
        # A node made by another parser knows its offset in its document.
        offset = 0 if source.source_node is None else getattr(source, "start_char_idx", None) or 0
        for node, each in zip(made, tree, strict=True):
            node.start_char_idx = offset + each.chunk.start
            node.end_char_idx = offset + each.chunk.end
            offsets = {"start": node.start_char_idx, "end": node.end_char_idx}
            values = {**each.chunk.values(), **offsets}
            own = add_to_metadata(taken, values, self.prefix)
            node.metadata = {name: value for name, value in own.items() if name not in taken}
            hidden = [name for name in node.metadata if name not in shown]
            node.excluded_embed_metadata_keys = [*node.excluded_embed_metadata_keys, *hidden]
            node.excluded_llm_metadata_keys = [*node.excluded_llm_metadata_keys, *hidden]
        for node, each in zip(made, tree, strict=True):
            node.relationships = dict(node.relationships)  # so far all nodes share one
            if each.parent is not None:
                parent = made[each.parent]
                node.relationships[NodeRelationship.PARENT] = parent.as_related_node_info()
            if each.children:
                children = [made[child].as_related_node_info() for child in each.children]
                node.relationships[NodeRelationship.CHILD] = children
        return made

    def _postprocess_parsed_nodes(
        self, nodes: list[BaseNode], parent_doc_map: dict[str, Document]
    ) -> list[BaseNode]:
        """Keep our offsets, since LlamaIndex would search for the first equal text.

        LlamaIndex links all nodes that it gets as neighbors, so it gets one level at a time.
        """
        made = [node for node in nodes if isinstance(node, TextNode)]
        spans = [(node.start_char_idx, node.end_char_idx) for node in made]
        levels: dict[str, int] = {}
        for node in nodes:
            parent = node.parent_node
            levels[node.node_id] = 0 if parent is None else levels[parent.node_id] + 1
        for level in sorted(set(levels.values())):
            same = [node for node in nodes if levels[node.node_id] == level]
            super()._postprocess_parsed_nodes(same, parent_doc_map)
        for node, (start, end) in zip(made, spans, strict=True):
            node.start_char_idx, node.end_char_idx = start, end
        return nodes


def _as_nodes(documents: Iterable[Document | DocbatsDocument]) -> list[Document]:
    return [
        LlamaIndexDocument.of(document) if isinstance(document, DocbatsDocument) else document
        for document in documents
    ]
