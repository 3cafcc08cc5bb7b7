"""Rules fitted to some sources of documents and judged on others, and those fitted to all."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, TypeVar

from docbats.runtime import find_versions
from docbats_lab.carry_over.folds import (
    fit_openings_of_folds,
    fit_rules_of_folds,
    fit_strengths_of_folds,
    gain_facts,
)
from docbats_lab.carry_over.judged import JudgeTask, judge
from docbats_lab.carry_over.score_tables import plain_shares, score_facts, share_facts
from docbats_lab.carry_over.sources import (
    ARTIFICIAL,
    FLAT_SETS,
    MAX_DOCUMENTS,
    NATURAL,
    family_of,
)
from docbats_lab.carry_over.strength_fit import Boundaries, strength_facts
from docbats_lab.carry_over.trials import prepare_list, prepare_structured
from docbats_lab.carry_over.weighed import NUMBERS, weigh
from docbats_lab.datasets import DATASETS
from docbats_lab.experiments.request import evenly_spaced, progress
from docbats_lab.map_in_order import map_in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from docbats_lab.carry_over.folds import Folds
    from docbats_lab.carry_over.trials import Trial
    from docbats_lab.experiments.request import Request
    from docbats_lab.segmented_document import SegmentedDocument

_SHARES = (0.1, 0.12, 0.15)  # of the mean gain of plain breaks, that each may have to gain
_LIBRARIES = ("docbats", "numpy", "scipy", "scikit-learn", "nupunkt", "PyStemmer")

Item = TypeVar("Item")
Result = TypeVar("Result")


def run(request: Request) -> None:
    """Fit the rules to all sources and to all but each, and cut the documents by both."""
    loaded = _load_structured(request.data, request.limit)
    found = _map(request, "read paragraphs", prepare_structured, _pairs(loaded))
    structured = [trial for trial in found if trial is not None]
    loaded |= _load_flat(request.data, request.limit)
    loaded = {source: loaded[source] for source in (*NATURAL, *ARTIFICIAL)}
    lists = _map(request, "read", prepare_list, _pairs(loaded))
    facts = {
        "command": "docbats lab run carry-over",
        "versions": find_versions(*_LIBRARIES),
        "seed": request.seed,
        "checksums": {name: DATASETS[name].checksum for name in (*FLAT_SETS, "structured")},
        "most documents of a source": MAX_DOCUMENTS,
        "numbers of segments": NUMBERS,
        "documents": _documents(lists),
        "documents with paragraphs": _documents(structured),
        **_fit_and_judge(request, lists, structured),
    }
    folder = request.output / "carry-over"
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(facts, indent=1, ensure_ascii=False)
    (folder / "facts.json").write_text(text + "\n", encoding="utf-8")


def _fit_and_judge(
    request: Request, lists: Sequence[Trial], structured: Sequence[Trial]
) -> dict[str, Any]:
    trials = [*lists, *structured]
    folds = fit_openings_of_folds(lists)
    tasks = [(trial, folds[family_of(trial.source)]) for trial in trials]
    weighed = _map(request, "cut", weigh, tasks)
    n = len(lists)
    folds = fit_rules_of_folds(folds, weighed[:n], weighed[n:])
    judged = _map(request, "judge", judge, [_judge_task(trial, folds) for trial in trials])
    folds = fit_strengths_of_folds(folds, judged[:n], judged[n:])
    boundaries = Boundaries.of([judged[:n], judged[n:]])
    return {
        "rules": folds[None].to_dict(),
        "rules without": {name: rules.to_dict() for name, rules in folds.items() if name},
        "lists": score_facts(lists, weighed[:n], judged[:n]),
        "paragraphs": score_facts(structured, weighed[n:], judged[n:]),
        "structured gain": gain_facts(folds[None], weighed[n:]),
        "plain breaks": plain_shares(judged[:n]),
        "shares": share_facts(judged[:n]),
        "strengths": strength_facts(
            boundaries, {name: rules.strength for name, rules in folds.items()}
        ),
    }


def _judge_task(trial: Trial, folds: Folds) -> JudgeTask:
    is_artificial = trial.breaks is None and trial.source in ARTIFICIAL
    shares = _SHARES if is_artificial else ()
    return JudgeTask(trial, folds[family_of(trial.source)], folds[None], shares)


def _load_flat(data: Path, limit: int | None) -> dict[str, list[SegmentedDocument]]:
    """Read the sources that are datasets of their own."""
    return {
        source: evenly_spaced(list(DATASETS[source].load(data)), _at_most(limit))
        for source in FLAT_SETS
    }


def _load_structured(data: Path, limit: int | None) -> dict[str, list[SegmentedDocument]]:
    """Read the documents that have paragraphs, by source."""
    sources: dict[str, list[SegmentedDocument]] = {}
    for document in DATASETS["structured"].load(data):
        sources.setdefault(document.name.partition("/")[0], []).append(document)
    limit = _at_most(limit)
    return {source: evenly_spaced(found, limit) for source, found in sources.items()}


def _at_most(limit: int | None) -> int:
    return MAX_DOCUMENTS if limit is None else min(limit, MAX_DOCUMENTS)


def _pairs(sources: dict[str, list[SegmentedDocument]]) -> list[tuple[str, SegmentedDocument]]:
    return [(source, document) for source, found in sources.items() for document in found]


def _documents(trials: Sequence[Trial]) -> dict[str, int]:
    return dict(Counter(trial.source for trial in trials))


def _map(
    request: Request, label: str, function: Callable[[Item], Result], items: Sequence[Item]
) -> list[Result]:
    with progress(request, f"carry-over: {label}", len(items)) as on_done:
        return map_in_order(function, items, jobs=request.jobs, on_done=on_done)
