"""The weights of the ranker, and what a second phrase must be worth.

``docbats lab run titles`` fits them anew, on sections whose authors gave them headings; see
docs/lab/titles.md.
"""

from __future__ import annotations

__all__ = ["MAX_SECOND_LAG", "TITLE_WEIGHTS"]

TITLE_WEIGHTS = {
    "uses": 2.16,
    "rate": -1.89,
    "share": 3.9,
    "surprise": 0.1,
    "opening": 0.49,
    "spread": 2.24,
    "subject": 7.82,
    "once": -2.14,
    "one": -2.23,
    "capital": 1.84,
    "length": 4.96,
    "word_uses": 20.96,
    "word_delay": -1.94,
    "last_word_delay": -1.64,
}
"""What each feature of a phrase adds to its score; see docbats.titles.features."""

MAX_SECOND_LAG = 2.0
"""How far the score of a second phrase may lie below that of the first, to be added to a title. A
larger one makes more titles of the form "A and B"."""
