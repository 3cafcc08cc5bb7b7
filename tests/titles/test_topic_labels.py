from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.titles.sample_phrases import BATS, SENTENCES, TEA, phrases_of

from docbats.document import Document
from docbats.titles.titles import label_topics

if TYPE_CHECKING:
    from collections.abc import Sequence


def labels_of(sentences: Sequence[str], topics: list[list[str]]) -> tuple[str, ...]:
    document = Document.from_sentences(sentences)
    phrases, words = phrases_of(document)
    indices = [[words.names.index(word) for word in topic] for topic in topics]
    return label_topics(phrases, indices, len(document))


def test_labels_prefer_phrases_of_the_topic() -> None:
    topics = [["water", "cold", "kettle", "tea"], ["moths", "hears", "animal", "night"]]
    assert labels_of([*BATS, *TEA], topics) == ("Kettle, cold water", "Moths, animal")


@pytest.mark.parametrize(
    ("topics", "labels"),
    [
        ([], ()),
        ([[]], ("…",)),
        ([["kettle"]], ("Kettle",)),
        ([["hears"]], ("Hears",)),
        ([["night", "kettle"]], ("Kettle",)),
    ],
)
def test_labels_of_odd_topics(topics: list[list[str]], labels: tuple[str, ...]) -> None:
    assert labels_of([*BATS, *TEA], topics) == labels


@given(SENTENCES, st.integers(1, 4))
def test_labels_are_distinct(sentences: list[str], k: int) -> None:
    document = Document.from_sentences(sentences)
    phrases, words = phrases_of(document)
    topics = [list(range(i, len(words.names), k)) for i in range(k)]
    labels = label_topics(phrases, topics, len(document))
    assert len(set(labels)) == k
    assert labels == label_topics(phrases, topics, len(document))
    assert all(label and len(label) <= 60 for label in labels)
