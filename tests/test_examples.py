from __future__ import annotations

import json
from pathlib import Path

import pytest

from docbats import PRESETS, analyze
from docbats_lab.metrics.segmentation import paper_window, pk

GOLDEN = Path(__file__).parent / "golden"
EXAMPLES = Path(__file__).parent.parent / "examples"


def test_the_true_segments_tile_the_text(example: Path) -> None:
    text = example.read_text()
    side = json.loads(example.with_suffix(".segments.json").read_text())
    edges = [segment["start"] for segment in side["segments"]] + [len(text)]
    assert edges[0] == 0
    assert [segment["end"] for segment in side["segments"]] == edges[1:]
    assert all(text[edge - 2 : edge] == "\n\n" for edge in edges[1:-1])
    assert all(segment["title"] for segment in side["segments"])
    assert 800 <= len(text.split()) <= 2500


@pytest.mark.parametrize("preset", PRESETS)
def test_the_examples_are_cut_near_where_their_authors_cut_them(preset: str) -> None:
    found, even = [], []
    for example in sorted(EXAMPLES.glob("*.txt")):
        text = example.read_text()
        true = json.loads(example.with_suffix(".segments.json").read_text())["segments"]
        reference = [segment["end"] - segment["start"] for segment in true]
        window = paper_window(reference)
        result = analyze(text, k=len(true), preset=preset)
        lengths = [segment.end - segment.start for segment in result.segments]
        found.append(pk(reference, lengths, window))
        part = len(text) // len(true)
        last = len(text) - part * (len(true) - 1)
        even.append(pk(reference, [part] * (len(true) - 1) + [last], window))
    assert sum(found) < sum(even) / 1.8


@pytest.mark.parametrize("preset", PRESETS)
def test_golden_results(example: Path, preset: str) -> None:
    """Where a change alters these on purpose, delete the file: the next run writes it anew."""
    result = analyze(example.read_text(), k=6, preset=preset)
    found = {
        "segments": [
            {"sentences": list(segment.sentences), "title": segment.title}
            for segment in result.segments
        ],
        "topics": [
            {"label": topic.label, "words": [scored.word for scored in topic.words[:6]]}
            for topic in result.topics
        ],
    }
    path = GOLDEN / f"{example.stem}-{preset}.json"
    if not path.exists():
        path.write_text(json.dumps(found, indent=1) + "\n")
        pytest.fail(f"{path} was missing and is written now: look at it and commit it")
    assert found == json.loads(path.read_text())
