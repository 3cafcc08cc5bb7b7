from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats.text import sentences as sentences_module
from docbats.text.sentences import split_sentences


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


@pytest.mark.parametrize(
    "sentences",
    [
        ["Dr. Lind weighed 3.5 kg of bats, e.g. noctules.", "Then she left!", "Why?"],
        ['"Stop!" she said.', "He stopped."],
        ["It cost $4.20 in the U.S. market.", "Nobody paid."],
    ],
)
def test_full_stops_within_sentences_do_not_end_them(sentences: list[str]) -> None:
    assert split(" ".join(sentences)) == sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("A heading\n\nThe text under it.", ["A heading", "The text under it."]),
        ("A heading\r\n \r\nThe text.", ["A heading", "The text."]),
        ("one line\nof the same sentence.", ["one line\nof the same sentence."]),
        ("We need:\n- a rope\n- two nails", ["We need:", "- a rope", "- two nails"]),
        ("Before\n## Heading", ["Before", "## Heading"]),
        (
            "蝙蝠在夜间飞行。它们用耳朵看路！真的吗？",
            ["蝙蝠在夜间飞行。", "它们用耳朵看路！", "真的吗？"],
        ),
        ("वह आया। वह गया।", ["वह आया।", "वह गया।"]),
        ("هل جاء؟ نعم جاء.", ["هل جاء؟", "نعم جاء."]),
    ],
)
def test_ends_that_are_no_english_full_stop(text: str, sentences: list[str]) -> None:
    assert split(text) == sentences


@pytest.mark.parametrize("before", [0, 1, 2, 498, 499, 500, 501, 731])
def test_no_long_run_is_missed(before: int) -> None:
    text = " " * before + "x" * 1001 + " bats"
    assert sentences_module._LONG_RUN.search(text)
    assert sentences_module._may_have_long_run(text)


@given(st.text(st.characters() | st.sampled_from(" \n.。!?-*\t\u2028"), max_size=200))
def test_nothing_but_white_space_is_lost(text: str) -> None:
    spans = split_sentences(text)
    assert all(start < end for start, end in spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    assert "".join("".join(sentence.split()) for sentence in split(text)) == "".join(text.split())
    assert all(sentence == sentence.strip() for sentence in split(text))
