"""Segments as rows of a CSV file."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from docbats.result import Result

__all__ = ["to_csv"]

_COLUMNS = (
    "source",
    "segment",
    "start",
    "end",
    "first_sentence",
    "end_sentence",
    "title",
    "headings",
    "speakers",
    "topic",
    "topic_label",
    "text",
)


def to_csv(results: Iterable[tuple[str, Result]]) -> str:
    """Return a row for each segment of each named result; offsets count from 0, ends excluded.

    The topic columns name the segment's strongest topic.
    """
    buffer = io.StringIO()
    # All strings in quotes: Python 3.11 does not quote a lone \r, where readers would end the row.
    writer = csv.writer(buffer, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(_COLUMNS)
    for source, result in results:
        for number, segment in enumerate(result.segments):
            topic = segment.topic
            writer.writerow(
                [
                    source,
                    number,
                    segment.start,
                    segment.end,
                    *segment.sentences,
                    segment.title,
                    " > ".join(segment.heading_path),
                    ", ".join(segment.speakers),
                    "" if topic is None else topic,
                    "" if topic is None else result.topics[topic].label,
                    segment.text,
                ]
            )
    return buffer.getvalue()
