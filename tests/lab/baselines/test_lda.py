from __future__ import annotations

import numpy as np

from docbats import Settings
from docbats_lab.baselines.lda import LDA
from docbats_lab.methods import prepare, rank_words

WORDS = ("ant", "bee", "cat", "dog")


def test_words_are_ranked_by_weight_and_those_of_no_weight_left_out() -> None:
    weights = np.array([[0.1, 0.0, 0.5, 0.2], [3.0, 1.0, 2.0, 4.0]])
    assert rank_words(weights, WORDS) == [["cat", "dog", "ant"], ["dog", "ant", "cat", "bee"]]


def test_equal_weights_keep_the_order_of_the_text_whatever_their_last_bits() -> None:
    weights = np.array([[0.3, 0.1 + 0.2, 0.3 - 1e-16, 1e-17]])
    assert rank_words(weights, WORDS) == [["ant", "bee", "cat"]]


def test_a_topic_of_no_weight_is_left_out() -> None:
    assert rank_words(np.array([[0.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]]), WORDS) == [["bee"]]
    assert rank_words(np.zeros((2, 0)), ()) == []


def test_one_topic_ranks_words_by_their_counts() -> None:
    sentences = ["Tea, milk, tea, sugar.", "Milk and tea.", "Sugar, tea.", "Milk, tea, bread, jam."]
    prepared = prepare([*sentences, "Bread, tea, milk."], Settings(award=0))
    # tea 6, milk 4, sugar 2, bread 2; jam is in one sentence only
    assert LDA.find(prepared, 1, 0) == [["tea", "milk", "sugar", "bread"]]
