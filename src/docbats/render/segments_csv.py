"""Segments as rows of a CSV file."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from docbats.result import Result

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
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\0")


def to_csv(results: Iterable[tuple[str, Result]]) -> str:
    """Return a row for each segment of each named result; offsets count from 0, ends excluded.

    The topic columns name the segment's strongest topic. A string that a spreadsheet would take for
    a formula, since it begins with ``=``, ``+``, ``-``, ``@`` or a control character, has an
    apostrophe before it.
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
                    _shown(source),
                    number,
                    segment.start,
                    segment.end,
                    *segment.sentences,
                    _shown(segment.title),
                    _shown(" > ".join(segment.heading_path)),
                    _shown(", ".join(segment.speakers)),
                    "" if topic is None else topic,
                    "" if topic is None else _shown(result.topics[topic].label),
                    _shown(segment.text),
                ]
            )
    return buffer.getvalue()


def _shown(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text
