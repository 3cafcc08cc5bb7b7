"""The weights of the ranker, and what a second phrase must be worth.

``docbats lab run titles`` fits them anew, on sections whose authors gave them headings; see
docs/lab/titles.md.
"""

from __future__ import annotations

__all__ = ["MAX_SECOND_LAG", "TITLE_WEIGHTS"]

TITLE_WEIGHTS = {
    "uses": 1.94,
    "rate": -1.24,
    "share": 3.43,
    "surprise": 0.11,
    "opening": 0.62,
    "spread": 2.49,
    "subject": 8.23,
    "once": -2.04,
    "one": -2.5,
    "capital": 1.81,
    "length": 5.19,
    "word_uses": 20.92,
    "word_delay": -1.87,
    "last_word_delay": -1.64,
}
"""What each feature of a phrase adds to its score; see docbats.titles.features."""

MAX_SECOND_LAG = 2.0
"""How far the score of a second phrase may lie below that of the first, to be added to a title. A
larger one makes more titles of the form "A and B"."""
