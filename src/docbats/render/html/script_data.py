"""The data for the script of a report: for the slider, the highlights and the heatmap."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from docbats.render.html.report_context import MAX_MAP_CELLS, short
from docbats.render.html.topic_forms import find_topic_forms
from docbats.render.html.topic_weight_sums import topic_weight_sums
from docbats.render.one_line import segment_context

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.parts import Entry, Segment
    from docbats.render.html.report_context import ReportContext

__all__ = ["script_data"]

_MAX_WEIGHTS = 15_000  # numbers; with more, the map of topics by segments stays as it is


def script_data(context: ReportContext) -> dict[str, Any]:
    """Return the cuts, the weights of the topics between their boundaries, and the distances."""
    pieces, topics, distances = context.cuts.pieces, context.result.topics, context.distances
    index = {start: i for i, start in enumerate(pieces)}
    shown = [short(segment.title) for cut in context.cuts.segments for segment in cut]
    shown += [short(entry.title) for _, entry in context.outline.walk()]
    titles = {title: i for i, title in enumerate(dict.fromkeys(shown))}
    return {
        "key": context.key,
        "sentences": len(context.result.document),
        "pieces": pieces,
        "sizes": context.piece_words,
        "lengths": _unit_lengths(context),
        "begins": _beginnings(context),
        "units": None
        if len(context.text.units) == len(context.result.document)
        else context.text.units,
        "own": context.cuts.own,
        "nested": context.cuts.is_nested,
        "outline": _entries(context.outline, titles),
        "words": [forms.to_list() for forms in find_topic_forms(context.result)],
        "labels": [short(topic.label) for topic in topics],
        "masses": _piece_weights(context),
        "titles": list(titles),
        "cuts": [
            {**_cut(context, segments, index, titles), **_places(context, segments)}
            for segments in context.cuts.segments
        ],
        "heat": None
        if distances is None
        else {"edges": distances.edges, "values": distances.encoded},
    }


def _entries(entries: Sequence[Entry], titles: dict[str, int]) -> list[list[Any]]:
    """Return of each entry its first sentence, its title and, if there are any, those below it."""
    return [
        [entry.sentences[0], titles[short(entry.title)]]
        + ([_entries(entry.children, titles)] if entry.children else [])
        for entry in entries
    ]


def _unit_lengths(context: ReportContext) -> list[int]:
    """Return the number of characters from each element for sentences to the next, or the end."""
    document = context.result.document
    starts = document.spans[context.text.units, 0].tolist()
    return [end - start for start, end in pairwise([0, *starts[1:], len(document.text)])]


def _beginnings(context: ReportContext) -> list[str] | None:
    """Return the page or the time at which each piece begins; None for plain text."""
    if context.result.document.places is None:
        return None
    found = [context.begins_at(piece) for piece in context.cuts.pieces]
    return found if any(found) else None


def _cut(
    context: ReportContext,
    segments: Sequence[Segment],
    index: dict[int, int],
    titles: dict[str, int],
) -> dict[str, Any]:
    above = [context.headings_above(segment) for segment in segments]
    return {
        **({"above": above} if any(above) else {}),
        "summaries": context.gists(segments),
        "pieces": [index[segment.sentences[0]] for segment in segments],
        "titles": [titles[short(segment.title)] for segment in segments],
        "topics": [segment.topic for segment in segments],
        "strengths": [_hundredths(segment.strength) for segment in segments],
    }


def _places(context: ReportContext, segments: Sequence[Segment]) -> dict[str, list[str]]:
    """Return where the segments are in the file, and under which headings or whose they are."""
    values = {}
    if context.result.document.places is not None:
        values["places"] = [str(segment.place or "") for segment in segments]
    if context.has_headings:
        values["headings"] = [short(segment_context(segment)) for segment in segments]
    return values


def _piece_weights(context: ReportContext) -> list[list[float | int]] | None:
    """Return the weight of each topic in each piece; None if these are too many numbers."""
    pieces, topics = context.cuts.pieces, len(context.result.topics)
    max_k = max(map(len, context.cuts.segments))
    if len(pieces) * topics > _MAX_WEIGHTS or max_k * topics > MAX_MAP_CELLS:
        return None
    return [
        [_short_number(value) for value in row] for row in topic_weight_sums(context.result, pieces)
    ]


def _short_number(value: float) -> float | int:
    """Return whole numbers as integers, which take less space in JSON."""
    return int(value) if value == int(value) else round(float(value), 3)


def _hundredths(value: float | None) -> float | None:
    return None if value is None else round(value, 2)
