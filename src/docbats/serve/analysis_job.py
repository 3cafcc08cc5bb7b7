"""What a worker process does: read one document, analyze or cut it, and render the result."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from docbats.chunks.options import known_chunker
from docbats.document import Document
from docbats.errors import (
    EmptyDocumentError,
    InputError,
    MissingExtraError,
    ReadError,
    SettingsError,
)
from docbats.parts import Segments
from docbats.pipeline import BATS
from docbats.processes import error_location, is_out_of_memory, send_progress
from docbats.readers.read_file import read_file
from docbats.render.bookmarks import add_bookmarks
from docbats.render.chapters import (
    to_ffmetadata,
    to_minutes,
    to_podcast,
    to_srt,
    to_vtt,
    to_youtube,
)
from docbats.render.docx import to_docx
from docbats.render.html import render_article, render_page
from docbats.render.rows import chunks_to_lines, chunks_to_values, to_csv
from docbats.result import json_text
from docbats.runtime import listen_to_stages, result_versions, tell_stage
from docbats.serve.problems import Kind, Problem
from docbats.settings import PRESETS, Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from docbats.readers.kinds import FileKind
    from docbats.result import Result
    from docbats.serve.responses import ChunkFormat, Format


@dataclass(frozen=True)
class Upload:
    """A text, or the bytes of a file.

    Attributes
    ----------
    content
        What was sent.
    name
        What the client calls it; the suffix of a file's name may decide its kind.
    kind
        The kind of file; None to detect it, and for plain text.
    encoding
        The character encoding of a file; None to detect it.
    """

    content: str | bytes
    name: str = ""
    kind: FileKind | None = None
    encoding: str | None = None


@dataclass(frozen=True)
class AnalysisJob:
    """A document as it was sent, and what to do with it."""

    upload: Upload
    settings: Settings
    format: Format = "json"
    top_words: int = 10
    outline: bool | None = None
    depth: int | None = None
    boundaries: tuple[int, ...] | None = None
    titles: tuple[str, ...] | None = None
    max_sentences: int = 50_000
    max_characters: int = 5_000_000


@dataclass(frozen=True)
class ChunkJob:
    """A document as it was sent, and the options by which to cut it into chunks."""

    upload: Upload
    options: frozenset[tuple[str, Any]] = frozenset()
    document_id: str | None = None
    format: ChunkFormat = "json"
    max_sentences: int = 50_000
    max_characters: int = 5_000_000


WARM_UP_JOB = AnalysisJob(
    Upload("Bats hunt moths. Moths hear bats. Tea is hot. Hot tea cools."), PRESETS["sharp"]
)

_TOO_MUCH_MEMORY = (
    "The analysis needs more memory than it is allowed: send the document in parts, ask for fewer "
    "segments or topics, or start docbats serve with a larger --max-memory."
)


@dataclass(frozen=True)
class UnexpectedError:
    """A bug: where it arose, and nothing of the document."""

    location: str


def run_job(job: AnalysisJob | ChunkJob) -> bytes | Problem | UnexpectedError:
    """Return the rendered result of a job, or the problem with it.

    >>> run_job(AnalysisJob(Upload(" "), PRESETS["sharp"])).kind.label
    'cannot-be-analyzed'
    """
    try:
        with listen_to_stages(send_progress):
            return _analyze(job) if isinstance(job, AnalysisJob) else _cut(job)
    except Exception as error:
        return _explain(error)


def _explain(error: Exception) -> Problem | UnexpectedError:
    match error:
        case Problem():
            return error
        case _ if is_out_of_memory(error):
            return Problem(Kind.TOO_MUCH_MEMORY, _TOO_MUCH_MEMORY)
        case MissingExtraError():
            return Problem(Kind.UNSUPPORTED_TYPE, f"{error}, where the service runs.")
        case InputError() | ReadError():
            return Problem(Kind.CANNOT_BE_ANALYZED, f"{error}.")
        case SettingsError():  # those that do not go with this document
            return Problem(Kind.WRONG_SETTINGS, f"{error}.")
    return UnexpectedError(error_location(error))


def _analyze(job: AnalysisJob) -> bytes:
    settings = job.settings
    document = _open(job, settings.sentences, settings.language)
    _check_pieces(document, job)
    result = BATS(settings)(document, boundaries=job.boundaries)
    if job.titles is not None:
        result = _rename(result, job.titles)
    tell_stage("Making the page" if job.format == "fragment" else "Writing the file")
    content = _RENDERERS[job.format](result, job)
    return content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")


def _cut(job: ChunkJob) -> bytes:
    """Return the chunks of a document; a blank text has none."""
    chunker = known_chunker(job.options)
    name = job.upload.name
    try:
        document = _open(job, chunker.sentences, chunker.language)
    except EmptyDocumentError:
        chunks, notes = [], []
    else:
        tell_stage("Cutting the text")
        chunks, notes = chunker(document, job.document_id), list(document.notes)
    if job.format == "jsonl":
        return chunks_to_lines(name, chunks).encode("utf-8", "backslashreplace")
    values: dict[str, Any] = {"source": name} if name else {}
    values |= {
        "versions": result_versions(),
        "chunks": list(chunks_to_values(chunks)),
        "notes": notes,
    }
    return f"{json_text(values)}\n".encode("utf-8", "backslashreplace")


def _open(
    job: AnalysisJob | ChunkJob, sentences: Literal["auto", "lines"], language: str
) -> Document:
    """Read the document; raise a problem if that is impossible or it is too long."""
    tell_stage("Reading the document")
    document = _read(job.upload, sentences, language, job.max_characters)
    if len(document) > job.max_sentences:
        size = f"The document has {len(document):,} sentences"
        raise _too_many_sentences(size, job.max_sentences)
    return document


def _read(
    upload: Upload, sentences: Literal["auto", "lines"], language: str, max_characters: int
) -> Document:
    data, encoding = upload.content, upload.encoding
    if isinstance(data, str):
        if upload.kind in {None, "text"}:
            return Document.of(data, upload.kind, sentences=sentences, language=language)
        data, encoding = data.encode(), "utf-8"
    try:
        read = read_file(
            data, name=upload.name or None, encoding=encoding, kind=upload.kind, on_page=_tell_page
        )
    except ReadError as error:
        raise Problem(Kind.CANNOT_BE_READ, f"{error}.") from None
    if len(read.text) > max_characters:
        msg = (
            f"The file holds {len(read.text):,} characters of text, but at most "
            f"{max_characters:,} are allowed: send it in parts, or start docbats serve with a "
            "larger --max-bytes."
        )
        raise Problem(Kind.TOO_LARGE, msg)
    return read.document(sentences, language)


def _tell_page(done: int, pages: int) -> None:
    tell_stage(f"Reading page {done:,} of {pages:,}", done / pages)


def _rename(result: Result, titles: tuple[str, ...]) -> Result:
    """Return the result with the client's own titles."""
    if len(titles) != len(result.segments):
        msg = f"There are {len(titles)} titles for {len(result.segments)} segments: send one each."
        raise Problem(Kind.WRONG_SETTINGS, msg)
    segments = Segments(
        replace(segment, title=title, title_source="given", title_confidence=1.0)
        if title != segment.title
        else segment
        for segment, title in zip(result.segments, titles, strict=True)
    )
    return replace(result, segments=segments)


