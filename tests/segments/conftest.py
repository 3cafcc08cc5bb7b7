"""Documents made of numbers alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from docbats.segments.evidence import Evidence

MakeEvidence = Callable[..., Evidence]


@pytest.fixture(scope="session")
def make_evidence() -> MakeEvidence:
    """Return a function that draws a document from several sources of words."""
    return _make


def _make(
    m: int, *, sources: int = 4, words: int = 4, vocabulary: int = 60, own: float = 0.5, seed: int
) -> Evidence:
    """Draw words by Zipf's law; those of a source of its own are other words than elsewhere."""
    rng = np.random.default_rng(seed)
    ranks = 1 / np.arange(1, vocabulary + 1)
    sentence = np.repeat(np.arange(m), rng.poisson(words, m))
    root = rng.choice(vocabulary, len(sentence), p=ranks / ranks.sum())
    source = np.sort(rng.integers(0, sources, m))
    shift = rng.integers(0, vocabulary, sources)[source][sentence]
    root = np.where(rng.random(len(root)) < own, (root + shift) % vocabulary, root)
    cell, count = np.unique(root * m + sentence, return_counts=True)
    root, sentence = np.divmod(cell, m)
    kept = np.bincount(root, minlength=vocabulary) > 1
    used = kept[root]
    return Evidence(
        root=(np.cumsum(kept) - 1)[root[used]],
        sentence=sentence[used],
        count=count[used],
        weight=rng.uniform(0.3, 1.5, int(kept.sum())),
        sizes=rng.integers(1, 30, m),
        continues=rng.random(m) < 0.2,
        is_heading=rng.random(m) < 0.2,
    )
