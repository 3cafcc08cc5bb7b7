"""The tables of docs/languages.md."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.languages.segments import OTHERS
from benchmarks.languages.texts import SOURCES
from benchmarks.sections import replace_section
from docbats.text.languages import LANGUAGES
from docbats_lab.report.tables import markdown_table

PAGE = Path(__file__).parent.parent.parent / "docs" / "languages.md"

_MARKS = "<!-- {}: {} by benchmarks.languages -->"


def segments_table(results: dict[str, Any], others: dict[str, Any]) -> str:
    """Return Pk and WindowDiff, means over both sources, or over the other languages."""
    columns = {
        "own k": ("docbats", "own k"),
        "own k, as English": ('language="en"', "own k"),
        "true k": ("docbats", "true k"),
        "true k, as English": ('language="en"', "true k"),
        "no stems": ("without stems", "true k"),
        "no extra": ("without the extra", "true k"),
        "no boundary": ("no boundary", "true k"),
        "random": ("random", "true k"),
    }
    sets = {
        name: [results[source][code]["scores"] for source in SOURCES]
        for code, name in LANGUAGES.items()
    }
    sets[f"{len(others)} other languages"] = list(others.values())
    rows = [
        [name, *(_both(scores, way, k) for way, k in columns.values())]
        for name, scores in sets.items()
    ]
    return markdown_table(["", *columns], rows)


def _both(scores: list[dict[str, Any]], way: str, k: str) -> str:
    """Return the means over several sets of documents, Pk before WindowDiff."""
    found = [each[way][k] for each in scores if way in each]
    if not found:
        return ""
    return " / ".join(
        f"{100 * np.mean([each[name] for each in found]):.1f}" for name in ("pk", "wd")
    )


def detection_table(results: dict[str, Any]) -> str:
    """Return the shares of pieces whose language was detected, by their sentences."""
    shares = results["shares"]
    rows = []
    for group in [[code] for code in LANGUAGES] + [list(OTHERS)]:
        name = LANGUAGES[group[0]] if len(group) == 1 else f"{len(OTHERS)} other languages"
        cells = [
            f"{100 * np.mean([by_code[code][size] for code in group]):.1f}"
            for by_code in shares.values()
            for size in ("1", "3", "10")
        ]
        rows.append([name, *cells])
    head = ["", *(f"{name}, {size}" for name in shares for size in (1, 3, 10))]
    return markdown_table(head, rows)


def cost_table(results: dict[str, Any]) -> str:
    """Return the time and size of the detectors."""
    rows = [
        [name, *(("" if cost[key] is None else str(cost[key])) for key in cost)]
        for name, cost in results["cost"].items()
    ]
    return markdown_table(["", "ms a text of 75 sentences", "ms to import", "MB installed"], rows)


def sentences_table(results: dict[str, Any]) -> str:
    """Return F1 of sentence ends for each splitter, on both groups of sentences."""
    found, sizes = results["results"], results["sentences"]
    rows = [
        [
            name,
            *(
                " / ".join(_percent(found[each]["f1"][group][code]) for group in sizes)
                for each in found
            ),
        ]
        for code, name in LANGUAGES.items()
    ]
    rows.append(
        ["ms for 100 sentences of German", *(f"{found[each]['ms']['de']:.2f}" for each in found)]
    )
    return markdown_table(["", *found], rows)


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.0f}"


def words_table(results: dict[str, Any]) -> str:
    """Return Pk with each segmenter, its speed and its size."""
    rows = [
        [
            f"{LANGUAGES[code]}: {name}",
            *(
                f"{100 * np.mean([row[s][k]['pk'] for s in SOURCES]):.1f}"
                for k in ("own k", "true k")
            ),
            str(row["ms per 1,000 characters"]),
            str(row["installed MB"]),
        ]
        for code, each in results.items()
        for name, row in each.items()
    ]
    return markdown_table(["", "own k", "true k", "ms per 1,000 characters", "MB installed"], rows)


def write_tables(results: dict[str, Any]) -> None:
    """Put the tables into the docs, between their marks."""
    text = PAGE.read_text(encoding="utf-8")
    tables = {
        "segments": segments_table(results["segments"], results["others"]),
        "detection": detection_table(results["detection"]),
        "cost": cost_table(results["detection"]),
        "sentences": sentences_table(results["sentences"]),
        "words": words_table(results["words"]),
    }
    for name, lines in tables.items():
        begin, end = (_MARKS.format(name, word) for word in ("begin", "end"))
        text = replace_section(text, begin, end, f"\n\n{lines}\n")
    PAGE.write_text(text, encoding="utf-8")
