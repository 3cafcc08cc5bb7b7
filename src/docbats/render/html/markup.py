"""HTML elements and pages, in which all text is escaped unless it is markup already."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re

_VOID_TAGS = frozenset({"input", "meta"})
_NOT_IN_HTML = re.compile("[\x00\ud800-\udfff]")


class Markup(str):
    """HTML that goes into a page as it is."""

    __slots__ = ()


def escape_html(text: str) -> Markup:
    """Return HTML that shows a text.

    >>> escape_html("</script> & co.")
    '&lt;/script&gt; &amp; co.'
    """
    return Markup(html.escape(_NOT_IN_HTML.sub("\ufffd", text), quote=False))


def element(tag: str, *content: object, **attributes: object) -> Markup:
    """Return an element; content that is None and attributes that are None or False are left out.

    >>> element("p", "1 < 2", class_="sum", aria_hidden="true", hidden=True)
    '<p class="sum" aria-hidden="true" hidden>1 &lt; 2</p>'
    """
    opening = f"<{tag}{''.join(map(_attribute, attributes, attributes.values()))}>"
    return Markup(opening if tag in _VOID_TAGS else f"{opening}{joined(*content)}</{tag}>")


def joined(*content: object) -> Markup:
    """Join markup and text, which is escaped; None is left out."""
    parts = (c if isinstance(c, Markup) else escape_html(str(c)) for c in content if c is not None)
    return Markup("".join(parts))


def bdi(text: str) -> Markup:
    """Return text of a document, isolated so that its writing direction affects nothing else."""
    return element("bdi", text)


def data_block(value: object) -> Markup:
    r"""Return values for the page's script; nothing in them can end the block.

    >>> print(data_block("</script>"))
    <script type="application/json">"\u003c/script\u003e"</script>
    """
    text = json.dumps(value, separators=(",", ":"))
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return element("script", Markup(text), type="application/json")


def html_page(
    title: str,
    *content: object,
    style: Markup,
    script: Markup,
    media: str = "",
    class_: str | None = None,
) -> Markup:
    """Return a page that loads nothing, and in which only this style and this script can run.

    `media` is the source of a recording that it may play, as in a content security policy.
    """
    policy = (
        f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}; "
        f"{f'media-src {media}; ' if media else ''}base-uri 'none'; form-action 'none'"
    )
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", title),
        element("style", style),
    )
    body = element("body", *content, element("script", script), class_=class_)
    return joined(Markup("<!doctype html>\n"), element("html", head, "\n", body, lang="en"), "\n")


def _attribute(name: str, value: object) -> str:
    name = name.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    if value is True:
        return f" {name}"
    quoted = escape_html(str(value)).replace('"', "&quot;")
    return f' {name}="{quoted}"'


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
