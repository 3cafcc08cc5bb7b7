"""Documents with their true segments, and their ``.ref`` files: one sentence per line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from docbats.errors import ReadError

if TYPE_CHECKING:
    from pathlib import Path

_RULE = "=" * 10


@dataclass(frozen=True)
class SegmentedDocument:
    """A document as the sentences of each true segment.

    Attributes
    ----------
    name
        Its own among those of its dataset.
    segments
        The sentences of each segment.
    language
        The code of its language; ``"auto"`` if it is to be detected.
    text
        The whole text with its paragraphs, whose sentences are those of the segments; None where
        only the sentences are known.
    """

    name: str
    segments: tuple[tuple[str, ...], ...]
    language: str = "en"
    text: str | None = None

    @property
    def sentences(self) -> tuple[str, ...]:
        """All sentences in order."""
        return tuple(sentence for segment in self.segments for sentence in segment)


def read_segmented(path: Path) -> SegmentedDocument:
    """Read one file: a sentence per line, lines of ten ``=`` between the segments."""
    segments: list[list[str]] = [[]]
    for line in path.read_text(encoding="utf-8").splitlines():
        if line == _RULE:
            segments.append([])
        elif line.strip():
            segments[-1].append(line)
    found = tuple(tuple(segment) for segment in segments if segment)
    if not found:
        msg = f"{path} has no sentences: expected one per line, and {_RULE} between segments"
        raise ReadError(msg)
    return SegmentedDocument(path.stem, found)
