from __future__ import annotations

import gzip
import json
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from docbats import SettingsError
from docbats.cli import main
from docbats_lab.experiments import EXPERIMENTS, topic_quality
from docbats_lab.experiments.request import Request
from docbats_lab.method_registry import SEGMENTERS, TOPIC_METHODS
from docbats_lab.report.pages import write_report
from docbats_lab.report.tables import paper_tables
from docbats_lab.results import read_rows
from docbats_lab.splits import is_held_out

if TYPE_CHECKING:
    from pathlib import Path

TOPIC_BASELINES = {"LDA", "HDP", "LSA", "pLSA", "NMF", "SeaNMF"}
SEGMENTATION_BASELINES = {
    "TextTiling", "C99", "LDA_MDP", "TopicTiling", "SupervisedSeg", "BERTSeg",
}  # fmt: skip


def test_all_twelve_baselines_and_the_trivial_ones_stand_beside_bats() -> None:
    assert {*TOPIC_BASELINES, "BATS"} <= TOPIC_METHODS.keys()
    assert {*SEGMENTATION_BASELINES, "BATS", "None", "Even (k)", "Random (k)"} <= SEGMENTERS.keys()
    assert all(method.citation for method in TOPIC_METHODS.values())
    assert all(method.citation for method in SEGMENTERS.values())


def test_every_printed_row_has_a_method() -> None:
    for rows in paper_tables()["table3"].values():
        assert rows.keys() == {*TOPIC_BASELINES, "BATS"}
    for rows in paper_tables()["table4"].values():
        assert rows.keys() == {*SEGMENTATION_BASELINES, "BATS"}


def test_printed_figures_are_whole() -> None:
    tables = paper_tables()
    assert [len(tables[f"table{i}"]) for i in range(1, 8)] == [6, 4, 5, 6, 13, 6, 3]
    assert all(len(row) == 8 for rows in tables["table3"].values() for row in rows.values())
    assert tables["table4"]["choi"]["BATS"] == {"pk": [0.22, 0.103], "wd": [0.23, 0.109]}


def test_lab_lists_its_experiments() -> None:
    output = CliRunner().invoke(main, ["lab", "run"]).output
    assert all(name in output for name in EXPERIMENTS)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "no-such"], "choose from statistics"),
        (["run", "statistics", "--data", "/no/such/folder"], "does not exist"),
    ],
)
def test_lab_says_what_to_do_instead(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(main, ["lab", *arguments])
    assert result.exit_code == 2
    assert message in result.output


@pytest.mark.data
@pytest.mark.parametrize("name", [name for name in EXPERIMENTS if name not in ("readers", "zoo")])
def test_every_experiment_runs_on_a_slice(name: str, data: Path, tmp_path: Path) -> None:
    # Times are taken many times over, so that they are slow to take even of one document.
    timed = {"runtime-sentences": "choi", "runtime-segments": "lectures"}
    some = {
        "retrieval": ["BM25", "docbats", "fixed"],
        "titles": ["YAKE", "RAKE", "tf-idf"],
        "runtime-segments": [
            f"{name} k={k}" for name in ("LSA", "BATS", "docbats (k)") for k in (10, 50)
        ],
    }
    request = Request(
        data=data,
        output=tmp_path / "results",
        limit=1 if name in timed or name == "speed" else 2,
        datasets=["chatlogs" if name == "retrieval" else timed.get(name, "textbook")],
        methods=some.get(name),  # some are enough where all would take a minute
    )
    EXPERIMENTS[name].run(request)
    rows = [
        json.loads(line)
        for path in (tmp_path / "results" / name).rglob("*.jsonl.gz")
        for line in gzip.decompress(path.read_bytes()).splitlines()
    ]
    assert [row for row in rows if "error" in row] == []
    pages = write_report(tmp_path / "results", tmp_path / "pages")
    assert (tmp_path / "pages" / f"{name}.md") in pages
    assert "nan" not in (tmp_path / "pages" / f"{name}.md").read_text()


@pytest.mark.data
def test_paragraphs_are_used_on_structured_documents_only(data: Path, tmp_path: Path) -> None:
    methods = ["None", "docbats (k)", "docbats (k), paragraphs"]
    datasets = ["wikitext", "structured"]
    run = EXPERIMENTS["segmentation"].run
    run(Request(data, tmp_path, datasets=datasets, methods=methods, limit=2))
    found = {d: sorted(p.name for p in (tmp_path / "segmentation" / d).iterdir()) for d in datasets}
    flat = ["docbats-k.jsonl.gz", "meta.json", "none.jsonl.gz"]
    assert found["wikitext"] == flat
    assert found["structured"] == sorted([*flat, "docbats-k-paragraphs.jsonl.gz"])
    rows = read_rows(tmp_path / "segmentation" / "structured", "docbats (k), paragraphs")
    assert len(rows) == 2
    assert all({"pk", "wd", "f1", "f1_2"} <= row.keys() for row in rows.values())
    run(Request(data, tmp_path, datasets=["icsi"], methods=methods[2:], limit=1))
    assert not (tmp_path / "segmentation" / "icsi").exists()


def test_methods_and_datasets_of_segmentation_are_checked(tmp_path: Path) -> None:
    run = EXPERIMENTS["segmentation"].run
    with pytest.raises(SettingsError, match="unknown method 'X': choose from None, "):
        run(Request(tmp_path, tmp_path, methods=["X"]))
    with pytest.raises(SettingsError, match=r"unknown dataset 'X': .*, news, avlectures, "):
        run(Request(tmp_path, tmp_path, datasets=["X"]))


@pytest.mark.data
def test_ten_documents_that_no_setting_was_chosen_on_stand_side_by_side(
    data: Path, tmp_path: Path
) -> None:
    EXPERIMENTS["example-topics"].run(Request(data, tmp_path, methods=["BATS", "docbats", "NMF"]))
    facts = json.loads((tmp_path / "example-topics" / "facts.json").read_text())
    assert [e["dataset"] for e in facts["examples"]] == ["introductions", "textbook"]
    assert Counter(e["dataset"] for e in facts["more"]) == dict.fromkeys(topic_quality.DATASETS, 2)
    assert all(is_held_out(e["dataset"], e["document"]) for e in facts["more"])
    assert len({(e["dataset"], e["document"]) for e in facts["more"]}) == 10
    for example in facts["more"]:
        assert list(example["topics"]) == ["BATS", "docbats", "NMF"]
        assert all(0 < len(t) <= 10 for topics in example["topics"].values() for t in topics)


def test_classical_methods_need_no_neural_network() -> None:
    assert {name for name, method in SEGMENTERS.items() if method.is_neural} == {
        "SupervisedSeg",
        "SupervisedSeg (k)",
        "BERTSeg",
        "BERTSeg (sklearn)",
        "MiniLM DP",
        "docbats + MiniLM (k)",
    }
