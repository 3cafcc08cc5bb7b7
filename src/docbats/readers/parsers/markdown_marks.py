"""The marks of Markdown inside a block, which are no words: bullets, targets of links, tags."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["inline_marks", "is_links_only", "line_marks", "links_to_anchors", "plain_title"]

_ATX = re.compile(r"\A[ \t]*+#{1,6}(?=\s|$)|(?<=\s)#++[ \t]*+$")
_UNDERLINE = re.compile(r"(?:\r\n?|\n)[ \t]*(?:=+|-+)[ \t]*$")
_ITEM_OR_QUOTE = re.compile(
    r"[ \t]*+(?:(?:[-*+]|\d{1,9}[.)])(?:[ \t]++|$)|>[ \t]*+)*+(?:\[[ xX]\](?=[ \t]))?+"
)
_QUOTE = re.compile(r"(?:\r\n?|\n)[ \t]*+(?:>[ \t]*+)++")
_INLINE = re.compile(
    r"""
    !\[[^\]]{0,500}\]\([^()]{0,500}\)                          # an image
    |(?<=\]\()[^()\s]++(?:\([^()]*+\))?+[^()]*+(?=\))          # the target of a link
    |(?<=\])\[[^\[\]]{0,200}\]                                 # the label of a link
    |\[[\^!][^\[\]\s]{1,100}\]                                 # a footnote or an alert
    |<!--.*?(?:-->|\Z)
    |<(?:/?[a-zA-Z][a-zA-Z0-9-]*(?:[\s/][^<>]{0,2000})?|(?:https?|ftp|mailto):[^<>\s]{0,2000})>
    |\{\{[^{}]{0,200}\}\}
    """,
    re.DOTALL | re.VERBOSE,
)
_LINK = re.compile(r"!?\[([^\]]{0,500})\](?:\([^)]{0,500}\)|\[[^\]]{0,500}\])")
_TAG = re.compile(r"</?[a-zA-Z!][^<>]*>")
_EMPHASIS = re.compile(r"(?<!\w)[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?!\w)|`+")
_ATTRIBUTES = re.compile(r"(?<![ \t])[ \t]*+\{[#.:][^{}]*+\}$")
_CODE_SPAN = re.compile(r"(?<!`)(`{1,3})(?!`)([^`]{1,500})(?<!`)\1(?!`)")
_HIDE = {code: code + 0xE000 for code in range(0x21, 0x7F) if not chr(code).isalnum()}
_SHOW = {hidden: code for code, hidden in _HIDE.items()}
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_ONE_LINK = (
    r"\[(?:[^\[\]\\]|\\.|\[[^\[\]]*+\])++\](?:\([^()]*+(?:\([^()]*+\)[^()]*+)?+\)|\[[^\[\]]*+\])"
)
_LINKS_ONLY = re.compile(rf"(?:[\s*_~`\d.,;:|/()·•–—-]*+{_ONE_LINK})++[\s*_~`.,;:|/)·•–—-]*+")
_ANCHOR = re.compile(r"\]\(\s*#")
_TARGET = re.compile(r"\]\(|\]\[")
_MAX_LINE_OF_LINKS = 1000  # characters


def line_marks(written: str, *, is_heading: bool, is_contained: bool) -> Iterator[tuple[int, int]]:
    """Yield the spans of what marks the lines of a block: ``#``, ``===``, bullets and ``>``."""
    if is_heading:
        for pattern in (_ATX, _UNDERLINE):
            yield from (found.span() for found in pattern.finditer(written))
    elif is_contained:
        first = _ITEM_OR_QUOTE.match(written)
        if first is not None:
            yield first.span()
        yield from (found.span() for found in _QUOTE.finditer(written))


def inline_marks(written: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of images, targets of links, tags and macros."""
    return (found.span() for found in _INLINE.finditer(written))


def plain_title(written: str) -> str:
    r"""Return the words of a heading without their marks.

    >>> plain_title("**Install** with [`pip`](https://pypi.org) {#install}")
    'Install with pip'
    >>> plain_title("`Box<T>` and `__init__`, not \\*args")
    'Box<T> and __init__, not *args'
    """
    # What is escaped or code is no mark: it is hidden while marks are taken away.
    words = _ESCAPE.sub(lambda found: found[1].translate(_HIDE), written.strip())
    words = _CODE_SPAN.sub(lambda found: found[2].strip().translate(_HIDE), words)
    words = _LINK.sub(r"\1", _ATTRIBUTES.sub("", words))
    words = _EMPHASIS.sub("", _TAG.sub("", words))
    return " ".join(words.translate(_SHOW).split())


def is_links_only(content: str) -> bool:
    """Whether an item of a list holds links, and no word beside them."""
    return len(content) <= _MAX_LINE_OF_LINKS and _LINKS_ONLY.fullmatch(content) is not None


def links_to_anchors(content: str) -> bool:
    """Whether all links of an item lead to places in the same document."""
    return len(_ANCHOR.findall(content)) == len(_TARGET.findall(content))
