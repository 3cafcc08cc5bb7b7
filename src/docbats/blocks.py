"""What the author built: headings, paragraphs, lists, code, tables, turns, with their spans."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from docbats.errors import InputError

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
_NO_PROSE = frozenset({"code", "table", "contents", "references"})


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a document as its author built it, ``text[start:end]``.

    Attributes
    ----------
    kind
        ``"heading"``; ``"paragraph"``, ``"list_item"``, ``"quote"`` or ``"turn"`` of a speaker;
        or what is no prose: ``"code"``, ``"table"``, ``"contents"`` (also navigation) and
        ``"references"``.
    start, end
        Half-open character offsets; marks such as those of Markdown belong to the block.
    level
        Of a heading, 1 for the highest; of a list item, how deep its list is nested.
    number
        Of a heading, as it is written: "3.2", "Chapter 4", "IV."; None where it has none.
    title
        Of a heading, its text without the number and without marks.
    written
        Of a heading with a number, all of it without marks, as in "Appendix A: Tea".
    is_certain
        Whether the file says that this is a heading; if not, it only looks like one.
    speaker
        Of a turn, who speaks.
    seconds
        Of a turn, when it begins and ends in the recording.
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
        """Whether its words tell what the document is about."""
        return self.kind not in _NO_PROSE

    @property
    def heading(self) -> str:
        """A heading as its author wrote it, with its number."""
        return self.written or " ".join(filter(None, [self.number, self.title]))

    def to_dict(self) -> dict[str, Any]:
        """Return what is known of it as JSON-ready values."""
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
    """Refuse blocks that overlap, run backwards or leave a text of so many characters."""
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
