"""EPUB books."""

from __future__ import annotations

from typing import Any

import pytest
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
