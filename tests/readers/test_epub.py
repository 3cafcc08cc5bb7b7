"""EPUB books."""

from __future__ import annotations

from typing import Any

import pytest
from tests.growth import takes_linear_time
from tests.readers.blocks_found import found_blocks

from docbats import ReadError
from docbats.readers.read_file import read_file


def test_contents_of_a_book_are_no_prose(files: Any) -> None:
    links = "".join(f'<p><a href="{i}.xhtml">Chapter {i}</a> {i}</p>' for i in range(5))
    book = files.epub(
        {
            "toc.xhtml": f"<html><h1>The book</h1>{links}</html>",
            "one.xhtml": "<html><h1>Bats</h1><p>They <a href='#x'>fly</a>.</p><a id='p'/></html>",
            "two.xhtml": "<html><h2>I</h2><p>Tea cools.</p><pre>x = 1</pre></html>",
        }
    )
    read = read_file(book)
    assert [kind for kind, _, _ in found_blocks(read)] == [
        *["contents"] * 6,
        *("heading", "paragraph"),
        *("heading", "paragraph", "code"),
    ]
    assert read.prose is not None
    assert read.prose.split() == ["Bats", "They", "fly.", "I", "Tea", "cools."]


def test_navigation_document_in_the_reading_order_is_contents(files: Any) -> None:
    package = (
        '<package><manifest><item id="n" href="nav.xhtml" media-type="text/html" properties="nav"/>'
        '<item id="a" href="a.xhtml" media-type="text/html"/></manifest>'
        '<spine><itemref idref="n"/><itemref idref="a"/></spine></package>'
    )
    nav = '<nav epub:type="toc"><h1>Contents</h1><ol><li>Bats</ol></nav><nav hidden="">x</nav>'
    book = files.epub(
        {"nav.xhtml": nav, "a.xhtml": "<h1>Bats</h1><p>They fly.</p>"},
        **{"OEBPS/book.opf": package},
    )
    assert found_blocks(read_file(book)) == [
        ("contents", None, "Contents"),
        ("contents", None, "Bats"),
        ("heading", 1, "Bats"),
        ("paragraph", None, "They fly."),
    ]


def test_chapters_of_a_book_come_in_the_order_of_its_spine(files: Any) -> None:
    book = files.epub(
        {
            "one.xhtml": "<?xml version='1.0'?><!DOCTYPE html><h1>Bats</h1><p>They fly.</p>",
            "two%20b.xhtml": "<html><h1>Tea</h1><p>It cools.</p></html>",
        },
        **{"OEBPS/two b.xhtml": "<html><h1>Tea</h1><p>It cools.</p></html>"},
    )
    read = read_file(book)
    assert read.kind == "epub"
    assert read.text == "Bats\n\nThey fly.\n\nTea\n\nIt cools."
    assert read.places is not None
    assert [h.title for h in read.places.headings] == ["Bats", "Tea"]


@pytest.mark.parametrize(
    "href", ["../../../../etc/passwd", "/etc/passwd", "file:///etc/passwd", "no.xhtml"]
)
def test_no_link_leads_out_of_the_book(files: Any, href: str) -> None:
    with pytest.raises(ReadError, match="a book without text"):
        read_file(files.epub({}, **_spine(href)))


def _spine(href: str) -> dict[str, str]:
    return {
        "OEBPS/book.opf": (
            f'<package><manifest><item id="a" href="{href}" media-type="text/html"/></manifest>'
            '<spine><itemref idref="a"/></spine></package>'
        )
    }


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        (None, "utf-8"),
        (None, "utf-8-sig"),
        ("UTF-8", "utf-8"),
        ("UTF-16", "utf-16"),
        ("UTF-16", "utf-16-le"),
        ("UTF-16", "utf-16-be"),
        (None, "utf-16-le"),
        ("ISO-8859-1", "latin-1"),
        ("windows-1251", "cp1251"),
        ("Shift_JIS", "shift_jis"),
    ],
)
def test_chapters_are_decoded_by_what_they_declare(
    files: Any, declared: str | None, encoding: str
) -> None:
    words = {"cp1251": "Мыши летают.", "shift_jis": "夜に飛ぶ。"}.get(encoding, "Mäuse fliegen.")
    declaration = f'<?xml version="1.0" encoding="{declared}"?>' if declared else ""
    page = f"{declaration}<html><h1>One</h1><p>{words}</p></html>".encode(encoding)
    assert read_file(files.epub({"one.xhtml": page})).text == f"One\n\n{words}"


