"""What the tools return, in answers of a limited length."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from docbats.corpus.documents import replace_surrogates_within
from docbats.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from docbats.parts import Entry
    from docbats.result import Result


class Answer(BaseModel):
    """What a tool returns; unknown values are left out."""


class FoundFile(BaseModel):
    """A file that can be read."""

    path: str = Field(description="What to pass as path.")
    bytes: int = Field(description="Its size.")


class FileList(Answer):
    """Files that can be read."""

    files: list[FoundFile]
    total: int = Field(description="How many there are in all.")
    next: int | None = Field(None, description="Pass it as first for the files that are left.")


class _Passage(BaseModel):
    title: str
    start: int = Field(description="Offset of its first character, from 0.")
    end: int = Field(description="Offset after its last character.")
    pages: list[int] | None = Field(None, description="First and last page in the file.")
    seconds: list[float] | None = Field(None, description="Start and end in the recording.")


class FoundPart(_Passage):
    """A part of a document."""

    number: str = Field(description="What read_part takes; 2.1 is the first part of part 2.")


class _AboutDocument(Answer):
    characters: int = Field(description="Length of the document's text.")
    sentences: int
    language: str | None = Field(None, description="Code of its language.")


class OutlineAnswer(_AboutDocument):
    """A table of contents, each part before its own parts."""

    levels: int = Field(description="How deep it is nested, with what depth left out.")
    parts: list[FoundPart]
    next: int | None = Field(None, description="Pass it as first for the parts that are left.")


class FoundTopic(BaseModel):
    """A group of words that occur together."""

    label: str
    weight: float = Field(description="Its share of the document.")
    words: list[str]


class FoundSegment(FoundPart):
    """A segment of a document."""

    topic: str | None = Field(None, description="Label of its strongest topic.")
    keywords: list[str]
    summary: str | None = Field(None, description="The sentence that sums it up best.")
    opening: str = Field(description="Its first words.")
    speakers: list[str] | None = None
    parts: list[FoundPart] | None = Field(
        None, description="Its parts, if the document is long and has no headings."
    )


class AnalysisAnswer(_AboutDocument):
    """The topics and segments of a document."""

    reason: str | None = Field(None, description="Why it has this number of segments.")
    topics: list[FoundTopic] = Field(description="Heaviest first; only with the first segments.")
    topics_left_out: int | None = Field(None, description="How many topics had no room.")
    segments: list[FoundSegment]
    next: int | None = Field(None, description="Pass it as first for the segments that are left.")
    notes: list[str] | None = None


class PartText(Answer):
    """The text of a part."""

    number: str | None = None
    title: str | None = None
    heading_path: list[str] | None = Field(None, description="Headings above it.")
    start: int
    end: int
    pages: list[int] | None = None
    seconds: list[float] | None = None
    text: str
    next: int | None = Field(
        None, description="Offset of what is left: pass it as start, and the same end if any."
    )


class Match(_Passage):
    """A passage that has words of the question."""

    path: str | None = Field(None, description="Its file, if all files were searched.")
    number: str | None = Field(
        None, description="The part that it is, if one document was searched."
    )
    score: float
    excerpt: str = Field(description="Its sentence with most of these words.")


class Matches(Answer):
    """The passages that match a question, best first."""

    matches: list[Match]
    total: int = Field(description="How many passages have any of its words.")
    files: int | None = Field(None, description="How many files were searched.")
    files_left: int | None = Field(
        None, description="How many files there was no time for: search again to include them."
    )
    unreadable: list[str] | None = Field(None, description="Files that cannot be read.")


class FoundChunk(BaseModel):
    """A chunk of a document; what is not known of it is left out."""

    model_config = ConfigDict(extra="allow")

    chunk: int = Field(description="Its number, from 0.")
    id: str = Field(description="The same for the same file, offsets and content.")
    start: int = Field(description="Offset of its first character, from 0.")
    end: int = Field(description="Offset after its last character.")
    size: int = Field(description="Size of its content, in the unit asked for.")
    title: str | None = Field(None, description="The heading it begins with, or is under.")
    heading_path: list[str] | None = Field(None, description="Headings above it.")
    text: str
    content: str | None = Field(None, description="What to index: its context and its text.")


class Chunks(Answer):
    """The chunks of a document, in the order of the text."""

    chunks: list[FoundChunk]
    total: int = Field(description="How many there are in all.")
    next: int | None = Field(None, description="Pass it as first for the chunks that are left.")


class SummarySentence(BaseModel):
    """A sentence of a document."""

    start: int
    end: int
    text: str


class SummaryAnswer(_AboutDocument):
    """The most informative sentences of a document, in their order."""

    summary: list[SummarySentence]
    left_out: int | None = Field(None, description="How many sentences had no room.")


AnyAnswer = TypeVar("AnyAnswer", bound="Answer")


def to_values(answer: Answer) -> dict[str, Any]:
    """Return an answer as JSON-ready values, without unknown ones."""
    values = answer.model_dump(exclude_none=True)  # UTF-8 cannot encode lone surrogates
    found: dict[str, Any] = replace_surrogates_within(values)
    return found


def to_json(answer: Answer) -> str:
    """Return an answer as compact JSON."""
    return json.dumps(to_values(answer), ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True)
class AnswerLimit:
    """The largest number of characters of an answer."""

    characters: int

    def fit(
        self, make: Callable[[int], AnyAnswer], most: int, least: int = 1, *, part: float = 1.0
    ) -> AnyAnswer:
        """Return the longest answer that fits, with at most `most` items.

        `make` returns the answer with a number of items; `part` is the share of the length that it
        may have.
        """
        room = self.characters * part
        low, high = min(least, most), most
        if len(to_json(make(low))) > room:
            msg = (
                f"the answer does not fit in {self.characters:,} characters: start docbats mcp "
                "with a larger --max-answer"
            )
            raise InputError(msg)
        while low < high:
            middle = (low + high + 1) // 2
            if len(to_json(make(middle))) > room:
                high = middle - 1
            else:
                low = middle
        return make(low)


@dataclass(frozen=True)
class NumberedPart:
    """A line of an outline and its number: ``2.1`` is the first part of part 2."""

    number: str
    entry: Entry

    @property
    def level(self) -> int:
        """The level of the outline; the highest is 1."""
        return 1 + self.number.count(".")


def number_parts(result: Result) -> list[NumberedPart]:
    """Return all parts of the outline, each before its own parts."""
    return [
        NumberedPart(".".join(map(str, numbers)), entry) for numbers, entry in result.outline.walk()
    ]


def find_part(parts: Sequence[NumberedPart], number: str) -> Entry:
    """Return the part of this number."""
    for part in parts:
        if part.number == number:
            return part.entry
    top = sum("." not in part.number for part in parts)
    msg = f"there is no part {number!r}: parts are numbered 1 to {top}, and 1.1 is part 1's first"
    raise InputError(msg)
