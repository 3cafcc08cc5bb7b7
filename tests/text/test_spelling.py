"""Letters and their accents are composed, soft hyphens dropped, and offsets stay exact."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import takes_linear_time

from docbats.text.markup import respell, spelled

PIECES = ["e\u0301", "o\u0323\u0302", "a", " ", "\n", "\xad", "\u2060", "ß", "は\u3099",
          "\u1112\u1161\u11ab", "\u0958", "\u212b", "\u0301", "x\u0301\u0316", "漢"]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_every_character_has_its_place(text: str) -> None:
    found = respell(text)
    if found is None:
        assert spelled(text) == text
        return
    assert len(found.text) == len(found.start) == len(found.end)
    assert "\xad" not in found.text
    for sign, start, end in zip(found.text, found.start, found.end, strict=True):
        if not unicodedata.combining(sign):  # accents may change their order
            letters = (unicodedata.normalize("NFD", each) for each in (sign, text[start:end]))
            assert next(letters)[0] == next(letters)[0]
    assert (found.end[:-1] <= found.start[1:]).all()


@pytest.mark.parametrize("text", ["", "bats", "Café", "漢字とかな", "\u200dx"])
def test_most_texts_stay_as_they_are(text: str) -> None:
    assert respell(text) is None
    assert spelled(text) == text


def test_letters_keep_their_order_and_their_spans() -> None:
    found = respell("Cafe\u0301 o\xadpens")
    assert found is not None
    assert found.text == "Café opens"
    assert found.start.tolist() == [0, 1, 2, 3, 5, 6, 8, 9, 10, 11]
    assert found.end.tolist() == [1, 2, 3, 5, 6, 7, 9, 10, 11, 12]


@pytest.mark.parametrize("piece", ["e\u0301", "\xad", "e\u0301 ", "は\u3099", "\u0301"])
def test_time_is_linear(piece: str) -> None:
    assert takes_linear_time(lambda size: respell(piece * size), 10_000)
