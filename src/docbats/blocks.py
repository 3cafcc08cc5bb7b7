"""Blocks: the headings, paragraphs, lists, code, tables and turns that a document is built of."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from docbats.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

BlockKind = Literal[
    "heading",
    "paragraph",
    "list_item",
    "quote",
    "turn",
    "code",
    "table",
    "contents",
    "references",
]
BLOCK_KINDS: tuple[str, ...] = get_args(BlockKind)
_VISIBLE = re.compile(r"[^\r\n]")
_NON_PROSE = frozenset({"code", "table", "contents", "references"})


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a document, ``text[start:end]``, as its author built it.

    Attributes
    ----------
    kind
        ``"heading"``; ``"paragraph"``, ``"list_item"``, ``"quote"`` or ``"turn"`` of a speaker;
        or one that is not prose: ``"code"``, ``"table"``, ``"contents"``, which includes
        navigation, and ``"references"``.
    start, end
        Half-open character offsets, which include marks such as Markdown's.
    level
        Of a heading, from 1, the highest; of a list item, the depth of its list.
    number
        Of a heading, as written: "3.2", "Chapter 4", "IV."; None if it has none.
    title
        Of a heading, its text without number and marks.
    written
        Of a heading with a number, all of its text without marks, as in "Appendix A: Tea".
    is_certain
        Whether the file says that this is a heading, rather than its look.
    speaker
        Of a turn, the name of the speaker.
    seconds
        Of a turn, its start and end in the recording.
    """

    kind: BlockKind
    start: int
    end: int
    level: int | None = None
    number: str | None = None
    title: str | None = None
    is_certain: bool = True
    speaker: str | None = None
    seconds: tuple[float, float] | None = None
    written: str | None = None

    @property
    def is_prose(self) -> bool:
        """Whether its words say what the document is about."""
        return self.kind not in _NON_PROSE

    @property
    def heading(self) -> str:
        """The heading as its author wrote it, with its number."""
        return self.written or " ".join(filter(None, [self.number, self.title]))

    def to_dict(self) -> dict[str, Any]:
        """Return what is known of the block as JSON-ready values."""
        values = {
            "kind": self.kind,
            "start": self.start,
            "end": self.end,
            "level": self.level,
            "number": self.number,
            "title": self.title,
            "speaker": self.speaker,
            "seconds": None if self.seconds is None else list(self.seconds),
        }
        return {name: value for name, value in values.items() if value is not None}


def check_blocks(blocks: tuple[Block, ...], length: int) -> None:
    """Refuse blocks that overlap, run backwards or exceed a text of this length."""
    end = 0
    for block in blocks:
        if block.kind not in BLOCK_KINDS:
            msg = f"the kind of a block must be one of {', '.join(BLOCK_KINDS)}, got {block.kind!r}"
            raise InputError(msg)
        if not end <= block.start <= block.end <= length:
            msg = (
                f"blocks must lie in order, within 0 and {length}, and not overlap, "
                f"got one from {block.start} to {block.end} after {end}"
            )
            raise InputError(msg)
        end = block.end


def non_prose_spans(blocks: Iterable[Block]) -> list[tuple[int, int]]:
    """Return the spans of the blocks that are not prose.

    A document without prose has nothing but its tables and lists, so only code is left out.
    """
    blocks = list(blocks)
    has_prose = any(block.is_prose and block.kind != "heading" for block in blocks)
    return [
        (block.start, block.end)
        for block in blocks
        if block.kind == "code" or (has_prose and not block.is_prose)
    ]


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
