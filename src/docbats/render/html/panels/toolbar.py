"""The toolbar that stays visible: tabs, the slider, previous and next, highlights and search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.render.html.markup import Markup, element
from docbats.render.one_line import counted

if TYPE_CHECKING:
    from docbats.render.html.report_context import ReportContext

__all__ = ["toolbar"]

_KEYS = (
    ("n, p", "next and previous segment"),
    ("/", "search"),
    ("h", "highlights: off, this topic, all"),
    ("f", "figures, and back to the text"),
)


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
