"""The tables of docs/retrieval.md."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.retrieval.chunks import SPLITTERS
from benchmarks.retrieval.ranking import RANKINGS
from benchmarks.retrieval.scores import DEPTHS
from benchmarks.sections import replace_section

__all__ = ["make_tables", "write_tables"]

PAGE = Path(__file__).parent.parent.parent / "docs" / "retrieval.md"

_MARKS = "<!-- {}: {} by benchmarks.retrieval -->"


def make_tables(results: dict[str, Any]) -> dict[str, str]:
    """Return a table for each ranking, and one of the differences."""
    return {
        **{ranking: _ranking_table(results, ranking) for ranking in RANKINGS},
        "differences": _differences_table(results),
    }


def write_tables(tables: dict[str, str]) -> None:
    """Put the tables into the page, between their marks."""
    page = PAGE.read_text()
    for name, text in tables.items():
        begin, end = _MARKS.format(name, "written"), _MARKS.format(name, "end, written")
        page = replace_section(page, begin, end, f"\n\n{text}\n\n")
    PAGE.write_text(page)


def _ranking_table(results: dict[str, Any], ranking: str) -> str:
    lines = [
        "| docbats | splitter | chunks | mean size | cut | top 1 | top 3 | text in top 3 |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for setting, rows in results.items():
        for name, row in rows.items():
            cells = [_share(row[ranking][f"top {depth}"]) for depth in DEPTHS]
            lines.append(
                f"| {setting} | {name} | {row['chunks']} | {row['mean characters']:.0f} "
                f"| {row['passages cut']} | {' | '.join(cells)} "
                f"| {row[ranking]['top 3']['mean characters']:,.0f} |"
            )
    return "\n".join(lines)


def _differences_table(results: dict[str, Any]) -> str:
    lines = [
        "| docbats | less | BM25, top 1 | BM25, top 3 | tf-idf, top 1 | tf-idf, top 3 |",
        "|---|---|---|---|---|---|",
    ]
    for setting, rows in results.items():
        for name in SPLITTERS:
            cells = [
                _difference(rows[name][ranking][f"top {depth}"]["docbats less this"])
                for ranking in RANKINGS
                for depth in DEPTHS
            ]
            lines.append(f"| {setting} | {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _share(row: dict[str, Any]) -> str:
    low, high = row["interval"]
    return f"{100 * row['share']:.0f} % ({100 * low:.0f} to {100 * high:.0f})"


def _difference(row: dict[str, Any]) -> str:
    low, high = row["interval"]
    return f"{100 * row['difference']:+.0f} ({100 * low:+.0f} to {100 * high:+.0f})"
