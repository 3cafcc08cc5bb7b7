"""Answers as compact JSON of a limited length."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from docbats.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from docbats.mcp.answers import Answer

__all__ = ["AnswerLimit", "to_json", "to_values"]

AnyAnswer = TypeVar("AnyAnswer", bound="Answer")


def to_values(answer: Answer) -> dict[str, Any]:
    """Return an answer as JSON-ready values, without what is not known."""
    values: dict[str, Any] = answer.model_dump(mode="json", exclude_none=True)
    return values


def to_json(answer: Answer) -> str:
    """Return an answer as JSON without blanks."""
    return json.dumps(to_values(answer), ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True)
class AnswerLimit:
    """The largest number of characters of an answer."""

    characters: int

    def fit(
        self, make: Callable[[int], AnyAnswer], most: int, least: int = 1, *, part: float = 1.0
    ) -> AnyAnswer:
        """Return the answer with as many things as there is room for, `most` at most.

        `make` returns the answer with a number of them; `part` is the share of the room that they
        may take.
        """
        room = self.characters * part
        low, high = min(least, most), most
        if len(to_json(make(low))) > room:
            msg = (
                f"the answer does not fit in {self.characters:,} characters: start docbats mcp "
                "with a larger --max-answer"
            )
            raise InputError(msg)
        while low < high:
            middle = (low + high + 1) // 2
            if len(to_json(make(middle))) > room:
                high = middle - 1
            else:
                low = middle
        return make(low)
