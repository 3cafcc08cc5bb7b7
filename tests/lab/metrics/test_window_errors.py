from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics import pk as nltk_pk
from nltk.metrics import windowdiff as nltk_windowdiff

from docbats_lab.metrics.segmentation import paper_window, pk, window_diff

lengths = st.lists(st.integers(1, 9), min_size=2, max_size=8)


def boundary_string(segments: list[int]) -> str:
    """As nltk wants it: a 1 on the last unit of each segment but the last."""
    marks = "".join("0" * (length - 1) + "1" for length in segments)
    return marks[:-1] + "0"


@given(lengths, st.data())
def test_agree_with_nltk_given_the_window(reference: list[int], data: st.DataObject) -> None:
    total = sum(reference)
    marks = sorted(data.draw(st.sets(st.integers(1, total - 1), max_size=6)))
    edges = [0, *marks, total]
    hypothesis = [b - a for a, b in pairwise(edges)]
    window = data.draw(st.integers(1, total - 1))
    ref, hyp = boundary_string(reference), boundary_string(hypothesis)
    # nltk slides its window over N - window + 1 places and looks at `window` units, so that its
    # k counts one more pair than eq. 19; the pairs that both count are those of window + 1 units.
    expected_pk = sum(
        ("1" in ref[i : i + window]) != ("1" in hyp[i : i + window]) for i in range(total - window)
    ) / (total - window)
    expected_wd = sum(
        ref[i : i + window].count("1") != hyp[i : i + window].count("1")
        for i in range(total - window)
    ) / (total - window)
    assert pk(reference, hypothesis, window) == pytest.approx(expected_pk)
    assert window_diff(reference, hypothesis, window) == pytest.approx(expected_wd)
    places = total - window + 1
    assert nltk_pk(ref, hyp, window) == pytest.approx(
        (expected_pk * (total - window) + _last(ref, hyp, window, counted=False)) / places
    )
    assert nltk_windowdiff(ref, hyp, window) == pytest.approx(
        (expected_wd * (total - window) + _last(ref, hyp, window, counted=True)) / places
    )


def _last(ref: str, hyp: str, window: int, *, counted: bool) -> int:
    """What nltk finds in its last place, which reaches over the end of the text."""
    a, b = ref[-window:].count("1"), hyp[-window:].count("1")
    return int(a != b) if counted else int((a > 0) != (b > 0))


def test_worked_by_hand() -> None:
    # words 0 0 0 1 1 1 against 0 0 1 1 1 1, two apart: pairs 02 13 24 35.
    assert pk([3, 3], [2, 4], 2) == 2 / 4  # 02 and 24 differ
    assert window_diff([3, 3], [2, 1, 3], 2) == 1 / 4 + 1 / 4  # 02: 0 and 1; 13: 1 and 2
    assert pk([3, 3], [3, 3], 2) == window_diff([3, 3], [3, 3], 2) == 0


def test_the_window_is_half_a_segment_less_one() -> None:
    assert paper_window([20, 40]) == 14
    assert paper_window([1, 1]) == 1


@pytest.mark.parametrize(("hypothesis", "window"), [([2, 3], 1), ([2, 2], 0), ([2, 2], 4)])
def test_what_does_not_compare_is_refused(hypothesis: list[int], window: int) -> None:
    with pytest.raises(ValueError, match=r"cannot compare|window must be"):
        pk([2, 2], hypothesis, window)
    assert math.isfinite(pk([2, 2], [1, 3], 1))
