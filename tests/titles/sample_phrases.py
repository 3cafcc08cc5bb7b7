"""Sentences, and their phrases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from docbats.text.languages.english import STOP_WORDS
from docbats.text.tags import find_classes
from docbats.text.words import find_words, tokenize
from docbats.titles.phrases import find_phrases

if TYPE_CHECKING:
    from docbats.document import Document
    from docbats.text.words import Words
    from docbats.titles.phrases import Phrases

BATS = [
    "The animal hunts moths with its ears.",
    "It hears the moths and the moths hear it.",
    "An animal eats many moths in the night.",
]
TEA = [
    "He put the cold water into the old kettle.",
    "She saw that the kettle was full of cold water.",
    "There is no tea without a kettle and an animal.",
]

WORDS = ["bats", "Paris", "the", "cold", "water", "1999", "it", "of", "runs", "New", "York", "水"]
SENTENCES = st.lists(
    st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), min_size=1, max_size=12
).filter(any)
"""Lists of sentences of few words, of which at least one is not empty."""


def phrases_of(document: Document) -> tuple[Phrases, Words]:
    """Find the phrases and the words of an English document."""
    tokens = tokenize(document)
    words = find_words(document, tokens, STOP_WORDS)
    return find_phrases(document, tokens, words, find_classes(tokens, "docbats")), words
