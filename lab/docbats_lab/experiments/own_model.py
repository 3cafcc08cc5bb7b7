"""A model of one's own for each of many sources, and what it gains on documents not seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from docbats.document import Document
from docbats.fitting.fit import compare_with_default, fit
from docbats.fitting.marked import MarkedDocument, read_marked
from docbats.runtime import find_versions
from docbats_lab.datasets import DATASETS
from docbats_lab.experiments.request import evenly_spaced, map_with_progress
from docbats_lab.layouts import SectionFiles, read_section_line
from docbats_lab.report.tables import format_number, markdown_table
from docbats_lab.results import read_facts, write_facts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from docbats.segments.own_model import CutScores, Gain
    from docbats_lab.experiments.request import Request

_N_FITTED = 60  # documents of a source; the others are for judging
_MIN_DOCUMENTS = 2 * _N_FITTED  # of a source that is used
_SCORES = ("pk", "wd", "f1", "log2", "ratio")


class SourceLines(NamedTuple):
    """The documents of a source, as they are stored."""

    source: str
    lines: list[str]


def run(request: Request) -> None:
    """Fit a model to documents of each source, and cut others of the same source by it."""
    lines = SectionFiles().lines(request.data / "sections")
    every = [SourceLines(*item) for item in lines.items() if len(item[1]) >= _MIN_DOCUMENTS]
    tasks = evenly_spaced(every, request.limit)  # a fit needs all of its documents
    found = map_with_progress(request, "own-model", judge, tasks)
    facts: dict[str, Any] = {
        "command": "docbats lab run own-model",
        "versions": find_versions("docbats", "numpy", "scipy", "nupunkt", "PyStemmer"),
        "checksum": DATASETS["sections"].checksum,
        "sources": {task.source: facts for task, facts in zip(tasks, found, strict=True)},
    }
    write_facts(request.output / "own-model", facts)


def judge(task: SourceLines) -> dict[str, Any]:
    """Fit a model to some documents of a source, evenly spaced, and cut as many others by it."""
    n = min(_N_FITTED, len(task.lines) // 2)
    fitted = evenly_spaced(task.lines, n)
    others = evenly_spaced([line for line in task.lines if line not in set(fitted)], n)
    found = fit(_documents(task.source, fitted))
    model = found.model
    assert model.default is not None
    assert model.own is not None
    assert model.gain is not None
    further = [
        one
        for one in read_marked(_documents(task.source, others))
        if isinstance(one, MarkedDocument)
    ]
    judged = compare_with_default(further, model)
    return {
        "fitted to": model.documents,
        "numbers": model.numbers,
        "left out": _facts(model.default, model.own, model.gain),
        "further documents": len(further),
        "further": _facts(judged.default, judged.own, judged.gain),
    }


def _documents(source: str, lines: Sequence[str]) -> list[Document]:
    """Return documents with their authors' headings."""
    texts = [read_section_line(source, line).as_markdown()[0] for line in lines]
    return [Document.of(text, "markdown", language="en") for text in texts]


def _facts(default: CutScores, own: CutScores, gain: Gain) -> dict[str, list[float]]:
    return {
        "default": [getattr(default, name) for name in _SCORES],
        "own": [getattr(own, name) for name in _SCORES],
        "gain": [gain.mean, gain.low, gain.high],
    }


_INTRODUCTION = """\
`docbats fit` on every source of the sections that has {least} documents or more: a model is fitted
to {n} of them, evenly spaced, and judged twice: by its own ten folds on documents left out, which
decides whether it is written, and on up to {n} further documents of the source, which it never saw.
The documents are English Markdown with the headings of their authors, which are hidden when they
are cut. The cues of the default were learned from these sources, too, so the default is at its
best here. *Gain* is how much the loss falls: the mean of Pk, WindowDiff, 1 - F1 and a quarter of
the unsigned log2 of the found by the true number.
"""


def page(folder: Path, _: Path) -> Iterator[str]:
    """Show means over the sources, and each source."""
    facts = read_facts(folder)
    yield _INTRODUCTION.format(least=_MIN_DOCUMENTS, n=_N_FITTED)
    yield summary(facts)
    yield (
        "\n## By source\n\nGains with bounds of 95 %, on documents left out and on further ones; "
        "found by true number of parts on the further ones. The numbers are those of the model: "
        "how many times as many parts, the power of the length, and what the weights of cues and "
        "of lengths are multiplied by.\n"
    )
    rows = []
    for source, found in facts["sources"].items():
        numbers = found["numbers"]
        shown = " / ".join(f"{numbers[name]:g}" for name in ("parts", "growth", "cues", "lengths"))
        rows.append(
            [
                source,
                _gain(found["left out"]),
                "yes" if _is_written(found) else "no",
                _gain(found["further"]),
                " to ".join(format_number(found["further"][way][4], 2) for way in _WAYS),
                shown,
            ]
        )
    header = ("source", "gain left out", "written", "gain on further ones", "found/true", "numbers")
    yield markdown_table(header, rows)


_WAYS = ("default", "own")


def summary(facts: dict[str, Any]) -> str:
    """Return a table of the mean scores of further documents, by whether a model is written."""
    sources = list(facts["sources"].values())
    written = [found for found in sources if _is_written(found)]
    refused = [found for found in sources if not _is_written(found)]
    rows = []
    for name, group in (("written", written), ("refused", refused)):
        for way, label in zip(_WAYS, ("default", "own model"), strict=True):
            if group:
                means = np.mean([found["further"][way] for found in group], axis=0).tolist()
                cells = [format_number(mean, 3) for mean in means[:3]]
                cells += [format_number(mean, 2) for mean in means[3:]]
                gains = ["", ""] if way == "default" else _mean_gains(group)
                rows.append([f"{len(group)} sources, {name}", label, *cells, *gains])
    header = ("model", "cut by", "Pk", "WD", "F1", "log2 of number", "found/true",
              "gain", "gain as estimated by the fit")  # fmt: skip
    return markdown_table(header, rows)


def _mean_gains(group: Sequence[dict[str, Any]]) -> list[str]:
    gains = (np.mean([found[on]["gain"][0] for found in group]) for on in ("further", "left out"))
    return [f"{gain:+.3f}" for gain in gains]


def _is_written(found: dict[str, Any]) -> bool:
    return bool(found["left out"]["gain"][1] > 0)


def _gain(scores: dict[str, list[float]]) -> str:
    mean, low, high = scores["gain"]
    return f"{mean:+.3f} ({low:+.3f} to {high:+.3f})"
