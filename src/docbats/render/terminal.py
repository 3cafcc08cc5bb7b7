"""The segments, the topics and the outline in a terminal."""

from __future__ import annotations

from dataclasses import dataclass
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
from docbats.render.speakers import Talk
from docbats.text.languages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

    from docbats.parts import Entry, Segment
    from docbats.result import Result

# Sixteen that differ on light and dark backgrounds; further topics repeat them, underlined.
_COLOURS = (
    "cyan", "magenta", "yellow", "green", "blue", "red", "color(208)", "color(141)", "color(37)",
    "color(168)", "color(107)", "color(67)", "color(173)", "color(99)", "color(136)", "color(244)",
)  # fmt: skip
_BAR_WIDTH = 12  # characters
_MIN_WIDTH_WITH_TURNS = 64  # characters; in a narrower terminal titles would be broken
_TURNS_WIDTH = 20  # characters
_MAX_SPEAKERS = 8  # in the list of all


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
    talk = Talk.of(result)
    parts.append(Text("Segments", "bold"))
    if talk is None:
        parts.append(_segments(result, summaries=summaries))
    else:
        parts.append(_Turns(result, talk, summaries=summaries))
    if talk is not None and talk.names:
        names = talk.named(0, len(result.document.text), _MAX_SPEAKERS)
        parts += [Text(), Text("Speakers", "bold"), Padding(Text(visible(names)), (0, 0, 0, 1))]
    if result.topics:
        parts += [Text(), Text("Topics", "bold"), _topics(result, top_words)]
    parts += [Padding(Text(visible(note), "italic"), (1, 0, 0, 1)) for note in remarks(result)]
    return Group(*parts)


def _outline(entries: Iterable[Entry], indent: int) -> Iterator[Text]:
    for entry in entries:
        yield Text(" " * indent + visible(entry.title), overflow="ellipsis", no_wrap=True)
        yield from _outline(entry.children, indent + 3)


@dataclass(frozen=True)
class _Turns:
    """The segments of a talk: with a column for times and speakers, where there is room for it."""

    result: Result
    talk: Talk
    summaries: bool

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        is_wide = options.max_width >= _MIN_WIDTH_WITH_TURNS
        yield _segments(self.result, summaries=self.summaries, talk=self.talk, has_column=is_wide)


def _segments(
    result: Result, *, summaries: bool, talk: Talk | None = None, has_column: bool = False
) -> Table:
    """Return the title, the strongest topic and the beginning of each segment.

    Those of a talk also have their time and who speaks most, in a column or on a line.
    """
    table = _grid()
    table.add_column(justify="right", style="dim")
    if has_column:
        table.add_column(max_width=_TURNS_WIDTH, no_wrap=True, overflow="ellipsis")
    table.add_column(ratio=1)
    table.add_column(no_wrap=True)
    for number, segment in enumerate(result.segments, start=1):
        topic = segment.topic
        badge = Text() if topic is None else Text(f"T{topic + 1}", _colour(topic))
        title = Text(visible(segment.title), "bold")
        if segment.subtitle:
            title.append(f"  about {visible(segment.subtitle)}", "not bold dim")
        text = segment.text if talk is None else _without_names(result, segment)
        opening = (
            f"{sentence_range(segment, place=talk is None)}: {after_title(segment, text, 200)}"
        )
        rows = [title, Text(opening, "dim", overflow="ellipsis", no_wrap=True)]
        if talk is not None and not has_column:
            names = visible(talk.named(segment.start, segment.end, most=2))
            line = "  ".join(filter(None, [_times(talk, segment), names]))
            rows.insert(1, Text(line, overflow="ellipsis", no_wrap=True))
        if summaries and segment.summary:
            rows.append(Text(visible(segment.summary)))
        aside = [] if talk is None else _aside(talk, segment)
        for i, row in enumerate(rows):
            column = [aside[i] if i < len(aside) else ""] if has_column else []
            table.add_row("" if i else str(number), *column, row, "" if i else badge)
    return table


def _times(talk: Talk, segment: Segment) -> str:
    """Return when a segment begins and ends, or only when it begins, as far as known."""
    return str(segment.place or "") or talk.begins(segment.start, segment.end)


def _aside(talk: Talk, segment: Segment) -> list[Text]:
    """Return what the column has: the times and who says most, as far as known."""
    return [part for part in (Text(_times(talk, segment), "dim"), _leader(talk, segment)) if part]


def _leader(talk: Talk, segment: Segment) -> Text:
    """Return who says most in a segment, with the share of its words."""
    shares = talk.shares(segment.start, segment.end)
    if not shares:
        return Text()
    name, share = talk.short_names[shares[0].speaker], shares[0].shown
    leader = Text(visible(name))
    leader.truncate(_TURNS_WIDTH - len(share) - 1, overflow="ellipsis")
    return leader.append(f" {share}".rstrip())


def _without_names(result: Result, segment: Segment) -> str:
    """Return the text of a segment without the names and times that begin its turns."""
    prose = result.document.prose
    return segment.text if prose is None else prose[segment.start : segment.end]


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
