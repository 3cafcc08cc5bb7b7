"""LangChain: a folder of files into FAISS and Chroma, searched, and updated when a file changes.

pip install "docbats[langchain]" langchain-community faiss-cpu langchain-chroma
python examples/rag/langchain_stores.py
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from langchain_chroma import Chroma
from langchain_core.embeddings import Embeddings
from words import vector

from docbats.errors import SkippedFileWarning
from docbats.integrations.langchain import DocbatsLoader, DocbatsTextSplitter

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it tells of its own end
    from langchain_community.vectorstores import FAISS

if TYPE_CHECKING:
    from langchain_core.documents import Document

PAGES = Path(__file__).parents[2] / "docs" / "howto"
QUESTION = "How can I write bookmarks to a PDF?"


class WordVectors(Embeddings):
    """Vectors of words."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return the vector of each text."""
        return list(map(vector, texts))

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a question."""
        return vector(text)


def load(folder: Path) -> list[Document]:
    """Return the chunks of all files of a folder that can be read."""
    splitter = DocbatsTextSplitter(
        chunk_size=800, chunk_overlap=100, context="headings", titles=True
    )
    return splitter.split_documents(DocbatsLoader(folder, glob="**/*.*").load())


def main() -> None:
    """Index, search, change a file, and update."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "pages"
        shutil.copytree(PAGES, folder)
        (folder / "broken.docx").write_bytes(b"PK\x03\x04 not a document")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", SkippedFileWarning)
            chunks = load(folder)
        print(*(each.message for each in caught if each.category is SkippedFileWarning), sep="\n")

        faiss = FAISS.from_documents(chunks, WordVectors(), ids=[str(c.id) for c in chunks])
        chroma = Chroma("pages", WordVectors())
        chroma.add_documents(chunks, ids=[str(chunk.id) for chunk in chunks])
        for store in (faiss, chroma):
            best = store.similarity_search(QUESTION, k=1)[0]
            print(f"{type(store).__name__}: {Path(best.metadata['source']).name}, "
                  f"{' > '.join(best.metadata['heading_path'])}")  # fmt: skip
            assert Path(best.metadata["source"]).name == "bookmarks.md"

        before = {str(chunk.id) for chunk in chunks}
        page = folder / "bookmarks.md"
        page.write_text(page.read_text("utf-8") + "\n## Afterwards\n\nClose the viewer first.\n")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SkippedFileWarning)
            changed = {str(chunk.id): chunk for chunk in load(folder)}
        new, gone = changed.keys() - before, before - changed.keys()
        print(f"{len(new)} chunks to write, {len(gone)} to delete, of {len(changed)}")
        assert 0 < len(new) < 5
        for store in (faiss, chroma):
            store.add_documents([changed[id_] for id_ in new], ids=list(new))
            if gone:
                store.delete(list(gone))
            found = store.similarity_search("Afterwards: close the viewer first", k=3)
            assert any("Close the viewer first." in each.page_content for each in found)


if __name__ == "__main__":
    sys.exit(main())
