"""Print the titles of three documents of each source for people to read, beside their headings.

``python benchmarks/read_titles.py DATA`` prints three documents of each source of ``structured/``:
for each segment its sentences, its title, the headings that it overlaps and its summary. ``python
benchmarks/read_titles.py`` counts how its titles were judged: benchmarks/results/titles-read.json
has a mark for each title, in the order of the segments, by the ranker before this one and by this.
"""

from __future__ import annotations

import json
import sys
from bisect import bisect_left, bisect_right
from collections import Counter
from pathlib import Path

import docbats
from docbats.text.languages import LANGUAGES
from docbats_lab.documents import StructuredDocument, by_source, read_structured

MARKS = Path(__file__).parent / "results" / "titles-read.json"
PER_SOURCE = 3


def main() -> None:
    """Print the titles of a folder's documents, or how they were judged."""
    if len(sys.argv) == 1:
        count_marks()
        return
    sources = by_source(list(read_structured(Path(sys.argv[1]))))
    for source, documents in sources.items():
        step = len(documents) // PER_SOURCE
        for document in documents[step // 2 :: step][:PER_SOURCE]:
            print(f"\n## {source}: {document.name}\n")
            print_titles(document)


def count_marks() -> None:
    """Print how many titles are good, so-so and misleading, by source."""
    found = json.loads(MARKS.read_text(encoding="utf-8"))
    names = found["marks"]
    counts: dict[str, tuple[Counter[str], Counter[str]]] = {}
    for document in found["documents"]:
        for source in (document["source"], "all"):
            before, now = counts.setdefault(source, (Counter(), Counter()))
            before.update(document["before"])
            now.update(document["now"])
    print(f"{len(found['documents'])} documents: {', '.join(names.values())}; before, now")
    for source in sorted(counts, key=lambda source: (source == "all", source)):
        cells = (" / ".join(str(marks[mark]) for mark in names) for marks in counts[source])
        print(f"{source:18}" + "   ".join(f"{cell:14}" for cell in cells).rstrip())


def print_titles(document: StructuredDocument) -> None:
    """Print the titles of one document."""
    plain = document.without_headings()
    language = document.language if document.language in LANGUAGES else "auto"
    result = docbats.analyze(plain.text, language=language)
    headings = _headings(document)
    starts = [0, *plain.section_starts]
    print("| sentences | title | headings | summary |\n|---:|---|---|---|")
    for segment in result.segments:
        first = bisect_right(starts, segment.start) - 1
        last = bisect_left(starts, segment.end)
        over = "; ".join(filter(None, headings[first:last]))
        n_sentences = segment.sentences[1] - segment.sentences[0]
        print(f"| {n_sentences} | {segment.title} | {over} | {segment.summary} |")


def _headings(document: StructuredDocument) -> list[str]:
    """Return the heading of each section that has prose, in the order of the sections."""
    found: list[str] = [""]
    has_prose = [False]
    is_marked = any(block["type"] == "boundary" for block in document.blocks)
    for block in document.blocks:
        is_top = block["type"] == "heading" and block["level"] == document.top_level
        if block["type"] == "boundary":
            found.append(block["title"] or "")
            has_prose.append(False)
        elif is_top and not is_marked:
            found.append(block["text"])
            has_prose.append(False)
        elif block["type"] in {"paragraph", "list_item", "quote", "turn"}:
            has_prose[-1] = True
    return [heading for heading, prose in zip(found, has_prose, strict=True) if prose]


if __name__ == "__main__":
    main()
