from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docbats
from docbats import Document
from docbats.text.sentences import split_unpunctuated

WORDS = "so we walk along the river until three and listen to the bats that hunt there".split()  # noqa: SIM905


def test_one_line_of_speech_is_cut_every_fourteen_words_or_so() -> None:
    text = " ".join(WORDS * 200)
    document = Document.of(text)
    sizes = [len(sentence.split()) for sentence in document.sentences]
    assert sum(sizes) == len(text.split())
    assert set(sizes) <= {13, 14, 15}
    assert len(docbats.analyze(text, k=4).segments) == 4
    (note,) = document.notes
    assert note == (
        "The text is nearly without full stops, so that its sentences are lines, or about 14 words "
        "up to a pause."
    )


def test_a_phrase_a_line_is_joined_to_units_of_lines() -> None:
    lines = [" ".join(WORDS[:5]), " ".join(WORDS[5:11]), " ".join(WORDS[11:])] * 20
    text = "\n".join(lines)
    for sentence in Document.of(text).sentences:
        assert all(line in lines for line in sentence.split("\n"))
        assert 14 <= len(sentence.split()) < 28 or sentence is Document.of(text).sentences[-1]


@pytest.mark.parametrize(
    "text",
    [
        "Bats fly at night.\n" * 50,
        " ".join(WORDS),  # too little to tell
        "- apples\n- bread\n- tea\n" * 10,
        "# Bats\n\n" + "They hunt at night and sleep by day. " * 20,
    ],
)
def test_other_texts_are_not_cut_by_words(text: str) -> None:
    assert not any("full stops" in note for note in Document.of(text).notes)


def test_lines_stay_lines_if_asked_for() -> None:
    text = "\n".join(" ".join(WORDS) for _ in range(10))
    document = Document.of(text, sentences="lines")
    assert len(document) == 10
    assert document.notes == ()


@given(st.text("ab \n", max_size=300), st.sets(st.integers(0, 20)))
def test_units_hold_all_words_in_order(text: str, pauses: set[int]) -> None:
    lines = text.split("\n")
    ends = [len("\n".join(lines[: i + 1])) for i in range(len(lines))]
    pieces = [(end - len(line), end) for line, end in zip(lines, ends, strict=True)]
    spans = split_unpunctuated(text, pieces, pauses)
    assert [word for start, end in spans for word in text[start:end].split()] == text.split()
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
