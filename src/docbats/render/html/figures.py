"""The panels of a report that are figures: topics, segments, boundaries, distances."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from docbats.render.html.markup import Markup, bdi, element, joined
from docbats.render.html.report_context import badge, short, topic_weight_sums
from docbats.render.one_line import counted

if TYPE_CHECKING:
    from docbats.parts import Topic
    from docbats.render.html.report_context import ReportContext
    from docbats.result import Result
    from docbats.segments.choose_k import Choice

MAX_MAP_CELLS = 1500
"""Cells of the map of topics by segments; a larger map is left out."""

_MAP_TITLE = "Topics by segments"
_TOP_WORDS, _FEWER_WORDS = 12, 5  # of a topic; fewer if there are many topics
_MAX_TOPICS = 50  # in the list
_MAX_LANES = 40  # topics with a row along the document; more would make the page too large
# With more cells the page gets larger, and bars narrower than a pixel.
_MAX_BINS = 240  # cells in a row
_MAX_CELLS = 4000  # in all rows together,
_MIN_BINS = 80  # but no fewer than these in a row
_WIDTH = 1000  # units along the document, which the page stretches to fit
_LANE_HEIGHT = 18  # units, and pixels, of the row of a topic
_STRENGTHS_HEIGHT = 32  # and of the row of boundaries
_GAP = 4  # of which this is left free above a row
_FULL_QUANTILE = 0.995  # of the shares in all cells is drawn as a full row,
_MIN_FULL = 0.05  # unless all are tiny
_MAX_NUMBERS = 24  # segment numbers above the rows


def topic_list(context: ReportContext) -> Markup | None:
    """Return the heaviest topics with their words; None if there are no topics."""
    found = context.result.topics
    if not found:
        return None
    heaviest = max(topic.weight for topic in found) or 1
    items = (_topic(context, i, topic, heaviest) for i, topic in enumerate(found[:_MAX_TOPICS]))
    more = len(found) - _MAX_TOPICS
    note = f"Not shown: the {counted(more, 'lightest topic')}." if more > 0 else None
    hint = "Press a topic to mark its words in the text, or a word to see its sentences."
    return context.section(
        "Topics",
        element("p", hint, class_="hint", hidden=True),
        element("ol", *items),
        element("p", note, class_="hint") if note else None,
        element(
            "label",
            element("input", type="checkbox", class_="numbers"),
            " Topic numbers after marked words",
            class_="numbering",
            hidden=True,
        ),
        class_="topics",
    )


def _topic(context: ReportContext, number: int, topic: Topic, heaviest: float) -> Markup:
    width = round(100 * topic.weight / heaviest, 1)
    return element(
        "li",
        context.heading(
            2,
            element(
                "button", badge(number), " ", bdi(short(topic.label)),
                type="button", class_="pick", aria_pressed="false",
            ),
        ),
        element(
            "svg", element("rect", width=width, height=6),
            class_="share", viewBox="0 0 100 6", preserveAspectRatio="none", height=6,
            aria_hidden="true",
        ),
        element("span", f"{topic.weight:.0%}", class_="percent"),
        _words(topic, _TOP_WORDS if len(context.result.topics) <= _MAX_LANES else _FEWER_WORDS),
        class_=f"topic t{number}",
        data_topic=number,
    )  # fmt: skip


def _words(topic: Topic, max_words: int) -> Markup:
    """Return the best words, as buttons that show their sentences."""
    words: list[object] = []
    for word, _ in topic.words[:max_words]:
        words += [element("button", bdi(short(word)), type="button", class_="word"), " "]
    more = len(topic.words) - max_words
    if more > 0:
        words.append(element("span", f"and {more} more", class_="more"))
    return element("p", *words, class_="words")


def topic_strip(context: ReportContext) -> Markup | None:
    """Return a row for each topic, and one for the boundaries; None if there are no topics."""
    result, topics = context.result, context.result.topics
    if not topics:
        return None
    n_lanes = min(len(topics), _MAX_LANES)
    names = [
        element("li", badge(i), " ", bdi(short(topic.label)), data_topic=i)
        for i, topic in enumerate(topics[:n_lanes])
    ]
    notes = ["Each row shows where a topic is strong; lines are the boundaries of segments."]
    if result.rates_boundaries:
        names.append(element("li", "Strength of boundaries", class_="rated"))
        notes.append("Boundaries above the dashed line are clear.")
    if len(topics) > n_lanes:
        notes.append(f"Not shown: the {counted(len(topics) - n_lanes, 'lightest topic')}.")
    return context.section(
        "Along the document",
        element(
            "div",
            element("ul", *names, class_="lanes"),
            element("div", _strip_axis(result), _strip(result, n_lanes, _in_words(result))),
            class_="tracks",
        ),
        element("p", " ".join(notes), class_="hint"),
        class_="along",
    )


def _in_words(result: Result) -> str:
    """Return a sentence that says where each topic is strongest."""
    matrix = result.topic_segment_matrix
    places = (
        f"T{i + 1} is strongest in segment {int(row.argmax()) + 1}"
        for i, row in enumerate(matrix[:_MAX_LANES])
    )
    return f"Topics along the document: {'; '.join(places)}."


def _strip_axis(result: Result) -> Markup:
    """Write segment numbers above the segments' beginnings; only some if there are many."""
    segments, m = result.segments, len(result.document)
    step = -(-len(segments) // _MAX_NUMBERS)
    numbers = (
        element("text", i + 1, x=f"{100 * segments[i].sentences[0] / m:.2f}%", y=12)
        for i in range(0, len(segments), step)
    )
    return element("svg", *numbers, class_="axis", height=16, aria_hidden="true")


def _strip(result: Result, n_lanes: int, label: str) -> Markup:
    """Draw a row for each topic, the boundaries, and a row for their strengths."""
    m, rise = len(result.document), _STRENGTHS_HEIGHT - _GAP
    n_bins = min(m, _MAX_BINS, max(_MIN_BINS, _MAX_CELLS // n_lanes))
    lanes = [
        element("path", d=path, class_=f"lane t{number}", data_topic=number)
        for number, path in enumerate(_lane_paths(result, n_lanes, n_bins))
    ]
    has_strengths, lanes_height = result.rates_boundaries, _LANE_HEIGHT * n_lanes
    floor = lanes_height + (_STRENGTHS_HEIGHT if has_strengths else 0)
    middle = floor - rise / 2
    half = element("line", class_="half", x1=0, x2=_WIDTH, y1=middle, y2=middle)
    cuts, strengths = [], []
    for segment in result.segments[1:]:
        x = round(_WIDTH * segment.sentences[0] / m, 1)
        cuts.append(element("line", x1=x, x2=x, y1=0, y2=lanes_height))
        if segment.strength is not None:
            top = round(floor - rise * segment.strength, 1)
            strengths.append(element("line", x1=x, x2=x, y1=top, y2=floor))
    return element(
        "svg",
        element("g", *lanes, transform=f"scale({_WIDTH / n_bins:.4f} 1)"),
        half if has_strengths else None,
        element("g", *cuts, class_="cuts"),
        element("g", *strengths, class_="strengths"),
        element("line", class_="here", x1=0, x2=0, y1=0, y2=floor, hidden=True),
        class_="strip", viewBox=f"0 0 {_WIDTH} {floor}", preserveAspectRatio="none", height=floor,
        role="img", aria_label=label, data_lanes=lanes_height,
        data_rise=rise if has_strengths else 0,
    )  # fmt: skip


def _lane_paths(result: Result, n_lanes: int, n_bins: int) -> list[str]:
    """Draw each topic's share of the topic words in each cell as the height of a bar.

    All rows share one scale, on which almost the largest share fills a row: with many topics every
    share is small.
    """
    edges = np.linspace(0, len(result.document), n_bins + 1).round().astype(int)
    sums = topic_weight_sums(result, edges[:-1].tolist())
    shares = sums / np.maximum(sums.sum(axis=1, keepdims=True), 1e-300)
    full = max(float(np.quantile(shares, _FULL_QUANTILE)), _MIN_FULL)
    scaled = np.minimum(shares / full, 1)
    heights = np.ceil((_LANE_HEIGHT - _GAP) * scaled.round(6) - 0.5).astype(int)
    lanes = heights[:, :n_lanes].T.tolist()
    return [_bars(lane, _LANE_HEIGHT * number) for number, lane in enumerate(lanes, start=1)]


def _bars(heights: list[int], floor: int) -> str:
    """Return the path of adjacent bars on a floor, each one unit wide.

    >>> _bars([0, 2, 2, 1], 18)
    'M0 18h1v-2h2v1h1V18z'
    """
    path = [f"M0 {floor}"]
    last = 0
    for height, run in groupby(heights):
        if height != last:
            path.append(f"v{last - height}")
        path.append(f"h{len(list(run))}")
        last = height
    return "".join([*path, f"V{floor}z"])


def topic_map(context: ReportContext) -> Markup | None:
    """Return the share of each topic in each segment; None if there are no topics."""
    topics, segments = context.result.topics, context.result.segments
    if not topics:
        return None
    if len(topics) * len(segments) > MAX_MAP_CELLS:
        note = (
            f"The map of {len(topics)} topics by {len(segments)} segments is too large for "
            "this page; it is in result.topic_segment_matrix."
        )
        return context.section(_MAP_TITLE, element("p", note, class_="hint"))
    head = element(
        "tr",
        element("th", "Topic", scope="col"),
        *(
            element("th", i, scope="col", title=short(segment.title))
            for i, segment in enumerate(segments, start=1)
        ),
    )
    rows = [
        element(
            "tr",
            element("th", badge(i), " ", bdi(short(topic.label)), scope="row"),
            *(_cell(segment.topic_weights[i]) for segment in segments),
            class_=f"t{i}",
            data_topic=i,
        )
        for i, topic in enumerate(topics)
    ]
    table = element(
        "table",
        element("caption", "Share of each topic in the topic words, in percent"),
        element("thead", head),
        element("tbody", *rows),
    )
    label = f"{_MAP_TITLE}, scrollable"
    scroll = element("div", table, class_="scroll", tabindex=0, role="region", aria_label=label)
    return context.section(_MAP_TITLE, scroll, class_="map")


def _cell(share: float) -> Markup:
    percent = round(100 * share)
    level = round(10 * share)
    return element("td", percent or "", class_=f"q{level}" if level else None)


def segment_count(context: ReportContext) -> Markup | None:
    """Explain the number of segments; None if it was not chosen automatically."""
    choice = context.result.choice
    if choice is None or len(choice.gains) == 1:
        return None
    title = f"Why {counted(choice.k, 'segment')}"
    if choice.follows_headings:
        return context.section(title, element("p", choice.reason), class_="choice")
    return context.section(
        title,
        _choice_curve(choice),
        element("p", choice.reason),
        element(
            "p",
            "The higher the curve, the better the number fits the words and what authors do.",
            class_="hint",
        ),
        class_="choice",
    )


def _choice_curve(choice: Choice) -> Markup:
    """Draw the scores of 1, 2, ... segments, and mark the number chosen."""
    scores = choice.scores[: 2 * choice.k + 10]
    low, high = min(scores), max(scores)
    left, top, width, height = 8, 16, 284, 68

    def place(k: int) -> tuple[float, float]:
        x = left + width * (k - 1) / max(1, len(scores) - 1)
        y = top + height * (1 - (scores[k - 1] - low) / ((high - low) or 1))
        return round(x, 1), round(y, 1)

    points = [place(k) for k in range(1, len(scores) + 1)]
    x, y = place(choice.k)
    base = top + height + 16
    ends = sorted({1, choice.k, len(scores)})
    return element(
        "svg",
        element("path", class_="line", d="M" + "L".join(f"{x:g} {y:g}" for x, y in points)),
        *(element("circle", cx=x, cy=y, r=2) for x, y in points),
        element("circle", class_="chosen", cx=x, cy=y, r=5),
        joined(*(element("text", k, x=place(k)[0], y=base, text_anchor="middle") for k in ends)),
        class_="curve",
        viewBox=f"0 0 300 {base + 6}",
        width=300,
        height=base + 6,
        role="img",
        aria_label=(
            f"Scores of 1 to {len(scores)} segments: {choice.k} has the best, "
            f"{scores[choice.k - 1]:.1f}; one segment has {scores[0]:.1f}."
        ),
    )


def distance_heatmap(context: ReportContext) -> Markup | None:
    """Return a canvas, on which the script draws the heatmap, and a sentence about it."""
    if context.distances is None or not context.result.topics:
        return None
    starts = [segment.sentences[0] for segment in context.result.segments]
    inside, across = context.distances.means(starts)
    told = f"Mean distance between sentences: {inside:.2f} within segments"
    told += "." if across is None else f", {across:.2f} across segments; the maximum is 2."
    return context.section(
        "Distances between sentences",
        element(
            "canvas", class_="heat", width=480, height=480, role="img", aria_label=told,
            hidden=True,
        ),
        _scale(f"{context.key}-scale"),
        element("p", told, class_="told"),
        element(
            "p",
            "Each row and column is a sentence, or a few; squares of near sentences along the "
            "diagonal are passages that share their words. Lines are the boundaries.",
            class_="hint",
            hidden=True,
        ),
        class_="distances",
    )  # fmt: skip


def _scale(name: str) -> Markup:
    """Return the legend of the colours."""
    stops = ("near", "middle", "far")
    colours = element(
        "linearGradient",
        *(element("stop", offset=f"{50 * i}%", class_=stop) for i, stop in enumerate(stops)),
        id=name,
    )
    bar = element("rect", width="100%", height=10, fill=f"url(#{name})")
    return element(
        "p",
        element("span", "0 near"),
        element("svg", colours, bar, height=10, aria_hidden="true"),
        element("span", "2 far"),
        class_="scale",
        hidden=True,
    )
