"""Rules fitted to some sources of documents and judged on others, and rules fitted to all."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.runtime import find_versions
from docbats_lab.carry_over.fits import (
    Boundaries,
    fit_openings_of_folds,
    fit_rules_of_folds,
    fit_strengths_of_folds,
    gain_facts,
    strength_facts,
)
from docbats_lab.carry_over.trials import (
    ARTIFICIAL,
    FIVE,
    FLAT_SETS,
    MAX_DOCUMENTS,
    NATURAL,
    NUMBERS,
    SEVEN,
    JudgeTask,
    family_of,
    judge,
    prepare_list,
    prepare_structured,
    weigh,
)
from docbats_lab.datasets import DATASETS
from docbats_lab.experiments.request import evenly_spaced, map_with_progress
from docbats_lab.report.tables import format_number, markdown_table, named_table
from docbats_lab.results import read_facts, write_facts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from docbats_lab.carry_over.fits import Folds
    from docbats_lab.carry_over.trials import Judged, Score, Trial, Weighed
    from docbats_lab.documents import SegmentedDocument
    from docbats_lab.experiments.request import Request

    Scores = Mapping[str, Mapping[str, float]]


_SHARES = (0.1, 0.12, 0.15)  # of the mean gain, that each plain break must gain
_LIBRARIES = ("docbats", "numpy", "scipy", "scikit-learn", "nupunkt", "PyStemmer")


def run(request: Request) -> None:
    """Fit the rules to all sources and to all but each, and cut the documents by both."""
    loaded = _load_structured(request.data, request.limit)
    found = map_with_progress(
        request, "carry-over: read paragraphs", prepare_structured, _pairs(loaded)
    )
    structured = [trial for trial in found if trial is not None]
    loaded |= _load_flat(request.data, request.limit)
    loaded = {source: loaded[source] for source in (*NATURAL, *ARTIFICIAL)}
    lists = map_with_progress(request, "carry-over: read", prepare_list, _pairs(loaded))
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
    write_facts(request.output / "carry-over", facts)


def _fit_and_judge(
    request: Request, lists: Sequence[Trial], structured: Sequence[Trial]
) -> dict[str, Any]:
    trials = [*lists, *structured]
    folds = fit_openings_of_folds(lists)
    tasks = [(trial, folds[family_of(trial.source)]) for trial in trials]
    weighed = map_with_progress(request, "carry-over: cut", weigh, tasks)
    n = len(lists)
    folds = fit_rules_of_folds(folds, weighed[:n], weighed[n:])
    judged = map_with_progress(
        request, "carry-over: judge", judge, [_judge_task(trial, folds) for trial in trials]
    )
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


def score_facts(
    trials: Sequence[Trial], weighed: Sequence[Weighed], judged: Sequence[Judged]
) -> dict[str, Any]:
    """Return the mean scores of each source, by each way of finding the number of segments."""
    sources = [trial.source for trial in trials]
    true = [w.scores[trial.k] for trial, w in zip(trials, weighed, strict=True)]
    ways: dict[str, list[Score]] = {
        "found, other sources": [j.found for j in judged],
        "found, all sources": [j.found_by_all for j in judged],
        "true k, other sources": true,
        "true k, all sources": [j.true_by_all for j in judged],
        "always five": [w.scores[FIVE] for w in weighed],
        "no boundary": [w.scores[1] for w in weighed],
    }
    return {way: _by_source(sources, scores) for way, scores in ways.items()}


def share_facts(judged: Sequence[Judged]) -> dict[str, Any]:
    """Return the mean scores of each source for each share of the mean gain that was tried."""
    tried = [document for document in judged if document.by_share]
    sources = [document.source for document in tried]
    shares = sorted({share for document in tried for share in document.by_share})
    return {
        str(share): _by_source(sources, [document.by_share[share] for document in tried])
        for share in shares
    }


def plain_shares(judged: Sequence[Judged]) -> dict[str, float]:
    """Return the share of documents with plain breaks in each source."""
    found: dict[str, list[bool]] = {}
    for document in judged:
        found.setdefault(document.source, []).append(document.has_plain_breaks)
    return {source: round(float(np.mean(flags)), 3) for source, flags in found.items()}


def _by_source(sources: Sequence[str], scores: Iterable[Score]) -> dict[str, dict[str, float]]:
    rows: dict[str, list[Score]] = {}
    for source, score in zip(sources, scores, strict=True):
        rows.setdefault(source, []).append(score)
    return {
        source: {
            name: round(float(np.mean(values)), 4)
            for name, values in zip(found[0]._fields, zip(*found, strict=True), strict=True)
        }
        for source, found in rows.items()
    }


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


_INTRODUCTION = """\
The cut and the choice of the number of segments use a handful of numbers that were fitted to
documents of many sources. Each was fitted once to all sources, which gives the numbers in docbats,
and once without each source; *other sources* below are scores of documents by rules that were
fitted without their source. Wiki and WikiText, both articles of Wikipedia, are left out together.
At most {most} documents of a source are used, evenly spaced. Every source counts the same, whatever
its size.

