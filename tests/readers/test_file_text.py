"""Sentences and blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.blocks import Block, blank
from docbats.readers.content import FileText

if TYPE_CHECKING:
    from docbats.blocks import BlockKind

PARTS: list[tuple[BlockKind, str]] = [
    ("heading", "1. Bats. At night"),
    ("paragraph", "Bats hunt moths. Moths"),
    ("list_item", "- dive and"),
    ("code", "x = 1.\n\n  y = 2!"),
    ("table", "----"),
    ("paragraph", "hear bats."),
]


def _read(parts: list[tuple[BlockKind, str]], gap: str = "\n") -> FileText:
    text, blocks = "", []
    for kind, part in parts:
        blocks.append(Block(kind, len(text), len(text) + len(part)))
        text += part + gap
    no_prose = [(b.start, b.end) for b in blocks if not b.is_prose]
    marks = [(text.index("- dive"), text.index("- dive") + 1)] if "- dive" in text else []
    return FileText(text, prose=blank(text, no_prose + marks), blocks=tuple(blocks))


def test_no_sentence_crosses_the_edge_of_a_block() -> None:
    assert _read(PARTS).document().sentences == (
        "1. Bats. At night",
        *("Bats hunt moths.", "Moths"),
        "- dive and",
        *("x = 1.", "y = 2!"),
        "----",
        "hear bats.",
    )


def test_every_block_begins_a_sentence() -> None:
    for gap in ("\n", "\n\n", " "):
        read = _read(PARTS, gap)
        for sentences in ("auto", "lines"):
            starts = read.document(sentences).spans[:, 0].tolist()
            assert {block.start for block in read.blocks} <= set(starts)


def test_text_between_blocks_stays() -> None:
    read = FileText("Bats fly. Tea cools. Ships sail.", blocks=(Block("paragraph", 10, 20),))
    assert read.document().sentences == ("Bats fly.", "Tea cools.", "Ships sail.")


def test_known_sentences_are_cut_at_blocks_too() -> None:
    blocks = (Block("paragraph", 0, 4), Block("paragraph", 5, 8))
    read = FileText("bats tea", spans=[(0, 8)], blocks=blocks)
    assert read.document().sentences == ("bats", "tea")


def test_blank_blocks_have_no_sentence() -> None:
    read = FileText("Bats fly.   ", blocks=(Block("paragraph", 0, 9), Block("code", 10, 12)))
    assert read.document().sentences == ("Bats fly.",)
