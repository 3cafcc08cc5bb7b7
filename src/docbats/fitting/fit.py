"""The fit of a model of your own: a search over its few numbers, judged on documents left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from math import log2
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from docbats.errors import InputError
from docbats.fitting.marked import MarkedDocument, UnusableDocument, read_marked
from docbats.pipeline import prepare
from docbats.runtime import single_blas_thread, tell_stage
from docbats.segments.choose_k import NEAR, BlockGains, choose_k_by_gains
from docbats.segments.dirichlet import LikelihoodCost, StructuredCost, likelihood_cost
from docbats.segments.metrics import boundary_f1, segment_lengths, window_errors
from docbats.segments.own_model import CutComparison, CutScores, Gain, OwnModel
from docbats.segments.search import allowed_edges, best_starts
from docbats.settings import Settings

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from docbats.fitting.marked import MarkedSource

    Floats = NDArray[np.float64]

MIN_DOCUMENTS = 20
"""With fewer documents, a gain could hardly be told from chance."""

_MAX_DOCUMENTS = 200  # evenly spaced; more take longer and change little
_N_FOLDS = 10  # larger: slower, and each fit is closer to that to all documents
_KEPT_EDGES = 256  # of a document whose tables are kept; more take more memory
_NUMBER_SHARE = 0.25  # of the unsigned log2 of the number in the loss; larger: nearer numbers
_CAUTION = 0.5  # standard errors of the loss, that a change must save; larger: fewer changes
_ROUNDS = 2  # of the search over all numbers; most fits stop changing in the second
_RESAMPLES, _SEED = 2000, 0
_STEPS: Mapping[str, tuple[float, ...]] = {
    "parts": tuple(round(2 ** (i / 4), 2) for i in range(-8, 13)),
    "growth": (-0.6, -0.4, -0.2, 0.0, 0.2, 0.4, 0.6),
    "cues": (0.5, 0.7, 1.0, 1.4, 2.0),
    "lengths": (0.35, 0.6, 1.0, 1.7, 2.8),
    "joined": (True, False),
}
"""The values that each number may take; the default is among them."""


class _Score(NamedTuple):
    """How well one document is cut, with the log2 of the found by the true number of segments."""

    pk: float
    wd: float
    f1: float
    log2_ratio: float

    @property
    def loss(self) -> float:
        """The mean of Pk, WindowDiff, 1 - F1 and a share of the error of the number."""
        return (self.pk + self.wd + 1 - self.f1 + _NUMBER_SHARE * abs(self.log2_ratio)) / 4


class _Trial:
    """A document to cut by one model after another; what these cuts share is found once."""

    def __init__(self, marked: MarkedDocument, settings: Settings) -> None:
        text = prepare(marked.document, settings)
        self.language = text.language.code
        self._cost = likelihood_cost(text, settings)
        sizes = self._cost.evidence.sizes
        self.n_words, self._words = int(sizes.sum()), sizes.tolist()
        self._true_starts = marked.starts
        self._tolerance = 0 if isinstance(self._cost, StructuredCost) else NEAR
        self._numbers: dict[tuple[float, ...], int] = {}
        self._scores: dict[tuple[float, ...], _Score] = {}

    @cached_property
    def _blocks(self) -> _KeptGains:
        edges = allowed_edges(self._cost, len(self._words), 1)
        if len(edges) <= _KEPT_EDGES:
            self._cost.keep(edges, len(edges))
        return _KeptGains(self._cost, len(self._words))

    def score(self, model: OwnModel) -> _Score:
        """Cut the document by a model, and compare the cut with the true one."""
        numbers = (model.times_as_many(self.n_words), model.cues, model.joined)
        if numbers not in self._numbers:
            blocks = self._blocks.of(self._cost.adapted_to(model), model.cues)
            self._numbers[numbers] = choose_k_by_gains(blocks, "medium").k
        k = self._numbers[numbers]
        if (k, model.cues, model.lengths) not in self._scores:
            cost = self._cost.adapted_to(model)
            starts = best_starts(cost, len(self._words), k) or [0]
            self._scores[k, model.cues, model.lengths] = self._compare(starts)
        return self._scores[k, model.cues, model.lengths]

    def _compare(self, starts: Sequence[int]) -> _Score:
        n = len(self._words)
        pk, wd = window_errors(self._words, self._true_starts, starts)
        true, found = (segment_lengths(each, n) for each in (self._true_starts, starts))
        f1 = boundary_f1(true, found, self._tolerance)
        return _Score(pk, wd, f1, log2(len(found) / len(true)))


class _KeptGains(BlockGains):
    """The gains of cuts, found once for each weight of cues: no other number changes them."""

    def __init__(self, cost: LikelihoodCost | StructuredCost, n_sentences: int) -> None:
        super().__init__(cost, n_sentences)
        self._cues = 1.0
        self._kept_gains: dict[float | None, Floats] = {}
        self._kept_savings: dict[int, Floats] = {}

    def of(self, cost: LikelihoodCost | StructuredCost, cues: float) -> _KeptGains:
        """Return these gains for a cost that was adapted to a model with this weight of cues."""
        self.cost, self._cues = cost, cues
        return self

    def gains(self, openings: Floats | None = None) -> Floats:
        """Return the gains; see :meth:`BlockGains.gains`."""
        key = None if openings is None else self._cues
        if key not in self._kept_gains:
            self._kept_gains[key] = super().gains(openings)
        return self._kept_gains[key]

    def savings(self, k: int) -> Floats:
        """Return the savings; see :meth:`BlockGains.savings`."""
        if k not in self._kept_savings:
            self._kept_savings[k] = super().savings(k)
        return self._kept_savings[k]


@dataclass(frozen=True)
class Fit:
    """A model of your own, and what it was fitted to.

    Attributes
    ----------
    model
        The model, fitted to all documents, with the scores of documents left out.
    unusable
        The documents of which no boundary is known, and why.
    left_out
        How many more documents there were than a fit takes.
    """

    model: OwnModel
    unusable: tuple[UnusableDocument, ...] = ()
    left_out: int = 0

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the file of the model; InputError if it gains nothing beyond chance."""
        gain = self.model.gain
        if gain is None or not gain.is_beyond_chance:
            msg = (
                "the model gains nothing beyond chance on documents left out: keep the default, "
                "or fit to more documents, all of one kind"
            )
            raise InputError(msg)
        self.model.write(path)

    def __str__(self) -> str:
        """Return the scores by default and by the model as a table, and what it gains."""
        model = self.model
        lines = [f"{model.documents} documents, {len(self.unusable)} without known boundaries"]
        if self.left_out:
            lines[0] += f", {self.left_out} more than a fit takes"
        lines += ["", "documents left out      Pk     WD     F1  |log2 of number|  found/true"]
        for name, scores in (("default", model.default), ("your model", model.own)):
            if scores is not None:
                cells = f"{scores.pk:10.3f}{scores.wd:7.3f}{scores.f1:7.3f}{scores.log2:12.2f}"
                lines.append(f"{name:16}{cells}{scores.ratio:18.2f}")
        if model.gain is not None:
            gain = model.gain
            lines += ["", f"gain {gain.mean:+.3f}, between {gain.low:+.3f} and {gain.high:+.3f}"]
        return "\n".join([*lines, model.description])


