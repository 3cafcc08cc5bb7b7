"""What is learned from many sources: how a part begins, and how many parts there are."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import sparse

from docbats.pipeline import prepare
from docbats.segments.choose_k import BlockGains
from docbats.segments.costs import (
    FLAT,
    FLAT_WITH_CUES,
    SHORT_TEXT,
    STRUCTURED_WITH_CUES,
    CutModel,
    NumberRule,
    PartsRule,
    log_lengths,
)
from docbats.segments.cues import (
    CueVocabulary,
    CueWeights,
    FirstWords,
    find_first_words,
)
from docbats.segments.dirichlet import LikelihoodCost, StructuredCost
from docbats.segments.evidence import (
    BREAK_FEATURES,
    break_features,
    find_breaks,
    find_evidence,
    opening_features,
)
from docbats.settings import Settings
from docbats_lab.carry_over.fits import fit_logistic
from docbats_lab.carry_over.trials import FLAT_SETS, Trial, cutter, family_of
from docbats_lab.layouts import read_section_line
from docbats_lab.metrics.segmentation import count_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from docbats_lab.carry_over.trials import Score
    from docbats_lab.documents import SegmentedDocument

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


N_FOLDS = 6
"""Groups of sources, each judged by what was fitted to the others."""
MIN_FAMILIES = 20
"""Families of sources that share a cue; larger: fewer cues."""
C = 0.02
"""Larger: the data count for more."""
GENRE_POWER = 0.7
"""A genre of n sources counts n^0.3 times as much as one of a single source."""
_N_REWEIGHTED, _LEAST_ERROR = 30, 0.07

LISTS, PARAGRAPHS = "lists", "paragraphs"
MODELS = {LISTS: FLAT_WITH_CUES, PARAGRAPHS: STRUCTURED_WITH_CUES}
"""The constants of docbats."""
ARTICLES = ("bbc", "wikinews")
"""Sources of texts of one part."""

_GENRES = {
    "software": (
        "azure-architecture cockroach dotnet-docs github-docs godot-docs istio kubernetes-docs "
        "qgis raspberrypi darktable gcp-community ms-support well-architected ms-playbook "
        "pagerduty owasp-wstg loopdocs privacyguides odin chrome-dev web-dev nodejs-blog "
        "innersource turing-way pro-git rust-book ud-docs"
    ),
    "proposals": ("bips eips keps matrix-proposals rust-rfcs swift-evolution http-drafts peps"),
    "articles": (
        "18f huggingface-blog iclr-blog kentcdodds lilianweng mtlynch roweb rust-blog "
        "engineering-education lctt digitalgov writethedocs aosa"
    ),
    "textbooks": (
        "bitcoinbook causal-handbook compgenomr crump-stats d2l dsbook fastbook forallx geocompr "
        "hott interpretable-ml lsr openlogic openmusictheory qiskit-textbook quantecon "
        "teach-together ubc-dsci carpentries-instructor cc-cert mozilla-leadership textbook "
        "openstax"
    ),
    "papers": "covid19-review deep-review pmc-agri-bio scipy-proc",
    "rules": "us-code nist-800-63-4 nist-800-63 18f-handbook nhs-manual opendatahandbook",
    "talk": (
        "ethereum-pm ipfs-notes w3ctag wasm-meetings icsi avlectures lectures pacific-hansard "
        "scotus-oral"
    ),
    "games": "cairn fate-srd",
    "books": "standard-ebooks-more standard-ebooks",
    "encyclopedias": "wiki wikitext",
    "joined texts": "choi introductions news",
    "news": "bbc wikinews",
}
_GENRE_OF = {source: genre for genre, names in _GENRES.items() for source in names.split()}
_FAMILIES = {
    "nist-800-63-4": "nist-800-63",
    "18f-handbook": "18f",
    "standard-ebooks-more": "standard-ebooks",
}


@dataclass(frozen=True, eq=False)
class CueTrial:
    """A document, and what its sentences have of cues."""

    dataset: str
    trial: Trial  # with its breaks, if it has paragraphs
    first_words: FirstWords
    break_features: Floats | None

    @property
    def source(self) -> str:
        """The source of the document."""
        return self.trial.source

    def as_list(self) -> Trial:
        """Return the document as a list of sentences."""
        return replace(self.trial, breaks=None)

    def rows(self, kind: str) -> Ints:
        """Return the sentences with which a part may begin: all, or the first ones of blocks."""
        breaks = self.trial.breaks
        if kind == PARAGRAPHS and breaks is not None:
            is_free = breaks.opens_free_block
        else:
            is_free = ~self.trial.evidence.is_heading
        return np.asarray(np.flatnonzero(is_free[1:]) + 1)

    def features(self, kind: str) -> Floats:
        """Return the features besides cues, of each sentence."""
        features = opening_features(self.trial.evidence)
        if kind == PARAGRAPHS and self.break_features is not None:
            return np.hstack([self.break_features, features])
        return features

    def cost(
        self, kind: str, cue_odds: Floats, weights: CueWeights, model: CutModel
    ) -> LikelihoodCost | StructuredCost:
        """Return the cost of segments as docbats has it, with other weights and constants."""
        evidence, breaks = self.trial.evidence, self.trial.breaks
        if kind == LISTS or breaks is None:
            model = replace(model, opening_weights=tuple(weights.features.tolist()))
            return LikelihoodCost(evidence).with_cues(cue_odds, model)
        odds = cue_odds + self.features(kind) @ weights.features
        return StructuredCost(evidence, breaks, odds, model)

    def cost_without_cues(self, kind: str) -> LikelihoodCost | StructuredCost:
        """Return the cost of segments as in a language whose cues are not known."""
        breaks = self.trial.breaks
        if kind == LISTS or breaks is None or self.break_features is None:
            return LikelihoodCost(self.trial.evidence)
        odds = self.break_features @ list(BREAK_FEATURES.values())
        return StructuredCost(self.trial.evidence, breaks, odds)

    def seen_as(self, kind: str) -> Trial:
        """Return the document with its paragraphs, or as a list of sentences."""
        return self.as_list() if kind == LISTS else self.trial


def prepare_trial(task: tuple[str, str, SegmentedDocument | str]) -> CueTrial | None:
    """Read a document of a dataset and a source, or the text of an article.

    None if it has a single part and is not an article, or if its sentences depend on whether its
    parts are known.
    """
    dataset, source, found = task
    if source in ARTICLES:
        content: str | list[str] = str(found)
        language = "en"
    else:
        if isinstance(found, str):
            found = read_section_line(source, found).as_segmented()
        if len(found.segments) < 2:
            return None
        content, language = found.text or list(found.sentences), found.language
    settings = Settings(language=language)
    text = prepare(content, settings)
    weights = dict(settings.class_weights) if text.is_tagged else {}
    evidence = find_evidence(text, weights, FLAT, stem=settings.stem)
    breaks = find_breaks(text.document)
    sentences, lengths = text.sentences, [len(text)]
    if not isinstance(found, str):
        sentences, lengths = found.sentences, [len(segment) for segment in found.segments]
    if sum(lengths) != len(text):
        return None
    trial = Trial(
        source=source,
        evidence=evidence,
        breaks=breaks,
        break_odds=None,
        words=tuple(count_words(sentence) for sentence in sentences),
        true_starts=tuple((np.cumsum(lengths) - lengths).tolist()),
    )
    features = None if breaks is None else break_features(text.document, evidence, breaks)
    return CueTrial(dataset, trial, find_first_words(text.tokens, evidence.sizes), features)


def serves(trial: CueTrial, kind: str) -> bool:
    """Whether a document is used; meetings, lectures and textbooks are lists of their own."""
    if kind == PARAGRAPHS:
        return trial.trial.breaks is not None
    return not (trial.dataset == "structured" and trial.source in FLAT_SETS)


def family(source: str) -> str:
    """Return the name of the sources that are left out together with one."""
    return _FAMILIES.get(source, family_of(source))


def genre_of(source: str) -> str:
    """Return the genre of a source; of a few sources it is their own."""
    return _GENRE_OF.get(source, source)


def fold_of_genres(sources: Iterable[str]) -> dict[str, int]:
    """Return the fold of each genre, so that genres are left out whole."""
    return {found: i % N_FOLDS for i, found in enumerate(sorted({*map(genre_of, sources)}))}


def fold_of_families(sources: Iterable[str]) -> dict[str, int]:
    """Return the fold of each family of sources; genres are spread over the folds."""
    by_genre: dict[str, dict[str, None]] = {}
    for source in sorted(set(sources)):
        by_genre.setdefault(genre_of(source), {})[family(source)] = None
    families = dict.fromkeys(name for genre in by_genre.values() for name in genre)
    return {family: i % N_FOLDS for i, family in enumerate(families)}


def find_vocabulary(trials: Sequence[CueTrial], least: int = MIN_FAMILIES) -> CueVocabulary:
    """Return the cues that enough families of sources share, numbered in their order."""
    families: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for trial in trials:
        name, found = family(trial.source), trial.first_words
        forms = [found.forms[i] for i in found.form.tolist()]
        cues = {(form,) for form in found.forms}
        edges = np.searchsorted(found.sentence, np.arange(len(found.sizes) + 1)).tolist()
        for first, end in pairwise(edges):
            cues |= {tuple(forms[first : first + n]) for n in (2, 3) if first + n <= end}
        for cue in cues:
            families[cue].add(name)
    known = sorted(cue for cue, shared_by in families.items() if len(shared_by) >= least)
    words = [cue[0] for cue in known if len(cue) == 1]
    number = {word: i for i, word in enumerate(words)}
    base = len(words) + 1
    pairs = sorted(number[a] * base + number[b] for a, b in (c for c in known if len(c) == 2))
    index = {pair: i for i, pair in enumerate(pairs)}
    triples = sorted(
        index[number[a] * base + number[b]] * base + number[c]
        for a, b, c in (cue for cue in known if len(cue) == 3)
    )
    return CueVocabulary(words, np.array(pairs, np.int64), np.array(triples, np.int64))


def cue_matrix(trial: CueTrial, vocabulary: CueVocabulary) -> sparse.csr_array:
    """Return how often each sentence has each known cue, one row for each sentence."""
    uses = vocabulary.find(trial.first_words)
    shape = (len(trial.trial), vocabulary.n_cues)
    ones = np.ones(len(uses.cue), np.float32)
    return sparse.csr_array((ones, (uses.sentence, uses.cue)), shape=shape)


class Rows(NamedTuple):
    """Sentences with which a part may begin, of many documents."""

    cues: sparse.csr_array
    features: Floats  # the last one is the log of the number of places
    is_start: NDArray[np.bool_]
    weight: Floats  # makes documents of a source count the same, and genres nearly so


def collect_rows(
    trials: Sequence[CueTrial], matrices: Sequence[sparse.csr_array], kind: str
) -> Rows:
    """Collect the places where a part may begin."""
    documents = Counter(trial.source for trial in trials)
    genres = Counter(map(genre_of, documents))
    cues, features, is_start, weights = [], [], [], []
    for trial, matrix in zip(trials, matrices, strict=True):
        rows = trial.rows(kind)
        if len(rows):
            cues.append(matrix[rows])
            n_places = np.full((len(rows), 1), np.log(len(rows)))
            features.append(np.hstack([trial.features(kind)[rows], n_places]))
            is_start.append(np.isin(rows, trial.trial.true_starts))
            share = documents[trial.source] * len(rows)
            share *= genres[genre_of(trial.source)] ** GENRE_POWER
            weights.append(np.full(len(rows), 1 / share))
    return Rows(
        sparse.csr_array(sparse.vstack(cues)),
        np.vstack(features),
        np.concatenate(is_start),
        np.concatenate(weights),
    )


def fit_cues(rows: Rows, strength: float = C, tolerance: float = 1e-4) -> CueWeights:
    """Fit the log odds that a part begins at a place."""
    scatter = rows.features.std(axis=0)
    scatter[scatter < 1e-9] = 1.0
    X = sparse.csr_array(sparse.hstack([rows.cues, rows.features / scatter]))
    fit = fit_logistic(X, rows.is_start, rows.weight, strength, tolerance)
    n_cues = rows.cues.shape[1]
    *features, places = (fit.weights[n_cues:] / scatter).tolist()
    return CueWeights(fit.weights[:n_cues], np.array(features), places, fit.constant)


def log_odds(rows: Rows, weights: CueWeights) -> Floats:
    """Return the log odds that a part begins at each place."""
    features = np.append(weights.features, weights.places)
    return np.asarray(rows.cues @ weights.cues + rows.features @ features + weights.constant)


def fit_number(trials: Sequence[CueTrial], likely: Sequence[float] | Floats) -> NumberRule:
    """Fit the log of the number of parts to the least mean error; each source counts the same.

    `likely` is the sum of the probabilities of the places of each document.
    """
    documents = Counter((trial.dataset, trial.source) for trial in trials)
    weight = np.array([1 / documents[trial.dataset, trial.source] for trial in trials])
    lengths = [log_lengths(len(t.trial), int(t.trial.evidence.sizes.sum())) for t in trials]
    X = np.column_stack([np.ones(len(trials)), np.log1p(likely), np.array(lengths)])
    y = np.log([trial.trial.k for trial in trials])
    each = weight
    for _ in range(_N_REWEIGHTED):  # least squares come to the least sum of errors
        root = np.sqrt(each)
        found = np.linalg.lstsq(X * root[:, None], y * root, rcond=None)[0]
        each = weight / np.maximum(np.abs(y - X @ found), _LEAST_ERROR)
    return NumberRule(*found.round(2).tolist())


class CutTask(NamedTuple):
    """A document to cut, by what was fitted to other sources."""

    trial: CueTrial
    kind: str
    cue_odds: Floats
    weights: CueWeights  # without those of the cues
    number: NumberRule
    fold: int  # which they were not fitted to

    def cost(self, model: CutModel) -> LikelihoodCost | StructuredCost:
        """Return the cost of segments."""
        model = replace(model, number=self.number)
        return self.trial.cost(self.kind, self.cue_odds, self.weights, model)


_STEPS: dict[str, tuple[float, ...]] = {
    "openings": (1.0, 1.5, 2.0, 2.5, 3.0),
    "heading": (1.5, 3.0, 6.0),
    "length": (0.3, 0.6, 0.9, 1.3, 1.8),
    "first_length": (0.6, 1.2, 2.0),
    "first_share": (0.1, 0.15, 0.2, 0.25, 0.4),
    "last_length": (0.3, 0.6, 1.2, 2.0),
    "last_share": (0.2, 0.3, 0.4, 0.6, 1.0),
    "expectations": (1.8, 2.5, 3.5, 5.0, 7.0),
    "growth": (0.2, 0.3, 0.4, 0.5, 0.7),
}
_MIN_GAIN = 2e-4  # of the loss; smaller: more steps, which other sources confirm less


def fit_model(start: CutModel, loss: Callable[[CutModel], float]) -> tuple[CutModel, float]:
    """Change one constant after the other by a step as long as the loss falls."""
    best, least = start, loss(start)
    last = None
    while True:
        for name, steps in _STEPS.items():
            if last == name:
                return best, least
            at = min(range(len(steps)), key=lambda i: abs(steps[i] - getattr(best, name)))
            for step in (-1, 1):
                i = at + step
                while 0 <= i < len(steps):
                    tried = replace(best, **{name: steps[i]})  # type: ignore[arg-type]
                    found = loss(tried)
                    if found > least - _MIN_GAIN:
                        break
                    best, least, last, i = tried, found, name, i + step
        if last is None:
            return best, least


def given_k(task: tuple[CutTask, CutModel]) -> Score:
    """Cut a document into its true number of parts."""
    document, model = task
    trial = document.trial.seen_as(document.kind)
    return trial.score(cutter(document.cost(model), len(trial))(trial.k))


def mean_loss(tasks: Sequence[CutTask], scores: Iterable[Score]) -> float:
    """Return the mean loss of documents' cuts, as in :func:`group_mean`."""
    return group_mean([task.trial for task in tasks], [loss_of(score) for score in scores])


