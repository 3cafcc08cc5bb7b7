"""The experiment on models of one's own, and where its results are shown."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import TYPE_CHECKING

from tests.fitting.texts import many_short_parts

from docbats_lab.experiments import own_model
from docbats_lab.experiments.own_model import SourceLines, judge, page, run, summary
from docbats_lab.experiments.request import Request
from docbats_lab.results import read_facts

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).parents[3]
FACTS = ROOT / "benchmarks" / "results" / "lab" / "own-model"


def line(number: int, parts: list[list[str]]) -> str:
    blocks: list[dict[str, object]] = []
    for i, part in enumerate(parts):
        blocks.append({"type": "heading", "level": 2, "text": f"Part {i}"})
        texts = (" ".join(part[at : at + 2]) for at in range(0, len(part), 2))
        blocks.extend({"type": "paragraph", "text": text} for text in texts)
    return json.dumps({"id": str(number), "source": "s", "title": "T", "blocks": blocks})


def lines(n: int) -> list[str]:
    return [line(number, parts) for number, parts in enumerate(many_short_parts(n))]


def test_a_source_is_judged_on_documents_that_were_not_fitted_to() -> None:
    found = judge(SourceLines("s", lines(44)))
    assert (found["fitted to"], found["further documents"]) == (22, 22)
    assert found["numbers"]["parts"] > 1.5
    for on in ("left out", "further"):
        assert found[on]["gain"][1] > 0
        assert found[on]["own"][2] > found[on]["default"][2]


def test_a_run_from_files_to_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_model, "_MIN_DOCUMENTS", 44)
    (tmp_path / "sections").mkdir()
    for name, n in (("long", 44), ("short", 9)):
        with lzma.open(tmp_path / "sections" / f"{name}.jsonl.xz", "wt") as file:
            file.write("\n".join(lines(n)))
    run(Request(tmp_path, tmp_path / "out", jobs=1, show_progress=False))
    facts = read_facts(tmp_path / "out" / "own-model")
    assert list(facts["sources"]) == ["long"]
    text = "\n".join(page(tmp_path / "out" / "own-model", tmp_path))
    assert "| 1 sources, written | own model |" in text
    assert "| long | +0." in text


def test_the_pages_show_the_stored_results() -> None:
    text = "\n".join(page(FACTS, FACTS))
    assert (ROOT / "docs" / "lab" / "own-model.md").read_text(encoding="utf-8").endswith(text)
    how_to = (ROOT / "docs" / "howto" / "own-documents.md").read_text(encoding="utf-8")
    facts = read_facts(FACTS)
    assert summary(facts) in how_to
    assert f"On {len(facts['sources'])} English sources" in how_to
