from __future__ import annotations

from collections import Counter
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


def _segment_texts(page: Any) -> list[str]:
    return list(
        page.evaluate(
            """() => [...document.querySelectorAll('.head')].map((head) => {
              let text = '';
              let next = head.nextElementSibling;
              for (; next?.matches('.piece'); next = next.nextElementSibling) {
                text += next.textContent;
              }
              return text;
            })"""
        )
    )


def _titles(page: Any, selector: str) -> list[str]:
    return [str(title) for title in page.locator(selector).all_text_contents()]


def _slide(page: Any, place: int) -> None:
    if page.locator(".more-tools[aria-expanded=false]").is_visible():
        page.locator(".more-tools").click()
    page.locator(".slider").fill(str(place))


@SIZES
@THEMES
def test_no_serious_violation(
    open_page: Open, report: str, violations: Callable[[Any], list[str]], width: int, theme: str
) -> None:
    page = open_page(report, width, theme)
    assert violations(page) == []
    page.keyboard.press("/")
    _slide(page, 10)
    page.locator("[data-mode=all]").click()
    page.locator(".search").fill("the")
    page.wait_for_selector(".hits li")
    assert violations(page) == []
    page.locator(".close").click()
    page.locator(".tab-figures").click()
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
        assert _titles(page, ".head > :first-child bdi") == titles
        page.keyboard.press("f")
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
        page.keyboard.press("f")
        assert _segment_texts(page) == [segment.text for segment in cut.segments]


@pytest.fixture(scope="session")
def book() -> docbats.Result:
    return docbats.analyze(make_book(1500).text, language="en")


@pytest.fixture(scope="session")
def book_page(book: docbats.Result, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("book") / "book.html"
    path.write_text(book.to_html("book"), encoding="utf-8")
    return path.as_uri()


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
    page.locator(".help summary").click()
    page.locator(".keys").uncheck()
    page.keyboard.press("n")
    assert page.locator(".place").text_content() == "2 / 6"


def test_slider_is_told_to_screen_readers(open_page: Open, report: str) -> None:
    page = open_page(report)
    page.locator(".slider").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".slider").get_attribute("aria-valuetext") == "7 segments"
    assert page.locator("[aria-live]").text_content() == "7 segments."


def test_a_topic_is_marked_when_it_is_pressed(open_page: Open, report: str) -> None:
    page = open_page(report)
    assert page.locator(".text i").count() == 0
    page.locator(".pick").nth(1).click()
    assert page.locator(".text i.t1").count() > 0
    assert page.locator(".text i").count() == page.locator(".text i.t1").count()
    assert "words highlighted" in page.locator(".said").text_content()
    assert page.locator("[data-mode=topic]").get_attribute("aria-pressed") == "true"
    text = (EXAMPLES / "annual-report.txt").read_text()
    assert _text(page) == text
    page.locator(".pick").nth(1).click()
    assert page.locator(".text i").count() == 0
    page.keyboard.press("h")
    page.keyboard.press("h")
    assert page.locator("[data-mode=all]").get_attribute("aria-pressed") == "true"
    classes = page.locator(".text i").evaluate_all(
        "(all) => [...new Set(all.map((i) => i.className))]"
    )
    assert len(classes) > 2
    page.keyboard.press("h")
    assert page.locator(".text i").count() == 0


@pytest.mark.parametrize("name", ["article", "annual-report"])
def test_marked_words_are_those_that_were_counted(
    open_page: Open, reports: Callable[..., str], name: str
) -> None:
    text = (EXAMPLES / f"{name}.txt").read_text()
    result = docbats.analyze(text)
    page = open_page(reports(text, name))
    page.locator("[data-mode=all]").click()
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    marked = page.locator(".text i").evaluate_all(
        "(all) => all.map((i) => [i.textContent, Number(i.className.slice(1).split(' ')[0])])"
    )
    topics = {word: i for i, topic in enumerate(result.topics) for word, _ in topic.words}
    words, tokens = result.analysis.text.words, result.analysis.text.tokens
    expected = [
        [text[tokens.start[token] : tokens.end[token]], topics[words.names[word]]]
        for word, token in zip(words.word.tolist(), words.token.tolist(), strict=True)
        if words.names[word] in topics
    ]
    found, wanted = (Counter(map(tuple, uses)) for uses in (marked, expected))
    # A form that is a word of two topics is marked as the one it mostly is.
    assert (found - wanted).total() <= 0.02 * len(expected)
    assert (wanted - found).total() <= 0.02 * len(expected)


def test_a_book_marks_what_is_seen_and_follows(open_page: Open, book_page: str) -> None:
    page = open_page(book_page)
    page.locator(".pick").first.click()
    first = page.locator(".text i").count()
    assert 0 < first < 2000
    page.evaluate("window.scrollTo(0, document.body.scrollHeight / 2)")
    page.locator("[data-mode=all]").click()
    seen = (
        "() => [...document.querySelectorAll('.text i')].some((i) => {"
        " const { top } = i.getBoundingClientRect(); return top > 0 && top < innerHeight; })"
    )
    page.wait_for_function(seen)
    page.evaluate("window.scrollTo(0, document.body.scrollHeight / 4)")
    page.wait_for_function(seen)


