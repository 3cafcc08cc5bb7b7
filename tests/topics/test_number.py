"""How many topics a text has, and that they depend on nothing but the text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats import Result, analyze
from docbats.topics import (
    MAX_TOPICS,
    MIN_TOPIC_SHARE,
    MIN_TOPICS,
    FoundTopics,
    choose_number,
)

EXAMPLES = sorted((Path(__file__).parent.parent.parent / "examples").glob("*.txt"))
MANY = 1000  # sentences or words: the text is long enough for any number

falling = st.lists(st.floats(0, 10), max_size=MAX_TOPICS).map(lambda s: sorted(s, reverse=True))


def topics_of(result: Result) -> list[Any]:
    return [(topic.label, topic.words, topic.weight) for topic in result.topics]


@given(falling, st.integers(1, 60), st.integers(0, 60))
def test_the_number_is_within_its_limits(sigma: list[float], sentences: int, words: int) -> None:
    found = choose_number(np.array(sigma), sentences, words)
    assert 1 <= found <= MAX_TOPICS
    assert found <= max(1, min(sentences, words) // 2)
    assert found <= max(1, int(np.count_nonzero(sigma)))


@pytest.mark.parametrize("large", range(1, MAX_TOPICS + 1))
def test_topics_are_counted_by_large_singular_values(large: int) -> None:
    sigma = np.array([9.0] + [1.0] * (large - 1) + [0.7] * (MAX_TOPICS - large))
    if large == 1:  # all others are alike
        assert choose_number(sigma, MANY, MANY) == MAX_TOPICS
    else:
        assert choose_number(sigma, MANY, MANY) == max(MIN_TOPICS, large)
        assert choose_number(10 * sigma, MANY, MANY) == max(MIN_TOPICS, large)


def test_joined_texts_have_about_as_many_topics_as_subjects() -> None:
    subjects = [
        "The bat hunts moths at night. Its calls reach the moths in the dark.",
        "The tea needs hot water. The leaves of the tea float in the pot.",
        "The judge read the verdict. The court heard the lawyers of the bank.",
        "The train stopped at the bridge. The rails of the train were wet.",
        "The farmer sowed wheat. The field of wheat was dry, and the plough broke.",
    ]
    for n in (3, 4, 5):
        text = "\n\n".join(" ".join([subject] * 6) for subject in subjects[:n])
        assert abs(len(analyze(text).topics) - n) <= 1


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_topics_stay_when_a_boundary_moves(path: Path) -> None:
    text = path.read_text()
    result = analyze(text)
    wanted = topics_of(result)
    assert MIN_TOPICS <= len(wanted) <= MAX_TOPICS
    assert all(topic.weight >= MIN_TOPIC_SHARE for topic in result.topics)
    starts = [segment.start for segment in result.segments[1:]]
    spans = result.document.spans[:, 0].tolist()
    moved = [spans[spans.index(start) + 1] for start in starts]
    others = [
        *(analyze(text, k=k) for k in (1, 3, 12, 40)),
        analyze(text, granularity="fine"),
        analyze(text, max_size=12),
        analyze(text, structure="ignore"),
        *(analyze(text, boundaries=edges) for edges in (starts, moved, moved[:1], [])),
        result.cut(7),
    ]
    assert {len(other.segments) for other in others} > {1, 2, 3, 7, 12, 40}
    for other in others:
        assert topics_of(other) == wanted
        sums = other.topic_segment_matrix.sum(axis=0)
        assert np.all(np.isclose(sums, 1) | (sums == 0))


@pytest.mark.parametrize(
    ("text", "topics"),
    [
        ("Bats hunt moths.", 0),
        ("Bats hunt moths. Moths hear bats.", 1),
        ("Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools.", 2),
        ("Bats hunt moths near rivers. " * 30, 1),
    ],
)
def test_very_short_texts_have_few_topics(text: str, topics: int) -> None:
    assert len(analyze(text).topics) == topics


@pytest.mark.parametrize("n", [1, 2, 14, 25])
def test_as_many_topics_as_asked_for_whatever_their_share(n: int) -> None:
    text = EXAMPLES[0].read_text()
    for k in (None, 4):
        assert len(analyze(text, k=k or "auto", n_topics=n).topics) == n


def test_the_paper_has_as_many_topics_as_segments() -> None:
    text = EXAMPLES[0].read_text()
    for k in (2, 5, 15):
        assert len(analyze(text, k=k, preset="paper").topics) == k


def test_topics_of_a_small_share_are_left_out() -> None:
    topics = tuple(np.array(words) for words in ([0, 1], [2, 3], [4]))
    scores = np.array([50.0, 30, 15, 3.1, 1.9, 0])
    found = FoundTopics(topics, scores).without_small_ones()
    assert [words.tolist() for words in found.words] == [[0, 1], [2, 3]]
    assert found.scores.tolist() == [50, 30, 15, 3.1, 0, 0]
    just = np.array([50.0, 30, 15, 3, 2, 0])
    assert len(FoundTopics(topics, just).without_small_ones().words) == 3
    nothing = FoundTopics((), np.zeros(2))
    assert nothing.without_small_ones() is nothing


def test_what_is_said_while_listening_is_in_no_topic() -> None:
    said = ["Yeah, the dredgers lift silt.", "Um, the silt fills the harbour, yeah."]
    result = analyze(" ".join(said * 6), k=1, stop_words=frozenset({"the"}))
    words = {word for topic in result.topics for word, _ in topic.words}
    assert {"dredgers", "silt", "harbour"} <= words
    assert words.isdisjoint({"yeah", "um"})
    assert "yeah" not in {word for topic in result.topics for word in topic.label.lower().split()}
    measures = analyze("The slab is 50 mm thick. The mm of the slab are level.", k=1)
    assert "mm" in {word for topic in measures.topics for word, _ in topic.words}
    alone = analyze("Yeah, um. Yeah, um. Um, yeah.", stop_words=frozenset())
    assert len(alone.topics) == 1  # rather than none