@pytest.mark.parametrize(
    "page", [b"<p>Bats \0 fly \xff.</p>", "<p>Bats fly.</p>".encode("utf-16") + b"\0"]
)
def test_a_damaged_chapter_does_not_hide_the_others(files: Any, page: bytes) -> None:
    read = read_file(files.epub({"one.xhtml": page, "two.xhtml": "<p>Tea cools.</p>"}))
    assert read.text.startswith("Bats")
    assert read.text.endswith("Tea cools.")


def test_protected_books_are_refused(files: Any) -> None:
    lock = (
        '<encryption xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:EncryptedData><e:CipherData>'
        '<e:CipherReference URI="OEBPS/one.xhtml"/></e:CipherData></e:EncryptedData></encryption>'
    )
    book = files.epub({"one.xhtml": "<p>Bats.</p>"}, **{"META-INF/encryption.xml": lock})
    with pytest.raises(ReadError, match="protected against reading"):
        read_file(book)


# Navigation


def _package(chapters: list[str], *, navigation: str) -> dict[str, str]:
    """Return a package with these chapters, and with a navigation document or an NCX."""
    is_ncx = navigation.startswith("<ncx")
    item = (
        '<item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
        if is_ncx
        else '<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
    )
    items = "".join(f'<item id="{c}" href="{c}" media-type="text/html"/>' for c in chapters)
    spine = "".join(f'<itemref idref="{c}"/>' for c in chapters)
    return {
        "OEBPS/book.opf": f"<package><manifest>{item}{items}</manifest>"
        f"<spine>{spine}</spine></package>",
        f"OEBPS/{'toc.ncx' if is_ncx else 'nav.xhtml'}": navigation,
    }


def _nav(entries: str) -> str:
    """Return a navigation document; it may also list pages, which are not chapters."""
    pages = '<nav epub:type="page-list"><ol><li><a href="a.xhtml#p7">7</a></ol></nav>'
    return (
        "<!DOCTYPE html><html><body><nav epub:type='toc'><h1>Contents</h1>"
        f"<ol>{entries}</ol></nav>{pages}</body></html>"
    )


def _ncx(points: str) -> str:
    return f"<ncx><docTitle><text>Bats</text></docTitle><navMap>{points}</navMap></ncx>"


def _point(title: str, target: str, inner: str = "") -> str:
    label = f"<navLabel><text>{title}</text></navLabel>"
    return f'<navPoint>{label}<content src="{target}"/>{inner}</navPoint>'


def _outline(book: bytes) -> list[tuple[int | None, str]]:
    return [
        (level, text)
        for kind, level, text in found_blocks(read_file(book))
        if level and kind == "heading"
    ]


# As DocBook writes them: chapters and sections have the same tag.
FLAT_TAGS = {
    "a.xhtml": "<h1>1. Bats</h1><p>They fly.</p><h1 id='food'>1.1. Food</h1><p>They eat.</p>"
    "<h2>Moths</h2><p>All night.</p><h1 id='Sleep'>1.2. Sleep</h1><p>They sleep.</p>",
    "b.xhtml": "<h1>2. Tea</h1><p>It cools.</p>",
}
LEVELS = [(1, "1. Bats"), (2, "1.1. Food"), (3, "Moths"), (2, "1.2. Sleep"), (1, "2. Tea")]


@pytest.mark.parametrize(
    "navigation",
    [
        _nav(
            '<li><a href="a.xhtml">Bats</a><ol><li><a href="a.xhtml#food">Food</a>'
            '<li><a href="a.xhtml#Sleep"><span>1.2.</span> Sleep</a></ol>'
            '<li><a href="b.xhtml">2. Tea</a>'
        ),
        _ncx(
            _point(
                "1. Bats",
                "a.xhtml",
                _point("1. Bats", "a.xhtml")
                + _point("1.1. Food", "a.xhtml#food")
                + _point("1.2. Sleep", "a.xhtml#Sleep"),
            )
            + _point("2. Tea", "b.xhtml")
        ),
    ],
)
def test_levels_of_headings_come_from_the_navigation(files: Any, navigation: str) -> None:
    package = _package(list(FLAT_TAGS), navigation=navigation)
    assert _outline(files.epub(FLAT_TAGS, **package)) == LEVELS


