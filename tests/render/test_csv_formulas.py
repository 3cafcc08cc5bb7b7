from __future__ import annotations

import csv
import io

import docbats
from docbats.render.segments_csv import to_csv


def test_no_cell_is_a_formula() -> None:
    text = "=cmd|calc bats fly. +Tea is hot. @bats hunt moths. -Tea cools. Bats sleep."
    result = docbats.analyze(text, k=5)
    rows = list(csv.DictReader(io.StringIO(to_csv([("=x", result)]))))
    assert [row["source"] for row in rows] == ["'=x"] * 5
    texts = [row["text"] for row in rows]
    assert [text[0] for text in texts] == ["'", "'", "'", "'", "B"]
    assert "".join(text.removeprefix("'") for text in texts) == text
    assert all(row["start"].isdecimal() for row in rows)


def test_segments_of_blanks_have_a_title() -> None:
    sentences = ["tea ship bat", "tea ship cup", "", ""]
    for preset in ("paper", "sharp"):
        result = docbats.analyze(sentences, k=4, preset=preset, min_sentences=1)
        assert all(segment.title for segment in result.segments)