def loss_of(score: Score) -> float:
    """Return half the mean of Pk and WD, and a quarter of 1 - F1."""
    return (score.pk + score.wd) / 4 + (1 - score.f1) / 4


def group_mean(trials: Sequence[CueTrial], losses: Sequence[float]) -> float:
    """Return the mean of losses; genres of data count the same, and sources in each."""
    by_source: defaultdict[str, defaultdict[str, list[float]]]
    by_source = defaultdict(lambda: defaultdict(list))
    for trial, loss in zip(trials, losses, strict=True):
        by_source[_group(trial)][trial.source].append(loss)
    means = [np.mean([np.mean(found) for found in of.values()]) for of in by_source.values()]
    return float(np.mean(means))


def _group(trial: CueTrial) -> str:
    return trial.dataset if trial.dataset in {"sections", "structured"} else "flat"


MAX_K = 30


@dataclass(frozen=True, eq=False)
class NumberTrial:
    """A document under every number of segments."""

    trial: CueTrial
    expected: float
    gains: Floats  # of 1, 2, ... segments and their openings, in units of the power of its words
    losses: Floats  # of the best cut into 1, 2, ... segments

    def log_odds(self, parts: PartsRule) -> Floats:
        """Return how well each number does by a rule, up to a constant."""
        k = np.arange(1, len(self.gains) + 1)
        surprise = parts.spread * np.log(k / (parts.usual_share * self.expected)) ** 2
        return np.asarray(parts.gain * self.gains - surprise)


