"""What the author's headings and paragraphs bring, and the weights of what stands at a break."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.document import Document
from docbats.pipeline import analyze
from docbats.prepare import prepare
from docbats.runtime import find_versions
from docbats.segments.dirichlet import StructuredCost, likelihood_cost
from docbats.segments.evidence import BREAK_FEATURES, break_features
from docbats.segments.search import best_starts
from docbats.settings import Settings
from docbats.text.languages import LANGUAGES
from docbats_lab.method_registry import SEGMENTERS
from docbats_lab.metrics.window_errors import paper_window, pk, window_diff
from docbats_lab.preparation import prepare as prepare_for_baselines
from docbats_lab.segmentation_score import count_words
from docbats_lab.structured_documents import by_source, read_structured

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats_lab.experiments.request import Request
    from docbats_lab.structured_documents import StructuredDocument

    Floats = NDArray[np.float64]

PEERS = ("Even (k)", "C99 (k)", "U&I (k)", "BayesSeg")
_MIN_SECTIONS, _MAX_SECTIONS = 3, 15  # whose headings are to be followed
_REGULARIZATION = 0.3  # the C of the logistic regression


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
        true = np.add.reduceat(self.words, self.true_starts).tolist()
        found = np.add.reduceat(self.words, list(starts)).tolist()
        window = paper_window(true)
        fits = window < sum(true)
        a, b = set(self.true_starts[1:]), set(starts[1:])
        opens = {block.start for block in self.document.blocks}
        inside = [int(self.document.spans[start, 0]) in opens for start in starts[1:]]
        return {
            "pk": pk(true, found, window) if fits else 0.0,
            "wd": window_diff(true, found, window) if fits else 0.0,
            "f1": 2 * len(a & b) / max(1, len(a) + len(b)),
            "at_break": float(np.mean(inside)) if inside else 1.0,
            "segments_too_many": float(len(starts) - self.k),
        }


def run(request: Request) -> None:
    """Score documents with headings, with paragraphs only, and bare; fit the weights of breaks."""
    sources = by_source(list(read_structured(request.data)))
    if request.limit is not None:
        sources = {name: documents[: request.limit] for name, documents in sources.items()}
    trials = {name: _trials(documents) for name, documents in sources.items()}
    facts: dict[str, Any] = {
        "command": "docbats lab run structure",
        "versions": find_versions("docbats", "numpy", "scipy", "scikit-learn"),
        "documents": {name: len(documents) for name, documents in sources.items()},
        "headings": {name: _score_headings(documents) for name, documents in sources.items()},
        "paragraphs": _score_paragraphs(trials, request.seed),
        "weights": fit_weights([trial for found in trials.values() for trial in found]),
    }
    folder = request.output / "structure"
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(facts, indent=1, ensure_ascii=False)
    (folder / "facts.json").write_text(text + "\n", encoding="utf-8")


def _language(document: StructuredDocument) -> str:
    return document.language if document.language in LANGUAGES else "auto"


def _score_headings(documents: Sequence[StructuredDocument]) -> dict[str, float] | None:
    """Read documents as Markdown and compare the segments with the top-level headings."""
    scores = []
    for document in documents:
        text, headings = document.as_markdown()
        if not _MIN_SECTIONS <= len(headings) <= _MAX_SECTIONS:
            continue
        read = Document.read(text.encode(), name="document.md", language=_language(document))
        result = analyze(read, language=_language(document))
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
        settings = Settings(language=_language(source))
        text = prepare(plain.text, settings)
        cost = likelihood_cost(text, settings)
        if not isinstance(cost, StructuredCost):
            continue
        document = text.document
        starts = np.searchsorted(document.spans[:, 0], plain.section_starts).tolist()
        features = break_features(document, cost.evidence, cost.breaks)
        fitted = np.flatnonzero(cost.breaks.may_start)[1:]
        trials.append(
            _Trial(
                document=document,
                true_starts=(0, *starts),
                words=tuple(count_words(sentence) for sentence in document.sentences),
                cost=cost,
                features=features,
                labels=np.isin(fitted, starts),
            )
        )
    return trials


def _score_paragraphs(trials: dict[str, list[_Trial]], seed: int) -> dict[str, Any]:
    """Cut documents without headings in several ways; weights are those of the other sources."""
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
        structure=structure,
        language=language or "auto",
    )
    return [segment.sentences[0] for segment in result.segments]


def _peer(trial: _Trial, name: str, seed: int) -> list[int]:
    """Cut by a method that takes each paragraph for a sentence."""
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
