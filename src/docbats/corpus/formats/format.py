"""What a format has to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from docbats.corpus.rows import Brief

__all__ = ["Format", "part_name", "part_numbers"]

_PART, _DIGITS = "part-", 6


class Format(Protocol):
    """Rows into files, part by part. It can be pickled."""

    @property
    def name(self) -> str:
        """What users call it."""

    def check(self) -> None:
        """Raise MissingExtraError where something is not installed that it needs."""

    def encode(self, row: dict[str, Any]) -> bytes:
        """Turn a row into what `write` takes; done where the analysis is done."""

    def write(self, folder: Path, part: int, rows: Sequence[bytes]) -> None:
        """Write a part, which appears whole or not at all."""

    def finished(self, folder: Path) -> set[int]:
        """Give the numbers of the parts that are there."""

    def read(self, folder: Path, part: int) -> list[Brief]:
        """Read a part back, in the order of the input; ValueError or OSError if it is damaged."""


def part_name(part: int, suffix: str) -> str:
    """Name the file of a part.

    >>> part_name(7, "jsonl")
    'part-000007.jsonl'
    """
    return f"{_PART}{part:0{_DIGITS}}.{suffix}"


def part_numbers(folder: Path, suffix: str) -> set[int]:
    """Give the numbers of the parts whose files are there."""
    numbers = set()
    for path in folder.glob(f"{_PART}*.{suffix}"):
        number = path.name.removeprefix(_PART).removesuffix(f".{suffix}")
        if number.isascii() and number.isdecimal():
            numbers.add(int(number))
    return numbers
