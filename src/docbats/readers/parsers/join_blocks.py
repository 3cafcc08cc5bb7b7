"""One text put together from blocks that somebody else has found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, cast

from docbats.blocks import BLOCK_KINDS, Block
from docbats.errors import InputError
from docbats.readers.file_text import FileText

if TYPE_CHECKING:
    from docbats.blocks import BlockKind

__all__ = ["join_blocks"]

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
