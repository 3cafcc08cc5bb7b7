from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
TEXTS = {path.stem: path.read_text() for path in (ROOT / "examples").glob("*.txt")}
PAGE = (ROOT / "docs" / "retrieval.md").read_text()


@pytest.fixture
def retrieval() -> Any:
    """The script itself."""
    path = ROOT / "benchmarks" / "retrieval.py"
    spec = importlib.util.spec_from_file_location("retrieval", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["retrieval"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["retrieval"]


def test_every_question_has_its_passage_and_every_paragraph_a_question() -> None:
    rows = json.loads((ROOT / "benchmarks" / "retrieval" / "questions.json").read_text())
    assert len({row["question"] for row in rows}) == len(rows) >= 60
    for row in rows:
        assert TEXTS[row["document"]].count(row["passage"]) == 1
    for name, text in TEXTS.items():
        passages = [row["passage"] for row in rows if row["document"] == name]
        for paragraph in text.strip().split("\n\n"):
            assert any(passage in paragraph for passage in passages)


def test_the_page_on_retrieval_shows_what_was_measured(retrieval: Any) -> None:
    report = json.loads((ROOT / "benchmarks" / "results" / "retrieval.json").read_text())
    assert f"{report['questions']} of our own writing" in PAGE
    for text in (
        retrieval.table(report["results"], "bm25"),
        retrieval.table(report["results"], "tfidf"),
        retrieval.differences(report["results"]),
    ):
        assert text in PAGE


def test_all_splitters_make_chunks_of_the_same_mean_size() -> None:
    report = json.loads((ROOT / "benchmarks" / "results" / "retrieval.json").read_text())
    for rows in report["results"].values():
        assert len({row["chunks"] for row in rows.values()}) == 1
        sizes = [row["mean characters"] for row in rows.values()]
        assert max(sizes) < 1.01 * min(sizes)


def test_bm25_prefers_rare_words_and_short_chunks(retrieval: Any) -> None:
    texts = ["a bat flew", "a bat flew over a house and a hill", "a moth", "a tea"]
    chunks = [retrieval.Chunk("x", 0, len(text), text) for text in texts]
    scores = retrieval.bm25(chunks, "a bat")
    assert scores[0] > scores[1] > scores[2] > 0


def test_intervals_are_those_of_the_books(retrieval: Any) -> None:
    assert retrieval.wilson(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-3)
    assert retrieval.wilson(0, 10)[0] == pytest.approx(0, abs=1e-6)
