"""Cues of openings: how authors of many sources begin a part, and how many parts they make.

The experiment fits the cues that docbats has, and writes them to a file of its package.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import sparse

from docbats.pipeline import prepare
from docbats.runtime import find_versions
from docbats.segments.choose_k import boundary_evidence, choose_k
from docbats.segments.costs import FLAT_WITH_CUES, STRUCTURED_WITH_CUES, NumberRule
from docbats.segments.cues import (
    CueModel,
    CueVocabulary,
    CueWeights,
    FirstWords,
    find_first_words,
)
from docbats.segments.dirichlet import LikelihoodCost, StructuredCost, likelihood_cost
from docbats.segments.evidence import (
    BREAK_FEATURES,
    NO_HEADING,
    OPENING_FEATURES,
    break_features,
    opening_features,
)
from docbats.settings import Settings
from docbats_lab.carry_over.fits import (
    Boundaries,
    area_under_curve,
    fit_logistic,
    fit_strength,
    reliability,
)
from docbats_lab.carry_over.trials import (
    ARTIFICIAL,
    FLAT_SETS,
    SEVEN,
    Trial,
    are_near,
    cutter,
    family_of,
)
from docbats_lab.datasets import DATASETS
from docbats_lab.experiments.request import evenly_spaced, map_with_progress
from docbats_lab.layouts import SectionFiles, read_section_line
from docbats_lab.metrics.segmentation import count_words
from docbats_lab.report.tables import format_number, markdown_table
from docbats_lab.results import read_facts, write_facts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from docbats.segments.costs import SegmentCost
    from docbats_lab.documents import SegmentedDocument
    from docbats_lab.experiments.request import Request

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

_MAX_DOCUMENTS = 120  # of a source; more take longer
_MAX_JUDGED = 12  # documents of a source of sections whose cuts are scored; all of other sources
_N_FOLDS = 6  # of sources, each judged by what was fitted to the others
_MIN_SOURCES = 20  # families that share a cue; larger: fewer cues
_C = 0.02  # larger: the data count for more
_GENRE_POWER = 0.7  # a genre of n sources counts n^0.3 times as much as one of a single source
_N_REWEIGHTED, _LEAST_ERROR = 30, 0.07
_TOLERANCE = 1e-6  # of the fit to all sources; larger: other machines may round weights otherwise

LISTS, PARAGRAPHS = "lists", "paragraphs"
FILE = "cues-en.npz"
"""What the experiment writes, and docbats reads from its folder ``text/data``."""

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
            is_free = breaks.opens_block & breaks.may_start & (breaks.depth == NO_HEADING)
        else:
            is_free = ~self.trial.evidence.is_heading
        return np.asarray(np.flatnonzero(is_free[1:]) + 1)

    def features(self, kind: str) -> Floats:
        """Return the features besides cues, of each sentence."""
        features = opening_features(self.trial.evidence)
        if kind == PARAGRAPHS and self.break_features is not None:
            return np.hstack([self.break_features, features])
        return features


def prepare_trial(task: tuple[str, str, SegmentedDocument | str]) -> CueTrial | None:
    """Read a document of a dataset and a source.

    None if it has a single part, or if its sentences depend on whether its parts are known.
    """
    dataset, source, document = task
    if isinstance(document, str):
        document = read_section_line(source, document).as_segmented()
    if len(document.segments) < 2:
        return None
    settings = Settings(language=document.language)
    text = prepare(document.text or list(document.sentences), settings)
    cost = likelihood_cost(text, settings)
    breaks = cost.breaks if isinstance(cost, StructuredCost) else None
    lengths = [len(segment) for segment in document.segments]
    if sum(lengths) != len(text):
        return None
    trial = Trial(
        source=source,
        evidence=replace(cost.evidence, cue_odds=None),
        breaks=breaks,
        break_odds=None,
        words=tuple(count_words(sentence) for sentence in document.sentences),
        true_starts=tuple((np.cumsum(lengths) - lengths).tolist()),
    )
    features = None
    if breaks is not None:
        features = break_features(text.document, cost.evidence, breaks)
    first_words = find_first_words(text.tokens, cost.evidence.sizes)
    return CueTrial(dataset, trial, first_words, features)


def find_vocabulary(trials: Sequence[CueTrial], least: int = _MIN_SOURCES) -> CueVocabulary:
    """Return the cues that enough families of sources share, numbered in their order."""
    families: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for trial in trials:
        family, found = _family(trial.source), trial.first_words
        forms = [found.forms[i] for i in found.form.tolist()]
        cues = {(form,) for form in found.forms}
        edges = np.searchsorted(found.sentence, np.arange(len(found.sizes) + 1)).tolist()
        for first, end in pairwise(edges):
            cues |= {tuple(forms[first : first + n]) for n in (2, 3) if first + n <= end}
        for cue in cues:
            families[cue].add(family)
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
    features: Floats
    is_start: NDArray[np.bool_]
    weight: Floats  # makes documents of a source count the same, and genres nearly so


def collect_rows(
    trials: Sequence[CueTrial], matrices: Sequence[sparse.csr_array], kind: str
) -> Rows:
    """Collect the places where a part may begin."""
    documents = Counter(trial.source for trial in trials)
    genres = Counter(_GENRE_OF.get(source, source) for source in documents)
    cues, features, is_start, weights = [], [], [], []
    for trial, matrix in zip(trials, matrices, strict=True):
        rows = trial.rows(kind)
        if len(rows):
            cues.append(matrix[rows])
            features.append(trial.features(kind)[rows])
            is_start.append(np.isin(rows, trial.trial.true_starts))
            share = documents[trial.source] * len(rows)
            share *= genres[_GENRE_OF.get(trial.source, trial.source)] ** _GENRE_POWER
            weights.append(np.full(len(rows), 1 / share))
    return Rows(
        sparse.csr_array(sparse.vstack(cues)),
        np.vstack(features),
        np.concatenate(is_start),
        np.concatenate(weights),
    )


def fit_cues(rows: Rows, C: float = _C, tolerance: float = 1e-4) -> CueWeights:
    """Fit the log odds that a part begins at a place."""
    scatter = rows.features.std(axis=0)
    scatter[scatter < 1e-9] = 1.0
    X = sparse.csr_array(sparse.hstack([rows.cues, rows.features / scatter]))
    fit = fit_logistic(X, rows.is_start, rows.weight, C, tolerance)
    n_cues = rows.cues.shape[1]
    return CueWeights(fit.weights[:n_cues], fit.weights[n_cues:] / scatter, fit.constant)


def log_odds(trial: CueTrial, matrix: sparse.csr_array, kind: str, weights: CueWeights) -> Floats:
    """Return the log odds that a part begins with each sentence."""
    odds = np.asarray(matrix @ weights.cues + trial.features(kind) @ weights.features)
    return odds + weights.constant


def cost_with_cues(
    trial: Trial, cue_odds: Floats, features: Floats, weights: CueWeights, number: NumberRule
) -> SegmentCost:
    """Return the cost of segments as docbats has it, with other weights and another rule."""
    if trial.breaks is None:
        opening_weights = tuple(weights.features.tolist())
        model = replace(FLAT_WITH_CUES, opening_weights=opening_weights, number=number)
        return LikelihoodCost(replace(trial.evidence, cue_odds=cue_odds), model)
    model = replace(STRUCTURED_WITH_CUES, number=number)
    odds = cue_odds + features @ weights.features
    return StructuredCost(trial.evidence, trial.breaks, odds, model)


def cost_without_cues(trial: CueTrial, kind: str) -> SegmentCost:
    """Return the cost of segments as in a language whose cues are not known."""
    breaks = trial.trial.breaks
    if kind == LISTS or breaks is None or trial.break_features is None:
        return LikelihoodCost(trial.trial.evidence)
    odds = trial.break_features @ list(BREAK_FEATURES.values())
    return StructuredCost(trial.trial.evidence, breaks, odds)


class Task(NamedTuple):
    """A document to cut, by weights and a rule that were fitted to other sources."""

    trial: CueTrial
    kind: str
    cue_odds: Floats
    weights: CueWeights  # without those of the cues
    number: NumberRule
    fold: int  # which they were not fitted to


WAYS = {
    "true k, no cues": "true k, without cues",
    "true k, cues": "true k, with cues",
    "found k, no cues": "found k, without cues",
    "found k, cues": "found k, with cues",
}
"""The cuts that are compared."""


class Cuts(NamedTuple):
    """How well a document is cut, and what is known of the boundaries found with cues.

    Scores are Pk, WD, F1, and the log2 of the found by the true number, unsigned and signed.
    """

    source: str
    fold: int
    scores: dict[str, tuple[float, ...]]
    evidence: Floats
    is_right: NDArray[np.bool_]


def judge(task: Task) -> Cuts:
    """Cut a document with and without cues."""
    trial = task.trial.as_list() if task.kind == LISTS else task.trial.trial
    m, features = len(trial), task.trial.features(task.kind)
    plain = cost_without_cues(task.trial, task.kind)
    cues = cost_with_cues(trial, task.cue_odds, features, task.weights, task.number)
    numbers = {
        "true k, no cues": (plain, trial.k),
        "true k, cues": (cues, trial.k),
        "found k, no cues": (plain, choose_k(plain, m).k),
        "found k, cues": (cues, choose_k(cues, m).k),
    }
    cutters = {id(cost): cutter(cost, m) for cost in (plain, cues)}
    found: dict[str, tuple[float, ...]] = {}
    for way, (cost, k) in numbers.items():
        score = trial.score(cutters[id(cost)](min(k, m)))
        ratio = float(np.log2(min(k, m) / trial.k))
        found[way] = (score.pk, score.wd, score.f1, abs(ratio), ratio)
    starts = cutters[id(cues)](numbers["found k, cues"][1])
    evidence = np.empty((0, 3))
    if len(starts) > 1:
        evidence = np.column_stack(boundary_evidence(cues, m, starts))
    is_right = are_near(starts[1:], trial.true_starts[1:])
    return Cuts(trial.source, task.fold, found, evidence, is_right)


def run(request: Request) -> None:
    """Fit cues and the number of parts to all sources, and to all but some to cut the others."""
    tasks = _load(request.data, request.limit)
    found = map_with_progress(request, "cues: read", prepare_trial, tasks)
    trials = [trial for trial in found if trial is not None]
    vocabulary = find_vocabulary(trials)
    find_matrix = partial(cue_matrix, vocabulary=vocabulary)
    matrices = [find_matrix(trial) for trial in trials]
    facts: dict[str, Any] = {
        "command": "docbats lab run cues",
        "versions": find_versions(
            "docbats", "numpy", "scipy", "scikit-learn", "nupunkt", "PyStemmer"
        ),
        "seed": request.seed,
        "checksums": {name: DATASETS[name].checksum for name in _DATASETS},
        "documents": dict(Counter(trial.dataset for trial in trials)),
        "sources": len({trial.source for trial in trials}),
        "cues": vocabulary.n_cues,
    }
    fitted: dict[str, CueWeights] = {}
    cuts: dict[str, list[Cuts]] = {}
    for kind in (LISTS, PARAGRAPHS):
        used = [i for i, trial in enumerate(trials) if _serves(trial, kind)]
        if used:
            chosen = [trials[i] for i in used]
            fitted[kind], cuts[kind], facts[kind] = _fit_and_judge(
                request, kind, chosen, [matrices[i] for i in used]
            )
    if len(fitted) == 2:
        packed = CueModel(vocabulary, **fitted).pack()
        request.output.joinpath("cues").mkdir(parents=True, exist_ok=True)
        request.output.joinpath("cues", FILE).write_bytes(packed)
        facts["file"] = {"bytes": len(packed), "sha256": hashlib.sha256(packed).hexdigest()}
    facts["strengths"] = _strength_facts([*cuts.values()])
    write_facts(request.output / "cues", facts)


def _strength_facts(kinds: Sequence[Sequence[Cuts]]) -> dict[str, Any]:
    """Return the rule of strengths, and how well those of other folds predict the truth."""
    predicted, is_right, weight = [], [], []
    for fold in range(_N_FOLDS):
        inside = [[cut for cut in kind if cut.fold == fold] for kind in kinds]
        if any(cut.is_right.any() for kind in inside for cut in kind):
            rule = fit_strength(Boundaries.of([[c for c in k if c.fold != fold] for k in kinds]))
            here = Boundaries.of(inside)
            log_odds = here.evidence @ [rule.place, rule.saving, rule.opening] + rule.constant
            predicted.append(1 / (1 + np.exp(-log_odds)))
            is_right.append(here.is_right)
            weight.append(here.weight)
    shown = reliability(np.concatenate(predicted), np.concatenate(is_right), np.concatenate(weight))
    return {"rule": asdict(fit_strength(Boundaries.of(kinds))), **shown}


_DATASETS = (*(name for name in FLAT_SETS if name != "handbook-fr"), "structured", "sections")


def _load(data: Path, limit: int | None) -> list[tuple[str, str, SegmentedDocument | str]]:
    """Return the English documents of each source, at most `limit` of it."""
    most = _MAX_DOCUMENTS if limit is None else min(limit, _MAX_DOCUMENTS)
    sources: dict[tuple[str, str], list[SegmentedDocument | str]] = {}
    for dataset in _DATASETS[:-1]:
        for document in DATASETS[dataset].load(data):
            if document.language == "en":
                is_structured = dataset == "structured"
                source = document.name.partition("/")[0] if is_structured else dataset
                sources.setdefault((dataset, source), []).append(document)
    for source, lines in SectionFiles().lines(data / "sections").items():
        sources["sections", source] = list(lines)
    return [(*key, d) for key, found in sources.items() for d in evenly_spaced(found, most)]


def _serves(trial: CueTrial, kind: str) -> bool:
    """Whether a document is used; meetings, lectures and textbooks are lists of their own."""
    if kind == PARAGRAPHS:
        return trial.trial.breaks is not None
    return not (trial.dataset == "structured" and trial.source in FLAT_SETS)


def _family(source: str) -> str:
    return _FAMILIES.get(source, family_of(source))


def fold_of_families(sources: Iterable[str]) -> dict[str, int]:
    """Return the fold of each family of sources; genres are spread over the folds."""
    by_genre: dict[str, dict[str, None]] = {}
    for source in sorted(set(sources)):
        by_genre.setdefault(_GENRE_OF.get(source, source), {})[_family(source)] = None
    families = dict.fromkeys(name for genre in by_genre.values() for name in genre)
    return {family: i % _N_FOLDS for i, family in enumerate(families)}


def _fit_and_judge(
    request: Request,
    kind: str,
    trials: Sequence[CueTrial],
    matrices: Sequence[sparse.csr_array],
) -> tuple[CueWeights, list[Cuts], dict[str, Any]]:
    """Return the weights fitted to all sources, and how well those of others do for each."""
    folds = fold_of_families(trial.source for trial in trials)
    judged = _choose_judged(trials)
    areas, rules, tasks = [], [], []
    for fold in (*range(_N_FOLDS), None):
        is_out = [folds[_family(trial.source)] == fold for trial in trials]
        rest = [i for i, out in enumerate(is_out) if not out and trials[i].source != "news"]
        left_out = [i for i, out in enumerate(is_out) if out]
        if not rest or not (left_out or fold is None):
            continue
        rows = collect_rows([trials[i] for i in rest], [matrices[i] for i in rest], kind)
        fit = fit_cues(rows) if fold is not None else fit_cues(rows, tolerance=_TOLERANCE)
        natural = [i for i in rest if trials[i].source not in ARTIFICIAL]
        likely = [
            _likely_openings(trials[i], kind, log_odds(trials[i], matrices[i], kind, fit))
            for i in natural
        ]
        rule = fit_number([trials[i] for i in natural], likely)
        if fold is None:
            break
        rules.append([round(rule.constant, 3), round(rule.words, 3), round(rule.openings, 3)])
        rows = collect_rows([trials[i] for i in left_out], [matrices[i] for i in left_out], kind)
        predicted = rows.cues @ fit.cues + rows.features @ fit.features
        areas.append(round(area_under_curve(predicted, rows.is_start, rows.weight), 4))
        small = replace(fit, cues=np.empty(0))
        for i in left_out:
            if i in judged:
                cue_odds = np.asarray(matrices[i] @ fit.cues + fit.constant)
                tasks.append(Task(trials[i], kind, cue_odds, small, rule, fold))
    found = map_with_progress(request, f"cues: cut {kind}", judge, tasks)
    return (
        fit,
        found,
        {
            "areas under the curve": areas,
            "number of parts": [round(n, 2) for n in (rule.constant, rule.words, rule.openings)],
            "numbers of parts": rules,
            "places": int(sum(len(trial.rows(kind)) for trial in trials)),
            "scores": _by_source(tasks, found),
        },
    )


def _choose_judged(trials: Sequence[CueTrial]) -> set[int]:
    """Return the documents whose cuts are scored."""
    by_source: dict[tuple[str, str], list[int]] = {}
    for i, trial in enumerate(trials):
        by_source.setdefault((trial.dataset, trial.source), []).append(i)
    return {
        i
        for (dataset, _), found in by_source.items()
        for i in evenly_spaced(found, _MAX_JUDGED if dataset == "sections" else None)
    }


def _likely_openings(trial: CueTrial, kind: str, odds: Floats) -> float:
    """Return the sum of the probabilities that a part begins at each place."""
    return float((1 / (1 + np.exp(-odds[trial.rows(kind)]))).sum())


def fit_number(trials: Sequence[CueTrial], likely: Sequence[float]) -> NumberRule:
    """Fit the log of the number of parts to the least mean error; each source counts the same."""
    documents = Counter((trial.dataset, trial.source) for trial in trials)
    weight = np.array([1 / documents[trial.dataset, trial.source] for trial in trials])
    words = [max(1, sum(trial.trial.words)) for trial in trials]
    X = np.column_stack([np.ones(len(trials)), np.log(words), np.log1p(likely)])
    y = np.log([trial.trial.k for trial in trials])
    each = weight
    for _ in range(_N_REWEIGHTED):  # least squares come to the least sum of errors
        root = np.sqrt(each)
        found = np.linalg.lstsq(X * root[:, None], y * root, rcond=None)[0]
        each = weight / np.maximum(np.abs(y - X @ found), _LEAST_ERROR)
    return NumberRule(*found.round(3).tolist())


def _by_source(
    tasks: Sequence[Task], found: Sequence[Cuts]
) -> dict[str, dict[str, dict[str, list[float]]]]:
    """Return the mean scores of each cut, by dataset and source."""
    rows: dict[str, dict[str, list[Mapping[str, tuple[float, ...]]]]] = {}
    for task, cuts in zip(tasks, found, strict=True):
        of_dataset = rows.setdefault(task.trial.dataset, {})
        of_dataset.setdefault(task.trial.source, []).append(cuts.scores)
    return {
        dataset: {
            source: {
                way: [round(float(n), 4) for n in np.mean([s[way] for s in scores], axis=0)]
                for way in WAYS
            }
            for source, scores in sorted(sources.items())
        }
        for dataset, sources in rows.items()
    }


_INTRODUCTION = """\
Where does an author begin a part? A logistic regression weighs the features of an opening with
cues: the first one, two and three words of a sentence, each of its first twelve words, its last
mark, its length in steps, and the same for the sentence before, but for the first two and three
words. Those count that at least {least} families of the {sources} sources share: {cues} numbers.
C is {C:g}; documents of a source count the same, and a genre of n sources counts as
n^{power:.1f}. Fitted to all sources, they are the file `cues-en.npz` of docbats, of {size} bytes.

