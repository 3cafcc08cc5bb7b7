from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.special import gammaln

from docbats_lab.baselines.lda import color_tokens, sample_topics, train
from docbats_lab.methods import prepare


def test_no_two_tokens_of_a_colour_share_a_sentence_or_a_word() -> None:
    draw = np.random.default_rng(0)
    sentence, word = np.sort(draw.integers(0, 20, 200)), draw.integers(0, 15, 200)
    colour = color_tokens(sentence, word)
    for one in range(colour.max() + 1):
        here = colour == one
        assert len(np.unique(sentence[here])) == here.sum() == len(np.unique(word[here]))


def test_colours_of_a_case_worked_by_hand() -> None:
    # "a b a" then "b c": the second a meets the first, b of the second sentence the b of the first.
    colours = color_tokens(np.array([0, 0, 0, 1, 1]), np.array([0, 1, 0, 1, 2]))
    assert colours.tolist() == [0, 1, 2, 0, 1]


def test_samples_follow_the_posterior() -> None:
    # Few enough tokens to enumerate: how often do two of them have the same topic?
    sentences = [np.array([0, 0]), np.array([0, 1]), np.array([1, 2])]
    word, sentence = np.concatenate(sentences), np.repeat(np.arange(3), 2)
    alpha, beta, k, n_words = 0.4, 0.3, 2, 3
    weights, same = [], []
    for topic in product(range(k), repeat=6):
        in_sentence, in_topic = np.zeros((3, k)), np.zeros((n_words, k))
        np.add.at(in_sentence, (sentence, np.array(topic)), 1)
        np.add.at(in_topic, (word, np.array(topic)), 1)
        log = gammaln(in_sentence + alpha).sum() + gammaln(in_topic + beta).sum()
        weights.append(np.exp(log - gammaln(in_topic.sum(axis=0) + n_words * beta).sum()))
        same.append(np.equal.outer(topic, topic))
    truth = np.average(np.array(same, float), axis=0, weights=weights)
    runs = [
        sample_topics(sentences, n_words, k, seed, alpha=alpha, beta=beta, iterations=25).last
        for seed in range(400)
    ]
    found = np.mean([np.equal.outer(topic, topic) for topic in runs], axis=0)
    # Three standard errors are 0.075; so small a text feels the lagging totals most, by 0.04.
    assert np.abs(found - truth).max() < 0.08


def test_separates_words_that_never_meet() -> None:
    left, right = np.array([0, 1, 2, 0, 1]), np.array([3, 4, 5, 3, 5])
    sample = sample_topics([left, right] * 15, 6, 2, 0)
    mode = sample.mode.reshape(15, 10)
    assert len(np.unique(mode[:, :5])) == len(np.unique(mode[:, 5:])) == 1
    assert mode[0, 0] != mode[0, 5]
    assert (sample.votes.sum(axis=1) == 500).all()
    assert (sample.votes[:, 1] > 250).tolist() == sample.mode.astype(bool).tolist()
    np.testing.assert_allclose(sample.topic_words.sum(axis=1), 1)


def test_the_same_seed_gives_the_same_sample() -> None:
    text = [np.array([0, 1, 2]), np.array([2, 3]), np.array([0, 3, 3])] * 3
    votes = [sample_topics(text, 4, 3, seed, iterations=20).votes for seed in (1, 1, 2)]
    np.testing.assert_array_equal(votes[0], votes[1])
    assert (votes[0] != votes[2]).any()


@pytest.mark.parametrize("k", [1, 3])
def test_no_words_at_all(k: int) -> None:
    sample = sample_topics([np.empty(0, np.int64)] * 2, 0, k, 0)
    assert sample.votes.shape == (0, k)
    assert train(prepare(["The.", "And."]), k, 0).mode.shape == (0,)
