"""The paragraphs of plain text, by blank lines, by indents and by long lines."""

from __future__ import annotations

import pytest
from tests.text.structure.sample_text import OTHER, PARAGRAPH, WRAPPED, blocks_of, kinds

from docbats.text.sentences import split_sentences


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "Bats fly.",
        WRAPPED,
        "Bats fly at night.\nThey hear well.\nTea is hot.\nIt cools.",
        "Bats fly at night.\n\nThey hear well.\n\nTea is hot.\n\nIt cools.",
        "bats\nmoths\ntea\nships",
        "Bats fly and\n\nhear the walls\n\nof their caves.\n\nMoths hear\n\nthem and\n\nfall.",
    ],
)
def test_text_without_structure_has_no_blocks(text: str) -> None:
    assert blocks_of(text) == ()


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_blank_lines_separate_paragraphs_whose_lines_belong_together(line_end: str) -> None:
    text = f"{WRAPPED}\n \t\n{OTHER}\n\n\n{WRAPPED}\n".replace("\n", line_end)
    found = blocks_of(text)
    assert [block.kind for block in found] == ["paragraph"] * 3
    parts = [text[block.start : block.end] for block in found]
    assert parts == [part.replace("\n", line_end) for part in (WRAPPED, OTHER, WRAPPED)]


def test_sentences_go_on_over_line_ends() -> None:
    spans = split_sentences(WRAPPED)
    assert [WRAPPED[start:end].split(maxsplit=1)[0] for start, end in spans] == [
        "Bats",
        "They",
        "Dr.",
    ]


def test_without_blank_lines_indents_begin_paragraphs() -> None:
    text = (
        "   Bats hunt at night. They hear\nthe walls of the cave.\n   Moths hear bats, too. They\n"
        "fall.\n   Some sing. They do."
    )
    starts = [text[block.start :].split(maxsplit=1)[0] for block in blocks_of(text)]
    assert starts == ["Bats", "Moths", "Some"]


def test_long_lines_of_several_sentences_are_paragraphs() -> None:
    text = f"Hunting\n{PARAGRAPH} {OTHER}\n{OTHER} {PARAGRAPH}\nFalling\n{OTHER} {OTHER}\n"
    assert kinds(text) == ["heading", "paragraph", "paragraph", "heading", "paragraph"]


def test_long_lines_of_a_sentence_are_no_paragraphs() -> None:
    sentence = "Bats that hunt at night hear the walls of the cave and the moths near them, " * 2
    assert blocks_of("\n".join([f"{sentence}too."] * 5)) == ()
