"""What the script of the page is given: for the slider and for the heatmap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docbats.render.html.figures import topic_mass
from docbats.render.html.shown import MOST_CELLS, short
from docbats.render.plain import heading_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.parts import Segment
    from docbats.render.html.shown import Shown

__all__ = ["page_data"]

_MOST_MASSES = 15_000  # numbers from which the map of topics by segments is made anew


def page_data(shown: Shown) -> dict[str, Any]:
    """Give the cuts, the weights of the topics between their boundaries, and the distances."""
    pieces, topics, distances = shown.cuts.pieces, shown.result.topics, shown.distances
    place = {start: i for i, start in enumerate(pieces)}
    return {
        "key": shown.key,
        "sentences": len(shown.result.document),
        "pieces": pieces,
        "units": None if shown.text.unit == 1 else shown.text.units,
        "own": shown.cuts.own,
        "labels": [short(topic.label) for topic in topics],
        "masses": _masses(shown),
        "cuts": [
            {**_cut(segments, place), **_places(shown, segments)}
            for segments in shown.cuts.segments
        ],
        "heat": None
        if distances is None
        else {"edges": distances.edges, "values": distances.encoded},
    }


def _cut(segments: Sequence[Segment], place: dict[int, int]) -> dict[str, Any]:
    return {
        "pieces": [place[segment.sentences[0]] for segment in segments],
        "titles": [short(segment.title) for segment in segments],
        "topics": [segment.topic for segment in segments],
        "strengths": [_hundredths(segment.strength) for segment in segments],
    }


def _places(shown: Shown, segments: Sequence[Segment]) -> dict[str, list[str]]:
    """Tell where the segments are in the file; nothing of plain text."""
    if shown.result.document.places is None:
        return {}
    values = {"places": [str(segment.place or "") for segment in segments]}
    if shown.has_headings:
        values["headings"] = [short(heading_path(segment.place)) for segment in segments]
    return values


def _masses(shown: Shown) -> list[list[float | int]] | None:
    """Give the weight of each topic in each piece, unless these are too many numbers."""
    pieces, topics = shown.cuts.pieces, len(shown.result.topics)
    most = max(map(len, shown.cuts.segments))
    if len(pieces) * topics > _MOST_MASSES or most * topics > MOST_CELLS:
        return None
    return [[_plain(value) for value in row] for row in topic_mass(shown.result, pieces)]


def _plain(value: float) -> float | int:
    """Write whole numbers without a point."""
    return int(value) if value == int(value) else round(float(value), 3)


def _hundredths(value: float | None) -> float | None:
    return None if value is None else round(value, 2)
