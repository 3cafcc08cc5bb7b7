"""One text put together from blocks, and from the cells of tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from docbats.blocks import BLOCK_KINDS, Block, blank, non_prose_spans
from docbats.errors import InputError, ReadError
from docbats.places import Heading, Page, Places
from docbats.readers.content import FileText
from docbats.text.headings import mark_contents_and_references, split_number
from docbats.text.markup import spelled

if TYPE_CHECKING:
    from docbats.blocks import BlockKind

_NO_TEXT = "a document without text: if its pages are images, recognize their text first"
MAX_CELL_LENGTH = 400  # characters; a table with a longer cell lays out text


def headings_of(blocks: tuple[Block, ...]) -> tuple[Heading, ...]:
    """Return the headings among the blocks, with their numbers in their titles."""
    return tuple(
        Heading(block.start, block.end, block.level or 1, block.heading)
        for block in blocks
        if block.kind == "heading"
    )


class ParagraphKind(NamedTuple):
    """What a paragraph is; the level is that of a heading or of a list item."""

    kind: BlockKind = "paragraph"
    level: int | None = None


class NoteMark(str):
    """What is written in a paragraph where it refers to a note; not in a heading."""

    __slots__ = ()


def joined_pieces(pieces: Iterable[str], kind: ParagraphKind) -> str:
    """Return the text of a paragraph; that of a heading without the marks of notes."""
    is_heading = kind.kind == "heading"
    return "".join(p for p in pieces if not (is_heading and isinstance(p, NoteMark)))


@dataclass
class CellTable:
    """The rows of a table, each a list of cells, each a list of paragraphs with their kinds.

    `depth` is 1 in a table, and more in tables inside its cells, which belong to the cell.
    """

    rows: list[list[list[tuple[str, ParagraphKind]]]] = field(default_factory=list)
    depth: int = 0

    def start_row(self) -> None:
        """Begin a row."""
        if self.depth <= 1:
            self.rows.append([])

    def start_cell(self) -> None:
        """Begin a cell."""
        if self.depth <= 1 and self.rows:
            self.rows[-1].append([])

    def add(self, text: str, kind: ParagraphKind) -> None:
        """Add a paragraph to the last cell."""
        if self.rows and self.rows[-1]:
            self.rows[-1][-1].append((text, kind))

    def is_data(self) -> bool:
        """Whether the table holds data, rather than laying out text."""
        return max(map(len, self.rows), default=0) >= 2 and not any(
            sum(len(text) for text, _ in cell) > MAX_CELL_LENGTH
            or any(kind.kind in {"heading", "code"} for _, kind in cell)
            for row in self.rows
            for cell in row
        )

    def text(self) -> str:
        """Return a line for each row, with tabs between its cells."""
        lines = (
            "\t".join(" ".join(" ".join(text.split()) for text, _ in cell) for cell in row)
            for row in self.rows
        )
        return "\n".join(line for line in lines if line.strip()).strip()


class TextBuilder:
    """Joins blocks to one text, with blank lines between them."""

    def __init__(self) -> None:
        self._blocks: list[Block] = []
        self._blanked: list[tuple[int, int]] = []  # code in a list, which is part of its item
        self._parts: list[str] = []
        self._length = 0
        self._page_blocks: list[int] = []  # the number of blocks before each page
        self._code: list[str] = []  # lines of the block of code that is open
        self._notes: list[list[str]] = []  # the paragraphs of each
        self.table = CellTable()  # the table that is open

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
        self._end_code()
        text = spelled(text)
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

    def add_paragraph(self, text: str, kind: ParagraphKind) -> None:
        """Add a paragraph to the open table, to the open block of code, or as a block."""
        if self.table.depth:
            if text.strip():
                self.table.add(text.strip(), kind)
        elif kind.kind == "code":
            self._code.append(text.rstrip())
        elif text.strip():
            self.add(text.strip(), *kind)

    def add_note(self, paragraphs: Iterable[str]) -> NoteMark:
        """Add a foot- or endnote, which follows the text, and return the mark that leads to it."""
        found = [" ".join(text.split()) for text in paragraphs if text.strip()]
        if not found:
            return NoteMark()
        self._notes.append(found)
        return NoteMark(f" [{len(self._notes)}]")

    def start_table(self) -> None:
        """Begin a table, perhaps inside a cell of another one."""
        self.table.depth += 1

    def end_table(self) -> None:
        """End a table, and add the outermost one."""
        self.table.depth -= 1
        if not self.table.depth:
            table, self.table = self.table, CellTable()
            self.add_table(table)

    def add_table(self, table: CellTable) -> None:
        """Add a table of data as one block, or the paragraphs that a table lays out."""
        self._end_code()
        if table.is_data():
            if text := table.text():
                self.add(text, "table")
            return
        for row in table.rows:
            for cell in row:
                for paragraph, kind in cell:
                    self.add(paragraph, *kind)

    def _end_code(self) -> None:
        code, self._code = "\n".join(self._code).strip(), []
        if code:
            self.add(code, "code")

    def file_text(self, if_empty: str = _NO_TEXT) -> FileText:
        """Return everything that was added; if nothing was, raise a `ReadError` that says so."""
        self._end_code()
        for number, (first, *others) in enumerate(self._notes, start=1):
            for text in (f"[{number}] {first}", *others):
                self.add(text, "references")
        if not self._parts:
            raise ReadError(if_empty)
        text = "".join(self._parts)
        starts = [block.start for block in self._blocks]
        pages = (starts[i] if i < len(starts) else self._length for i in self._page_blocks)
        blocks = mark_contents_and_references(self._blocks, text)
        blanked = self._blanked + non_prose_spans(blocks)
        return FileText(
            text,
            Places(pages=tuple(map(Page, pages)), headings=headings_of(blocks)),
            prose=blank(text, blanked) if blanked else None,
            blocks=blocks,
        )


def _numbered(text: str, number: str | None) -> tuple[str | None, str]:
    """Split off the number of a heading, or find it."""
    whole, number = " ".join(text.split()), " ".join((number or "").split())
    title = whole[len(number) :].lstrip(" .:–—-\xa0") if whole.startswith(number) else ""
    return (number, title) if number and title else split_number(text)


_KEYS = frozenset({"kind", "text", "level", "number", "speaker", "seconds"})


def join_blocks(blocks: Iterable[Mapping[str, Any]]) -> FileText:
    """Check blocks given as mappings, and join them by blank lines."""
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
    text = "\n\n".join(parts)
    return FileText(
        text,
        prose=blank(text, ((block.start, block.end) for block in made if not block.is_prose)),
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
