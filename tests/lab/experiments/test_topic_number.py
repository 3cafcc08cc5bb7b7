"""The experiment on how many topics a text should have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from docbats import analyze
from docbats_lab.experiments import topic_number
from docbats_lab.experiments.request import Request
from docbats_lab.experiments.topic_number import agreement, leave_out

if TYPE_CHECKING:
    from pathlib import Path

SUBJECTS = (
    "The bat hunts moths at night. Its calls reach the moths in the dark.",
    "The tea needs hot water. The leaves of the tea float in the pot.",
    "The judge read the verdict. The court heard the lawyers of the bank.",
)


def test_the_run_and_its_page(tmp_path: Path) -> None:
    for dataset in ("icsi", "wikitext"):
        place = tmp_path / dataset / "one.ref"
        place.parent.mkdir()
        parts = ["\n".join([subject.replace(". ", ".\n")] * 4) for subject in SUBJECTS]
        place.write_text("\n==========\n".join(parts), encoding="utf-8")
    request = Request(tmp_path, tmp_path / "out", ["icsi", "wikitext"], jobs=1)
    topic_number.run(request)
    text = "\n".join(topic_number.page(tmp_path / "out" / "topic-number", tmp_path))
    assert "| always 3 | 1.000 | 1.000 | 1.000 | 3.0 |" in text
    assert "the share chosen on the other sets" in text


def test_topics_that_are_the_sections_agree_with_them() -> None:
    sentences = [s for subject in SUBJECTS for s in subject.replace(". ", ".\n").split("\n") * 4]
    section = np.repeat([0, 1, 2], 8)
    analysis = analyze(sentences, n_topics=3).analysis
    assert agreement(analysis, section) == pytest.approx(1)
    assert agreement(analysis, np.tile([0, 1, 2], 8)) < 0.1


def test_a_share_is_chosen_on_the_other_sets() -> None:
    low, high = (f"singular values of at least {share} of the second" for share in (0.7, 0.75))
    scores = {low: {"a": 0.9, "b": 0.1, "c": 0.5}, high: {"a": 0.1, "b": 0.8, "c": 0.5}}
    assert leave_out(scores, "a") == high
    assert leave_out(scores, "b") == low
