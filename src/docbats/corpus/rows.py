"""The row of a document: its result, its chunks, or its failure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from docbats.chunks.chunker import make_chunker
from docbats.corpus.engines import AnalyzedDocument
from docbats.corpus.errors import Failure, too_large_failure
from docbats.corpus.storage import name_when_decompressed
from docbats.document import Document
from docbats.errors import DocbatsError, MissingExtraError, ReadError
from docbats.pipeline import BATS
from docbats.processes import error_location
from docbats.render.rows import chunks_to_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.chunks import Chunk
    from docbats.corpus.documents import InputDocument
    from docbats.corpus.options import CorpusOptions
    from docbats.document import Source
    from docbats.result import Result

_TOO_MUCH_MEMORY = (
    "it needs more memory than a process may take: cut it into parts, ask for fewer segments or "
    "topics, or allow more by --max-memory"
)


@dataclass(frozen=True)
class RowSummary:
    """What is read back of a row: to compare it with its document, and for the report.

    `words` has the best words of each topic.
    """

    id: str
    place: int
    checksum: str | None
    failure: Failure | None
    characters: int = 0
    sentences: int = 0
    k: int = 0
    words: tuple[tuple[str, ...], ...] = field(default=(), repr=False)


def result_row(
    document: InputDocument, result: Result, *, top_words: int, with_text: bool
) -> dict[str, Any]:
    """Return the row of a result; what all documents share is in ``run.json``."""
    values = result.to_dict(top_words=top_words, outline=False)
    if not with_text:
        for segment in values["segments"]:
            del segment["text"]
    row = {name: values[name] for name in ("document", "choice", "topics", "segments", "notes")}
    return _row(document, k=len(result.segments), **row)


def chunks_row(
    document: InputDocument, chunks: Sequence[Chunk], *, characters: int, with_text: bool
) -> dict[str, Any]:
    """Return the row of a document that was cut into chunks, without an analysis."""
    rows = list(chunks_to_values(chunks))
    for row in rows if not with_text else ():
        row.pop("text")
        row.pop("content", None)
    counts = {"characters": characters, "sentences": None}
    return _row(document, k=len(chunks), document=counts, chunks=rows)


def failure_row(document: InputDocument, failure: Failure) -> dict[str, Any]:
    """Return the row of a document that has no result."""
    return _row(document, error={"kind": failure.kind, "message": failure.message})


def _row(of: InputDocument, /, **values: Any) -> dict[str, Any]:
    return {
        "id": of.id,
        "place": of.place,
        "source": of.source,
        "sha256": of.checksum,
        "error": None,
        "k": None,
        "document": None,
        "choice": None,
        "topics": [],
        "segments": [],
        "notes": [],
        **values,
    }


class DocumentAnalyzer:
    """From a document to its row."""

    def __init__(self, options: CorpusOptions) -> None:
        self._options, self._format = options, options.output
        self._chunker = None if options.chunks is None else make_chunker(options.chunks)

    def __call__(self, document: InputDocument) -> AnalyzedDocument:
        """Analyze a document; MissingExtraError if any other would fail in the same way."""
        try:
            return self._analyze(document)
        except MissingExtraError:
            raise
        except ReadError as error:
            return self.failed(document, Failure("bad-bytes", str(error)))
        except DocbatsError as error:
            return self.failed(document, Failure("cannot-be-analyzed", str(error)))
        except MemoryError:
            return self.failed(document, Failure("out-of-memory", _TOO_MUCH_MEMORY))
        except Exception as error:
            message = f"{error_location(error)}: {error}"
            return self.failed(document, Failure("unexpected", message))

    def failed(self, document: InputDocument, failure: Failure) -> AnalyzedDocument:
        """Return the row of a document that failed."""
        return AnalyzedDocument(self._format.encode(failure_row(document, failure)), failure)

    def _analyze(self, document: InputDocument) -> AnalyzedDocument:
        options, text = self._options, self._read(document)
        if text.size > options.max_characters:
            failure = too_large_failure(f"{text.size:,} characters", options.max_characters)
            return self.failed(document, failure)
        page = None
        if self._chunker is not None:
            chunks = self._chunker(text.source, document.id)
            row = chunks_row(document, chunks, characters=text.size, with_text=options.with_text)
            if isinstance(text.source, Document):
                row["notes"] += text.source.notes
        else:
            result = BATS(options.settings)(text.source)
            row = result_row(
                document, result, top_words=options.top_words, with_text=options.with_text
            )
            if options.reports:
                page = result.to_html(name=document.id).encode("utf-8", "backslashreplace")
        return AnalyzedDocument(self._format.encode(row), page=page)

    def _read(self, document: InputDocument) -> _ReadText:
        if document.content is None:
            msg = f"{document.id!r} has no text"
            raise TypeError(msg)
        if not isinstance(document.content, bytes):
            return _ReadText(document.content, document.size)
        from docbats.readers.read_file import read_file

        name = name_when_decompressed(document.source)
        found = read_file(document.content, name=name, encoding=self._options.encoding)
        reader = self._options.settings if self._chunker is None else self._chunker
        source: Source = found.text
        if self._chunker is None or found.text.strip():  # a blank text has no chunks
            source = found.document(reader.sentences, reader.language)
        return _ReadText(source, len(found.text))


@dataclass(frozen=True)
class _ReadText:
    """The text of a document, and its number of characters."""

    source: Source
    size: int
