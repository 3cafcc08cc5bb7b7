"""chonkie: a chunker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast

from docbats.document import Document as DocbatsDocument
from docbats.errors import InputError, require_extra
from docbats.integrations.splitting import make_splitter

with require_extra("chonkie", "chonkie"):
    from chonkie import BaseChunker, Chunk
    from chonkie.pipeline import chunker

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from docbats.options import SplitterOptions

__all__ = ["DocbatsChunker"]


@chunker("docbats")
class DocbatsChunker(BaseChunker):
    """Splits texts into chunks of a size, or where their topics change.

    With a `chunk_size` alone, it works like :func:`docbats.chunk`; without it, or together
    with `k` or other settings of the analysis, chunks are segments by topic.

    Importing this module registers the chunker as ``docbats`` for chonkie's pipelines. The metadata
    of a chunk has its `start`, `end`, `title` and whatever else is known of it, as
    :meth:`docbats.Chunk.values` returns it; a context is also in the chunk's field `context`.
    Without an overlap, joining the chunks gives back the text.

    Parameters
    ----------
    tokenizer
        Counts the tokens of a chunk: a name or an object, as for all chunkers of chonkie.
    chunk_size
        The largest number of tokens of a chunk, which is never exceeded; None sets no limit.
    chunk_overlap
        How many tokens of the text before it a chunk repeats, at most.
    k, preset
        As for :class:`docbats.integrations.langchain.DocbatsTextSplitter`.
    **settings
        Likewise.

    Examples
    --------
    >>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    >>> for chunk in DocbatsChunker(k=2)(text):
    ...     print(chunk.start_index, chunk.end_index, repr(chunk.text))
    0 34 'Bats hunt moths. Moths hear bats. '
    34 69 'Tea needs hot water. Hot tea cools.'
    """

    def __init__(
        self,
        tokenizer: Any = "character",
        chunk_size: int | None = None,
        chunk_overlap: int = 0,
        *,
        k: int | Literal["auto"] = "auto",
        preset: str = "sharp",
        **settings: Unpack[SplitterOptions],
    ) -> None:
        super().__init__(tokenizer=tokenizer)
        self.chunk_size = chunk_size
        self.chunk_overlap = chunk_overlap
        count = len if tokenizer == "character" else self.tokenizer.count_tokens
        self._splitter = make_splitter(
            preset,
            settings,
            k=k,
            chunk_size=chunk_size,
            chunk_overlap=chunk_overlap,
            length_function=count,
        )

    def chunk(self, text: str | DocbatsDocument) -> list[Chunk]:
        """Split one text, or a document of docbats."""
        if not isinstance(text, str | DocbatsDocument):
            msg = f"expected a string or a docbats.Document, got {type(text).__name__}"
            raise InputError(msg)
        return [
            Chunk(
                id=chunk.id,
                text=chunk.text,
                start_index=chunk.start,
                end_index=chunk.end,
                token_count=self.tokenizer.count_tokens(chunk.text),
                context=chunk.before.rstrip("\n") or None,
                metadata=chunk.values(),
            )
            for chunk in self._splitter.chunks(text, strip=False)
        ]

    def __call__(
        self,
        text: str | DocbatsDocument | Sequence[str | DocbatsDocument],
        show_progress: bool = True,
    ) -> list[Chunk] | list[list[Chunk]]:
        """Split one text, or several."""
        if isinstance(text, DocbatsDocument):
            return self.chunk(text)
        texts = cast("str | Sequence[str]", text)  # our `chunk` takes documents, too
        found: list[Chunk] | list[list[Chunk]] = super().__call__(texts, show_progress)
        return found

    def chunk_document(self, document: Any) -> Any:
        """Split a document of chonkie, without overwriting its metadata."""
        return _with_own_metadata(super().chunk_document(document))

    async def achunk_document(self, document: Any) -> Any:
        """Split a document of chonkie, without overwriting its metadata."""
        return _with_own_metadata(await super().achunk_document(document))

    def __repr__(self) -> str:
        return f"DocbatsChunker(chunk_size={self.chunk_size}, chunk_overlap={self.chunk_overlap})"


def _with_own_metadata(document: Any) -> Any:
    """Restore the metadata of the document, which chonkie overwrites with the chunks' own."""
    for chunk in document.chunks:
        taken = {name: chunk.metadata[name] for name in document.metadata if name in chunk.metadata}
        for name, value in taken.items():
            if value != document.metadata[name]:
                chunk.metadata[f"docbats_{name}"] = value
                chunk.metadata[name] = document.metadata[name]
    return document
