"""Latent Dirichlet allocation and what builds on it, as topics and as segments.

LDA (D. Blei, A. Ng and M. Jordan, JMLR 2003) by scikit-learn and the hierarchical Dirichlet process
(Y. W. Teh et al., NIPS 2005) by gensim, both with their defaults. For segments, LDA by collapsed
Gibbs sampling, trained on the document itself:

H. Misra, F. Yvon, O. Cappé and J. Jose, "Text segmentation: A topic modeling perspective",
Information Processing & Management 47, 2011: LDA_MDP finds the segments that are most likely under
the topic model, here with as many topics as segments. The authors' modified dynamic program leaves
out segments to save time; ours tries them all, so it finds the best k segments exactly.

M. Riedl and C. Biemann, "TopicTiling: A Text Segmentation Algorithm based on LDA", ACL Student
Research Workshop 2012: TextTiling over the topics of the words. Both variants have as many topics
as the document has true segments, so the one that finds its own number of segments still learns k;
window and iterations are those of the BATS paper.
"""

from __future__ import annotations

import logging
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.runtime import single_blas_thread
from docbats_lab.baselines.least_cost import cut_into_k
from docbats_lab.methods import Segmenter, TopicMethod, rank_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from docbats_lab.methods import Prepared, Topics


def _find_by_lda(prepared: Prepared, k: int, seed: int) -> Topics:
    """Rank words by the topic's pseudo-counts, which order them as P(word | topic) does."""
    if not prepared.words:
        return []
    from sklearn.decomposition import LatentDirichletAllocation

    with single_blas_thread():
        model = LatentDirichletAllocation(n_components=k, random_state=seed).fit(prepared.counts)
    return rank_words(model.components_, prepared.words)


LDA = TopicMethod(
    name="LDA",
    citation="Blei, Ng & Jordan 2003, Latent Dirichlet Allocation; "
    "sklearn.decomposition.LatentDirichletAllocation",
    find=_find_by_lda,
    parameters={"learning_method": "batch", "max_iter": 10, "priors": "1 / k"},
)


def find_by_hdp(prepared: Prepared, k: int, seed: int, **parameters: Any) -> Topics:
    """Return the k heaviest topics of the process; `parameters` go to ``HdpModel``.

    A topic weighs as much as the words that are assigned to it, as in gensim's ``show_topics``.

    gensim learns online (Wang, Paisley & Blei 2011) and is meant for large collections: by default
    it gives a chunk of 256 texts a weight of 1/65 against the random start. A single document is
    one chunk or two, so the topics stay close to that start. We keep the defaults because the paper
    does; with a larger step and more rounds, such as ``tau=0.1, max_chunks=20``, the topics fit the
    document.
    """
    if not prepared.words:
        return []
    from gensim.matutils import Sparse2Corpus
    from gensim.models import HdpModel

    corpus = Sparse2Corpus(prepared.counts, documents_columns=False)
    names = dict(enumerate(prepared.words))
    with single_blas_thread(), _without_warnings():
        model = HdpModel(corpus, names, random_state=seed, **parameters)
    assigned = model.m_lambda + model.m_eta
    heaviest = (-assigned.sum(axis=1)).argsort(kind="stable")[:k]
    return rank_words(assigned[heaviest], prepared.words)


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Silence gensim's warning that the likelihood is decreasing, which many sentences cause.

    It watches a number that its rounds do not quite maximize: for one, the first three ignore the
    overall weights of the topics.
    """

    def keep(record: logging.LogRecord) -> bool:
        return record.msg != "likelihood is decreasing!"

    logger = logging.getLogger("gensim.models.hdpmodel")
    logger.addFilter(keep)
    try:
        yield
    finally:
        logger.removeFilter(keep)


HDP = TopicMethod(
    name="HDP",
    citation="Teh, Jordan, Beal & Blei 2005, Sharing Clusters among Related Groups; "
    "gensim.models.HdpModel",
    find=find_by_hdp,
    parameters={"T": 150, "K": 15, "chunksize": 256, "kappa": 1.0, "tau": 64.0},
)


# Collapsed Gibbs sampling

# Sentences are short: the customary alpha of 50 / k, meant for whole articles and a hundred topics,
# would outweigh their words. On every 15th document of Choi it raises Pk from 0.19 to 0.32
# (TopicTiling, k given) and from 0.15 to 0.31 (LDA_MDP); 0.01 and 0.5 change it by 0.04 at most.
ALPHA = 0.1
BETA = 0.01
ITERATIONS = 500


@dataclass(frozen=True, eq=False)
class TopicSample:
    """The topics drawn by the sampler."""

    sentence: NDArray[np.int64]  # of each token, in text order
    word: NDArray[np.int64]  # of each token
    last: NDArray[np.int64]  # the topic of each token in the last iteration
    votes: NDArray[np.int64]  # tokens by topics: in how many iterations the token had the topic
    topic_words: NDArray[np.float64]  # P(word | topic) of the last iteration and the prior; never 0

    @property
    def mode(self) -> NDArray[np.int64]:
        """The most frequent topic of each token, the lowest of equals."""
        return np.asarray(self.votes.argmax(axis=1))


@lru_cache(maxsize=1)
def train(document: Prepared, k: int, seed: int) -> TopicSample:
    """Sample k topics of one document with the laboratory's parameters.

    The last sample is cached: methods that run one after another on the same prepared document
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

    T. L. Griffiths and M. Steyvers, "Finding scientific topics", PNAS 101, 2004; the sentences of
    the document are the documents of the model.

    One token after another would be too slow in Python. Tokens of different words in different
    sentences share no count but the topics' totals, so we color the tokens such that no two of one
    color share a word or a sentence, and draw the topics of one color at once (after the chromatic
    sampler of J. Gonzalez et al., AISTATS 2011). The only difference from the sequential sampler is
    that a topic's total, one number of hundreds, lags behind by the other tokens of the color.

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
        # The largest p_i / e_i, with e_i exponential, is at i with a probability proportional to
        # p_i: this draws from each row at once without running sums.
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
        # Colors as bits: take the lowest that is clear in both.
        both = taken.get(("s", s), 0) | taken.get(("w", w), 0)
        bit = ~both & (both + 1)
        taken["s", s] = taken.get(("s", s), 0) | bit
        taken["w", w] = taken.get(("w", w), 0) | bit
        colors[i] = bit.bit_length() - 1
    return colors


