"""LangChain: a text splitter."""

from __future__ import annotations

from typing import Any, Literal

from docbats.errors import InputError
from docbats.integrations.require_extra import require_extra
from docbats.integrations.run_bats import make_bats
from docbats.integrations.segment_chunks import make_chunks

with require_extra("LangChain's text splitters", "langchain"):
    from langchain_core.documents import Document
    from langchain_text_splitters import TextSplitter

__all__ = ["DocbatsTextSplitter"]


class DocbatsTextSplitter(TextSplitter):
    """Splits texts where their topics change.

    Parameters
    ----------
    k
        The number of chunks of each text; ``"auto"`` lets the text decide.
    preset
        Which settings to start from.
    add_start_index
        Whether the metadata says where a chunk begins (``start_index``).
    strip_whitespace
        Whether to strip the white space around chunks.
    prefix
        Put before the names `title`, `topics` and `strength` in the metadata, so that they do not
        replace those of the text itself.
    **settings
        Any other attribute of :class:`docbats.Settings`, such as the limits `min_size`, `max_size`,
        `size_unit` and `overlap`.

    Examples
    --------
    >>> splitter = DocbatsTextSplitter(k=2)
    >>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    >>> for document in splitter.create_documents([text]):
    ...     print(document.metadata["start_index"], document.page_content)
    0 Bats hunt moths. Moths hear bats.
    34 Tea needs hot water. Hot tea cools.
    """

    def __init__(
        self,
        k: int | Literal["auto"] = "auto",
        preset: str = "sharp",
        *,
        add_start_index: bool = True,
        strip_whitespace: bool = True,
        prefix: str = "",
        **settings: Any,
    ) -> None:
        super().__init__(
            chunk_overlap=0, add_start_index=add_start_index, strip_whitespace=strip_whitespace
        )
        self._bats = make_bats(preset, k=k, **settings)
        self._prefix = prefix

    def split_text(self, text: str) -> list[str]:
        """Split one text."""
        return [chunk.text for chunk in make_chunks(self._bats, text, strip=self._strip_whitespace)]

    def create_documents(
        self, texts: list[str], metadatas: list[dict[Any, Any]] | None = None
    ) -> list[Document]:
        """Return a document for each chunk, with a copy of its text's metadata.

        The offsets are those of the segments; searching the text for a chunk would be wrong where
        the same words occur twice.
        """
        metadatas = metadatas or [{} for _ in texts]
        if len(metadatas) != len(texts):
            msg = f"expected a metadata for each text, got {len(metadatas)} for {len(texts)} texts"
            raise InputError(msg)
        documents = []
        for text, metadata in zip(texts, metadatas, strict=True):
            for chunk in make_chunks(self._bats, text, strip=self._strip_whitespace):
                own = chunk.metadata(self._prefix, metadata)
                if self._add_start_index:
                    own["start_index"] = chunk.start
                documents.append(Document(page_content=chunk.text, metadata=own))
        return documents
