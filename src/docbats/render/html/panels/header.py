"""The name of the document, its sizes, and notes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from docbats.render.html.markup import Markup, bdi, element, joined
from docbats.render.html.report_context import short
from docbats.render.one_line import counted
from docbats.segments.measure import unit_name
from docbats.settings import PRESETS
from docbats.text.languages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docbats.render.html.report_context import ReportContext
    from docbats.result import Result

__all__ = ["header"]


def header(context: ReportContext) -> Markup:
    """Return the name of the document, its numbers of sentences, segments and topics, and notes."""
    result = context.result
    k = len(result.segments)
    facts = joined(
        counted(len(result.document), "sentence"),
        " · ",
        element("span", counted(k, "segment"), class_="count"),
        " as requested" if result.choice is None else "",
        f" · {counted(len(result.topics), 'topic')} · {_preset(result)}{_language(result)}",
    )
    notes = [*result.notes, *_omissions(context)]
    if result.choice is not None and len(result.choice.gains) == 1:
        notes.insert(0, result.choice.reason)
    return element(
        "header",
        context.heading(0, bdi(short(context.name) or "Document"), id=f"{context.key}-title"),
        element("p", facts, class_="facts"),
        *(element("p", note, class_="note") for note in notes),
    )


def _omissions(context: ReportContext) -> Iterator[str]:
    """Yield what is left out of the page of a long text."""
    text, settings = context.text, context.result.settings
    if text.unit > 1:
        yield f"In a text this long, {text.unit} sentences are highlighted together."
    if text.ranks == 0:
        yield "The words of the topics are not marked: there are too many."
    elif text.ranks is not None:
        words = counted(text.ranks, "best word")
        yield f"Marked in the text: only the {words} of each topic."
    if settings.overlap:
        yield (
            f"Segments overlap by {settings.overlap} {unit_name(settings.size_unit)}; the text "
            "below shows each sentence once."
        )


def _language(result: Result) -> str:
    return "" if result.language in {"en", None} else f" · {LANGUAGES[result.language]}"


def _preset(result: Result) -> str:
    for name, preset in PRESETS.items():
        changed = replace(
            result.settings,
            k=preset.k,
            granularity=preset.granularity,
            n_topics=None,
            vectors=False,
            sentences=preset.sentences,
            language=preset.language,
        )
        if changed == preset:
            return f"preset {name}"
    return "custom settings"
