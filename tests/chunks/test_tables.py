"""Tables in chunks: whole rows, below their header in every chunk."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docbats
from docbats.chunks.pieces import find_table_headers
from docbats.readers.text_builder import join_blocks

N_ROWS = 40
ROWS = [f"| bat {i} | moths and flies of kind {i}. And tea |" for i in range(N_ROWS)]
HEAD = "| name | food |\n|------|------|"
MARKDOWN = f"# Bats\n\nText before.\n\n{HEAD}\n" + "\n".join(ROWS) + "\n\nText after. More.\n"
TABS = "\n".join(["name\tfood", *(f"bat {i}\tmoths {i}" for i in range(N_ROWS))])
GRID = "+---+---+\n| a | b |\n+===+===+\n" + "| c | d |\n+---+---+\n" * 9
SIMPLE = "====  ====\nname  food\n====  ====\n" + "bat   moth\n" * 9 + "====  ===="


def table_of(text: str) -> docbats.Document:
    return join_blocks([{"kind": "table", "text": text}]).document()


@pytest.mark.parametrize(
    "options", [{}, {"context": "headings"}, {"chunk_overlap": 90}, {"chunk_overlap": 30}]
)
@pytest.mark.parametrize("limit", [150, 300, 900])
def test_every_chunk_of_a_table_begins_with_its_header(limit: int, options: dict[str, Any]) -> None:
    chunks = docbats.chunk(MARKDOWN, limit, **options)
    parts = [chunk for chunk in chunks if any(row in chunk.text for row in ROWS)]
    assert len(parts) > 2
    for chunk in parts:
        lines = chunk.content.split("\n")
        rows = [i for i, line in enumerate(lines) if line.startswith("| bat")]
        assert "\n".join(lines[rows[0] - 2 : rows[0]]) == HEAD
        assert all(lines[i] in ROWS for i in rows)  # whole
        assert chunk.size == len(chunk.content) <= limit
        assert MARKDOWN[chunk.start : chunk.end] == chunk.text
        assert chunk.text.count(HEAD) + (chunk.table_header == HEAD) == 1
    covered = "".join(MARKDOWN[c.own_start : c.end] for c in parts)
    assert all(row in covered for row in ROWS)


@given(st.integers(1, 400), st.integers(0, 90), st.booleans())
def test_a_header_and_its_rule_stay_together(limit: int, overlap: int, strip: bool) -> None:
    chunker = docbats.Chunker(limit, min(overlap, limit - 1), strip=strip)
    chunks = chunker(MARKDOWN)
    assert all(chunk.size <= limit for chunk in chunks)
    assert all(MARKDOWN[chunk.start : chunk.end] == chunk.text for chunk in chunks)
    if limit >= len(HEAD):
        inside = MARKDOWN.index(HEAD) + HEAD.index("\n")
        assert not any(chunk.own_start in {inside, inside + 1} for chunk in chunks)
    if limit >= max(map(len, ROWS)):
        starts = {chunk.own_start for chunk in chunks}
        assert not any(
            starts & {*range(at + 1, at + len(row))}
            for row in ROWS
            for at in [MARKDOWN.index(f"{row}\n")]
        )
    if not strip:
        assert "".join(MARKDOWN[c.own_start : c.end] for c in chunks) == MARKDOWN


@pytest.mark.parametrize(
    ("text", "header"),
    [
        (f"{HEAD}\n| a | b |", HEAD),
        ("name | food\n:--|--:\na | b", "name | food\n:--|--:"),
        (GRID.strip(), "+---+---+\n| a | b |\n+===+===+"),
        (SIMPLE, "====  ====\nname  food\n====  ===="),
        (TABS, "name\tfood"),
        (f"{HEAD}\n| a | b |".replace("\n", "\r"), HEAD.replace("\n", "\r")),
        ("Bats of 2026\nname\tfood\nbat\tmoth", "Bats of 2026\nname\tfood"),
        (HEAD, None),  # nothing below it
        ("name food\nbat moth\nowl mouse", None),
        ("only", None),
    ],
)
def test_headers_are_found(text: str, header: str | None) -> None:
    found = find_table_headers(table_of(text))
    assert [text[each.start : each.end] for each in found] == ([] if header is None else [header])


def test_a_table_without_rules_repeats_its_first_row() -> None:
    chunks = docbats.chunk(table_of(TABS), 100)
    assert len(chunks) > 4
    assert {chunk.table_header for chunk in chunks[1:]} == {"name\tfood"}
    assert all(chunk.content.startswith("name\tfood\nbat") for chunk in chunks)
    assert chunks[1].to_dict()["content"] == chunks[1].content
    assert "table_header" not in chunks[0].values()


def test_a_header_that_takes_too_much_is_not_repeated() -> None:
    wide = "\t".join(f"column {i}" for i in range(9))
    text = "\n".join([wide, *("x\ty" for _ in range(60))])
    chunks = docbats.chunk(table_of(text), 120)
    assert not any(chunk.table_header for chunk in chunks)


def test_parents_have_it_too() -> None:
    from docbats.chunks.chunker import chunk_with_parents

    nodes = chunk_with_parents(docbats.Chunker(150), MARKDOWN, 500)
    parents = [node.chunk for node in nodes if node.children]
    assert all(
        HEAD in chunk.content and chunk.size <= 500
        for chunk in parents
        if ROWS[3] not in chunk.text
    )
    assert any(chunk.table_header for chunk in parents)
