from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from docbats.matrix import may_be_top

SCORES = st.lists(st.tuples(st.integers(0, 3), st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.5, 9.0])))


@given(SCORES, st.integers(1, 5))
def test_none_of_the_highest_is_missed(scored: list[tuple[int, float]], n: int) -> None:
    group = np.array([g for g, _ in scored], np.int64)
    score = np.array([s for _, s in scored], float)
    found = set(may_be_top(group, score, 4, n).tolist())
    for g in range(4):
        members = np.flatnonzero(group == g)
        # Of equal scores any may be among the highest.
        least = np.sort(score[members])[-n:].min(initial=np.inf)
        assert {int(i) for i in members if score[i] >= least} <= found


def test_most_of_the_others_are_left_out() -> None:
    rng = np.random.default_rng(0)
    found = may_be_top(rng.integers(0, 10, 10_000), rng.random(10_000), 10, 10)
    assert len(found) < 500
