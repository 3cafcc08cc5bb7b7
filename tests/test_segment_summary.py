"""The sentence under each segment."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import docbats
from docbats.describe import SegmentSummaries, find_prose

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.mark.parametrize("name", ["annual-report", "article", "how-to", "lecture"])
def test_a_sentence_of_the_segment_that_stands_alone(name: str) -> None:
    result = docbats.analyze((EXAMPLES / f"{name}.txt").read_text(encoding="utf-8"))
    for segment in result.segments:
        inside = [" ".join(s.split()) for s in result.document.sentences[slice(*segment.sentences)]]
        assert segment.summary in inside
        assert segment.summary.rstrip('"”’').endswith((".", "!"))
        first = segment.summary.split()[0].lower().strip(",")
        assert first not in {"it", "this", "they", "he", "she", "however", "but", "these"}


def test_what_points_back_is_passed_over() -> None:
    text = (
        "This harbour of theirs silts up in the harbour, and the silt of the harbour stays. "
        "In either case the silt of the harbour is dug out of the harbour each spring. "
        "Dredgers dig the silt out of the harbour in spring."
    )
    (segment,) = docbats.analyze(text, k=1, min_sentences=1).segments
    assert segment.summary == "Dredgers dig the silt out of the harbour in spring."


def test_code_and_headings_are_no_summary() -> None:
    source = (
        "# Harbour\n\n```\nharbour = harbour(harbour)\n```\n\nThe harbour is deep enough now.\n"
    )
    document = docbats.Document.read(source.encode(), name="a.md")
    (segment,) = docbats.analyze(document, k=1, min_sentences=1).segments
    assert segment.summary == "The harbour is deep enough now."
    only_code = docbats.Document.read(b"```\nharbour = 1\n```\n", name="a.md")
    assert docbats.analyze(only_code, k=1).segments[0].summary == ""


def test_in_short_is_made_of_them() -> None:
    result = docbats.analyze((EXAMPLES / "lecture.txt").read_text(encoding="utf-8"))
    summaries = {segment.summary for segment in result.segments}
    for n in range(1, len(result.segments) + 1):
        assert {" ".join(s.text.split()) for s in result.summary(n)} <= summaries
    longer = [" ".join(s.text.split()) for s in result.summary(len(summaries) + 3)]
    assert summaries <= set(longer)
    assert len(longer) == len(summaries) + 3


def test_it_is_in_every_output() -> None:
    result = docbats.analyze((EXAMPLES / "how-to.txt").read_text(encoding="utf-8"))
    values = json.loads(result.to_json())["segments"]
    assert [value["summary"] for value in values] == [s.summary for s in result.segments]
    assert all(value["summary"][:40] in result.to_html() for value in values)


@given(st.integers(0, 200))
def test_equals_the_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    words = ["harbour", "silt", "quay", "ship", "crane", "tide"]
    sentences = [
        " ".join([*rng.choice(words, size=rng.integers(1, 9)), "again."]).capitalize()
        for _ in range(12)
    ]
    result = docbats.analyze(sentences, k=1, min_sentences=1)
    F = result.analysis.F
    starts = np.array(sorted({0, *rng.integers(0, 12, 2).tolist()}))
    X = F.toarray()
    unit = X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-300)
    total = unit.sum(axis=0)
    document = result.document
    found = SegmentSummaries(document, F.tocsc()).choose(starts)
    assert find_prose(document).all()
    for place, (start, end) in enumerate(zip(starts, [*starts[1:], 12], strict=True)):
        own = unit[start:end].sum(axis=0)
        value = unit[start:end] @ (own / max(np.linalg.norm(own), 1e-300))
        value += unit[start:end] @ (total / max(np.linalg.norm(total), 1e-300))
        size = np.array([len(s.split()) for s in sentences[start:end]])
        value *= np.minimum(1, size / 8)
        value[0] *= 1.25
        chosen = found[place]
        assert chosen is not None
        assert value[chosen.sentence - start] == pytest.approx(value.max())


def test_it_has_no_marks_of_markdown(tmp_path: Path) -> None:
    path = tmp_path / "bats.md"
    path.write_text(
        "# Bats\n\nBats *fly* at `night` and **hunt** [moths](http://example.org) by ear.\n",
        encoding="utf-8",
    )
    (segment,) = docbats.analyze(docbats.Document.read(path)).segments
    assert segment.summary == "Bats fly at night and hunt moths by ear."
