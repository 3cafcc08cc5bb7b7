from __future__ import annotations

import json
from pathlib import Path

from benchmarks import rag_peers
from benchmarks.sections import replace_section

import docbats
from docbats_lab.experiments.retrieval import page

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results"
PAGE = (ROOT / "docs" / "retrieval.md").read_text()


def test_the_page_on_retrieval_shows_what_was_measured() -> None:
    for ranking in ("bm25", "minilm"):
        facts = json.loads((RESULTS / "lab" / "retrieval" / ranking / "facts.json").read_text())
        mean = facts["differences"]["LangChain recursive"]["mean"]["recall at 2000"]
        lead, low, high = (100 * value for value in mean)
        assert f"{lead:+.1f} ({low:.1f} to {high:.1f})" in PAGE
        assert facts["command"] in PAGE


def test_the_laboratory_page_shows_the_stored_results(tmp_path: Path) -> None:
    text = "\n".join(page(RESULTS / "lab" / "retrieval", tmp_path))
    assert text in (ROOT / "docs" / "lab" / "retrieval.md").read_text()


def test_the_page_shows_the_measured_speed() -> None:
    report = json.loads((RESULTS / "chunk-speed.json").read_text())
    times = report["times as long per megabyte"]
    page = " ".join(PAGE.split())
    assert f"{times['cluster']:,.0f} (the cluster chunker) to {times['Kamradt']:,.0f} times" in page
    assert f"{times['chonkie semantic, vectors for nothing']:.1f} times our time" in page
    for seconds in report["seconds per megabyte of docbats by megabytes"].values():
        assert f"{seconds:.2f} " in page
    assert report["command"].partition(" --")[0] in page


def test_a_section_is_replaced_between_its_marks() -> None:
    assert replace_section("one <a>two</a> three", "<a>", "</a>", "2") == "one <a>2</a> three"


def test_the_page_on_rag_shows_what_was_measured() -> None:
    page = (ROOT / "docs" / "rag.md").read_text()
    report = json.loads((RESULTS / "rag-peers.json").read_text())
    assert report["command"] in page
    answers = {True: "yes", False: "no"}
    for name, found in report["splitters"].items():
        ids = answers[found["ids are the same in two runs"]] if found["has ids"] else "none"
        cells = (
            name, found["version"], f"{found['largest']:,}",
            f"{found['of these with their header']} of {found['chunks with rows']}",
            found["rows that were cut"], answers[found["offsets are exact"]],
            answers[found["has headings"]], ids,
        )  # fmt: skip
        assert f"| {' | '.join(map(str, cells))} |" in page


def test_docbats_does_with_the_document_what_the_page_says() -> None:
    report = json.loads((RESULTS / "rag-peers.json").read_text())
    assert {"version": docbats.__version__, **rag_peers.facts(rag_peers.by_docbats)} == report[
        "splitters"
    ]["docbats"]
