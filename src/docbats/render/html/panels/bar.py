"""The bar that stays in sight: the slider, the way on and back, and switches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.render.html.element import Markup, element
from docbats.render.plain import counted

if TYPE_CHECKING:
    from docbats.render.html.shown import Shown

__all__ = ["bar"]


def bar(shown: Shown, *, theme_button: bool) -> Markup:
    """Show what a reader can do; hidden until the script is there to do it."""
    return element(
        "div",
        element(
            "button", "Outline", type="button", class_="menu", aria_expanded="false",
            aria_controls=f"{shown.key}-outline",
        ),
        _slider(shown) if len(shown.cuts.segments) > 1 else None,
        _steps(),
        element(
            "label", element("input", type="checkbox", class_="keys", checked=True),
            "Keys n, p",
            class_="switch", title="Whether the keys n and p lead on and back",
        ),
        _theme() if theme_button else None,
        class_="bar", role="group", aria_label="Reading", hidden=True,
    )  # fmt: skip


def _slider(shown: Shown) -> Markup:
    ks = [len(cut) for cut in shown.cuts.segments]
    own = shown.cuts.own
    return element(
        "span",
        element("label", "Segments", for_=f"{shown.key}-k"),
        element(
            "input", type="range", class_="slider", id=f"{shown.key}-k", min=0,
            max=len(ks) - 1, value=own, step=1, aria_valuetext=counted(ks[own], "segment"),
        ),
        element("output", ks[own], class_="k", for_=f"{shown.key}-k"),
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
