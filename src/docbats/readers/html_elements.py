"""What an element of a page is: by its tag, its role, and the names in its class and id."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

# fmt: off
RAW_TAGS = {"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"}
HEADING_TAGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
BLOCK_TAGS = {
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details",
    "dialog", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header",
    "hgroup", "hr", "html", "legend", "li", "main", "menu", "nav", "ol", "p", "pre", "section",
    "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul", *HEADING_TAGS,
}
_SITE_TAGS = {
    "aside", "audio", "button", "canvas", "datalist", "dialog", "footer", "form", "menu", "nav",
    "object", "select", "video",
}
_NEVER_SHOWN = RAW_TAGS | {"head", "template", "noscript", "svg", "math"}
_SITE_ROLES = {"navigation", "banner", "contentinfo", "search", "complementary", "dialog"}
_SITE_WORDS = frozenset({
    "ad", "ads", "advert", "advertisement", "adverts", "banner", "breadcrumb", "breadcrumbs",
    "byline", "comment", "comments", "consent", "cookie", "cookies", "disqus", "docnav", "footer",
    "lineno", "linenos", "masthead", "menu", "nav", "navbar", "navfooter", "navheader",
    "navigation", "newsletter", "noprint", "pager", "pagination", "promo", "recommendations",
    "recommended", "related", "share", "sharing", "sidebar", "social", "sponsored", "subscribe",
    "teaser", "teasers",
})
_COMMENT_WORDS = frozenset({"comment", "comments", "commentlist", "disqus"})
_CONTENT_WORDS = frozenset({"article", "body", "content", "contents", "main", "story", "text"})
# Before a word of the site, these say that it is about something else: "no-share".
_NOT_ITSELF = frozenset({"has", "hide", "hidden", "is", "no", "with", "without"})
_SITE_NAMES = frozenset({"mw-editsection", "skip-link"})
# The parts of documents, as DocBook, docutils, texinfo, Asciidoctor and pandoc name them.
_SECTION_NAMES = frozenset({
    "appendix", "article", "book", "chapter", "part", "preface", "refentry", "refsect1", "sect1",
    "sect2", "sect3", "sect4", "section", "subsection", "subsubsection",
})
_ADMONITION_NAMES = frozenset({
    "attention", "caution", "danger", "hint", "important", "note", "tip", "warning",
})
_ADMONITION_WORDS = frozenset({"admonition", "admonitionblock", "alert", "callout", "notecard"})
# Headings with these classes are lines of a title page.
_NOT_TITLES = frozenset({
    "affiliation", "author", "authors", "byline", "copyright", "corpauthor", "date", "edition",
    "editor", "pubdate", "releaseinfo", "subtitle",
})
_CONTENTS_NAME = re.compile(
    r"(?:^|[\s_-])(?:toc|tocs|table-of-contents|toctree-wrapper)(?=$|[\s_-])|"
    r"(?:^|\s)(?:contents (?:local )?topic|msotoc(?:\d|heading))(?=$|\s)"
)
_CONTENTS_TYPES = {"toc", "loi", "lot", "landmarks", "page-list", "doc-toc", "doc-pagelist"}
_REFERENCES_NAME = re.compile(
    r"(?:^|\s)(?:footnotes?|endnotes?|references|reflist|bibliography|citations?)(?=$|\s)"
)
_REFERENCES_TYPES = {
    "footnote", "footnotes", "endnote", "endnotes", "rearnote", "rearnotes", "bibliography",
    "doc-footnote", "doc-endnotes", "doc-bibliography",
}
_NOTE_LINK_NAMES = frozenset({
    "fnanchor", "fnref", "footnote", "footnote-ref", "footnote-reference", "footref",
    "msofootnotereference", "noteref",
})
_NOTE_LINK_TYPES = {"noteref", "doc-noteref"}
# Links with these relations lead to other pages of the same document.
_TURNING = frozenset({"contents", "index", "next", "prev", "previous", "start", "up"})
_NUMBER_NAME = re.compile(
    r"(?:^|\s)(?:(?:header-)?section-?number|secno|sectnum|chapter-?number|heading-?number|"
    r"ltx_tag|titlenumber|sec-?num)(?=$|[\s_-])"
)
# fmt: on
_NAME_SEPARATOR = re.compile(r"[-_]+")
_MAX_NAMES = 30  # classes of an element that are looked at
_PERMALINK_NAME = re.compile(
    r"(?:^|\s)(?:headerlink|permalink|anchor(?:js)?-?link|heading-?link|hash-link)(?=$|\s)"
)
_MARKED_TAGS = frozenset(
    {*_NEVER_SHOWN, *_SITE_TAGS, *HEADING_TAGS, "hgroup", "main", "article", "header", "section"}
)
_WITH_OWN_IDS = {"div", "ul", "table", "td"}  # the ids of others are often made of their words


def element_marks(
    name: str, attributes: dict[str, str], around: Mapping[str, int], *, is_book: bool
) -> frozenset[str]:
    """Return what an element is, such as main, heading, contents, hidden or site.

    `around` counts the marks of the elements around it. Menus and the like belong to the site, but
    in the main part of a page they are contents. In a book nothing belongs to a site, but what
    leads from page to page is hidden. The page itself is never a menu, whatever its class.
    """
    if not attributes and name not in _MARKED_TAGS:
        return frozenset()
    is_main = name in {"main", "article"} or attributes.get("role") == "main"
    if name in {"html", "body"}:
        return frozenset({"main"} if is_main else ())
    id_ = attributes.get("id", "").lower()
    named = _name_marks(attributes.get("class", ""), id_ if name in _WITH_OWN_IDS else "")
    types = {*attributes.get("epub:type", "").split(), *attributes.get("role", "").split()}
    is_block = name in BLOCK_TAGS
    known = {
        "main": is_main,
        "section": name == "section" or "section" in named,
        "heading": _is_heading(name, types) and "not title" not in named,
        "admonition": is_block and "admonition" in named,
        "number": "number" in named or any("ordinal" in kind for kind in types),
        "references": is_block
        and ("references" in named or not _REFERENCES_TYPES.isdisjoint(types)),
        "contents": "contents" in named
        or _CONTENTS_NAME.search(id_) is not None
        or not _CONTENTS_TYPES.isdisjoint(types)
        or (name == "nav" and (is_book or around["main"] > 0)),
        "note": "note link" in named or not _NOTE_LINK_TYPES.isdisjoint(types),
        "site": False,
        "hidden": _is_hidden(name, attributes, named),
    }
    if name == "a" and "href" in attributes:
        known["link"] = True
        known["anchor"] = "#" in attributes["href"]
        known["here"] = attributes["href"].startswith("#")
        known["turn"] = not _TURNING.isdisjoint(attributes.get("rel", "").split())
    has_site_role = not _SITE_ROLES.isdisjoint(types)
    is_part = known["main"] or known["references"] or known["contents"]
    if is_book and not is_part:
        known["hidden"] |= has_site_role and "complementary" not in types
    elif not is_part:
        in_text = around["main"] > 0 or around["section"] > 0
        is_site = name in _SITE_TAGS or has_site_role or not named.isdisjoint({"site", "sidebar"})
        is_site |= name == "header" and not in_text
        known["site" if is_block else "hidden"] |= is_site
        known["comments"] = is_block and is_site and "comments" in named
        is_aside = name == "aside" or "sidebar" in named
        known["aside"] = is_aside and in_text and not (has_site_role or "site" in named)
    return frozenset(mark for mark, applies in known.items() if applies)


def _is_heading(name: str, types: set[str]) -> bool:
    return name in HEADING_TAGS or name == "hgroup" or (name in BLOCK_TAGS and "heading" in types)


def _is_hidden(name: str, attributes: dict[str, str], named: frozenset[str]) -> bool:
    """Whether an element is not shown, or is a link to the heading that it is in."""
    return (
        name in _NEVER_SHOWN
        or "hidden" in attributes
        or attributes.get("aria-hidden") == "true"
        or "display:none" in attributes.get("style", "").replace(" ", "")
        or (name == "a" and "permalink" in named)
    )


@lru_cache(maxsize=10_000)
def _name_marks(classes: str, id_: str) -> frozenset[str]:
    """Return what the names of an element say about it."""
    tokens = classes.split()[:_MAX_NAMES]
    is_section = not _SECTION_NAMES.isdisjoint(tokens)
    known = {
        "section": is_section,
        "admonition": not _ADMONITION_NAMES.isdisjoint(tokens)
        or any(not _ADMONITION_WORDS.isdisjoint(_words(token)) for token in tokens),
        "not title": not _NOT_TITLES.isdisjoint(tokens),
        "note link": not _NOTE_LINK_NAMES.isdisjoint(tokens),
        "number": _NUMBER_NAME.search(classes) is not None,
        "references": _REFERENCES_NAME.search(classes) is not None,
        "contents": _CONTENTS_NAME.search(classes) is not None,
        "permalink": _PERMALINK_NAME.search(classes) is not None,
    }
    names = tokens if is_section else [*tokens, *id_.split()[:1]]  # a section's id is its title
    of_site = [name for name in names if _names_site(name)]
    is_content = any(_words(name)[-1] in _CONTENT_WORDS for name in names)  # "entry-content"
    if not _SITE_NAMES.isdisjoint(tokens):
        known["site"] = True
    elif of_site and not is_content:
        is_sidebar = all(_SITE_WORDS.intersection(_words(name)) == {"sidebar"} for name in of_site)
        known["sidebar" if is_sidebar else "site"] = True
        known["comments"] = any(not _COMMENT_WORDS.isdisjoint(_words(name)) for name in names)
    return frozenset(mark for mark, applies in known.items() if applies)


def _names_site(name: str) -> bool:
    """Whether a class or id names a part of the site.

    >>> _names_site("post-share"), _names_site("no-share"), _names_site("content-sidebar-wrap")
    (True, False, False)
    """
    words = _words(name)
    return (
        not _SITE_WORDS.isdisjoint(words)
        and words[0] not in _NOT_ITSELF
        and (words[-1] in _SITE_WORDS or _CONTENT_WORDS.isdisjoint(words))
    )


def _words(name: str) -> list[str]:
    """Return the words of a class or id, without a modifier after "--".

    >>> _words("page__section--ads"), _words("site-nav")
    (['page', 'section'], ['site', 'nav'])
    """
    return [word for word in _NAME_SEPARATOR.split(name.partition("--")[0]) if word] or [""]
