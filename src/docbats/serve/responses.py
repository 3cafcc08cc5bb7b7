"""The formats of a result, and models of the responses for the OpenAPI document."""

from __future__ import annotations

from typing import Any, Literal, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field

from docbats.readers.kinds import READERS
from docbats.serve.problems import Kind, Problem

TEXT = "text/plain"
JSON = "application/json"
FORM = "multipart/form-data"
ANY_FILE = "application/octet-stream"
LINES = ("application/jsonl", "application/x-ndjson", "application/jsonlines", JSON, ANY_FILE)

FILES: dict[str, str | None] = {
    ANY_FILE: None,
    **{
        media_type: reader.kind
        for reader in READERS
        for media_type in reader.media_types
        if media_type != TEXT
    },
}
"""The kind of file of each media type; None if it is detected from the content."""


Format = Literal[
    "json",
    "md",
    "csv",
    "html",
    "fragment",
    "vtt",
    "youtube",
    "podcast",
    "ffmetadata",
    "srt",
    "minutes",
    "docx",
    "pdf",
]
FORMATS: tuple[Format, ...] = get_args(Format)
ChunkFormat = Literal["json", "jsonl"]

_OF_KIND = {reader.kind: reader.media_types[0] for reader in READERS if reader.media_types}
_MEDIA_TYPES: dict[Format | ChunkFormat, str] = {
    "json": JSON,
    "jsonl": LINES[0],
    "md": _OF_KIND["markdown"],
    "csv": "text/csv",
    "html": _OF_KIND["html"],
    "fragment": _OF_KIND["html"],
    "vtt": _OF_KIND["vtt"],
    "youtube": TEXT,
    "podcast": "application/json+chapters",
    "ffmetadata": TEXT,
    "srt": _OF_KIND["srt"],
    "minutes": _OF_KIND["markdown"],
    "docx": _OF_KIND["docx"],
    "pdf": _OF_KIND["pdf"],
}
_NEGOTIABLE: tuple[Format, ...] = ("json", "md", "csv", "html")
_CHUNK_FORMATS: tuple[ChunkFormat, ...] = get_args(ChunkFormat)
AnyFormat = TypeVar("AnyFormat", Format, ChunkFormat)


def media_type(format_: Format | ChunkFormat) -> str:
    """Return the media type of a format, with the charset of text."""
    name = _MEDIA_TYPES[format_]
    return f"{name}; charset=utf-8" if name.startswith("text/") else name


def choose_format(accept: str | None) -> Format:
    """Return the format of a result that an Accept header prefers.

    It is JSON by default, and the first of equals.

    >>> choose_format(None), choose_format("text/*;q=0.5, text/csv")
    ('json', 'csv')
    """
    return _choose(accept, _NEGOTIABLE)


def choose_chunk_format(accept: str | None) -> ChunkFormat:
    """Return the format of chunks that an Accept header prefers; JSON by default."""
    return _choose(accept, _CHUNK_FORMATS)


def _choose(accept: str | None, formats: tuple[AnyFormat, ...]) -> AnyFormat:
    ranges = _parse_ranges(accept or "*/*")
    qualities = {name: _quality(_MEDIA_TYPES[name], ranges) for name in formats}
    best = max(formats, key=lambda name: qualities[name])
    if qualities[best] <= 0:
        available = ", ".join(_MEDIA_TYPES[name] for name in formats)
        msg = f"No type in the Accept header is available: accept one of {available}."
        raise Problem(Kind.NOT_ACCEPTABLE, msg)
    return best


def _parse_ranges(accept: str) -> dict[str, float]:
    """Return the quality of each media range in an Accept header; 1 by default."""
    ranges = {}
    for part in accept.split(","):
        name, *parameters = (piece.strip().lower() for piece in part.split(";"))
        quality = next((p[2:] for p in parameters if p.startswith("q=")), "1")
        try:
            ranges[name] = float(quality)
        except ValueError:
            ranges[name] = 1.0
    return ranges


def _quality(name: str, ranges: dict[str, float]) -> float:
    """Return the quality of the narrowest range that includes a media type."""
    for range_ in (name, f"{name.split('/', maxsplit=1)[0]}/*", "*/*"):
        if range_ in ranges:
            return ranges[range_]
    return 0.0


class WordAnswer(BaseModel):
    """A word and its weight."""

    word: str
    score: float


class TopicAnswer(BaseModel):
    """A group of words that occur together."""

    label: str
    weight: float = Field(description="The topic's share of all words' scores.")
    words: list[WordAnswer] = Field(description="Best first.")


class PlaceAnswer(BaseModel):
    """Where a segment is in its file; members that do not apply to the kind of file are absent."""

    pages: tuple[int, int] | None = Field(None, description="First and last, counted from 1.")
    seconds: tuple[float, float] | None = Field(None, description="Start and end.")
    cells: tuple[int, int] | None = Field(None, description="First and last, counted from 1.")
    boxes: list[tuple[int, float, float, float, float]] | None = Field(
        None,
        description="Rectangles that cover it on the pages of a PDF: page, left, top, right and "
        "bottom, in points from the top left corner.",
    )


