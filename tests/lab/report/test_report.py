from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from docbats.lab.experiments import EXPERIMENTS
from docbats.lab.report import write_report
from docbats.lab.report.markdown import interval, mean, number, spread, table
from docbats.lab.runner import variant_path
from docbats.lab.summary import Difference, Summary

if TYPE_CHECKING:
    from pathlib import Path


def test_cells() -> None:
    assert table(["", "Pk"], [["BATS", "0.3"]]) == "|  | Pk |\n| --- | ---: |\n| BATS | 0.3 |\n"
    assert number(None) == mean(None) == spread(None) == interval(None) == "–"
    assert spread(Summary(0.25, 0.125, 8, 0), 2) == "0.25 ± 0.12"
    assert interval(Difference(-0.1, -0.2, 0.1, 9), 1) == "-0.1 [-0.2, +0.1]"
    assert interval(Difference(-0.1, -0.2, -0.1, 9), 1) == "-0.1 [-0.2, -0.1] *"


def test_without_results_the_index_says_so(tmp_path: Path) -> None:
    (index,) = write_report(tmp_path / "none", tmp_path / "pages")
    assert index.read_text().count("not run") == len(EXPERIMENTS)


def test_failed_and_missing_documents_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "segmentation" / "choi"
    folder.mkdir(parents=True)
    row = {"pk": 0.2, "wd": 0.3, "b": 0.5, "f1": 0.6, "segments": 10}
    rows: dict[str, list[dict[str, Any]]] = {
        "BATS": [{"document": str(i), **row} for i in range(4)],
        "C99": [{"document": "0", **row, "segments": 13}, {"document": "1", "error": "no"}],
    }
    for name, found in rows.items():
        variant_path(folder, name).write_text("".join(json.dumps(r) + "\n" for r in found))
    write_report(tmp_path, tmp_path / "pages")
    page = (tmp_path / "pages" / "segmentation.md").read_text()
    assert "## Choi, 4 documents" in page
    assert "C99 failed on 1 documents. C99 was run on 2 documents." in page
    assert "| C99 | 0.200 ± 0.000 | 0.300 ± 0.000 | 0.14 | 0.15 | 0.500 | 0.600 | 3.0 |" in page
