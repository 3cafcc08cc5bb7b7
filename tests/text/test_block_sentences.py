"""Sentences that keep to blocks and breaks."""

from __future__ import annotations

from docbats.blocks import Block
from docbats.text.sentences import fit_to_blocks, split_at_breaks


def parts(text: str, spans: list[tuple[int, int]]) -> list[str]:
    return [text[start:end] for start, end in spans]


def test_spans_are_split_at_breaks_and_trimmed() -> None:
    text = "One two three. Four five."
    spans = [(0, 14), (15, 25)]
    assert parts(text, split_at_breaks(text, spans, [])) == ["One two three.", "Four five."]
    assert parts(text, split_at_breaks(text, spans, [3, 8, 20])) == [
        "One", "two", "three.", "Four", "five.",
    ]  # fmt: skip
    # At the edge of a span there is nothing to split, nor does the order of breaks matter.
    assert parts(text, split_at_breaks(text, spans, [25, 15, 14, 0])) == [
        "One two three.",
        "Four five.",
    ]
    assert parts("a ... b", split_at_breaks("a ... b", [(0, 7)], [2, 5])) == ["a", "b"]
    assert split_at_breaks("  a  ", [(0, 5)], []) == [(2, 3)]


def fit(text: str, *blocks: Block, spans: list[tuple[int, int]]) -> list[str]:
    return parts(text, fit_to_blocks(text, text, blocks, spans))


def test_sentences_cross_no_edge_of_a_block() -> None:
    text = "One two. Three four."
    blocks = (Block("paragraph", 0, 14), Block("paragraph", 15, 20))
    assert fit(text, *blocks, spans=[(0, 8), (9, 20)]) == ["One two.", "Three", "four."]


def test_a_heading_is_one_sentence_and_other_blocks_have_their_own() -> None:
    text = "Bats. Moths.\n\nThey fly. They hear."
    spans = [(0, 5), (6, 12), (14, 23), (24, 34)]
    heading, paragraph = Block("heading", 0, 12, 1), Block("paragraph", 14, 34)
    assert fit(text, heading, paragraph, spans=spans) == ["Bats. Moths.", "They fly.", "They hear."]


def test_what_is_no_prose_is_cut_at_its_lines() -> None:
    text = "x = 1\n---\n\n y = 2. z = 3\n\nSo."
    code, paragraph = Block("code", 0, 24), Block("paragraph", 26, 29)
    assert fit(text, code, paragraph, spans=[(0, 17), (18, 24), (26, 29)]) == [
        "x = 1",
        "y = 2. z = 3",
        "So.",
    ]


def test_the_first_sentence_of_a_block_has_its_marks() -> None:
    text = "Eat:\n- moths. And tea.\n***\n"
    item, rule = Block("list_item", 5, 22, 1), Block("paragraph", 23, 27)
    found = fit(text, item, rule, spans=[(0, 4), (7, 13), (14, 22)])
    assert found == ["Eat:", "- moths.", "And tea.", "***"]  # each block has a sentence


def test_what_stands_outside_of_blocks_stays() -> None:
    text = "A. B. [C. D.] E. F."
    block = Block("paragraph", 6, 13)
    spans = [(0, 2), (3, 5), (7, 9), (10, 12), (14, 16), (17, 19)]
    assert fit(text, block, spans=spans) == ["A.", "B.", "[C.", "D.", "E.", "F."]
    assert fit("A.   ", Block("paragraph", 2, 5), spans=[(0, 2)]) == ["A."]
