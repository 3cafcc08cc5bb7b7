"""Who speaks, and how much."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.talks import MARIT, PIET, talk_vtt

import docbats
from docbats.render.speakers import Talk, percents

NAMES = ("Ada", "Bo", "Cy", "Di", "Ed")


def analyzed(turns: list[tuple[str | None, str]], k: int = 1) -> docbats.Result:
    blocks = [
        {"kind": "turn", "text": text, "speaker": name}
        if name
        else {"kind": "paragraph", "text": text}
        for name, text in turns
    ]
    return docbats.analyze(docbats.Document.from_blocks(blocks), k=k, min_sentences=1)


@given(st.lists(st.integers(0, 10**6), max_size=40))
def test_percents_add_up_and_are_near(amounts: list[int]) -> None:
    found = percents(amounts)
    assert len(found) == len(amounts)
    if not sum(amounts):
        assert set(found) <= {None}
        return
    assert sum(share or 0 for share in found) == 100
    for amount, share in zip(amounts, found, strict=True):
        assert share is not None
        assert abs(share - 100 * amount / sum(amounts)) < 1


@given(
    st.lists(
        st.tuples(st.sampled_from([*NAMES, None]), st.integers(1, 5)), min_size=1, max_size=12
    ),
    st.data(),
)
def test_words_add_up_over_the_speakers_and_over_the_parts(
    said: list[tuple[str | None, int]], data: st.DataObject
) -> None:
    result = analyzed([(name, "Bats hunt moths by night. " * n) for name, n in said])
    talk = Talk.of(result)
    words: Counter[str] = Counter()
    for name, n in said:
        if name:
            words[name] += 5 * n
    if not words:
        assert talk is None
        return
    assert talk is not None
    length = len(result.document.text)
    assert {talk.names[i]: n for i, n in talk.words(0, length).items()} == words
    assert [words[name] for name in talk.names] == sorted(words.values(), reverse=True)
    cuts = sorted({0, length, *data.draw(st.lists(st.integers(0, length), max_size=5))})
    parts: Counter[int] = Counter()
    for start, end in pairwise(cuts):
        parts.update(talk.words(start, end))
        shares = [share.percent for share in talk.shares(start, end)]
        assert not shares or None in shares or sum(share or 0 for share in shares) == 100
    assert parts == Counter(talk.words(0, length))


def test_turns_have_speakers_and_times() -> None:
    result = docbats.analyze(docbats.Document.read(talk_vtt().encode(), name="talk.vtt"), k=2)
    talk = Talk.of(result)
    assert talk is not None
    assert talk.names == (MARIT, PIET)
    turns = [(turn.speaker, turn.time, turn.goes_on) for turn in talk.turns]
    assert turns[:3] == [(0, "0:00", False), (1, "0:16", False), (0, "0:24", False)]
    assert all(talk.turn(block) is not None for block in result.document.blocks)
    assert talk.named(0, 60) == "Marit Olsen 100%"
    assert talk.begins(0, 60) == "0:00"


def test_the_speaker_of_several_paragraphs_is_named_once() -> None:
    talk = Talk.of(analyzed([("Ada", "Bats hunt."), ("Ada", "Bats hear."), ("Bo", "Tea cools.")]))
    assert talk is not None
    assert [turn.goes_on for turn in talk.turns] == [False, True, False]


def test_many_speakers_are_counted() -> None:
    talk = Talk.of(
        analyzed([(name, "Bats hunt moths. " * (9 - i)) for i, name in enumerate(NAMES)])
    )
    assert talk is not None
    assert talk.named(0, 10**6) == "Ada 26%, Bo 23%, Cy 20% and 2 more"
    assert talk.named(0, 10**6, most=5) == "Ada 26%, Bo 23%, Cy 20%, Di 17%, Ed 14%"


def test_small_shares_and_none() -> None:
    talk = Talk.of(analyzed([("Ada", "Bats hunt moths. " * 100), ("Bo", "Yes.")]))
    assert talk is not None
    assert talk.named(0, 10**6) == "Ada 100%, Bo <1%"
    silent = Talk.of(analyzed([("Ada", "…"), ("Bo", "!")]))
    assert silent is not None
    assert silent.named(0, 10**6) == "Ada, Bo"


@pytest.mark.parametrize("name", ["x" * 10_000, "Ada " * 2_500, "\u202eadA", "\x1b[2J", "<b>Ada"])
def test_odd_names_are_short_and_printable(name: str) -> None:
    talk = Talk.of(analyzed([(name, "Bats hunt."), ("Bo", "Tea cools.")]))
    assert talk is not None
    assert talk.names[0].startswith(name[:3]) or talk.names[1].startswith(name[:3])
    for short in talk.short_names:
        assert short.isprintable()
        assert len(short) <= 41


def test_plain_text_has_no_talk() -> None:
    assert Talk.of(docbats.analyze("Bats hunt. Bats hear. Tea cools.")) is None
