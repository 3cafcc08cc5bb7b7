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
from docbats.segments.costs import LONG_TEXT, MOST_TIMES_LONGER, SHORT_TEXT
from docbats.segments.cues import CueModel, CueWeights
from docbats.segments.evidence import BREAK_FEATURES, OPENING_FEATURES
from docbats_lab.carry_over.cues import (
    ARTICLES,
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
    fold_of_genres,
    genre_of,
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

    from docbats.segments.costs import CutModel, NumberRule
    from docbats_lab.carry_over.cues import CueTrial
    from docbats_lab.documents import SegmentedDocument
    from docbats_lab.experiments.request import Request

    Floats = NDArray[np.float64]


_MAX_DOCUMENTS = 120  # of a source; more take longer
_MAX_JUDGED = 12  # documents of a source of sections whose cuts are scored; all of other sources
_MAX_TRIED = {"sections": 4, "flat": 20}  # documents of a source that constants are fitted to
_TOLERANCE = 1e-6  # of the fit to all sources; larger: other machines may round weights otherwise
_SHORT_ARTICLE = 25  # sentences
_ONE_TEXT = (*ARTIFICIAL, *ARTICLES)  # sources in which k is not the number of an author's parts

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
    confidence: float  # of the number found
    n_coarse: int  # parts, where few are asked for
    n_fine: int
    evidence: Floats
    is_right: NDArray[np.bool_]


def judge(task: tuple[CutTask, CutModel]) -> Cuts:
    """Cut a document with and without cues."""
    document, model = task
    trial = document.trial.seen_as(document.kind)
    m, plain = len(trial), document.trial.cost_without_cues(document.kind)
    cues = document.cost(model)
    choice = choose_k(cues, m)
    numbers = {
        "true k, no cues": (plain, trial.k),
        "true k, cues": (cues, trial.k),
        "found k, no cues": (plain, choose_k(plain, m).k),
        "found k, cues": (cues, choice.k),
    }
    cutters = {id(cost): cutter(cost, m) for cost in (plain, cues)}
    found: dict[str, tuple[float, ...]] = {}
    for way, (cost, k) in numbers.items():
        score = trial.score(cutters[id(cost)](min(k, m)))
        ratio = float(np.log2(min(k, m) / trial.k))
        found[way] = (score.pk, score.wd, score.f1, abs(ratio), ratio)
    starts = cutters[id(cues)](choice.k)
    evidence = np.empty((0, 3))
    if len(starts) > 1 and cues.k_model.expected is not None:
        evidence = np.column_stack(boundary_evidence(cues, m, starts))
    is_right = are_near(starts[1:], trial.true_starts[1:])[: len(evidence)]
    return Cuts(
        source=trial.source,
        fold=document.fold,
        scores=found,
        n_found=len(starts),
        confidence=np.nan if choice.confidence is None else choice.confidence,
        n_coarse=choose_k(cues, m, "coarse").k,
        n_fine=choose_k(cues, m, "fine").k,
        evidence=evidence,
        is_right=is_right,
    )


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


class LeftOut(NamedTuple):
    """What was fitted to other groups of sources, for each of them, and documents to cut by it."""

    tasks: list[CutTask]
    areas: list[float]  # under the curve of the places of each group
    rules: dict[int | None, NumberRule]  # of the number of parts; of None fitted to all sources


def _leave_out(
    kind: str,
    trials: Sequence[CueTrial],
    matrices: Sequence[sparse.csr_array],
    fold_of: Sequence[int],
) -> LeftOut:
    """Fit cues and the number of parts for each fold to the others."""
    # Texts of news are articles, too; what is known of their places comes from these.
    fitted = [i for i, trial in enumerate(trials) if trial.source != "news"]
    judged = _spread(trials, _MAX_JUDGED, None)
    areas, small, cue_odds = [], {}, {}
    likely = np.zeros(len(trials))  # openings, by weights that were fitted to other folds
    for fold in sorted(set(fold_of)):
        rest = [i for i in fitted if fold_of[i] != fold]
        inside = [i for i, found in enumerate(fold_of) if found == fold]
        if not rest:
            continue
        fit = fit_cues(collect_rows([trials[i] for i in rest], [matrices[i] for i in rest], kind))
        small[fold] = replace(fit, cues=np.empty(0))
        rows = collect_rows([trials[i] for i in inside], [matrices[i] for i in inside], kind)
        odds = log_odds(rows, fit)
        areas.append(round(area_under_curve(odds, rows.is_start, rows.weight), 4))
        ends = np.cumsum([0, *(len(trials[i].rows(kind)) for i in inside)])
        for i, (first, end) in zip(inside, pairwise(ends.tolist()), strict=True):
            likely[i] = (1 / (1 + np.exp(-odds[first:end]))).sum()
            if i in judged:
                places = fit.places * np.log(max(1, end - first))
                cue_odds[i] = np.asarray(matrices[i] @ fit.cues + fit.constant + places)
    natural = [i for i in fitted if trials[i].source not in ARTIFICIAL and fold_of[i] in small]
    rules: dict[int | None, NumberRule] = {}
    for out in (*small, None):
        rest = [i for i in natural if fold_of[i] != out]
        rules[out] = fit_number([trials[i] for i in rest], likely[rest])
    tasks = [
        CutTask(trials[i], kind, odds, small[fold_of[i]], rules[fold_of[i]], fold_of[i])
        for i, odds in sorted(cue_odds.items())
    ]
    return LeftOut(tasks, areas, rules)


def _fit_and_judge(
    request: Request,
    kind: str,
    trials: Sequence[CueTrial],
    matrices: Sequence[sparse.csr_array],
) -> tuple[CueWeights, list[Cuts], dict[str, Any]]:
    """Return the weights fitted to all sources, and how well those of others do for each."""
    folds = fold_of_families(trial.source for trial in trials)
    others = _leave_out(kind, trials, matrices, [folds[family(t.source)] for t in trials])
    models = _fit_models(request, kind, others.tasks)
    pairs = [(task, models[task.fold % 2]) for task in others.tasks]
    found = map_with_progress(request, f"cues: cut {kind}", judge, pairs)
    folds = fold_of_genres(trial.source for trial in trials)
    other_genres = _leave_out(kind, trials, matrices, [folds[genre_of(t.source)] for t in trials])
    pairs = [(task, models[None]) for task in other_genres.tasks]
    by_genre = map_with_progress(request, f"cues: leave out genres of {kind}", judge, pairs)
    rows = collect_rows(*_without_news(trials, matrices), kind)
    numbers = [asdict(rule) for fold, rule in others.rules.items() if fold is not None]
    return (
        fit_cues(rows, tolerance=_TOLERANCE),
        found,
        {
            "areas under the curve": others.areas,
            "model": model_facts(replace(models[None], number=others.rules[None])),
            "models of the halves": [model_facts(replace(models[i], number=None)) for i in (0, 1)],
            "numbers of parts": numbers,
            "places": int(sum(len(trial.rows(kind)) for trial in trials)),
            "scores": _by_source(others.tasks, found),
            "scores without the genre": _by_source(other_genres.tasks, by_genre),
            "articles": _article_facts(others.tasks, found),
            "granularity": _granularity_facts(others.tasks, found),
            "confidence": _confidence_facts(others.tasks, found),
        },
    )


def _without_news(
    trials: Sequence[CueTrial], matrices: Sequence[sparse.csr_array]
) -> tuple[list[CueTrial], list[sparse.csr_array]]:
    kept = [i for i, trial in enumerate(trials) if trial.source != "news"]
    return [trials[i] for i in kept], [matrices[i] for i in kept]


def _fit_models(
    request: Request, kind: str, tasks: Sequence[CutTask]
) -> dict[int | None, CutModel]:
    """Return the constants fitted to all folds, and for each half of them those of the others."""
    natural = [task for task in tasks if task.trial.source not in _ONE_TEXT]
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


_N_GROUPS = 5  # of documents, by how sure the number of their parts is


def _granularity_facts(tasks: Sequence[CutTask], found: Sequence[Cuts]) -> dict[str, float]:
    """Return how many times as many parts `coarse` and `fine` give, in the mean of sources."""
    by_source: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for task, cuts in zip(tasks, found, strict=True):
        if cuts.source not in _ONE_TEXT and cuts.n_found > 1:
            ratios = np.log(np.array([cuts.n_coarse, cuts.n_fine]) / cuts.n_found).tolist()
            by_source.setdefault((task.trial.dataset, cuts.source), []).append(tuple(ratios))
    means = np.exp(np.mean([np.mean(ratios, axis=0) for ratios in by_source.values()], axis=0))
    return dict(zip(("coarse", "fine"), means.round(2).tolist(), strict=True))


def _confidence_facts(tasks: Sequence[CutTask], found: Sequence[Cuts]) -> list[dict[str, float]]:
    """Return how often the number is right, from where it is least sure to where it is most."""
    rows = [
        (cuts.confidence, cuts.n_found - task.trial.trial.k, cuts.scores["found k, cues"][3])
        for task, cuts in zip(tasks, found, strict=True)
        if cuts.source not in _ONE_TEXT and np.isfinite(cuts.confidence)
    ]
    rows.sort()
    groups = [np.array(group) for group in np.array_split(np.array(rows), _N_GROUPS)]
    return [
        {
            "confidence": round(float(group[:, 0].mean()), 3),
            "right": round(float((group[:, 1] == 0).mean()), 3),
            "within one": round(float((np.abs(group[:, 1]) <= 1).mean()), 3),
            "error": round(float(group[:, 2].mean()), 3),
        }
        for group in groups
        if len(group)
    ]


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
places and, below {short} sentences and from {long:,} words to {times} times as many, of the length,
by the least mean error of its logarithm. A share of it is looked for, by the least loss, to which a
quarter of the unsigned log2 of the found by the true number is added. Joined texts (choi,
introductions, news) are recognized by their words, and cues do not count there. Each cell has Pk /
WD / F1 of boundaries (within two sentences; exact for paragraphs), and for found numbers the mean
of the unsigned log2 of the found by the true number, with their geometric mean ratio. Of each
source of *sections* at most {judged} documents are cut, of the others all.
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
        long=LONG_TEXT, times=MOST_TIMES_LONGER,
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
            f"{SHORT_TEXT} sentences to the power {number['short']}, and for long texts the times "
            f"of {LONG_TEXT:,} words to the power {number['long']}.\n"
        )
        yield markdown_table(("sources", *WAYS.values()), list(_score_rows(found["scores"])))
    yield from _genre_tables(facts)
    yield from _number_tables(facts)
    yield _STRENGTHS.format(**facts["strengths"], **facts["strengths"]["rule"])
    yield from _article_rows(facts)