def _check_pieces(document: Document, job: AnalysisJob) -> None:
    """Raise a problem for a `max_size` that would split into too many sentences."""
    settings = job.settings
    if settings.max_size is None or settings.size_unit == "sentences":
        return
    text = document.text
    length = len(text) if settings.size_unit == "characters" else len(text.split())
    pieces = length // (settings.max_size - settings.overlap)
    if pieces > job.max_sentences:
        size = f"With max_size={settings.max_size} the document has {pieces:,} pieces"
        raise _too_many_sentences(size, job.max_sentences)


def _too_many_sentences(size: str, allowed: int) -> Problem:
    msg = (
        f"{size}, but at most {allowed:,} are allowed: send it in parts, or start docbats serve "
        "with a larger --max-sentences."
    )
    return Problem(Kind.TOO_MANY_SENTENCES, msg)


def _shown(job: AnalysisJob) -> dict[str, Any]:
    return {"top_words": job.top_words, "outline": job.outline, "depth": job.depth}


def _to_json(result: Result, job: AnalysisJob) -> str:
    values = result.to_dict(**_shown(job))
    name = job.upload.name
    return json_text({"source": name, **values} if name else values) + "\n"


def _to_pdf(result: Result, job: AnalysisJob) -> bytes:
    if isinstance(job.upload.content, str):
        msg = "Bookmarks need a PDF to be added to, and this document is a text: send a PDF."
        raise Problem(Kind.CANNOT_BE_ANALYZED, msg)
    return add_bookmarks(result, job.upload.content, job.depth)


_RENDERERS: dict[Format, Callable[[Result, AnalysisJob], str | bytes]] = {
    "json": _to_json,
    "md": lambda result, job: result.to_markdown(title=job.upload.name, **_shown(job)),
    "csv": lambda result, job: to_csv([(job.upload.name, result)]),
    "html": lambda result, job: render_page(result, job.upload.name),
    "fragment": lambda result, job: render_article(result, job.upload.name),
    "vtt": lambda result, _: to_vtt(result),
    "youtube": lambda result, _: to_youtube(result),
    "podcast": lambda result, _: to_podcast(result),
    "ffmetadata": lambda result, _: to_ffmetadata(result),
    "srt": lambda result, _: to_srt(result),
    "minutes": lambda result, _: to_minutes(result),
    "docx": lambda result, job: to_docx(result, job.upload.name),
    "pdf": _to_pdf,
}
