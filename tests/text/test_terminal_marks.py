"""Escape sequences and overstriking."""

from __future__ import annotations

import pytest
from tests.growth import takes_linear_time

from docbats import Document
from docbats.text.markup import without_terminal_marks


@pytest.mark.parametrize(
    "text",
    [
        "\x1b[1mBats\x1b[0m fly",
        "\x1b[1;31mBats\x1b[m fly",
        "B\bBa\bat\bts\bs fly",
        "_\bB_\ba_\bt_\bs fly",
        "B\bB\bBats fly",
        "\x1b]8;;https://bats.org\x1b\\Bats\x1b]8;;\x07 fly",
        "Bats\x00\b[index\x00\b] fly",
        "\bBats fly",
    ],
)
def test_marks_are_removed_from_files(text: str) -> None:
    assert without_terminal_marks(text) == "Bats fly"
    assert Document.read(f"{text}.".encode()).text == "Bats fly."


def test_marks_in_strings_change_offsets_and_nothing_else() -> None:
    plain = "1. Bats\n\nBats fly. They hear.\n\n2. Tea\n\nTea is hot. It cools.\n\n3. Cups\n\nCups."
    text = "\r\n" + plain.replace("\n", "\r\n").replace("2. Tea", "\x1b[1m2. T\bTea\x1b[0m")
    marked, found = Document.of(text, "text"), Document.of(plain, "text")
    assert [block.heading for block in marked.blocks] == [block.heading for block in found.blocks]
    assert len(marked) == len(found)
    assert marked.text == text
    shown = [without_terminal_marks(text[block.start : block.end]) for block in marked.blocks]
    assert shown == [plain[block.start : block.end] for block in found.blocks]
    assert marked.prose is not None
    assert "\x1b" not in marked.prose
    assert len(marked.prose) == len(text)


@pytest.mark.parametrize("mark", ["\x1b[", "\x1b]", "\b", "x\b", "\x00\b[index", "\x1b[1m"])
def test_much_of_the_same_takes_linear_time(mark: str) -> None:
    assert takes_linear_time(lambda size: without_terminal_marks(mark * size), 2_000)
