"""LlamaIndex: a node parser."""

from __future__ import annotations

# LlamaIndex reads the types of fields at run time, when the class is made.
from collections.abc import Sequence  # noqa: TC003
from typing import TYPE_CHECKING, Any, Literal

from docbats.errors import SettingsError
from docbats.integrations.require_extra import require_extra
from docbats.integrations.run_bats import make_bats
from docbats.integrations.segment_chunks import make_chunks

with require_extra("LlamaIndex", "llama-index"):
    from llama_index.core.bridge.pydantic import Field
    from llama_index.core.node_parser import NodeParser
    from llama_index.core.node_parser.node_utils import build_nodes_from_splits
    from llama_index.core.schema import BaseNode, Document, MetadataMode, TextNode
    from llama_index.core.utils import get_tqdm_iterable

if TYPE_CHECKING:
    from docbats.pipeline import BATS

__all__ = ["DocbatsNodeParser"]


class DocbatsNodeParser(NodeParser):
    """Splits documents where their topics change.

    The metadata of a node has `title`, `topics` and `strength`; `prefix` goes before these names,
    so that they do not replace those of the document itself. Models that embed nodes or read them
    see the title, but neither the topics nor the strength. Pass other settings of docbats to
    :meth:`from_defaults` by their names.

    Examples
    --------
    >>> parser = DocbatsNodeParser.from_defaults(k=2)
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
    settings: dict[str, Any] = Field(
        default_factory=dict, description="Other settings of docbats, such as max_size."
    )

    def __init__(self, **fields: Any) -> None:
        for name in fields:
            if name not in type(self).model_fields:  # LlamaIndex would ignore it
                msg = (
                    f"there is no field {name!r}: pass settings of docbats to "
                    "DocbatsNodeParser.from_defaults"
                )
                raise SettingsError(msg)
        super().__init__(**fields)
        self._bats()  # so that wrong settings are refused here, not at the first document

    @classmethod
    def from_defaults(
        cls,
        k: int | Literal["auto"] = "auto",
        preset: str = "sharp",
        *,
        prefix: str = "",
        include_metadata: bool = True,
        include_prev_next_rel: bool = True,
        **settings: Any,
    ) -> DocbatsNodeParser:
        """Make a parser; `settings` are any attributes of :class:`docbats.Settings`."""
        return cls(
            k=k,
            preset=preset,
            prefix=prefix,
            include_metadata=include_metadata,
            include_prev_next_rel=include_prev_next_rel,
            settings=settings,
        )

    @classmethod
    def class_name(cls) -> str:
        """Return the name under which LlamaIndex stores the class."""
        return "DocbatsNodeParser"

    def _bats(self) -> BATS:
        return make_bats(self.preset, self.settings, k=self.k)

    def _parse_nodes(
        self,
        nodes: Sequence[BaseNode],
        show_progress: bool = False,
        **kwargs: Any,  # noqa: ARG002  (LlamaIndex may pass more)
    ) -> list[BaseNode]:
        bats = self._bats()
        parsed: list[BaseNode] = []
        for source in get_tqdm_iterable(nodes, show_progress, "Finding segments"):
            text = source.get_content(metadata_mode=MetadataMode.NONE)
            chunks = make_chunks(bats, text, strip=True)
            texts = [chunk.text for chunk in chunks]
            made = build_nodes_from_splits(texts, source, id_func=self.id_func)
            for node, chunk in zip(made, chunks, strict=True):
                node.start_char_idx, node.end_char_idx = chunk.start, chunk.end
                node.metadata = chunk.metadata(self.prefix)
                hidden = [self.prefix + "topics", self.prefix + "strength"]
                node.excluded_embed_metadata_keys = [*node.excluded_embed_metadata_keys, *hidden]
                node.excluded_llm_metadata_keys = [*node.excluded_llm_metadata_keys, *hidden]
            parsed.extend(made)
        return parsed

    def _postprocess_parsed_nodes(
        self, nodes: list[BaseNode], parent_doc_map: dict[str, Document]
    ) -> list[BaseNode]:
        """Keep the offsets of the chunks, where LlamaIndex searches for the first equal text."""
        made = [node for node in nodes if isinstance(node, TextNode)]
        spans = [(node.start_char_idx, node.end_char_idx) for node in made]
        nodes = super()._postprocess_parsed_nodes(nodes, parent_doc_map)
        for node, (start, end) in zip(made, spans, strict=True):
            node.start_char_idx, node.end_char_idx = start, end
        return nodes
