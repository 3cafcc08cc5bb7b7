from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from docbats import Document
from docbats_lab.report.pages import write_report
from docbats_lab.speed import measure as measuring
from docbats_lab.speed.measure import join_to, measure

if TYPE_CHECKING:
    import pytest

EXAMPLE = Path(__file__).parents[3] / "examples" / "article.txt"


def test_a_whole_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "_MIN_GROWTH_SIZE", 100)
    monkeypatch.setattr(measuring, "_SEGMENTS", (2, 4))
    monkeypatch.setattr(measuring, "_COLD_RUNS", 1)
    monkeypatch.setattr(measuring, "_neural", lambda *_: {})
    monkeypatch.setattr(measuring, "_time_processes", lambda _: PROCESSES)  # its own test below
    monkeypatch.setattr(measuring, "MAX_SENTENCES", dict.fromkeys(measuring.MAX_SENTENCES, 60))
    sentences = list(Document.from_text(EXAMPLE.read_text()).sentences)
    documents = {size: join_to(sentences, size) for size in (60, 120, 240)}
    said: list[str] = []
    report = measure(
        documents,
        sentences,
        command="this",
        seconds=0.01,
        max_memory_sentences=120,
        on_progress=said.append,
    )
    json.dumps(report)
    sizes = report["sizes"]
    assert {"docbats, sharp", "docbats, paper", "gensim LSA"} < sizes["60"]["ms"].keys()
    assert "gensim LSA" not in sizes["120"]["ms"]  # it goes no further here
    assert sizes["60"]["ratio"]["sharp"]["docbats, sharp"] == 1
    stages = {"sentences", "tokens", "svd", "cut", "topics", "describe"}
    assert sizes["60"]["stages_ms"]["paper"].keys() >= stages
    assert report["growth"]["sharp"] is not None
    assert report["memory"]["120"]["sharp"]["peak_megabytes"] > 10
    assert report["cold_start"]["ratio"] > 0
    assert report["threads_ms"].keys() == {"1 threads", "2 threads"}
    assert said[0] == "60 sentences"

    (tmp_path / "lab").mkdir()
    (tmp_path / "speed.json").write_text(json.dumps(report))
    write_report(tmp_path / "lab", tmp_path / "pages")
    page = (tmp_path / "pages" / "speed.md").read_text()
    assert "| docbats, sharp | 1 × | 1 × | 1 × |" in page
    assert "nan" not in page


PROCESSES = {"documents_a_second": {"1": 10.0, "2": 19.0}, "ratio": 1.9}


def test_processes_share_the_documents() -> None:
    found = measuring._time_processes("Bats fly. Bats eat. Tea cools. Tea is hot. " * 3, 4)
    assert found["documents_a_second"].keys() == {"1", "2"}
    assert found["ratio"] > 0


def test_sentences_are_repeated_to_size() -> None:
    assert join_to(["a", "b"], 5) == ["a", "b", "a", "b", "a"]
    assert join_to(["a", "b"], 1) == ["a"]
