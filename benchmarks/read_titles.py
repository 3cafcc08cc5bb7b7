"""Print the titles and labels of documents without headings for people to read, and count marks.

``python benchmarks/read_titles.py DATA`` prints 150 titles and 100 labels of 40 documents, given
without their headings: talk with its speakers, novels and essays, other languages, and papers and
policies. Above each title are passages of its segment, above each label the sentences that use
its words most. ``python benchmarks/read_titles.py`` counts the marks in
benchmarks/results/titles-read.json, a letter for each title and label in this order; it also has
those of 33 documents of ``structured/`` whose titles were read beside their headings.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import docbats
from docbats_lab.datasets import DATASETS
from docbats_lab.documents import PROSE, StructuredDocument, known_language, read_structured
from docbats_lab.experiments.request import evenly_spaced
from docbats_lab.layouts import SectionFiles, read_section_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docbats.parts import Segment

MARKS = Path(__file__).parent / "results" / "titles-read.json"
N_TITLES, N_LABELS = 150, 100
_PER_DOCUMENT = {"titles": 5, "labels": 4}  # before the lists are thinned out to these numbers
_PASSAGES = 4  # of a segment
_PASSAGE = 260  # characters

KINDS: dict[str, dict[str, int]] = {
    "talk": {
        "icsi": 4,
        "avlectures": 4,
        "pacific-hansard": 2,
        "scotus-oral": 2,
        "ethereum-pm": 1,
        "wasm-meetings": 1,
    },
    "novels and essays": {"standard-ebooks": 4, "standard-ebooks-more": 3, "mtlynch": 1},
    "other languages": {"legalize-es": 2, "mdn-translated": 8, "handbook-fr": 2},
    "papers and policies": {
        "covid19-review": 1,
        "pmc-agri-bio": 1,
        "scipy-proc": 1,
        "nist-800-63": 1,
        "us-code": 1,
        "iclr-blog": 1,
    },
}
"""How many documents of each source are read, by their kinds."""


@dataclass(frozen=True)
class ReadDocument:
    """A document without its headings, as it is analyzed."""

    kind: str
    source: str
    name: str
    document: docbats.Document
    language: str


def main() -> None:
    """Print the titles and labels of a folder's documents, or how they were judged."""
    if len(sys.argv) == 1:
        count_marks()
        return
    shown: dict[str, list[tuple[str, list[str], str]]] = {"titles": [], "labels": []}
    for read in sample(Path(sys.argv[1])):
        result = docbats.analyze(read.document, language=read.language)
        where = f"{read.kind} | {read.source} | {read.name}"
        for segment in evenly_spaced(list(result.segments), _PER_DOCUMENT["titles"]):
            shown["titles"].append((where, _passages(segment), segment.title))
        for topic in evenly_spaced(list(result.topics), _PER_DOCUMENT["labels"]):
            words = [word for word, _ in topic.words[:10]]
            shown["labels"].append((where, _sentences(result, words), topic.label))
    for what, n in (("titles", N_TITLES), ("labels", N_LABELS)):
        before = ""
        for number, (where, passages, name) in enumerate(evenly_spaced(shown[what], n), 1):
            if where != before:
                print(f"\n## {what} | {where}")
            before = where
            print(f"\n{number}.", *passages, sep="\n    ")
            print(f"  => {name}")


def sample(data: Path) -> Iterator[ReadDocument]:
    """Yield the documents that are read, evenly spaced in each source."""
    structured = read_structured(data)
    for kind, sources in KINDS.items():
        for source, n in sources.items():
            if source == "handbook-fr":
                flat = evenly_spaced(list(DATASETS[source].load(data)), n)
                for each in flat:
                    text = "\n\n".join(" ".join(sentences) for sentences in each.segments)
                    yield ReadDocument(kind, source, each.name, docbats.Document.of(text), "fr")
                continue
            if source in structured:
                found = structured[source]
            else:
                path = data / "sections" / f"{source}.jsonl.xz"
                lines = SectionFiles().lines(path.parent)[source]
                found = [read_section_line(source, line) for line in evenly_spaced(lines, n)]
            for document in evenly_spaced(found, n):
                language = known_language(document.language)
                yield ReadDocument(
                    kind, source, document.name, without_headings(document), language
                )


def without_headings(document: StructuredDocument) -> docbats.Document:
    """Return the prose of a document, with its speakers."""
    blocks = [
        {"kind": block["type"], "text": block["text"], "speaker": block.get("speaker")}
        for block in document.blocks
        if block["type"] in PROSE and block["text"].strip()
    ]
    return docbats.Document.from_blocks(
        [{key: value for key, value in block.items() if value} for block in blocks]
    )


def _passages(segment: Segment) -> list[str]:
    """Return the beginning of a segment, passages from inside it, and its summary."""
    text = " ".join(segment.text.split())
    step = max(_PASSAGE, len(text) // _PASSAGES)
    places = range(0, len(text), step)
    passages = [text[place : place + _PASSAGE] for place in places][:_PASSAGES]
    return [*passages, f"SUM: {segment.summary}"]


def _sentences(result: docbats.Result, words: list[str]) -> list[str]:
    """Return the words of a topic, and the three sentences that have most of them."""
    wanted = set(words)
    sentences = [" ".join(sentence.split()) for sentence in result.document.sentences]
    counts = [len(wanted & set(sentence.lower().split())) for sentence in sentences]
    best = sorted(range(len(counts)), key=lambda i: -counts[i])[:3]
    return [", ".join(words), *(sentences[i][:_PASSAGE] for i in sorted(best))]


def count_marks() -> None:
    """Print how many titles and labels are good, so-so and misleading, by kind and by source."""
    found = json.loads(MARKS.read_text(encoding="utf-8"))
    names = found["marks"]
    read = found["without headings"]
    print(f"{len(read['documents'])} documents without headings: {', '.join(names.values())}")
    for what in ("titles", "labels"):
        counts: dict[str, Counter[str]] = {}
        for document in read["documents"]:
            for kind in (document["kind"], "all"):
                counts.setdefault(kind, Counter()).update(document[what])
        for kind, marks in counts.items():
            total = marks.total()
            shares = ", ".join(f"{marks[mark] / total:.0%}" for mark in names)
            cell = " / ".join(str(marks[mark]) for mark in names)
            print(f"{what:8}{kind:22}{cell:14}{shares}")
    for what, sign in (("phrases", "-"), ("quotations", "q")):
        marks = Counter(
            mark
            for document in read["documents"]
            for mark, quoted in zip(document["titles"], document["quoted"], strict=True)
            if quoted == sign
        )
        print(f"{what:30}" + " / ".join(str(marks[mark]) for mark in names))
    for what, marks in read["other readers"].items():
        counted = Counter(marks)
        print(f"{'other readers, ' + what:30}" + " / ".join(str(counted[mark]) for mark in names))
    beside = found["beside headings"]
    print(f"\n{len(beside['documents'])} documents beside their headings; before, now")
    by_source: dict[str, tuple[Counter[str], Counter[str]]] = {}
    for document in beside["documents"]:
        for source in (document["source"], "all"):
            before, now = by_source.setdefault(source, (Counter(), Counter()))
            before.update(document["before"])
            now.update(document["now"])
    for source in sorted(by_source, key=lambda source: (source == "all", source)):
        cells = (" / ".join(str(marks[mark]) for mark in names) for marks in by_source[source])
        print(f"{source:18}" + "   ".join(f"{cell:14}" for cell in cells).rstrip())


if __name__ == "__main__":
    main()
