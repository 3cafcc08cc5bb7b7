"""A report on one document: an article, a page that needs nothing else, a frame in a notebook."""

from __future__ import annotations

from collections import Counter
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from docbats.render.html.figures import (
    MAX_MAP_CELLS,
    distance_heatmap,
    segment_count,
    topic_list,
    topic_map,
    topic_strip,
)
from docbats.render.html.markup import Markup, data_block, element, html_page
from docbats.render.html.panels import (
    contents,
    full_text,
    header,
    key_sentences,
    search_hits,
    toolbar,
)
from docbats.render.html.report_context import ReportContext, short, topic_weight_sums
from docbats.render.html.talk import player, speaker_list, talk_data
from docbats.render.one_line import excerpt, segment_context

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.parts import Entry, Segment
    from docbats.render.media import Recording
    from docbats.result import Result

_FRAME_HEIGHT = 640  # pixels
_ASSETS = {
    "view.css": ("theme.css", "reader.css", "talk.css", "figures.css", "narrow.css", "print.css"),
    "view.js": (
        "elements.js", "highlights.js", "search.js", "outline.js", "minimap.js", "figures.js",
        "speakers.js", "player.js", "view.js", "page.js",
    ),
}  # fmt: skip
_MAX_TOP_FORMS = 10  # words of a topic that are marked more strongly
_MAX_WEIGHTS = 15_000  # numbers; with more, the slider does not change the map of topics


def render_page(result: Result, name: str = "", recording: Recording | None = None) -> str:
    """Return a result as a page that loads nothing, or nothing but the recording.

    Only our style sheet and our script can run in it, whatever the document contains.
    """
    article = render_article(result, name, level=1, theme_button=True, recording=recording)
    return html_page(
        f"{excerpt(name, 80)} · docbats" if name else "docbats",
        element("main", article),
        style=asset("view.css"),
        script=asset("view.js"),
        media="" if recording is None else "file:" if ":" in recording.url else "'self'",
        class_="docbats-page",
    )


def render_frame(result: Result, name: str = "") -> str:
    """Return a result as a frame, whose style and script cannot affect other notebook cells."""
    return element(
        "iframe",
        srcdoc=render_page(result, name),
        sandbox="allow-scripts",
        title=f"docbats: {excerpt(name, 80)}" if name else "docbats",
        width="100%",
        height=_FRAME_HEIGHT,
        frameborder=0,
    )


@cache
def asset(name: str) -> Markup:
    """Return the text of view.css or view.js.

    Both are joined from files in the folder ``assets``, without indentation and the script's
    comments, because every page has them; the parts of the script share one scope.
    """
    folder = files("docbats.render").joinpath("assets")
    parts = [folder.joinpath(part).read_text(encoding="utf-8") for part in _ASSETS[name]]
    if name == "view.js":
        parts = ['"use strict";', "(() => {", *parts, "})();"]
    lines = (line.strip() for part in parts for line in part.splitlines())
    return Markup("".join(f"{line}\n" for line in lines if line and not line.startswith("//")))


