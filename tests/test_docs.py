from __future__ import annotations

import doctest
import importlib
import json
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import docbats

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results"

OTHER_LIBRARIES = {  # tested in tests/integrations and tests/mcp
    "docbats.mcp.http",
    "docbats.mcp.server",
    "docbats.mcp.stdio",
    *(
        f"docbats.integrations.{library}"
        for library in (
            "chonkie",
            "datasets",
            "duckdb",
            "haystack",
            "langchain",
            "llama_index",
            "pandas",
            "polars",
            "pyarrow",
            "sklearn",
            "spacy",
        )
    ),
}


def modules() -> list[str]:
    """Return all modules except those that need torch or other libraries to be imported."""
    names = [module.name for module in pkgutil.walk_packages(docbats.__path__, "docbats.")]
    return [
        name
        for name in names
        if not name.endswith(("supervised.model", "supervised.train", "supervised.corpus"))
        and name not in OTHER_LIBRARIES
    ]


@pytest.mark.parametrize("name", ["docbats", *modules()])
def test_docstrings_tell_the_truth(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_the_readme_shows_what_the_demo_prints() -> None:
    command = [sys.executable, "-c", "from docbats.cli import main; main()"]
    output = subprocess.run(
        [*command, "examples/annual-report.txt"],
        cwd=ROOT, check=True, capture_output=True,
    ).stdout.decode()  # fmt: skip
    assert f"```text\n{output}```" in (ROOT / "README.md").read_text()


def test_the_figures_in_the_docs_are_the_measured_ones() -> None:
    page = (ROOT / "docs" / "results.md").read_text()
    report = json.loads((RESULTS / "paper-preset.json").read_text())
    sets = list(report["printed in the paper"])
    for name, row in report["results"].items():
        cells = " | ".join(f"{row[s]['pk']:.3f} / {row[s]['wd']:.3f}" for s in sets)
        assert f"| {name} | {cells} |" in page
    for kind in ("words", "stems"):
        counts = (report["distinct words a document"][s][kind] for s in sets)
        assert f"| {kind} | " + " | ".join(f"{count:.0f}" for count in counts) + " |" in page


def test_the_throughput_in_the_docs_is_the_measured_one() -> None:
    page = (ROOT / "docs" / "corpus.md").read_text()
    report = json.loads((RESULTS / "corpus.json").read_text())
    assert report["command"] in page
    assert f"{report['documents']['sentences']:,} sentences" in page
    for run in report["runs"]:
        cells = (run[key] for key in ("jobs", "documents_a_second", "parent_mb"))
        assert f"| {' | '.join(map(str, cells))} | {run['largest_worker_mb']} |" in page


def test_links_between_our_pages_lead_somewhere() -> None:
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), (page.name, target)