Documents are lists of sentences without headings; the true segments of a document of *structured*
are the sections between its top-level headings. Artificial documents (choi, introductions, news)
are *joined texts*: texts on different subjects, one after another. A cell has Pk and WD over words,
F1 of boundaries within two sentences, and the surplus of segments.

Some things are not quite left out: when the number of parts is fitted without a source, the cuts of
the other documents use openings that were fitted with it, five numbers in all. The fixed weights of
lengths, headings and concentrations were also chosen on these sources, and so was the ridge of the
rule for joined texts, with an eye to choi.
"""
_PARAGRAPHS = """
## With paragraphs

The documents of *structured* with their paragraphs, without headings; F1 counts boundaries at
exactly the right place. The weights of the signs of a break are those of all sources (the page on
headings and paragraphs shows how they do on others). Only the weight of gains is fitted to these
documents: in steps of ten, the one with the least loss at the numbers of segments that it chooses.
The rest of the rule comes from lists.
"""
_GAIN = """
The loss of each weight of gains (three parts of the mean of Pk and WD, one part of 1 - F1), with
the rest of the rule from all sources. If k were drawn by its odds, as the rule of lists is fitted,
the weight would be {odds:g}: the rest of the rule, fitted to lists, then says how sure it is.
"""
_RULES = """
## The rules

Fitted to all sources, with the least and the largest number when one source is left out. Openings:
the log odds that a segment begins with a sentence, by logistic regression over the natural sources,
choi and introductions. Plain: the log odds that a document is joined texts, in the same way, with a
ridge (C = 0.1, features of unit deviation), since three artificial sources are few. Parts: the
weights of the gain of k segments, of k - 1 and of the squared logarithm of k / 5 that have the
least expected loss if k is drawn by its odds: three parts of the mean of Pk and WD, one part of
1 - F1. Strength: the log odds that a person has a boundary within two sentences.
"""
_PLAIN = """
## Joined texts

In documents that are treated as joined texts, a boundary is kept if it gains a share of the mean
gain. The share of documents of each source that are treated as joined texts, by the rules of other
sources:
"""
_SHARES_NOTE = """
The penalty and the share were set by hand. Pk / WD by the share, at the number of segments found,
by the rules of other sources:
"""
_STRENGTHS = """
## Strengths

How likely a person is to have a boundary within two sentences of one that was found, by the rule of
other sources, over lists and documents with paragraphs, except where headings decide: {boundaries}
boundaries, of which {right} are right if every source counts the same. The area under the curve is
{auc}, the Brier score {brier}. Each row has a tenth of the boundaries, by weight:
"""
_LEFT_OUT = """
## Tried and left out

