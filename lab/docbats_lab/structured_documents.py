"""Documents with the headings, paragraphs, lists and speakers that their authors gave them."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from docbats.errors import ReadError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

FOLDER = "structured"
_PROSE = frozenset({"paragraph", "list_item", "quote", "turn"})
_MIN_TOP_HEADINGS = 3
_SPECIAL = re.compile(r"([\\`*_\[\]<>#])")  # what Markdown takes for marks
_BACKSLASH = r"\\\1"


@dataclass(frozen=True)
class PlainTrial:
    """A document as a plain text without headings, and where its true sections begin."""

    text: str
    section_starts: tuple[int, ...]


@dataclass(frozen=True)
class StructuredDocument:
    """A document as the blocks that its author built it of.

    Attributes
    ----------
    name, source, language
        Its own name, that of its source, and the code of its language.
    blocks
        As ``structured/README.md`` of the data describes them.
    """

    name: str
    source: str
    language: str
    blocks: tuple[Mapping[str, Any], ...]

    @property
    def top_level(self) -> int | None:
        """The highest level of three headings or more; None where topics are marked instead."""
        levels = Counter(block["level"] for block in self.blocks if block["type"] == "heading")
        often = [level for level, uses in levels.items() if uses >= _MIN_TOP_HEADINGS]
        return min(often, default=None)

    def without_headings(self) -> PlainTrial:
        """Return its prose, blank lines between the paragraphs."""
        parts: list[str] = []
        starts: list[int] = []
        size = 0
        for section in self._sections():
            if parts:
                starts.append(size)
            for text in section:
                parts.append(text)
                size += len(text) + 2
        return PlainTrial("\n\n".join(parts), tuple(starts))

    def as_markdown(self) -> tuple[str, dict[int, str]]:
        """Return it as Markdown, and its top-level headings by the offsets where they begin."""
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

    def _sections(self) -> list[list[str]]:
        """Return the prose of each section; those without any are left out."""
        is_marked = any(block["type"] == "boundary" for block in self.blocks)
        sections: list[list[str]] = [[]]
        for block in self.blocks:
            is_top = block["type"] == "heading" and block["level"] == self.top_level
            if block["type"] == "boundary" or (is_top and not is_marked):
                sections.append([])
            elif block["type"] in _PROSE:
                sections[-1].append(block["text"])
        return [section for section in sections if section]


def read_structured(data: Path) -> Iterator[StructuredDocument]:
    """Read all documents, source by source."""
    folder = data / FOLDER
    paths = sorted(structured_files(folder))
    if not paths:
        msg = (
            f"there are no structured documents in {folder}: name the folder that holds "
            f"{FOLDER}/SOURCE/NAME.json with --data or DOCBATS_DATA"
        )
        raise ReadError(msg)
    yield from map(read_structured_file, paths)


def structured_files(folder: Path) -> Iterator[Path]:
    """Find the files of all documents; folders whose names begin with ``_`` hold others."""
    return folder.glob("[!_]*/*.json")


def read_structured_file(path: Path) -> StructuredDocument:
    """Read one document; the folder that it is in names its source."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        language, blocks = values["language"], tuple(values["blocks"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        msg = f"{path} cannot be read as a structured document ({error}): copy it again"
        raise ReadError(msg) from error
    return StructuredDocument(
        name=path.stem,
        source=path.parent.name,
        language=language.partition("-")[0],
        blocks=blocks,
    )


def by_source(
    documents: Sequence[StructuredDocument],
) -> dict[str, list[StructuredDocument]]:
    """Return the documents of each source."""
    sources: dict[str, list[StructuredDocument]] = {}
    for document in documents:
        sources.setdefault(document.source, []).append(document)
    return sources


def _heading(block: Mapping[str, Any]) -> str:
    return " ".join(" ".join(filter(None, [block.get("number"), block["text"]])).split())


def _as_markdown(block: Mapping[str, Any]) -> str:
    text: str = block["text"]
    match block["type"]:
        case "heading":
            return f"{'#' * block['level']} {_SPECIAL.sub(_BACKSLASH, _heading(block))}"
        case "list_item":
            return "- " + text.replace("\n", "\n  ")
        case "quote":
            return "> " + text.replace("\n", "\n> ")
        case "code" | "table":
            return f"~~~~~~\n{text}\n~~~~~~"
    return text
