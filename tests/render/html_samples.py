"""Texts for the report."""

from __future__ import annotations

import random
from pathlib import Path

import docbats

__all__ = ["EXAMPLES", "TEXT", "long_text"]

EXAMPLES = Path(__file__).parents[2] / "examples"
TEXT = (
    "Bats hunt moths by night. Moths hear the bats and dive. Bats follow the moths. "
    "Tea needs hot water. Hot tea cools in the cup. A cup of tea wants water. "
)


def long_text(sentences: int) -> list[str]:
    """Shuffle the sentences of our examples, part by part."""
    rng = random.Random(1)
    parts = []
    for path in sorted(EXAMPLES.glob("*.txt")):
        result = docbats.analyze(path.read_text(), k=6)
        parts += [
            [result.document.sentences[i] for i in range(*s.sentences)] for s in result.segments
        ]
    found: list[str] = []
    while len(found) < sentences:
        part = rng.choice(parts)
        found += [" ".join(rng.sample(s.split(), len(s.split()))) for s in part * 4]
    return found[:sentences]
