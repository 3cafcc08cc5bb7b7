"""What is indexed beside a chunk, on corpora of our own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from docbats_lab.experiments.request import Request
from docbats_lab.retrieval.scores import IndexedChunk

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "Bats hunt moths at night. Moths hear bats. Tea needs hot water. Hot tea cools. Bats sleep. "


def test_sentences_around_a_chunk() -> None:
    from docbats_lab.experiments.retrieval_context import Corpus, sentences_around

    text = "One. Two. Three. Four. Five."
    corpus = Corpus(text, [4, 9, 16, 22, 28], [])
    chunk = IndexedChunk("a", 10, 16, "Three.")
    for before, after, expected in (
        (0, 0, ("", "")),
        (1, 0, (" Two. ", "")),
        (1, 1, (" Two. ", " Four.")),
        (2, 2, ("One. Two. ", " Four. Five.")),
        (9, 9, ("One. Two. ", " Four. Five.")),
    ):
        found = sentences_around(corpus, chunk, before, after)
        assert tuple(part.strip() for part in found) == tuple(part.strip() for part in expected)
    assert sentences_around(corpus, IndexedChunk("a", 0, 28, text), 3, 3) == ("", "")


@pytest.mark.neural
@pytest.mark.integrations("langchain_text_splitters", "langchain")
def test_the_best_on_two_corpora_is_tried_on_the_third(tmp_path: Path) -> None:
    from docbats_lab.experiments import retrieval_context

    rows = []
    for name in ("one", "two", "three"):
        (tmp_path / f"{name}.md").write_text(TEXT * 20, encoding="utf-8")
        rows.append({"corpus": name, "question": "What does tea need?", "spans": [[43, 63]]})
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "questions.jsonl").write_text(lines, encoding="utf-8")
    retrieval_context.run(Request(data=tmp_path, output=tmp_path))
    facts = json.loads((tmp_path / "retrieval-context" / "facts.json").read_text())
    for corpus, chosen in facts["chosen"].items():
        others = [
            {name: score for name, score in row.items() if name != corpus}
            for row in facts["recall"].values()
        ]
        best = facts["recall"][chosen["costs"]]
        best_mean = sum(score for name, score in best.items() if name != corpus)
        assert best_mean == pytest.approx(max(sum(other.values()) for other in others), abs=1e-3)
    text = "\n".join(retrieval_context.page(tmp_path / "retrieval-context", tmp_path))
    assert "| title of the segment |" in text
