"""The name of the document, its sizes, and notes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from docbats.render.html.markup import Markup, bdi, element, joined
from docbats.render.html.report_context import short
from docbats.render.one_line import counted
from docbats.segments.measure import unit_name
from docbats.settings import PRESETS, Settings
from docbats.text.languages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docbats.render.html.report_context import ReportContext
    from docbats.result import Result

__all__ = ["header"]


def header(context: ReportContext) -> Markup:
    """Return the name of the document, its numbers of sentences, segments and topics, and notes."""
    result = context.result
    k, m = len(result.segments), len(result.document)
    facts = joined(
        counted(m, "sentence"),
        f" · {counted(context.minutes(0, m), 'minute')} to read · ",
        element("span", counted(k, "segment"), class_="count"),
        " as requested" if result.choice is None else "",
        f" · {counted(len(result.topics), 'topic')}{_method(result)}{_language(result)}",
    )
    notes = [*result.notes, *_omissions(context)]
    if result.choice is not None and len(result.choice.gains) == 1:
        notes.insert(0, result.choice.reason)
    return element(
        "header",
        context.heading(
            0, bdi(context.title), id=f"{context.key}-title", title=short(context.name) or None
        ),
        element("p", facts, class_="facts"),
        *(element("p", note, class_="note") for note in notes),
    )


def _omissions(context: ReportContext) -> Iterator[str]:
    """Yield what the page shows otherwise than the result has it."""
    settings = context.result.settings
    if settings.overlap:
        yield (
            f"Segments overlap by {settings.overlap} {unit_name(settings.size_unit)}; the text "
            "below shows each sentence once."
        )


def _language(result: Result) -> str:
    return "" if result.language in {"en", None} else f" · {LANGUAGES[result.language]}"


def _method(result: Result) -> str:
    """Describe how the text was cut, if not by the default preset."""
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
            return "" if preset == Settings() else f" · method {name}"
    return " · own settings"
