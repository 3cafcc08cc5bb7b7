"""Paragraphs to put around a piece of text, and what is found in the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.text.languages import load_language
from docbats.text.structure import find_structure

if TYPE_CHECKING:
    from docbats.blocks import Block

__all__ = [
    "BODY",
    "ENGLISH",
    "OTHER",
    "PARAGRAPH",
    "WRAPPED",
    "blocks_of",
    "headings",
    "kinds",
    "levels",
    "titles",
]

BODY = "Bats hunt at night. They hear the walls of the cave, and they hear the moths that are near."
PARAGRAPH = (
    "Bats hunt at night. They hear the walls of the cave, and they hear the moths near them."
)
OTHER = "Moths hear bats, too. Some of them let themselves fall as soon as they hear one close by."
WRAPPED = (
    "Bats hunt at night and sleep by day. They hear the walls\n"
    "of the cave and the moths near them. Dr. Smith says that\n"
    "all of them do so."
)
ENGLISH = load_language("en")


def blocks_of(text: str, code: str = "en") -> tuple[Block, ...]:
    return find_structure(text, load_language(code)).blocks


def kinds(text: str, code: str = "en") -> list[str]:
    return [block.kind for block in blocks_of(text, code)]


def headings(text: str, code: str = "en") -> list[tuple[int | None, str | None, str | None]]:
    found = blocks_of(text, code)
    return [(block.level, block.number, block.title) for block in found if block.kind == "heading"]


def titles(text: str, code: str = "en") -> list[str | None]:
    return [block.title for block in blocks_of(text, code) if block.kind == "heading"]


def levels(text: str) -> list[int | None]:
    return [block.level for block in blocks_of(text) if block.kind == "heading"]
