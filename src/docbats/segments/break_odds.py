"""How likely a segment begins at each break between blocks, by what stands around it.

The weights were fitted by ``docbats lab run structure`` to documents of eleven sources whose
sections are known; docs/lab/structure.md has how well they carry over to sources that they were not
fitted to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.segments.breaks import Breaks
    from docbats.segments.evidence import Evidence

    Floats = NDArray[np.float64]

__all__ = ["BREAK_FEATURES", "break_features"]

_SHORT_BLOCK = 12  # words; as few as a heading, a list item or a caption has
_RECENT_BLOCKS = 5  # before a block, whose words are not new in it
_COLONS = ":："
_QUESTIONS = "?？؟"
_ENDS = ".!?…。！？।؟"
_CLOSERS = "\"'”’»)]}*_」』）"

BREAK_FEATURES = {
    "after a colon": -0.81,
    "after a question": -1.23,
    "after a short block": -0.58,
    "before a short block": -0.97,
    "before a block without an end mark": -0.79,
    "before a small letter": -1.09,
    "before a digit": -1.54,
    "before a word that goes on": -0.6,
    "share of new words": 2.23,
}
"""The features of a break, and what each adds to the log odds."""


def break_features(document: Document, evidence: Evidence, breaks: Breaks) -> Floats:
    """Return the features of the break before each sentence; zeros where no block begins."""
    text = document.text if document.prose is None else document.prose
    first = np.flatnonzero(breaks.opens_block)
    features = np.zeros((len(breaks), len(BREAK_FEATURES)))
    begin = document.spans[first, 0].tolist()
    end = document.spans[np.append(first[1:], len(breaks)) - 1, 1].tolist()
    words = np.add.reduceat(evidence.sizes, first)
    is_short = words < _SHORT_BLOCK
    last = [
        text[max(a, b - 10) : b].rstrip().rstrip(_CLOSERS)[-1:]
        for a, b in zip(begin, end, strict=True)
    ]
    opening = [text[a : a + 20].lstrip()[:1] for a in begin]
    before = {
        "after a colon": _is_in(last, _COLONS),
        "after a question": _is_in(last, _QUESTIONS),
        "after a short block": is_short,
    }
    here = {
        "before a short block": is_short,
        "before a block without an end mark": ~_is_in(last, _ENDS + _COLONS),
        "before a small letter": np.array([letter.islower() for letter in opening]),
        "before a digit": np.array([letter.isdigit() for letter in opening]),
        "before a word that goes on": evidence.continues[first],
        "share of new words": _new_share(evidence, breaks),
    }
    columns = [*(np.append(0, values[:-1]) for values in before.values()), *here.values()]
    features[first] = np.column_stack(columns)
    features[0] = 0
    return features


def _is_in(letters: list[str], wanted: str) -> NDArray[np.bool_]:
    return np.array([bool(letter) and letter in wanted for letter in letters], np.bool_)


def _new_share(evidence: Evidence, breaks: Breaks) -> Floats:
    """Return for each block the share of its words that the blocks before it do not have."""
    n_blocks = int(breaks.block[-1]) + 1
    block = breaks.block[evidence.sentence]
    same_root = np.diff(evidence.root, prepend=-1) == 0
    gap = np.where(same_root, np.diff(block, prepend=0), _RECENT_BLOCKS + 1)
    # A word that a block uses again is as new as where the block uses it first.
    again = same_root & (gap == 0)
    is_new = gap > _RECENT_BLOCKS
    run = np.cumsum(~again) - 1
    is_new = is_new[~again][run] if len(run) else is_new
    new = np.bincount(block[is_new], evidence.count[is_new], n_blocks)
    total = np.bincount(block, evidence.count, n_blocks)
    return np.where(total > 0, new / np.maximum(total, 1), 1.0)
