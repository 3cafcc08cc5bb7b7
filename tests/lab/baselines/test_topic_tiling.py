from __future__ import annotations

import numpy as np

from docbats_lab.baselines.lda import TOPIC_TILING, TOPIC_TILING_K, coherences, depths, minima
from docbats_lab.methods import prepare

WITH_K, FREE = TOPIC_TILING_K, TOPIC_TILING
FARM, LAW, RAIN = "The horse ate hay.", "The parliament voted.", "Rain fell on roofs."


def test_coherences_of_a_case_worked_by_hand() -> None:
    # Topics by sentence: A, A, AB, B, none. Two before and two behind each gap.
    topics = np.array([[1, 0], [1, 0], [1, 1], [0, 1], [0, 0]], float)
    expected = [
        2 / np.sqrt(1 * 5),  # (1, 0) and (2, 1)
        2 / np.sqrt(4 * 5),  # (2, 0) and (1, 2)
        1 / np.sqrt(5 * 1),  # (2, 1) and (0, 1)
        1,  # nothing behind
    ]
    np.testing.assert_allclose(coherences(topics, 2), expected)


def test_depths_climb_to_the_next_peak_on_both_sides() -> None:
    coherence = np.array([0.5, 0.9, 0.4, 0.2, 0.6, 0.6, 0.3])
    # From 0.2 up to 0.9 on the left and to 0.6 on the right: (0.7 + 0.4) / 2.
    np.testing.assert_allclose(depths(coherence), [0.2, 0, 0.25, 0.55, 0, 0, 0.15])


def test_minima_are_inside_and_the_last_of_equals() -> None:
    assert minima(np.array([0.1, 0.9, 0.2, 0.2, 0.5, 0.4, 0.6, 0.0])).tolist() == [3, 5]
    assert minima(np.array([0.5, 0.5, 0.5, 0.7])).tolist() == []


def test_finds_the_change_of_subject() -> None:
    document = prepare([FARM] * 8 + [LAW] * 6 + [RAIN] * 7)
    assert WITH_K.cut(document, 3, 0) == [0, 8, 14]
    assert FREE.cut(document, 3, 0) == [0, 8, 14]


def test_more_segments_than_minima() -> None:
    starts = WITH_K.cut(prepare([FARM] * 3 + [LAW] * 3), 5, 0)
    assert len(set(starts)) == 5
    assert starts == sorted(starts)
