from __future__ import annotations

from docbats import Document
from docbats.readers.read_file import read_file

PARAGRAPH = (
    "Bats hunt at night. They hear the walls of the cave, and they hear the moths near them."
)


def test_text_without_structure_is_as_it_is() -> None:
    read = read_file(b"Bats fly.\nThey hear.\n")
    assert read.blocks == ()
    assert read.prose is None


def test_blocks_are_seen_and_marks_blanked() -> None:
    text = f"1. Bats\n\n{PARAGRAPH}\n\n- moths\n- flies\n\n2. Tea\n\n{PARAGRAPH}\n"
    read = read_file(text.encode(), name="bats.txt").document()
    assert read.text == text
    assert [block.kind for block in read.blocks] == [
        *("heading", "paragraph", "list_item", "list_item", "heading", "paragraph")
    ]
    assert read.prose is not None
    assert "-" not in read.prose
    assert len(read.prose) == len(text)


def test_words_are_those_of_the_language() -> None:
    text = (
        "Kapitel 1\n\nDie Fledermaus jagt in der Nacht. Sie hört die Motten und die Wände.\n\n"
        "Kapitel 2\n\nDer Tee ist heiß und er wird nicht kalt. Das ist so.\n"
    )
    read = Document.read(text.encode())
    assert [b.number for b in read.blocks if b.kind == "heading"] == ["Kapitel 1", "Kapitel 2"]


def test_no_sentence_crosses_the_edge_of_a_block() -> None:
    text = "   Bats hunt and\nsleep. They do.\n   Moths fall. They\ndo.\n   Tea cools. It does."
    document = Document.read(text.encode())
    edges = [block.start for block in document.blocks]
    assert len(edges) == 3
    assert not any(start < edge < end for start, end in document.spans.tolist() for edge in edges)


def test_words_that_a_program_broke_are_in_one_piece() -> None:
    text = "  Bats hear moths by ultra\u2010\n  sound, which\n  they make.\n"
    assert Document.read(text.encode()).text == (
        "  Bats hear moths by ultrasound,\n  which\n  they make.\n"
    )
    with_own = f"{text}Well\u2010known bats.\n"
    assert Document.read(with_own.encode()).text == with_own
