"""Summaries against the abstracts that authors wrote."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from docbats.document import Document
from docbats.pipeline import analyze
from docbats.runtime import find_versions
from docbats_lab.experiments.titles import write_facts
from docbats_lab.lex_rank import lex_rank
from docbats_lab.metrics.rouge import rouge_l, rouge_n
from docbats_lab.structured_documents import read_structured

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats_lab.experiments.request import Request
    from docbats_lab.structured_documents import StructuredDocument

    Scores = dict[str, dict[str, float]]

N_SENTENCES = 5
_ABSTRACT = "abstract"
_PROSE = frozenset({"paragraph", "list_item", "quote"})
_RESAMPLES = 2000


def run(request: Request) -> None:
    """Score our summaries, the first sentences and those of LexRank by ROUGE."""
    pairs = [
        pair for document in read_structured(request.data) if (pair := split_abstract(document))
    ][: request.limit]
    with ProcessPoolExecutor(request.jobs) as pool:
        rows = list(pool.map(_score, pairs))
    ways = list(rows[0]) if rows else []
    facts = {
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
                name: _bootstrap(
                    [row[ways[0]][name] - row[way][name] for row in rows], request.seed
                )
                for name in rows[0][way]
            }
            for way in ways[1:]
        },
    }
    write_facts(request.output / "summaries", facts)


def split_abstract(document: StructuredDocument) -> tuple[str, str] | None:
    """Return a document without its abstract, and the abstract; None where there is none."""
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


def _leads(segments: Sequence[object], document: Document) -> list[str]:
    """Return the first sentences of the longest segments."""
    spans = [segment.sentences for segment in segments]  # type: ignore[attr-defined]
    longest = sorted(spans, key=lambda span: span[0] - span[1])[:N_SENTENCES]
    return [document.sentences[first] for first, _ in sorted(longest)]


def _bootstrap(gaps: Sequence[float], seed: int) -> list[float]:
    rng = np.random.default_rng(seed)
    means = rng.choice(gaps, (_RESAMPLES, len(gaps))).mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return [round(float(value), 4) for value in (np.mean(gaps), low, high)]
