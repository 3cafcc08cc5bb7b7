"""LlamaIndex: a node parser, and a reader of files."""

from __future__ import annotations

from collections.abc import (  # noqa: TC003
    Callable,
    Iterable,
    Sequence,
)
from os import PathLike  # noqa: TC003
from typing import TYPE_CHECKING, Any, Literal, cast

from docbats.document import Document as DocbatsDocument
from docbats.errors import SettingsError, require_extra
from docbats.integrations.splitting import (
    ChunkNode,
    FileReader,
    add_to_metadata,
    find_files,
    make_splitting,
)
from docbats.settings import SETTING_INFOS

if TYPE_CHECKING:
    from docbats.integrations.splitting import Splitting

__all__ = ["DocbatsNodeParser", "DocbatsReader", "LoadedDocument"]

# LlamaIndex reads the types of fields at run time, when the class is made.


with require_extra("LlamaIndex", "llama-index"):
    from llama_index.core.bridge.pydantic import PrivateAttr
    from llama_index.core.readers.base import BaseReader
    from llama_index.core.schema import Document


class LoadedDocument(Document):
    """A document that knows more of its file than its text: pages, times, headings and so on.

    A :class:`DocbatsNodeParser` uses what it knows. It is stored as any other document.
    """

    _document: Any = PrivateAttr(default=None)

    @classmethod
    def of(
        cls, document: DocbatsDocument, metadata: dict[str, Any] | None = None
    ) -> LoadedDocument:
        """Make one of a :class:`docbats.Document`."""
        fields = {"text": document.text, "metadata": metadata or {}}
        made: LoadedDocument = cls.model_validate(fields)
        made._document = document
        return made

    @property
    def document(self) -> DocbatsDocument | None:
        """The document as docbats read it; None where its text has changed since then."""
        known = cast("DocbatsDocument | None", self._document)
        return known if known is not None and known.text == self.text else None


class DocbatsReader(BaseReader):
    """Reads files of all kinds that docbats reads, one document a file.

    It can be the `file_extractor` of LlamaIndex's ``SimpleDirectoryReader``, too. A
    :class:`DocbatsNodeParser` uses all that was read of a file: its pages, times, headings,
    speakers, code and tables.

    Parameters
    ----------
    encoding, kind, sentences, language
        As for :meth:`docbats.Document.read`.
    """

    def __init__(
        self,
        *,
        encoding: str | None = None,
        kind: str | None = None,
        sentences: Literal["auto", "lines"] = "auto",
        language: str = "auto",
    ) -> None:
        self._reader = FileReader(encoding, kind, sentences, language)

    def lazy_load_data(  # type: ignore[override]
        self,
        file: str | PathLike[str] | Iterable[str | PathLike[str]],
        extra_info: dict[str, Any] | None = None,
        fs: Any = None,
    ) -> Iterable[Document]:
        """Yield a document for each file, or for each file of a folder that docbats can read.

        `extra_info` is added to the metadata; `fs`, a file system of fsspec, opens the file.
        """
        if fs is not None:
            name = str(file)
            with fs.open(name, "rb") as opened:
                yield self._load(opened.read(), name, extra_info)
            return
        for path in find_files(file):
            yield self._load(path, None, extra_info)

    def load_data(self, *args: Any, **kwargs: Any) -> list[Document]:
        """Return a document for each file."""
        return list(self.lazy_load_data(*args, **kwargs))

    def _load(self, source: Any, name: str | None, extra_info: dict[str, Any] | None) -> Document:
        file = self._reader.read(source, name)
        metadata = {"file_path": file.name, **(extra_info or {})}
        if file.document is None:
            return Document(text=file.text, metadata=metadata)
        return LoadedDocument.of(file.document, metadata)


# LlamaIndex reads the types of fields at run time, when the class is made.


with require_extra("LlamaIndex", "llama-index"):
    from llama_index.core.bridge.pydantic import Field
    from llama_index.core.node_parser import NodeParser
    from llama_index.core.node_parser.node_utils import build_nodes_from_splits
    from llama_index.core.schema import (
        BaseNode,
        Document,
        MetadataMode,
        NodeRelationship,
        TextNode,
    )
    from llama_index.core.utils import get_tokenizer, get_tqdm_iterable


_SHOWN = ("title", "heading_path")  # to models that embed or read nodes; offsets would only disturb


