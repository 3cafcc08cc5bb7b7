"""What the elements of a page are: blocks, menus, contents, references, numbers of headings."""

from __future__ import annotations

import re

from docbats.readers.parsers.html_tags import RAW_TAGS

__all__ = ["BLOCK_TAGS", "CLOSED_BY_ITS_LIKE", "HEADING_TAGS", "VOID_TAGS", "element_marks"]

# fmt: off
VOID_TAGS = {
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
}
HEADING_TAGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
BLOCK_TAGS = {
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details",
    "div", "dl", "dt", "fieldset", "figcaption", "figure", "header", "hgroup", "hr", "html",
    "legend", "li", "main", "nav", "ol", "p", "pre", "section", "summary", "table", "tbody",
    "tfoot", "thead", "tr", "ul", *HEADING_TAGS,
}
CLOSED_BY_ITS_LIKE = {"p", "li", "dd", "dt", "tr", "td", "th", "option", *HEADING_TAGS}
_BOILERPLATE_TAGS = {
    "aside", "audio", "button", "canvas", "datalist", "dialog", "footer", "form", "menu", "nav",
    "object", "select", "video",
}
_NEVER_SHOWN = RAW_TAGS | {"head", "template", "noscript", "svg", "math"}
_BOILERPLATE_ROLES = {"navigation", "banner", "contentinfo", "search", "complementary", "dialog"}
_BOILERPLATE_NAME = re.compile(
    r"(?:^|[\s_-])(?:nav(?:bar|igation)?|menu|sidebar|breadcrumbs?|cookies?|consent|share|sharing|"
    r"social|related|promo|adverts?|ads?|newsletter|subscribe|pagination|pager|skip-link|"
    r"byline|comments?|footer|masthead|mw-editsection|linenos?|lineno|noprint)(?=$|[\s_-])",
    re.IGNORECASE,
)
_CONTENTS_NAME = re.compile(
    r"(?:^|[\s_-])(?:toc|tocs|table-of-contents|toctree-wrapper)(?=$|[\s_-])|"
    r"(?:^|\s)contents (?:local )?topic(?=$|\s)"
)
_CONTENTS_TYPES = {"toc", "loi", "lot", "landmarks", "page-list", "doc-toc", "doc-pagelist"}
_REFERENCES_NAME = re.compile(
    r"(?:^|\s)(?:footnotes?|endnotes?|references|reflist|bibliography|citations?)(?=$|\s)"
)
_REFERENCES_TYPES = {
    "footnote", "footnotes", "endnote", "endnotes", "rearnote", "rearnotes", "bibliography",
    "doc-footnote", "doc-endnotes", "doc-bibliography",
}
_NUMBER_NAME = re.compile(
    r"(?:^|\s)(?:(?:header-)?section-?number|secno|sectnum|chapter-?number|heading-?number|"
    r"ltx_tag|titlenumber|sec-?num)(?=$|[\s_-])"
)
# fmt: on
_PERMALINK_NAME = re.compile(
    r"(?:^|\s)(?:headerlink|permalink|anchor(?:js)?-?link|heading-?link|hash-link)(?=$|\s)"
)


_MARKED_TAGS = _NEVER_SHOWN | _BOILERPLATE_TAGS | {"main", "article", "header"}


def element_marks(
    name: str,
    attributes: dict[str, str],
    *,
    drops_menus: bool,
    in_main: bool = False,
    in_section: bool = False,
) -> frozenset[str]:
    """Return what an element is: main, link, number, contents, references or dropped.

    Menus and other parts of the site are dropped if `drops_menus`; those in the main part of a
    page are contents. The page itself is never a menu, whatever its class.
    """
    if not attributes and name not in _MARKED_TAGS:
        return frozenset()
    is_main = name in {"main", "article"} or attributes.get("role") == "main"
    if name in {"html", "body"}:
        return frozenset({"main"} if is_main else ())
    known = {
        "main": is_main,
        "link": name == "a" and "href" in attributes,
        "number": _is_number(attributes),
        "references": _is_references(name, attributes),
        "contents": _is_contents(attributes) or (name == "nav" and (in_main or not drops_menus)),
        "dropped": _is_hidden(name, attributes) or _is_permalink(name, attributes),
    }
    if drops_menus and not (known["main"] or known["references"] or known["contents"]):
        is_page_header = name == "header" and not in_main and not in_section
        known["dropped"] |= is_page_header or _is_boilerplate(name, attributes)
    return frozenset(mark for mark, is_so in known.items() if is_so)


def _is_hidden(name: str, attributes: dict[str, str]) -> bool:
    """Whether an element is not shown."""
    style = attributes.get("style", "").replace(" ", "")
    hidden = "hidden" in attributes or attributes.get("aria-hidden") == "true"
    return name in _NEVER_SHOWN or hidden or "display:none" in style


def _is_boilerplate(name: str, attributes: dict[str, str]) -> bool:
    """Whether an element belongs to the site rather than to the text."""
    is_named_so = any(_BOILERPLATE_NAME.search(attributes.get(key, "")) for key in ("class", "id"))
    return name in _BOILERPLATE_TAGS or attributes.get("role") in _BOILERPLATE_ROLES or is_named_so


def _is_contents(attributes: dict[str, str]) -> bool:
    """Whether an element is a table of contents."""
    is_named_so = any(_CONTENTS_NAME.search(attributes.get(key, "")) for key in ("class", "id"))
    return is_named_so or bool(_types(attributes) & _CONTENTS_TYPES)


def _is_references(name: str, attributes: dict[str, str]) -> bool:
    """Whether an element holds notes or a bibliography, rather than a mark that leads there."""
    if not attributes or name not in BLOCK_TAGS:
        return False
    is_named_so = _REFERENCES_NAME.search(attributes.get("class", "")) is not None
    return is_named_so or bool(_types(attributes) & _REFERENCES_TYPES)


def _is_number(attributes: dict[str, str]) -> bool:
    """Whether an element in a heading is its number."""
    is_named_so = _NUMBER_NAME.search(attributes.get("class", "")) is not None
    return is_named_so or any("ordinal" in kind for kind in _types(attributes))


def _is_permalink(name: str, attributes: dict[str, str]) -> bool:
    """Whether an element in a heading only links to it."""
    return name == "a" and _PERMALINK_NAME.search(attributes.get("class", "")) is not None


def _types(attributes: dict[str, str]) -> set[str]:
    return {*attributes.get("epub:type", "").split(), *attributes.get("role", "").split()}