For the scores below, sources are split into {folds} folds, with genres spread over them and related
sources together; what is shown of a source was found by weights that were fitted to the other
folds. Only which cues exist comes from all sources, and how much their log odds count in the cut,
with the lengths to expect, was chosen by hand on them. *Without cues* is the cut of a language
whose cues are not known.

The number of parts to expect is a constant times powers of the number of words and of 1 + the sum
of the probabilities of all places, by the least mean error of its logarithm; what cuts gain moves
it. Each cell has Pk / WD / F1 of boundaries (within two sentences; exact for paragraphs), and for
found numbers the mean of the unsigned log2 of the found by the true number, with their geometric
mean ratio. Of each source of *sections* at most {judged} documents are cut, of the others all.
"""


_STRENGTHS = """

## Strengths

The log odds that a person has a boundary within two sentences of one that was found: {place} times
those of its place, {opening} times those of its opening, {saving} times the log of what it saves,
and {constant}. By the rule of the
other folds, the area under the curve over {boundaries} boundaries is {auc}, the Brier score
{brier}.
"""


def page(folder: Path, _: Path) -> Iterator[str]:
    """Show the scores of lists and of documents with paragraphs."""
    facts = read_facts(folder)
    yield _INTRODUCTION.format(
        cues=f"{facts['cues']:,}", least=_MIN_SOURCES, sources=facts["sources"], C=_C,
        size=f"{facts['file']['bytes']:,}",
        power=1 - _GENRE_POWER, folds=_N_FOLDS, judged=_MAX_JUDGED,
    )  # fmt: skip
    titles = {LISTS: "Lists of sentences", PARAGRAPHS: "With paragraphs"}
    n_features = {LISTS: len(OPENING_FEATURES)}
    n_features[PARAGRAPHS] = n_features[LISTS] + len(BREAK_FEATURES)
    for kind, title in titles.items():
        found = facts[kind]
        yield f"\n## {title}\n"
        areas = ", ".join(format_number(area, 3) for area in found["areas under the curve"])
        constant, words, openings = found["number of parts"]
        yield (
            f"{found['places']:,} places, {n_features[kind]} features besides cues. Area under "
            f"the curve of the places of other sources, by fold: {areas}. Expected parts: "
            f"e^{constant} x words^{words} x (1 + openings)^{openings}.\n"
        )
        yield markdown_table(("sources", *WAYS.values()), list(_score_rows(found["scores"])))
    yield _STRENGTHS.format(**facts["strengths"], **facts["strengths"]["rule"])
    yield (
        "\nThe rule of the number does not apply to joined texts (choi, introductions, news): "
        "docbats recognizes these by their words and keeps every plain break.\n"
    )


def _score_rows(scores: Mapping[str, Any]) -> Iterator[list[str]]:
    flat = {name: rows[name] for name, rows in scores.items() if name in rows}
    seven = [flat[name] for name in SEVEN if name in flat]
    if seven:
        yield ["mean of the seven sets", *_cells(seven)]
    for dataset in ("structured", "sections"):
        if dataset in scores:
            sources = list(scores[dataset].values())
            yield [f"mean of {len(sources)} sources of {dataset}", *_cells(sources)]
    by_genre: dict[str, list[Any]] = {}
    for source, row in scores.get("sections", {}).items():
        by_genre.setdefault(_GENRE_OF.get(source, source), []).append(row)
    for genre, rows in sorted(by_genre.items()):
        yield [f"sections: {genre} ({len(rows)})", *_cells(rows)]
    for source, row in {**flat, **scores.get("structured", {})}.items():
        yield [source, *_cells([row])]


def _cells(rows: Sequence[Mapping[str, Sequence[float]]]) -> list[str]:
    cells = []
    for way in WAYS:
        pk, wd, f1, error, ratio = np.mean([row[way] for row in rows], axis=0).tolist()
        cell = " / ".join(format_number(score, 3) for score in (pk, wd, f1))
        if way.startswith("found"):
            cell += f" / {format_number(error, 2)} ({2**ratio:.2f})"
        cells.append(cell)
    return cells
