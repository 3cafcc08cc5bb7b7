"""Topics: how many the text has, and groups of words that occur together.

Groups are found by cores of words, or by KMeans.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from docbats.matrix import count_classes, unit_rows
from docbats.text.tags import CLASSES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray
    from scipy import sparse

    from docbats.matrix import SentenceWordCounts
    from docbats.parts import Segment
    from docbats.pipeline import Analysis
    from docbats.result import Result

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


MIN_TOPICS, MAX_TOPICS = 3, 12
"""The fewest and the most topics that a text of some length gets on its own."""

MIN_TOPIC_SHARE = 0.02
"""The least share of the text that such a topic has. Larger: fewer small topics."""

# Chosen by ``docbats lab run topic-number``.
_MIN_SINGULAR_VALUE = 0.75  # of a topic, as a share of the second; larger: fewer topics
_UNITS_PER_TOPIC = 2  # sentences, and words, that a topic has at least in a very short text


def choose_number(sigma: Floats, n_sentences: int, n_words: int) -> int:
    """Return how many topics a text has: as many as have a large singular value.

    The first singular value belongs to what the whole text has in common and is no measure of the
    others, so a large one is at least three quarters of the second. There are three to twelve
    topics, fewer in a text of a few sentences or words. Nothing depends on the segments, so that
    the topics stay when a boundary moves.

    Parameters
    ----------
    sigma
        The largest singular values (eq. 4), in descending order; as many as there may be topics.
    n_sentences, n_words
        The number of sentences and of kept words.

    Examples
    --------
    >>> choose_number(np.array([5, 4, 3.9, 3.8, 3.1, 2.9, 1]), n_sentences=90, n_words=200)
    5
    >>> choose_number(np.array([5, 4, 3.9, 3.8, 3.1, 2.9, 1]), n_sentences=4, n_words=9)
    2
    """
    least = (_MIN_SINGULAR_VALUE * sigma[1:2]).round(_DECIMALS)
    n_large, rank = int(np.count_nonzero(sigma >= least)), int(np.count_nonzero(sigma))
    room = min(n_sentences, n_words) // _UNITS_PER_TOPIC
    return max(1, min(max(MIN_TOPICS, n_large), rank, room))


_ADJACENT_WEIGHT = 0.1  # as a share of a shared sentence, for words in adjacent sentences
_NEVER_MET = 0.03  # likewise, for words that are never near each other
_ENTRIES_AT_A_TIME = 100_000  # each paired with at most as many others as there are candidates


@dataclass(frozen=True, eq=False)
class Company:
    """How often the candidates of each topic meet: topics by candidates by candidates.

    Attributes
    ----------
    cosine
        Log of the cosine of two words over sentences; adjacent sentences count a little.
    met
        1 where two words share a sentence.
    """

    cosine: NDArray[np.float64]
    met: NDArray[np.float64]


def find_company(words: Ints, occurrences: sparse.csr_array) -> Company:
    """Count how often the candidates of each topic meet, in the same sentence or in adjacent ones.

    Only words of one topic are paired, so that there are few pairs even if one sentence has all
    words.
    """
    k, size = words.shape
    m, n = occurrences.shape
    place = np.full(n + 1, -1)
    place[words] = np.arange(k * size).reshape(k, size)
    place[n] = -1  # where the index -1, for no word, has written
    column = place[occurrences.indices]
    candidate = np.flatnonzero(column >= 0)
    column = column[candidate]
    sentence = np.repeat(np.arange(m), np.diff(occurrences.indptr))[candidate]
    # A number is skipped between topics, so that the last sentence has no next one.
    group = (column // size) * (m + 1) + sentence
    order = np.argsort(group, kind="stable")
    column, group = column[order], group[order]
    edges = [np.searchsorted(group, group + step) for step in range(3)]
    shared = _count_pairs(column, edges[0], edges[1], k, size)
    adjacent = _count_pairs(column, edges[1], edges[2], k, size)
    nearby = shared + _ADJACENT_WEIGHT * (adjacent + adjacent.transpose(0, 2, 1))
    sentences = np.maximum(shared.diagonal(axis1=1, axis2=2), 1)
    norm = np.log(sentences) / 2
    cosine = np.log(nearby + _NEVER_MET) - norm[:, :, None] - norm[:, None, :]
    return Company(cosine, (shared > 0).astype(np.float64))


def _count_pairs(
    column: Ints,
    low: Ints,
    high: Ints,
    k: int,
    size: int,
) -> Ints:
    """Count how often each two words pair, if each entry pairs with those from `low` to `high`."""
    pairs = np.zeros(k * size * size, np.int64)
    for part in range(0, len(column), _ENTRIES_AT_A_TIME):
        here = slice(part, part + _ENTRIES_AT_A_TIME)
        count = high[here] - low[here]
        shift = low[here] - (np.cumsum(count) - count)
        other = np.arange(count.sum()) + np.repeat(shift, count)
        cell = np.repeat(column[here] * size, count) + column[other] % size
        pairs += np.bincount(cell, minlength=len(pairs))
    return pairs.reshape(k, size, size)


_SETTLING_ROWS = 4000  # the longest rows of V, which determine the rotation; more take longer
_SWEEPS = 5  # of varimax; more change next to nothing
_DECIMALS = 9  # by which lengths or scores must differ, whatever the machine rounds
_TINY = 1e-300  # in place of a divisor of zero, whose dividend is zero too


def rotate(V: Floats) -> Floats:
    """Rotate V until each column loads on the words of one topic.

    It starts with each column along one of a few long rows in different directions (Damle, Minden
    & Ying 2019) and continues with some sweeps of varimax (Kaiser 1958), which finds the topics in
    singular vectors (Rohe & Zeng 2023).
    """
    longest = np.argsort(-(V**2).sum(axis=1).round(_DECIMALS), kind="stable")[:_SETTLING_ROWS]
    rows = V[longest]
    rotation = _nearest_rotation(rows[_spread_rows(rows)].T)
    for _ in range(_SWEEPS):
        loadings = rows @ rotation
        squares = loadings**2
        rotation = _nearest_rotation(rows.T @ (loadings * (squares - squares.mean(axis=0))))
    loadings = V @ rotation
    return loadings * np.where((loadings**2 * loadings).sum(axis=0) < 0, -1.0, 1.0)


def _spread_rows(rows: Floats) -> list[int]:
    """Pick as many rows as columns: each the longest outside the span of those before it."""
    picked: list[int] = []
    lengths = (rows**2).sum(axis=1)
    basis = np.zeros((rows.shape[1], rows.shape[1]))
    for i in range(len(basis)):
        picked.append(int(lengths.round(_DECIMALS).argmax()))
        row = rows[picked[-1]]
        left = row - (basis[:i] @ row) @ basis[:i]
        basis[i] = left / max(math.sqrt(left @ left), _TINY)
        lengths -= (rows @ basis[i]) ** 2
    return picked


def _nearest_rotation(matrix: Floats) -> Floats:
    left, _, right = np.linalg.svd(matrix)
    rotation: Floats = left @ right
    return rotation


_CLASS_WEIGHT = {"PROPN": 1.25, "NOUN": 1.0, "ADJ": 0.7}
_OTHER_CLASS_WEIGHT = 0.5

_MAX_CORE_WORDS = 10  # as many as are usually shown of a topic
_MIN_CORE_WORDS = 5  # before the next word has to meet those of the core
_MAX_SHARE_TO_MEET = 0.5  # of the core, that the next word has to meet; larger: shorter lists
_MAX_CANDIDATES = 50  # of each topic, by salience, from which a core is chosen
_MAX_STARTS = 10  # of the candidates, from which a core may grow
_SALIENCE_POWER = 1.5  # of a word's loading; its cosine has the power 1
_LENGTH_POWER = 2.0  # of a core's length; larger: longer cores


@dataclass(frozen=True, eq=False)
class FoundTopics:
    """Groups of words; no word is in two.

    Attributes
    ----------
    words
        The indices of the kept words of each topic, best first; the topic whose words are used most
        is first. None is empty.
    scores
        The weight of each kept word in its topic, 0 if it is in none. They decrease along a topic,
        and add up to the number of uses of its words.
    """

    words: tuple[NDArray[np.int64], ...]
    scores: NDArray[np.float64]

    def without_small_ones(self) -> FoundTopics:
        """Return the topics without those of less than `MIN_TOPIC_SHARE`."""
        weights = [self.scores[topic].sum() for topic in self.words]
        least = MIN_TOPIC_SHARE * sum(weights)
        words = tuple(t for t, weight in zip(self.words, weights, strict=True) if weight >= least)
        if len(words) == len(self.words):
            return self
        is_kept = np.zeros(len(self.scores), np.bool_)
        is_kept[np.concatenate(words)] = True
        return FoundTopics(words, np.where(is_kept, self.scores, 0))


def find_topics(
    V: NDArray[np.float64],
    counts: SentenceWordCounts,
    classes: NDArray[np.float64] | None = None,
    *,
    left_out: NDArray[np.bool_] | None = None,
    end_early: bool = True,
) -> FoundTopics:
    """Find a topic for each column of V, or for each word where there are fewer words.

    A word belongs to the topic that it loads on most. A topic without ten words that go together
    consists of its core; its other words are in no topic, like words that load on none.

    Parameters
    ----------
    V
        The leading right singular vectors (eq. 4), a row for each kept word; columns of zeros if
        the matrix has fewer.
    counts
        Sentences by kept words.
    classes
        How often each kept word occurs in each word class, words by `CLASSES`, to prefer names,
        nouns and adjectives; None prefers nouns and verbs, by the counts.
    left_out
        Flags the kept words that are in no topic, as "um"; None for none.
    end_early
        Whether a core ends if the next word would not meet enough of its words.
    """
    if left_out is None or left_out.all():
        left_out = np.zeros(len(counts.words), np.bool_)
    k = min(V.shape[1], int(np.count_nonzero(~left_out)))
    if k == 0:
        return FoundTopics((), np.zeros(len(counts.words)))
    rank = max(1, min(k, int(V.any(axis=0).sum())))
    loadings = np.zeros((len(counts.words), k))
    loadings[:, :rank] = rotate(V[:, :rank]).round(_DECIMALS)
    loadings[left_out] = -np.inf
    topic = _assign(loadings)
    own = loadings[np.arange(len(topic)), topic]
    salience = (own * _class_weights(counts, classes)).round(_DECIMALS)
    order = np.lexsort((-salience, topic))
    order = order[topic[order] >= 0]
    return _rank_words(order, topic[order], salience, counts.occurrences, end_early=end_early)


def _class_weights(
    counts: SentenceWordCounts, classes: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    if classes is None:
        T, n = counts.nouns_and_verbs, len(counts.words)
        sentences = np.maximum(np.bincount(T.indices, minlength=n), 1)
        share: NDArray[np.float64] = np.bincount(T.indices, T.data, n) / sentences
        return _OTHER_CLASS_WEIGHT + (1 - _OTHER_CLASS_WEIGHT) * share
    weights = np.array([_CLASS_WEIGHT.get(name, _OTHER_CLASS_WEIGHT) for name in CLASSES])
    tagged = classes.sum(axis=1)
    return np.where(tagged > 0, classes @ weights / np.maximum(tagged, 1), _OTHER_CLASS_WEIGHT)


def _assign(loadings: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the topic that each word loads on most, or -1 if it loads on none.

    A word with loadings of minus infinity is in none. A topic with fewer than five words, or than
    its share of all others, gets some that load on it from topics with more.
    """
    k = loadings.shape[1]
    most = loadings.max(axis=1)
    topic = np.where(most > 0, loadings.argmax(axis=1), -1)
    few = min(_MIN_CORE_WORDS, int(np.isfinite(most).sum()) // k)
    sizes = np.bincount(topic + 1, minlength=k + 1)
    sizes[0] += few  # words in no topic may always be moved
    for small in np.flatnonzero(sizes[1:] < few):
        for word in np.lexsort((most, -loadings[:, small])):
            if sizes[small + 1] == few or not np.isfinite(most[word]):
                break
            if sizes[topic[word] + 1] > few:
                sizes[topic[word] + 1] -= 1
                sizes[small + 1] += 1
                topic[word] = small
    return topic


def _rank_words(
    listed: NDArray[np.int64],
    topic: NDArray[np.int64],
    salience: NDArray[np.float64],
    occurrences: sparse.csr_array,
    *,
    end_early: bool,
) -> FoundTopics:
    """Put the core of each topic before its other words, and score them all.

    Words are listed topic by topic, the most salient first, the earliest of equals.
    """
    begin = np.searchsorted(topic, np.arange(topic[-1] + 1))
    rank = np.arange(len(listed)) - begin[topic]
    candidate = rank < _MAX_CANDIDATES
    words = np.full((len(begin), min(_MAX_CANDIDATES, int(rank.max()) + 1)), -1)
    words[topic[candidate], rank[candidate]] = listed[candidate]
    least = 1e-3 * (salience.max() or 1)
    floored = np.maximum(salience, least)
    strength = _SALIENCE_POWER * np.log(floored)[words]
    strength[words < 0] = -np.inf
    company = find_company(words, occurrences)
    core = _grow_cores(strength, company, end_early=end_early)

    there = core >= 0
    core_score = _score_cores(core, strength, company.cosine)
    place = (begin[:, None] + core)[there]
    in_core = np.zeros(len(listed), np.bool_)
    in_core[place] = True
    most = np.full(len(begin), least)
    np.maximum.at(most, topic[~in_core], floored[listed[~in_core]])
    raw = core_score.min(axis=1)[topic] * (floored[listed] / most[topic])
    raw[place] = core_score[there]
    order = np.lexsort((np.where(in_core, -raw, 0), topic))
    order = order[(in_core | (there.sum(axis=1) == _MAX_CORE_WORDS)[topic])[order]]

    edges = np.searchsorted(topic[order], np.arange(len(begin) + 1)).tolist()
    used = np.bincount(occurrences.indices, occurrences.data, len(salience))
    scores = np.zeros(len(salience))
    topics = []
    for low, high in pairwise(edges):
        ranked, own = listed[order[low:high]], raw[order[low:high]]
        weight = used[ranked].sum()
        scores[ranked] = own * (weight / own.sum())
        topics.append((-weight, ranked[0], ranked))
    topics.sort(key=lambda topic: topic[:2])
    return FoundTopics(tuple(ranked for _, _, ranked in topics), scores)


def _score_cores(
    core: NDArray[np.int64], strength: NDArray[np.float64], cosine: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Score each word of each core by its strength and its mean log cosine with the others."""
    topic = np.arange(len(core))[:, None]
    there = core >= 0
    pairs = there[:, :, None] & there[:, None] & ~np.eye(core.shape[1], dtype=np.bool_)
    total = np.where(pairs, cosine[topic[:, None], core[:, :, None], core[:, None]], 0).sum(axis=2)
    mean = total / np.maximum(1, there.sum(axis=1, keepdims=True) - 1)
    return np.where(there, np.exp((strength[topic, core] + mean).round(_DECIMALS)), np.inf)


def _grow_cores(
    strength: NDArray[np.float64], company: Company, *, end_early: bool
) -> NDArray[np.int64]:
    """Grow a core from each start of each topic, word by word, and keep the best of each topic.

    The next word has the largest sum of strength and mean log cosine with the core so far; of
    equals it is the more salient one. A core ends early if no word left meets enough of it. A core
    of n words is worth the mean strength of its words plus the mean log cosine of its pairs plus
    `_LENGTH_POWER` log n. A row of the result has the indices of a core's candidates, then -1.
    """
    k, size = strength.shape
    run = np.arange(k * min(_MAX_STARTS, size))
    topic, start = np.divmod(run, min(_MAX_STARTS, size))
    cosine, met = company.cosine.reshape(-1, size), company.met.reshape(-1, size)
    core = np.zeros((len(run), min(_MAX_CORE_WORDS, size)), np.int64)
    core[:, 0] = start
    free = strength[topic]
    score, pairs = np.zeros(core.shape), np.zeros(core.shape)
    score[:, 0] = free[run, start]
    free[run, start] = -np.inf
    total, meetings = cosine[topic * size + start], met[topic * size + start]
    wanted = _share_to_meet(strength, company.met)
    for n in range(1, core.shape[1]):
        scores = (free + total / n).round(_DECIMALS)
        if n >= _MIN_CORE_WORDS and end_early:
            np.copyto(scores, -np.inf, where=meetings < wanted * n)
        word = scores.argmax(axis=1)
        core[:, n], score[:, n], pairs[:, n] = word, scores[run, word], total[run, word]
        total += cosine.take(topic * size + word, axis=0)
        meetings += met.take(topic * size + word, axis=0)
        free[run, word] = -np.inf
    growing = np.logical_and.accumulate(np.isfinite(score), axis=1)
    growing[:, 0] = True  # if there is no word to start from, its strength says so
    core[~growing] = -1
    length = np.count_nonzero(growing, axis=1)
    strengths = np.where(growing, strength[topic[:, None], core], 0).sum(axis=1)
    worth = strengths / length
    worth += np.where(growing, pairs, 0).sum(axis=1) / np.maximum(1, length * (length - 1) / 2)
    worth += _LENGTH_POWER * np.log(length)
    best = worth.round(_DECIMALS).reshape(k, -1).argmax(axis=1)
    return np.asarray(core.reshape(k, -1, core.shape[1])[np.arange(k), best])


def _share_to_meet(strength: NDArray[np.float64], met: NDArray[np.float64]) -> float:
    """Return the share of a core that the next word has to meet: half, or less in short sentences.

    It is twice the squared share of pairs that meet among the most salient words of each topic: if
    hardly any do, as in a transcript of short turns, a fixed share would leave most words in no
    topic.
    """
    best = slice(_MAX_CORE_WORDS)
    top = np.isfinite(strength[:, best])
    pairs = top[:, :, None] & top[:, None, :] & ~np.eye(top.shape[1], dtype=np.bool_)
    density = (
        float((met[:, :_MAX_CORE_WORDS, :_MAX_CORE_WORDS] * pairs).sum() / pairs.sum())
        if pairs.any()
        else 1.0
    )
    return round(min(_MAX_SHARE_TO_MEET, 2 * density**2), _DECIMALS)


def cluster_words(
    word_vectors: NDArray[np.float64],
    scores: NDArray[np.float64],
    k: int,
    restarts: int,
    seed: int,
) -> list[NDArray[np.int64]]:
    """Cluster the rows of V' by KMeans (eq. 13) and rank each cluster's words by their scores.

    Returns the word indices of each topic, best word first; the topic with the largest total score
    is first. There are k topics, or one for each word if there are fewer; of equal scores the word
    that occurs first goes first.
    """
    k = min(k, len(word_vectors))
    if k == 0:
        return []
    labels = kmeans(word_vectors, k, restarts, seed)
    scores = scores.round(_DECIMALS)
    by_score = np.argsort(-scores, kind="stable")
    topics = [by_score[labels[by_score] == label] for label in range(k)]
    return sorted(topics, key=lambda topic: (-scores[topic].sum().round(_DECIMALS), topic[0]))


_MAX_TOPICS = 3  # with more, topics that hardly occur in a segment would be listed


def strongest_topics(result: Result, segment: Segment) -> tuple[str, ...]:
    """Return the labels of a segment's strongest topics, strongest first."""
    weights = segment.topic_weights
    order = sorted(range(len(weights)), key=lambda topic: -weights[topic])[:_MAX_TOPICS]
    return tuple(result.topics[topic].label for topic in order if weights[topic] > 0)


class TopicFinder(Protocol):
    """A way to find topics.

    Attributes
    ----------
    uses_word_classes
        Whether it distinguishes nouns from verbs.
    labels_by_phrases
        Whether topics are labelled by their phrases; if not, by their best words.
    chooses_number
        Whether the text decides on the number of topics; if not, it is that of the segments.
    """

    uses_word_classes: bool
    labels_by_phrases: bool
    chooses_number: bool

    def find(self, analysis: Analysis) -> FoundTopics:
        """Return a topic for each column of the spectrum."""


class _KMeansFinder:
    """Clusters of words, ranked by summed tf-idf (eq. 13, section 3.4.1)."""

    uses_word_classes = labels_by_phrases = chooses_number = False

    def find(self, analysis: Analysis) -> FoundTopics:
        settings, V = analysis.settings, analysis.spectrum.V
        scores = analysis.F.sum(axis=0)
        topics = cluster_words(unit_rows(V), scores, V.shape[1], settings.restarts, settings.seed)
        return FoundTopics(tuple(topics), scores)


class _CoresFinder:
    """Cores of words that share sentences.

    If the text decides on their number, small ones and hesitations are left out.
    """

    uses_word_classes = labels_by_phrases = chooses_number = True

    def find(self, analysis: Analysis) -> FoundTopics:
        text = analysis.text
        classes = count_classes(text.words, text.classes, text.counts)
        V, hesitations = analysis.spectrum.V, text.language.hesitations
        known = classes if text.is_tagged else None
        if analysis.settings.n_topics is not None:
            return find_topics(V, text.counts, known)
        left_out = np.array([word.lower() in hesitations for word in text.counts.words], np.bool_)
        if np.count_nonzero(left_out) == 1:  # a single one is a word, as "mm" of a measure
            left_out[:] = False
        return find_topics(V, text.counts, known, left_out=left_out).without_small_ones()


TOPIC_FINDERS: Mapping[str, TopicFinder] = MappingProxyType(
    {"cores": _CoresFinder(), "kmeans": _KMeansFinder()}
)
"""The ways to find topics, by their names in the setting `ranking`."""


_MAX_ROUNDS = 100
_MAX_ARRAY = 100_000  # numbers; restarts run together as long as they need no larger arrays

# Our own KMeans: importing scikit-learn takes longer than the whole analysis, and neither it nor
# scipy.cluster.vq promises k non-empty clusters if points coincide.


def kmeans(points: NDArray[np.float64], k: int, restarts: int, seed: int) -> NDArray[np.int64]:
    """Assign each row of `points` to one of k clusters (eq. 13), none of them empty.

    Runs Lloyd's algorithm from `restarts` k-means++ starts and returns the assignment with the
    least sum of squares, the earliest of equals. Needs at least k points, distinct or not.
    """
    if k == len(points):
        return np.arange(k)
    rng = np.random.default_rng(seed)
    draws = [(rng.integers(len(points)), rng.random(k - 1)) for _ in range(restarts)]
    together = max(1, _MAX_ARRAY // (len(points) * max(k, points.shape[1])))
    best, least = np.arange(0), np.inf
    for low in range(0, restarts, together):
        first, later = map(np.array, zip(*draws[low : low + together], strict=True))
        labels, centers = _lloyd(points, _spread_centers(points, first, later))
        for own, center in zip(labels.T, centers, strict=True):
            scatter = round(float(((points - center[own]) ** 2).sum()), 12)
            if scatter < least:
                best, least = own, scatter
    return best


def _spread_centers(
    points: NDArray[np.float64], first: NDArray[np.int64], draws: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Choose centers by k-means++: each next one by its squared distance to the chosen ones.

    For several runs at once, each with a first center and a row of draws.
    """
    columns = np.ascontiguousarray(points.T)
    chosen = [first]
    nearest = np.full((len(first), len(points)), np.inf)
    for draw in draws.T:
        squares = ((columns - points[chosen[-1], :, None]) ** 2).sum(axis=1)
        nearest = np.minimum(nearest, squares)
        total = np.cumsum(nearest, axis=1)
        drawn = np.count_nonzero(total <= draw[:, None] * total[:, -1:], axis=1)
        chosen.append(np.minimum(drawn, len(points) - 1))
    return points[np.stack(chosen, axis=1)]


def _lloyd(
    points: NDArray[np.float64], centers: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Assign points and move centers in turn until nothing changes, for several runs at once."""
    n, (runs, k, dimensions) = len(points), centers.shape
    labels = np.full((n, runs), -1)
    active = np.arange(runs)  # runs that still change
    lengths, doubled = (points**2).sum(axis=1, keepdims=True), 2 * points
    for _ in range(_MAX_ROUNDS):
        ends = centers[active].reshape(-1, dimensions)
        squares = lengths + (ends**2).sum(axis=1)
        squares -= doubled @ ends.T
        squares = squares.reshape(n, -1, k)
        new_labels = squares.argmin(axis=2)
        sizes = np.bincount(_number_clusters(new_labels, k), minlength=len(ends)).reshape(-1, k)
        if not sizes.all():
            _fill_empty(new_labels, sizes, squares)
        changed = (new_labels != labels[:, active]).any(axis=0)
        active, sizes = active[changed], sizes[changed].ravel()
        if not active.size:
            break
        labels[:, active] = new_labels = new_labels[:, changed]
        order = np.argsort(_number_clusters(new_labels, k), kind="stable")
        by_cluster = points.take(order // len(active), axis=0)
        sums = np.add.reduceat(by_cluster, np.cumsum(sizes) - sizes, axis=0)
        centers[active] = (sums / sizes[:, None]).reshape(-1, k, dimensions)
    return labels, centers


def _fill_empty(
    labels: NDArray[np.int64], sizes: NDArray[np.int64], squares: NDArray[np.float64]
) -> None:
    """Move to each empty cluster the point farthest from its center, out of clusters of several."""
    for run, empty in np.argwhere(sizes == 0).tolist():
        own = squares[np.arange(len(labels)), run, labels[:, run]]
        moved = np.where(sizes[run, labels[:, run]] > 1, own, -np.inf).argmax()
        sizes[run, labels[moved, run]] -= 1
        sizes[run, empty] = 1
        labels[moved, run] = empty


def _number_clusters(labels: NDArray[np.int64], k: int) -> NDArray[np.unsignedinteger[Any]]:
    """Return distinct numbers for the clusters of all runs, in small integers, which sort fast."""
    runs = labels.shape[1]
    return (labels + k * np.arange(runs)).astype(np.min_scalar_type(k * runs)).ravel()
