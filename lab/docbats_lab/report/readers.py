"""The page on the readers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docbats_lab.report.markdown_tables import format_number, markdown_table
from docbats_lab.report.stored_results import read_facts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_INTRODUCTION = (
    "Public files, read by docbats and by the libraries that are made for them. F1 is of runs of "
    "four words, against the text that the authors or annotators give.\n"
)
_PDF = (
    "\n## PDF\n\nThree manuals of Debian against their own text files. *Time* is the processor "
    "time of docbats, with pages, headings, lists, code and tables, divided by that of pdfium for "
    "the text alone.\n"
)
_HTML = (
    "\n## HTML\n\n*docbats[files]* has trafilatura to choose among the blocks of a page, where a "
    "site surrounds its text; *docbats alone* is our own walk, which reads pages where trafilatura "
    "is not installed. *Site kept* is how much of what is no main text was read: the share of such "
    "phrases, or of the runs of words that are not in the truth. The limits of our walk, and of "
    "when trafilatura decides, were chosen by looking at 81 of trafilatura's pages and at the "
    "manuals: on these, the figures of docbats are not those of unseen pages.\n"
)
_ENCODINGS = (
    "\n## Encodings\n\nA file is right if its text is what its encoding makes of it. EUC-TW, which "
    "Python does not have, is left out.\n"
)
_SOURCES = "\n## Where the files are to be had\n\nIn the folder that `DOCBATS_DATA` names:\n"


def page(folder: Path, _: Path) -> Iterator[str]:
    """Show the scores of each set that was there, and where all of them are to be had."""
    facts = read_facts(folder)
    sets = facts["sets"]
    yield _INTRODUCTION
    if "manuals as PDF" in sets:
        yield _PDF
        yield markdown_table(
            ("manual", "docbats", "pdfium", "time"),
            [
                [name, _three(row["docbats"]), _three(row["pdfium"]), f"{row['times_as_long']:.2f}"]
                for name, row in sets["manuals as PDF"]["f1"].items()
            ],
        )
    yield _HTML
    for name in ("trafilatura's pages", "article-extraction-benchmark"):
        if name in sets:
            yield from _page_table(name, sets[name])
    if "manuals as HTML" in sets:
        yield "\n### The chapters of the three manuals, F1\n"
        scores = sets["manuals as HTML"]["f1"]
        names = list(next(iter(scores.values())))
        yield markdown_table(
            ("", *names),
            [[reader, *(_three(row[name]) for name in names)] for reader, row in scores.items()],
        )
    if "chardet's files" in sets:
        found = sets["chardet's files"]
        yield _ENCODINGS
        yield markdown_table(
            ("", f"right, of {found['files']}"),
            [[name, str(count)] for name, count in found["right"].items()],
        )
    yield _SOURCES
    for name, source in facts["sources"].items():
        note = "" if name in sets else " (not there when this was run)"
        yield f"- **{name}**{note}: {source}"
    yield "\nVersions: " + ", ".join(
        f"{name} {version}" for name, version in _versions(sets).items()
    )
    yield ""


def _page_table(name: str, found: dict[str, Any]) -> Iterator[str]:
    yield f"\n### {name}, {found['pages']} pages\n"
    yield markdown_table(
        ("", "F1", "precision", "recall", "site kept", "empty pages"),
        [
            [
                reader,
                *(_three(row[key]) for key in ("f1", "precision", "recall", "site_kept")),
                str(row["empty"]),
            ]
            for reader, row in found["scores"].items()
        ],
    )


def _versions(sets: dict[str, dict[str, Any]]) -> dict[str, str]:
    return {name: version for found in sets.values() for name, version in found["versions"].items()}


def _three(value: float) -> str:
    return format_number(value, 3)
