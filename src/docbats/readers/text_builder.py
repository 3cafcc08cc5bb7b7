"""One text put together from blocks and the cells of tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from docbats.blocks import BLOCK_KINDS, Block
from docbats.errors import InputError
from docbats.places import Heading, Page, Places
from docbats.readers.content import FileText
from docbats.text.headings import NumberedTitle, mark_contents_and_references, split_number

if TYPE_CHECKING:
    from docbats.blocks import BlockKind

_VISIBLE = re.compile(r"[^\r\n]")


def blank(text: str, spans: Iterable[tuple[int, int]]) -> str:
    r"""Return the text with spaces in these spans; line ends stay.

    >>> blank("bats\nand tea", [(2, 8), (3, 4)])
    'ba  \n    tea'
    """
    parts, done = [], 0
    for start, end in sorted(spans):
        if end <= done:
            continue
        first = max(start, done)
        parts += [text[done:first], _VISIBLE.sub(" ", text[first:end])]
        done = end
    return "".join([*parts, text[done:]])


def spans_without_prose(blocks: Iterable[Block]) -> list[tuple[int, int]]:
    """Return the spans of the blocks that are no prose.

    Where there is no prose but headings, tables and the like are all that a file has to say, so
    only code is left out.
    """
    blocks = list(blocks)
    has_prose = any(block.is_prose and block.kind != "heading" for block in blocks)
    return [
        (block.start, block.end)
        for block in blocks
        if block.kind == "code" or (has_prose and not block.is_prose)
    ]


class TextBuilder:
    """Joins blocks to one text, with blank lines between them."""

    def __init__(self) -> None:
        self._blocks: list[Block] = []
        self._blanked: list[tuple[int, int]] = []  # code in a list, which is no block of its own
        self._parts: list[str] = []
        self._length = 0
        self._page_blocks: list[int] = []  # how many blocks stand before each page

    def start_page(self) -> None:
        """Begin a page or a slide with the next block."""
        self._page_blocks.append(len(self._blocks))

    def add(
        self,
        text: str,
        kind: BlockKind = "paragraph",
        level: int | None = None,
        number: str | None = None,
        *,
        is_prose: bool = True,
    ) -> None:
        """Add a block; the number of a heading is found in its text if it is not given."""
        title = written = None
        if kind == "heading":
            number, title = _numbered(text, number)
            text = written = " ".join(text.split())
        if self._parts:
            self._parts.append("\n\n")
            self._length += 2
        start, end = self._length, self._length + len(text)
        self._blocks.append(Block(kind, start, end, level, number, title, written=written))
        if not is_prose:
            self._blanked.append((start, end))
        self._parts.append(text)
        self._length = end

    def __bool__(self) -> bool:
        """Whether anything was added."""
        return bool(self._parts)

    def file_text(self) -> FileText:
        """Return all that was added."""
        text = "".join(self._parts)
        starts = [block.start for block in self._blocks]
        pages = (starts[i] if i < len(starts) else self._length for i in self._page_blocks)
        blocks = mark_contents_and_references(self._blocks, text)
        blanked = self._blanked + spans_without_prose(blocks)
        return FileText(
            text,
            Places(pages=tuple(map(Page, pages)), headings=headings_of(blocks)),
            prose=blank(text, blanked) if blanked else None,
            blocks=blocks,
        )


def headings_of(blocks: tuple[Block, ...]) -> tuple[Heading, ...]:
    """Return the headings among the blocks, with their numbers in their titles."""
    return tuple(
        Heading(block.start, block.end, block.level or 1, block.heading)
        for block in blocks
        if block.kind == "heading"
    )


def _numbered(text: str, number: str | None) -> NumberedTitle:
    """Take the number from a heading, or find it."""
    whole = " ".join(text.split())
    number = None if number is None else " ".join(number.split())
    if number and whole.startswith(number):
        title = whole[len(number) :].lstrip(" .:–—-\xa0")
        if title:
            return NumberedTitle(number, title)
    return split_number(text)


_MAX_CELL = 400  # characters; a table with a longer cell lays out text


class ParagraphKind(NamedTuple):
    """What a paragraph is by its style; the level is that of a heading or of a list's item."""

    kind: BlockKind = "paragraph"
    level: int | None = None


