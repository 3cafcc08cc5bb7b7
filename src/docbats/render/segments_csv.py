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

    The topic columns name the segment's strongest topic. Text that a spreadsheet would treat as a
    formula, because it begins with ``=``, ``+``, ``-``, ``@`` or a control character, is preceded
    by an apostrophe.
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
                    _not_a_formula(source),
                    number,
                    segment.start,
                    segment.end,
                    *segment.sentences,
                    _not_a_formula(segment.title),
                    _not_a_formula(" > ".join(segment.heading_path)),
                    _not_a_formula(", ".join(segment.speakers)),
                    "" if topic is None else topic,
                    "" if topic is None else _not_a_formula(result.topics[topic].label),
                    _not_a_formula(segment.text),
                ]
            )
    return buffer.getvalue()


def _not_a_formula(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text