# LDA_MDP

_STEPS = 5


def segment_costs(
    counts: NDArray[np.float64], topic_words: NDArray[np.float64], steps: int = _STEPS
) -> NDArray[np.float64]:
    """Return minus the log-likelihood of each segment [i, j) with its best shares of topics.

    A segment with n_w occurrences of word w costs ``-sum_w n_w log sum_t theta_t P(w | t)``. Its
    shares theta come from rounds of ``theta_t <- sum_w n_w P(t | w, theta) / n``: expectation
    maximization, which climbs to the only maximum. We start from the shares of the two segments
    that are a sentence shorter; five steps from there take a third of the time of twenty from equal
    shares, and leave costs of hundreds and more at most 0.004 above their minimum on average.

    Parameters
    ----------
    counts
        Sentences by words.
    topic_words
        P(word | topic), topics by words, none of them 0.
    steps
        How many for each segment; four times as many for single sentences.
    """
    m, k = len(counts), len(topic_words)
    ends = np.vstack([np.zeros(counts.shape[1]), np.cumsum(counts, axis=0)])
    costs = np.zeros((m + 1, m + 1))
    shares = np.full((m, k), 1 / k)
    for length in range(1, m + 1):
        here = ends[length:] - ends[:-length]
        size = here.sum(axis=1, keepdims=True)
        blank = size == 0
        for _ in range(steps if length > 1 else 4 * steps):
            weight = (here / (shares @ topic_words)) @ topic_words.T
            shares *= (weight + blank) / (size + blank)  # no words: the shares stay
        start = np.arange(len(here))
        costs[start, start + length] = -(here * np.log(shares @ topic_words)).sum(axis=1)
        # A little of each topic, since a share of nothing could never grow again.
        shares = 0.95 * (shares[:-1] + shares[1:]) / 2 + 0.05 / k
    return costs


def _cut_by_topics(document: Prepared, k: int, seed: int) -> list[int]:
    sample = train(document, k, seed)
    counts = np.zeros((len(document.sentences), len(document.words)))
    np.add.at(counts, (sample.sentence, sample.word), 1)
    return cut_into_k(segment_costs(counts, sample.topic_words), k)


