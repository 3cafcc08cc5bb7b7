"""How good topics are (eqs. 15 to 18).

Coherence is how often their words occur together: PMI and UMass. Composites penalize it by the
overlap of topics (section 4.2.2).
"""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from Stemmer import Stemmer

from docbats.document import Document
from docbats.text.words import normal_form, tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

_EPSILON = 1e-12  # of Röder et al. 2015 and of gensim
_BITS_OF_BYTE = np.arange(256)[:, None] >> np.arange(8) & 1


@dataclass(frozen=True, eq=False)
class DocumentFrequencies:
    """Which word occurs in which unit: documents of a dataset for PMI, sentences for UMass.

    It is built once and takes two to four bytes for each distinct word of each unit.

    Attributes
    ----------
    n_units
        The number of documents, or sentences.
    """

    n_units: int
    _place: Mapping[str, int]
    _start: NDArray[np.int64]
    _unit: NDArray[np.unsignedinteger]

    @classmethod
    def of_documents(cls, documents: Iterable[Iterable[str]]) -> DocumentFrequencies:
        """Build them from the words of each document, in any order, repeated or not."""
        place: dict[str, int] = {}
        word, sizes = array("q"), array("q")
        for words in documents:
            distinct = dict.fromkeys(words)  # a set's order differs from run to run
            word.extend(place.setdefault(name, len(place)) for name in distinct)
            sizes.append(len(distinct))
        unit = np.repeat(np.arange(len(sizes)), np.array(sizes, np.int64))
        start = np.concatenate(
            [[0], np.cumsum(np.bincount(np.array(word, np.int64), minlength=len(place)))]
        )
        # The smallest type that holds a unit's number, since it is pickled for each process.
        order = np.argsort(np.array(word, np.int64), kind="stable")
        by_word = unit[order].astype(np.min_scalar_type(len(sizes)))
        return cls(len(sizes), place, start.astype(np.int64), by_word)

    def together(self, words: Sequence[str]) -> NDArray[np.int64]:
        """Count the units that hold words i and j, for all i and j; i = j counts word i itself."""
        units = [self._units_of(word) for word in words]
        together = np.zeros((len(words), len(words)), np.int64)
        # Eight words at a time are marked in the bits of a byte for each unit.
        for first in range(0, len(words), _BITS_OF_BYTE.shape[1]):
            marks = np.zeros(self.n_units, np.uint8)
            marked = units[first : first + _BITS_OF_BYTE.shape[1]]
            for bit, found in enumerate(marked):
                marks[found] |= np.uint8(1 << bit)
            for i, found in enumerate(units):
                counts = np.bincount(marks[found], minlength=len(_BITS_OF_BYTE))
                together[i, first : first + len(marked)] = (counts @ _BITS_OF_BYTE)[: len(marked)]
        return together

    def _units_of(self, word: str) -> NDArray[np.unsignedinteger]:
        place = self._place.get(word)
        return (
            self._unit[:0] if place is None else self._unit[slice(*self._start[place : place + 2])]
        )


def spelled_words(sentences: Sequence[str]) -> list[str]:
    """Return the distinct words of a document as they are spelled, in lower case.

    Topics name a word by the most frequent spelling in their document, so their words are looked up
    among these. The paper does not say whether its p(w) counts spellings or stems. On every
    fourth document of Textbook the paper's method has a PMI of 0.55 with spellings and 0.40 with
    stems (paper: 0.62), so spellings are counted.
    """
    forms = tokenize(Document.from_sentences(sentences)).forms
    return list(dict.fromkeys(normal_form(form) for form in forms))


def stemmed(words: Iterable[str]) -> list[str]:
    """Return each word's stem: one name for a word that is spelled in different ways."""
    stems: list[str] = Stemmer("english", 0).stemWords(list(words))
    return stems


