"""One page for each experiment, one for the preset sharp, and an index.

A page is made by the module of the same name in this folder: a function that reads a folder of
results, may put pictures into the folder of the pages, and yields Markdown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from docbats_lab.experiments import EXPERIMENTS
from docbats_lab.experiments.speed import FILE
from docbats_lab.report import (
    ablation,
    block_model,
    books,
    carry_over,
    distances,
    example_topics,
    parameters,
    pmi_words,
    readers,
    retrieval,
    runtime,
    segmentation,
    sharp,
    sharp_steps,
    speed,
    statistics,
    structure,
    summaries,
    titles,
    topic_quality,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@dataclass(frozen=True)
class _Page:
    """A page of the report, and its experiments.

    A page reads the folder of its experiment, or that of all for several, or a single file.
    """

    title: str
    experiments: tuple[str, ...]
    write: Callable[[Path, Path], Iterator[str]]
    file: str | None = None

    @property
    def commands(self) -> str:
        return ", ".join(f"`docbats lab run {name}`" for name in self.experiments)

    def is_run(self, results: Path) -> bool:
        names = self.experiments if self.file is None else (self.file,)
        return any((results / name).exists() for name in names)

    def text(self, results: Path, pages: Path) -> str:
        folder = results / self.experiments[0] if len(self.experiments) == 1 else results
        source = folder if self.file is None else results / self.file
        body = "\n".join(self.write(source, pages))
        return f"# {self.title}\n\nFrom {self.commands}, then `docbats lab report`.\n\n{body}"


def _page_of(experiment: str, write: Callable[[Path, Path], Iterator[str]]) -> _Page:
    return _Page(EXPERIMENTS[experiment].title, (experiment,), write)


_PAGES = {
    "statistics": _page_of("statistics", statistics.page),
    "block-model": _page_of("block-model", block_model.page),
    "distances": _page_of("distances", distances.page),
    "example-topics": _page_of("example-topics", example_topics.page),
    "pmi-words": _page_of("pmi-words", pmi_words.page),
    "topic-quality": _page_of("topic-quality", topic_quality.page),
    "parameters": _page_of("parameters", parameters.page),
    "segmentation": _page_of("segmentation", segmentation.page),
    "sharp": _Page(
        "How the preset sharp was chosen and confirmed",
        ("segmentation", "topic-quality"),
        sharp.page,
    ),
    "sharp-steps": _page_of("sharp-steps", sharp_steps.page),
    "structure": _page_of("structure", structure.page),
    "titles": _page_of("titles", titles.page),
    "summaries": _page_of("summaries", summaries.page),
    "carry-over": _page_of("carry-over", carry_over.page),
    "readers": _page_of("readers", readers.page),
    "books": _page_of("books", books.page),
    "retrieval": _page_of("retrieval", retrieval.page),
    "retrieval-settings": _page_of("retrieval-settings", retrieval.settings_page),
    "speed": _Page(EXPERIMENTS["speed"].title, ("speed",), speed.page, file=FILE),
    "runtime-sentences": _page_of("runtime-sentences", runtime.page_by_sentences),
    "runtime-segments": _page_of("runtime-segments", runtime.page_by_segments),
    "ablation": _page_of("ablation", ablation.page),
}


def write_report(results: Path, pages: Path) -> list[Path]:
    """Write each page that has results, and the index; return what was written."""
    pages.mkdir(parents=True, exist_ok=True)
    written = []
    lines = ["# The laboratory", "", "| experiment | command | results |", "|---|---|---|"]
    for name, page in _PAGES.items():
        if not page.is_run(results):
            lines.append(f"| {page.title} | {page.commands} | not run |")
            continue
        path = pages / f"{name}.md"
        path.write_text(page.text(results, pages), encoding="utf-8")
        lines.append(f"| [{page.title}]({path.name}) | {page.commands} | yes |")
        written.append(path)
    lines += ["", "[What the results show](reading.md), in plain words.", ""]
    index = pages / "README.md"
    index.write_text("\n".join(lines), encoding="utf-8")
    return [*written, index]