def render_article(
    result: Result,
    name: str = "",
    *,
    level: int = 2,
    theme_button: bool = False,
    recording: Recording | None = None,
) -> Markup:
    """Return a result as an ``<article>`` whose headings begin at `level`.

    Style it with view.css and add its controls with view.js; it is readable without either.
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
                speaker_list(context),
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
        None if recording is None else player(recording),
        element("p", class_="said", role="status", aria_live="polite"),
        data_block(_script_data(context)),
        class_="docbats turns" if context.text.turns else "docbats",
        id=context.key,
        aria_labelledby=f"{context.key}-title",
    )


def _script_data(context: ReportContext) -> dict[str, Any]:
    """Return what the script needs: cuts, topic weights between their boundaries, distances."""
    result, pieces, units = context.result, context.cuts.pieces, context.text.units
    index = {start: i for i, start in enumerate(pieces)}
    shown = [short(segment.title) for cut in context.cuts.segments for segment in cut]
    shown += [short(entry.title) for _, entry in context.outline.walk()]
    titles = {title: i for i, title in enumerate(dict.fromkeys(shown))}
    heat = context.distances
    talk = talk_data(context)
    return {
        "key": context.key,
        "sentences": len(result.document),
        "pieces": pieces,
        "sizes": context.piece_words,
        "lengths": _unit_lengths(context),
        "begins": _beginnings(context),
        "units": None if len(units) == len(result.document) else units,
        "own": context.cuts.own,
        "nested": context.cuts.is_nested,
        "levels": result.default_depth,
        "outline": _entries(context.outline, titles),
        "words": _topic_forms(result),
        "labels": [short(topic.label) for topic in result.topics],
        "masses": _piece_weights(context),
        "titles": list(titles),
        "cuts": [_cut(context, segments, index, titles) for segments in context.cuts.segments],
        "heat": None if heat is None else {"edges": heat.edges, "values": heat.encoded},
        **({} if talk is None else {"talk": talk}),
    }


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


def _entries(entries: Sequence[Entry], titles: dict[str, int]) -> list[list[Any]]:
    """Return the first sentence and the title of each entry, and its children if it has any."""
    return [
        [entry.sentences[0], titles[short(entry.title)]]
        + ([_entries(entry.children, titles)] if entry.children else [])
        for entry in entries
    ]


def _topic_forms(result: Result) -> list[list[object]]:
    """Return the written forms of each topic's words, best word first, lower-cased.

    Commas separate words and spaces their forms; how many words are marked more strongly and how
    often they all occur follow. A form of two words, such as a name that is also a common word,
    belongs to the more frequent of them.
    """
    words, tokens = result.analysis.text.words, result.analysis.text.tokens
    pairs = Counter(zip(words.word.tolist(), tokens.form[words.token].tolist(), strict=True))
    word_of: dict[str, tuple[int, int]] = {}  # with how often the form is used for it
    for (word, form), number in sorted(pairs.items()):
        written = tokens.forms[form].lower().replace("\u2019", "'")
        is_listable = written and not any(c.isspace() or c == "," for c in written)
        if is_listable and number > word_of.get(written, (0, 0))[1]:
            word_of[written] = (word, number)
    forms: dict[int, list[str]] = {}
    for written, (word, _) in word_of.items():
        forms.setdefault(word, []).append(written)
    index = {name: i for i, name in enumerate(words.names)}
    uses = Counter(words.word.tolist())
    found: list[list[object]] = []
    for topic in result.topics:
        numbers = [index[scored.word] for scored in topic.words]
        listed = ",".join(" ".join(forms.get(i, [])) for i in numbers)
        found.append([listed, _MAX_TOP_FORMS, sum(uses[i] for i in numbers)])
    return found


def _piece_weights(context: ReportContext) -> list[list[float | int]] | None:
    """Return the weight of each topic in each piece; None if these are too many numbers."""
    pieces, topics = context.cuts.pieces, len(context.result.topics)
    max_k = max(map(len, context.cuts.segments))
    if len(pieces) * topics > _MAX_WEIGHTS or max_k * topics > MAX_MAP_CELLS:
        return None
    # Whole numbers as integers take less space in JSON.
    return [
        [int(value) if value == int(value) else round(value, 3) for value in row]
        for row in topic_weight_sums(context.result, pieces).tolist()
    ]


def _cut(
    context: ReportContext,
    segments: Sequence[Segment],
    index: dict[int, int],
    titles: dict[str, int],
) -> dict[str, Any]:
    values: dict[str, Any] = {}
    above = [context.headings_above(segment) for segment in segments]
    if any(above):
        values["above"] = above
    values |= {
        "summaries": context.gists(segments),
        "pieces": [index[segment.sentences[0]] for segment in segments],
        "titles": [titles[short(segment.title)] for segment in segments],
        "topics": [segment.topic for segment in segments],
        "strengths": [s.strength if s.strength is None else round(s.strength, 2) for s in segments],
    }
    if context.result.document.places is not None:
        values["places"] = [str(segment.place or "") for segment in segments]
    if context.has_headings:
        values["headings"] = [short(segment_context(segment)) for segment in segments]
    return values
