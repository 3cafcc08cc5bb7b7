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
from docbats_lab.documents import StructuredDocument, read_structured

MARKS = Path(__file__).parent / "results" / "titles-read.json"
PER_SOURCE = 3


def main() -> None:
    """Print the titles of a folder's documents, or how they were judged."""
    if len(sys.argv) == 1:
        count_marks()
        return
    for source, documents in read_structured(Path(sys.argv[1])).items():
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
    result = docbats.analyze(plain.text, language=plain.known_language)
    print("| sentences | title | headings | summary |\n|---:|---|---|---|")
    for segment in result.segments:
        first = bisect_right(plain.starts, segment.start) - 1
        last = bisect_left(plain.starts, segment.end)
        over = "; ".join(filter(None, plain.headings[first:last]))
        n_sentences = segment.sentences[1] - segment.sentences[0]
        print(f"| {n_sentences} | {segment.title} | {over} | {segment.summary} |")


if __name__ == "__main__":
    main()
