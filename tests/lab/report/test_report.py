from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from docbats_lab.experiments import EXPERIMENTS
from docbats_lab.experiments.segmentation import NATURAL
from docbats_lab.experiments.topic_quality import COMPOSITES
from docbats_lab.report.pages import write_report
from docbats_lab.report.tables import (
    NO_VALUE,
    format_difference,
    format_number,
    markdown_table,
    mean_and_deviation_cell,
    mean_cell,
    score_label,
)
from docbats_lab.results import append_rows
from docbats_lab.score_summary import ScoreDifference

if TYPE_CHECKING:
    from pathlib import Path


def write_rows(folder: Path, variants: dict[str, list[dict[str, Any]]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in variants.items():
        with append_rows(folder, name) as append:
            for row in rows:
                append(row["document"], {k: value for k, value in row.items() if k != "document"})


def write_facts(folder: Path, facts: dict[str, Any]) -> None:
    folder.mkdir(parents=True)
    (folder / "facts.json").write_text(json.dumps(facts))


def test_cells() -> None:
    assert (
        markdown_table(["", "Pk"], [["BATS", "0.3"]])
        == "|  | Pk |\n| --- | ---: |\n| BATS | 0.3 |\n"
    )
    assert (
        markdown_table(["", "a"], [["1", "tea"]], numbers=False).splitlines()[1] == "| --- | --- |"
    )
    assert (
        format_number(None)
        == mean_cell({}, "pk")
        == mean_and_deviation_cell({}, "pk")
        == format_difference(None)
        == NO_VALUE
    )
    rows: dict[str, dict[str, Any]] = {
        "a": {"pk": 0.125},
        "b": {"pk": 0.375},
        "c": {"error": "failed"},
    }
    assert mean_cell(rows, "pk") == "0.250"
    assert mean_and_deviation_cell(rows, "pk", 2) == "0.25 ± 0.12"
    assert format_difference(ScoreDifference(-0.1, -0.2, 0.1, 9), 1) == "-0.1 [-0.2, +0.1]"
    assert format_difference(ScoreDifference(-0.1, -0.2, -0.1, 9), 1) == "-0.1 [-0.2, -0.1] *"


def test_without_results_the_index_says_so(tmp_path: Path) -> None:
    (index,) = write_report(tmp_path / "none", tmp_path / "pages")
    # Each experiment has a page, and the preset sharp has one of two of them.
    assert index.read_text().count("not run") == len(EXPERIMENTS) + 1


def test_the_page_of_the_preset_follows_that_of_segmentation(tmp_path: Path) -> None:
    write_rows(tmp_path / "segmentation" / "choi", {"None": [{"document": "1/3-11/0"}]})
    written = write_report(tmp_path, tmp_path / "pages")
    assert [path.name for path in written] == ["segmentation.md", "sharp.md", "README.md"]
    commands = "`docbats lab run segmentation`, `docbats lab run topic-quality`"
    assert f"From {commands}, then `docbats lab report`." in written[1].read_text()
    assert f"(sharp.md) | {commands} | yes |" in written[2].read_text()


def test_scores_are_named_as_in_the_paper() -> None:
    assert [score_label(s) for s in ("pk", "wd", "umass_dice")] == ["Pk", "WD", "UMass^Dice"]
    assert score_label("f1_2") == "F1 within 2"


def test_failed_and_missing_documents_are_named(tmp_path: Path) -> None:
    row = {"pk": 0.2, "wd": 0.3, "b": 0.5, "f1": 0.6, "f1_2": 0.7, "segments": 10}
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
    scores = "0.200 ± 0.000 | 0.300 ± 0.000 | 0.14 | 0.15 | 0.500 | 0.600 | 0.700 | 3.0"
    assert f"| C99 | {scores} |" in page


def test_segmenters_stand_beside_the_docbats_of_their_kind(tmp_path: Path) -> None:
    errors = {"BATS": 0.3, "C99": 0.7, "docbats": 0.5, "docbats (k)": 0.2}
    row = {"b": 0.5, "f1": 0.6, "f1_2": 0.6, "segments": 10}
    write_rows(
        tmp_path / "segmentation" / "choi",
        {m: [{"document": "1/3-11/0", "pk": e, "wd": e, **row}] for m, e in errors.items()},
    )
    write_report(tmp_path, tmp_path / "pages")
    page = (tmp_path / "pages" / "segmentation.md").read_text()
    assert "| – | +0.100 [+0.100, +0.100] * |\n" in page
    assert "| 0.0 | +0.200 [+0.200, +0.200] * |\n" in page
    same = "+0.000 [+0.000, +0.000]"
    assert f"| BATS | +0.100 [+0.100, +0.100] * | {same} | {same} |" in page
    assert f"| C99 | +0.200 [+0.200, +0.200] * | {same} | {same} |" in page
    assert "Compared with docbats: 2. Significantly better: none." in page


def test_results_without_the_newer_score_still_have_a_page(tmp_path: Path) -> None:
    row = {"pk": 0.2, "wd": 0.3, "b": 0.5, "f1": 0.6, "segments": 10}
    write_rows(
        tmp_path / "segmentation" / "choi",
        {method: [{"document": "1/3-11/0", **row}] for method in ("BATS", "docbats (k)")},
    )
    write_report(tmp_path, tmp_path / "pages")
    page = (tmp_path / "pages" / "segmentation.md").read_text()
    assert "| 0.500 | 0.600 | – | – |" in page
    assert "Other kinds" not in page
    assert "Mean over" not in page


def test_other_kinds_of_documents_follow_those_of_the_paper(tmp_path: Path) -> None:
    row = {"pk": 0.25, "wd": 0.3, "b": 0.5, "f1": 0.6, "f1_2": 0.7, "segments": 10}
    methods = ("None", "docbats", "docbats (k)")
    for dataset, document in (("choi", "1/3-11/0"), ("icsi", "Bed002"), ("wikitext", "Du_Fu")):
        write_rows(
            tmp_path / "segmentation" / dataset,
            {method: [{"document": document, **row}] for method in methods},
        )
    write_rows(
        tmp_path / "segmentation" / "structured",
        {
            "docbats": [{"document": name, **row} for name in ("peps/1", "peps/2", "aosa/1")],
            "docbats, paragraphs": [{"document": "peps/1", **row, "pk": 0.15}],
        },
    )
    write_report(tmp_path, tmp_path / "pages")
    page = (tmp_path / "pages" / "segmentation.md").read_text()
    headings = [line for line in page.splitlines() if line.startswith("##")]
    assert headings == [
        "## Choi, 1 documents",
        "## Other kinds of documents",
        "### ICSI, 1 documents",
        "### WikiText, 1 documents",
        "### Structured, 3 documents",
    ]
    others = page[page.index("## Other kinds") :]
    assert "paper's Pk" not in others
    assert "| None | 0.250 ± 0.000 | 0.300 ± 0.000 | 0.500 | 0.600 | 0.700 | 0.0 |" in others
    assert "| docbats, paragraphs | 0.150 ± 0.000 |" in others
    assert "| Bed | 1 | 0.250 / 0.300 / 0.700 |" in others
    scores = "0.250 / 0.300 / 0.700"
    assert f"| peps | 2 | {scores} | 0.150 / 0.300 / 0.700 |\n" in others
    assert f"| aosa | 1 | {scores} | – |\n" in others
    assert "sharp.md" in {path.name for path in (tmp_path / "pages").iterdir()}


def test_means_over_natural_documents(tmp_path: Path) -> None:
    row = {"wd": 0.3, "b": 0.5, "f1": 0.6, "segments": 10}
    for i, dataset in enumerate(NATURAL):
        document = {"textbook": "000", "lectures": "ai/1"}.get(dataset, "x")
        rows = {
            "None": [{"document": document, **row, "pk": i / 10, "f1_2": 0}],
            # A score that some results lack has no mean over all sets.
            "BATS": [{"document": document, **row, "pk": 0.5, **({"f1_2": 0.1} if i else {})}],
        }
        if i:  # a method that was not run on every set is left out
            rows["C99"] = [{"document": document, **row, "pk": 0.5}]
        write_rows(tmp_path / "segmentation" / dataset, rows)
    write_report(tmp_path, tmp_path / "pages")
    page = (tmp_path / "pages" / "segmentation.md").read_text()
    table = page[page.index("## Mean over") : page.index("## Textbook")]
    assert "| None | 0.300 | 0.300 | 0.500 | 0.000 |" in table
    assert "| BATS | 0.500 | 0.300 | 0.500 | – |" in table
    assert "C99" not in table
    assert "Textbook, Lectures, Wiki, AVLectures, ICSI, OpenStax, WikiText" in table


def test_counts_of_other_kinds_stand_below_the_papers(tmp_path: Path) -> None:
    row = {"sentences": 20, "segments": 4, "words": 90, "sparsity": 97.25}
    for dataset in ("textbook", "openstax"):
        write_rows(tmp_path / "statistics" / dataset, {"counts": [{"document": "a", **row}]})
    write_report(tmp_path, tmp_path / "pages")
    page = (tmp_path / "pages" / "statistics.md").read_text()
    ours, others = page.split("## Other kinds of documents")
    assert "| textbook | 1 (227) | 20.0 (136) | 4.0 (4) | 90.0 (3551) | – (2590) |" in ours
    assert "| openstax | 1 | 20.0 | 4.0 | 90.0 | – |" in others
    assert "| structured | 0 | – |" in others


def test_topic_methods_stand_beside_docbats(tmp_path: Path) -> None:
    scores = ("pmi", "umass", "jaccard", "dice", *COMPOSITES)
    write_rows(
        tmp_path / "topic-quality" / "news",
        {
            name: [{"document": "0000", **dict.fromkeys(scores, value)}]
            for name, value in (("NMF", 0.25), ("docbats", 1.0))
        },
    )
    write_report(tmp_path, tmp_path / "pages")
    page = (tmp_path / "pages" / "topic-quality.md").read_text()
    assert "| NMF |" + " -0.75 [-0.75, -0.75] * |" * 4 in page
    assert "Compared with docbats: 1. Significantly better: none." in page


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
        {
            f"{name} k={k}": [{"document": "a", "sentences": 9, "ms": ms}]
            for name in ("NMF", "docbats (k)")  # the paper times the first only
            for k, ms in timed.items()
        },
    )
    write_report(tmp_path, tmp_path / "pages")
    page = (tmp_path / "pages" / "runtime-segments.md").read_text()
    (row,) = (line for line in page.splitlines() if line.startswith("| NMF"))
    assert row.startswith("| NMF | 4.0 x1.00 (x1.00) | – | 6.0 x1.50 (x")
    assert "| docbats (k) | 4.0 x1.00 | – | 6.0 x1.50 | – |" in page


def test_methods_may_have_unequal_numbers_of_topics(tmp_path: Path) -> None:
    topics = {"BATS": [["bat", "moth"], ["tea"]], "HDP": [["cup"]]}
    write_facts(
        tmp_path / "example-topics",
        {"examples": [{"dataset": "choi", "document": "0", "topics": topics}]},
    )
    write_report(tmp_path, tmp_path / "pages")
    page = (tmp_path / "pages" / "example-topics.md").read_text()
    assert "| 1 | bat, moth | cup |\n| 2 | tea | – |\n" in page


def test_documents_beyond_the_figures_follow_them(tmp_path: Path) -> None:
    examples = [
        {"dataset": dataset, "document": "0", "topics": {"BATS": [["bat"]]}}
        for dataset in ("textbook", "news")
    ]
    write_facts(tmp_path / "example-topics", {"examples": examples[:1], "more": examples[1:]})
    write_report(tmp_path, tmp_path / "pages")
    page = (tmp_path / "pages" / "example-topics.md").read_text()
    assert page.index("## Textbook, document 0") < page.index("## News, document 0")


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