def test_search_lists_hits_by_segment_and_goes_to_them(open_page: Open, report: str) -> None:
    page = open_page(report)
    page.keyboard.press("/")
    page.keyboard.type("ferry")
    page.wait_for_selector(".found .hint:has-text('2 sentences in 2 segments')")
    assert page.locator(".hits li").count() == 2
    assert page.locator(".minimap .hit").count() == 2
    page.locator(".hits button").nth(1).click()
    mark = page.locator(".text mark").last
    assert mark.text_content() == "ferry"
    assert 0 < mark.bounding_box()["y"] < 900
    page.locator(".search").fill("no such words")
    page.wait_for_selector(".found .hint:has-text('is not in the text')")
    page.locator(".search").press("Escape")
    assert page.locator(".found").is_hidden()
    assert page.locator(".text mark").count() == 0
    assert _text(page) == (EXAMPLES / "annual-report.txt").read_text()


def test_a_word_of_a_topic_shows_its_sentences(open_page: Open, report: str) -> None:
    page = open_page(report)
    word = page.locator(".topic.t0 .word").nth(1)
    name = word.text_content()
    word.click()
    text = (EXAMPLES / "annual-report.txt").read_text()
    sentences = docbats.analyze(text).document.sentences
    stem = name.rstrip("s")
    assert page.locator(".hits li").count() >= sum(stem in s.lower().split() for s in sentences) > 0
    assert name in page.locator(".found .hint").text_content()


@SIZES
def test_figures_have_a_tab(open_page: Open, report: str, width: int) -> None:
    page = open_page(report, width)
    assert page.locator(".figures").is_hidden()
    page.locator(".tab-figures").click()
    assert page.locator(".strip").is_visible()
    assert page.locator(".map").is_visible()
    assert page.locator(".text").is_hidden()
    page.locator(".strip").click(position={"x": 100, "y": 10})
    assert page.locator(".text").is_visible()
    assert page.locator(".s.at").count() == 1


def test_address_leads_to_a_segment_of_any_cut(open_page: Open, report: str) -> None:
    page = open_page(report)
    _slide(page, 7)
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
    assert page.locator(".minimap .block").count() == 6
    page.locator(".minimap").click(position={"x": 5, "y": 600})
    place = float(page.locator(".minimap .seen").get_attribute("y"))
    assert 500 < place < 900
    assert page.locator(".place").text_content() in {"4 / 6", "5 / 6", "6 / 6"}


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
    page.keyboard.press("f")
    colours = page.locator(".heat").evaluate(
        """(canvas) => {
          const n = canvas.width;
          const { data } = canvas.getContext("2d").getImageData(0, 0, n, n);
          return new Set(Array.from({ length: n }, (_, i) => data[4 * (n * 100 + i)])).size;
        }"""
    )
    assert colours > 20
    assert "Mean distance between sentences" in page.locator(".told").text_content()
    page.locator(".heat").hover(position={"x": 1, "y": 1})
    assert page.locator(".told").text_content() == "Sentences 1 and 1: 0.00 apart."
    page.locator(".heat").click(position={"x": 4, "y": 240})
    assert page.locator(".s.at").count() == 1


@SIZES
def test_heatmap_keeps_all_lines_at_any_size(open_page: Open, report: str, width: int) -> None:
    page = open_page(report, width)
    page.locator(".tab-figures").click()
    _slide(page, 9)
    lines = page.locator(".heat").evaluate(
        """(canvas) => {
          const line = document.createElement("canvas").getContext("2d");
          line.fillStyle = getComputedStyle(canvas).getPropertyValue("--heat-line");
          line.fillRect(0, 0, 1, 1);
          const [r, g, b] = line.getImageData(0, 0, 1, 1).data;
          const n = canvas.width;
          const { data } = canvas.getContext("2d").getImageData(0, 3, n, 1);
          let found = 0;
          for (let i = 0; i < n; i += 1) {
            if (data[4 * i] === r && data[4 * i + 1] === g && data[4 * i + 2] === b) found += 1;
          }
          return found;
        }"""
    )
    assert lines == 9


def test_works_without_javascript(open_page: Open, report: str) -> None:
    page = open_page(report, java_script_enabled=False)
    assert not page.locator(".bar").is_visible()
    assert page.locator(".head").count() == 6
    assert page.locator(".outline").is_visible()
    assert page.locator(".figures .map").is_visible()
    assert page.locator("canvas").is_visible() is False


def test_print_shows_the_outline_and_no_controls(open_page: Open, report: str) -> None:
    page = open_page(report, 380, "dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator(".outline").is_visible()
    assert not page.locator(".bar").is_visible()
    assert page.locator(".head").last.is_visible()
    assert page.locator(".figures .map").is_visible()
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
