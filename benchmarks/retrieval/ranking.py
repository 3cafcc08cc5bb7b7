"""Scores of chunks for questions: BM25 and the cosine of tf-idf."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Ranking = Callable[[Sequence[str], Sequence[str]], NDArray[np.float64]]

__all__ = ["RANKINGS"]

K1, B = 1.5, 0.75  # the usual parameters of BM25
_WORD = re.compile(r"\w+")


def find_words(text: str) -> list[str]:
    """Return the words in lower case, as they are."""
    return _WORD.findall(text.lower())


def bm25(chunks: Sequence[str], questions: Sequence[str]) -> NDArray[np.float64]:
    """Score chunks by Okapi BM25, questions by chunks."""
    counts = [Counter(find_words(chunk)) for chunk in chunks]
    lengths = np.array([count.total() for count in counts], float)
    norm = K1 * (1 - B + B * lengths / lengths.mean())
    scores = np.zeros((len(questions), len(chunks)))
    for i, question in enumerate(questions):
        for word in set(find_words(question)):
            frequency = np.array([count[word] for count in counts], float)
            holding = (frequency > 0).sum()
            rarity = math.log(1 + (len(chunks) - holding + 0.5) / (holding + 0.5))
            scores[i] += rarity * frequency * (K1 + 1) / (frequency + norm)
    return scores


def tfidf(chunks: Sequence[str], questions: Sequence[str]) -> NDArray[np.float64]:
    """Score chunks by the cosine of scikit-learn's tf-idf, questions by chunks."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(tokenizer=find_words, token_pattern=None, lowercase=False)
    rows = vectorizer.fit_transform(chunks)
    cosines: NDArray[np.float64] = (vectorizer.transform(questions) @ rows.T).toarray()
    return cosines


RANKINGS: dict[str, Ranking] = {"bm25": bm25, "tfidf": tfidf}