def fit(
    documents: MarkedSource | Iterable[MarkedSource],
    *,
    language: str = "auto",
    encoding: str | None = None,
    type: str | None = None,  # noqa: A002  (what the command calls it)
) -> Fit:
    """Fit a model to your own kind of document, and see what it gains on documents left out.

    The true boundaries are those of the author's headings, of the highest level in use, which are
    hidden when the documents are cut; or those of segments that are marked.

    Parameters
    ----------
    documents
        At least 20, or a folder of them. Each is a path object, of a file or a folder; a text or a
        :class:`Document` with headings; a mapping with ``segments``, each with its ``start`` in
        the ``text``, or its own ``text``, as in the JSON of docbats; or a list of segments, each a
        text or a list of sentences. A file of JSON lines has one on each line.
    language
        The code of their language; detected by default.
    encoding, type
        The encoding and the type of the files; detected by default.

    Examples
    --------
    >>> edited = [["Bats fly. They hunt.", "Tea is hot. It cools."]] * 20
    >>> print(fit(edited).model.description)
    The model: as many parts as by default in a text of 9 words.
    """
    settings = Settings(language=language)
    found: list[MarkedDocument | UnusableDocument] = []
    for one in read_marked(documents, language, encoding, type):
        tell_stage(f"reading document {len(found) + 1:,}")
        found.append(one)
    unusable = [one for one in found if isinstance(one, UnusableDocument)]
    marked = [one for one in found if isinstance(one, MarkedDocument)]
    if len(marked) < MIN_DOCUMENTS:
        raise InputError(_too_few(len(marked), unusable))
    n = min(len(marked), _MAX_DOCUMENTS)
    chosen = [marked[i * len(marked) // n] for i in range(n)]
    with single_blas_thread():
        model = _fit(_trials(chosen, settings))
    return Fit(model, tuple(unusable), len(marked) - n)


def compare_with_default(documents: Sequence[MarkedDocument], model: OwnModel) -> CutComparison:
    """Return how well further documents are cut by default and by a model."""
    with single_blas_thread():
        trials = _trials(documents, Settings())
        scores = [[trial.score(each) for trial in trials] for each in (OwnModel(), model)]
    return _compared(*scores)


def _trials(documents: Sequence[MarkedDocument], settings: Settings) -> list[_Trial]:
    trials = []
    for i, document in enumerate(documents):
        tell_stage("preparing the documents", i / len(documents))
        trials.append(_Trial(document, settings))
    return trials


def _too_few(n: int, unusable: Sequence[UnusableDocument]) -> str:
    msg = f"{MIN_DOCUMENTS} or more documents with known boundaries are needed, got {n}"
    if unusable:
        first = unusable[0]
        msg += f"; {len(unusable)} more have none, such as {first.name}: {first.reason}"
    return f"{msg}: add documents with headings or marked segments"


def _fit(trials: Sequence[_Trial]) -> OwnModel:
    """Fit a model to all documents, and judge each by a model that was fitted to others."""
    typical = int(np.median([trial.n_words for trial in trials]))
    languages = Counter(trial.language for trial in trials if trial.language is not None)
    default = OwnModel(words=max(1, typical))
    n_folds = min(_N_FOLDS, len(trials))
    own: list[_Score] = []
    for fold in range(n_folds):
        tell_stage("fitting", fold / n_folds)
        others = [trial for i, trial in enumerate(trials) if i % n_folds != fold]
        fitted = _search(others, default)
        own += [trial.score(fitted) for trial in trials[fold::n_folds]]
    # In the order of `own`, for paired differences.
    usual = [trial.score(default) for fold in range(n_folds) for trial in trials[fold::n_folds]]
    found = _compared(usual, own)
    return replace(
        _search(trials, default),
        documents=len(trials),
        languages=tuple(code for code, _ in languages.most_common()),
        default=found.default,
        own=found.own,
        gain=found.gain,
    )


def _search(trials: Sequence[_Trial], default: OwnModel) -> OwnModel:
    """Change one number after another, as long as that saves clearly more than it varies."""
    best, losses = default, _losses(trials, default)
    for _ in range(_ROUNDS):
        before = best
        for name, values in _STEPS.items():
            tried = [_changed(best, name, value) for value in values]
            by_value = [_losses(trials, model) for model in tried]
            lowest = int(np.argmin([found.mean().round(9) for found in by_value]))
            saved = losses - by_value[lowest]
            if saved.mean() > _CAUTION * saved.std() / np.sqrt(len(saved)):
                best, losses = tried[lowest], by_value[lowest]
        if best == before:
            break
    return best


def _changed(model: OwnModel, name: str, value: Any) -> OwnModel:
    return replace(model, **{name: value})


def _losses(trials: Sequence[_Trial], model: OwnModel) -> Floats:
    return np.array([trial.score(model).loss for trial in trials])


def _mean(scores: Sequence[_Score]) -> CutScores:
    pk, wd, f1, log2_ratio = np.mean(scores, axis=0).tolist()
    error = float(np.mean([abs(score.log2_ratio) for score in scores]))
    return CutScores(*(round(value, 4) for value in (pk, wd, f1, error, 2**log2_ratio)))


def _compared(usual: Sequence[_Score], own: Sequence[_Score]) -> CutComparison:
    """Return the mean scores, and the mean difference of losses with bounds by a bootstrap."""
    saved = np.array([a.loss - b.loss for a, b in zip(usual, own, strict=True)])
    drawn = np.random.default_rng(_SEED).integers(0, len(saved), (_RESAMPLES, len(saved)))
    low, high = np.percentile(saved[drawn].mean(axis=1), [2.5, 97.5])
    gain = Gain(*(round(float(value), 4) for value in (saved.mean(), low, high)))
    return CutComparison(_mean(usual), _mean(own), gain)
