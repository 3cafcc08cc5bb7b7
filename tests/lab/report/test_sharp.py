from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from docbats_lab.experiments.topic_quality import COMPOSITES
from docbats_lab.report.pages import write_report
from docbats_lab.results import append_rows
from docbats_lab.splits import part_of

if TYPE_CHECKING:
    from pathlib import Path


def write_rows(folder: Path, method: str, rows: dict[str, dict[str, Any]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with append_rows(folder, method) as append:
        for name, row in rows.items():
            append(name, row)


def cut(pk: float, wd: float, segments: int = 4) -> dict[str, Any]:
    return {"pk": pk, "wd": wd, "b": 0.5, "f1": 0.5, "segments": segments}


def sharp_page(results: Path) -> str:
    pages = results / "pages"
    assert pages / "sharp.md" in write_report(results, pages)
    return (pages / "sharp.md").read_text()


def test_halves_and_targets_are_separate(tmp_path: Path) -> None:
    ours = {
        "003": cut(0.32, 0.35),  # out of order, as after a run with --limit
        "000": cut(0.2, 0.25),
        "001": cut(0.31, 0.35),
        "002": cut(0.4, 0.45),
    }
    write_rows(tmp_path / "segmentation" / "textbook", "docbats (k)", ours)
    write_rows(tmp_path / "segmentation" / "textbook", "BATS", {"001": cut(0.4, 0.4)})
    page = sharp_page(tmp_path)
    assert "### Textbook: 2 documents for tuning, 2 held out" in page
    assert (
        "| docbats (k) | 0.300 | 0.350 | 0.500 | 0.315 | 0.350 | 0.500 | 2 / 2 |\n"
        "| target | – | – | – | ≤ 0.315: yes | ≤ 0.325: no | – | – |\n"
        "| BATS | – | – | – | 0.400 | 0.400 | 0.500 | 0 / 1 |\n"
    ) in page
    assert "Compared with docbats: 1. Significantly better: none." in page
    assert "## Topics" not in page


def test_of_wiki_what_is_scored_is_held_out(tmp_path: Path) -> None:
    names = [f"article_{i}" for i in range(100)]
    scored = {f"sections/{name}": cut(0.4, 0.4) for name in names if part_of(name) == "scored"}
    write_rows(tmp_path / "segmentation" / "wiki", "BATS", scored)
    page = sharp_page(tmp_path)
    assert f"### Wiki: 0 documents for tuning, {len(scored)} held out" in page
    assert f"| BATS | – | – | – | 0.400 | 0.400 | 0.500 | 0 / {len(scored)} |" in page
    assert "| target | – | – | – | ≤ 0.345 | ≤ 0.365 | – | – |" in page


@pytest.mark.parametrize(("theirs", "first"), [(0.5, "yes"), (0.2, "no"), (0.25, "no")])
def test_the_error_of_k_and_who_is_first(tmp_path: Path, theirs: float, first: str) -> None:
    folder = tmp_path / "segmentation" / "news"
    names = ["0000", "0001", "0002", "0003"]
    write_rows(folder, "BATS", {name: cut(0.1, 0.1) for name in names})
    found = dict(zip(names, (9, 3, 9, 6), strict=True))  # those held out: 1 and 2 off
    write_rows(folder, "docbats", {n: cut(0.25, 0.25, k) for n, k in found.items()})
    write_rows(folder, "C99", {name: cut(theirs, theirs, 7) for name in names})
    cells = f"| News | 4.0 | 0.250 / 0.250 / 1.5 | – | {theirs:.3f} / {theirs:.3f} / 3.0 | – |"
    assert f"{cells} {first} |" in sharp_page(tmp_path)


def test_without_docbats_nobody_is_first(tmp_path: Path) -> None:
    write_rows(tmp_path / "segmentation" / "choi", "U&I", {"1/3-11/1": cut(0.1, 0.1)})
    page = sharp_page(tmp_path)
    assert "| Choi | – | – | – | – | – | – |" in page  # the true number is unknown, too
    assert "ahead" not in page


def test_topics_of_both_halves(tmp_path: Path) -> None:
    folder = tmp_path / "topic-quality" / "textbook"
    names = ["000", "001", "002", "003"]
    write_rows(folder, "docbats", {n: dict.fromkeys(COMPOSITES, 0.5) for n in names})
    write_rows(folder, "NMF", {n: dict.fromkeys(COMPOSITES, float(n)) for n in names})
    page = sharp_page(tmp_path)
    assert "## Segments" not in page
    assert "| NMF | 1.00 | 1.00 | 1.00 | 1.00 | 2.00 | 2.00 | 2.00 | 2.00 | 2 / 2 |" in page
    assert (
        "Compared with docbats: 1. Significantly better: "
        "NMF (PMI^Jaccard, PMI^Dice, UMass^Jaccard, UMass^Dice)."
    ) in page


def test_the_same_results_give_the_same_bytes(tmp_path: Path) -> None:
    for method, pk in (("docbats (k)", 0.2), ("None", 0.3), ("docbats", 0.3)):
        rows = {f"{i:03}": cut(pk + i / 100, pk) for i in range(9)}
        write_rows(tmp_path / "segmentation" / "textbook", method, rows)
    assert sharp_page(tmp_path) == sharp_page(tmp_path)


def test_failed_documents_do_not_stop_the_page(tmp_path: Path) -> None:
    failed = {f"{i:03}": {"error": "ValueError: no"} for i in range(4)}
    for method in ("docbats (k)", "docbats", "C99"):
        write_rows(tmp_path / "segmentation" / "textbook", method, failed)
    assert "| docbats (k) | – | – | – | – | – | – | 2 / 2 |" in sharp_page(tmp_path)
