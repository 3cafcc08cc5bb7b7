"""The page on rules that were fitted to some sources and judged on others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from docbats_lab.carry_over.sources import ARTIFICIAL, NATURAL, SEVEN
from docbats_lab.report.markdown_tables import format_number, markdown_table
from docbats_lab.report.stored_results import read_facts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    Scores = Mapping[str, Mapping[str, float]]

_INTRODUCTION = """\
The cut and the choice of the number of segments have learned a handful of numbers from documents
of many sources. Each was fitted once to all sources, which is what docbats has, and once without
each source; *other sources* below are scores of documents by rules that were fitted without their
source. Wiki and WikiText, both articles of Wikipedia, are left out together. Of a source at most
{most} documents are taken, evenly spaced. Every source counts the same, whatever its size.

Documents are lists of sentences without headings; the true segments of a document of *structured*
are the sections between its top-level headings. Artificial documents (choi, introductions, news)
are *joined texts*: texts on subjects of their own, one after the other. A cell has Pk and WD over
words, F1 of boundaries within two sentences, and how many segments there are too many.

What is not quite left out: when the number of parts is fitted without a source, the cuts of the
other documents have openings that were fitted with it, five numbers in all. The weights that stay
as they are, of lengths, headings and concentrations, were chosen on these sources, too, and so was
the ridge of the rule for joined texts, with an eye to choi.
"""
_PARAGRAPHS = """
## With paragraphs

The documents of *structured* with their paragraphs, without headings; F1 is that of boundaries at
exactly the right place. The weights of what stands at a break are those of all sources (the page
on headings and paragraphs shows what they do on others). Only the weight of gains is fitted to
these documents, the rest of the rule is that of lists: in steps of ten, the one that loses least at
the numbers of segments that it chooses.
"""
_GAIN = """
What each weight of gains loses (three parts of the mean of Pk and WD, one of what F1 lacks) by the
rest of the rule of all sources. If k were drawn by its odds, as the rule of lists is fitted, the
weight would be {odds:g}: the rest of the rule, fitted to lists, then says how sure it is.
"""
_RULES = """
## The rules

By all sources, and the least and the largest number where one source is left out. Openings: the
log odds that a segment begins with a sentence, by logistic regression over the natural sources,
choi and introductions. Plain: the log odds that a document is joined texts, likewise, with a ridge
(C = 0.1, features of unit deviation), since three artificial sources are few. Parts: the weights of
what k segments gain, of k - 1 and of the squared logarithm of k / 5, by which the number of
segments, if drawn by its odds, loses least: three parts of the mean of Pk and WD, one of what F1
lacks. Strength: the log odds that a person has a boundary within two sentences.
"""
_PLAIN = """
## Joined texts

In what is taken for joined texts, each boundary is kept that gains a share of what they gain on
average. How many documents of each source are taken for joined texts, by the rules of other
sources:
"""
_SHARES = """
The penalty and the share were set by hand. Pk / WD by the share, at the number of segments found,
by the rules of other sources:
"""
_STRENGTHS = """
## Strengths

How likely a person has a boundary within two sentences of one that was found, by the rule of other
sources, over lists and documents with paragraphs but for those whose headings decide: {boundaries}
boundaries, of which {right} are right if every source counts the same. The area under the curve is
{auc}, the Brier score {brier}. Each row has a tenth of the boundaries, by their weight:
"""
_LEFT_OUT = """
## Tried and left out

These figures are from scripts that were not kept, on the same sources at about this state of the
code: Pk / WD / F1, or Pk alone, as means over the seven sets of the first row above. At the true
number of segments the cut then had .312 / .329 / .386.
"""
_TRIED = (
    (
        "the cut of the least expected Pk, under posteriors by forward-backward",
        ".309 / .332 / .383; Choi's Pk .077",
    ),
    ("a mixture of cuts under several concentrations and word forms", ".312 to .313"),
    ("words of spectral vectors at the scale of the document, as a likeness", ".311 to .312"),
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
        "area under the curve, lists alone, .735; by the place between neighbours alone .730",
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
    yield _SHARES
    yield markdown_table(
        ("share", *ARTIFICIAL),
        [
            [share, *(_cell(found[source], ("pk", "wd")) for source in ARTIFICIAL)]
            for share, found in facts["shares"].items()
        ],
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
    """Name each number by its rule and by its own name."""
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
