"""Talk in the forms of many exporters is read as it was written; what looks like it is not talk."""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import TYPE_CHECKING

import pytest

from docbats import Document
from docbats_lab.experiments.request import Request
from docbats_lab.experiments.talk import is_taken_for_talk, page, run, score_sample
from docbats_lab.talk_samples import look_alikes, samples

if TYPE_CHECKING:
    from pathlib import Path

    from docbats_lab.talk_samples import Sample

BY_SHAPE = {shape: list(found) for shape, found in groupby(samples(), lambda each: each.shape)}


@pytest.mark.parametrize("as_file", [False, True], ids=["pasted", "file"])
@pytest.mark.parametrize("shape", BY_SHAPE)
def test_every_turn_is_found_with_its_speaker_and_its_time(shape: str, *, as_file: bool) -> None:
    found = BY_SHAPE[shape]
    assert len(found) >= 3
    scores = {sample.version: score_sample(sample, as_file=as_file) for sample in found}
    assert {name: score.n_right / score.n_turns for name, score in scores.items()} == dict.fromkeys(
        scores, 1.0
    )


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.name)
def test_offsets_of_what_is_pasted_are_those_of_the_text(sample: Sample) -> None:
    document = Document.of(sample.text)
    if sample.text[:1] in "{[s" and document.text != sample.text:
        return  # data, of which only what is said is text
    assert document.text == sample.text
    spans = document.spans.tolist()
    assert all(start < end for start, end in spans)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    for sentence in (document.without_marks(start, end) for start, end in spans):
        assert "-->" not in sentence


@pytest.mark.parametrize("name", look_alikes())
def test_what_looks_like_talk_is_not_taken_for_it(name: str) -> None:
    assert not is_taken_for_talk(look_alikes()[name])


def test_the_page_shows_what_was_read(tmp_path: Path) -> None:
    run(Request(data=tmp_path, output=tmp_path))
    shown = "".join(page(tmp_path / "talk", tmp_path))
    assert "| **all** |" in shown
    assert "0 are taken for talk" in shown
