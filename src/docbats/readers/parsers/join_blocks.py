"""One text put together from blocks that somebody else has found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docbats.blocks import BLOCK_KINDS, Block
from docbats.errors import InputError
from docbats.readers.file_text import FileText

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["join_blocks"]

_KEYS = frozenset({"kind", "text", "level", "number", "speaker", "seconds"})


def join_blocks(blocks: Iterable[Mapping[str, Any]]) -> FileText:
    """Join blocks by blank lines."""
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
    kind, text = block.get("kind"), block.get("text")
    if kind not in BLOCK_KINDS:
        msg = f"the kind of block {place} must be one of {', '.join(BLOCK_KINDS)}, got {kind!r}"
        raise InputError(msg)
    if not isinstance(text, str):
        msg = f"the text of block {place} must be a string, got {type(text).__name__}"
        raise InputError(msg)
    unknown = sorted(map(str, block.keys() - _KEYS))
    if unknown:
        msg = f"block {place} has {', '.join(unknown)}: it may have {', '.join(sorted(_KEYS))}"
        raise InputError(msg)
    title = None
    if kind == "heading":
        title = " ".join(text.split())
        text = " ".join(filter(None, [block.get("number"), title]))
    seconds = block.get("seconds")
    made = Block(
        kind=kind,
        start=start,
        end=start + len(text),
        level=block.get("level", 1 if kind == "heading" else None),
        number=block.get("number"),
        title=title,
        speaker=block.get("speaker"),
        seconds=None if seconds is None else (float(seconds[0]), float(seconds[1])),
    )
    return text, made


def _blank(text: str, block: Block) -> str:
    """Blank what is no prose; line ends stay."""
    if block.is_prose:
        return text
    return "".join(c if c in "\r\n" else " " for c in text)
