"""The comparison of splitters, on a corpus of our own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from docbats.errors import InputError
from docbats_lab.experiments.request import Request
from docbats_lab.retrieval.scores import (
    IndexedChunk,
    Question,
    bm25,
    read_retrieval_set,
    score_retrieved,
    take_characters,
    take_top,
)
from docbats_lab.score_summary import bootstrap

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "# Bats\n\nBats hunt moths at night.\n\n# Tea\n\nTea needs hot water and a cup.\n"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "ours.md").write_text(TEXT * 20, encoding="utf-8")
    start = TEXT.index("Tea needs")
    row = {"corpus": "ours", "question": "What does tea need?", "spans": [[start, start + 19]]}
    (tmp_path / "questions.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    return tmp_path


def test_measures_count_characters() -> None:
    question = Question("a", "?", ((10, 20), (30, 40)))
    scores = score_retrieved(question, [("a", 15, 35), ("b", 0, 20)])
    assert scores.recall == 10 / 20
    assert scores.precision == 10 / 40
    assert scores.iou == 10 / (20 + 40 - 10)


def test_what_is_taken() -> None:
    chunks = [IndexedChunk("a", 0, 30, ""), IndexedChunk("a", 30, 50, "")]
    assert take_characters(chunks, [1, 0], 25) == [("a", 30, 50), ("a", 0, 5)]
    assert take_top(chunks, [1, 0], 1) == [("a", 30, 50)]


def test_bm25_prefers_rare_words() -> None:
    scores = bm25(["bats fly", "bats and tea", "bats sleep"], ["tea for bats"])
    assert scores.argmax() == 1
    assert (scores > 0).all()


def test_intervals_hold_the_mean() -> None:
    mean, low, high = bootstrap([np.array([0.0, 1.0, 1.0, 0.5])], 0)
    assert low <= mean <= high
    assert bootstrap([np.ones(5)], 0) == [1.0, 1.0, 1.0]


def test_a_folder_without_questions(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there are no questions"):
        read_retrieval_set(tmp_path)


def test_a_corpus_without_a_text(data: Path) -> None:
    (data / "ours.md").unlink()
    with pytest.raises(InputError, match=r"expected ours\.md or ours\.txt"):
        read_retrieval_set(data)


@pytest.mark.neural
@pytest.mark.integrations("langchain_text_splitters", "langchain")
def test_the_run_and_its_page(data: Path, tmp_path: Path) -> None:
    from docbats_lab.experiments import retrieval
    from docbats_lab.experiments.retrieval import page

    output = tmp_path / "out"
    methods = ["BM25", "docbats", "fixed", "sentences", "paragraphs"]
    retrieval.run(Request(data=data, output=output, methods=methods))
    facts = json.loads((output / "retrieval" / "bm25" / "facts.json").read_text())
    assert facts["questions"] == {"ours": 1}
    assert set(facts["differences"]) == {
        "docbats", "fixed", "sentences", "paragraphs", "LangChain recursive",
    }  # fmt: skip
    text = "\n".join(page(output / "retrieval", tmp_path))
    assert "## By BM25" in text
    assert "| paragraphs | 100 |" in text


@pytest.mark.neural
@pytest.mark.integrations("langchain_text_splitters", "langchain")
def test_other_costs_are_chosen_on_one_corpus_and_tried_on_the_others(tmp_path: Path) -> None:
    from docbats_lab.experiments import retrieval

    rows = []
    for name in ("one", "two"):
        (tmp_path / f"{name}.md").write_text(TEXT * 20, encoding="utf-8")
        rows.append({"corpus": name, "question": "What does tea need?", "spans": [[45, 64]]})
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "questions.jsonl").write_text(lines, encoding="utf-8")
    retrieval.run_settings(Request(data=tmp_path, output=tmp_path))
    facts = json.loads((tmp_path / "retrieval-settings" / "facts.json").read_text())
    assert retrieval.DEFAULT in facts["recall"]
    for corpus, chosen in facts["chosen"].items():
        recall = {name: row[corpus] for name, row in facts["recall"].items()}
        assert recall[chosen["costs"]] == max(recall.values())
        mean, low, high = chosen["gain on the others"]
        assert low <= mean <= high
    text = "\n".join(retrieval.settings_page(tmp_path / "retrieval-settings", tmp_path))
    assert f"| {retrieval.DEFAULT} |" in text


@pytest.mark.neural
@pytest.mark.integrations("chonkie", "chonkie")
def test_the_semantic_chunker_makes_chunks_of_the_size_asked_for() -> None:
    from docbats_lab.retrieval.splitters import chonkie_semantic, count_tokens

    parts = ["Bats hunt moths at night. Moths hear the bats.", "Tea needs hot water. It cools."]
    text = " ".join(parts * 40)
    few, many = (len(chonkie_semantic(text, size)) for size in (200, 40))
    assert few < many
    assert abs(few - count_tokens(text) / 200) <= 3
