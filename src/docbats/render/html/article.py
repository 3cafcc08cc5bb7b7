"""A report as one HTML element with all its panels, and the data for its script."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.render.html.figures import (
    distance_heatmap,
    segment_count,
    topic_list,
    topic_map,
    topic_strip,
)
from docbats.render.html.markup import Markup, data_block, element
from docbats.render.html.panels import (
    contents,
    full_text,
    header,
    key_sentences,
    search_hits,
    toolbar,
)
from docbats.render.html.report_context import (
    MAX_MAP_CELLS,
    ReportContext,
    short,
    topic_weight_sums,
)
from docbats.render.one_line import segment_context

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.parts import Entry, Segment
    from docbats.result import Result

_MAX_TOP_FORMS = 10  # words of a topic that are marked more strongly


@dataclass(frozen=True)
class TopicForms:
    """The written forms of one topic's words.

    Attributes
    ----------
    words
        The forms of each word, best word first; lower-cased.
    uses
        How often they occur in the text.
    """

    words: list[list[str]]
    uses: int

    def to_list(self) -> list[object]:
        """Return the forms for the script: commas between words, spaces between their forms."""
        return [",".join(" ".join(forms) for forms in self.words), _MAX_TOP_FORMS, self.uses]


def find_topic_forms(result: Result) -> list[TopicForms]:
    """Return the forms of the words of each topic, best word first.

    A form that stands for two words, here a name and there another word, counts as that which it
    stands for more often.
    """
    words, tokens = result.analysis.text.words, result.analysis.text.tokens
    pairs = Counter(zip(words.word.tolist(), tokens.form[words.token].tolist(), strict=True))
    uses = np.bincount(words.word, minlength=len(words.names)).tolist()
    index = {name: i for i, name in enumerate(words.names)}
    shown: dict[str, tuple[int, int]] = {}
    for (word, form), number in sorted(pairs.items()):
        written = _written(tokens.forms[form])
        if written and number > shown.get(written, (0, 0))[1]:
            shown[written] = (word, number)
    forms: dict[int, list[str]] = {}
    for written, (word, _) in shown.items():
        forms.setdefault(word, []).append(written)
    found = []
    for topic in result.topics:
        places = [index[scored.word] for scored in topic.words]
        found.append(TopicForms([forms.get(i, []) for i in places], sum(uses[i] for i in places)))
    return found


def _written(form: str) -> str:
    """Return a form as the script looks it up; nothing for one that its table cannot hold."""
    lower = form.lower().replace("\u2019", "'")
    return "" if any(c.isspace() or c == "," for c in lower) else lower


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


def render_article(
    result: Result, name: str = "", *, level: int = 2, theme_button: bool = False
) -> Markup:
    """Return a result as an ``<article>`` whose headings begin at `level`.

    It needs view.css for its looks, and view.js for its controls; without either it is readable.
    """
    context = ReportContext(result, name, level)
    return element(
        "article",
        element("a", "Skip to the text", class_="skip", href=f"#{context.key}-text"),
        header(context),
        toolbar(context, theme_button=theme_button),
        element(
            "div",
            contents(context),
            element(
                "div",
                key_sentences(context),
                full_text(context),
                class_="reading",
                id=f"{context.key}-reading",
            ),
            element("div", search_hits(context), topic_list(context), class_="rail"),
            element(
                "div",
                topic_strip(context),
                topic_map(context),
                segment_count(context),
                distance_heatmap(context),
                class_="figures",
                id=f"{context.key}-figures",
            ),
            class_="columns",
        ),
        element("p", class_="said", role="status", aria_live="polite"),
        data_block(script_data(context)),
        class_="docbats",
        id=context.key,
        aria_labelledby=f"{context.key}-title",
    )
