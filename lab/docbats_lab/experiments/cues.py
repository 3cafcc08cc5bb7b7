"""Cues of openings: how authors of many sources begin a part, and how many parts they make.

The experiment fits the cues that docbats has, and writes them to a file of its package.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import asdict, replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from docbats.runtime import find_versions
from docbats.segments.choose_k import boundary_evidence, choose_k
from docbats.segments.costs import SHORT_TEXT
from docbats.segments.cues import CueModel, CueWeights
from docbats.segments.evidence import BREAK_FEATURES, OPENING_FEATURES
from docbats_lab.carry_over.cues import (
    ARTICLES,
    GENRE_OF,
    GENRE_POWER,
    LISTS,
    MIN_FAMILIES,
    MODELS,
    N_FOLDS,
    PARAGRAPHS,
    C,
    CutTask,
    collect_rows,
    cue_matrix,
    family,
    find_vocabulary,
    fit_cues,
    fit_model,
    fit_number,
    fit_parts,
    fold_of_families,
    given_k,
    log_odds,
    mean_loss,
    model_facts,
    prepare_trial,
    serves,
    weigh_numbers,
)
from docbats_lab.carry_over.fits import (
    Boundaries,
    area_under_curve,
    fit_strength,
    reliability,
)
from docbats_lab.carry_over.trials import ARTIFICIAL, FLAT_SETS, SEVEN, are_near, cutter
from docbats_lab.datasets import DATASETS
from docbats_lab.experiments.request import evenly_spaced, map_with_progress
from docbats_lab.layouts import SectionFiles
from docbats_lab.report.tables import format_number, markdown_table
from docbats_lab.results import read_facts, write_facts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray
    from scipy import sparse

    from docbats.segments.costs import CutModel
    from docbats_lab.carry_over.cues import CueTrial
    from docbats_lab.documents import SegmentedDocument
    from docbats_lab.experiments.request import Request

    Floats = NDArray[np.float64]


_MAX_DOCUMENTS = 120  # of a source; more take longer
_MAX_JUDGED = 12  # documents of a source of sections whose cuts are scored; all of other sources
_MAX_TRIED = {"sections": 4, "flat": 20}  # documents of a source that constants are fitted to
_TOLERANCE = 1e-6  # of the fit to all sources; larger: other machines may round weights otherwise
_SHORT_ARTICLE = 25  # sentences

FILE = "cues-en.npz"
"""What the experiment writes, and docbats reads from its folder ``text/data``."""


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
    n_found: int
    evidence: Floats
    is_right: NDArray[np.bool_]


def judge(task: tuple[CutTask, CutModel]) -> Cuts:
    """Cut a document with and without cues."""
    document, model = task
    trial = document.trial.seen_as(document.kind)
    m, plain = len(trial), document.trial.cost_without_cues(document.kind)
    cues = document.cost(model)
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
    if len(starts) > 1 and cues.k_model.expected is not None:
        evidence = np.column_stack(boundary_evidence(cues, m, starts))
    is_right = are_near(starts[1:], trial.true_starts[1:])[: len(evidence)]
    return Cuts(trial.source, document.fold, found, len(starts), evidence, is_right)


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
        used = [i for i, trial in enumerate(trials) if serves(trial, kind)]
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
    kinds = [[cut for cut in kind if cut.source not in ARTICLES] for kind in kinds]
    predicted, is_right, weight = [], [], []
    for fold in range(N_FOLDS):
        inside = [[cut for cut in kind if cut.fold == fold] for kind in kinds]
        if any(cut.is_right.any() for kind in inside for cut in kind):
            rule = fit_strength(Boundaries.of([[c for c in k if c.fold != fold] for k in kinds]))
            here = Boundaries.of(inside)
            odds = here.evidence @ [rule.place, rule.saving, rule.opening] + rule.constant
            predicted.append(1 / (1 + np.exp(-odds)))
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
    for source in ARTICLES:
        files = sorted(data.joinpath("news", source).rglob("*.txt"))
        sources["articles", source] = [path.read_text(encoding="utf-8") for path in files]
    return [(*key, d) for key, found in sources.items() for d in evenly_spaced(found, most)]


def _fit_and_judge(
    request: Request,
    kind: str,
    trials: Sequence[CueTrial],
    matrices: Sequence[sparse.csr_array],
) -> tuple[CueWeights, list[Cuts], dict[str, Any]]:
    """Return the weights fitted to all sources, and how well those of others do for each."""
    folds = fold_of_families(trial.source for trial in trials)
    fold_of = [folds[family(trial.source)] for trial in trials]
    # Texts of news are articles, too; what is known of their places comes from these.
    fitted = [i for i, trial in enumerate(trials) if trial.source != "news"]
    judged = _spread(trials, _MAX_JUDGED, None)
    areas, small, cue_odds = [], {}, {}
    likely = np.zeros(len(trials))  # openings, by weights that were fitted to other folds
    for fold in sorted(set(fold_of)):
        rest = [i for i in fitted if fold_of[i] != fold]
        left_out = [i for i, found in enumerate(fold_of) if found == fold]
        if not rest:
            continue
        fit = fit_cues(collect_rows([trials[i] for i in rest], [matrices[i] for i in rest], kind))
        small[fold] = replace(fit, cues=np.empty(0))
        rows = collect_rows([trials[i] for i in left_out], [matrices[i] for i in left_out], kind)
        odds = log_odds(rows, fit)
        areas.append(round(area_under_curve(odds, rows.is_start, rows.weight), 4))
        ends = np.cumsum([0, *(len(trials[i].rows(kind)) for i in left_out)])
        for i, (first, end) in zip(left_out, pairwise(ends.tolist()), strict=True):
            likely[i] = (1 / (1 + np.exp(-odds[first:end]))).sum()
            if i in judged:
                places = fit.places * np.log(max(1, end - first))
                cue_odds[i] = np.asarray(matrices[i] @ fit.cues + fit.constant + places)
    natural = [i for i in fitted if trials[i].source not in ARTIFICIAL and fold_of[i] in small]
    rules = {}
    for half in (*small, None):
        rest = [i for i in natural if fold_of[i] != half]
        rules[half] = fit_number([trials[i] for i in rest], likely[rest])
    tasks = [
        CutTask(trials[i], kind, odds, small[fold_of[i]], rules[fold_of[i]], fold_of[i])
        for i, odds in sorted(cue_odds.items())
    ]
    models = _fit_models(request, kind, tasks)
    pairs = [(task, models[task.fold % 2]) for task in tasks]
    found = map_with_progress(request, f"cues: cut {kind}", judge, pairs)
    rows = collect_rows([trials[i] for i in fitted], [matrices[i] for i in fitted], kind)
    return (
        fit_cues(rows, tolerance=_TOLERANCE),
        found,
        {
            "areas under the curve": areas,
            "model": model_facts(replace(models[None], number=rules[None])),
            "models of the halves": [model_facts(replace(models[i], number=None)) for i in (0, 1)],
            "numbers of parts": [asdict(rules[fold]) for fold in small],
            "places": int(sum(len(trial.rows(kind)) for trial in trials)),
            "scores": _by_source(tasks, found),
            "articles": _article_facts(tasks, found),
        },
    )


def _fit_models(
    request: Request, kind: str, tasks: Sequence[CutTask]
) -> dict[int | None, CutModel]:
    """Return the constants fitted to all folds, and for each half of them those of the others."""
    natural = [
        task
        for task in tasks
        if task.trial.source not in ARTIFICIAL
        and not (kind == LISTS and task.trial.source in ARTICLES)
    ]
    trials = [task.trial for task in natural]
    kept = _spread(trials, _MAX_TRIED["sections"], _MAX_TRIED["flat"])
    models: dict[int | None, CutModel] = {}
    for half in (0, 1, None):
        outside = [i for i, task in enumerate(natural) if task.fold % 2 != half]
        tried = [natural[i] for i in outside if i in kept and natural[i].trial.trial.k > 1]

        def loss(model: CutModel, tried: Sequence[CutTask] = tried) -> float:
            pairs = [(task, model) for task in tried]
            return mean_loss(tried, map_with_progress(request, "cues: try", given_k, pairs))

        model, _ = fit_model(MODELS[kind], loss)
        pairs = [(natural[i], model) for i in outside if i in kept]
        weighed = map_with_progress(request, "cues: weigh numbers", weigh_numbers, pairs)
        open_ones = [trial for trial in weighed if trial is not None]
        models[half] = replace(model, parts=fit_parts(open_ones, model.parts))
    return models


def _spread(trials: Sequence[CueTrial], of_sections: int, of_others: int | None) -> set[int]:
    """Return documents that are evenly spaced in each source."""
    by_source: dict[tuple[str, str], list[int]] = {}
    for i, trial in enumerate(trials):
        by_source.setdefault((trial.dataset, trial.source), []).append(i)
    return {
        i
        for (dataset, _), found in by_source.items()
        for i in evenly_spaced(found, of_sections if dataset == "sections" else of_others)
    }


def _by_source(
    tasks: Sequence[CutTask], found: Sequence[Cuts]
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
        if dataset != "articles"
    }


def _article_facts(tasks: Sequence[CutTask], found: Sequence[Cuts]) -> dict[str, Any]:
    """Return how many parts short texts of one part get, by source."""
    numbers: dict[str, list[int]] = {}
    for task, cuts in zip(tasks, found, strict=True):
        if cuts.source in ARTICLES and len(task.trial.trial) <= _SHORT_ARTICLE:
            numbers.setdefault(cuts.source, []).append(cuts.n_found)
    return {
        source: {"documents": len(ks), "parts": dict(sorted(Counter(map(str, ks)).items()))}
        for source, ks in sorted(numbers.items())
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
folds. How much their log odds count in the cut, with the lengths to expect and the rule of the
number, was fitted to every other fold, too, step by step as long as the loss fell: half of the mean
of Pk and WD, and a quarter of 1 - F1, with flat sets, *structured* and *sections* counting the
same. Only which cues exist comes from all sources. *Without cues* is the cut of a language whose
cues are not known.

The number of parts to expect is a constant times powers of 1 + the sum of the probabilities of all
places and, below {short} sentences, of the length, by the least mean error of its logarithm. Joined
texts (choi, introductions, news) are recognized by their words, and cues do not count there. Each
cell has Pk / WD / F1 of boundaries (within two sentences; exact for paragraphs), and for found
numbers the mean of the unsigned log2 of the found by the true number, with their geometric mean
ratio. Of each source of *sections* at most {judged} documents are cut, of the others all.
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
        cues=f"{facts['cues']:,}", least=MIN_FAMILIES, sources=facts["sources"], C=C,
        size=f"{facts['file']['bytes']:,}",
        power=1 - GENRE_POWER, folds=N_FOLDS, judged=_MAX_JUDGED, short=SHORT_TEXT,
    )  # fmt: skip
    titles = {LISTS: "Lists of sentences", PARAGRAPHS: "With paragraphs"}
    n_features = {LISTS: len(OPENING_FEATURES)}
    n_features[PARAGRAPHS] = n_features[LISTS] + len(BREAK_FEATURES)
    for kind, title in titles.items():
        found = facts[kind]
        yield f"\n## {title}\n"
        areas = ", ".join(format_number(area, 3) for area in found["areas under the curve"])
        number = found["model"]["number"]
        yield (
            f"{found['places']:,} places, {n_features[kind]} features besides cues. Area under "
            f"the curve of the places of other sources, by fold: {areas}. Expected parts: "
            f"e^{number['constant']} x (1 + openings)^{number['openings']}, times the share of "
            f"{SHORT_TEXT} sentences to the power {number['short']}.\n"
        )
        yield markdown_table(("sources", *WAYS.values()), list(_score_rows(found["scores"])))
    yield _STRENGTHS.format(**facts["strengths"], **facts["strengths"]["rule"])
    yield from _article_rows(facts)


def _article_rows(facts: Mapping[str, Any]) -> Iterator[str]:
    """Show how many parts short articles get, and the constants of each half."""
    yield f"\n## Texts of one part\n\nArticles of at most {_SHORT_ARTICLE} sentences:\n"
    rows = []
    for kind in (LISTS, PARAGRAPHS):
        for source, found in facts[kind]["articles"].items():
            n, parts = found["documents"], found["parts"]
            cells = [sum(v for k, v in parts.items() if int(k) == n_parts) for n_parts in (1, 2, 3)]
            shares = [f"{cell / n:.0%}" for cell in (*cells, n - sum(cells))]
            rows.append([source, kind, str(n), *shares])
    yield markdown_table(("source", "as", "articles", "one part", "two", "three", "more"), rows)
    yield (
        "\n\n## The constants\n\nFitted to all folds, and to every other one, which show how far "
        "they depend on the sources.\n"
    )
    rows = []
    for kind in (LISTS, PARAGRAPHS):
        models = [facts[kind]["model"], *facts[kind]["models of the halves"]]
        flat = [
            {**{n: v for n, v in m.items() if n not in {"parts", "number"}}, **m["parts"]}
            for m in models
        ]
        rows += [
            [kind, name.replace("_", " "), *(f"{m[name]:g}" for m in flat)] for name in flat[0]
        ]
    yield markdown_table(("as", "constant", "all", "one half", "the other"), rows)


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
        by_genre.setdefault(GENRE_OF.get(source, source), []).append(row)
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
