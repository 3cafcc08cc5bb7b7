from __future__ import annotations

import math
from collections import Counter

from docbats_lab.baselines.lexical import EVEN, NONE, RANDOM
from docbats_lab.methods import prepare

SEVEN = prepare([f"Sentence number {name}." for name in "abcdefg"])


def test_none_leaves_the_document_whole() -> None:
    assert NONE.cut(SEVEN, 4, 0) == [0]


def test_even_parts_by_hand() -> None:
    assert EVEN.cut(SEVEN, 3, 0) == [0, 2, 4]
    assert EVEN.cut(SEVEN, 7, 0) == list(range(7))


def test_every_random_cut_comes_equally_often() -> None:
    cuts = Counter(tuple(RANDOM.cut(SEVEN, 3, seed)) for seed in range(3000))
    assert len(cuts) == math.comb(6, 2)
    assert min(cuts.values()) > 140
    assert max(cuts.values()) < 260
