"""The parts of an outline, with the numbers by which an assistant asks for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from docbats.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.parts import Entry
    from docbats.result import Result

__all__ = ["NumberedPart", "find_part", "number_parts"]


@dataclass(frozen=True)
class NumberedPart:
    """A line of an outline and its number: ``2.1`` is the first part of part 2."""

    number: str
    entry: Entry


def number_parts(result: Result) -> list[NumberedPart]:
    """Return all parts of the outline, each before its own parts."""
    return [
        NumberedPart(".".join(map(str, numbers)), entry) for numbers, entry in result.outline.walk()
    ]


def find_part(parts: Sequence[NumberedPart], number: str) -> Entry:
    """Return the part of this number."""
    for part in parts:
        if part.number == number:
            return part.entry
    top = sum("." not in part.number for part in parts)
    msg = f"there is no part {number!r}: parts are numbered 1 to {top}, and 1.1 is part 1's first"
    raise InputError(msg)
