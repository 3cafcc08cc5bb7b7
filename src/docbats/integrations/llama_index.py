"""LlamaIndex: a node parser."""

from __future__ import annotations

# LlamaIndex reads the types of fields when the class is made, so these are no mere hints.
from collections.abc import Sequence  # noqa: TC003
from typing import Any, Literal

from docbats.integrations.chunks import make_chunks
from docbats.integrations.extra import importing
from docbats.pipeline import BATS
from docbats.settings import resolve_settings

with importing("LlamaIndex", "llama-index"):
    from llama_index.core.bridge.pydantic import Field
    from llama_index.core.node_parser import NodeParser
    from llama_index.core.node_parser.node_utils import build_nodes_from_splits
    from llama_index.core.schema import BaseNode, Document, MetadataMode, TextNode
    from llama_index.core.utils import get_tqdm_iterable

__all__ = ["DocbatsNodeParser"]


class DocbatsNodeParser(NodeParser):
    """Cuts documents where their topics change.

    The metadata of a node has `title`, `topics` and `strength`; `prefix` goes before these names,
    so that they do not replace those of the document itself. Models that embed nodes or read them
    see the title, but neither the topics nor the strength.

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
    prefix: str = Field(default="", description="What the names in the metadata begin with.")
    settings: dict[str, Any] = Field(
        default_factory=dict, description="Other settings of docbats, as max_size and size_unit."
    )

    def __init__(self, **fields: Any) -> None:
        super().__init__(**fields)
        self._bats()  # refuse wrong settings now

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
        """Make a parser with any attribute of :class:`docbats.Settings`."""
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
        """Name the class in what LlamaIndex stores."""
        return "DocbatsNodeParser"

    def _bats(self) -> BATS:
        return BATS(resolve_settings(self.preset, k=self.k, **self.settings))

    def _parse_nodes(
        self,
        nodes: Sequence[BaseNode],
        show_progress: bool = False,
        **kwargs: Any,  # noqa: ARG002  (LlamaIndex may give more)
    ) -> list[BaseNode]:
        bats = self._bats()
        found: list[BaseNode] = []
        for source in get_tqdm_iterable(nodes, show_progress, "Finding segments"):
            text = source.get_content(metadata_mode=MetadataMode.NONE)
            chunks = make_chunks(bats, text, strip=True)
            texts = [chunk.text for chunk in chunks]
            made = build_nodes_from_splits(texts, source, id_func=self.id_func)
            for node, chunk in zip(made, chunks, strict=True):
                node.start_char_idx, node.end_char_idx = chunk.start, chunk.end
                node.metadata = chunk.facts(self.prefix)
                hidden = [self.prefix + "topics", self.prefix + "strength"]
                node.excluded_embed_metadata_keys = [*node.excluded_embed_metadata_keys, *hidden]
                node.excluded_llm_metadata_keys = [*node.excluded_llm_metadata_keys, *hidden]
            found.extend(made)
        return found

    def _postprocess_parsed_nodes(
        self, nodes: list[BaseNode], parent_doc_map: dict[str, Document]
    ) -> list[BaseNode]:
        """Keep the offsets of the cut: LlamaIndex would look for the first equal words."""
        made = [node for node in nodes if isinstance(node, TextNode)]
        spans = [(node.start_char_idx, node.end_char_idx) for node in made]
        nodes = super()._postprocess_parsed_nodes(nodes, parent_doc_map)
        for node, (start, end) in zip(made, spans, strict=True):
            node.start_char_idx, node.end_char_idx = start, end
        return nodes
