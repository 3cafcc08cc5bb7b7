"""The name of the document, its sizes, and what there is to note."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from docbats.render.html.element import Markup, bdi, element, joined
from docbats.render.html.shown import short
from docbats.render.plain import counted
from docbats.settings import PRESETS
from docbats.text.languages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docbats.render.html.shown import Shown
    from docbats.result import Result

__all__ = ["head"]


def head(shown: Shown) -> Markup:
    """Show what the document is called and how large everything is."""
    result = shown.result
    k = len(result.segments)
    facts = joined(
        counted(len(result.document), "sentence"),
        " · ",
        element("span", counted(k, "segment"), class_="count"),
        " as asked for" if result.choice is None else "",
        f" · {counted(len(result.topics), 'topic')} · {_preset(result)}{_language(result)}",
    )
    notes = [*result.notes, *_left_out(shown)]
    if result.choice is not None and len(result.choice.gains) == 1:
        notes.insert(0, result.choice.reason)
    return element(
        "header",
        shown.heading(0, bdi(short(shown.name) or "Document"), id=f"{shown.key}-title"),
        element("p", facts, class_="facts"),
        *(element("p", note, class_="note") for note in notes),
    )


def _left_out(shown: Shown) -> Iterator[str]:
    """Say what a page of this size does without."""
    text, settings = shown.text, shown.result.settings
    if text.unit > 1:
        yield f"In a text this long, {text.unit} sentences light up together."
    if text.ranks == 0:
        yield "The words of the topics are not marked: they are too many."
    elif text.ranks is not None:
        words = counted(text.ranks, "best word")
        yield f"Of each topic only the {words} are marked in the text."
    if settings.overlap:
        yield (
            f"Segments overlap by {settings.overlap} {settings.size_unit}; the text below shows "
            "each sentence once."
        )


def _language(result: Result) -> str:
    return "" if result.language in {"en", None} else f" · {LANGUAGES[result.language]}"


def _preset(result: Result) -> str:
    for name, preset in PRESETS.items():
        changed = replace(
            result.settings,
            k=preset.k,
            n_topics=None,
            vectors=False,
            sentences=preset.sentences,
            language=preset.language,
        )
        if changed == preset:
            return f"preset {name}"
    return "settings of your own"
