from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from docbats.lab.baselines.topic_tiling import METHODS, coherences, depths, minima
from docbats.lab.preparation import prepare

if TYPE_CHECKING:
    from docbats.lab.method_types import Segmenter

WITH_K, FREE = METHODS
FARM, LAW, RAIN = "The horse ate hay.", "The parliament voted.", "Rain fell on roofs."

ODD = {
    "one sentence": ["Horses eat hay."],
    "no kept word": ["And the.", "Of it.", "Horses."],
    "empty sentences": ["", "Horses eat hay.", "", "Hay feeds horses.", ""],
    "identical": ["Horses eat hay."] * 6,
}


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


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("k", [1, 2, 99])
@pytest.mark.parametrize("name", ODD)
def test_odd_documents_get_a_legal_cut(method: Segmenter, name: str, k: int) -> None:
    document = prepare(ODD[name])
    starts = method.cut(document, k, 0)
    assert starts[0] == 0
    assert starts == sorted(set(starts))
    assert starts[-1] < len(ODD[name])
    assert len(starts) == min(k, len(ODD[name])) or not method.takes_k
    assert starts == method.cut(prepare(ODD[name]), k, 0)
