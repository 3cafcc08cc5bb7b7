"""What the tools return: the SDK shows assistants these models as the tools' output schemas."""

from __future__ import annotations

from pydantic import BaseModel, Field

__all__ = [
    "Analysis",
    "Answer",
    "FileList",
    "FoundFile",
    "Match",
    "Matches",
    "Outline",
    "Part",
    "PartText",
    "Segment",
    "Summary",
    "SummarySentence",
    "Topic",
]


class Answer(BaseModel):
    """What a tool returns; what is not known is left out."""


class FoundFile(BaseModel):
    """A file that can be read."""

    path: str = Field(description="What to pass as path.")
    bytes: int = Field(description="Its size.")


class FileList(Answer):
    """Files that can be read."""

    files: list[FoundFile]
    total: int = Field(description="How many there are in all.")
    next: int | None = Field(None, description="Pass it as first for the files that are left.")


class Part(BaseModel):
    """A part of a document."""

    number: str = Field(description="What read_part takes; 2.1 is the first part of part 2.")
    title: str
    start: int = Field(description="Offset of its first character, from 0.")
    end: int = Field(description="Offset after its last character.")
    pages: list[int] | None = Field(None, description="First and last page in the file.")
    seconds: list[float] | None = Field(None, description="Start and end in the recording.")


class _AboutDocument(Answer):
    characters: int = Field(description="Length of the document's text.")
    sentences: int
    language: str | None = Field(None, description="Code of its language.")


class Outline(_AboutDocument):
    """A table of contents, each part before its own parts."""

    levels: int = Field(description="How deep it is nested, with what depth left out.")
    parts: list[Part]
    next: int | None = Field(None, description="Pass it as first for the parts that are left.")


class Topic(BaseModel):
    """A group of words that keep company."""

    label: str
    weight: float = Field(description="Its share of the document.")
    words: list[str]


class Segment(Part):
    """A segment of a document."""

    topic: str | None = Field(None, description="Label of its strongest topic.")
    keywords: list[str]
    summary: str | None = Field(None, description="The sentence that sums it up best.")
    opening: str = Field(description="Its first words.")
    speakers: list[str] | None = None


class Analysis(_AboutDocument):
    """The topics and segments of a document."""

    reason: str | None = Field(None, description="Why there are so many segments.")
    topics: list[Topic] = Field(description="Heaviest first; only with the first segments.")
    topics_left_out: int | None = Field(None, description="How many topics had no room.")
    segments: list[Segment]
    next: int | None = Field(None, description="Pass it as first for the segments that are left.")
    notes: list[str] | None = None


class PartText(Answer):
    """The text of a part."""

    number: str | None = None
    title: str | None = None
    heading_path: list[str] | None = Field(None, description="Headings that it stands under.")
    start: int
    end: int
    pages: list[int] | None = None
    seconds: list[float] | None = None
    text: str
    next: int | None = Field(
        None, description="Offset of what is left: pass it as start, and the same end if any."
    )


class Match(Part):
    """A part that has words of the question."""

    score: float
    excerpt: str = Field(description="Its sentence with most of these words.")


class Matches(Answer):
    """The parts that match a question, best first."""

    matches: list[Match]
    total: int = Field(description="How many parts have any of its words.")


class SummarySentence(BaseModel):
    """A sentence of a document."""

    start: int
    end: int
    text: str


class Summary(_AboutDocument):
    """The most informative sentences of a document, in their order."""

    summary: list[SummarySentence]
    left_out: int | None = Field(None, description="How many sentences had no room.")
