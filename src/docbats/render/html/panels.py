"""The panels of a report for reading: header, toolbar, outline, key sentences, the text."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from docbats.render.html.markup import Markup, bdi, element, joined
from docbats.render.html.report_context import MAX_SUMMARY_LENGTH, badge, short
from docbats.render.html.talk import voices
from docbats.render.one_line import counted, excerpt, segment_context
from docbats.segments.sizes import unit_name
from docbats.settings import PRESETS, Settings
from docbats.text.languages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.parts import Entry, Segment
    from docbats.render.html.report_context import ReportContext
    from docbats.result import Result

_MAX_OPEN_ENTRIES = 40  # a longer outline is opened down to the segments or the default depth
_MAX_SENTENCE_LENGTH = 400  # characters
_KEYS = (
    ("n, p", "next and previous segment"),
    ("/", "search"),
    ("h", "highlights: off, this topic, all"),
    ("f", "figures, and back to the text"),
)


def header(context: ReportContext) -> Markup:
    """Return the document's name, its numbers of sentences, segments and topics, and notes."""
    result = context.result
    k, m = len(result.segments), len(result.document)
    facts = joined(
        counted(m, "sentence"),
        f" · {counted(context.minutes(0, m), 'minute')} to read · ",
        element("span", counted(k, "segment"), class_="count"),
        " as requested" if result.choice is None else "",
        f" · {counted(len(result.topics), 'topic')}{_method(result)}{_language(result)}",
    )
    notes = list(result.notes)
    if result.choice is not None and len(result.choice.gains) == 1:
        notes.insert(0, result.choice.reason)
    if result.settings.overlap:
        overlap = f"{result.settings.overlap} {unit_name(result.settings.size_unit)}"
        notes.append(f"Segments overlap by {overlap}; the text below shows each sentence once.")
    return element(
        "header",
        context.heading(
            0, bdi(context.title), id=f"{context.key}-title", title=short(context.name) or None
        ),
        element("p", facts, class_="facts"),
        *(element("p", note, class_="note") for note in notes),
    )


def _method(result: Result) -> str:
    """Name the preset that cut the text, unless it is the default one."""
    for name, preset in PRESETS.items():
        changed = replace(
            result.settings,
            k=preset.k,
            granularity=preset.granularity,
            n_topics=None,
            vectors=False,
            namer=None,
            namer_timeout=preset.namer_timeout,
            sentences=preset.sentences,
            language=preset.language,
        )
        if changed == preset:
            return "" if preset == Settings() else f" · method {name}"
    return " · own settings"


def _language(result: Result) -> str:
    return "" if result.language in {"en", None} else f" · {LANGUAGES[result.language]}"


def toolbar(context: ReportContext, *, theme_button: bool) -> Markup:
    """Return the controls, hidden until the script runs."""
    return element(
        "div",
        element(
            "button", "Outline", type="button", class_="menu", aria_expanded="false",
            aria_controls=f"{context.key}-outline",
        ),
        _tabs(context),
        element(
            "span",
            _slider(context) if len(context.cuts.segments) > 1 else None,
            _highlights(context) if context.result.topics else None,
            element(
                "input", type="search", class_="search", placeholder="Search",
                aria_label="Search in the text", autocomplete="off", spellcheck="false",
            ),
            class_="tools",
        ),
        _steps(),
        element(
            "button", "Tools", type="button", class_="more-tools", aria_expanded="false",
        ),
        _help(),
        _theme() if theme_button else None,
        element("svg", class_="progress", aria_hidden="true", preserveAspectRatio="none"),
        class_="bar", role="group", aria_label="Reading", hidden=True,
    )  # fmt: skip


def _tabs(context: ReportContext) -> Markup:
    return element(
        "span",
        *(
            element(
                "button", label, type="button", class_=f"tab-{name}",
                aria_pressed="true" if name == "reading" else "false",
                aria_controls=f"{context.key}-{name}",
            )
            for name, label in (("reading", "Read"), ("figures", "Figures"))
        ),
        class_="switch tabs", role="group", aria_label="Show",
    )  # fmt: skip


def _slider(context: ReportContext) -> Markup:
    ks = [len(cut) for cut in context.cuts.segments]
    own = context.cuts.own
    return element(
        "span",
        element("label", "Segments", for_=f"{context.key}-k"),
        element(
            "input", type="range", class_="slider", id=f"{context.key}-k", min=0,
            max=len(ks) - 1, value=own, step=1, aria_valuetext=counted(ks[own], "segment"),
        ),
        element("output", ks[own], class_="k", for_=f"{context.key}-k"),
        class_="choose",
    )  # fmt: skip


def _highlights(context: ReportContext) -> Markup:
    name = f"{context.key}-highlights"
    return element(
        "span",
        element("span", "Highlight", class_="name", id=name),
        element(
            "span",
            *(
                element(
                    "button", label, type="button", class_="mode", data_mode=mode,
                    aria_pressed="true" if mode == "off" else "false",
                )
                for mode, label in (("off", "Off"), ("topic", "Topic"), ("all", "All"))
            ),
            class_="switch", role="group", aria_labelledby=name,
        ),
        class_="highlights",
    )  # fmt: skip


def _steps() -> Markup:
    return element(
        "span",
        element(
            "button", "‹", type="button", class_="previous", aria_keyshortcuts="p",
            aria_label="Previous segment", title="Previous segment (p)",
        ),
        element("span", class_="place", aria_hidden="true"),
        element(
            "button", "›", type="button", class_="next", aria_keyshortcuts="n",
            aria_label="Next segment", title="Next segment (n)",
        ),
        class_="steps",
    )  # fmt: skip


