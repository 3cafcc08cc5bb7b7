"""A report as one file that needs nothing else, and as a frame in a notebook."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from docbats.render.html.article import render_article
from docbats.render.html.markup import Markup, element, joined
from docbats.render.one_line import excerpt

if TYPE_CHECKING:
    from docbats.result import Result

_DOCTYPE = Markup("<!doctype html>\n")
_FRAME_HEIGHT = 640  # pixels
_ASSETS = {
    "view.css": ("theme.css", "reader.css", "figures.css", "narrow.css", "print.css"),
    "view.js": (
        "elements.js",
        "highlights.js",
        "search.js",
        "outline.js",
        "minimap.js",
        "figures.js",
        "view.js",
        "page.js",
    ),
}


def render_page(result: Result, name: str = "") -> str:
    """Return a result as a page that loads nothing.

    Only our style sheet and our script can run in it, whatever the document holds.
    """
    style, script = asset("view.css"), asset("view.js")
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    title = f"{excerpt(name, 80)} · docbats" if name else "docbats"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", title),
        element("style", style),
    )
    view = render_article(result, name, level=1, theme_button=True)
    body = element("body", element("main", view), element("script", script), class_="docbats-page")
    return joined(_DOCTYPE, element("html", head, "\n", body, lang="en"), "\n")


def render_frame(result: Result, name: str = "") -> str:
    """Return a result as a frame, which keeps its style and script from other notebook cells."""
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
    """Return the text of view.css or view.js, which goes into the page as it is.

    Both are made of the files of the folder ``assets``; those of the script share one scope.
    """
    folder = files("docbats.render").joinpath("assets")
    parts = [folder.joinpath(part).read_text(encoding="utf-8") for part in _ASSETS[name]]
    if name == "view.js":
        return Markup('"use strict";\n\n(() => {\n' + "\n".join(parts) + "})();\n")
    return Markup("\n".join(parts))


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