def windows(words: Sequence[str], size: int = 20) -> Iterator[Sequence[str]]:
    """Cut the words of a document into windows, each starting in the middle of the previous one.

    With frequencies of windows PMI separates good topics from bad ones, see :func:`pmi`.
    """
    step = max(1, size // 2)
    for start in range(0, max(1, len(words) - size + step), step):
        yield words[start : start + size]


def pmi(topic: Sequence[str], frequencies: DocumentFrequencies, top: int = 10) -> float:
    """Return the mean pointwise mutual information of a topic's `top` first words (eq. 15).

    As printed, p(w) is the share of the dataset's documents that hold w. As in gensim's ``c_uci``
    (Röder et al., "Exploring the Space of Topic Coherence Measures", WSDM 2015) 1e-12 is added to
    p(w_i, w_j), so a pair that never meets costs about 20. A pair with a word that never occurs
    counts 0, and a topic of fewer than two words has no PMI: the result is nan.

    Notes
    -----
    Words of one document always meet in that document, so over whole documents the epsilon never
    matters, no pair is penalized, and bad topics score as well as good ones. The paper's figures
    cannot be of this kind: they fall with the number of words (table 2) and reach -6. They look
    like those of ``c_uci`` with its defaults, over :func:`windows` of a few dozen words;
    frequencies of windows give that reading, with the same function::

        DocumentFrequencies.of_documents(w for words in documents for w in windows(stemmed(words)))
    """
    both = frequencies.together(topic[:top]) / max(1, frequencies.n_units)
    single = both.diagonal()
    return _mean_of_pairs(np.log(both + _EPSILON), np.outer(single, single))


def umass(topic: Sequence[str], sentences: DocumentFrequencies, top: int = 10) -> float:
    """Return UMass on the paper's scale: how likely the better word of a pair implies the other.

    Eq. 16. With p a fraction, the printed sum would be positive for every topic, yet the paper's
    scores run from -6 to -22. That is the scale of gensim's ``u_mass``, which this is: the mean of
    log((p(w_i, w_j) + 1e-12) / p(w_i)) over the pairs i < j, with the document's sentences as
    units. Undefined pairs and topics are treated as in :func:`pmi`.
    """
    both = sentences.together(topic[:top]) / max(1, sentences.n_units)
    given = np.broadcast_to(both.diagonal()[:, None], both.shape)
    return _mean_of_pairs(np.log(both + _EPSILON), given)


def umass_counts(topic: Sequence[str], sentences: DocumentFrequencies, top: int = 10) -> float:
    """Return UMass of counts, eq. 16 with n for p: the mean of log((n(w_i, w_j) + 1) / n(w_i)).

    n is a number of sentences. This is the form of Mimno et al., "Optimizing Semantic Coherence in
    Topic Models", EMNLP 2011, except for the mean in place of the sum, so that short topics compare
    with long ones.
    """
    both = sentences.together(topic[:top])
    given = np.broadcast_to(both.diagonal()[:, None], both.shape).astype(np.float64)
    return _mean_of_pairs(np.log(both + 1.0), given)


def _mean_of_pairs(log_both: NDArray[np.float64], given: NDArray[np.float64]) -> float:
    """Average log_both - log(given) over the pairs i < j; a pair with a given of 0 counts 0."""
    pairs = np.triu_indices(len(log_both), 1)
    if not len(pairs[0]):
        return math.nan
    log_both, given = log_both[pairs], given[pairs]
    known = given > 0
    return float((log_both[known] - np.log(given[known])).sum() / len(known))


def jaccard(a: Collection[str], b: Collection[str]) -> float:
    """Return the share of the words of two topics that they have in common; 0 without any word."""
    a, b = set(a), set(b)
    return len(a & b) / len(a | b) if a or b else 0.0


def dice(a: Collection[str], b: Collection[str]) -> float:
    """Return shared words as a share of the two topics' mean size; 0 without any word."""
    a, b = set(a), set(b)
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else 0.0


def similarities(
    topics: Sequence[Sequence[str]],
    measure: Callable[[Collection[str], Collection[str]], float],
    top: int = 10,
) -> NDArray[np.float64]:
    """Return sim_ij for the `top` first words of each pair of topics, with sim_ii = 0.

    A topic equals itself, but that is not an overlap: with sim_ii = 1 the composites would penalize
    topics that share no word, and the paper prints composites for BATS that equal its plain PMI and
    UMass.
    """
    found = np.zeros((len(topics), len(topics)))
    for i, j in combinations(range(len(topics)), 2):
        found[i, j] = found[j, i] = measure(topics[i][:top], topics[j][:top])
    return found


def mean_similarity(similarity: NDArray[np.float64]) -> float:
    """Return the mean over the pairs of different topics; 0 without any pair."""
    k = len(similarity)
    return float(similarity.sum() / (k * (k - 1))) if k > 1 else 0.0


def composite_pmi(scores: Sequence[float], similarity: NDArray[np.float64]) -> float:
    """Return the mean PMI, each pair of topics penalized by its similarity (eq. 17).

    The sums run over all i and j and are divided by k squared, as printed. Topics without a score
    (nan) are left out.
    """
    both, sim = _pairs(scores, similarity)
    sign = np.where(both >= 0, 1, -1)
    return float((both * (1 - sign * sim) / 2).mean()) if both.size else math.nan


def composite_umass(scores: Sequence[float], similarity: NDArray[np.float64]) -> float:
    """Return the same for UMass, whose scores are negative (eq. 18)."""
    both, sim = _pairs(scores, similarity)
    return float((both * (1 + sim) / 2).mean()) if both.size else math.nan


def _pairs(
    scores: Sequence[float], similarity: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return score_i + score_j and sim_ij for the topics that have a score."""
    values = np.asarray(scores, np.float64)
    known = ~np.isnan(values)
    return np.add.outer(values[known], values[known]), similarity[np.ix_(known, known)]
