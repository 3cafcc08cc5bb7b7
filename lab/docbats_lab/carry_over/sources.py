"""Where documents come from: by this they are left out together."""

from __future__ import annotations

MAX_DOCUMENTS = 200
"""Of a source, evenly spaced; more take longer and change little."""

SEVEN = ("textbook", "lectures", "wiki", "avlectures", "icsi", "openstax", "wikitext")
"""The sets whose means are judged."""

_STRUCTURED_ONLY = (
    "aosa", "legalize-es", "mdn-translated", "peps", "pro-git", "rust-book", "standard-ebooks",
    "turing-way",
)  # fmt: skip

NATURAL = (*SEVEN, "handbook-fr", *_STRUCTURED_ONLY)
"""Sources of documents that somebody wrote, or said, as one."""

ARTIFICIAL = ("choi", "introductions", "news")
"""Sources of texts on subjects of their own, put one after the other."""

FLAT_SETS = (*SEVEN, "handbook-fr", *ARTIFICIAL)
"""The sources that are datasets of their own."""

OPENING_SOURCES = (*NATURAL, "choi", "introductions")
"""The sources that sentences which open a segment are learned from."""

_FAMILIES = {"wikitext": "wiki"}  # both are articles of Wikipedia


def family_of(source: str) -> str:
    """Return the sources, by the name of one of them, that are left out together."""
    return _FAMILIES.get(source, source)
