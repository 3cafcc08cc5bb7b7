"""What is done with one document, and its result or failure as a row."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from docbats.corpus.engines import AnalyzedDocument
from docbats.corpus.errors import Failure, too_large_failure
from docbats.corpus.storage import name_when_decompressed
from docbats.errors import DocbatsError, MissingExtraError, ReadError
from docbats.pipeline import BATS
from docbats.processes import error_location

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.chunks import Chunk, Chunker
    from docbats.corpus.documents import InputDocument
    from docbats.corpus.formats import Format
    from docbats.document import Source
    from docbats.result import Result
    from docbats.settings import Settings

Row = dict[str, Any]


@dataclass(frozen=True)
class RowSummary:
    """What is read back of a row: to see whether it fits its document, and for the report.

    `words` holds the best words of each topic.
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
    document: InputDocument,
    result: Result,
    *,
    top_words: int,
    with_text: bool,
    note: str | None = None,
) -> Row:
    """Return the row of a result; what all documents share is in ``run.json``.

    `note` is on how the document was read.
    """
    values = result.to_dict(top_words=top_words)
    if not with_text:
        for segment in values["segments"]:
            del segment["text"]
    if note is not None:
        values["notes"] = [*values["notes"], note]
    return {
        **_head(document),
        "error": None,
        "k": len(result.segments),
        **{name: values[name] for name in ("document", "choice", "topics", "segments", "notes")},
    }


def chunks_row(
    document: InputDocument,
    chunks: Sequence[Chunk],
    *,
    characters: int,
    with_text: bool,
    note: str | None = None,
) -> Row:
    """Return the row of a document that was cut into chunks, without an analysis."""
    rows = []
    for number, chunk in enumerate(chunks):
        row = {"chunk": number, **chunk.values()}
        if with_text:
            row["text"] = chunk.text
            if chunk.context:
                row["content"] = chunk.content
        rows.append(row)
    return {
        **_head(document),
        "error": None,
        "k": len(chunks),
        "document": {"characters": characters, "sentences": None},
        "choice": None,
        "topics": [],
        "segments": [],
        "notes": [] if note is None else [note],
        "chunks": rows,
    }


def failure_row(document: InputDocument, failure: Failure) -> Row:
    """Return the row of a document that has no result."""
    return {
        **_head(document),
        "error": {"kind": failure.kind, "message": failure.message},
        "k": None,
        "document": None,
        "choice": None,
        "topics": [],
        "segments": [],
        "notes": [],
    }


def _head(document: InputDocument) -> Row:
    return {
        "id": document.id,
        "place": document.place,
        "source": document.source,
        "sha256": document.checksum,
    }


_TOO_MUCH_MEMORY = (
    "it needs more memory than a process may take: cut it into parts, ask for fewer segments or "
    "topics, or allow more by --max-memory"
)


@dataclass(frozen=True)
class DocumentAnalyzer:
    """From a document to its row.

    Attributes
    ----------
    settings
        Of the analysis.
    format
        Of the output.
    top_words
        How many words a topic and a segment show.
    with_text
        Whether segments come with their text.
    reports
        Whether each document gets a page of its own.
    encoding
        Of files that are text; detected automatically by default.
    max_characters
        The most characters that a document may have.
    chunker
        Cuts documents into chunks instead of analyzing them; None by default.
    """

    settings: Settings
    format: Format
    top_words: int = 10
    with_text: bool = True
    reports: bool = False
    encoding: str | None = None
    max_characters: int = 10_000_000
    chunker: Chunker | None = None

    def __call__(self, document: InputDocument) -> AnalyzedDocument:
        """Analyze a document; MissingExtraError where no other would fare better."""
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
        """Make a row of a failure."""
        return AnalyzedDocument(self.format.encode(failure_row(document, failure)), failure)

    def _analyze(self, document: InputDocument) -> AnalyzedDocument:
        text = self._read(document)
        if text.size > self.max_characters:
            failure = too_large_failure(f"{text.size:,} characters", self.max_characters)
            return self.failed(document, failure)
        if self.chunker is not None:
            cut = chunks_row(
                document,
                self.chunker(text.source),
                characters=text.size,
                with_text=self.with_text,
                note=text.note,
            )
            return AnalyzedDocument(self.format.encode(cut))
        result = BATS(self.settings)(text.source)
        row = result_row(
            document, result, top_words=self.top_words, with_text=self.with_text, note=text.note
        )
        page = None
        if self.reports:
            page = result.to_html(name=document.id).encode("utf-8", "backslashreplace")
        return AnalyzedDocument(self.format.encode(row), page=page)

    def _read(self, document: InputDocument) -> _ReadText:
        if document.content is None:
            msg = f"{document.id!r} has no text"
            raise TypeError(msg)
        if not isinstance(document.content, bytes):
            return _ReadText(document.content, document.size)
        from docbats.readers.read_file import read_file

        name = name_when_decompressed(document.source)
        found = read_file(document.content, name=name, encoding=self.encoding)
        reader = self.settings if self.chunker is None else self.chunker
        source = found.document(reader.sentences, reader.language)
        note = f"The file is {found.note}." if found.note else None
        return _ReadText(source, len(found.text), note)


@dataclass(frozen=True)
class _ReadText:
    """The text of a document, its number of characters, and a note on how it was read."""

    source: Source
    size: int
    note: str | None = None