_GENRES_LEFT_OUT = """\


## Without their genre

The same with cues and the number of parts fitted to sources of other genres only: all software
guides, all talk, and so on, were left out at a time. The few constants of the cut are those that
are fitted to all.
"""

_NUMBERS = """\


## The number of parts

With cues, `granularity="coarse"` gives {coarse[lists]} times as many parts as the default in
lists, and {coarse[paragraphs]} times as many with paragraphs; `fine` {fine[lists]} and
{fine[paragraphs]} times as many (geometric means of sources). The documents of natural sources, in
{groups} groups of one size from the least to the greatest confidence of the number:
"""


def _genre_tables(facts: Mapping[str, Any]) -> Iterator[str]:
    """Show the scores of cuts by what was learned from other genres."""
    yield _GENRES_LEFT_OUT
    ways = [way for way in WAYS if way.endswith(", cues")]
    for kind in (LISTS, PARAGRAPHS):
        means = [
            row
            for row in _score_rows(facts[kind]["scores without the genre"], ways)
            if row[0].startswith(("mean", "sections"))
        ]
        yield f"\n{kind.capitalize()}:\n\n"
        yield markdown_table(("sources", *(WAYS[way] for way in ways)), means)


def _number_tables(facts: Mapping[str, Any]) -> Iterator[str]:
    """Show how many parts a granularity gives, and what a confidence is worth."""
    of = {
        name: {kind: facts[kind]["granularity"][name] for kind in (LISTS, PARAGRAPHS)}
        for name in ("coarse", "fine")
    }
    yield _NUMBERS.format(**of, groups=_N_GROUPS)
    rows = [
        [kind, *(format_number(group[name], 2) for name in group)]
        for kind in (LISTS, PARAGRAPHS)
        for group in facts[kind]["confidence"]
    ]
    names = ("as", "confidence", "right", "at most one off", "mean unsigned log2")
    yield markdown_table(names, rows)


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


