from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from docbats.lab.experiments import EXPERIMENTS
from docbats.lab.report import write_report
from docbats.lab.report.markdown import NONE, interval, mean, number, spread, table
from docbats.lab.report.wording import score_name
from docbats.lab.runner import variant_path
from docbats.lab.summary import Difference, Summary

if TYPE_CHECKING:
    from pathlib import Path


def write_rows(folder: Path, variants: dict[str, list[dict[str, Any]]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in variants.items():
        variant_path(folder, name).write_text("".join(json.dumps(row) + "\n" for row in rows))


def write_facts(folder: Path, facts: dict[str, Any]) -> None:
    folder.mkdir(parents=True)
    (folder / "facts.json").write_text(json.dumps(facts))


def test_cells() -> None:
    assert table(["", "Pk"], [["BATS", "0.3"]]) == "|  | Pk |\n| --- | ---: |\n| BATS | 0.3 |\n"
    assert number(None) == mean(None) == spread(None) == interval(None) == NONE
    assert spread(Summary(0.25, 0.125, 8, 0), 2) == "0.25 ± 0.12"
    assert interval(Difference(-0.1, -0.2, 0.1, 9), 1) == "-0.1 [-0.2, +0.1]"
    assert interval(Difference(-0.1, -0.2, -0.1, 9), 1) == "-0.1 [-0.2, -0.1] *"


def test_without_results_the_index_says_so(tmp_path: Path) -> None:
    (index,) = write_report(tmp_path / "none", tmp_path / "pages")
    assert index.read_text().count("not run") == len(EXPERIMENTS)


def test_scores_are_named_as_in_the_paper() -> None:
    assert [score_name(s) for s in ("pk", "wd", "umass_dice")] == ["Pk", "WD", "UMass^Dice"]


def test_failed_and_missing_documents_are_named(tmp_path: Path) -> None:
    row = {"pk": 0.2, "wd": 0.3, "b": 0.5, "f1": 0.6, "segments": 10}
    write_rows(
        tmp_path / "segmentation" / "choi",
        {
            "BATS": [{"document": str(i), **row} for i in range(4)],
            "C99": [{"document": "0", **row, "segments": 13}, {"document": "1", "error": "no"}],
        },
    )
    write_report(tmp_path, tmp_path / "pages")
    page = (tmp_path / "pages" / "segmentation.md").read_text()
    assert "## Choi, 4 documents" in page
    assert "C99 failed on 1 documents. C99 was run on 2 documents." in page
    assert "| C99 | 0.200 ± 0.000 | 0.300 ± 0.000 | 0.14 | 0.15 | 0.500 | 0.600 | 3.0 |" in page


def test_time_grows_from_the_shortest_documents(tmp_path: Path) -> None:
    write_rows(
        tmp_path / "runtime-sentences" / "choi",
        {
            "Even (k)": [
                {"document": "a", "sentences": 52, "ms": 2.0},
                {"document": "b", "sentences": 81, "ms": 3.0},
                {"document": "c", "sentences": 79, "ms": 4.0},
                {"document": "d", "error": "no"},
            ]
        },
    )
    write_report(tmp_path, tmp_path / "pages")
    page = (tmp_path / "pages" / "runtime-sentences.md").read_text()
    assert "| Even (k) | 2.0 x1.00 | – | 3.5 x1.75 | – | – | – |" in page


def test_time_grows_from_the_fewest_segments(tmp_path: Path) -> None:
    timed = {10: 4.0, 30: 6.0}
    write_rows(
        tmp_path / "runtime-segments" / "lectures",
        {f"NMF k={k}": [{"document": "a", "sentences": 9, "ms": ms}] for k, ms in timed.items()},
    )
    write_report(tmp_path, tmp_path / "pages")
    page = (tmp_path / "pages" / "runtime-segments.md").read_text()
    (row,) = (line for line in page.splitlines() if line.startswith("| NMF"))
    assert row.startswith("| NMF | 4.0 x1.00 (x1.00) | – | 6.0 x1.50 (x")


def test_methods_may_have_unequal_numbers_of_topics(tmp_path: Path) -> None:
    topics = {"BATS": [["bat", "moth"], ["tea"]], "HDP": [["cup"]]}
    write_facts(
        tmp_path / "example-topics",
        {"examples": [{"dataset": "choi", "document": "0", "topics": topics}]},
    )
    write_report(tmp_path, tmp_path / "pages")
    page = (tmp_path / "pages" / "example-topics.md").read_text()
    assert "| 1 | bat, moth | cup |\n| 2 | tea | – |\n" in page


def test_pictures_already_there_stay_where_results_have_none(tmp_path: Path) -> None:
    write_facts(tmp_path / "distances", {"documents": [{"name": "choi/0", "segments": [3, 4]}]})
    picture = tmp_path / "pages" / "distances-1.png"
    picture.parent.mkdir()
    picture.write_bytes(b"old")
    write_report(tmp_path, tmp_path / "pages")
    assert picture.read_bytes() == b"old"
    (tmp_path / "distances" / "document-1.png").write_bytes(b"new")
    write_report(tmp_path, tmp_path / "pages")
    assert picture.read_bytes() == b"new"
    page = (tmp_path / "pages" / "distances.md").read_text()
    assert "True segments of [3, 4] sentences." in page
    assert "(distances-1.png)" in page
