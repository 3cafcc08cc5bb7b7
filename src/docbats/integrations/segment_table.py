"""The rows of a table of segments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docbats.integrations.run_bats import make_bats, run_unless_blank
from docbats.integrations.text_table import TextTable
from docbats.topics.strongest_topics import strongest_topics

if TYPE_CHECKING:
    from docbats.document import Document
    from docbats.result import Result

__all__ = ["SEGMENT_COLUMNS", "segment_rows", "segment_table"]

SEGMENT_COLUMNS: dict[str, str] = {
    "segment": "int",
    "start": "int",
    "end": "int",
    "title": "str",
    "heading_path": "strs",
    "speakers": "strs",
    "first_page": "int?",
    "last_page": "int?",
    "begins": "float?",
    "ends": "float?",
    "topics": "strs",
    "strength": "float?",
    "text": "str",
}
"""The columns of a table of segments, as :class:`TextTable` has them."""


def segment_rows(result: Result) -> list[dict[str, Any]]:
    """Return a row for each segment, with a value for each of `SEGMENT_COLUMNS`."""
    rows = []
    for number, segment in enumerate(result.segments):
        pages = None if segment.place is None else segment.place.pages
        seconds = None if segment.place is None else segment.place.seconds
        first_page, last_page = pages or (None, None)
        begins, ends = seconds or (None, None)
        rows.append(
            {
                "segment": number,
                "start": segment.start,
                "end": segment.end,
                "title": segment.title,
                "heading_path": list(segment.heading_path),
                "speakers": list(segment.speakers),
                "first_page": first_page,
                "last_page": last_page,
                "begins": begins,
                "ends": ends,
                "topics": list(strongest_topics(result, segment)),
                "strength": segment.strength,
                "text": segment.text,
            }
        )
    return rows


def segment_table(preset: str, **settings: Any) -> TextTable:
    """Return what makes a table of segments, by settings of the analysis."""
    bats = make_bats(preset, **settings)

    def find(text: str | Document) -> list[dict[str, Any]]:
        result = run_unless_blank(bats, text)
        return [] if result is None else segment_rows(result)

    return TextTable(SEGMENT_COLUMNS, find)