def _score_rows(
    scores: Mapping[str, Any], ways: Sequence[str] = tuple(WAYS)
) -> Iterator[list[str]]:
    flat = {name: rows[name] for name, rows in scores.items() if name in rows}
    seven = [flat[name] for name in SEVEN if name in flat]
    if seven:
        yield ["mean of the seven sets", *_cells(seven, ways)]
    for dataset in ("structured", "sections"):
        if dataset in scores:
            sources = list(scores[dataset].values())
            yield [f"mean of {len(sources)} sources of {dataset}", *_cells(sources, ways)]
    by_genre: dict[str, list[Any]] = {}
    for source, row in scores.get("sections", {}).items():
        by_genre.setdefault(genre_of(source), []).append(row)
    for genre, rows in sorted(by_genre.items()):
        yield [f"sections: {genre} ({len(rows)})", *_cells(rows, ways)]
    for source, row in {**flat, **scores.get("structured", {})}.items():
        yield [source, *_cells([row], ways)]


def _cells(rows: Sequence[Mapping[str, Sequence[float]]], ways: Sequence[str]) -> list[str]:
    cells = []
    for way in ways:
        pk, wd, f1, error, ratio = np.mean([row[way] for row in rows], axis=0).tolist()
        cell = " / ".join(format_number(score, 3) for score in (pk, wd, f1))
        if way.startswith("found"):
            cell += f" / {format_number(error, 2)} ({2**ratio:.2f})"
        cells.append(cell)
    return cells
