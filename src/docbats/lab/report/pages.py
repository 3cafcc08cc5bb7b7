"""One page for each experiment, and an index."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.lab.experiments import EXPERIMENTS, ablation, parameters, pmi_words, runtime
from docbats.lab.experiments import segmentation as table4
from docbats.lab.experiments import statistics as table1
from docbats.lab.experiments import topic_quality as table3
from docbats.lab.figures import figure
from docbats.lab.printed import printed
from docbats.lab.registry import SEGMENTERS, TOPIC_METHODS
from docbats.lab.report.markdown import interval, mean, number, spread, table
from docbats.lab.runner import Row, read_rows
from docbats.lab.summary import paired_difference, summarise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

__all__ = ["write_report"]

Rows = dict[str, dict[str, Row]]
"""The rows of each variant, by the names of their documents."""


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


def _statistics(folder: Path, _: Path) -> Iterator[str]:
    columns = list(next(iter(printed()["table1"].values())))[1:]
    yield "Means a document; in brackets what the paper prints.\n"
    body = []
    for dataset in table1.DATASETS:
        rows = read_rows(folder / dataset, table1.VARIANT)
        paper = printed()["table1"][dataset]
        cells = [f"{len(rows)} ({paper['documents']:.0f})"]
        for column in columns:
            summary = summarise(rows, column)
            cells.append(f"{mean(summary, 1)} ({paper[column]:g})")
        body.append([dataset, *cells])
    yield table(["", "documents", *(column.replace("_", " ") for column in columns)], body)


def _segmentation(folder: Path, _: Path) -> Iterator[str]:
    yield (
        "Pk and WindowDiff (WD) over words, with the window of the paper: lower is better. B is "
        "the boundary similarity of Fournier (2013), F1 that of boundaries at most one "
        "sentence off: higher is better. All methods are given the true number of segments, but "
        "for those that find their own: they show how many too many they find on average. The last "
        "column is Pk less that of BATS, with a paired bootstrap interval of 95 %; a star marks "
        "differences that are not chance.\n"
    )
    for dataset in table4.DATASETS:
        found = _read(folder / dataset, SEGMENTERS)
        if not found:
            continue
        yield f"\n## {dataset.capitalize()}, {_documents(found)} documents\n"
        paper = printed()["table4"][dataset]
        yield table(
            [
                "",
                "Pk",
                "WD",
                "paper's Pk",
                "paper's WD",
                "B",
                "F1",
                "segments too many",
                "Pk - BATS",
            ],
            [_segmentation_row(name, rows, found, paper) for name, rows in found.items()],
        )
        yield _failures(found)


def _segmentation_row(
    name: str, rows: Mapping[str, Row], found: Rows, paper: Mapping[str, Any]
) -> list[str]:
    pk, wd = summarise(rows, "pk"), summarise(rows, "wd")
    theirs = paper.get(name, {})
    b, f1 = summarise(rows, "b"), summarise(rows, "f1")
    error = _segments_error(rows, found) if not SEGMENTERS[name].takes_k else None
    difference = paired_difference(rows, found.get("BATS", {}), "pk") if name != "BATS" else None
    return [
        name,
        spread(pk),
        spread(wd),
        number(theirs["pk"][0], 2) if theirs else "–",
        number(theirs["wd"][0], 2) if theirs else "–",
        mean(b),
        mean(f1),
        number(error, 1),
        interval(difference),
    ]


def _segments_error(rows: Mapping[str, Row], found: Rows) -> float | None:
    """How many segments too many a method finds on average; BATS has the true number."""
    true = found.get("BATS", {})
    errors = [
        row["segments"] - true[name]["segments"]
        for name, row in rows.items()
        if "segments" in row and "segments" in true.get(name, {})
    ]
    return float(np.mean(errors)) if errors else None


def _topic_quality(folder: Path, _: Path) -> Iterator[str]:
    yield (
        "The ten best words of each topic, as many topics as the document has segments; in "
        "brackets what the paper prints. Jaccard and Dice: lower is better; all others: "
        "higher is better. PMI counts whole documents, as printed; since words of one document "
        "always meet there, it hardly tells good topics from bad, and PMI of windows of 20 content "
        "words stands beside it. UMass is on the paper's scale; UMass of counts is the mean of "
        "log((n_ij + 1) / n_i).\n"
    )
    for dataset in table3.DATASETS:
        found = _read(folder / dataset, TOPIC_METHODS)
        if not found:
            continue
        yield f"\n## {dataset.capitalize()}, {_documents(found)} documents\n"
        columns = list(printed()["table3"][dataset]["BATS"])
        body = []
        for name, rows in found.items():
            paper = printed()["table3"][dataset].get(name, {})
            cells = []
            for column in columns:
                theirs = f" ({paper[column][0]:.2f})" if paper else ""
                cells.append(spread(summarise(rows, column), 2) + theirs)
            others = [spread(summarise(rows, c), 2) for c in ("pmi_windows", "umass_counts")]
            body.append([name, *cells, *others])
        yield table(["", *map(_column_name, columns), "PMI of windows", "UMass of counts"], body)
        yield _failures(found)


def _pmi_words(folder: Path, _: Path) -> Iterator[str]:
    yield (
        "PMI of the paper preset by the number of words of each topic, counted over whole "
        "documents as printed, and over windows of 20 content words. Over documents it does not "
        "fall with the number of words as the paper's does; over windows it does.\n"
    )
    body = []
    for top in pmi_words.WORDS:
        cells = []
        for dataset in pmi_words.DATASETS:
            rows = read_rows(folder / dataset, "BATS")
            found = (summarise(rows, f"{score}_{top}") for score in ("pmi", "pmi_windows"))
            cells += [mean(summary, 2) for summary in found]
            cells.append(f"{printed()['table2'][str(top)][dataset]:.2f}")
        body.append([str(top), *cells])
    heads = [f"{d}: {h}" for d in pmi_words.DATASETS for h in ("documents", "windows", "paper")]
    yield table(["words", *heads], body)


def _parameters(folder: Path, pages: Path) -> Iterator[str]:
    yield "The paper finds the best values at w = 3 or 5 and d = 0.7.\n"
    for score, title, better in (("pmi", "PMI", "higher"), ("wd", "WindowDiff", "lower")):
        path = pages / f"parameters-{score}.png"
        yield f"\n## {title} ({better} is better)\n\n![{title} by w and d]({path.name})\n"
        with figure(path, panels=len(parameters.DATASETS)) as panels:
            for panel, dataset in zip(panels, parameters.DATASETS, strict=True):
                grid = _grid(folder / dataset, score)
                panel.imshow(grid, cmap="viridis", aspect="auto")
                panel.set_title(dataset)
                panel.set_xticks(range(len(parameters.DECAYS)), map(str, parameters.DECAYS))
                panel.set_yticks(range(len(parameters.WINDOWS)), map(str, parameters.WINDOWS))
                panel.set_xlabel("d")
                panel.set_ylabel("w")
        for dataset in parameters.DATASETS:
            grid = _grid(folder / dataset, score)
            yield f"\n{dataset.capitalize()}:\n"
            yield table(
                ["w", *(f"d = {d}" for d in parameters.DECAYS)],
                [
                    [str(w), *(number(None if np.isnan(v) else v) for v in row)]
                    for w, row in zip(parameters.WINDOWS, grid.tolist(), strict=True)
                ],
            )


def _grid(folder: Path, score: str) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    grid = np.full((len(parameters.WINDOWS), len(parameters.DECAYS)), np.nan)
    for i, w in enumerate(parameters.WINDOWS):
        for j, d in enumerate(parameters.DECAYS):
            summary = summarise(read_rows(folder, parameters.variant(w, d)), score)
            if summary:
                grid[i, j] = summary.mean
    return grid


def _ablation(folder: Path, _: Path) -> Iterator[str]:
    yield "Each part of the method left out in turn; in brackets what the paper prints.\n"
    for dataset in ablation.DATASETS:
        found = _read(folder / dataset, ablation.ABLATIONS)
        if not found:
            continue
        yield f"\n## {dataset.capitalize()}, {_documents(found)} documents\n"
        columns = ("pmi", "umass", "pk", "wd")
        body: list[list[str]] = []
        for name, rows in found.items():
            paper = printed()["table7"][dataset][name]
            cells = [f"{spread(summarise(rows, c), 3)} ({paper[c][0]:g})" for c in columns]
            others = found.get("BATS", {})
            body.append([name, *cells, interval(paired_difference(rows, others, "pk"))])
        yield table(["", *map(_column_name, columns), "Pk - BATS"], body)


def _runtime_sentences(folder: Path, _: Path) -> Iterator[str]:
    yield (
        "Milliseconds a document, and their growth from 50 sentences; in brackets the paper's, on "
        "its own machine. One thread; documents of Choi's of about so many sentences. BATS from "
        "raw sentences to topics and segments, the others from the prepared document.\n"
    )
    names = [*(n for n in TOPIC_METHODS if n != "BATS"), *SEGMENTERS]
    body = []
    for name, rows in _read(folder / "choi", names).items():
        means = [_nearest_mean(rows, size) for size in runtime.SENTENCES]
        paper = printed()["table5"].get(name, {})
        cells = []
        for size, ms in zip(runtime.SENTENCES, means, strict=True):
            growth = f" x{ms / means[0]:.2f}" if ms and means[0] else ""
            theirs = paper.get(str(size))
            bracket = f" ({theirs:g}, x{theirs / paper['50']:.2f})" if theirs else ""
            cells.append(number(ms, 1) + growth + bracket)
        body.append([name, *cells])
    yield table(["sentences", *map(str, runtime.SENTENCES)], body)


def _nearest_mean(rows: Mapping[str, Row], size: int) -> float | None:
    """Average over the documents whose length is nearest to this one of the table's."""
    times = [
        row["ms"]
        for row in rows.values()
        if min(runtime.SENTENCES, key=lambda s: abs(s - row["sentences"])) == size
    ]
    return float(np.mean(times)) if times else None


