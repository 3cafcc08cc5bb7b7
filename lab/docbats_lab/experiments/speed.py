"""Speed and memory next to peers; the results are one file next to the folder of the others."""

from __future__ import annotations

import json
import sys
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from docbats_lab.experiments.request import load_documents
from docbats_lab.report.tables import NO_VALUE, format_number, markdown_table
from docbats_lab.speed.measure import OURS, SIZES, measure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from docbats_lab.experiments.request import Request

FILE = "../speed.json"  # from the folder of the results
_MAX_CHOI = 140  # sentences of the longest documents of Choi
_LECTURE = 400  # sentences of a typical lecture
_JOINED = ("wiki", "lectures", "news", "choi")  # the others have no full stops
_MILLION = 1_000_000


_TEXT = ("sentences", "tokens")  # the stages before there are tokens
_INTRODUCTION = (
    "One thread, warm, medians of runs in turn; docbats goes from raw text to topics, segments, "
    "titles and keywords, with ten segments. Its peers do one of the two tasks, and those that "
    "take sentences or a matrix of words get them ready-made. Milliseconds depend on the machine, "
    "the ratios to docbats less so. A dash means that it was not timed, because it takes too long "
    "or is not installed. Versions and all figures are in `benchmarks/results/speed.json`.\n"
)


def run(request: Request) -> None:
    """Time documents of Choi, a lecture, and longer ones made by joining documents.

    A limit restricts the number of sizes, and the time spent on each.
    """
    sizes = SIZES[: request.limit]
    lecture = _nearest(request.data, "lectures", _LECTURE)
    report = measure(
        _documents(request.data, sizes, lecture),
        lecture,
        command="docbats lab run speed",
        seconds=0.2 if request.limit else 3.0,
        max_memory_sentences=max(sizes) if request.limit else _MILLION,
        on_progress=(lambda step: print(f"speed: {step}", file=sys.stderr))
        if request.show_progress
        else lambda _: None,
    )
    path = request.output / FILE
    request.output.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def _documents(
    data: Path, sizes: Sequence[int], lecture: Sequence[str]
) -> dict[int, Sequence[str]]:
    documents: dict[int, Sequence[str]] = {}
    for size in sizes:
        if size <= _MAX_CHOI:
            documents[size] = _nearest(data, "choi", size)
        elif size == _LECTURE:
            documents[size] = lecture
        else:
            joined = (load_documents(data, name) for name in _JOINED)
            sentences = (s for document in chain.from_iterable(joined) for s in document.sentences)
            documents[size] = list(islice(sentences, size))
    return documents


def _nearest(data: Path, dataset: str, size: int) -> tuple[str, ...]:
    """Return the sentences of the document whose length is nearest to `size`."""
    documents = load_documents(data, dataset)
    best = min(documents, key=lambda document: abs(len(document.sentences) - size))
    return best.sentences


def page(file: Path, _: Path) -> Iterator[str]:
    """Write the tables of a report."""
    report = json.loads(file.read_text(encoding="utf-8"))
    sizes = report["sizes"]
    yield _INTRODUCTION
    yield "\n## Milliseconds, by the number of sentences\n"
    yield _by_size(sizes, lambda size, name: format_number(sizes[size]["ms"].get(name), 1))
    for preset, ours in OURS.items():
        yield f"\n## How many times as long as {ours}\n"
        yield _by_size(sizes, lambda size, name, p=preset: _ratio(sizes[size]["ratio"][p], name))
    for preset, ours in OURS.items():
        yield f"\n## Stages of {ours}, milliseconds and share of the whole\n"
        yield _stages({size: found["stages_ms"][preset] for size, found in sizes.items()})
    yield "\n## Growth\n"
    yield _growth(report)
    yield "\n## The rest\n"
    yield _rest(report)


def _by_size(sizes: Mapping[str, Any], cell: Any) -> str:
    names = list(dict.fromkeys(name for found in sizes.values() for name in found["ms"]))
    heads = ["", *(f"{int(size):,}" for size in sizes)]
    return markdown_table(heads, [[name, *(cell(size, name) for size in sizes)] for name in names])


def _ratio(ratios: Mapping[str, float], name: str) -> str:
    return f"{ratios[name]:.2g} ×" if name in ratios else NO_VALUE


def _stages(by_size: Mapping[str, Mapping[str, float]]) -> str:
    heads = ["", *(f"{int(size):,}" for size in by_size)]
    body = []
    for stage in next(iter(by_size.values())):
        cells = [
            f"{format_number(stages[stage], 2)} ({stages[stage] / sum(stages.values()):.0%})"
            for stages in by_size.values()
        ]
        body.append([stage, *cells])
    later = [sum(ms for stage, ms in s.items() if stage not in _TEXT) for s in by_size.values()]
    return markdown_table(
        heads, [*body, ["from tokens on", *(format_number(ms, 2) for ms in later)]]
    )


def _growth(report: Mapping[str, Any]) -> str:
    body = [
        [
            preset,
            format_number(report["growth"][preset], 2),
            f"{report['segments']['growth'][preset] - 1:+.0%}",
        ]
        for preset in OURS
    ]
    sentences = report["segments"]["sentences"]
    heads = ["", "exponent from 1,000 sentences", f"k from 10 to 100, {sentences} sentences"]
    return markdown_table(heads, body)


def _rest(report: Mapping[str, Any]) -> str:
    cold, threads, processes = report["cold_start"], report["threads_ms"], report["processes"]
    rates = processes["documents_a_second"]
    body = [
        ["`docbats FILE` from a shell, next to importing numpy and scipy.sparse.linalg",
         " / ".join(f"{ms:.0f} ms" for ms in cold["ms"].values()) + f": {cold['ratio']} ×"],
        ["a short document with one and two BLAS threads",
         " / ".join(f"{ms:.1f} ms" for ms in threads.values())],
        ["documents per second, one and two processes",
         f"{rates['1']} / {rates['2']}: {processes['ratio']} ×"],
    ]  # fmt: skip
    for size, found in report["memory"].items():
        cell = ", ".join(
            f"{preset} {run['seconds']} s, {run['peak_megabytes']:,} MB"
            for preset, run in found.items()
        )
        body.append([f"{int(size):,} sentences in a process of their own", cell])
    return markdown_table(["", ""], body)