LDA_MDP = Segmenter(
    "LDA_MDP",
    "Misra, Yvon, Cappé & Jose 2011, Text segmentation: A topic modeling perspective",
    _cut_by_topics,
    parameters={"iterations": ITERATIONS, "alpha": ALPHA, "beta": BETA, "steps": _STEPS},
)


# TopicTiling

_WINDOW = 2
_CITATION = "Riedl & Biemann 2012, TopicTiling: A Text Segmentation Algorithm based on LDA"
_PARAMETERS = {"window": _WINDOW, "iterations": ITERATIONS, "alpha": ALPHA, "beta": BETA}


def coherences(topics: NDArray[np.float64], window: int) -> NDArray[np.float64]:
    """Return the cosine of the topic counts of the `window` sentences before and after each gap.

    Next to sentences without words it is 1, as in the authors' program.

    Parameters
    ----------
    topics
        How many tokens of each sentence have each topic, sentences by topics.
    """
    ends = np.vstack([np.zeros(topics.shape[1]), np.cumsum(topics, axis=0)])
    gap = np.arange(1, len(topics))
    before = ends[gap] - ends[np.maximum(gap - window, 0)]
    after = ends[np.minimum(gap + window, len(topics))] - ends[gap]
    norm = np.sqrt((before**2).sum(axis=1) * (after**2).sum(axis=1))
    dot = (before * after).sum(axis=1)
    cosine = np.ones(len(gap))
    np.divide(dot, norm, out=cosine, where=norm > 0)
    return cosine


def depths(coherence: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return half the rise of the coherence from each gap to the next peaks on both sides."""
    left = np.array(_peaks(coherence.tolist()))
    right = np.array(_peaks(coherence[::-1].tolist()))[::-1]
    return np.asarray((left + right - 2 * coherence) / 2)


def _peaks(values: list[float]) -> list[float]:
    """Return the highest value reached from each by going left while the values do not fall."""
    peaks: list[float] = []
    for i, value in enumerate(values):
        peaks.append(peaks[-1] if i and values[i - 1] >= value else value)
    return peaks


def minima(coherence: NDArray[np.float64]) -> NDArray[np.int64]:
    """Find the gaps less coherent than those around them, the last of equals; never at the ends."""
    found = []
    falling = False
    for i in range(1, len(coherence) - 1):
        if coherence[i] != coherence[i - 1]:
            falling = bool(coherence[i] < coherence[i - 1])
        if falling and coherence[i] < coherence[i + 1]:
            found.append(i)
    return np.array(found, np.int64)


def _coherences_of(document: Prepared, k: int, seed: int) -> NDArray[np.float64]:
    k = max(1, min(k, len(document.sentences)))
    sample = train(document, k, seed)
    topics = np.zeros((len(document.sentences), k))
    np.add.at(topics, (sample.sentence, sample.mode), 1)
    return coherences(topics, _WINDOW)


def _cut_into_k(document: Prepared, k: int, seed: int) -> list[int]:
    """Cut at the k - 1 deepest minima; if there are fewer, at the deepest other gaps too."""
    coherence = _coherences_of(document, k, seed)
    depth = depths(coherence)
    is_minimum = np.zeros(len(depth), bool)
    is_minimum[minima(coherence)] = True
    order = np.lexsort((coherence, -depth, ~is_minimum))
    return [0, *sorted((order[: max(0, k - 1)] + 1).tolist())]


def _cut_with_own_k(document: Prepared, k: int, seed: int) -> list[int]:
    """Cut at the minima at least as deep as the mean minus half a standard deviation."""
    coherence = _coherences_of(document, k, seed)
    gaps = minima(coherence)
    depth = depths(coherence)[gaps]
    if not len(gaps):
        return [0]
    return [0, *(gaps[depth >= depth.mean() - depth.std() / 2] + 1).tolist()]


TOPIC_TILING_K = Segmenter("TopicTiling (k)", _CITATION, _cut_into_k, parameters=_PARAMETERS)
TOPIC_TILING = Segmenter(
    "TopicTiling", _CITATION, _cut_with_own_k, takes_k=False, parameters=_PARAMETERS
)
