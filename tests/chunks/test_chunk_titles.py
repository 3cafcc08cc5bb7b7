"""Titles and topics of chunks, whatever the chunks are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docbats import Chunker, Document, analyze, chunk
from docbats.chunks import chunker
from docbats.chunks.chunker import chunk_with_parents
from docbats.errors import EmptyDocumentError

if TYPE_CHECKING:
    from pathlib import Path

    from docbats import Result

COMMENT = f"<!-- {'a long comment here. ' * 30}-->"
BOOK = "# Bats\n\nBats fly at night.\n\n{}\n\nThey hear moths.\n\n## Food\n\nBats eat moths.\n"


def spans(source: Any, size: int, **options: Any) -> list[tuple[int, int, int]]:
    return [(each.start, each.own_start, each.end) for each in chunk(source, size, **options)]


@pytest.mark.parametrize(
    "text",
    [
        BOOK.format(COMMENT),
        BOOK.format("---\n\n" * 40),
        BOOK.format("![a bat](bat.png)\n\n" * 20),
        BOOK.format("\n" * 300),
        f"# Bats\n\nBats fly at night.\n\n{COMMENT}",
        f"{COMMENT}\n\n# Bats\n\nBats fly at night.",
        "Bats fly at night." + " " * 300 + "They hear moths.",
    ],
)
@pytest.mark.parametrize("strip", [True, False])
def test_chunks_without_a_sentence_become_one(text: str, *, strip: bool) -> None:
    plain = spans(text, 60, strip=strip)
    assert spans(text, 60, strip=strip, titles=True) == plain
    assert chunk(text, 60, strip=strip, context="title")


def test_a_blank_chunk_has_no_title() -> None:
    chunks = chunk("Bats fly." + " " * 300 + "They hear.", 60, strip=False, titles=True)
    assert {each.title for each in chunks if not each.text.strip()} == {None}
    assert all(each.title for each in chunks if each.text.strip())


@pytest.mark.parametrize(
    "source",
    [
        ["", "  ", "Bats fly.", "Bats eat."],
        Document("   Bats fly. Bats eat.", np.array([(0, 0), (1, 2), (3, 12), (13, 22)])),
    ],
)
def test_blank_sentences_before_the_first_chunk_are_part_of_it(source: Any) -> None:
    assert spans(source, 10, titles=True) == spans(source, 10)


def names(n: int) -> list[str]:
    return [a + b + c for a in "BDFGKLMN" for b in ("ali", "eno", "oru", "umi") for c in "bdgkst"][
        :n
    ]


def test_topics_are_bounded_however_many_chunks_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n\n".join(f"{a} meets {b}. {b} likes {a}." for a, b in batched(names(120)))
    chunks = chunk(text, 40, titles=True)
    assert len(chunks) == 60
    assert 3 < len({label for each in chunks for label in each.topics or ()}) <= 30
    monkeypatch.setenv("DOCBATS_MAX_TOPICS", "4")
    chunks = chunk(text, 40, titles=True)
    assert 1 < len({label for each in chunks for label in each.topics or ()}) <= 4


def batched(words: list[str]) -> list[tuple[str, str]]:
    return list(zip(words[::2], words[1::2], strict=True))


pieces = st.sampled_from(
    [
        *("# Bats", "## Food", "Bats fly at night.", "They hear moths. Moths flee.", "- moths"),
        *("---", "* * *", "![a bat](bat.png)", "![](a.png)", "<!-- no sentence -->", "<br>"),
        *("<!-- a long comment. It goes on and on.\n\nAnd on. -->", "[bat]: bat.html", "&nbsp;"),
        *(" " * 30, "\n" * 30, "\t", "```\nbat(1)\n```", "| a | b |\n|---|---|\n| 1 | 2 |", "==="),
    ]
)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(pieces, st.sampled_from(["\n\n", "\n", " "])), max_size=25),
    st.integers(5, 60),
    st.integers(0, 4),
    st.booleans(),
    st.booleans(),
)
def test_titles_change_no_chunk(
    parts: list[tuple[str, str]], size: int, overlap: int, strip: bool, is_file: bool
) -> None:
    text = "".join(piece + end for piece, end in parts)
    source: Any = text
    if is_file:
        try:
            source = Document.read(text.encode(), kind="markdown")
        except EmptyDocumentError:
            return
    options: dict[str, Any] = {"chunk_overlap": overlap, "strip": strip, "language": "en"}
    assert spans(source, size, titles=True, **options) == spans(source, size, **options)


def test_parents_share_the_analysis_of_their_chunks(
    monkeypatch: pytest.MonkeyPatch, example: Path
) -> None:
    analyzed = []

    def analyze_and_count(source: Document, **settings: Any) -> Result:
        analyzed.append(source)
        return analyze(source, **settings)

    monkeypatch.setattr(chunker, "analyze", analyze_and_count)
    nodes = chunk_with_parents(Chunker(300, titles=True), example.read_text(), 900)
    assert len(analyzed) == 1
    labels = {label for node in nodes if not node.children for label in node.chunk.topics or ()}
    parents = [node.chunk for node in nodes if node.children]
    assert len(parents) > 1
    for parent in parents:
        assert parent.title
        assert set(parent.topics or ()) <= labels