def _help() -> Markup:
    rows = (
        part
        for key, action in _KEYS
        for part in (element("dt", element("kbd", key)), element("dd", action))
    )
    return element(
        "details",
        element("summary", "Keys"),
        element(
            "div",
            element("dl", *rows),
            element(
                "label", element("input", type="checkbox", class_="keys", checked=True),
                " Use these keys",
            ),
            class_="sheet",
        ),
        class_="help",
    )  # fmt: skip


def _theme() -> Markup:
    return element(
        "button", "◐", type="button", class_="theme", aria_pressed="false",
        aria_label="Dark theme", title="Light or dark",
    )  # fmt: skip


def contents(context: ReportContext) -> Markup:
    """Return the outline, with a link from each entry to its place in the text.

    Entries above the segments are open, and those down to the default depth of the result; the
    others can be opened. Each entry shows the page or the time at which it begins, or else how long
    it takes to read.
    """
    segments = context.result.segments
    numbers = {segment.sentences: i for i, segment in enumerate(segments, start=1)}
    firsts = {segment.sentences[0]: i for i, segment in enumerate(segments, start=1)}
    is_short = sum(1 for _ in context.outline.walk()) <= _MAX_OPEN_ENTRIES

    n_open_levels = context.result.default_depth - 1

    def items(
        entries: Sequence[Entry], level: int, *, below: bool, lang: str | None = None
    ) -> Markup:
        return element("ol", *(item(entry, level, below=below) for entry in entries), lang=lang)

    def item(entry: Entry, level: int, *, below: bool) -> Markup:
        number = numbers.pop(entry.sentences, None)  # an only child is as long as its parent
        first = firsts.get(entry.sentences[0])
        target = f"s{entry.sentences[0]}" if below else f"g{first}"
        link = element(
            "a",
            element("span", number, class_="no") if number else None,
            bdi(short(entry.title)),
            element("span", _size(context, entry), class_="size"),
            voices(context, *entry.sentences, in_outline=True) if number or not below else None,
            href=f"#{context.key}-{target}",
            data_segment=number,
        )
        below = below or number is not None
        if not entry.children:
            return element("li", link)
        summary = element("summary", element("span", "Entries below ", bdi(short(entry.title))))
        inside = items(entry.children, level + 1, below=below)
        is_open = is_short or not below or level <= n_open_levels
        return element("li", link, element("details", summary, inside, open=is_open))

    return element(
        "div",
        element("svg", class_="minimap", aria_hidden="true", preserveAspectRatio="none"),
        element(
            "nav",
            context.heading(1, "Outline"),
            items(context.outline, 1, below=False, lang=context.language),
            class_="outline",
            id=f"{context.key}-outline",
            aria_label=f"Outline of {context.title}",
        ),
        class_="side",
    )


def _size(context: ReportContext, entry: Entry) -> str:
    return context.begins_at(entry.sentences[0]) or f"{context.minutes(*entry.sentences)} min"


def key_sentences(context: ReportContext) -> Markup | None:
    """Return the most central sentences, as links; None if the text is very short."""
    if not context.summary:
        return None
    links = (
        element(
            "a",
            bdi(excerpt(context.sentence(s.index), _MAX_SENTENCE_LENGTH)),
            href=f"#{context.key}-s{s.index}",
        )
        for s in context.summary
    )
    items = (element("li", link) for link in links)
    return context.section(
        "In short", element("ul", *items, lang=context.language), class_="summary"
    )


def full_text(context: ReportContext) -> Markup:
    """Return the whole text in pieces, with a head where each segment begins."""
    segments = context.result.segments
    gists = [
        context.sentence(gist) if isinstance(gist, int) else gist or ""
        for gist in context.gists(segments)
    ]
    heads = {
        segment.sentences[0]: _head(context, number, segment, gist)
        for number, (segment, gist) in enumerate(zip(segments, gists, strict=True), start=1)
    }
    return context.section(
        "Text",
        *(
            part
            for start, piece in zip(context.cuts.pieces, context.text.pieces, strict=True)
            for part in (heads.get(start), piece)
        ),
        class_="text wrapped" if context.text.wrapped else "text",
        id=f"{context.key}-text",
        tabindex=-1,
        lang=context.language,
    )


def _head(context: ReportContext, number: int, segment: Segment, gist: str) -> Markup:
    """Return the title, length, place, topic and summary of a segment."""
    first, end = segment.sentences
    return element(
        "header",
        context.heading(2, element("span", number, class_="no"), " ", bdi(short(segment.title))),
        element(
            "p",
            element("span", f"{context.minutes(first, end)} min", class_="minutes"),
            element("span", str(segment.place or ""), class_="range"),
            element("span", bdi(short(segment_context(segment))), class_="headings")
            if context.has_headings
            else None,
            voices(context, first, end),
            element("span", *_strongest(context, segment), class_="strongest"),
            class_="meta",
        ),
        element("p", bdi(excerpt(gist, MAX_SUMMARY_LENGTH)), class_="gist", hidden=not gist,
                data_keep_hidden=not gist),
        class_="head",
        id=f"{context.key}-g{number}",
    )  # fmt: skip


def _strongest(context: ReportContext, segment: Segment) -> tuple[object, ...]:
    if segment.topic is None:
        return ()
    label = context.result.topics[segment.topic].label
    return badge(segment.topic), " ", bdi(short(label))


def search_hits(context: ReportContext) -> Markup:
    """Return an empty list, which the script fills and shows."""
    return context.section(
        "Found",
        element("button", "Close", type="button", class_="close"),
        element("p", class_="hint", role="status"),
        element("div", class_="hits", tabindex=0, role="region", aria_label="Sentences found"),
        class_="found",
        hidden=True,
        data_keep_hidden=True,
    )
