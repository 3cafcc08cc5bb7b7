"""Haystack: files to documents to parts to a store, in a pipeline that is saved and loaded.

pip install "docbats[haystack]"
python examples/rag/haystack_pipeline.py
"""

from __future__ import annotations

import inspect
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

os.environ.setdefault("HAYSTACK_TELEMETRY_ENABLED", "False")

from haystack import Pipeline
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.components.writers import DocumentWriter
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.document_stores.types import DuplicatePolicy

from docbats.integrations.haystack import DocbatsConverter, DocbatsDocumentSplitter

PAGES = Path(__file__).parents[2] / "docs" / "howto"


def make_pipeline() -> Pipeline:
    """Return a pipeline from files to a store."""
    pipeline = Pipeline()
    pipeline.add_component("converter", DocbatsConverter(glob="*.md"))
    splitter = DocbatsDocumentSplitter(chunk_size=120, chunk_overlap=20, context="headings",
                                       size_unit="words")  # fmt: skip
    pipeline.add_component("splitter", splitter)
    store = InMemoryDocumentStore(index="pages")
    pipeline.add_component("writer", DocumentWriter(store, policy=DuplicatePolicy.OVERWRITE))
    pipeline.connect("converter", "splitter")
    pipeline.connect("splitter", "writer")
    return pipeline


def main() -> None:
    """Save and load the pipeline, run it twice, and search what it wrote."""
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "pipeline.yaml"
        file.write_text(make_pipeline().dumps(), encoding="utf-8")
        # Since version 3, Haystack only loads components of modules that are named.
        trust = "allowed_modules" in inspect.signature(Pipeline.loads).parameters
        named: dict[str, Any] = (
            {"allowed_modules": ["docbats.integrations.haystack"]} if trust else {}
        )
        pipeline = Pipeline.loads(file.read_text(encoding="utf-8"), **named)
    sources = {"converter": {"sources": [PAGES]}}
    first = pipeline.run(sources)["writer"]["documents_written"]
    again = pipeline.run(sources)["writer"]["documents_written"]
    store = InMemoryDocumentStore(index="pages")
    print(f"{first} parts written, {again} again, {store.count_documents()} in the store")
    assert first == again == store.count_documents()
    found = InMemoryBM25Retriever(store, top_k=1).run("write bookmarks to a PDF")["documents"][0]
    print(f"{found.meta['file_path']}: {' > '.join(found.meta['heading_path'])}")
    assert found.meta["file_path"] == "bookmarks.md"


if __name__ == "__main__":
    sys.exit(main())
