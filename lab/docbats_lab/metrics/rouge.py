"""ROUGE: how much a summary has in common with a reference.

C.-Y. Lin, "ROUGE: A Package for Automatic Evaluation of Summaries", 2004: F1 of the n-grams, or of
the longest common subsequence, of stems in English.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from docbats.text.words import stemming

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD = re.compile(r"\w+")


def rouge_n(summary: str, reference: str, n: int) -> float:
    """Return the F1 of the n-grams of a summary.

    >>> rouge_n("bats hunt moths", "moths hunt bats", 1)
    1.0
    """
    found, wanted = (_ngrams(_words(text), n) for text in (summary, reference))
    return _f1((found & wanted).total(), found.total(), wanted.total())


def rouge_l(summary: str, reference: str) -> float:
    """Return the F1 of the longest common subsequence of a summary and a reference."""
    found, wanted = _words(summary), _words(reference)
    before = [0] * (len(wanted) + 1)
    for word in found:
        row = [0]
        for i, other in enumerate(wanted):
            row.append(before[i] + 1 if word == other else max(before[i + 1], row[-1]))
        before = row
    return _f1(before[-1], len(found), len(wanted))


def _words(text: str) -> list[str]:
    words = _WORD.findall(text.lower())
    return list(stemming("english")(words)) if words else []


def _ngrams(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def _f1(common: int, found: int, wanted: int) -> float:
    return 2 * common / (found + wanted) if found + wanted else 0.0
