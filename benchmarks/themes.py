"""How well the themes of a corpus hold together: ``python benchmarks/themes.py`` (DOCBATS_DATA).

The documents of the folder `structured` come from eleven sources, such as textbooks, laws and
manuals; all of them, and every sixth, are a corpus. A theme need not keep to a source, but one that
mixes them at random is none: for each theme the share of its largest source is taken, and for
groups of the same sizes drawn by chance. Writes benchmarks/results/themes.json.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from docbats import BATS, Document
from docbats.corpus.rows import RowSummary
from docbats.corpus.themes import Themes
from docbats.runtime import find_versions
from docbats_lab.documents import read_structured

OUTPUT = Path(__file__).parent / "results" / "themes.json"
NUMBER = 36  # of themes, as in the report
SEED = 0


def measure(rows: list[RowSummary]) -> dict[str, Any]:
    """Return how many themes there are, what they cover and how pure they are."""
    themes = Themes()
    for row in rows:
        themes.add(row)
    found = themes.find(NUMBER)
    sources = [[_source(row) for row in theme.listed] for theme in found]
    chance = Random(SEED)
    drawn = [[_source(row) for row in chance.sample(rows, len(each))] for each in sources]
    return {
        "documents": len(rows),
        "themes": len(found),
        "documents named": len({row.id for theme in found for row in theme.listed}),
        "documents of a theme, median": sorted(theme.documents for theme in found)[len(found) // 2],
        "share of the largest source": _purity(sources),
        "the same by chance": _purity(drawn),
    }


def _source(row: RowSummary) -> str:
    return row.id.partition("/")[0]


def _purity(groups: list[list[str]]) -> float:
    shares = [Counter(each).most_common(1)[0][1] / len(each) for each in groups]
    return round(sum(shares) / len(shares), 3)


def main() -> None:
    """Analyze, measure, and write the results."""
    data = os.environ.get("DOCBATS_DATA")
    if data is None:
        sys.exit("set DOCBATS_DATA to the folder of the datasets")
    bats = BATS()
    rows = []
    documents = [each for found in read_structured(Path(data)).values() for each in found]
    for place, document in enumerate(documents):
        result = bats(Document.read(document.as_markdown()[0].encode(), kind="markdown"))
        words = tuple(tuple(word.word for word in topic.words[:10]) for topic in result.topics)
        name = f"{document.source}/{document.name}"
        rows.append(RowSummary(name, place, None, None, words=words))
    report = {
        "command": "python benchmarks/themes.py",
        "versions": find_versions("docbats", "numpy", "scipy"),
        "seed": SEED,
        "all documents": measure(rows),
        "every sixth": measure(rows[::6]),
    }
    OUTPUT.write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
