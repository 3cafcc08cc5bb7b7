"""Haystack: a component that splits documents."""

from __future__ import annotations

from typing import Any, Literal

from docbats.errors import InputError
from docbats.integrations.require_extra import require_extra
from docbats.integrations.run_bats import make_bats
from docbats.integrations.segment_chunks import make_chunks

with require_extra("Haystack", "haystack"):
    from haystack import Document, component
    from haystack.core.serialization import default_from_dict, default_to_dict

__all__ = ["DocbatsDocumentSplitter"]


@component
class DocbatsDocumentSplitter:
    """Splits documents where their topics change.

    The meta of each part is that of its document, plus `source_id`, `split_id`, `split_idx_start`
    and `page_number` as Haystack's own splitters set them, and `title`, `topics` and `strength`.
    Without an overlap, joining the parts of a document gives back the document.

    Parameters
    ----------
    k
        The number of parts of each document; ``"auto"`` lets the text decide.
    preset
        Which settings to start from.
    prefix
        Put before the names `title`, `topics` and `strength`, so that they do not replace those of
        the document itself.
    **settings
        Any other attribute of :class:`docbats.Settings`, such as the limits `min_size`, `max_size`,
        `size_unit` and `overlap`.

    Examples
    --------
    >>> splitter = DocbatsDocumentSplitter(k=2)
    >>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    >>> for part in splitter.run([Document(content=text)])["documents"]:
    ...     print(part.meta["split_idx_start"], repr(part.content))
    0 'Bats hunt moths. Moths hear bats. '
    34 'Tea needs hot water. Hot tea cools.'
    """

    def __init__(
        self,
        k: int | Literal["auto"] = "auto",
        preset: str = "sharp",
        *,
        prefix: str = "",
        **settings: Any,
    ) -> None:
        self._bats = make_bats(preset, k=k, **settings)
        self._arguments = {"k": k, "preset": preset, "prefix": prefix, **settings}
        self._prefix = prefix

    def to_dict(self) -> dict[str, Any]:
        """Return what a stored pipeline needs to make the component again."""
        arguments: dict[str, Any] = default_to_dict(self, **self._arguments)
        return arguments

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> DocbatsDocumentSplitter:
        """Make the component from what `to_dict` returned."""
        made: DocbatsDocumentSplitter = default_from_dict(cls, data)
        return made

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """Split each document; blank ones have no parts."""
        return {"documents": [part for document in documents for part in self._split(document)]}

    def _split(self, document: Document) -> list[Document]:
        text = document.content
        if text is None:
            msg = f"document {document.id} has no text: pass documents with a content"
            raise InputError(msg)
        parts = []
        for number, chunk in enumerate(make_chunks(self._bats, text, strip=False)):
            meta = {
                **chunk.metadata(self._prefix, document.meta),
                "source_id": document.id,
                "split_id": number,
                "split_idx_start": chunk.start,
                "page_number": 1 + text.count("\f", 0, chunk.start),
            }
            parts.append(Document(content=chunk.text, meta=meta))
        return parts
