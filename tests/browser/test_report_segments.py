"""The report in a real browser: segments, the slider, the outline and the minimap."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.browser.report_page import (
    EXAMPLES,
    SIZES,
    Open,
    segment_texts,
    slide,
    text_of,
    texts_at,
)
from tests.long_book import make_book

import docbats
from docbats.parts import Segments
from docbats.render.html.slider import make_slider_cuts

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.sample_files import Files

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("kind", ["headings", "speakers"])
def test_slider_of_plain_text_with_headings_or_speakers(
    open_page: Open, reports: Callable[..., str], kind: str
) -> None:
    parts = [(EXAMPLES / f"{name}.txt").read_text()[:900] for name in ("article", "how-to")]
    heads = ("1 Bats\n\n", "2 Hives\n\n") if kind == "headings" else ("ANNA: ", "BORIS: ")
    text = "\n\n".join(
        head + part.replace("\n", " ") for head, part in zip(heads, parts, strict=True)
    )
    page = open_page(reports(text, kind))
    for place in (0, 2, 1):
        slide(page, place)
        assert page.locator(".head").count() == place + 1


@pytest.mark.parametrize("preset", ["sharp", "paper"])
@pytest.mark.parametrize("name", ["article", "lecture"])
def test_slider_moves_headings_outline_map_and_strip(
    open_page: Open, reports: Callable[..., str], preset: str, name: str
) -> None:
    text = (EXAMPLES / f"{name}.txt").read_text()
    result = docbats.analyze(text, preset=preset)
    cuts = make_slider_cuts(result, result.outline).segments
    page = open_page(reports(text, f"{name}-{preset}", preset=preset))
    for k in (1, len(result.segments) + 3, 2, len(result.segments)):
        slide(page, k - 1)
        cut = replace(result, segments=Segments(cuts[k - 1]))
        titles = [segment.title for segment in cut.segments]
        assert texts_at(page, ".head > :first-child bdi") == titles
        page.keyboard.press("f")
        assert page.locator(".map thead th").count() == k + 1
        assert page.locator(".strip .cuts line").count() == k - 1
        assert page.locator(".outline a[data-segment]").count() == k
        assert page.locator("output.k").text_content() == str(k)
        assert text_of(page) == text
        shown = page.locator(".map tbody tr").evaluate_all(
            "(rows) => rows.map((row) => [...row.cells].slice(1).map((c) => Number(c.textContent)))"
        )
        for row, weights in zip(shown, cut.topic_segment_matrix, strict=True):
            assert row == pytest.approx([100 * weight for weight in weights], abs=0.51)
        page.keyboard.press("f")
        assert segment_texts(page) == [segment.text for segment in cut.segments]


@SIZES
def test_entries_of_the_outline_open_and_close(
    open_page: Open, book: docbats.Result, book_page: str, width: int
) -> None:
    page = open_page(book_page, width)
    if width < 800:
        page.locator(".menu").click()
    entry = next(entry for entry in book.outline if entry.children)
    below = page.locator(".outline a", has_text=entry.children[0].title).first
    item = page.locator(f".outline li:has(> a > bdi:text-is('{entry.title}'))").first
    was_open = below.is_visible()
    item.locator("summary").first.click()
    assert below.is_visible() != was_open
    item.locator("summary").first.click()
    assert below.is_visible() == was_open


def test_slider_reaches_the_leaves_and_keeps_all_entries(
    open_page: Open, book: docbats.Result, book_page: str
) -> None:
    page = open_page(book_page)
    cuts = make_slider_cuts(book, book.outline).segments
    titles = {entry.title for _, entry in book.outline.walk()}
    leaves = [leaf.sentences for leaf in book.outline.leaves]
    assert leaves in [[segment.sentences for segment in cut] for cut in cuts]
    for place, cut in enumerate(cuts):
        slide(page, place)
        assert page.locator(".outline a[data-segment]").count() == len(cut)
        shown = texts_at(page, ".outline a bdi")
        assert titles <= set(shown)
        targets = page.locator(".outline a").evaluate_all(
            "(links) => links.filter((a) => !document.querySelector(a.hash)).length"
        )
        assert targets == 0


def test_the_parts_of_a_long_text_are_open_under_any_cut(
    open_page: Open, reports: Callable[..., str]
) -> None:
    text = make_book(1_200, 6, 6, 5).text
    result = docbats.analyze(text)
    assert (result.default_depth, result.outline.depth) == (2, 3)
    page = open_page(reports(text, "long"))
    own = len(result.segments) - 1
    for place in (own, 1, own):  # as it was written, by the script, and back
        slide(page, place)
        first, deeper = page.locator(".outline > ol > li > details"), ".outline details details"
        assert first.count() == (place + 1)
        assert all(first.evaluate_all("(folds) => folds.map((fold) => fold.open)"))
        assert page.locator(deeper).count() > 0
        assert page.locator(f"{deeper}[open]").count() == 0


@SIZES
def test_place_of_reading_stays(open_page: Open, report: str, width: int) -> None:
    page = open_page(report, width)
    texts = page.locator(".s").all_text_contents()
    longest = max(range(30, 60), key=lambda i: len(texts[i]))
    sentence = page.locator(".s").nth(longest)
    # Its first line is under the bar, so it is what is being read.
    sentence.evaluate("(node) => window.scrollBy(0, node.getBoundingClientRect().top - 40)")
    before = sentence.bounding_box()["y"]
    for k in (1, 14, 3):
        slide(page, k)
        assert sentence.bounding_box()["y"] == pytest.approx(before, abs=2)


def test_keys_and_buttons_lead_from_segment_to_segment(open_page: Open, report: str) -> None:
    page = open_page(report)
    page.keyboard.press("n")
    page.keyboard.press("n")
    assert page.locator(".place").text_content() == "2 / 5"
    assert page.evaluate("document.activeElement.textContent").startswith("2 ")
    assert page.locator(".outline a[aria-current]").get_attribute("data-segment") == "2"
    page.locator(".next").click()
    assert page.locator(".place").text_content() == "3 / 5"
    page.keyboard.press("p")
    assert page.locator(".place").text_content() == "2 / 5"
    page.locator(".help summary").click()
    page.locator(".keys").uncheck()
    page.keyboard.press("n")
    assert page.locator(".place").text_content() == "2 / 5"


def test_slider_is_told_to_screen_readers(open_page: Open, report: str) -> None:
    page = open_page(report)
    page.locator(".slider").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".slider").get_attribute("aria-valuetext") == "6 segments"
    assert page.locator("[aria-live]").text_content() == "6 segments."


def test_address_leads_to_a_segment_of_any_cut(open_page: Open, report: str) -> None:
    page = open_page(report)
    slide(page, 7)
    page.keyboard.press("n")
    page.keyboard.press("n")
    page.keyboard.press("n")
    address = page.evaluate("location.hash")
    assert address.endswith("-k8-g3")
    again = open_page(report + address)
    assert again.locator("output.k").text_content() == "8"
    assert again.locator(".place").text_content() == "3 / 8"
    assert again.locator(".outline a[aria-current]").get_attribute("data-segment") == "3"


def test_minimap_shows_where_one_is_and_leads_there(open_page: Open, report: str) -> None:
    page = open_page(report)
    assert page.locator(".minimap .block").count() == 5
    page.locator(".minimap").click(position={"x": 5, "y": 600})
    place = float(page.locator(".minimap .seen").get_attribute("y"))
    assert 500 < place < 900
    assert page.locator(".place").text_content() in {"3 / 5", "4 / 5", "5 / 5"}


def test_the_text_is_between_the_outline_and_the_topics(open_page: Open, report: str) -> None:
    page = open_page(report)
    boxes = [page.locator(part).first.bounding_box() for part in (
        ".minimap", ".outline", ".text .head", ".topics")]  # fmt: skip
    ends = [box["x"] + box["width"] for box in boxes]
    assert all(end <= box["x"] for end, box in zip(ends, boxes[1:], strict=False))
    for head in page.locator(".head").all():
        assert head.locator(".minutes").inner_text().endswith(" min")
    gists = page.locator(".gist:visible").all_inner_texts()
    assert len(gists) >= 3
    text = " ".join((EXAMPLES / "annual-report.txt").read_text().split())
    assert all(gist in text for gist in gists)


def test_the_outline_has_times_or_pages(open_page: Open, files: Files, tmp_path: Path) -> None:
    talk, paper = files.vtt([*files.bats, *files.tea]).encode(), files.paper()
    for content, kind, sign in ((talk, "vtt", ":"), (paper, "pdf", "p. ")):
        result = docbats.analyze(docbats.Document.read(content, kind=kind), k=2)
        path = tmp_path / f"{kind}.html"
        path.write_text(result.to_html(kind), encoding="utf-8")
        page = open_page(path.as_uri())
        for place in (0, 1):
            page.locator(".slider").fill(str(place))
            sizes = page.locator(".outline a[data-segment] .size").all_inner_texts()
            assert len(sizes) == place + 1
            assert all(sign in size for size in sizes)


def test_the_language_of_the_text_is_told(open_page: Open, tmp_path: Path) -> None:
    text = "Die Fledermäuse fliegen in der Nacht. Sie hören die Wände. Der Tee ist heiß. " * 4
    path = tmp_path / "a.html"
    path.write_text(docbats.analyze(text, k=2).to_html("a"), encoding="utf-8")
    page = open_page(path.as_uri())
    page.locator(".slider").fill("0")
    assert page.locator(".text").get_attribute("lang") == "de"
    assert page.locator(".outline ol").first.get_attribute("lang") == "de"
