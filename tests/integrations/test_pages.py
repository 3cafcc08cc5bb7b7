from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmarks.retrieval.ranking import bm25
from benchmarks.retrieval.scores import wilson_interval
from benchmarks.retrieval.tables import make_tables
from benchmarks.sections import replace_section

ROOT = Path(__file__).parents[2]
TEXTS = {path.stem: path.read_text() for path in (ROOT / "examples").glob("*.txt")}
PAGE = (ROOT / "docs" / "retrieval.md").read_text()


def test_every_question_has_its_passage_and_every_paragraph_a_question() -> None:
    rows = json.loads((ROOT / "benchmarks" / "retrieval" / "questions.json").read_text())
    assert len({row["question"] for row in rows}) == len(rows) >= 60
    for row in rows:
        assert TEXTS[row["document"]].count(row["passage"]) == 1
    for name, text in TEXTS.items():
        passages = [row["passage"] for row in rows if row["document"] == name]
        for paragraph in text.strip().split("\n\n"):
            assert any(passage in paragraph for passage in passages)


def test_the_page_on_retrieval_shows_what_was_measured() -> None:
    report = json.loads((ROOT / "benchmarks" / "results" / "retrieval.json").read_text())
    assert f"{report['questions']} of our own writing" in PAGE
    tables = make_tables(report["results"])
    assert list(tables) == ["bm25", "tfidf", "differences"]
    assert all(table in PAGE for table in tables.values())


def test_all_splitters_make_chunks_of_the_same_mean_size() -> None:
    report = json.loads((ROOT / "benchmarks" / "results" / "retrieval.json").read_text())
    for rows in report["results"].values():
        assert len({row["chunks"] for row in rows.values()}) == 1
        sizes = [row["mean characters"] for row in rows.values()]
        assert max(sizes) < 1.01 * min(sizes)


def test_bm25_prefers_rare_words_and_short_chunks() -> None:
    chunks = ["a bat flew", "a bat flew over a house and a hill", "a moth", "a tea"]
    (scores,) = bm25(chunks, ["a bat"])
    assert scores[0] > scores[1] > scores[2] > 0


def test_intervals_are_those_of_the_books() -> None:
    assert wilson_interval(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-3)
    assert wilson_interval(0, 10)[0] == pytest.approx(0, abs=1e-6)


def test_a_section_is_replaced_between_its_marks() -> None:
    assert replace_section("one <a>two</a> three", "<a>", "</a>", "2") == "one <a>2</a> three"
