"""Which heading of a text stands under which."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["HeadingTree"]


class HeadingTree:
    """The headings of a text, each under the last one before it that has a higher level.

    Attributes
    ----------
    parents
        The index of the heading that each stands under; None where it stands under none.

    Examples
    --------
    >>> tree = HeadingTree([(1, "Bats"), (2, "Wings"), (3, "Bones"), (2, "Ears")])
    >>> tree.parents
    [None, 0, 1, 0]
    >>> tree.path(3)
    ('Bats', 'Ears')
    """

    def __init__(self, headings: Iterable[tuple[int, str]]) -> None:
        self.parents: list[int | None] = []
        self._titles: list[str] = []
        open_: list[tuple[int, int]] = []  # levels and indices of the headings over a place
        for i, (level, title) in enumerate(headings):
            while open_ and open_[-1][0] >= level:
                open_.pop()
            self.parents.append(open_[-1][1] if open_ else None)
            self._titles.append(title)
            open_.append((level, i))

    def path(self, at: int | None) -> tuple[str, ...]:
        """Return a heading and those that it stands under, highest first; none of no heading."""
        path: list[str] = []
        while at is not None:
            path.append(self._titles[at])
            at = self.parents[at]
        return tuple(reversed(path))
