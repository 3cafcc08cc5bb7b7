from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.long_book import make_book

import docbats
from docbats.render.html.slider_cuts import make_slider_cuts

pytestmark = pytest.mark.browser

EXAMPLES = Path(__file__).parents[2] / "examples"
SIZES = pytest.mark.parametrize("width", [380, 1400])
THEMES = pytest.mark.parametrize("theme", ["light", "dark"])
Open = Callable[..., Any]

HOSTILE = [
    "<script>document.title = 'run'</script> runs.",
    "</script></article><img src=x onerror=\"document.title='run'\"> follows.",
    "<!-- a comment --> &lt;b&gt; &amp; &#x3c; entities follow the script.",
    "\u202eturned around\u2066 and never back, the script runs.",
    "A NUL\x00, a surrogate\ud800, a bell\x07 and the entities.",
    "w" * 20_000 + " follows the script.",
]


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    folder = tmp_path_factory.mktemp("reports")

    def write(source: str | list[str], name: str, **settings: Any) -> str:
        path = folder / f"{len(list(folder.iterdir()))}.html"
        page = docbats.analyze(source, **settings).to_html(name)
        path.write_text(page, encoding="utf-8", newline="")
        return path.as_uri()

    return write


@pytest.fixture(scope="session")
def report(reports: Callable[..., str]) -> str:
    return reports((EXAMPLES / "annual-report.txt").read_text(), "annual-report")


def _text(page: Any) -> str:
    return str(
        page.evaluate(
            "() => [...document.querySelectorAll('.piece')].map((p) => p.textContent).join('')"
        )
    )


def _titles(page: Any, selector: str) -> list[str]:
    return [str(title) for title in page.locator(selector).all_text_contents()]


def _slide(page: Any, place: int) -> None:
    page.locator(".slider").fill(str(place))


@SIZES
@THEMES
def test_no_serious_violation(
    open_page: Open, report: str, violations: Callable[[Any], list[str]], width: int, theme: str
) -> None:
    page = open_page(report, width, theme)
    assert violations(page) == []
    _slide(page, 10)
    page.locator(".pick").first.click()
    assert violations(page) == []


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
        _slide(page, k - 1)
        cut = replace(result, segments=cuts[k - 1])
        titles = [segment.title for segment in cut.segments]
        assert _titles(page, ".segment > :first-child bdi") == titles
        assert page.locator(".map thead th").count() == k + 1
        assert page.locator(".strip .cuts line").count() == k - 1
        assert page.locator(".outline a[data-segment]").count() == k
        assert page.locator("output.k").text_content() == str(k)
        assert _text(page) == text
        shown = page.locator(".map tbody tr").evaluate_all(
            "(rows) => rows.map((row) => [...row.cells].slice(1).map((c) => Number(c.textContent)))"
        )
        for row, weights in zip(shown, cut.topic_segment_matrix, strict=True):
            assert row == pytest.approx([100 * weight for weight in weights], abs=0.51)
        for i, segment in enumerate(cut.segments):
            body = page.locator(".segment .body").nth(i)
            assert body.text_content() == segment.text


@pytest.fixture(scope="session")
def book() -> docbats.Result:
    return docbats.analyze(make_book(1500).text, language="en")


@SIZES
def test_entries_of_the_outline_open_and_close(
    open_page: Open, book: docbats.Result, tmp_path: Path, width: int
) -> None:
    (tmp_path / "book.html").write_text(book.to_html("book"), encoding="utf-8")
    page = open_page((tmp_path / "book.html").as_uri(), width)
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
    open_page: Open, book: docbats.Result, tmp_path: Path
) -> None:
    (tmp_path / "book.html").write_text(book.to_html("book"), encoding="utf-8")
    page = open_page((tmp_path / "book.html").as_uri())
    cuts = make_slider_cuts(book, book.outline).segments
    titles = {entry.title for _, entry in book.outline.walk()}
    leaves = [leaf.sentences for leaf in book.outline.leaves]
    assert leaves in [[segment.sentences for segment in cut] for cut in cuts]
    for place, cut in enumerate(cuts):
        _slide(page, place)
        assert page.locator(".outline a[data-segment]").count() == len(cut)
        shown = _titles(page, ".outline a bdi")
        assert titles <= set(shown)
        targets = page.locator(".outline a").evaluate_all(
            "(links) => links.filter((a) => !document.querySelector(a.hash)).length"
        )
        assert targets == 0


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
        _slide(page, k)
        assert sentence.bounding_box()["y"] == pytest.approx(before, abs=2)


