"""What the texts of titles and labels have in common."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["MAX_TITLE_LENGTH", "SCORE_DECIMALS", "capitalize", "make_distinct"]

MAX_TITLE_LENGTH = 50
"""The most characters of a title or label, but for the number that tells it from an equal one."""

SCORE_DECIMALS = 9
"""To which scores must differ for one to rank above the other, whatever the machine rounds."""


def capitalize(title: str) -> str:
    """Write the first letter of a title large.

    >>> capitalize("cold water and DNA")
    'Cold water and DNA'
    """
    return title[:1].upper() + title[1:]


def make_distinct(titles: Iterable[str]) -> tuple[str, ...]:
    """Add a number to each title that came before.

    >>> make_distinct(["Tea", "Bats", "tea"])
    ('Tea', 'Bats', 'tea (2)')
    """
    seen: dict[str, str] = {}
    times: Counter[str] = Counter()
    for title in titles:
        numbered = title
        while numbered.casefold() in seen:
            times[title] += 1
            numbered = f"{title} ({times[title] + 1})"
        seen[numbered.casefold()] = numbered
    return tuple(seen.values())
