"""Cues of openings: how authors of many sources begin a part, and how many parts they make."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import sparse

from docbats.pipeline import prepare
from docbats.runtime import find_versions
from docbats.segments.choose_k import choose_k
from docbats.segments.costs import FLAT, STRUCTURED, LengthPrior, OpeningCost, SumOfCosts
from docbats.segments.dirichlet import (
    DirichletCost,
    LikelihoodCost,
    StructuredCost,
    likelihood_cost,
)
from docbats.segments.evidence import (
    BREAK_FEATURES,
    NO_HEADING,
    OPENING_FEATURES,
    break_features,
    heads_what_follows,
    opening_features,
)
from docbats.settings import Settings
from docbats_lab.carry_over.fits import area_under_curve, fit_logistic
from docbats_lab.carry_over.trials import ARTIFICIAL, FLAT_SETS, SEVEN, Trial, cutter, family_of
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

    from docbats.pipeline import PreparedText
    from docbats.segments.costs import CutModel, SegmentCost
    from docbats_lab.documents import SegmentedDocument
    from docbats_lab.experiments.request import Request

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

_MAX_DOCUMENTS = 120  # of a source; more take longer
_MAX_JUDGED = 12  # documents of a source of sections whose cuts are scored; all of other sources
_N_FOLDS = 6  # of sources, each judged by what was fitted to the others
_MIN_SOURCES = 10  # that share a cue; larger: fewer cues
_C = 0.02  # larger: the data count for more
_GENRE_POWER = 0.7  # a genre of n sources counts n^0.3 times as much as one of a single source
_N_EARLY = 12  # words at the start of a sentence
_LENGTH_STEPS = (2, 4, 7, 10, 14, 19, 25, 33, 45)  # words of a sentence
_END_MARKS = ".?!:;,…"
_CLOSING = "\"'”’»)]}*_"
_SHARE_OF_NUMBER = 0.9  # of the expected number of parts: an odd one out is worse than one too few

LISTS, PARAGRAPHS = "lists", "paragraphs"
MODELS = {
    LISTS: replace(FLAT, openings=2.0, growth=0.6),
    PARAGRAPHS: replace(STRUCTURED, openings=2.5, expectations=5.0, growth=0.5),
}
"""The cut with cues: `openings` is the weight of their log odds, set on these sources."""

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


class Opening(NamedTuple):
    """What a sentence has of cues."""

    words: tuple[str, ...]  # its first words, in lower case
    mark: str  # at its end
    size: int  # words


def read_openings(text: PreparedText) -> list[Opening]:
    """Return what each sentence has of cues."""
    tokens, m = text.tokens, len(text)
    forms = [form.lower().replace("’", "'") for form in tokens.forms]
    words: list[list[str]] = [[] for _ in range(m)]
    marks, sizes = [""] * m, [0] * m
    for form, i in zip(tokens.form.tolist(), tokens.sentence.tolist(), strict=True):
        written = forms[form]
        if written[0].isalnum():
            sizes[i] += 1
            marks[i] = "word"
            if len(words[i]) < _N_EARLY:
                words[i].append(written)
        elif written not in _CLOSING:
            marks[i] = written if written in _END_MARKS else "other"
    return [Opening(tuple(w), mark, n) for w, mark, n in zip(words, marks, sizes, strict=True)]


def find_cues(before: Opening, here: Opening) -> set[str]:
    """Return the cues of a sentence: its first words, marks and lengths, and of the one before."""
    words = here.words
    cues = {f"first {n}: {' '.join(words[:n])}" for n in (1, 2, 3) if len(words) >= n}
    cues |= {f"early: {word}" for word in words}
    cues |= {f"previous: {word}" for word in before.words[:1]}
    cues |= {f"mark: {here.mark}", f"previous mark: {before.mark}"}
    cues.add(f"length: {np.searchsorted(_LENGTH_STEPS, here.size, side='right')}")
    cues.add(f"previous length: {np.searchsorted(_LENGTH_STEPS, before.size, side='right')}")
    return cues


@dataclass(frozen=True, eq=False)
class CueTrial:
    """A document, and what its sentences have of cues."""

    dataset: str
    trial: Trial  # with its breaks, if it has paragraphs
    openings: tuple[Opening, ...]
    break_features: Floats | None

    @property
    def source(self) -> str:
        """The source of the document."""
        return self.trial.source

    @cached_property
    def cues(self) -> list[set[str]]:
        """The cues of each sentence; none of the first."""
        pairs = zip(self.openings[:-1], self.openings[1:], strict=True)
        return [set(), *(find_cues(before, here) for before, here in pairs)]

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
        evidence=cost.evidence,
        breaks=breaks,
        break_odds=None,
        words=tuple(count_words(sentence) for sentence in document.sentences),
        true_starts=tuple((np.cumsum(lengths) - lengths).tolist()),
    )
    features = None
    if breaks is not None:
        features = break_features(text.document, cost.evidence, breaks)
    return CueTrial(dataset, trial, tuple(read_openings(text)), features)


def find_vocabulary(trials: Sequence[CueTrial]) -> dict[str, int]:
    """Return the cues that enough sources share, numbered in their order."""
    sources: defaultdict[str, set[str]] = defaultdict(set)
    for trial in trials:
        for cue in set().union(*trial.cues):
            sources[cue].add(_family(trial.source))
    return {
        cue: number
        for number, cue in enumerate(
            sorted(c for c, s in sources.items() if len(s) >= _MIN_SOURCES)
        )
    }


def cue_matrix(trial: CueTrial, vocabulary: Mapping[str, int]) -> sparse.csr_array:
    """Return the known cues of each sentence, one row for each."""
    known = [sorted(vocabulary[c] for c in cues if c in vocabulary) for cues in trial.cues]
    ends = np.cumsum([0, *map(len, known)])
    columns = np.array([cue for cues in known for cue in cues], np.int64)
    return sparse.csr_array(
        (np.ones(len(columns)), columns, ends), shape=(len(known), len(vocabulary))
    )


class CueFit(NamedTuple):
    """The weights of cues and of other features, and a constant."""

    cues: Floats
    features: Floats
    constant: float

    def log_odds(self, matrix: sparse.csr_array, features: Floats) -> Floats:
        """Return the log odds that a part begins with each sentence; 0 for the first."""
        odds = np.asarray(matrix @ self.cues + features @ self.features + self.constant)
        odds[:1] = 0.0
        return odds


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


def fit_cues(rows: Rows, C: float = _C) -> CueFit:
    """Fit the log odds that a part begins at a place."""
    X = sparse.csr_array(sparse.hstack([rows.cues, rows.features]))
    fit = fit_logistic(X, rows.is_start, rows.weight, C)
    n_cues = rows.cues.shape[1]
    return CueFit(fit.weights[:n_cues], fit.weights[n_cues:], fit.constant)


class CueOpenings(OpeningCost):
    """Minus given log odds that a segment begins with its first sentence."""

    def __init__(self, trial: Trial, model: CutModel, odds: Floats) -> None:
        super().__init__(trial.evidence, model)
        inner = model.openings * odds
        inner[1:] -= inner[1:].mean() if len(inner) > 1 else 0.0
        self.start_log_odds = inner + model.heading * heads_what_follows(trial.evidence)


def cue_cost(trial: Trial, odds: Floats) -> SegmentCost:
    """Return the cost of segments with cues."""
    if trial.breaks is None:
        model, evidence = MODELS[LISTS], trial.evidence
        words = DirichletCost(evidence, model)
        return SumOfCosts(
            [words, LengthPrior(evidence, model), CueOpenings(trial, model, odds.copy())]
        )
    model = MODELS[PARAGRAPHS]
    return StructuredCost(trial.evidence, trial.breaks, model.openings * odds, model)


def present_cost(trial: CueTrial, kind: str) -> SegmentCost:
    """Return the cost of segments as docbats has it."""
    breaks = trial.trial.breaks
    if kind == LISTS or breaks is None or trial.break_features is None:
        return LikelihoodCost(trial.trial.evidence)
    odds = trial.break_features @ list(BREAK_FEATURES.values())
    return StructuredCost(trial.trial.evidence, breaks, odds)


class NumberRule(NamedTuple):
    """The expected number of parts: a constant, and powers of words and of likely openings."""

    constant: float
    words: float
    openings: float

    def number(self, words: int, likely: float) -> int:
        """Return the number of parts to make of a text."""
        expected = np.exp(self.constant) * max(1, words) ** self.words
        expected *= (1 + likely) ** self.openings
        return max(1, round(float(_SHARE_OF_NUMBER * expected)))


class Task(NamedTuple):
    """A document to cut, by log odds and a rule that were fitted to other sources."""

    trial: CueTrial
    kind: str
    odds: Floats
    number: int


WAYS = {
    "true k, today": "true k, today",
    "true k, cues": "true k, with cues",
    "found k, today": "found k, today",
    "found k, cues": "found k, with cues",
}
"""The cuts that are compared."""


def judge(task: Task) -> dict[str, tuple[float, ...]]:
    """Return the scores of each cut: Pk, WD, F1, and the log2 of found by true number, unsigned."""
    trial = task.trial.as_list() if task.kind == LISTS else task.trial.trial
    m, today, cues = len(trial), present_cost(task.trial, task.kind), cue_cost(trial, task.odds)
    numbers = {
        "true k, today": (today, trial.k),
        "true k, cues": (cues, trial.k),
        "found k, today": (today, choose_k(today, m).k),
        "found k, cues": (cues, task.number),
    }
    cutters = {id(cost): cutter(cost, m) for cost in (today, cues)}
    found: dict[str, tuple[float, ...]] = {}
    for way, (cost, k) in numbers.items():
        score = trial.score(cutters[id(cost)](min(k, m)))
        ratio = float(np.log2(min(k, m) / trial.k))
        found[way] = (score.pk, score.wd, score.f1, abs(ratio), ratio)
    return found


def run(request: Request) -> None:
    """Fit cues and the number of parts to all but some sources, and cut the documents of these."""
    tasks = _load(request.data, request.limit)
    found = map_with_progress(request, "cues: read", prepare_trial, tasks)
    trials = [trial for trial in found if trial is not None]
    vocabulary = find_vocabulary(trials)
    matrices = [cue_matrix(trial, vocabulary) for trial in trials]
    facts: dict[str, Any] = {
        "command": "docbats lab run cues",
        "versions": find_versions(
            "docbats", "numpy", "scipy", "scikit-learn", "nupunkt", "PyStemmer"
        ),
        "seed": request.seed,
        "checksums": {name: DATASETS[name].checksum for name in _DATASETS},
        "documents": dict(Counter(trial.dataset for trial in trials)),
        "sources": len({trial.source for trial in trials}),
        "cues": len(vocabulary),
    }
    for kind in (LISTS, PARAGRAPHS):
        used = [i for i, trial in enumerate(trials) if _serves(trial, kind)]
        if used:
            chosen = [trials[i] for i in used]
            facts[kind] = _fit_and_judge(request, kind, chosen, [matrices[i] for i in used])
    write_facts(request.output / "cues", facts)


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
) -> dict[str, Any]:
    folds = fold_of_families(trial.source for trial in trials)
    judged = _choose_judged(trials)
    areas, rules, tasks = [], [], []
    for fold in range(_N_FOLDS):
        is_out = [folds[_family(trial.source)] == fold for trial in trials]
        rest = [i for i, out in enumerate(is_out) if not out and trials[i].source != "news"]
        left_out = [i for i, out in enumerate(is_out) if out]
        if not left_out or not rest:
            continue
        fit = fit_cues(collect_rows([trials[i] for i in rest], [matrices[i] for i in rest], kind))
        odds = {i: fit.log_odds(matrices[i], trials[i].features(kind)) for i in range(len(trials))}
        likely = {i: _likely_openings(trials[i], kind, odds[i]) for i in odds}
        natural = [i for i in rest if trials[i].source not in ARTIFICIAL]
        rule = fit_number([trials[i] for i in natural], [likely[i] for i in natural])
        rows = collect_rows([trials[i] for i in left_out], [matrices[i] for i in left_out], kind)
        predicted = fit.log_odds(rows.cues, rows.features)
        areas.append(round(area_under_curve(predicted, rows.is_start, rows.weight), 4))
        rules.append(tuple(round(number, 3) for number in rule))
        for i in left_out:
            if i in judged:
                number = rule.number(sum(trials[i].trial.words), likely[i])
                tasks.append(Task(trials[i], kind, odds[i], number))
    found = map_with_progress(request, f"cues: cut {kind}", judge, tasks)
    return {
        "areas under the curve": areas,
        "numbers of parts": rules,
        "places": int(sum(len(trial.rows(kind)) for trial in trials)),
        "scores": _by_source(tasks, found),
    }


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
    """Fit the log of the number of parts by least squares; each source counts the same."""
    documents = Counter((trial.dataset, trial.source) for trial in trials)
    weight = np.sqrt([1 / documents[trial.dataset, trial.source] for trial in trials])
    X = np.column_stack(
        [
            np.ones(len(trials)),
            np.log([max(1, sum(trial.trial.words)) for trial in trials]),
            np.log1p(likely),
        ]
    )
    y = np.log([trial.trial.k for trial in trials])
    found = np.linalg.lstsq(X * weight[:, None], y * weight, rcond=None)[0]
    return NumberRule(*found.tolist())


def _by_source(
    tasks: Sequence[Task], found: Sequence[Mapping[str, tuple[float, ...]]]
) -> dict[str, dict[str, dict[str, list[float]]]]:
    """Return the mean scores of each cut, by dataset and source."""
    rows: dict[str, dict[str, list[Mapping[str, tuple[float, ...]]]]] = {}
    for task, scores in zip(tasks, found, strict=True):
        rows.setdefault(task.trial.dataset, {}).setdefault(task.trial.source, []).append(scores)
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
Where does an author begin a part? This page measures what cues add that were learned from many
sources; docbats does not use them yet. A logistic regression weighs the features of an opening
that docbats has with the first one, two and three words of a sentence, each of its first twelve
words, its last mark and that of the sentence before, the first word of that sentence, and both
lengths in steps: {cues} cues that at least {least} of {sources} sources share. C is {C:g};
documents of a source count the same, and a genre of n sources counts as n^{power:.1f}.

Sources are split into {folds} folds, with genres spread over them and related sources together.
What is shown of a source was found by weights that were fitted to the other folds; the weight of
the cues in the cut was set by hand on these sources. The number of parts is {share:.0%} of a
constant times powers of the number of words and of 1 + the sum of the probabilities of all
places, fitted by least squares. Each cell has Pk / WD / F1 of boundaries (within two sentences;
exact for paragraphs), and for found numbers the mean of the unsigned log2 of the found by the
true number, with their geometric mean ratio. Of each source of *sections* at most {judged}
documents are cut, of the others all.
"""


