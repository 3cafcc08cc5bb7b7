"""LangChain: a text splitter."""

from __future__ import annotations

import copy
from typing import Any, Literal

from docbats.errors import InputError
from docbats.integrations.chunks import make_chunks
from docbats.integrations.extra import importing
from docbats.pipeline import BATS
from docbats.settings import resolve_settings

with importing("LangChain's text splitters", "langchain"):
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
        Whether documents tell where they begin (``start_index``).
    strip_whitespace
        Whether to leave out the white space around chunks.
    prefix
        What the names of `title`, `topics` and `strength` begin with in the metadata, so that they
        do not replace those of the text itself.
    **settings
        Any other attribute of :class:`docbats.Settings`, as the limits `min_size`, `max_size`,
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
        self._bats = BATS(resolve_settings(preset, k=k, **settings))
        self._prefix = prefix

    def split_text(self, text: str) -> list[str]:
        """Split one text."""
        return [chunk.text for chunk in make_chunks(self._bats, text, strip=self._strip_whitespace)]

    def create_documents(
        self, texts: list[str], metadatas: list[dict[Any, Any]] | None = None
    ) -> list[Document]:
        """Make a document of each chunk, with a copy of its text's metadata.

        The offsets are those of the cut, not looked for in the text, where the same words may
        occur twice.
        """
        metadatas = metadatas or [{} for _ in texts]
        if len(metadatas) != len(texts):
            msg = f"{len(metadatas)} metadatas for {len(texts)} texts: give one for each"
            raise InputError(msg)
        documents = []
        for text, metadata in zip(texts, metadatas, strict=True):
            for chunk in make_chunks(self._bats, text, strip=self._strip_whitespace):
                own = {**copy.deepcopy(metadata), **chunk.facts(self._prefix)}
                if self._add_start_index:
                    own["start_index"] = chunk.start
                documents.append(Document(page_content=chunk.text, metadata=own))
        return documents
