"""The elements of blocks that are no plain paragraphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docbats.blocks import Block
    from docbats.render.html.shown_text import ShownText

__all__ = ["is_special", "open_block"]

_NAMES = {
    "heading": "title",
    "list_item": "item",
    "quote": "quote",
    "code": "code",
    "table": "table",
    "contents": "aside",
    "references": "aside",
    "turn": "turn",
}
_MAX_DEPTH = 4  # of lists and of headings; what is deeper looks the same


def is_special(block: Block) -> bool:
    """Whether a block has an element of its own."""
    return block.kind in _NAMES


def open_block(
    shown: ShownText,
    block: Block,
    heading_level: int,
    *,
    goes_on: bool,
    is_cut: bool,
    is_above: bool,
) -> dict[str, object]:
    """Return the attributes of the element of a block, or of a part of one that pieces divide.

    A heading may be shown above, as the title of its segment, and need not be shown again.
    """
    kind = shown.kind(block)
    names = [_NAMES[kind]]
    if is_cut:
        names.append("cut")
    if goes_on:
        names.append("on")
    elif kind in {"list_item", "contents"} and shown.has_bullet(block):
        names.append("bullet")
    elif kind == "list_item" and shown.has_number(block):
        names.append("number")
    if is_above:
        names.append("above")
    if kind in {"heading", "list_item"}:
        names.append(f"l{min(block.level or 1, _MAX_DEPTH)}")
    attributes: dict[str, object] = {"class_": " ".join(names)}
    if kind == "heading":
        attributes |= {"role": "heading", "aria_level": heading_level}
    return attributes
