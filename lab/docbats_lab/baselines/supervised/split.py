"""Which Wiki documents SupervisedSeg learns from, and which are left to score methods on."""

from __future__ import annotations

from hashlib import sha256
from typing import Literal

Part = Literal["train", "dev", "scored"]


def part_of(name: str) -> Part:
    """Return the part of a Wiki document by a hash of its name: 60 % train, 10 % dev, 30 % scored.

    `name` is the file's name without ``.ref``, which is `SegmentedDocument.name`. Tables that
    include SupervisedSeg score every method on the part "scored" of Wiki.
    """
    hundredth = int.from_bytes(sha256(name.encode()).digest()[:8], "big") % 100
    if hundredth < 60:
        return "train"
    return "dev" if hundredth < 70 else "scored"