def test_keys_and_buttons_lead_from_segment_to_segment(open_page: Open, report: str) -> None:
    page = open_page(report)
    page.keyboard.press("n")
    page.keyboard.press("n")
    assert page.locator(".place").text_content() == "2 / 6"
    assert page.evaluate("document.activeElement.textContent").startswith("2 ")
    assert page.locator(".outline a[aria-current]").get_attribute("data-segment") == "2"
    page.locator(".next").click()
    assert page.locator(".place").text_content() == "3 / 6"
    page.keyboard.press("p")
    assert page.locator(".place").text_content() == "2 / 6"
    page.locator(".keys").uncheck()
    page.keyboard.press("n")
    assert page.locator(".place").text_content() == "2 / 6"


def test_slider_is_told_to_screen_readers(open_page: Open, report: str) -> None:
    page = open_page(report)
    page.locator(".slider").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".slider").get_attribute("aria-valuetext") == "7 segments"
    assert page.locator("[aria-live]").text_content() == "7 segments."


def test_pointing_at_a_topic_lights_its_words(open_page: Open, report: str) -> None:
    page = open_page(report)
    page.locator(".topic").nth(1).hover()
    lit = page.locator(".text .on").count()
    assert lit == page.locator(".text i.t1").count() > 0
    assert page.locator(".s.hit").count() > 0
    page.mouse.move(2, 2)
    assert page.locator(".text .on").count() == 0
    page.locator(".pick").nth(2).focus()
    assert page.locator(".text .on").count() == page.locator(".text i.t2").count() > 0


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


def test_heatmap_is_drawn(open_page: Open, report: str) -> None:
    page = open_page(report)
    colours = page.locator(".heat").evaluate(
        """(canvas) => {
          const { data } = canvas.getContext("2d").getImageData(0, 0, 480, 480);
          return new Set(Array.from({ length: 480 }, (_, i) => data[4 * (480 * 100 + i)])).size;
        }"""
    )
    assert colours > 20
    assert "Mean distance between sentences" in page.locator(".told").text_content()
    page.locator(".heat").hover(position={"x": 1, "y": 1})
    assert page.locator(".told").text_content() == "Sentences 1 and 1: 0.00 apart."
    page.locator(".heat").click(position={"x": 4, "y": 240})
    assert page.locator(".s.found").count() == 1


def test_works_without_javascript(open_page: Open, report: str) -> None:
    page = open_page(report, java_script_enabled=False)
    assert not page.locator(".bar").is_visible()
    assert page.locator(".segment").count() == 6
    assert page.locator(".outline").is_visible()
    assert page.locator("canvas").is_visible() is False


def test_print_shows_the_outline_and_no_controls(open_page: Open, report: str) -> None:
    page = open_page(report, 380, "dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator(".outline").is_visible()
    assert not page.locator(".bar").is_visible()
    assert page.locator(".segment").last.is_visible()
    ink = page.evaluate("getComputedStyle(document.querySelector('.docbats')).color")
    assert ink == "rgb(30, 29, 27)"


@SIZES
def test_hostile_document_is_only_text(
    open_page: Open, reports: Callable[..., str], width: int
) -> None:
    page = open_page(reports(HOSTILE, "<script>document.title = 'run'</script>", k=3), width)
    assert page.title() != "run"
    shown = _text(page)
    for sentence in HOSTILE[:4]:
        assert sentence in shown
    assert page.locator("img, .text script").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    _slide(page, 1)
    assert page.title() != "run"
    assert "\ufffd" in _text(page)


def test_notebook_shows_the_page_in_a_frame(open_page: Open, tmp_path: Path) -> None:
    result = docbats.analyze((EXAMPLES / "how-to.txt").read_text())
    path = tmp_path / "notebook.html"
    path.write_text(f"<!doctype html><title>Cell</title>{result._repr_html_()}", encoding="utf-8")
    page = open_page(path.as_uri())
    frame = page.frame_locator("iframe")
    frame.locator(".slider").fill("1")
    assert frame.locator("output.k").text_content() == "2"
