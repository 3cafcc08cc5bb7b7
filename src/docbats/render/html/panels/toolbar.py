"""The toolbar that stays visible: the slider, previous and next, and switches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.render.html.markup import Markup, element
from docbats.render.one_line import counted

if TYPE_CHECKING:
    from docbats.render.html.report_context import ReportContext

__all__ = ["toolbar"]


def toolbar(context: ReportContext, *, theme_button: bool) -> Markup:
    """Return the controls, hidden until the script runs."""
    return element(
        "div",
        element(
            "button", "Outline", type="button", class_="menu", aria_expanded="false",
            aria_controls=f"{context.key}-outline",
        ),
        _slider(context) if len(context.cuts.segments) > 1 else None,
        _steps(),
        element(
            "label", element("input", type="checkbox", class_="keys", checked=True),
            "Keys n, p",
            class_="switch", title="Keys n and p go to the next and the previous segment",
        ),
        _theme() if theme_button else None,
        class_="bar", role="group", aria_label="Reading", hidden=True,
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


def _steps() -> Markup:
    return element(
        "span",
        element(
            "button", element("kbd", "p"), " ", element("span", "Previous"),
            type="button", class_="previous", aria_keyshortcuts="p",
        ),
        element("span", class_="place", aria_hidden="true"),
        element(
            "button", element("span", "Next"), " ", element("kbd", "n"),
            type="button", class_="next", aria_keyshortcuts="n",
        ),
        class_="steps",
    )  # fmt: skip


def _theme() -> Markup:
    return element(
        "button", "◐", type="button", class_="theme", aria_pressed="false",
        aria_label="Dark theme", title="Light or dark",
    )  # fmt: skip
