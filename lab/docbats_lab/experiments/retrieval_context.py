"""What helps search where there are no headings: other text to index with a chunk, and other sizes.

All of it without a model. The chunks are those without context, so that a corpus with headings
stands for one whose headings are not known; titles and keywords are of an analysis that ignores
headings. What is indexed beside a chunk is not retrieved.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats import Chunker, analyze
from docbats.chunks.pieces import find_sentences
from docbats.runtime import find_versions
from docbats.text.languages.english import STOP_WORDS
from docbats_lab.experiments.request import progress
from docbats_lab.experiments.retrieval import (
    DEFAULT,
    SIZES,
    choose_best,
    interval,
    points,
    score_chunks,
)
from docbats_lab.report.tables import named_table
from docbats_lab.results import read_facts, write_facts
from docbats_lab.retrieval.scores import read_retrieval_set
from docbats_lab.retrieval.splitters import (
    SPLITTERS,
    Splitter,
    chunk_all,
    chunk_to_count,
    read_document,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from docbats.parts import Segment
    from docbats_lab.experiments.request import Request
    from docbats_lab.retrieval.scores import IndexedChunk

    Around = Callable[["Corpus", IndexedChunk], tuple[str, str]]

MIN_CONFIDENCE = 0.5
_REFERENCE = "LangChain recursive"  # whose numbers of chunks all have
_ALL = "all"
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Corpus:
    """A text with the ends of its sentences and its segments by topic."""

    text: str
    ends: list[int]
    segments: Sequence[Segment]

    @classmethod
    def of(cls, text: str) -> Corpus:
        """Return the corpus of a text, whose headings are ignored."""
        result = analyze(text, granularity="fine", structure="ignore", title_threshold=0)
        return cls(text, find_sentences(read_document(text)).ends.tolist(), list(result.segments))

    def segment(self, chunk: IndexedChunk) -> Segment:
        """Return the segment that the middle of a chunk is in."""
        starts = [segment.start for segment in self.segments]
        middle = (chunk.start + chunk.end) // 2
        return self.segments[max(0, bisect_right(starts, middle) - 1)]


def sentences_around(
    corpus: Corpus, chunk: IndexedChunk, before: int, after: int
) -> tuple[str, str]:
    """Return so many sentences before a chunk, and after it."""
    ends = corpus.ends
    first = bisect_right(ends, chunk.start) - 1 - before
    last = min(bisect_right(ends, chunk.end - 1) + after, len(ends) - 1)
    start = 0 if first < 0 else ends[first]
    left = corpus.text[start : chunk.start] if before else ""
    return left, corpus.text[chunk.end : ends[last]] if after else ""


def _title(corpus: Corpus, chunk: IndexedChunk, least: float) -> tuple[str, str]:
    segment = corpus.segment(chunk)
    is_sure = (segment.title_confidence or 0.0) >= least
    return (f"{segment.title}\n" if is_sure else ""), ""


def _keywords(corpus: Corpus, chunk: IndexedChunk) -> tuple[str, str]:
    return " ".join(word for word, _ in corpus.segment(chunk).keywords[:5]) + "\n", ""


def _summary(corpus: Corpus, chunk: IndexedChunk) -> tuple[str, str]:
    return f"{corpus.segment(chunk).summary}\n", ""


_AROUND: dict[str, tuple[Around, int]] = {
    "sentence before": (partial(sentences_around, before=1, after=0), 1),
    "sentence after": (partial(sentences_around, before=0, after=1), 1),
    "sentence on both sides": (partial(sentences_around, before=1, after=1), 1),
    "the same, own text twice": (partial(sentences_around, before=1, after=1), 2),
    "three sentences on both sides, own text twice": (
        partial(sentences_around, before=3, after=3),
        2,
    ),
    "five sentences on both sides, own text three times": (
        partial(sentences_around, before=5, after=5),
        3,
    ),
    "title of the segment": (partial(_title, least=0.0), 1),
    f"title of confidence {MIN_CONFIDENCE} or more": (partial(_title, least=MIN_CONFIDENCE), 1),
    "five keywords of the segment": (_keywords, 1),
    "summary of the segment": (_summary, 1),
}
"""What to index around a chunk, and how often to index the chunk itself."""


def _content_words(text: str) -> int:
    return sum(word not in STOP_WORDS for word in _WORD.findall(text.lower()))


def _distinct_words(text: str) -> int:
    return len(set(_WORD.findall(text.lower())))


_UNITS: dict[str, Callable[[str], int]] = {
    "sizes in words that are no stop words": _content_words,
    "sizes in distinct words": _distinct_words,
}


def run(request: Request) -> None:
    """Score each by BM25, and choose the best on each corpus."""
    data = read_retrieval_set(request.data)
    corpora = {name: Corpus.of(text) for name, text in data.texts.items()}
    corpus_of = np.array([question.corpus for question in data.questions])
    counts = {size: len(chunk_all(SPLITTERS[_REFERENCE], data.texts, size)) for size in SIZES}
    own = {s: chunk_to_count(SPLITTERS["docbats"], data.texts, counts[s], s)[1] for s in SIZES}
    tried: dict[str, Callable[[int], list[IndexedChunk]]] = {DEFAULT: own.__getitem__}
    for name, (around, times) in _AROUND.items():
        tried[name] = partial(_indexed_with, own, corpora, around, times)
    for name, unit in _UNITS.items():
        tried[name] = partial(_cut_by, unit, data.texts, counts)
    recalls = {}
    with progress(request, "retrieval: context", len(tried)) as on_done:
        for name, make in tried.items():
            scores = [score_chunks(make(size), data.questions, "BM25")[:, 0] for size in SIZES]
            recalls[name] = np.mean(scores, axis=0)
            on_done()
    facts = {
        "command": "docbats lab run retrieval-context",
        "versions": find_versions("docbats", "numpy", "langchain-text-splitters"),
        "seed": request.seed,
        "questions": {name: int((corpus_of == name).sum()) for name in corpora},
        "recall": {
            name: {corpus: round(float(each[corpus_of == corpus].mean()), 4) for corpus in corpora}
            for name, each in recalls.items()
        },
        "gain": {
            name: _gains(each - recalls[DEFAULT], corpus_of, request.seed)
            for name, each in recalls.items()
        },
        "chosen": {
            corpus: choose_best(recalls, corpus_of != corpus, request.seed) for corpus in corpora
        },
    }
    write_facts(request.output / "retrieval-context", facts)


def _gains(
    gains: NDArray[np.float64], corpus_of: NDArray[np.str_], seed: int
) -> dict[str, list[float]]:
    """Return the mean gain on each corpus and on all, with its bounds."""
    by_corpus = {
        name: interval(gains[corpus_of == name], seed) for name in dict.fromkeys(corpus_of.tolist())
    }
    return {**by_corpus, _ALL: interval(gains, seed)}


def _indexed_with(
    own: dict[int, list[IndexedChunk]],
    corpora: dict[str, Corpus],
    around: Around,
    times: int,
    size: int,
) -> list[IndexedChunk]:
    """Return the chunks of a size with what is around them in what is indexed."""
    found = []
    for chunk in own[size]:
        left, right = around(corpora[chunk.corpus], chunk)
        content = "\n".join([chunk.content] * times)
        found.append(replace(chunk, content=f"{left}{content}{right}"))
    return found


def _cut_by(
    unit: Callable[[str], int], texts: dict[str, str], counts: dict[int, int], size: int
) -> list[IndexedChunk]:
    """Return as many chunks as the others have, whose sizes are counted in another unit."""

    def split(text: str, limit: int) -> list[tuple[int, int, str]]:
        chunks = Chunker(limit, size_unit=unit)(read_document(text))
        return [(chunk.start, chunk.end, chunk.content) for chunk in chunks]

    return chunk_to_count(Splitter("docbats", "", split), texts, counts[size], size)[1]


def page(folder: Path, _: Path) -> Iterator[str]:
    """Show recall with each, and what the best on two corpora gains on the third."""
    facts = read_facts(folder)
    corpora = list(facts["questions"])
    yield (
        "Recall in % by BM25 with 2,000 retrieved characters, as the mean over sizes of 100, 200 "
        "and 400 tokens, of chunks without headings as context: as they are, with other text "
        "indexed beside them, or with sizes counted otherwise. Titles, keywords and summaries are "
        "of an analysis that ignores headings. Intervals are 95 % intervals of a paired bootstrap "
        "over questions; a star marks those without zero.\n"
    )
    yield named_table(
        ("indexed", *corpora),
        facts["recall"],
        lambda row: [f"{100 * row[corpus]:.1f}" for corpus in corpora],
    )
    yield "\nThe gain over chunks as they are:\n"
    yield named_table(
        ("indexed", *corpora, _ALL),
        {name: row for name, row in facts["gain"].items() if name != DEFAULT},
        lambda row: [points(row[corpus]) for corpus in (*corpora, _ALL)],
    )
    yield "\nThe best on two corpora, and its gain on the third, in points:\n"
    yield named_table(
        ("left out", "best on the others", "gain there", "gain"), facts["chosen"], _row
    )


def _row(row: dict[str, Any]) -> list[str]:
    return [row["costs"], f"{100 * row['gain here']:+.1f}", points(row["gain on the others"])]
