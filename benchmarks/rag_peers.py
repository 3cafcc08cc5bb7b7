"""What the splitters of LangChain, LlamaIndex and chonkie do with one small document, beside ours.

``python benchmarks/rag_peers.py`` (with the extras `langchain`, `llama-index` and `chonkie`) cuts a
Markdown document with a table that is larger than a chunk, twice, and writes what it finds to
``benchmarks/results/rag-peers.json``, with the versions.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import docbats

if TYPE_CHECKING:
    from collections.abc import Callable

RESULT = Path(__file__).parent / "results" / "rag-peers.json"
LIMIT = 300
HEADER = "| name | food |"
ROWS = "\n".join(f"| bat {i} | moths and flies of kind {i} |" for i in range(40))
TEXT = (
    f"# Bats\n\nText before.\n\n{HEADER}\n|------|------|\n{ROWS}\n\nText after. More.\n\n"
    "# Tea\n\n" + "Hot tea steams in the cup. " * 40
)


@dataclass(frozen=True)
class Piece:
    """What a splitter says of a chunk; `content` is what it offers to index."""

    content: str
    start: int | None
    text: str
    id: str | None
    headings: bool


def by_docbats() -> list[Piece]:
    """Cut by :func:`docbats.chunk`."""
    chunks = docbats.chunk(TEXT, LIMIT, context="headings")
    return [Piece(c.content, c.start, c.text, c.id, bool(c.heading_path)) for c in chunks]


def by_langchain(name: str) -> list[Piece]:
    """Cut by a splitter of LangChain."""
    import langchain_text_splitters

    splitter = getattr(langchain_text_splitters, name)(
        chunk_size=LIMIT, chunk_overlap=0, add_start_index=True
    )
    return [
        Piece(d.page_content, d.metadata["start_index"], d.page_content, d.id, len(d.metadata) > 1)
        for d in splitter.create_documents([TEXT])
    ]


def by_llama_index() -> list[Piece]:
    """Cut by LlamaIndex's splitter of sentences, in characters."""
    from llama_index.core.node_parser import SentenceSplitter
    from llama_index.core.schema import Document

    splitter = SentenceSplitter(chunk_size=LIMIT, chunk_overlap=0, tokenizer=list)
    nodes: list[Any] = splitter.get_nodes_from_documents([Document(text=TEXT, id_="bats.md")])
    return [Piece(n.text, n.start_char_idx, n.text, n.node_id, bool(n.metadata)) for n in nodes]


def by_chonkie(name: str) -> list[Piece]:
    """Cut by a chunker of chonkie."""
    import chonkie

    chunks = getattr(chonkie, name)(tokenizer="character", chunk_size=LIMIT).chunk(TEXT)
    return [Piece(c.text, c.start_index, c.text, c.id, bool(c.metadata)) for c in chunks]


SPLITTERS: dict[str, tuple[str, Callable[[], list[Piece]]]] = {
    "docbats": ("docbats", by_docbats),
    "LangChain RecursiveCharacterTextSplitter": (
        "langchain-text-splitters", lambda: by_langchain("RecursiveCharacterTextSplitter"),
    ),
    "LangChain MarkdownTextSplitter": (
        "langchain-text-splitters", lambda: by_langchain("MarkdownTextSplitter"),
    ),
    "LlamaIndex SentenceSplitter": ("llama-index-core", by_llama_index),
    "chonkie RecursiveChunker": ("chonkie", lambda: by_chonkie("RecursiveChunker")),
    "chonkie TableChunker": ("chonkie", lambda: by_chonkie("TableChunker")),
}  # fmt: skip


def facts(split: Callable[[], list[Piece]]) -> dict[str, Any]:
    """Return what can be seen of one splitter."""
    pieces, again = split(), split()
    tables = [piece for piece in pieces if "| bat " in piece.content]
    return {
        "chunks": len(pieces),
        "largest": max(len(piece.content) for piece in pieces),
        "offsets are exact": all(
            piece.start is not None and TEXT[piece.start :].startswith(piece.text)
            for piece in pieces
        ),
        "chunks with rows": len(tables),
        "of these with their header": sum(HEADER in piece.content for piece in tables),
        "rows that were cut": sum(
            not any(row in piece.content for piece in pieces) for row in ROWS.split("\n")
        ),
        "has headings": any(piece.headings for piece in pieces),
        "has ids": all(piece.id for piece in pieces),
        "ids are the same in two runs": [p.id for p in pieces] == [p.id for p in again],
    }


def main() -> None:
    """Write the facts about all splitters."""
    found = {
        name: {"version": version(package), **facts(split)}
        for name, (package, split) in SPLITTERS.items()
    }
    report = {"command": "python benchmarks/rag_peers.py", "limit": LIMIT, "splitters": found}
    RESULT.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    json.dump(found, sys.stdout, indent=2)


if __name__ == "__main__":
    main()
