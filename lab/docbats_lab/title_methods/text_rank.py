"""TextRank and PositionRank: words ranked by walks over the graph of their neighbours.

R. Mihalcea and P. Tarau, "TextRank: Bringing Order into Texts", EMNLP 2004: neighbours stand at
most two words apart, and a phrase is worth the sum of its words.

C. Florescu and C. Caragea, "PositionRank: An Unsupervised Approach to Keyphrase Extraction from
Scholarly Documents", ACL 2017: neighbours stand at most ten words apart, and the walk starts again
at a word with a probability in proportion to the sum of the inverses of its places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats_lab.title_methods.section_phrases import find_section_phrases
from docbats_lab.title_methods.title_method import TitleMethod

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats_lab.title_methods.section_phrases import SectionPhrases
    from docbats_lab.title_methods.title_method import SectionedText

_DAMPING = 0.85
_ROUNDS = 100
_TOLERANCE = 1e-8


def rank_words(
    words: list[str], window: int, *, by_position: bool
) -> tuple[list[str], NDArray[np.float64]]:
    """Return the distinct words, and the share of its time that a walk spends at each."""
    names = list(dict.fromkeys(words))
    place = {name: i for i, name in enumerate(names)}
    number = np.array([place[word] for word in words], np.int64)
    n = len(names)
    graph = np.zeros((n, n))
    for distance in range(1, window):
        np.add.at(graph, (number[:-distance], number[distance:]), 1)
    graph = graph + graph.T
    np.fill_diagonal(graph, 0)
    restart = np.full(n, 1 / n)
    if by_position:
        by_word = np.bincount(number, 1 / np.arange(1, len(number) + 1), n)
        restart = by_word / by_word.sum()
    out = graph.sum(axis=0)
    step = np.divide(graph, out, out=np.zeros_like(graph), where=out > 0)
    rank = np.full(n, 1 / n)
    for _ in range(_ROUNDS):
        new = (1 - _DAMPING) * restart + _DAMPING * (step @ rank + restart * rank[out == 0].sum())
        if np.abs(new - rank).sum() < _TOLERANCE:
            return names, new
        rank = new
    return names, rank


def _best(found: SectionPhrases, window: int, *, by_position: bool) -> list[str]:
    if not found.words:
        return [""]
    names, rank = rank_words([word for _, word in found.words], window, by_position=by_position)
    worth = dict(zip(names, rank.round(12).tolist(), strict=True))
    scores = [sum(worth[word] for word in phrase) for phrase in found.phrases]
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    return [found.spelling[i] for i in order[:2]]


def _text_rank(text: SectionedText) -> list[list[str]]:
    sections = map(find_section_phrases, text.prepared_sections)
    return [_best(found, 2, by_position=False) for found in sections]


def _position_rank(text: SectionedText) -> list[list[str]]:
    sections = map(find_section_phrases, text.prepared_sections)
    return [_best(found, 10, by_position=True) for found in sections]


TEXT_RANK = TitleMethod("TextRank", "Mihalcea & Tarau 2004", _text_rank)
POSITION_RANK = TitleMethod("PositionRank", "Florescu & Caragea 2017", _position_rank)
