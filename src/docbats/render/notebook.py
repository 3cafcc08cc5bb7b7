"""Cards for notebooks: topics, segments, an outline and the choice of k, at a glance.

They use the notebook's own text colour, which suits light and dark themes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.render.html.markup import Markup, bdi, element, joined
from docbats.render.one_line import counted, excerpt, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from docbats.parts import Entry, Segment, Topic
    from docbats.segments.choose_k import Choice

_MAX_ROWS = 60  # of a card; more would fill the screen
_MAX_WORDS = 8  # of a topic
_MAX_TITLE = 80  # characters
_BAR_WIDTH = 8  # em, of the largest bar


def topic_lines(topics: Sequence[Topic]) -> str:
    """Return a line for each topic."""
    lines = (f"T{i} {t.weight:4.0%}  {_words(t)}" for i, t in enumerate(topics, 1))
    return _lines("topic", topics, lines)


def topic_card(topics: Sequence[Topic]) -> str:
    """Return a table of the topics."""
    largest = max((topic.weight for topic in topics), default=1) or 1
    rows = (
        [
            f"T{i}",
            _bar(topic.weight / largest),
            f"{topic.weight:.0%}",
            _text(topic.label),
            _text(_words(topic)),
        ]
        for i, topic in enumerate(topics, 1)
    )
    return _table(("", "share", "", "topic", "words"), rows, len(topics))


def segment_lines(segments: Sequence[Segment]) -> str:
    """Return a line for each segment."""
    lines = (
        f"{i} [{s.start}:{s.end}]  {excerpt(visible(s.title), _MAX_TITLE)}"
        for i, s in enumerate(segments, 1)
    )
    return _lines("segment", segments, lines)


def segment_card(segments: Sequence[Segment]) -> str:
    """Return a table of the segments."""
    rows = (
        [
            f"{i}",
            _text(segment.title),
            "" if segment.place is None else str(segment.place),
            f"{segment.start:,}–{segment.end:,}",
            "" if segment.strength is None else _bar(segment.strength),
            _text(segment.text),
        ]
        for i, segment in enumerate(segments, 1)
    )
    names = ("", "segment", "place", "characters", "boundary before", "opening")
    return _table(names, rows, len(segments))


def outline_card(entries: Iterable[Entry]) -> str:
    """Return a nested table of contents."""
    lines = list(_outline_lines(entries, 0))
    shown = [
        element(
            "div",
            _text(entry.title),
            " ",
            element("small", f"{entry.start:,}–{entry.end:,}", style="opacity:.6"),
            style=f"padding-left:{1.5 * depth}em",
        )
        for depth, entry in lines[:_MAX_ROWS]
    ]
    return element("div", joined(*shown), _rest(len(lines)), class_="docbats")


def choice_card(choice: Choice) -> str:
    """Return the reason for the number of segments, with the scores of numbers near it."""
    scores = choice.scores
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    near = range(max(1, choice.k - 4), min(len(scores), choice.k + 5) + 1)
    rows = (
        [
            element("strong", f"{k}") if k == choice.k else f"{k}",
            f"{choice.gains[k - 1]:,.1f}",
            f"{scores[k - 1]:,.1f}",
            _bar((scores[k - 1] - low) / (high - low) if high > low else 0.0),
        ]
        for k in near
    )
    table = _table(("segments", "gain", "less penalties", ""), rows, len(near))
    return element("div", element("p", choice.reason), table, class_="docbats")


def _outline_lines(entries: Iterable[Entry], depth: int) -> Iterator[tuple[int, Entry]]:
    for entry in entries:
        yield depth, entry
        yield from _outline_lines(entry.children, depth + 1)


def _table(names: Sequence[str], rows: Iterable[Sequence[object]], count: int) -> Markup:
    """Return a table of the first rows, and the number of rows left out."""
    left = "text-align:left;vertical-align:top"
    head = element("tr", *(element("th", name, style=left) for name in names))
    body = [
        element("tr", *(element("td", cell, style=left) for cell in row))
        for _, row in zip(range(_MAX_ROWS), rows, strict=False)
    ]
    table = element("table", element("thead", head), element("tbody", joined(*body)))
    return element("div", table, _rest(count), class_="docbats")


def _rest(count: int) -> Markup | None:
    return element("p", f"… and {count - _MAX_ROWS:,} more") if count > _MAX_ROWS else None


def _bar(share: float) -> Markup:
    width = f"{_BAR_WIDTH * min(max(share, 0.0), 1.0):.2f}em"
    style = f"width:{width};height:.7em;margin-top:.3em;background:currentColor;opacity:.5"
    return element("div", style=style, title=f"{share:.2f}")


def _text(text: str) -> Markup:
    """Return the beginning of a text from the document."""
    return bdi(excerpt(visible(text), _MAX_TITLE))


def _words(topic: Topic) -> str:
    words = ", ".join(visible(word) for word, _ in topic.words[:_MAX_WORDS])
    return excerpt(words, _MAX_TITLE)


def _lines(noun: str, things: Sequence[object], lines: Iterable[str]) -> str:
    shown = [f"  {line}" for _, line in zip(range(_MAX_ROWS), lines, strict=False)]
    if len(things) > _MAX_ROWS:
        shown.append(f"  … and {len(things) - _MAX_ROWS:,} more")
    return "\n".join([f"<{counted(len(things), noun)}>", *shown])
