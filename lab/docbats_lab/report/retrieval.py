"""The page on chunks for search."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from docbats_lab.experiments.retrieval import BUDGETS, OURS, REFERENCE, SIZES
from docbats_lab.report.markdown_tables import markdown_table
from docbats_lab.retrieval.rankings import RANKINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_INTRODUCTION = (
    "Questions with the character spans that answer them, of Chroma's report (B. Smith and A. "
    "Troynikov, 2024), on the corpora that each section names; the chunks of its corpora are "
    "ranked together. Recall is the share of an answer's characters that is retrieved, IoU the "
    f"characters in both over those in either. {REFERENCE} gets a limit of 100, 200 and 400 tokens "
    "(word pieces of all-MiniLM-L6-v2), the others the size at which they make as many chunks. A "
    "context before a chunk is indexed, but is not retrieved text. Intervals are 95 % by a paired "
    "bootstrap over questions; a star where zero is outside. MiniLM reads 256 word pieces of a "
    "chunk at most, so that it does not see the ends of the largest.\n"
)


def page(folder: Path, _: Path) -> Iterator[str]:
    """Show the scores by each ranking, and our lead over each other splitter."""
    yield _INTRODUCTION
    for ranking in RANKINGS:
        path = folder / ranking.lower() / "facts.json"
        if path.exists():
            yield from _ranking(json.loads(path.read_text(encoding="utf-8")))


def settings_page(folder: Path, _: Path) -> Iterator[str]:
    """Show recall at other costs of cuts, and what the best on one corpus gains on the others."""
    facts = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    yield (
        "Recall in % by BM25 with 2,000 retrieved characters and headings as context, mean of the "
        "sizes of 100, 200 and 400 tokens, if the costs by which chunks are cut were other than "
        "they are:\n"
    )
    corpora = list(facts["questions"])
    yield markdown_table(
        ("costs", *corpora),
        [
            [name, *(f"{100 * row[corpus]:.1f}" for corpus in corpora)]
            for name, row in facts["recall"].items()
        ],
    )
    yield "\nThe best on one corpus, and what it gains over the default, in points:\n"
    yield markdown_table(
        ("chosen on", "costs", "gain there", "gain on the others"),
        [
            [
                corpus,
                row["costs"],
                f"{100 * row['gain here']:+.1f}",
                _points(row["gain on the others"]),
            ]
            for corpus, row in facts["chosen"].items()
        ],
    )


def _ranking(facts: Mapping[str, Any]) -> Iterator[str]:
    questions = ", ".join(f"{name} {n}" for name, n in facts["questions"].items())
    yield f"\n## By {facts['ranking']}\n\nQuestions: {questions}. `{facts['command']}`.\n"
    versions = ", ".join(f"{name} {v}" for name, v in facts["versions"].items() if v)
    yield f"Versions: {versions}; seed {facts['seed']}.\n"
    for budget in BUDGETS:
        yield (
            f"\n{OURS[0].upper()}{OURS[1:]} minus each other, recall in points with {budget:,} "
            "retrieved characters:\n"
        )
        yield _differences(facts, f"recall at {budget}")
    yield f"\nThe same, IoU in points with {BUDGETS[0]:,} retrieved characters:\n"
    yield _differences(facts, f"iou at {BUDGETS[0]}")
    yield "\nRecall by corpus, mean of the three sizes, with 2,000 retrieved characters:\n"
    corpora = list(facts["questions"])
    yield markdown_table(
        ("minus", *corpora),
        [
            [name, *(_points(row["by corpus"][corpus]) for corpus in corpora)]
            for name, row in facts["differences"].items()
        ],
    )
    yield "\nRecall with 2,000 characters, and recall, precision and IoU of the top 5, in %:\n"
    yield markdown_table(
        ("splitter", "size", "chunks", "limit", "recall", "top 5: recall", "precision", "IoU"),
        [
            [
                name,
                str(size),
                str(facts["sizes"][name][str(size)]["chunks"]),
                str(facts["sizes"][name][str(size)]["size"]),
                *(
                    f"{100 * scores[str(size)][measure]:.1f}"
                    for measure in (
                        "recall at 2000",
                        "recall in top 5",
                        "precision in top 5",
                        "iou in top 5",
                    )
                ),
            ]
            for name, scores in facts["scores"].items()
            for size in SIZES
        ],
    )


def _differences(facts: Mapping[str, Any], measure: str) -> str:
    labels = [*map(str, SIZES), "mean"]
    return markdown_table(
        ("minus", *(f"{label} tokens" for label in labels[:-1]), "mean"),
        [
            [name, *(_points(row[label][measure]) for label in labels)]
            for name, row in facts["differences"].items()
        ],
    )


def _points(values: list[float]) -> str:
    mean, low, high = (100 * value for value in values)
    star = " *" if low > 0 or high < 0 else ""
    return f"{mean:+.1f} ({low:.1f} to {high:.1f}){star}"
