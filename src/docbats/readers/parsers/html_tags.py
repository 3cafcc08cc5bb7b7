"""The tags and the text of an HTML page, one after the other, as forgiving as a browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from docbats.readers.parsers.entities import unescape

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["RAW_TAGS", "EndTag", "StartTag", "Text", "scan_tags"]

# A tag with its attributes; one that is longer than this, or whose quotes never close, ends at its
# next ">", so that no page takes more than linear time.
_MAX_TAG_LENGTH = 1000
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/><]*)((?:[^>\"']|\"[^\"]*\"|'[^']*')*+)>")
_SHORT_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/><]*)([^>]*)>")
_ATTRIBUTE = re.compile(r"""([\w:-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""")
_ATTRIBUTES = {"class", "id", "role", "hidden", "aria-hidden", "style", "epub:type", "href"}
RAW_TAGS = {"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"}
_RAW_TEXT_END = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in RAW_TAGS}


class Text(NamedTuple):
    """What stands between tags, with its entities replaced."""

    text: str


class StartTag(NamedTuple):
    """The beginning of an element, and those of its attributes that matter, in lower case."""

    name: str
    attributes: dict[str, str]


class EndTag(NamedTuple):
    """The end of an element."""

    name: str


def scan_tags(page: str, *, is_xml: bool) -> Iterator[Text | StartTag | EndTag]:
    """Yield tags and text; without comments and what is in scripts and the like.

    In XML, ``<a/>`` is an element that ends where it begins; elsewhere its end has to follow.
    """
    place, last = 0, page.rfind(">")  # after which no tag can end
    while (at := page.find("<", place, last)) >= 0:
        if at > place:
            yield Text(unescape(page[place:at]))
        if page.startswith(("<!", "<?"), at):
            mark = "-->" if page.startswith("<!--", at) else ">"
            end = page.find(mark, at + 4 if mark == "-->" else at)
            place = len(page) if end < 0 else end + len(mark)
            continue
        tag = _TAG.match(page, at, at + _MAX_TAG_LENGTH) or _SHORT_TAG.match(page, at)
        if tag is None:
            yield Text("<")
            place = at + 1
            continue
        name, place = tag[2].lower(), tag.end()
        if tag[1]:
            yield EndTag(name)
            continue
        yield StartTag(name, _attributes(tag[3]))
        if is_xml and tag[3].endswith("/"):
            yield EndTag(name)
        elif name in RAW_TAGS:
            close = _RAW_TEXT_END[name].search(page, place)
            yield EndTag(name)
            place = len(page) if close is None else close.start()
    if place < len(page):
        yield Text(unescape(page[place:]))


def _attributes(written: str) -> dict[str, str]:
    """Return the few attributes that matter; those far into a very long tag are left out."""
    if not written.strip(" /"):
        return {}
    return {
        name.lower(): (a or b or c).lower()
        for name, a, b, c in _ATTRIBUTE.findall(written[:_MAX_TAG_LENGTH])
        if name.lower() in _ATTRIBUTES
    }
