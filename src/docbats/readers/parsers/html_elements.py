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
    "dialog", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header",
    "hgroup", "hr", "html", "legend", "li", "main", "menu", "nav", "ol", "p", "pre", "section",
    "summary", "table", "tbody", "tfoot", "thead", "tr", "ul", *HEADING_TAGS,
}
CLOSED_BY_ITS_LIKE = {"p", "li", "dd", "dt", "tr", "td", "th", "option", *HEADING_TAGS}
_SITE_TAGS = {
    "aside", "audio", "button", "canvas", "datalist", "dialog", "footer", "form", "menu", "nav",
    "object", "select", "video",
}
_NEVER_SHOWN = RAW_TAGS | {"head", "template", "noscript", "svg", "math"}
_SITE_ROLES = {"navigation", "banner", "contentinfo", "search", "complementary", "dialog"}
_SITE_WORDS = frozenset({
    "ad", "ads", "advert", "advertisement", "adverts", "banner", "breadcrumb", "breadcrumbs",
    "byline", "comment", "comments", "consent", "cookie", "cookies", "disqus", "footer", "lineno",
    "linenos", "masthead", "menu", "nav", "navbar", "navigation", "newsletter", "noprint", "pager",
    "pagination", "promo", "recommendations", "recommended", "related", "share", "sharing",
    "sidebar", "social", "sponsored", "subscribe", "teaser", "teasers",
})
_COMMENT_WORDS = frozenset({"comment", "comments", "commentlist", "disqus"})
_CONTENT_WORDS = frozenset({"article", "body", "content", "contents", "main", "story", "text"})
# Before a word of the site they say that something else has it, or has it not: "no-share".
_NOT_ITSELF = frozenset({"has", "hide", "hidden", "is", "no", "with", "without"})
_SITE_NAMES = re.compile(r"(?:^|\s)(?:mw-editsection|skip-link)(?=$|\s)")
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
_NAME_SEPARATOR = re.compile(r"[-_]+")
_MAX_NAMES = 30  # of the classes of an element
_PERMALINK_NAME = re.compile(
    r"(?:^|\s)(?:headerlink|permalink|anchor(?:js)?-?link|heading-?link|hash-link)(?=$|\s)"
)


_MARKED_TAGS = _NEVER_SHOWN | _SITE_TAGS | {"main", "article", "header"}


def element_marks(
    name: str,
    attributes: dict[str, str],
    *,
    is_book: bool,
    in_main: bool = False,
    in_section: bool = False,
) -> frozenset[str]:
    """Return what an element is: main, link, number, contents, references, hidden, site, comments.

    Menus and the like are of the site, but in the main part of a page they are contents. In a book
    nothing is of a site. The page itself is never a menu, whatever its class.
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
        "contents": _is_contents(attributes) or (name == "nav" and (in_main or is_book)),
        "site": False,
        "hidden": _is_hidden(name, attributes) or _is_permalink(name, attributes),
    }
    if not (is_book or known["main"] or known["references"] or known["contents"]):
        is_page_header = name == "header" and not in_main and not in_section
        is_site = is_page_header or _is_of_site(name, attributes)
        known["site" if name in BLOCK_TAGS else "hidden"] |= is_site
        known["comments"] = is_site and _is_comments(name, attributes)
    return frozenset(mark for mark, is_so in known.items() if is_so)


def _is_hidden(name: str, attributes: dict[str, str]) -> bool:
    """Whether an element is not shown."""
    style = attributes.get("style", "").replace(" ", "")
    hidden = "hidden" in attributes or attributes.get("aria-hidden") == "true"
    return name in _NEVER_SHOWN or hidden or "display:none" in style


def _is_of_site(name: str, attributes: dict[str, str]) -> bool:
    """Whether an element belongs to the site rather than to the text, by its tag, role or names."""
    if name in _SITE_TAGS or attributes.get("role") in _SITE_ROLES:
        return True
    classes = attributes.get("class", "")
    if _SITE_NAMES.search(classes):
        return True
    names = classes.split()[:_MAX_NAMES]
    if name in {"div", "ul", "table", "td"}:  # the ids of others are often made of their words
        names += attributes.get("id", "").split()[:1]
    return any(map(_names_site, names)) and not any(map(_names_content, names))


def _is_comments(name: str, attributes: dict[str, str]) -> bool:
    """Whether an element holds what readers have written, by its names."""
    if name not in BLOCK_TAGS:
        return False
    names = [*attributes.get("class", "").split()[:_MAX_NAMES], attributes.get("id", "")]
    return any(not _COMMENT_WORDS.isdisjoint(_words(found)) for found in names)


def _names_site(name: str) -> bool:
    """Whether a class or id is that of a part of the site.

    >>> _names_site("post-share"), _names_site("no-share"), _names_site("content-sidebar-wrap")
    (True, False, False)
    """
    words = _words(name)
    return (
        not _SITE_WORDS.isdisjoint(words)
        and words[0] not in _NOT_ITSELF
        and (words[-1] in _SITE_WORDS or _CONTENT_WORDS.isdisjoint(words))
    )


def _names_content(name: str) -> bool:
    """Whether a class or id is that of the text itself, such as "entry-content"."""
    return _words(name)[-1] in _CONTENT_WORDS


def _words(name: str) -> list[str]:
    """Return the words of a class or id, without what "--" adds to it.

    >>> _words("page__section--ads"), _words("site-nav")
    (['page', 'section'], ['site', 'nav'])
    """
    return [word for word in _NAME_SEPARATOR.split(name.partition("--")[0]) if word] or [""]


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
