"""Where sentences begin and end."""

from __future__ import annotations

import re
from itertools import pairwise

__all__ = ["split_sentences"]

# nupunkt knows the full stops of English. These ends it does not look for: a blank line (so that a
# heading is no part of the sentence under it), a new page, a line that opens a list item or a
# heading, and the full stops of other scripts, with the marks that close after them.
_OTHER_ENDS = re.compile(
    r"""
      \n[^\S\n]*\n\s*+
    | \f
    | \n(?=[^\S\n]*(?:[-*•]|\#{1,6})[ ])
    | [。！？｡।॥؟۔]++[”’」』）》]*+\s*+
    """,
    re.VERBOSE,
)

# nupunkt takes quadratic time over a run of its full stops without white space, as in minified or
# binary rubbish, and finds nothing there: such marks are hidden from it.
_LONG_RUN = re.compile(r"(?<!\S)\S{1000,}(?=\S)")
_ENGLISH_END = re.compile(r"[.?!]")


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Find the half-open spans of the sentences of `text`, without the white space around them."""
    from nupunkt import sent_spans

    starts = {0, *(start for start, _ in sent_spans(_LONG_RUN.sub(_without_ends, text)))}
    starts.update(match.end() for match in _OTHER_ENDS.finditer(text))
    edges = [*sorted(starts), len(text)]
    spans = (_trim(text, start, end) for start, end in pairwise(edges))
    return [(start, end) for start, end in spans if start < end]


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Narrow a span until it neither begins nor ends with white space."""
    piece = text[start:end].rstrip()
    return start + len(piece) - len(piece.lstrip()), start + len(piece)


def _without_ends(run: re.Match[str]) -> str:
    return _ENGLISH_END.sub("x", run[0])
