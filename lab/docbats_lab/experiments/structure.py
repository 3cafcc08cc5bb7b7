"""The effect of the author's headings and paragraphs, and the weights of the signs of a break."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.document import Document
from docbats.pipeline import analyze, prepare
from docbats.runtime import find_versions
from docbats.segments.dirichlet import StructuredCost, likelihood_cost
from docbats.segments.evidence import BREAK_FEATURES, break_features
from docbats.segments.search import best_starts
from docbats.settings import Settings
from docbats_lab.documents import known_language, read_structured
from docbats_lab.method_registry import SEGMENTERS
from docbats_lab.methods import prepare as prepare_for_baselines
from docbats_lab.metrics.segmentation import count_words, window_errors
from docbats_lab.report.tables import format_number, markdown_table, named_table
from docbats_lab.results import read_facts, write_facts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from docbats_lab.documents import StructuredDocument
    from docbats_lab.experiments.request import Request

    Floats = NDArray[np.float64]


PEERS = ("Even (k)", "C99 (k)", "U&I (k)", "BayesSeg")
_MIN_SECTIONS, _MAX_SECTIONS = 3, 15  # of documents whose headings docbats should follow
_REGULARIZATION = 0.3  # the C of the logistic regression


_INTRODUCTION = (
    "Whole documents from several sources, with their authors' headings, paragraphs, lists and "
    "speakers. The true segments are the sections between top-level headings, or the topics that "
    "people marked in transcripts.\n"
)
_HEADINGS = (
    "\n## With headings\n\nThe documents as Markdown, with the number of segments that docbats "
    "finds: F1 of boundaries at exactly the top-level headings, and the share of segments that "
    "start at a heading and have it as their title. Only documents with 3 to 15 such headings.\n"
)
_PARAGRAPHS = (
    "\n## With paragraphs only\n\nThe same documents as plain text, with blank lines between "
    "paragraphs and no headings. Pk and WD over words, F1 of boundaries at exactly the right "
    "place, as means over the sources. A cut with (k) was given the true number of segments. "
    '*Bare* ignores paragraphs (`structure="ignore"`). The weights of the signs of a break were '
    "fitted to all sources; in the second row each source is cut with the weights of the others. "
    "Peers were given each paragraph as a sentence.\n"
)


@dataclass(frozen=True, eq=False)
class _Trial:
    """A document without its headings, ready to be cut."""

    document: Document
    true_starts: tuple[int, ...]
    words: tuple[int, ...]
    cost: StructuredCost
    features: Floats
    labels: NDArray[np.bool_]

    @property
    def k(self) -> int:
        return len(self.true_starts)

    def score(self, starts: Sequence[int]) -> dict[str, float]:
        pk, wd = window_errors(self.words, self.true_starts, starts)
        a, b = set(self.true_starts[1:]), set(starts[1:])
        opens = {block.start for block in self.document.blocks}
        inside = [int(self.document.spans[start, 0]) in opens for start in starts[1:]]
        return {
            "pk": pk,
            "wd": wd,
            "f1": 2 * len(a & b) / max(1, len(a) + len(b)),
            "at_break": float(np.mean(inside)) if inside else 1.0,
            "segments_too_many": float(len(starts) - self.k),
        }


def run(request: Request) -> None:
    """Score documents with headings, with paragraphs only, and bare; fit the weights of breaks."""
    sources = read_structured(request.data, request.limit)
    trials = {name: _trials(documents) for name, documents in sources.items()}
    facts: dict[str, Any] = {
        "command": "docbats lab run structure",
        "versions": find_versions("docbats", "numpy", "scipy", "scikit-learn"),
        "documents": {name: len(documents) for name, documents in sources.items()},
        "headings": {name: _score_headings(documents) for name, documents in sources.items()},
        "paragraphs": _score_paragraphs(trials, request.seed),
        "weights": fit_weights([trial for found in trials.values() for trial in found]),
    }
    write_facts(request.output / "structure", facts)


def _score_headings(documents: Sequence[StructuredDocument]) -> dict[str, float] | None:
    """Read documents as Markdown and compare the segments with the top-level headings."""
    scores = []
    for document in documents:
        text, headings = document.as_markdown()
        if not _MIN_SECTIONS <= len(headings) <= _MAX_SECTIONS:
            continue
        language = known_language(document.language)
        read = Document.read(text.encode(), name="document.md", language=language)
        result = analyze(read, language=language)
        found = {segment.start: segment.title for segment in result.segments}
        true, starts = set(headings) - {0}, set(found) - {0}
        agreed = set(headings) & set(found)
        titled = [found[start] == headings[start] for start in agreed]
        scores.append(
            (
                2 * len(true & starts) / max(1, len(true) + len(starts)),
                float(np.mean(titled)) if titled else 1.0,
            )
        )
    if not scores:
        return None
    f1, titled_share = np.mean(scores, axis=0)
    return {"documents": len(scores), "f1": _rounded(f1), "titled": _rounded(titled_share)}


def _trials(documents: Sequence[StructuredDocument]) -> list[_Trial]:
    trials = []
    for source in documents:
        plain = source.without_headings()
        settings = Settings(language=plain.known_language)
        text = prepare(plain.text, settings)
        cost = likelihood_cost(text, settings)
        if not isinstance(cost, StructuredCost):
            continue
        document = text.document
        starts = np.searchsorted(document.spans[:, 0], plain.starts).tolist()
        features = break_features(document, cost.evidence, cost.breaks)
        fitted = np.flatnonzero(cost.breaks.may_start)[1:]
        trials.append(
            _Trial(
                document=document,
                true_starts=tuple(starts),
                words=tuple(count_words(sentence) for sentence in document.sentences),
                cost=cost,
                features=features,
                labels=np.isin(fitted, starts),
            )
        )
    return trials


def _score_paragraphs(trials: dict[str, list[_Trial]], seed: int) -> dict[str, Any]:
    """Cut documents without headings in several ways, and compare with the true sections."""
    scores: dict[str, dict[str, dict[str, float]]] = {}
    for name, found in trials.items():
        others = [trial for other, held in trials.items() if other != name for trial in held]
        weights = list(fit_weights(others).values())
        ways = {
            "paragraphs (k)": [_starts(trial, trial.k) for trial in found],
            "paragraphs (k), weights of the other sources": [
                _starts(trial, trial.k, trial.features @ weights) for trial in found
            ],
            "paragraphs": [_analyzed(trial, "auto") for trial in found],
            "bare (k)": [_analyzed(trial, "ignore", trial.k) for trial in found],
            "bare": [_analyzed(trial, "ignore") for trial in found],
            "no boundary": [[0] for _ in found],
            **{f"{peer}, paragraphs": [_peer(t, peer, seed) for t in found] for peer in PEERS},
        }
        for way, cuts in ways.items():
            rows = [trial.score(cut) for trial, cut in zip(found, cuts, strict=True)]
            means = {key: _rounded(np.mean([row[key] for row in rows])) for key in rows[0]}
            scores.setdefault(way, {})[name] = means
    return scores


def _starts(trial: _Trial, k: int, odds: Floats | None = None) -> list[int]:
    cost = trial.cost
    if odds is not None:
        cost = StructuredCost(cost.evidence, cost.breaks, odds)
    return best_starts(cost, len(trial.document), k) or [0]


def _analyzed(trial: _Trial, structure: str, k: int | None = None) -> list[int]:
    language = trial.document.detected.code if trial.document.detected else None
    result = analyze(
        trial.document,
        k="auto" if k is None else k,
        structure=structure,  # type: ignore[arg-type]
        language=language or "auto",
    )
    return [segment.sentences[0] for segment in result.segments]


def _peer(trial: _Trial, name: str, seed: int) -> list[int]:
    """Cut by a method that is given each paragraph as a sentence."""
    blocks = trial.document.blocks
    text = trial.document.text
    paragraphs = [" ".join(text[block.start : block.end].split()) for block in blocks]
    starts = np.searchsorted(trial.document.spans[:, 0], [block.start for block in blocks])
    k = min(trial.k, len(paragraphs))
    found = SEGMENTERS[name].cut(prepare_for_baselines(paragraphs), k, seed)
    return sorted(set(starts[found].tolist()) | {0})


def fit_weights(trials: Sequence[_Trial]) -> dict[str, float]:
    """Fit the log odds that a section begins at a break; each document counts equally."""
    from sklearn.linear_model import LogisticRegression

    rows, labels, weights = [], [], []
    for trial in trials:
        used = np.flatnonzero(trial.cost.breaks.may_start)[1:]
        if len(used):
            rows.append(trial.features[used])
            labels.append(trial.labels)
            weights.append(np.full(len(used), 1 / len(used)))
    X, y, weight = np.concatenate(rows), np.concatenate(labels), np.concatenate(weights)
    scale = X.std(axis=0) + 1e-9
    model = LogisticRegression(C=_REGULARIZATION, max_iter=1000)
    model.fit((X - X.mean(axis=0)) / scale, y, sample_weight=weight * len(y) / weight.sum())
    return {
        name: _rounded(value, 2)
        for name, value in zip(BREAK_FEATURES, model.coef_[0] / scale, strict=True)
    }


def _rounded(value: float | np.floating[Any], decimals: int = 4) -> float:
    return round(float(value), decimals)


def page(folder: Path, _: Path) -> Iterator[str]:
    """Show the scores with headings, with paragraphs only, and by source; and the weights."""
    facts = read_facts(folder)
    yield _INTRODUCTION
    yield _HEADINGS
    yield markdown_table(
        ("source", "documents", "F1", "title is the heading"),
        [
            [
                name,
                str(found["documents"]),
                format_number(found["f1"]),
                format_number(found["titled"]),
            ]
            for name, found in facts["headings"].items()
            if found is not None
        ],
    )
    yield _PARAGRAPHS
    yield named_table(
        ("cut", "Pk", "WD", "F1", "at a paragraph break", "segments too many"),
        facts["paragraphs"],
        lambda by_source: [
            *(_mean(by_source, score) for score in ("pk", "wd", "f1", "at_break")),
            _mean(by_source, "segments_too_many", 1),
        ],
    )
    yield "\n### By source, Pk / WD\n"
    ways = list(facts["paragraphs"])[:5]
    yield markdown_table(
        ("source", "documents", *ways),
        [
            [name, str(count), *(_pair(facts["paragraphs"][way].get(name)) for way in ways)]
            for name, count in facts["documents"].items()
        ],
    )
    yield "\n## The weights of a break\n\nIn log odds, as fitted by this run.\n"
    yield named_table(
        ("sign", "weight"), facts["weights"], lambda weight: [format_number(weight, 2)]
    )


def _mean(by_source: Mapping[str, Mapping[str, float]], score: str, decimals: int = 3) -> str:
    return format_number(float(np.mean([row[score] for row in by_source.values()])), decimals)


def _pair(row: Mapping[str, Any] | None) -> str:
    return "" if row is None else f"{format_number(row['pk'])} / {format_number(row['wd'])}"
