"""One page for each experiment, one for the preset sharp, and an index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from docbats_lab.experiments import EXPERIMENTS, Experiment
from docbats_lab.report import sharp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@dataclass(frozen=True)
class _Page:
    """A page of the report; one of several experiments reads the folder of all results."""

    name: str
    title: str
    experiments: tuple[Experiment, ...]
    write: Callable[[Path, Path], Iterator[str]]

    @property
    def commands(self) -> str:
        return ", ".join(f"`docbats lab run {each.name}`" for each in self.experiments)

    def is_run(self, results: Path) -> bool:
        return any((results / each.results).exists() for each in self.experiments)

    def text(self, results: Path, pages: Path) -> str:
        source = results / self.experiments[0].results if len(self.experiments) == 1 else results
        body = "\n".join(self.write(source, pages))
        return f"# {self.title}\n\nFrom {self.commands}, then `docbats lab report`.\n\n{body}"


def _pages() -> Iterator[_Page]:
    for experiment in EXPERIMENTS.values():
        if experiment.name == "sharp-steps":
            sources = (EXPERIMENTS["segmentation"], EXPERIMENTS["topic-quality"])
            title = "How the preset sharp was chosen and confirmed"
            yield _Page("sharp", title, sources, sharp.page)
        yield _Page(experiment.name, experiment.title, (experiment,), experiment.page)


def write_report(results: Path, pages: Path) -> list[Path]:
    """Write each page that has results, and the index; return what was written."""
    pages.mkdir(parents=True, exist_ok=True)
    written = []
    lines = ["# The laboratory", "", "| experiment | command | results |", "|---|---|---|"]
    for page in _pages():
        if not page.is_run(results):
            lines.append(f"| {page.title} | {page.commands} | not run |")
            continue
        path = pages / f"{page.name}.md"
        path.write_text(page.text(results, pages), encoding="utf-8")
        lines.append(f"| [{page.title}]({path.name}) | {page.commands} | yes |")
        written.append(path)
    lines += ["", "[What the results show](reading.md), in plain words.", ""]
    index = pages / "README.md"
    index.write_text("\n".join(lines), encoding="utf-8")
    return [*written, index]