def page(folder: Path, _: Path) -> Iterator[str]:
    """Show the scores of lists and of documents with paragraphs."""
    facts = read_facts(folder)
    yield _INTRODUCTION.format(
        cues=f"{facts['cues']:,}", least=_MIN_SOURCES, sources=facts["sources"], C=_C,
        power=1 - _GENRE_POWER, folds=_N_FOLDS, share=_SHARE_OF_NUMBER, judged=_MAX_JUDGED,
    )  # fmt: skip
    titles = {LISTS: "Lists of sentences", PARAGRAPHS: "With paragraphs"}
    n_features = {LISTS: len(OPENING_FEATURES)}
    n_features[PARAGRAPHS] = n_features[LISTS] + len(BREAK_FEATURES)
    for kind, title in titles.items():
        found = facts[kind]
        yield f"\n## {title}\n"
        areas = ", ".join(format_number(area, 3) for area in found["areas under the curve"])
        yield (
            f"{found['places']:,} places, {n_features[kind]} features besides cues. Area under "
            f"the curve of the places of other sources, by fold: {areas}.\n"
        )
        yield markdown_table(("sources", *WAYS.values()), list(_score_rows(found["scores"])))
    yield (
        "\nOn joined texts (choi, introductions, news) the rule of the number does not apply: "
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
