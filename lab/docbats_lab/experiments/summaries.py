"""Summaries against the abstracts of authors, and whether those of talk say anything.

C.-Y. Lin, "ROUGE: A Package for Automatic Evaluation of Summaries", 2004: F1 of the n-grams, or of
the longest common subsequence, of stems in English.

G. Erkan and D. Radev, "LexRank: Graph-based Lexical Centrality as Salience in Text Summarization",
JAIR 22, 2004: the continuous variant, with the cosine of tf-idf vectors as similarity.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.document import Document
from docbats.errors import DocbatsError
from docbats.pipeline import analyze
from docbats.runtime import find_versions
from docbats.text.languages.english import STOP_WORDS
from docbats.text.words import stemming
from docbats_lab.datasets import DATASETS
from docbats_lab.documents import read_structured
from docbats_lab.experiments.request import evenly_spaced, load_documents, map_with_progress
from docbats_lab.report.tables import format_number, named_table
from docbats_lab.results import read_facts, write_facts
from docbats_lab.score_summary import bootstrap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from scipy import sparse

    from docbats.parts import Segment
    from docbats_lab.documents import SegmentedDocument, StructuredDocument
    from docbats_lab.experiments.request import Request

    Scores = dict[str, dict[str, float]]


_WORD = re.compile(r"\w+")


def rouge_n(summary: str, reference: str, n: int) -> float:
    """Return the F1 of the n-grams of a summary.

    >>> rouge_n("bats hunt moths", "moths hunt bats", 1)
    1.0
    """
    found, wanted = (_ngrams(_words(text), n) for text in (summary, reference))
    return _f1((found & wanted).total(), found.total(), wanted.total())


def rouge_l(summary: str, reference: str) -> float:
    """Return the F1 of the longest common subsequence of a summary and a reference."""
    found, wanted = _words(summary), _words(reference)
    before = [0] * (len(wanted) + 1)
    for word in found:
        row = [0]
        for i, other in enumerate(wanted):
            row.append(before[i] + 1 if word == other else max(before[i + 1], row[-1]))
        before = row
    return _f1(before[-1], len(found), len(wanted))


def _words(text: str) -> list[str]:
    words = _WORD.findall(text.lower())
    return list(stemming("english")(words)) if words else []


def _ngrams(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def _f1(common: int, found: int, wanted: int) -> float:
    return 2 * common / (found + wanted) if found + wanted else 0.0


_DAMPING = 0.85
_ROUNDS = 200
_TOLERANCE = 1e-10


def lex_rank(tf_idf: sparse.csr_array, n: int) -> list[int]:
    """Return the `n` best sentences by a walk over the graph of similarities, in text order."""
    rows = tf_idf.toarray()
    norm = np.linalg.norm(rows, axis=1)
    rows = rows / np.where(norm > 0, norm, 1)[:, None]
    similarity = rows @ rows.T
    total = similarity.sum(axis=0)
    step = similarity / np.where(total > 0, total, 1)
    size = len(rows)
    rank = np.full(size, 1 / size)
    for _ in range(_ROUNDS):
        new = (1 - _DAMPING) / size + _DAMPING * (step @ rank)
        done = np.abs(new - rank).sum() < _TOLERANCE
        rank = new
        if done:
            break
    best = np.argsort(-rank.round(12), kind="stable")[:n]
    return sorted(best.tolist())


TALK = ("icsi", "avlectures")
"""Meetings and lectures, of which a summary may say nothing."""

_MIN_CONTENT_WORDS = 6
_BACKCHANNELS = """
yeah yep yup yes no nope okay ok oh ah uh um er hm hmm mm mhm huh right alright well so wow hi hello
bye thanks thank gonna wanna gotta
"""
_SPEAKER = re.compile(r"(?:[A-Z][\w.'’-]*[ ]?){1,4}: ")  # at the beginning
_THANKS = re.compile(
    r"\b(?:thanks|thank (?:you|him|her|them)|welcome (?:back|everyone))\b", re.IGNORECASE
)


@dataclass(frozen=True)
class WeakSummary:
    """A summary of a segment that says nothing, and why."""

    document: str
    summary: str
    reason: str


def find_weakness(summary: str) -> str:
    """Return why a summary says nothing; empty if it says something, or there is none.

    The words are counted here anew, not as docbats counts them.

    >>> find_weakness("I think so, yeah.")
    'no content words of the six it needs'
    >>> find_weakness("Professor B: Look at moths, rivers and ships: there they are.")
    '4 content words of the six it needs'
    >>> find_weakness("Thanks, Bats: moths, rivers, harbours, ships, tides and cranes.")
    'thanks'
    """
    if not summary:
        return ""
    if _THANKS.search(summary):
        return "thanks"
    name = _SPEAKER.match(summary)
    said = summary[name.end() :] if name else summary
    not_content = STOP_WORDS | set(_BACKCHANNELS.split())
    content = {
        word
        for word in re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)*", said.lower())
        if len(word) > 1 and word not in not_content
    }
    if len(content) < _MIN_CONTENT_WORDS:
        return f"{len(content) or 'no'} content words of the six it needs"
    return ""


N_SENTENCES = 5
_ABSTRACT = "abstract"
_PROSE = frozenset({"paragraph", "list_item", "quote"})


def run(request: Request) -> None:
    """Score our summaries, those of LexRank and the first sentences by ROUGE."""
    documents = (each for found in read_structured(request.data).values() for each in found)
    pairs = [pair for document in documents if (pair := split_abstract(document))][: request.limit]
    rows = map_with_progress(request, "summaries", _score, pairs)
    ways = list(rows[0]) if rows else []
    facts: dict[str, Any] = {
        "command": "docbats lab run summaries",
        "versions": find_versions("docbats", "numpy", "scipy", "PyStemmer"),
        "seed": request.seed,
        "documents": len(rows),
        "sentences": N_SENTENCES,
        "scores": {
            way: {
                name: round(float(np.mean([row[way][name] for row in rows])), 4)
                for name in rows[0][way]
            }
            for way in ways
        },
        "differences": {
            way: {
                name: bootstrap(
                    [[row[ways[0]][name] - row[way][name] for row in rows]], request.seed
                )
                for name in rows[0][way]
            }
            for way in ways[1:]
        },
        "talk": {},
    }
    weak = []
    for dataset in TALK:
        if DATASETS[dataset].is_present(request.data):
            documents_of_talk = evenly_spaced(load_documents(request.data, dataset), request.limit)
            checked = map_with_progress(request, dataset, check_talk, documents_of_talk)
            found = [weakness for _, _, each in checked for weakness in each]
            facts["talk"][dataset] = {
                "documents": len(checked),
                "segments": sum(segments for segments, _, _ in checked),
                "summaries": sum(summed for _, summed, _ in checked),
                "weak": len(found),
            }
            weak += found
    write_facts(request.output / "summaries", facts)
    if weak:
        first = weak[0]
        msg = (
            f"{len(weak)} summaries of talk say nothing; the first, of {first.document}, has "
            f"{first.reason}: {first.summary}"
        )
        raise DocbatsError(msg)


def check_talk(document: SegmentedDocument) -> tuple[int, int, list[WeakSummary]]:
    """Return the number of segments, that of summaries, and those that say nothing."""
    segments = analyze(list(document.sentences), language=document.language).segments
    summaries = [segment.summary for segment in segments if segment.summary]
    weak = [
        WeakSummary(document.name, summary, reason)
        for summary in summaries
        if (reason := find_weakness(summary))
    ]
    return len(segments), len(summaries), weak


def split_abstract(document: StructuredDocument) -> tuple[str, str] | None:
    """Return a document without its abstract, and the abstract; None if it has none."""
    top = document.top_level
    abstract: list[str] = []
    rest: list[str] = []
    is_abstract = False
    for block in document.blocks:
        if block["type"] == "heading" and block["level"] == top:
            is_abstract = block["text"].strip().lower() == _ABSTRACT
        elif block["type"] in _PROSE:
            (abstract if is_abstract else rest).append(block["text"])
    if not abstract or not rest:
        return None
    return "\n\n".join(rest), " ".join(abstract)


def _score(pair: tuple[str, str]) -> Scores:
    text, abstract = pair
    document = Document.from_text(text, language="en")
    result = analyze(document)
    chosen = {
        "docbats": [sentence.text for sentence in result.summary(N_SENTENCES)],
        "LexRank": [document.sentences[i] for i in lex_rank(result.analysis.F, N_SENTENCES)],
        "lead": list(document.sentences[:N_SENTENCES]),
        "lead of the segments": _leads(result.segments, document),
    }
    return {
        way: {
            "ROUGE-1": rouge_n(" ".join(found), abstract, 1),
            "ROUGE-2": rouge_n(" ".join(found), abstract, 2),
            "ROUGE-L": rouge_l(" ".join(found), abstract),
        }
        for way, found in chosen.items()
    }


def _leads(segments: Sequence[Segment], document: Document) -> list[str]:
    """Return the first sentences of the longest segments."""
    spans = [segment.sentences for segment in segments]
    longest = sorted(spans, key=lambda span: span[0] - span[1])[:N_SENTENCES]
    return [document.sentences[first] for first, _ in sorted(longest)]


def page(folder: Path, _: Path) -> Iterator[str]:
    """Show ROUGE of each way, and the lead of ours over the others."""
    facts = read_facts(folder)
    names = list(next(iter(facts["scores"].values())))
    yield (
        f"The {facts['documents']} PEPs with an abstract, given without it and without headings: "
        f"{facts['sentences']} sentences of the rest are compared with the abstract by ROUGE (F1 "
        "of stems). LexRank is our implementation of its paper; the lead is the first sentences of "
        "the text, or of its longest segments.\n"
    )
    yield named_table(
        ("summary", *names),
        facts["scores"],
        lambda row: [format_number(row[name]) for name in names],
    )
    yield "\nOurs minus the others, with 95 % intervals of a paired bootstrap over documents:\n"
    yield named_table(
        ("minus", *names),
        facts["differences"],
        lambda row: ["{:+.3f} [{:+.3f}, {:+.3f}]".format(*row[name]) for name in names],
    )
    if not facts["talk"]:
        return
    yield (
        "\nThe summaries of the segments of meetings and lectures: the command fails if one has "
        "fewer than six distinct content words, or thanks. A segment without a sentence that says "
        "enough has none.\n"
    )
    yield named_table(
        ("talk", "documents", "segments", "summaries", "that say nothing"),
        facts["talk"],
        lambda row: [str(row[name]) for name in ("documents", "segments", "summaries", "weak")],
    )
