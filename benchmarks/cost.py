"""Compute what a corpus costs on a cluster, from the documents per second that were measured.

Reads benchmarks/results/corpus-ray.json and writes the table into docs/cluster.md.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from docbats_lab.datasets import DATASETS

ROOT = Path(__file__).parent.parent
MEASURED = ROOT / "benchmarks" / "results" / "corpus-ray.json"
PAGE = ROOT / "docs" / "cluster.md"
BEGIN, END = "<!-- cost: python benchmarks/cost.py -->\n", "<!-- end of cost -->\n"

DOLLARS_PER_CORE_HOUR = 0.05
"""An assumption, to be replaced by what yours costs."""

CORES = (1, 2, 4, 8, 16, 32)


@dataclass(frozen=True)
class Rates:
    """What was measured, in documents per second of processor time.

    Attributes
    ----------
    ray, local
        Of all processes of a run on Ray, and of one with the local engine.
    driver
        Of the process that reads and writes, on Ray.
    slower
        How many times as long the run on Ray took, its start included.
    """

    ray: float
    local: float
    driver: float
    slower: float = 1.0

    @property
    def max_useful_cores(self) -> int:
        """The number of cores that one run keeps busy."""
        return int(self.driver / self.ray)


def read_rates(path: Path = MEASURED) -> Rates:
    """Read the rates of the runs with most processes."""
    report = json.loads(path.read_text())
    count = report["documents"]["count"]
    runs = {run["engine"]: run for run in sorted(report["runs"], key=lambda run: run["jobs"])}
    seconds = {
        engine: run["parent_processor_seconds"] + run["worker_processor_seconds"]
        for engine, run in runs.items()
    }
    return Rates(
        ray=count / seconds["ray"],
        local=count / seconds["local"],
        driver=count / runs["ray"]["parent_processor_seconds"],
        slower=runs["ray"]["seconds"] / runs["local"]["seconds"],
    )


def core_hours(documents: int, rates: Rates) -> float:
    """Return the hours that one core would need.

    >>> core_hours(720_000, Rates(ray=50.0, local=60.0, driver=2000.0))
    4.0
    """
    return documents / rates.ray / 3600


def table(documents: int, rates: Rates, dollars: float = DOLLARS_PER_CORE_HOUR) -> str:
    """Return time and cost for some numbers of cores, as far as one run can use them."""
    hours = core_hours(documents, rates)
    lines = ["| cores | time | core-hours | cost |", "|---|---|---|---|"]
    lines += [
        f"| {cores} | {60 * hours / cores:,.0f} min | {hours:.1f} | ${dollars * hours:.2f} |"
        for cores in CORES
        if cores <= rates.max_useful_cores
    ]
    return "\n".join(lines) + "\n"


def section(rates: Rates) -> str:
    """Return what the page says about cost."""
    documents = DATASETS["wiki-727k"].documents
    return (
        f"Measured: {rates.ray:.1f} documents for each second of a core on Ray, and "
        f"{rates.local:.1f} with the local\nengine, so {rates.ray / rates.local:.2f} times as many "
        f"on Ray; on the same two cores the run took {rates.slower:.2f} times\nas long on Ray, its "
        f"start included. For the {documents:,} documents of WIKI-727K, if they were as large\n"
        f"as those measured, and at ${DOLLARS_PER_CORE_HOUR:.2f} for an hour of a core, "
        "which is an assumption:\n\n"
        f"{table(documents, rates)}\n"
        f"The process that reads and writes could see to {rates.driver:,.0f} documents a second: "
        f"one run keeps about\n{rates.max_useful_cores} cores busy. For more, divide the input "
        "into several runs.\n"
    )


def updated(page: str, rates: Rates) -> str:
    """Return the page with what it says about cost replaced."""
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    return f"{before}{BEGIN}\n{section(rates)}\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(updated(PAGE.read_text(), read_rates()))
    print(section(read_rates()))
