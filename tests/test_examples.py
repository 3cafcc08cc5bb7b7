from __future__ import annotations

import json
from pathlib import Path

import pytest

from docbats import analyze
from docbats.lab.metrics.segmentation import paper_window, pk

GOLDEN = Path(__file__).parent / "golden"


def test_the_true_segments_tile_the_text(example: Path) -> None:
    text = example.read_text()
    side = json.loads(example.with_suffix(".segments.json").read_text())
    edges = [segment["start"] for segment in side["segments"]] + [len(text)]
    assert edges[0] == 0
    assert [segment["end"] for segment in side["segments"]] == edges[1:]
    assert all(text[edge - 2 : edge] == "\n\n" for edge in edges[1:-1])
    assert all(segment["title"] for segment in side["segments"])
    assert 800 <= len(text.split()) <= 2500


def test_the_examples_are_cut_near_where_their_author_cut_them(example: Path) -> None:
    text = example.read_text()
    true = json.loads(example.with_suffix(".segments.json").read_text())["segments"]
    reference = [segment["end"] - segment["start"] for segment in true]
    result = analyze(text, k=len(true))
    found = [segment.end - segment.start for segment in result.segments]
    even = [len(text) // len(true)] * (len(true) - 1)
    even.append(len(text) - sum(even))
    window = paper_window(reference)
    assert pk(reference, found, window) < pk(reference, even, window)


def test_golden_results(example: Path) -> None:
    """Where a change alters these on purpose, delete the file: the next run writes it anew."""
    result = analyze(example.read_text(), k=6)
    found = {
        "segments": [
            {"sentences": list(segment.sentences), "title": segment.title}
            for segment in result.segments
        ],
        "topics": [[scored.word for scored in topic.words[:6]] for topic in result.topics],
    }
    path = GOLDEN / f"{example.stem}.json"
    if not path.exists():
        path.write_text(json.dumps(found, indent=1) + "\n")
        pytest.fail(f"{path} was missing and is written now: look at it and commit it")
    assert found == json.loads(path.read_text())
