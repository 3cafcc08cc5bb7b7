"""The report on narrow screens, on paper, in notebooks and without a script; hostile text in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.browser.report_page import (
    EXAMPLES,
    SIZES,
    Open,
    slide,
    text_of,
)

import docbats

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.browser

HOSTILE = [
    "<script>document.title = 'run'</script> runs.",
    "</script></article><img src=x onerror=\"document.title='run'\"> follows.",
    "<!-- a comment --> &lt;b&gt; &amp; &#x3c; entities follow the script.",
    "\u202eturned around\u2066 and never back, the script runs.",
    "A NUL\x00, a surrogate\ud800, a bell\x07 and the entities.",
    "w" * 20_000 + " follows the script.",
]


def test_headings_are_printed_with_their_text(
    open_page: Open, book: docbats.Result, book_page: str, tmp_path: Path
) -> None:
    from pypdf import PdfReader

    page = open_page(book_page)
    page.pdf(path=tmp_path / "book.pdf")
    titles = {segment.title for segment in book.segments}
    pages = [
        sheet.extract_text().strip().splitlines()
        for sheet in PdfReader(tmp_path / "book.pdf").pages
    ]
    assert len(pages) > 20
    for lines in pages[2:]:
        assert not any(title in line for line in lines[-2:] for title in titles if len(line) < 60)


def test_headings_inside_segments_are_printed_with_their_text(
    open_page: Open, tmp_path: Path
) -> None:
    from pypdf import PdfReader

    parts = [f"## Part {i}\n\n" + f"Bats fly in part {i}. They hunt. " * (5 + i % 7)
             for i in range(60)]  # fmt: skip
    document = docbats.Document.read("\n\n".join(parts).encode(), name="a.md")
    path = tmp_path / "parts.html"
    path.write_text(docbats.analyze(document, k=2).to_html("parts"), encoding="utf-8")
    open_page(path.as_uri()).pdf(path=tmp_path / "parts.pdf")
    pages = [sheet.extract_text().split() for sheet in PdfReader(tmp_path / "parts.pdf").pages]
    assert len(pages) > 4
    assert not [words[-2:] for words in pages[1:-2] if words[-2:-1] == ["Part"]]


def test_print_shows_the_outline_and_no_controls(open_page: Open, report: str) -> None:
    page = open_page(report, 380, "dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator(".outline").is_visible()
    assert not page.locator(".bar").is_visible()
    assert page.locator(".head").last.is_visible()
    assert page.locator(".figures .map").is_visible()
    ink = page.evaluate("getComputedStyle(document.querySelector('.docbats')).color")
    assert ink == "rgb(30, 29, 27)"


def test_theme_can_be_changed(open_page: Open, report: str) -> None:
    page = open_page(report)
    background = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    page.locator(".theme").click()
    assert page.evaluate(background) != light
    assert page.locator(".theme").get_attribute("aria-pressed") == "true"
    page.locator(".theme").click()
    assert page.evaluate(background) == light


def test_narrow_page_does_not_scroll_sideways(open_page: Open, report: str) -> None:
    page = open_page(report, 380)
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
    assert not page.locator(".outline").is_visible()
    page.locator(".menu").click()
    assert page.locator(".outline").is_visible()
    page.locator(".outline a").nth(2).click()
    assert not page.locator(".outline").is_visible()


def test_works_without_javascript(open_page: Open, report: str) -> None:
    page = open_page(report, java_script_enabled=False)
    assert not page.locator(".bar").is_visible()
    assert page.locator(".head").count() == 5
    assert page.locator(".outline").is_visible()
    assert page.locator(".figures .map").is_visible()
    assert page.locator("canvas").is_visible() is False


@SIZES
def test_hostile_document_is_only_text(
    open_page: Open, reports: Callable[..., str], width: int
) -> None:
    page = open_page(reports(HOSTILE, "<script>document.title = 'run'</script>", k=3), width)
    assert page.title() != "run"
    shown = text_of(page)
    for sentence in HOSTILE[:4]:
        assert sentence in shown
    assert page.locator("img, .text script").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    slide(page, 1)
    assert page.title() != "run"
    assert "\ufffd" in text_of(page)


def test_notebook_shows_the_page_in_a_frame(open_page: Open, tmp_path: Path) -> None:
    result = docbats.analyze((EXAMPLES / "how-to.txt").read_text())
    path = tmp_path / "notebook.html"
    path.write_text(f"<!doctype html><title>Cell</title>{result._repr_html_()}", encoding="utf-8")
    page = open_page(path.as_uri())
    frame = page.frame_locator("iframe")
    frame.locator(".slider").fill("1")
    assert frame.locator("output.k").text_content() == "2"
