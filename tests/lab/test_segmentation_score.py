from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING

import pytest

from docbats import analyze
from docbats_lab.documents import SegmentedDocument, read_segmented
from docbats_lab.metrics.segmentation import score_segmentation

if TYPE_CHECKING:
    from pathlib import Path


def test_a_perfect_cut_has_no_error() -> None:
    bats = ("Bats hunt moths at night .", "Moths hear bats .", "Bats sleep .", "Bats hunt .")
    tea = ("Tea needs hot water .", "Hot tea cools .", "Tea is hot .")
    document = SegmentedDocument("two", (bats, tea))
    # 12 and 10 words: half of 11 is 5.5, rounded to the even 6, less one.
    errors = dict.fromkeys(("pk", "wd", "pk_sentences", "wd_sentences"), 0)
    perfect = {**errors, "b": 1, "f1": 1, "f1_2": 1}
    assert score_segmentation(document, [0, 4]) == perfect
    assert cut_and_score(document) == perfect
    # Without a boundary the 5 pairs of the 22 - 5 that reach over the true one are wrong.
    assert score_segmentation(document, [0])["pk"] == 5 / 17


@pytest.mark.parametrize(
    ("off", "within_1", "within_2"), [(0, 1, 1), (1, 1, 1), (2, 0, 1), (3, 0, 0), (-2, 0, 1)]
)
def test_a_boundary_is_found_within_one_sentence_or_two(
    off: int, within_1: float, within_2: float
) -> None:
    document = SegmentedDocument("two", (("Bats hunt .",) * 6, ("Tea cools .",) * 5))
    score = score_segmentation(document, [0, 6 + off])
    assert (score["f1"], score["f1_2"]) == (within_1, within_2)


def cut_and_score(document: SegmentedDocument) -> dict[str, float]:
    result = analyze(document.sentences, k=len(document.segments), preset="paper")
    return score_segmentation(document, [segment.sentences[0] for segment in result.segments])


@pytest.mark.data
@pytest.mark.parametrize(
    ("dataset", "documents", "bar"),
    [("textbook", 227, 0.40), ("lectures", 55, 0.38), ("choi", 920, 0.26)],
)
def test_the_paper_preset_reaches_the_papers_range(
    data: Path, dataset: str, documents: int, bar: float
) -> None:
    read = [read_segmented(path) for path in sorted((data / dataset).rglob("*.ref"))]
    assert len(read) == documents
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        scores = list(pool.map(cut_and_score, read, chunksize=16))
    assert sum(score["pk"] for score in scores) / documents <= bar
