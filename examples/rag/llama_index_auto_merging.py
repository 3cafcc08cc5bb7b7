"""LlamaIndex: small nodes to search, merged into their sections where several of one are found.

pip install "docbats[llama-index]"
python examples/rag/llama_index_auto_merging.py
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.node_parser import get_leaf_nodes
from llama_index.core.retrievers import AutoMergingRetriever
from words import vector

from docbats.integrations.llama_index import DocbatsNodeParser, DocbatsReader

PAGES = Path(__file__).parents[2] / "docs" / "howto"
QUESTION = "Chunks for retrieval: which tokenizer counts the sizes of chunks in tokens?"


class WordVectors(BaseEmbedding):
    """Vectors of words."""

    def _get_text_embedding(self, text: str) -> list[float]:
        return vector(text)

    def _get_query_embedding(self, query: str) -> list[float]:
        return vector(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return vector(query)


def split_words(text: str) -> list[str]:
    """Count sizes in words, offline; LlamaIndex's own tokenizer is downloaded."""
    return text.split()


def main() -> None:
    """Index the small nodes, and read the sections around those that are found."""
    documents = DocbatsReader(glob="*.md").load_data(PAGES)
    parser = DocbatsNodeParser(
        chunk_size=60, parent_size=240, parents=True, context="headings", tokenizer=split_words
    )
    nodes = parser.get_nodes_from_documents(documents)
    again = parser.get_nodes_from_documents(DocbatsReader(glob="*.md").load_data(PAGES))
    assert [node.node_id for node in nodes] == [node.node_id for node in again]

    leaves: list[Any] = get_leaf_nodes(nodes)
    context = StorageContext.from_defaults()
    context.docstore.add_documents(nodes)
    index = VectorStoreIndex(leaves, storage_context=context, embed_model=WordVectors())
    retriever: Any = index.as_retriever(similarity_top_k=8)
    small = retriever.retrieve(QUESTION)
    merged = AutoMergingRetriever(retriever, context, verbose=False).retrieve(QUESTION)
    print(f"{len(leaves)} small nodes; {len(small)} found, merged into {len(merged)}")
    for found in merged[:3]:
        path = " > ".join(found.node.metadata.get("heading_path", []))
        print(f"{found.score:.2f} {Path(found.node.ref_doc_id or '').name}: {path}")
    assert len(merged) < len(small)
    assert Path(merged[0].node.ref_doc_id or "").name == "chunks.md"


if __name__ == "__main__":
    sys.exit(main())
