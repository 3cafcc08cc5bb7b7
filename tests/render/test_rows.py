from __future__ import annotations

import csv
import io

import pytest

import docbats
from docbats.render.rows import to_csv

TEXTS = {
    "plain": "Bats hunt moths. Moths hear bats. Tea needs water. Hot tea, hot water.",
    "quotes": 'Bats "hunt" moths. Moths, too, hear bats. Tea needs water. Hot water.',
    "lines": "Bats hunt\nmoths. Moths\n\nhear bats. Tea needs\n\n\nwater. Hot water.",
    "crlf": "Bats hunt\r\nmoths. Moths hear\r\nbats. Tea needs water.\r\nHot water.\r\n",
    "cr": "Bats hunt\rmoths. Moths hear\rbats. Tea needs water.\rHot water.\r",
    "control": "Bats\0hunt moths\x1b[2J. Moths hear bats. Tea needs water.\x0b Hot water.\u2028",
    "space": "   Bats hunt moths. Moths hear bats. Tea needs water. Hot water.   ",
    "scripts": "蝙蝠捕食飞蛾。飞蛾听见蝙蝠。热茶需要热水。热茶会凉。",
}


def _rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("k", [1, 2])
def test_rows_read_back_as_the_segments(name: str, k: int) -> None:
    text = TEXTS[name]
    result = docbats.analyze(text, k=k)
    rows = _rows(to_csv([(name, result)]))
    assert len(rows) == k
    assert "".join(row["text"] for row in rows) == text
    for number, (row, segment) in enumerate(zip(rows, result.segments, strict=True)):
        assert row["source"] == name
        assert row["segment"] == str(number)
        assert row["text"] == text[int(row["start"]) : int(row["end"])] == segment.text
        assert (int(row["first_sentence"]), int(row["end_sentence"])) == segment.sentences
        assert row["title"] == segment.title
        topic = segment.topic
        assert row["topic"] == ("" if topic is None else str(topic))
        assert row["topic_label"] == ("" if topic is None else result.topics[topic].label)


def test_several_results_share_one_head() -> None:
    results = [(name, docbats.analyze(text, k=2)) for name, text in TEXTS.items()]
    rows = _rows(to_csv(results))
    assert [row["source"] for row in rows] == [name for name in TEXTS for _ in range(2)]


def test_segment_without_topic_leaves_its_columns_empty() -> None:
    (row,) = _rows(to_csv([("short", docbats.analyze("Bats.", k=1, title_threshold=0))]))
    assert (row["topic"], row["topic_label"], row["title"]) == ("", "", "Bats")


def test_no_cell_is_a_formula() -> None:
    text = "=cmd|calc bats fly. +Tea is hot. @bats hunt moths. -Tea cools. Bats sleep."
    result = docbats.analyze(text, k=5)
    rows = _rows(to_csv([("=x", result)]))
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
