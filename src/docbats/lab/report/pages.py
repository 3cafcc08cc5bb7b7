"""One page for each experiment, and an index.

The page of an experiment is made by the module of the same name in this folder: a function that
reads a folder of results, may put pictures into the folder of the pages, and yields Markdown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.lab.experiments import EXPERIMENTS
from docbats.lab.report import (
    ablation,
    block_model,
    distances,
    example_topics,
    parameters,
    pmi_words,
    runtime,
    segmentation,
    statistics,
    topic_quality,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["write_report"]

_PAGES: dict[str, Callable[[Path, Path], Iterator[str]]] = {
    "statistics": statistics.page,
    "block-model": block_model.page,
    "distances": distances.page,
    "example-topics": example_topics.page,
    "pmi-words": pmi_words.page,
    "topic-quality": topic_quality.page,
    "parameters": parameters.page,
    "segmentation": segmentation.page,
    "runtime-sentences": runtime.page_by_sentences,
    "runtime-segments": runtime.page_by_segments,
    "ablation": ablation.page,
}


def write_report(results: Path, pages: Path) -> list[Path]:
    """Write a page for each experiment that has results, and the index; return what was written."""
    pages.mkdir(parents=True, exist_ok=True)
    written = []
    lines = ["# The laboratory", "", "| experiment | command | results |", "|---|---|---|"]
    for name, experiment in EXPERIMENTS.items():
        folder = results / name
        if not folder.exists():
            lines.append(f"| {experiment.title} | `docbats lab run {name}` | not run |")
            continue
        page = pages / f"{name}.md"
        body = "\n".join(_PAGES[name](folder, pages))
        command = f"`docbats lab run {name}`, then `docbats lab report`"
        page.write_text(f"# {experiment.title}\n\nFrom {command}.\n\n{body}", encoding="utf-8")
        lines.append(f"| [{experiment.title}]({page.name}) | `docbats lab run {name}` | yes |")
        written.append(page)
    lines += ["", "[What we read in them](reading.md), in plain words.", ""]
    index = pages / "README.md"
    index.write_text("\n".join(lines), encoding="utf-8")
    return [*written, index]
