"""The contract of a format, and the names of its files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from docbats.corpus.output.document_rows import RowSummary

__all__ = ["Format", "part_name", "part_numbers"]

_PART_PREFIX, _PART_DIGITS = "part-", 6


class Format(Protocol):
    """Rows into files, part by part. It can be pickled."""

    @property
    def name(self) -> str:
        """Its name among the options."""

    def check(self) -> None:
        """Raise MissingExtraError where something is not installed that it needs."""

    def encode(self, row: dict[str, Any]) -> bytes:
        """Turn a row into what `write` takes; done where the analysis is done."""

    def write(self, folder: Path, part: int, rows: Sequence[bytes]) -> None:
        """Write a part, which appears whole or not at all."""

    def file_names(self, part: int) -> tuple[str, ...]:
        """Return the names of the files of a part, from the folder on."""

    def finished(self, folder: Path) -> set[int]:
        """Return the numbers of the parts that are there."""

    def read(self, folder: Path, part: int) -> list[RowSummary]:
        """Read a part back, in the order of the input; ValueError or OSError if it is damaged."""


def part_name(part: int, suffix: str) -> str:
    """Return the name of the file of a part.

    >>> part_name(7, "jsonl")
    'part-000007.jsonl'
    """
    return f"{_PART_PREFIX}{part:0{_PART_DIGITS}}.{suffix}"


def part_numbers(folder: Path, suffix: str) -> set[int]:
    """Return the numbers of the parts whose files are there."""
    numbers = set()
    for path in folder.glob(f"{_PART_PREFIX}*.{suffix}"):
        number = path.name.removeprefix(_PART_PREFIX).removesuffix(f".{suffix}")
        if number.isascii() and number.isdecimal():
            numbers.add(int(number))
    return numbers
