"""The sentence-word matrix: counts, award (eq. 1), tf-idf, bonding (eq. 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.text.tokens import Tokens
    from docbats.text.words import Words

__all__ = ["SentenceWordCounts", "award", "bond", "count", "tf_idf"]


@dataclass(frozen=True, eq=False)
class SentenceWordCounts:
    """What section 3.1 counts: rows are sentences, columns are kept words.

    Attributes
    ----------
    words
        The kept words, in order of first appearance.
    occurrences
        X^o: how often each word occurs in each sentence.
    nouns_and_verbs
        T: 1 where the word occurs in the sentence as a noun or a verb.
    """

    words: tuple[str, ...]
    occurrences: sparse.csr_array
    nouns_and_verbs: sparse.csr_array


def count(
    words: Words,
    tokens: Tokens,
    is_noun_or_verb: NDArray[np.bool_],
    n_sentences: int,
    min_sentences: int,
) -> SentenceWordCounts:
    """Count the words that occur in at least `min_sentences` sentences (section 3.1)."""
    n_words = max(1, len(words.names))
    cell, first, occurrences = np.unique(
        tokens.sentence[words.token] * n_words + words.word, return_inverse=True, return_counts=True
    )
    tagged = np.bincount(first, weights=is_noun_or_verb[words.token], minlength=len(cell)) > 0
    sentence, word = np.divmod(cell, n_words)
    kept = np.bincount(word, minlength=len(words.names)) >= min_sentences
    column = np.cumsum(kept) - 1
    used = kept[word]
    index = (sentence[used], column[word[used]])
    shape = (n_sentences, int(kept.sum()))
    return SentenceWordCounts(
        words=tuple(name for name, keep in zip(words.names, kept.tolist(), strict=True) if keep),
        occurrences=sparse.csr_array((occurrences[used].astype(float), index), shape=shape),
        nouns_and_verbs=sparse.csr_array((tagged[used].astype(float), index), shape=shape),
    )


def award(counts: SentenceWordCounts, lambda_: float) -> sparse.csr_array:
    """Eq. 1: X^a = X^o + λT."""
    return counts.occurrences + lambda_ * counts.nouns_and_verbs


def tf_idf(X_a: sparse.csr_array) -> sparse.csr_array:
    """F: the tf-idf of X^a, a sentence standing for a document.

    As in the book that the paper cites (Rajaraman & Ullman 2011, section 1.3.1): term frequency is
    relative to the most frequent word of the sentence, and the inverse document frequency is
    log2(m / number of sentences with the word).
    """
    if X_a.nnz == 0:
        return X_a
    largest = X_a.max(axis=1).toarray()
    in_sentences = X_a.count_nonzero(axis=0)
    idf = np.log2(X_a.shape[0] / np.maximum(in_sentences, 1))
    tf = sparse.diags_array(1 / np.where(largest > 0, largest, 1)) @ X_a
    return (tf @ sparse.diags_array(idf)).tocsr()


def bond(X_a: sparse.csr_array, w: int, d: float) -> sparse.csr_array:
    """Eq. 2: X_i = sum of d^|l - i| X^a_l over the sentences l within w of i."""
    m = X_a.shape[0]
    reach = min(w, m - 1) if d > 0 else 0
    steps = range(-reach, reach + 1)
    weights = [np.full(m - abs(step), float(d) ** abs(step)) for step in steps]
    return (sparse.diags_array(weights, offsets=list(steps), shape=(m, m)) @ X_a).tocsr()