class DocbatsNodeParser(NodeParser):
    """Splits documents into nodes of a size, or where their topics change.

    With a `chunk_size`, paragraphs, lists, tables and code stay whole unless one alone is larger:
    see :func:`docbats.chunk`. Without it, or with `k` or other settings of the analysis, nodes are
    the segments that it finds.

    The metadata of a node is that of its document, of which nothing is overwritten, and `start`,
    `end` and `title`; `size` of nodes of a size, `topics` and `strength` of segments;
    `heading_path`, `document_title`, `speakers`, `pages` and `seconds` where they are known.
    `prefix` goes before these names; where the document has a name itself, ``docbats_`` does.
    Models that embed nodes or read them see the title and the headings, but not the rest. Any
    attribute of :class:`docbats.Settings` can be passed by its name.

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
        default="auto", description="Number of nodes of each document; auto lets the text decide."
    )
    preset: str = Field(default="sharp", description="Settings to start from: sharp or paper.")
    prefix: str = Field(default="", description="Put before the names of the metadata.")
    parents: bool = Field(
        default=False,
        description="Whether to make nodes of the parts of the outline, too, with relationships "
        "to their parents and children.",
    )
    chunk_size: int | None = Field(
        default=None, description="Largest number of tokens of a node; None sets no limit."
    )
    chunk_overlap: int = Field(
        default=0, description="How many of the tokens before it a node repeats, at most."
    )
    tokenizer: Callable[[str], Sequence[Any]] | None = Field(
        default=None, exclude=True, description="Finds the tokens; by default that of LlamaIndex."
    )
    parent_size: int | None = Field(
        default=None,
        description="With parents and a chunk_size, the largest number of tokens of a parent; four "
        "times the chunk_size by default.",
    )
    context: Literal["none", "headings", "title"] = Field(
        default="none", description="What goes before the text of a node of a size."
    )
    settings: dict[str, Any] = Field(
        default_factory=dict, description="Other settings of docbats, such as max_size."
    )

    def __init__(self, **fields: Any) -> None:
        known = type(self).model_fields
        settings = dict(fields.get("settings") or {})
        for name in [name for name in fields if name not in known and name != "class_name"]:
            if name not in SETTING_INFOS:  # LlamaIndex would ignore it
                names = ", ".join(sorted({*known, *SETTING_INFOS}))
                msg = f"there is no argument {name!r}: the arguments are {names}"
                raise SettingsError(msg)
            settings[name] = fields.pop(name)
        super().__init__(**{**fields, "settings": settings})
        self._splitting()  # so that wrong settings are refused here, not at the first document

    @classmethod
    def from_defaults(
        cls, k: int | Literal["auto"] = "auto", preset: str = "sharp", **fields: Any
    ) -> DocbatsNodeParser:
        """Make a parser; the same as calling the class, as LlamaIndex's own parsers have it."""
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

    def _splitting(self) -> Splitting:
        tokenize = self.tokenizer

        def tokens(text: str) -> int:
            return len((tokenize or get_tokenizer())(text))

        settings = dict(self.settings)
        if self.context != "none":
            settings["context"] = self.context
        return make_splitting(
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
        splitting = self._splitting()
        parsed: list[BaseNode] = []
        for source in get_tqdm_iterable(nodes, show_progress, "Finding segments"):
            known = source.document if isinstance(source, LoadedDocument) else None
            text = source.get_content(metadata_mode=MetadataMode.NONE) if known is None else known
            tree: Sequence[Any]
            if self.parents:
                tree = splitting.tree(text, strip=True)
            else:
                chunks: Sequence[Any] = splitting.chunks(text, strip=True)
                tree = [ChunkNode(chunk, 0, None, ()) for chunk in chunks]
            parsed.extend(self._make_nodes(source, tree))
        return parsed

    def _make_nodes(self, source: BaseNode, tree: Sequence[Any]) -> list[TextNode]:
        texts = [each.chunk.content for each in tree]
        made: list[TextNode] = build_nodes_from_splits(texts, source, id_func=self.id_func)
        taken = _metadata_of(source) if self.include_metadata else {}
        shown = add_to_metadata(dict.fromkeys(taken), dict.fromkeys(_SHOWN), self.prefix)
        # A node that another parser made knows where it is in the document that it is part of.
        offset = 0 if source.source_node is None else getattr(source, "start_char_idx", None) or 0
        for node, each in zip(made, tree, strict=True):
            node.start_char_idx = offset + each.chunk.start
            node.end_char_idx = offset + each.chunk.end
            values = {
                **each.chunk.values(),
                "start": node.start_char_idx,
                "end": node.end_char_idx,
            }
            own = add_to_metadata(dict.fromkeys(taken), values, self.prefix)
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
        """Keep the offsets of the chunks, where LlamaIndex searches for the first equal text.

        Neighbours are nodes of one level, and LlamaIndex takes all that it is given for such.
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
        LoadedDocument.of(document) if isinstance(document, DocbatsDocument) else document
        for document in documents
    ]


def _metadata_of(source: BaseNode) -> dict[str, Any]:
    """Return the metadata that LlamaIndex gives to the nodes of a source."""
    origin = source.source_node
    return {**({} if origin is None else origin.metadata), **source.metadata}
