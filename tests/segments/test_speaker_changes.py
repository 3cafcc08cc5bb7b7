"""A part may begin where other people begin to speak."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import GROWTH, takes_linear_time

from docbats import Document, analyze
from docbats.pipeline import prepare
from docbats.segments.dirichlet import StructuredCost, likelihood_cost
from docbats.segments.evidence import speaker_changes
from docbats.settings import Settings


def talk(speakers: str, *, words: int = 3) -> Document:
    """Return a talk with a sentence for each letter; ``-`` is a paragraph of nobody."""
    text = "word " * (words - 1) + "end."
    return Document.from_blocks(
        [
            {"kind": "paragraph", "text": text}
            if name == "-"
            else {"kind": "turn", "speaker": name, "text": text}
            for name in speakers
        ],
        "en",
    )


def changes_of(speakers: str) -> list[float]:
    document = talk(speakers)
    found = speaker_changes(document, np.full(len(document), 3))
    assert found is not None
    return [float(change) for change in found]


def test_one_speaker_changes_nothing() -> None:
    for speakers in ("aaaa", "a--a", "----"):
        assert speaker_changes(talk(speakers), np.ones(4, np.int64)) is None


def test_it_changes_most_where_others_begin_to_speak() -> None:
    changes = changes_of("ab" * 30 + "cd" * 30)
    assert int(np.argmax(changes)) == 60
    assert changes[60] == 1.0
    assert max(changes[20:30]) < 0.05


def test_nothing_changes_where_the_same_person_goes_on() -> None:
    changes = changes_of("aab" * 10)
    assert all(change == 0 for change in changes[1::3])
    assert all(change > 0 for change in changes[2::3])


def test_where_nobody_is_named_it_is_the_mean_of_the_others() -> None:
    changes = changes_of("ab" * 5 + "-" * 200)
    assert changes[120] == changes[150] > 0


def test_a_word_now_and_then_hardly_counts() -> None:
    document = talk("ab" * 40)
    words = np.tile([30, 1], 40)
    alone = speaker_changes(document, words)
    assert alone is not None
    assert alone[20:60].max() < 0.05


def root_of_shares(speakers: str, sizes: list[int], i: int) -> float:
    """The definition, turn by turn."""
    scores = []
    for span in (10, 20, 40):
        before, after = (
            {name: sum(size for s, size in side if s == name) for name in "abcd"}
            for side in (
                list(zip(speakers, sizes, strict=True))[max(0, i - span) : i],
                list(zip(speakers, sizes, strict=True))[i : i + span],
            )
        )
        total = sum(before.values()) * sum(after.values())
        scores.append(1 - sum((before[x] * after[x] / total) ** 0.5 for x in "abcd"))
    return float(np.mean(scores))


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.integers(1, 50)), min_size=3, max_size=120))
def test_changes_are_those_of_the_definition(turns: list[tuple[str, int]]) -> None:
    turns = [turns[0], *(turn for before, turn in pairwise(turns) if turn[0] != before[0])]
    speakers, sizes = "".join(name for name, _ in turns), [size for _, size in turns]
    found = speaker_changes(talk(speakers), np.array(sizes))
    if len(set(speakers)) < 2:
        assert found is None
        return
    assert found is not None
    assert found[0] == 0
    wanted = [root_of_shares(speakers, sizes, i) for i in range(1, len(speakers))]
    np.testing.assert_allclose(found[1:], wanted, atol=1e-9)


def test_long_talk_is_like_short_talk() -> None:
    speakers = ("ab" * 40 + "cd" * 40) * 15
    changes = changes_of(speakers)
    np.testing.assert_allclose(changes[160:320], changes[1120:1280])


def test_a_thousand_speakers_take_no_more_memory_than_a_few() -> None:
    blocks = [{"kind": "turn", "speaker": f"p{i}", "text": "We went."} for i in range(3000)]
    document = Document.from_blocks(blocks, "en")
    found = speaker_changes(document, np.full(len(document), 2))
    assert found is not None
    np.testing.assert_allclose(found[1:], 1.0)


def test_long_talk_takes_linear_time() -> None:
    def changes(size: int) -> object:
        return speaker_changes(documents[size], np.full(len(documents[size]), 3))

    documents = {size: talk("abcde" * (size // 5)) for size in (500, 500 * GROWTH)}
    assert takes_linear_time(changes, 500)


def test_a_part_begins_where_others_begin_to_speak() -> None:
    words = np.random.default_rng(1).choice(
        [f"{a}{b}ne" for a in "bdfghlmnprt" for b in "aeiou"], (80, 8)
    )
    blocks = [
        {"kind": "turn", "speaker": name, "text": f"We {' '.join(said)}."}
        for name, said in zip("ab" * 21 + "cd" * 19, words, strict=True)
    ]
    result = analyze(Document.from_blocks(blocks, "en"), k=2)
    assert [segment.sentences[0] for segment in result.segments] == [0, 42]


def test_speakers_do_not_change_the_number_of_parts() -> None:
    text = prepare(talk("ab" * 20 + "cd" * 20, words=8), Settings(language="en"))
    cost = likelihood_cost(text, Settings(language="en"))
    assert isinstance(cost, StructuredCost)
    without = cost.with_speakers(None)
    assert cost.k_model.expected == without.k_model.expected
    np.testing.assert_array_equal(cost.k_model.openings, without.k_model.openings)
    assert cost.start_log_odds is not None
    assert without.start_log_odds is not None
    assert cost.start_log_odds[40] > without.start_log_odds[40]


def test_parts_of_a_talk_keep_its_speakers() -> None:
    text = prepare(talk("ab" * 20 + "cd" * 20), Settings(language="en"))
    cost = likelihood_cost(text, Settings(language="en"))
    assert isinstance(cost, StructuredCost)
    assert cost.speakers is not None
    part = cost.between(10, 60)
    assert part.speakers is not None
    np.testing.assert_array_equal(part.speakers, cost.speakers[10:60])