class SegmentAnswer(BaseModel):
    """Consecutive sentences; offsets count characters, half-open."""

    start: int
    end: int
    sentences: tuple[int, int] = Field(description="Half-open pair of sentence indices.")
    title: str
    heading_path: list[str] = Field(description="Headings above it, highest first, and its own.")
    summary: str = Field(description="The sentence that sums it up; empty if it has no prose.")
    topic: int | None = Field(description="Index of its strongest topic.")
    topic_weights: list[float]
    keywords: list[WordAnswer]
    strength: float | None = Field(
        description="Probability that a person would draw the boundary before it."
    )
    overlap_start: int
    place: PlaceAnswer | None = Field(None, description="For files with pages, times and so on.")
    text: str


class DocumentAnswer(BaseModel):
    """Sizes of the document, and its language."""

    characters: int
    sentences: int
    kept_words: int
    language: str | None = Field(description="Code of the language; null if it is not recognized.")


class ResultAnswer(BaseModel):
    """The topics and segments of a document."""

    source: str = Field("", description="The name of the document, if it has one.")
    schema_: int = Field(alias="schema", description="Version of this layout.")
    versions: dict[str, str]
    settings: dict[str, Any]
    document: DocumentAnswer
    choice: dict[str, Any] | None = Field(description="Why this number of segments was chosen.")
    topics: list[TopicAnswer] = Field(description="Heaviest first.")
    segments: list[SegmentAnswer] = Field(description="In the order of the text.")
    notes: list[str]
    outline: list[dict[str, Any]] | None = Field(
        None, description="If it was requested, or if the text is long and has no headings."
    )


class ChunkAnswer(BaseModel):
    """A chunk, as ``docbats chunk`` writes it; what is not known of it is absent."""

    model_config = ConfigDict(extra="allow")

    chunk: int = Field(description="Its number in the document, from 0.")
    id: str = Field(description="Made of the document's id, the offsets and the content.")
    start: int = Field(description="Offset of its first character, overlap included.")
    end: int = Field(description="Offset after its last character.")
    own_start: int | None = Field(None, description="Where its new text begins, after an overlap.")
    size: int = Field(description="Size of its content, in the unit asked for.")
    title: str | None = Field(description="The heading it begins with, or the nearest above it.")
    document_title: str | None = Field(None, description="The only heading of the highest level.")
    heading_path: list[str] | None = Field(None, description="Headings above it, highest first.")
    speakers: list[str] | None = Field(None, description="Who speaks in it.")
    topics: list[str] | None = Field(None, description="Its strongest topics, with titles=true.")
    text: str
    context: str | None = Field(None, description="What to index before the text, if asked for.")
    table_header: str | None = Field(
        None, description="The header of the table whose rows it begins with, from a chunk before."
    )
    content: str | None = Field(
        None, description="Context, header of the table and text, if there is more than the text."
    )


class ChunksAnswer(BaseModel):
    """The chunks of a document, in the order of the text; a blank one has none."""

    source: str = Field("", description="The name of the document, if it has one.")
    versions: dict[str, str]
    chunks: list[ChunkAnswer]
    notes: list[str]


class ProblemAnswer(BaseModel):
    """What went wrong, as in RFC 9457."""

    type: str = Field(description="Name of the kind of problem.")
    title: str
    status: int
    detail: str = Field(description="What is wrong, and what to do about it.")
    errors: list[dict[str, str]] | None = Field(
        None, description="Each invalid field with a message, if there are any."
    )


class LineAnswer(BaseModel):
    """The answer to one line: a result or an error."""

    id: str | int | None = Field(description="As in the request, or the number of its line.")
    result: ResultAnswer | None = None
    error: ProblemAnswer | None = None


class ChunksLineAnswer(BaseModel):
    """The answer to one line: the chunks of a document or an error."""

    id: str | int | None = Field(description="As in the request, or the number of its line.")
    result: ChunksAnswer | None = None
    error: ProblemAnswer | None = None


class PresetAnswer(BaseModel):
    """A preset."""

    description: str
    settings: dict[str, Any] = Field(description="The value of each setting.")


class SettingAnswer(BaseModel):
    """What a setting means; `schema` is the JSON Schema of its values."""

    description: str
    schema_: dict[str, Any] = Field(alias="schema")


class LimitsAnswer(BaseModel):
    """The limits of one request."""

    max_bytes: int
    is_local: bool
    max_sentences: int
    timeout: float = Field(description="Seconds.")


class PresetsAnswer(BaseModel):
    """The presets, what their settings mean, and the limits of this service."""

    presets: dict[str, PresetAnswer]
    settings: dict[str, SettingAnswer]
    chunk_options: dict[str, SettingAnswer]
    tokenizers: list[str] = Field(description="Names that count tokens of chunks; first: default.")
    limits: LimitsAnswer


class HealthAnswer(BaseModel):
    """Whether the service is up."""

    status: Literal["ok", "stopping"]
    version: str
