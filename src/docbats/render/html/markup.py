"""HTML elements, in which all text is escaped unless it is markup already."""

from __future__ import annotations

import html
import json
import re

__all__ = ["Markup", "bdi", "data_block", "element", "escaped", "joined"]

_VOID_TAGS = frozenset({"input", "meta"})
_NOT_IN_HTML = re.compile("[\x00\ud800-\udfff]")


class Markup(str):
    """HTML that goes into a page as it is."""

    __slots__ = ()


def escaped(text: str) -> Markup:
    """Return HTML that shows a text.

    >>> escaped("</script> & co.")
    '&lt;/script&gt; &amp; co.'
    """
    return Markup(html.escape(_NOT_IN_HTML.sub("\ufffd", text), quote=False))


def element(tag: str, *content: object, **attributes: object) -> Markup:
    """Return an element; content that is None and attributes that are None or False are left out.

    >>> element("p", "1 < 2", class_="sum", aria_hidden="true", hidden=True)
    '<p class="sum" aria-hidden="true" hidden>1 &lt; 2</p>'
    """
    opening = Markup(f"<{tag}{''.join(map(_attribute, attributes, attributes.values()))}>")
    if tag in _VOID_TAGS:
        return opening
    return Markup(f"{opening}{joined(*content)}</{tag}>")


def joined(*content: object) -> Markup:
    """Join markup, and text that gets escaped."""
    return Markup("".join(map(_ready, content)))


def bdi(text: str) -> Markup:
    """Return text of the document, whose writing direction affects nothing beside it."""
    return element("bdi", text)


def data_block(value: object) -> Markup:
    r"""Return values for the script of the page; nothing in them can end the block.

    >>> print(data_block("</script>"))
    <script type="application/json">"\u003c/script\u003e"</script>
    """
    text = json.dumps(value, separators=(",", ":"))
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return element("script", Markup(text), type="application/json")


def _ready(content: object) -> str:
    if content is None:
        return ""
    return content if isinstance(content, Markup) else escaped(str(content))


def _attribute(name: str, value: object) -> str:
    name = name.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    if value is True:
        return f" {name}"
    quoted = escaped(str(value)).replace('"', "&quot;")
    return f' {name}="{quoted}"'
