"""Documents with a known structure: true segments, or the headings and paragraphs of an author."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.document import Document
from docbats.errors import ReadError
from docbats.pipeline import PreparedText, prepare
from docbats.settings import Settings
from docbats.text.languages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

STRUCTURED = "structured"
"""The folder of the structured documents."""

PROSE = frozenset({"paragraph", "list_item", "quote", "turn"})
"""The types of blocks that are prose."""

_RULE = "=" * 10
_MIN_TOP_HEADINGS = 3
_MARKDOWN_MARKS = re.compile(r"([\\`*_\[\]<>#])")


def known_language(code: str) -> str:
    """Return the code of a language, or ``"auto"`` for one that docbats does not know."""
    return code if code in LANGUAGES else "auto"


@dataclass(frozen=True)
class SegmentedDocument:
    """A document as the sentences of each true segment.

    Attributes
    ----------
    name
        Unique in its dataset.
    segments
        The sentences of each segment.
    language
        The code of its language; ``"auto"`` to detect it.
    text
        The whole text with its paragraphs, cut into the same sentences; None where only the
        sentences are known.
    """

    name: str
    segments: tuple[tuple[str, ...], ...]
    language: str = "en"
    text: str | None = None

    @property
    def sentences(self) -> tuple[str, ...]:
        """All sentences in order."""
        return tuple(sentence for segment in self.segments for sentence in segment)


def read_segmented(path: Path) -> SegmentedDocument:
    """Read a ``.ref`` file: a sentence per line, lines of ten ``=`` between the segments."""
    segments: list[list[str]] = [[]]
    for line in path.read_text(encoding="utf-8").splitlines():
        if line == _RULE:
            segments.append([])
        elif line.strip():
            segments[-1].append(line)
    found = tuple(tuple(segment) for segment in segments if segment)
    if not found:
        msg = f"{path} has no sentences: expected one per line, and {_RULE} between segments"
        raise ReadError(msg)
    return SegmentedDocument(path.stem, found)


def split_sentences(document: Document, offsets: Sequence[int]) -> tuple[tuple[str, ...], ...]:
    """Return the sentences of a document, split at the first sentence from each offset on."""
    starts = np.searchsorted(document.spans[:, 0], offsets).tolist()
    edges = sorted({0, *starts, len(document)})
    return tuple(tuple(document.sentences[first:end]) for first, end in pairwise(edges))


@dataclass(frozen=True, eq=False)
class SectionedText:
    """A text without headings.

    Attributes
    ----------
    text
        Its prose, with blank lines between paragraphs.
    starts
        The offset of each section.
    language
        The code of its language.
    headings
        The heading of each section, None for a section without one.
    """

    text: str
    starts: tuple[int, ...]
    language: str
    headings: tuple[str | None, ...] = ()

    @property
    def known_language(self) -> str:
        """The code of the language, or ``"auto"`` for one that docbats does not know."""
        return known_language(self.language)

    @cached_property
    def sections(self) -> tuple[str, ...]:
        """The text of each section."""
        ends = (*self.starts[1:], len(self.text))
        return tuple(self.text[a:b].strip() for a, b in zip(self.starts, ends, strict=True))

    @cached_property
    def prepared_sections(self) -> tuple[PreparedText, ...]:
        """Each section with its sentences, words and parts of speech."""
        settings = Settings(language=self.known_language)
        return tuple(prepare(section, settings) for section in self.sections)


@dataclass(frozen=True)
class StructuredDocument:
    """A document with its author's headings, paragraphs, lists and speakers.

    Attributes
    ----------
    name, source
        Its own name, and the name of its source.
    language
        The code of its language.
    blocks
        As ``structured/README.md`` of the data describes them.
    """

    name: str
    source: str
    language: str
    blocks: tuple[Mapping[str, Any], ...]

    @property
    def top_level(self) -> int | None:
        """The highest level with three headings or more; None where topics are marked instead."""
        levels = Counter(block["level"] for block in self.blocks if block["type"] == "heading")
        common = [level for level, uses in levels.items() if uses >= _MIN_TOP_HEADINGS]
        return min(common, default=None)

    def without_headings(self) -> SectionedText:
        """Return its prose; sections without any are left out."""
        is_marked = any(block["type"] == "boundary" for block in self.blocks)
        sections: list[tuple[str | None, list[str]]] = [(None, [])]
        for block in self.blocks:
            if block["type"] == "boundary":
                sections.append((block.get("title"), []))
            elif not is_marked and block["type"] == "heading" and block["level"] == self.top_level:
                sections.append((block["text"], []))
            elif block["type"] in PROSE:
                sections[-1][1].append(block["text"])
        sections = [(heading, texts) for heading, texts in sections if texts]
        sizes = [sum(len(text) + 2 for text in texts) for _, texts in sections]
        return SectionedText(
            text="\n\n".join(text for _, texts in sections for text in texts),
            starts=tuple((np.cumsum(sizes, dtype=int) - sizes).tolist()),
            language=self.language,
            headings=tuple(heading for heading, _ in sections),
        )

    def as_markdown(self) -> tuple[str, dict[int, str]]:
        """Return it as Markdown, and its top-level headings by their offsets."""
        parts: list[str] = []
        headings: dict[int, str] = {}
        size = 0
        for block in self.blocks:
            if block["type"] == "boundary":
                continue
            text = _as_markdown(block)
            if block["type"] == "heading" and block["level"] == self.top_level:
                headings[size] = _heading(block)
            parts.append(text)
            size += len(text) + 2
        return "\n\n".join(parts), headings

    def as_segmented(self) -> SegmentedDocument:
        """Return it without headings, cut into sentences as docbats does."""
        plain = self.without_headings()
        language = known_language(self.language)
        document = Document.from_text(plain.text, language=language)
        segments = split_sentences(document, plain.starts)
        return SegmentedDocument(f"{self.source}/{self.name}", segments, language, plain.text)


def structured_files(folder: Path) -> Iterator[Path]:
    """Find the files of structured documents, ``SOURCE/NAME.json``; ``_SOURCE`` holds others."""
    return folder.glob("[!_]*/*.json")


def read_structured_file(path: Path) -> StructuredDocument:
    """Read one document; its folder names its source."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        language, blocks = values["language"], tuple(values["blocks"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        msg = f"{path} cannot be read as a structured document ({error}): copy it again"
        raise ReadError(msg) from error
    return StructuredDocument(path.stem, path.parent.name, language.partition("-")[0], blocks)


