from __future__ import annotations

import math
from collections import Counter

from docbats_lab.baselines.trivial import cut_evenly, cut_nowhere, cut_randomly
from docbats_lab.preparation import prepare

SEVEN = prepare([f"Sentence number {name}." for name in "abcdefg"])


def test_none_leaves_the_document_whole() -> None:
    assert cut_nowhere(SEVEN, 4, 0) == [0]


def test_even_parts_by_hand() -> None:
    assert cut_evenly(SEVEN, 3, 0) == [0, 2, 4]
    assert cut_evenly(SEVEN, 7, 0) == list(range(7))


def test_every_random_cut_comes_equally_often() -> None:
    cuts = Counter(tuple(cut_randomly(SEVEN, 3, seed)) for seed in range(3000))
    assert len(cuts) == math.comb(6, 2)
    assert min(cuts.values()) > 140
    assert max(cuts.values()) < 260
