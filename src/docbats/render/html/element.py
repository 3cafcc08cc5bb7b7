"""HTML made of elements, in which all text is escaped unless it is markup already."""

from __future__ import annotations

import html
import json
import re

__all__ = ["Markup", "bdi", "data_block", "element", "escaped", "joined"]

_VOID = frozenset({"input", "meta"})
_NO_TEXT = re.compile("[\x00\ud800-\udfff]")  # no HTML file can hold these


class Markup(str):
    """HTML that is ready to stand in a page."""

    __slots__ = ()


def escaped(text: str) -> Markup:
    """Turn text into HTML that shows it.

    >>> escaped("</script> & co.")
    '&lt;/script&gt; &amp; co.'
    """
    return Markup(html.escape(_NO_TEXT.sub("\ufffd", text), quote=False))


def element(tag: str, *content: object, **attributes: object) -> Markup:
    """Make an element; content that is None and attributes that are None or False are left out.

    >>> element("p", "1 < 2", class_="sum", aria_hidden="true", hidden=True)
    '<p class="sum" aria-hidden="true" hidden>1 &lt; 2</p>'
    """
    opening = Markup(f"<{tag}{''.join(map(_attribute, attributes, attributes.values()))}>")
    if tag in _VOID:
        return opening
    return Markup(f"{opening}{joined(*content)}</{tag}>")


def joined(*content: object) -> Markup:
    """Put markup, and text that is escaped, one after the other."""
    return Markup("".join(map(_ready, content)))


def bdi(text: str) -> Markup:
    """Show text from the document whose direction must not reach what stands beside it."""
    return element("bdi", text)


def data_block(value: object) -> Markup:
    r"""Give values to the script of the page; nothing in them can end the block.

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