@dataclass
class CellTable:
    """The rows of a table, each a list of cells, each a list of paragraphs with their kinds."""

    rows: list[list[list[tuple[str, ParagraphKind]]]] = field(default_factory=list)

    def start_row(self) -> None:
        """Begin a row."""
        self.rows.append([])

    def start_cell(self) -> None:
        """Begin a cell."""
        if self.rows:
            self.rows[-1].append([])

    def add(self, text: str, kind: ParagraphKind) -> None:
        """Add a paragraph to the last cell."""
        if self.rows and self.rows[-1]:
            self.rows[-1][-1].append((text, kind))

    def text(self) -> str | None:
        """Return the table as lines of cells; None if it lays out text rather than data."""
        cells = [cell for row in self.rows for cell in row]
        is_layout = max(map(len, self.rows), default=0) < 2 or any(
            sum(len(text) for text, _ in cell) > _MAX_CELL
            or any(kind.kind in {"heading", "code"} for _, kind in cell)
            for cell in cells
        )
        if is_layout:
            return None
        lines = (
            "\t".join(" ".join(" ".join(text.split()) for text, _ in cell) for cell in row)
            for row in self.rows
        )
        return "\n".join(line for line in lines if line.strip()).strip()

    def add_to(self, built: TextBuilder) -> None:
        """Add the table as one block, or what it lays out as blocks of their own."""
        text = self.text()
        if text is not None:
            if text:
                built.add(text, "table")
            return
        for row in self.rows:
            for cell in row:
                for paragraph, kind in cell:
                    built.add(paragraph, kind.kind, kind.level)


_KEYS = frozenset({"kind", "text", "level", "number", "speaker", "seconds"})


def join_blocks(blocks: Iterable[Mapping[str, Any]]) -> FileText:
    """Join blocks by blank lines."""
    if not isinstance(blocks, Iterable):
        msg = f"blocks must be a list of mappings, got {type(blocks).__name__}"
        raise InputError(msg)
    parts: list[str] = []
    made: list[Block] = []
    start = 0
    for number, block in enumerate(blocks):
        text, made_block = _make_block(number, block, start)
        if text.strip():
            parts.append(text)
            made.append(made_block)
            start += len(text) + 2
    joined = "\n\n".join(parts)
    return FileText(
        text=joined,
        prose="\n\n".join(_blank(part, block) for part, block in zip(parts, made, strict=True)),
        breaks=[edge for block in made for edge in (block.start, block.end)],
        blocks=tuple(made),
    )


def _make_block(place: int, block: Mapping[str, Any], start: int) -> tuple[str, Block]:
    if not isinstance(block, Mapping):
        msg = f"block {place} must be a mapping with kind and text, got {type(block).__name__}"
        raise InputError(msg)
    unknown = sorted(map(str, block.keys() - _KEYS))
    if unknown:
        msg = f"block {place} has {', '.join(unknown)}: it may have {', '.join(sorted(_KEYS))}"
        raise InputError(msg)
    kind, text = block.get("kind"), block.get("text")
    if not isinstance(kind, str) or kind not in BLOCK_KINDS:
        msg = f"the kind of block {place} must be one of {', '.join(BLOCK_KINDS)}, got {kind!r}"
        raise InputError(msg)
    if not isinstance(text, str):
        msg = f"the text of block {place} must be a string, got {type(text).__name__}"
        raise InputError(msg)
    number = _string("number", place, block)
    title = None
    if kind == "heading":
        title = " ".join(text.split())
        text = " ".join(filter(None, [number, title]))
    made = Block(
        kind=cast("BlockKind", kind),
        start=start,
        end=start + len(text),
        level=_level(place, block, 1 if kind == "heading" else None),
        number=number,
        title=title,
        speaker=_string("speaker", place, block),
        seconds=_seconds(place, block),
    )
    return text, made


def _string(name: str, place: int, block: Mapping[str, Any]) -> str | None:
    value = block.get(name)
    if value is not None and not isinstance(value, str):
        msg = f"the {name} of block {place} must be a string, got {value!r}"
        raise InputError(msg)
    return value


def _level(place: int, block: Mapping[str, Any], default: int | None) -> int | None:
    value = block.get("level", default)
    if value is None:
        return None
    if not isinstance(value, Integral) or isinstance(value, bool) or value < 1:
        msg = f"the level of block {place} must be a whole number from 1, got {value!r}"
        raise InputError(msg)
    return int(value)


def _seconds(place: int, block: Mapping[str, Any]) -> tuple[float, float] | None:
    value = block.get("seconds")
    if value is None:
        return None
    try:
        begins, ends = value
        is_pair = all(isinstance(each, Real) and isfinite(each) for each in (begins, ends))
    except (TypeError, ValueError):
        is_pair = False
    if not is_pair:
        msg = (
            f"the seconds of block {place} must be two numbers, when it begins and ends, "
            f"got {value!r}"
        )
        raise InputError(msg)
    return float(begins), float(ends)


def _blank(text: str, block: Block) -> str:
    """Blank what is no prose; line ends stay."""
    if block.is_prose:
        return text
    return "".join(c if c in "\r\n" else " " for c in text)