def weigh_numbers(task: tuple[CutTask, CutModel]) -> NumberTrial | None:
    """Find what numbers of segments gain; None if cues do not decide, or the text is short."""
    document, model = task
    trial = document.trial.seen_as(document.kind)
    cost, m = document.cost(model), len(trial)
    blocks, found = BlockGains(cost, m), cost.k_model
    if found.expected is None or m < SHORT_TEXT or found.has_plain_breaks(blocks):
        return None
    gains = blocks.gains(found.openings)[:MAX_K] / (found.unit * found.parts.gain)
    cut = cutter(cost, m)
    losses = [
        loss_of(trial.score(cut(k))) + abs(float(np.log2(k / trial.k))) / 4
        for k in range(1, len(gains) + 1)
    ]
    return NumberTrial(document.trial, found.expected, gains, np.array(losses))


_GAIN = 0.3  # times the spread; larger: the words say more of the number
_SHARES = (0.75, 0.8, 0.85, 0.9, 0.95, 1.0)


def fit_parts(trials: Sequence[NumberTrial], parts: PartsRule) -> PartsRule:
    """Fit the share of the number to expect to the least loss of the cuts that are so found.

    The spread, which says how sure a number is, is fitted to the likelihood of the true ones.
    """
    documents = Counter((t.trial.dataset, t.trial.source) for t in trials)
    weight = np.array([1 / documents[t.trial.dataset, t.trial.source] for t in trials])
    rule = replace(parts, gain=_GAIN, spread=1.0)
    cut = [trial.trial for trial in trials]

    def loss(share: float) -> float:
        tried = replace(rule, usual_share=share)
        found = [trial.losses[np.argmax(trial.log_odds(tried))] for trial in trials]
        return group_mean(cut, found)

    rule = replace(rule, usual_share=min(_SHARES, key=loss))

    def surprise(spread: float) -> float:
        total = 0.0
        for trial, w in zip(trials, weight.tolist(), strict=True):
            odds = spread * trial.log_odds(rule)
            k = min(trial.trial.trial.k, len(odds))
            total += w * (np.log(np.exp(odds - odds.max()).sum()) + odds.max() - odds[k - 1])
        return total

    spread = min((0.5 * i for i in range(1, 21)), key=surprise)
    return replace(rule, gain=round(spread * _GAIN, 2), spread=spread)


def model_facts(model: CutModel) -> dict[str, Any]:
    """Return the constants that are fitted, as JSON-ready values."""
    values = asdict(model)
    parts = values["parts"]
    return {name: values[name] for name in _STEPS} | {
        "parts": {name: parts[name] for name in ("gain", "spread", "usual_share")},
        "number": values["number"],
    }
