"""Latent Dirichlet allocation by collapsed Gibbs sampling, for one document.

T. L. Griffiths, M. Steyvers, "Finding scientific topics", PNAS 101, 2004. The document's sentences
are the documents of the model.

One token after the other would be too slow in Python. Tokens of different words in different
sentences share no count but the topics' totals, so we color the tokens such that no
two of one color share a word or a sentence, and draw the topics of one color at once (after the
chromatic sampler of J. Gonzalez et al., AISTATS 2011). All that differs from the sequential sampler
is that a topic's total, one number of hundreds, lags behind by the other tokens of the color.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats_lab.preparation import Prepared

# Sentences are short: the customary alpha of 50 / k, meant for whole articles and a hundred topics,
# would outweigh their words. On every 15th document of Choi it raises Pk from 0.19 to 0.32
# (TopicTiling, k given) and from 0.15 to 0.31 (LDA_MDP); 0.01 and 0.5 change it by 0.04 at most.
ALPHA = 0.1
BETA = 0.01
ITERATIONS = 500


@dataclass(frozen=True, eq=False)
class TopicSample:
    """The topics that the sampler drew.

    Attributes
    ----------
    sentence, word
        Of each token, in the order of the text.
    last
        The topic of each token in the last iteration.
    votes
        For each token and topic, in how many iterations the token had the topic.
    topic_words
        P(word | topic), topics by words, from the last iteration and the prior; never 0.
    """

    sentence: NDArray[np.int64]
    word: NDArray[np.int64]
    last: NDArray[np.int64]
    votes: NDArray[np.int64]
    topic_words: NDArray[np.float64]

    @property
    def mode(self) -> NDArray[np.int64]:
        """The topic that each token had most often, the lowest of equals."""
        return np.asarray(self.votes.argmax(axis=1))


@lru_cache(maxsize=1)
def train(document: Prepared, k: int, seed: int) -> TopicSample:
    """Sample k topics of one document with the laboratory's parameters.

    The last sample is cached: methods that run one after the other on the same prepared document
    share their training. To time one of them alone, prepare the document again.
    """
    return sample_topics(document.sequence, len(document.words), k, seed)


def sample_topics(
    sentences: Sequence[NDArray[np.int64]],
    n_words: int,
    k: int,
    seed: int,
    *,
    alpha: float = ALPHA,
    beta: float = BETA,
    iterations: int = ITERATIONS,
) -> TopicSample:
    """Draw topics for all tokens, `iterations` times over.

    Parameters
    ----------
    sentences
        The words of each sentence as numbers below `n_words`.
    n_words, k
        How many words and topics there are.
    seed
        The same seed gives the same sample.
    alpha, beta
        Symmetric priors of the topics of a sentence and of the words of a topic.
    """
    sentence = np.repeat(np.arange(len(sentences)), [len(s) for s in sentences])
    word = np.concatenate([*sentences, np.empty(0, np.int64)])
    color = color_tokens(sentence, word)
    order = np.argsort(color, kind="stable")
    ends = np.cumsum(np.bincount(color)).tolist()
    draw = np.random.default_rng(seed)

    one_hot = np.eye(k)
    topic = one_hot[draw.integers(0, k, len(word))]
    in_sentence = np.full((len(sentences), k), alpha)
    in_topic = np.full((n_words, k), beta)
    np.add.at(in_sentence, sentence[order], topic)
    np.add.at(in_topic, word[order], topic)
    totals = in_topic.sum(axis=0)
    blocks = [
        (slice(a, b), sentence[order[a:b]], word[order[a:b]], np.ones(b - a))
        for a, b in zip([0, *ends], ends, strict=False)
    ]
    votes = np.zeros((len(word), k))
    for _ in range(iterations):
        # The largest of p_i / e_i, with e_i exponential, falls on i with a chance proportional
        # to p_i: a draw from each row at once without running sums.
        luck = 1 / draw.standard_exponential(topic.shape)
        for tokens, s, w, ones in blocks:
            old = topic[tokens]
            of_sentence = in_sentence[s]
            of_sentence -= old
            of_word = in_topic[w]
            of_word -= old
            chance = of_sentence * of_word
            chance /= totals - old
            chance *= luck[tokens]
            new = one_hot[chance.argmax(axis=1)]
            of_sentence += new
            of_word += new
            in_sentence[s] = of_sentence
            in_topic[w] = of_word
            totals += ones @ (new - old)
            topic[tokens] = new
        votes += topic
    in_text = np.argsort(order)
    return TopicSample(
        sentence=sentence,
        word=word,
        last=topic.argmax(axis=1)[in_text],
        votes=votes[in_text].astype(np.int64),
        topic_words=(in_topic / totals).T,
    )


def color_tokens(sentence: NDArray[np.int64], word: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each token the least color that no earlier token of its sentence or word has."""
    colors = np.zeros(len(word), np.int64)
    taken: dict[tuple[str, int], int] = {}
    for i, (s, w) in enumerate(zip(sentence.tolist(), word.tolist(), strict=True)):
        # Colors as bits: the lowest that is clear in both is taken.
        both = taken.get(("s", s), 0) | taken.get(("w", w), 0)
        bit = ~both & (both + 1)
        taken["s", s] = taken.get(("s", s), 0) | bit
        taken["w", w] = taken.get(("w", w), 0) | bit
        colors[i] = bit.bit_length() - 1
    return colors