def test_a_book_without_navigation_keeps_the_levels_of_its_tags(files: Any) -> None:
    assert [level for level, _ in _outline(files.epub(FLAT_TAGS))] == [1, 1, 2, 1, 1]


def test_headings_that_only_the_navigation_has_are_read(files: Any) -> None:
    pages = {
        "a.xhtml": "<p class='ct'>The Bats</p><p>They fly.</p><p id='x'>They sleep.</p>",
        "b.xhtml": "<h2>Chapter 2</h2><h3>Of tea</h3><p>It cools.</p><h4>Cups</h4><p>Small.</p>",
        "c.xhtml": "<img src='cover.jpg'/>",
    }
    entries = (
        '<li><span>Part One</span><ol><li><a href="a.xhtml">The bats</a>'
        '<li><a href="a.xhtml#x">Sleep</a></ol>'
        '<li><a href="b.xhtml">Chapter 2: Of tea</a><li><a href="c.xhtml">Cover</a>'
    )
    book = files.epub(pages, **_package(list(pages), navigation=_nav(entries)))
    assert found_blocks(read_file(book)) == [
        ("heading", 1, "Part One"),
        ("heading", 2, "The Bats"),
        ("paragraph", None, "They fly."),
        ("heading", 2, "Sleep"),
        ("paragraph", None, "They sleep."),
        ("heading", 1, "Chapter 2 Of tea"),
        ("paragraph", None, "It cools."),
        ("heading", 3, "Cups"),
        ("paragraph", None, "Small."),
    ]


def test_a_flat_navigation_leaves_parts_over_their_chapters(files: Any) -> None:
    pages = {
        "a.xhtml": "<h1>Part One</h1>",
        "b.xhtml": "<h2>Bats</h2><p>They fly.</p><h2>At night</h2><p>They eat.</p>",
        "c.xhtml": "<h2>Tea</h2><p>It cools.</p>",
    }
    entries = "".join(
        f'<li><a href="{name}">{title}</a>'
        for name, title in zip(pages, ["Part One", "Bats", "Tea"], strict=True)
    )
    book = files.epub(pages, **_package(list(pages), navigation=_nav(entries)))
    assert _outline(book) == [(1, "Part One"), (2, "Bats"), (3, "At night"), (2, "Tea")]


def test_a_navigation_that_hardly_lists_anything_is_not_used(files: Any) -> None:
    pages = {f"{i}.xhtml": f"<h1>Tale {i}</h1><p>Bats fly.</p>" for i in range(9)}
    entries = '<li><a href="0.xhtml">Start</a><ol><li><a href="8.xhtml">End</a></ol>'
    book = files.epub(pages, **_package(list(pages), navigation=_nav(entries)))
    assert _outline(book) == [(1, f"Tale {i}") for i in range(9)]


@pytest.mark.parametrize(
    "navigation",
    [
        "<nav><ol><li><a>", "<ncx><navMap><navPoint><content src='http://['/>", "\0\xff", "",
        "</ol></ol><nav epub:type='toc'><ol><li><a href='../../etc/passwd'>x</a></ol></nav>",
        "<nav><ol>" * 2000 + "<li><a href='a.xhtml'>Bats</a>",
        _nav('<li><a href="a.xhtml#no">Nowhere</a><li><a href="no.xhtml">No page</a>'),
    ],
)  # fmt: skip
def test_a_broken_navigation_changes_nothing(files: Any, navigation: str) -> None:
    pages = {"a.xhtml": "<h1>Bats</h1><p>They fly.</p>", "b.xhtml": "<h2>Tea</h2><p>It cools.</p>"}
    package = _package(list(pages), navigation=navigation or "<ncx/>")
    assert _outline(files.epub(pages, **package)) == [(1, "Bats"), (2, "Tea")]


def test_a_long_navigation_is_read_in_linear_time(files: Any) -> None:
    def read(size: int) -> None:
        page = "".join(f"<h1 id='h{i}'>Bats</h1><p>They fly.</p>" for i in range(size))
        links = "".join(f'<li><a href="a.xhtml#h{i % 7}">Bats</a>' for i in range(size))
        book = files.epub({"a.xhtml": page}, **_package(["a.xhtml"], navigation=_nav(links)))
        assert read_file(book).text.startswith("Bats")

    assert takes_linear_time(read, 200)


