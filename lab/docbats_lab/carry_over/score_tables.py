"""Scores of documents, by source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from docbats_lab.carry_over.weighed import FIVE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from docbats_lab.carry_over.judged import Judged
    from docbats_lab.carry_over.trials import Score, Trial
    from docbats_lab.carry_over.weighed import Weighed


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
    """Return the same for each share of the mean gain that was tried, where any was."""
    tried = [document for document in judged if document.by_share]
    sources = [document.source for document in tried]
    shares = sorted({share for document in tried for share in document.by_share})
    return {
        str(share): _by_source(sources, [document.by_share[share] for document in tried])
        for share in shares
    }


def plain_shares(judged: Sequence[Judged]) -> dict[str, float]:
    """Return of each source how many documents have plain breaks."""
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