def read_structured(data: Path, limit: int | None = None) -> dict[str, list[StructuredDocument]]:
    """Read the documents of each source, at most `limit` of it."""
    folder = data / STRUCTURED
    sources: dict[str, list[StructuredDocument]] = {}
    for path in sorted(structured_files(folder)):
        found = sources.setdefault(path.parent.name, [])
        if limit is None or len(found) < limit:
            found.append(read_structured_file(path))
    if not sources:
        msg = (
            f"there are no structured documents in {folder}: name the folder that holds "
            f"{STRUCTURED}/SOURCE/NAME.json with --data or DOCBATS_DATA"
        )
        raise ReadError(msg)
    return sources


def _heading(block: Mapping[str, Any]) -> str:
    return " ".join(" ".join(filter(None, [block.get("number"), block["text"]])).split())


def _as_markdown(block: Mapping[str, Any]) -> str:
    text: str = block["text"]
    match block["type"]:
        case "heading":
            escaped = _MARKDOWN_MARKS.sub(r"\\\1", _heading(block))
            return f"{'#' * block['level']} {escaped}"
        case "list_item":
            return "- " + text.replace("\n", "\n  ")
        case "quote":
            return "> " + text.replace("\n", "\n> ")
        case "code" | "table":
            return f"~~~~~~\n{text}\n~~~~~~"
    return text