These figures come from scripts that were not kept, on the same sources and with about this state of
the code: Pk / WD / F1, or Pk alone, as means over the seven datasets of the first row above. At the
true number of segments the cut then had .312 / .329 / .386.
"""
_TRIED = (
    (
        "the cut of the least expected Pk, under posteriors by forward-backward",
        ".309 / .332 / .383; Choi's Pk .077",
    ),
    ("a mixture of cuts under several concentrations and word forms", ".312 to .313"),
    ("words of spectral vectors at the scale of the document, as a similarity", ".311 to .312"),
    (
        'twenty features of cue words (pronouns, connectives, "let", "now", questions)',
        ".310 to .314; Choi's Pk .080",
    ),
    (
        "expectations of lengths at weights of .15 to .6; not learned from the document itself",
        ".311 to .313",
    ),
    (
        "joined texts recognized with next to no ridge (C = 100)",
        "Choi, left out, at the number found .095 / .102 / .885",
    ),
    (
        "strengths by boundary marginals, by forward-backward",
        "area under the curve, lists alone, .735; by the place between neighbors alone .730",
    ),
    ("the number of segments by energies with expectations", ".333 / .346 at the number found"),
    (
        "the number of segments by words per sentence, vocabulary, the share of the smallest gain",
        "no better than by three numbers: .334 / .347 / .329 at the number found, other sources",
    ),
)
_WAYS = {
    "found, other sources": "found k, other sources",
    "found, all sources": "found k, all sources",
    "true k, other sources": "true k, other sources",
    "true k, all sources": "true k, all sources",
    "always five": "always five",
    "no boundary": "no boundary",
}


def page(folder: Path, _: Path) -> Iterator[str]:
    """Show scores by source, the rules, joined texts, and the reliability of strengths."""
    facts = read_facts(folder)
    yield _INTRODUCTION.format(most=facts["most documents of a source"])
    yield "\n## Lists of sentences\n"
    groups = {
        f"mean of {_and(SEVEN)}": SEVEN,
        "mean of all natural sources": NATURAL,
        "mean of the artificial sources": ARTIFICIAL,
    }
    yield _score_table(facts["lists"], facts["documents"], groups)
    yield _PARAGRAPHS
    sources = tuple(facts["documents with paragraphs"])
    counts = facts["documents with paragraphs"]
    yield _score_table(facts["paragraphs"], counts, {"mean": sources})
    gains = facts["structured gain"]
    yield _GAIN.format(odds=gains["by odds"])
    yield markdown_table(
        ("weight of gains", *(f"{float(gain):g}" for gain in gains["losses"])),
        [["loss", *(format_number(loss, 4) for loss in gains["losses"].values())]],
    )
    yield _RULES
    yield _rule_table(facts)
    yield _PLAIN
    yield markdown_table(
        ("source", "joined texts"),
        [[name, f"{share:.0%}"] for name, share in facts["plain breaks"].items() if share],
    )
    yield _SHARES_NOTE
    yield named_table(
        ("share", *ARTIFICIAL),
        facts["shares"],
        lambda found: [_cell(found[source], ("pk", "wd")) for source in ARTIFICIAL],
    )
    yield from _strengths(facts["strengths"])
    yield _LEFT_OUT
    yield markdown_table(("what was tried", "what it gave"), _TRIED, numbers=False)


def _score_table(
    ways: Mapping[str, Scores], counts: Mapping[str, int], groups: Mapping[str, Sequence[str]]
) -> str:
    rows = []
    for label, sources in groups.items():
        total = sum(counts[source] for source in sources)
        means = (_mean([ways[way][source] for source in sources]) for way in _WAYS)
        rows.append([label, str(total), *map(_cell, means)])
    for source, count in counts.items():
        rows.append([source, str(count), *(_cell(ways[way][source]) for way in _WAYS)])
    return markdown_table(("source", "documents", *_WAYS.values()), rows)


def _mean(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}


def _cell(row: Mapping[str, float], names: Sequence[str] = ("pk", "wd", "f1")) -> str:
    scores = " / ".join(format_number(row[name], 3) for name in names)
    return f"{scores} / {row['k_error']:+.1f}" if "f1" in names else scores


def _rule_table(facts: Mapping[str, Any]) -> str:
    without = [_flat(rules) for rules in facts["rules without"].values()]
    rows = []
    for name, value in _flat(facts["rules"]).items():
        others = [rules[name] for rules in without]
        rows.append([name, f"{value:g}", f"{min(others):g}", f"{max(others):g}"])
    return markdown_table(("number", "all sources", "least", "largest"), rows)


def _flat(rules: Mapping[str, Any]) -> dict[str, float]:
    """Return each number by the names of its rule and its own."""
    found: dict[str, float] = {}
    for rule, value in rules.items():
        if isinstance(value, dict):
            found |= {f"{rule}: {name}": number for name, number in value.items()}
        else:
            found[rule] = value
    return found


def _strengths(facts: Mapping[str, Any]) -> Iterator[str]:
    yield _STRENGTHS.format(
        boundaries=facts["boundaries"],
        right=f"{facts['right']:.0%}",
        auc=format_number(facts["auc"]),
        brier=format_number(facts["brier"]),
    )
    yield markdown_table(
        ("mean strength", "right", "boundaries"),
        [
            [format_number(row["predicted"]), format_number(row["right"]), str(row["boundaries"])]
            for row in facts["tenths"]
        ],
    )


def _and(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
