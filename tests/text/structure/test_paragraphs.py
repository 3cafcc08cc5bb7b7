"""The paragraphs of plain text, by blank lines, by indents and by long lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.text.structure.sample_text import OTHER, PARAGRAPH, WRAPPED, blocks_of, kinds

from docbats import Document
from docbats.text.sentences import split_sentences

if TYPE_CHECKING:
    from pathlib import Path


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


STORY = (
    "A zoo has opened a house for bats, in which visitors walk among them in the dark of a cave.",
    "The keepers spent two years on it. They let moss grow on the walls, so that bats can hang.",
    '"They took to it at once," said the director.',
    "Some three hundred bats live there now.",
)
HEADLINES = [
    "Zoo opens house for bats",
    "'Bat house' opens at zoo",
    "US zoo opens house for bats",
    "$2m house for bats",
    "iBats: an app for the night...",
    "Will visitors come to a house of bats?",
    "Zoo opens house for bats in which visitors walk among hundreds of them, in the dark of a cave",
]


@pytest.mark.parametrize("headline", HEADLINES)
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_a_line_for_each_paragraph_under_a_headline(headline: str, gap: str) -> None:
    text = headline + gap + "\n".join(STORY)
    found = blocks_of(text)
    assert [text[block.start : block.end] for block in found] == [headline, *STORY]
    assert [block.kind for block in found] == ["heading"] + ["paragraph"] * len(STORY)


def test_one_line_under_a_headline() -> None:
    assert kinds(f"{HEADLINES[0]}\n{PARAGRAPH} {OTHER}") == ["heading", "paragraph"]


@pytest.mark.parametrize(
    ("headline", "code", "line"),
    [
        ("Zoo eröffnet Haus für Fledermäuse", "de", "Der Zoo hat ein Haus eröffnet. " * 4),
        ("動物園にこうもりの家", "ja", "動物園は新しい家を開いた。そこでは夜が昼になる。" * 3),
        ("动物园的蝙蝠屋", "zh", "动物园开了一座新房子。那里的白天是黑夜。" * 3),
    ],
)
def test_headlines_of_other_languages(headline: str, code: str, line: str) -> None:
    assert kinds(f"{headline}\n{line}\n{line}", code) == ["heading", "paragraph", "paragraph"]


@pytest.mark.parametrize(
    "first",
    [STORY[3], '"Will they come?"', "Dear visitors,", "They said:", "* * *", "1987", "x " * 80],
)
def test_other_first_lines_are_no_headlines(first: str) -> None:
    assert "heading" not in kinds(f"{first}\n" + "\n".join(STORY * 2))


def test_sentences_of_a_line_each_stay_paragraphs_between_blank_lines() -> None:
    long = PARAGRAPH.replace("night. They", "night, and they")
    assert len(long) < 100
    part = "\n".join([long, OTHER.replace(", too. Some", ", and some"), f"{long[:-1]} at night."])
    assert kinds(f"{part}\n\n{part}\n\n{part}") == ["paragraph"] * 3


def test_verse_and_addresses_between_paragraphs_of_a_line_keep_together() -> None:
    verse = "The bats come out at night\nand fly until the day,\nand then they all go home"
    long = f"{PARAGRAPH} {OTHER}"
    assert kinds(f"{long}\n{long}\n\n{verse}\n\n{long}\n{long}") == ["paragraph"] * 5


def test_speech_before_a_closing_quote_is_no_heading() -> None:
    long = f"{PARAGRAPH} {OTHER}"
    for said in ('They took to it."', 'Why not?"', "That was all.’"):
        assert kinds(f"{long}\n\n{said}\n\n{long}\n\n{long}") == ["paragraph"] * 4


def test_long_lines_of_a_sentence_are_no_paragraphs() -> None:
    sentence = "Bats that hunt at night hear the walls of the cave and the moths near them, " * 2
    assert blocks_of("\n".join([f"{sentence}too."] * 5)) == ()


@pytest.mark.data
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_every_article_of_the_news_has_its_headline_and_a_block_a_line(
    gap: str, data: Path
) -> None:
    paths = sorted((data / "news" / "bbc").rglob("*.txt"))
    assert paths
    for path in paths:
        headline, *lines = filter(None, path.read_text(encoding="utf-8").split("\n"))
        text = headline + gap + "\n".join(lines)
        found = Document.of(text).blocks
        assert [text[block.start : block.end] for block in found] == [
            line.strip() for line in (headline, *lines)
        ]
        assert found[0].kind == "heading"
