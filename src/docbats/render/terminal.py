"""The segments, the topics and the outline in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from docbats.render.one_line import (
    after_title,
    counted,
    remarks,
    sentence_range,
    sparkline,
    visible,
)
from docbats.text.languages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.console import RenderableType

    from docbats.parts import Entry
    from docbats.result import Result

# Sixteen that differ on light and dark backgrounds; further topics repeat them, underlined.
_COLOURS = (
    "cyan", "magenta", "yellow", "green", "blue", "red", "color(208)", "color(141)", "color(37)",
    "color(168)", "color(107)", "color(67)", "color(173)", "color(99)", "color(136)", "color(244)",
)  # fmt: skip
_BAR_WIDTH = 12  # characters


def to_rich(
    result: Result,
    title: str = "",
    top_words: int = 10,
    *,
    outline: bool | None = None,
    depth: int | None = None,
    summaries: bool = False,
) -> RenderableType:
    """Return the segments and the topics of a document for Rich, and its outline if there is one.

    `outline` and `depth` are as in :meth:`Result.shown_outline`. With `summaries`, each segment is
    followed by the sentence that sums it up.
    """
    counts = ", ".join(
        [
            counted(len(result.document), "sentence"),
            counted(len(result.segments), "segment"),
            counted(len(result.topics), "topic"),
            *([] if result.language in {"en", None} else [LANGUAGES[result.language]]),
        ]
    )
    parts: list[RenderableType] = [
        Text.assemble((visible(title), "bold"), ("  " if title else ""), (counts, "dim")),
        Text(),
    ]
    entries = result.shown_outline(outline=outline, depth=depth)
    if entries is not None:
        parts += [Text("Outline", "bold"), *_outline(entries, 1), Text()]
    parts += [Text("Segments", "bold"), _segments(result, summaries=summaries)]
    if result.topics:
        parts += [Text(), Text("Topics", "bold"), _topics(result, top_words)]
    parts += [Padding(Text(visible(note), "italic"), (1, 0, 0, 1)) for note in remarks(result)]
    return Group(*parts)


def _outline(entries: Iterable[Entry], indent: int) -> Iterator[Text]:
    for entry in entries:
        yield Text(" " * indent + visible(entry.title), overflow="ellipsis", no_wrap=True)
        yield from _outline(entry.children, indent + 3)


def _segments(result: Result, *, summaries: bool) -> Table:
    """Return the title, the strongest topic and the beginning of each segment."""
    table = _grid()
    table.add_column(justify="right", style="dim")
    table.add_column(ratio=1)
    table.add_column(no_wrap=True)
    for number, segment in enumerate(result.segments, start=1):
        topic = segment.topic
        badge = Text() if topic is None else Text(f"T{topic + 1}", _colour(topic))
        title = Text(visible(segment.title), "bold")
        if segment.subtitle:
            title.append(f"  about {visible(segment.subtitle)}", "not bold dim")
        table.add_row(str(number), title, badge)
        opening = f"{sentence_range(segment)}: {after_title(segment, 200)}"
        table.add_row("", Text(opening, "dim", overflow="ellipsis", no_wrap=True), "")
        if summaries and segment.summary:
            table.add_row("", Text(visible(segment.summary)), "")
    return table


def _topics(result: Result, top_words: int) -> Table:
    """Return each topic's share of the document, its shares of the segments, and its words."""
    heaviest = max(topic.weight for topic in result.topics)
    table = _grid()
    table.add_column(no_wrap=True)
    table.add_column(ratio=1)
    for i, (topic, weights) in enumerate(
        zip(result.topics, result.topic_segment_matrix.tolist(), strict=True)
    ):
        bar = "█" * max(1, round(_BAR_WIDTH * topic.weight / heaviest))
        measures = Text.assemble(
            (f"{bar:{_BAR_WIDTH}} ", _colour(i)),
            f"{topic.weight:4.0%}  ",
            (sparkline(weights), _colour(i)),
        )
        measures.append(f"  {visible(topic.label)}", "bold")
        table.add_row(Text(f"T{i + 1}", _colour(i)), measures)
        words = ", ".join(scored.word for scored in topic.words[:top_words])
        table.add_row("", Text(visible(words)))
    return table


def _grid() -> Table:
    return Table(box=None, show_header=False, expand=True, padding=(0, 1))


def _colour(number: int) -> str:
    beyond, place = divmod(number, len(_COLOURS))
    return f"underline {_COLOURS[place]}" if beyond % 2 else _COLOURS[place]
