"""Documents with their true segments, one sentence a line, from ``.ref`` files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from docbats.errors import ReadError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["SegmentedDocument", "read_segmented"]

_RULE = "=" * 10


@dataclass(frozen=True)
class SegmentedDocument:
    """The sentences of each true segment."""

    name: str
    segments: tuple[tuple[str, ...], ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """All sentences in order."""
        return tuple(sentence for segment in self.segments for sentence in segment)


def read_segmented(path: Path) -> SegmentedDocument:
    """Read one file: a sentence a line, lines of ten ``=`` between the segments."""
    segments: list[list[str]] = [[]]
    for line in path.read_text(encoding="utf-8").splitlines():
        if line == _RULE:
            segments.append([])
        elif line.strip():
            segments[-1].append(line)
    found = tuple(tuple(segment) for segment in segments if segment)
    if not found:
        msg = f"{path} holds no sentence: expected one a line, segments between lines of {_RULE}"
        raise ReadError(msg)
    return SegmentedDocument(path.stem, found)