def _runtime_segments(folder: Path, _: Path) -> Iterator[str]:
    yield (
        "Milliseconds a lecture, and their growth from 10 segments; in brackets the paper's "
        "growth. One thread.\n"
    )
    body = []
    for method in runtime.TOPIC_ROWS:
        found = [
            summarise(read_rows(folder / "lectures", runtime.variant(method, k)), "ms")
            for k in runtime.SEGMENTS
        ]
        if not found[0]:
            continue
        paper = printed()["table6"][method]
        cells = [
            f"{s.mean:.1f} x{s.mean / found[0].mean:.2f} (x{paper[str(k)] / paper['10']:.2f})"
            if s
            else "–"
            for k, s in zip(runtime.SEGMENTS, found, strict=True)
        ]
        body.append([method, *cells])
    yield table(["segments", *map(str, runtime.SEGMENTS)], body)


def _block_model(folder: Path, pages: Path) -> Iterator[str]:
    facts = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    _copy_picture(folder / "figure.png", pages / "block-model.png")
    yield (
        f"{facts['sentences']} sentences and {facts['words']} words in {facts['blocks']} blocks; a "
        f"sentence holds a word of its block with probability {facts['within']}, another with "
        f"{facts['across']}: {facts['sparsity']} % zeros.\n\n"
        "![Singular values, Jaccard distances, and words by singular vectors](block-model.png)\n\n"
        f"The ten largest singular values: {', '.join(map(str, facts['singular_values']))}. Four "
        "stand apart, one for each block. Neighbourhoods show the blocks but faintly; the vectors "
        "part them.\n"
    )


