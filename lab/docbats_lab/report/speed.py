"""The page of speed and memory."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from docbats_lab.report.markdown_tables import NO_VALUE, format_number, markdown_table
from docbats_lab.speed.workloads import OURS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_TEXT = ("sentences", "tokens")  # the stages before there are tokens
_INTRODUCTION = (
    "One thread, warm, medians of runs in turn; docbats from raw text to topics, segments, titles "
    "and keywords, with ten segments. Its peers do one of the two tasks, and those that take "
    "sentences or a matrix of words are given it ready. Milliseconds depend on the machine; the "
    "ratios to docbats less so. A dash: not timed, because it takes too long or is not "
    "installed. Versions and all figures are in `benchmarks/results/speed.json`.\n"
)


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
        ["`docbats FILE` from a shell, beside importing numpy and scipy.sparse.linalg",
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
