"""A stand-in for an embedding model, to run the examples offline: put your own in its place."""

from __future__ import annotations

import re
from hashlib import sha256
from math import sqrt

SIZE = 512


def vector(text: str) -> list[float]:
    """Return a unit vector that counts the words of a text."""
    counts = [0.0] * SIZE
    for word in re.findall(r"[a-z]{3,}", text.lower()):
        counts[int.from_bytes(sha256(word.encode()).digest()[:4], "big") % SIZE] += 1
    length = sqrt(sum(count * count for count in counts)) or 1.0
    return [count / length for count in counts]