def test_the_title_of_a_book_is_not_over_its_chapters(files: Any) -> None:
    pages = {
        "preface.xhtml": "<h2>Preface</h2><p>At night.</p>",
        "title.xhtml": "<h1>All Bats</h1>",
        "a.xhtml": "<h2>Wings</h2><p>They fly.</p><h3 id='x'>Skin</h3><p>It is thin.</p>",
        "b.xhtml": "<h2>Ears</h2><p>They hear.</p>",
    }
    entries = (
        '<li><a href="preface.xhtml">Preface</a><li><a href="title.xhtml">All Bats</a><ol>'
        '<li><a href="a.xhtml">Wings</a><ol><li><a href="a.xhtml#x">Skin</a></ol>'
        '<li><a href="b.xhtml">Ears</a></ol>'
    )
    book = files.epub(pages, **_package(list(pages), navigation=_nav(entries)))
    assert _outline(book) == [
        *((1, "Preface"), (1, "All Bats"), (1, "Wings"), (2, "Skin"), (1, "Ears"))
    ]


@pytest.mark.parametrize("is_nested", [True, False])
def test_the_title_of_a_book_beside_its_chapters_is_above_them(files: Any, is_nested: bool) -> None:
    pages = {
        "title.xhtml": "<h1>All Bats</h1><p>By night.</p>",
        "a.xhtml": "<h1>Wings</h1><p>They fly.</p><h2 id='x'>Skin</h2><p>It is thin.</p>",
        "b.xhtml": "<h1>Ears</h1><p>They hear.</p>",
    }
    begin, end = ("<ol>", "</ol>") if is_nested else ("", "")
    entries = (
        '<li><a href="title.xhtml">All Bats</a><li><a href="a.xhtml">Wings</a>'
        f'{begin}<li><a href="a.xhtml#x">Skin</a>{end}<li><a href="b.xhtml">Ears</a>'
    )
    package = _package(list(pages), navigation=_nav(entries))
    title = "<metadata><dc:title xmlns:dc='d'>All bats</dc:title></metadata>"
    package["OEBPS/book.opf"] = package["OEBPS/book.opf"].replace(
        "<manifest>", f"{title}<manifest>"
    )
    book = files.epub(pages, **package)
    assert _outline(book) == [(1, "All Bats"), (2, "Wings"), (3, "Skin"), (2, "Ears")]


def test_a_label_in_a_flat_navigation_is_beside_the_section_before_it(files: Any) -> None:
    page = (
        "<h1>Wings</h1><p>They fly.</p><h2 id='skin'>Skin</h2><p>It is thin.</p>"
        "<div class='note'><h3 id='why'>Why</h3><p>To fold.</p></div>"
    )
    entries = "".join(
        f'<li><a href="a.xhtml{anchor}">{title}</a>'
        for anchor, title in [("", "Wings"), ("#skin", "Skin"), ("#why", "Why")]
    )
    book = files.epub({"a.xhtml": page}, **_package(["a.xhtml"], navigation=_nav(entries)))
    assert _outline(book) == [(1, "Wings"), (2, "Skin"), (2, "Why")]


def test_links_from_page_to_page_are_hidden(files: Any) -> None:
    links = (
        '<div role="navigation"><h3>Go on</h3><ul><li><a href="b.xhtml">next</a></li></ul></div>'
    )
    aside = '<div role="complementary"><p>Moths, too.</p></div>'
    pages = {f"{name}.xhtml": f"{links}<h1>{name}</h1><p>They fly.</p>{aside}" for name in "ab"}
    assert found_blocks(read_file(files.epub(pages))) == [
        block
        for name in "ab"
        for block in (
            ("heading", 1, name),
            ("paragraph", None, "They fly."),
            ("paragraph", None, "Moths, too."),
        )
    ]


def test_the_title_page_of_a_part_may_have_a_link_back_to_the_contents(files: Any) -> None:
    back = "<a href='a.xhtml'>3</a>"
    book = files.epub(
        {
            "part.xhtml": f"<html>{back}<h1>Bats</h1></html>",
            "a.xhtml": "<html><h2>Wings</h2><p>They fly.</p></html>",
        }
    )
    kinds = [kind for kind, _, _ in found_blocks(read_file(book))]
    assert kinds == ["paragraph", "heading", "heading", "paragraph"]