def _distances(folder: Path, pages: Path) -> Iterator[str]:
    facts = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    for number_, document in enumerate(facts["documents"], start=1):
        name = f"distances-{number_}.png"
        _copy_picture(folder / f"document-{number_}.png", pages / name)
        yield (
            f"\n## {document['name']}\n\nTrue segments of {document['segments']} sentences.\n\n"
            f"![Distances between sentences over w and d]({name})\n"
        )


def _example_topics(folder: Path, _: Path) -> Iterator[str]:
    facts = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    for example in facts["examples"]:
        yield f"\n## {example['dataset'].capitalize()}, document {example['document']}\n"
        topics = example["topics"]
        longest = max(map(len, topics.values()))
        rows = [
            [str(i + 1), *(", ".join(t[i]) if i < len(t) else "–" for t in topics.values())]
            for i in range(longest)
        ]
        yield table(["topic", *topics], rows)


def _copy_picture(source: Path, target: Path) -> None:
    """Copy a picture; results are kept without theirs, since the pages have them."""
    if source.exists():
        shutil.copy(source, target)


def _read(folder: Path, variants: Iterator[str] | Mapping[str, Any] | list[str]) -> Rows:
    found = {name: read_rows(folder, name) for name in variants}
    return {name: rows for name, rows in found.items() if rows}


def _documents(found: Rows) -> int:
    return max(len(rows) for rows in found.values())


def _failures(found: Rows) -> str:
    """Say which methods failed on documents, or were run on fewer."""
    most = _documents(found)
    notes = []
    for name, rows in found.items():
        failed = sum("error" in row for row in rows.values())
        if failed:
            notes.append(f"{name} failed on {failed} documents.")
        if len(rows) < most:
            notes.append(f"{name} was run on {len(rows)} documents.")
    return "\n" + " ".join(notes) + "\n" if notes else ""


def _column_name(column: str) -> str:
    names = {"pmi": "PMI", "umass": "UMass", "jaccard": "Jaccard", "dice": "Dice"}
    first, _, second = column.partition("_")
    name = names.get(first, first.capitalize() if first == "pk" else first.upper())
    return f"{name}^{names[second]}" if second else name


_PAGES: dict[str, Callable[[Path, Path], Iterator[str]]] = {
    "statistics": _statistics,
    "block-model": _block_model,
    "distances": _distances,
    "example-topics": _example_topics,
    "pmi-words": _pmi_words,
    "topic-quality": _topic_quality,
    "parameters": _parameters,
    "segmentation": _segmentation,
    "runtime-sentences": _runtime_sentences,
    "runtime-segments": _runtime_segments,
    "ablation": _ablation,
}
