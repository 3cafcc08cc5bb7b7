"""The application in a real browser: what is typed, settings, and results side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.browser.application import ARTICLE, DISTANT, analyze, count_segments, download, serve
from tests.browser.report_page import EXAMPLES, SIZES, THEMES, Open

import docbats

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.browser


@SIZES
@THEMES
def test_a_document_is_analyzed_as_it_is_typed(
    open_page: Open, violations: Callable[[Any], list[str]], url: str, width: int, theme: str
) -> None:
    page = open_page(url, width, theme)
    assert violations(page) == []
    text = ARTICLE.read_text(encoding="utf-8")
    analyze(page, text)
    assert count_segments(page, "sharp") == len(docbats.analyze(text).segments)
    assert "Analyzed in" in page.inner_text("#status")
    assert f"{len(text):,} characters" in page.inner_text("#text-facts")
    assert violations(page) == []
    wide = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) == 0


@SIZES
@THEMES
def test_results_side_by_side(
    open_page: Open, violations: Callable[[Any], list[str]], url: str, width: int, theme: str
) -> None:
    page = open_page(url, width, theme)
    analyze(page, ARTICLE.read_text(encoding="utf-8"))
    page.click(".pin")
    page.click("label[for=preset-paper]")
    page.wait_for_selector("[data-preset=paper] article.docbats.live")
    assert count_segments(page, "sharp") > 1
    assert count_segments(page, "paper") > 1
    page.wait_for_selector("#status:has-text('only at the right')")
    assert violations(page) == []
    places = [page.locator(".result").nth(i).bounding_box() for i in range(2)]
    assert (places[0]["y"] == places[1]["y"]) == (width == 1400)
    assert page.is_disabled("#max_size")
    page.set_input_files("#file", EXAMPLES / "lecture.txt")
    page.wait_for_selector(".result:nth-child(2) h2:has-text('lecture.txt')")
    page.locator(".result").first.locator(".pin").click()
    page.wait_for_selector(".results:not(.both)")
    assert page.locator("article.docbats").count() == 1


def test_settings_change_the_result(open_page: Open, url: str) -> None:
    page = open_page(url)
    analyze(page)
    page.fill("#k", "3")
    page.wait_for_selector(".facts:has-text('3 segments')")
    assert count_segments(page, "sharp") == 3
    page.fill("#k", "")
    page.click("#limits summary")
    page.fill("#max_size", "5")
    page.wait_for_selector(".facts:has-text('own settings')")
    assert count_segments(page, "sharp") >= 6
    page.select_option("#size_unit", "words")
    page.fill("#max_size", "60")
    page.wait_for_function("() => document.querySelectorAll('.head').length >= 9")


def test_the_slider_of_the_view_works_here(open_page: Open, url: str) -> None:
    page = open_page(url)
    analyze(page)
    page.locator(".slider").fill("1")
    page.wait_for_selector(".facts:has-text('2 segments')")
    assert count_segments(page, "sharp") == 2


def test_requests_that_were_overtaken_are_dropped(open_page: Open, url: str) -> None:
    page = open_page(url)
    analyze(page)
    for k in range(2, 9):  # each a change of its own, faster than the answers
        page.fill("#k", str(k))
        page.dispatch_event("#k", "change")
    page.wait_for_selector(".facts:has-text('8 segments')")
    page.wait_for_timeout(500)
    assert count_segments(page, "sharp") == 8


def test_granularity_is_chosen_unless_k_is(open_page: Open, url: str) -> None:
    page = open_page(url)
    analyze(page, ARTICLE.read_text())
    for name in ("coarse", "fine"):
        with page.expect_response("**/v1/analyze*") as answer:
            page.select_option("#granularity", name)
        assert answer.value.request.post_data_json["granularity"] == name
    page.fill("#k", "2")
    assert page.is_disabled("#granularity")
    page.fill("#k", "")
    assert page.is_enabled("#granularity")


def test_settings_are_in_the_address(open_page: Open, url: str) -> None:
    page = open_page(url + "?k=3&granularity=fine")
    page.wait_for_function("() => document.getElementById('granularity').value === 'fine'")
    analyze(page)
    assert count_segments(page, "sharp") == 3
    page.fill("#k", "4")
    page.dispatch_event("#k", "change")
    page.wait_for_selector(".facts:has-text('4 segments')")
    assert "k=4" in page.url


def test_hostile_documents_are_only_text(open_page: Open, url: str) -> None:
    page = open_page(url)
    title = page.title()
    analyze(
        page,
        "<script>document.title = 'run'</script> runs here. The script runs again. "
        "</script></article><img src=x onerror=\"document.title='run'\"> follows. "
        "\u202eturned around\u2066 and never back, the script runs. " + "w" * 20_000 + " follows.",
    )
    page.wait_for_timeout(300)
    assert page.title() == title
    assert page.locator("article img").count() == 0


def test_errors_are_shown_and_go_away(browser: Any, url: str) -> None:
    page = browser.new_page()
    page.goto(url)
    page.fill("#text", "Only one sentence.")
    page.wait_for_selector("article.docbats.live")
    page.fill("#k", "7")
    with pytest.raises(docbats.InputError) as error:
        docbats.analyze("Only one sentence.", k=7)
    page.wait_for_function(
        "(text) => document.getElementById('alert').textContent === text", arg=f"{error.value}."
    )
    page.fill("#k", "1")
    page.wait_for_selector("#alert", state="hidden")
    page.click("#clear")
    page.wait_for_selector("#empty")
    assert page.input_value("#text") == ""
    page.close()


def test_everything_works_by_the_keyboard(open_page: Open, url: str) -> None:
    page = open_page(url)
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.className") == "app-skip"
    seen = []
    for _ in range(12):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("() => document.activeElement.id"))
    assert seen[:7] == ["theme", "", "file", "example", "text", "k", "granularity"]
    page.focus("#text")
    page.keyboard.type("Red cars. Fast cars. Old boats. Slow boats in pn.")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("article.docbats.live")
    page.focus("#preset-sharp")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("[data-preset=paper]")


def test_the_theme_can_be_changed(open_page: Open, url: str) -> None:
    page = open_page(url, theme="dark")
    colour = "() => getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(colour)
    assert page.get_attribute("#theme", "aria-pressed") == "true"
    page.click("#theme")
    assert page.get_attribute("#theme", "aria-pressed") == "false"
    assert page.evaluate(colour) != dark


def test_the_token_is_asked_for(browser: Any) -> None:
    with serve("--token", "open-sesame") as url:
        page = browser.new_page()
        page.goto(url)
        page.wait_for_selector("#token-dialog[open]")
        page.fill("#token", "wrong")
        page.keyboard.press("Enter")
        page.wait_for_selector("#token-error:not([hidden])")
        page.fill("#token", "open-sesame")
        page.keyboard.press("Enter")
        page.wait_for_selector("#token-dialog:not([open])", state="hidden")
        analyze(page)
        page.close()


def test_the_page_works_from_another_machine(browser: Any) -> None:
    """Over plain HTTP, browsers keep some functions from pages of other machines."""
    errors: list[str] = []
    with serve("--host", "0.0.0.0", "--token", "open-sesame") as url:
        page = browser.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{url.replace('localhost', DISTANT)}#token=open-sesame")
        assert page.evaluate("() => isSecureContext") is False
        analyze(page, ARTICLE.read_text(encoding="utf-8"))
        assert page.locator(".open-document").count() == 1
        page.reload()
        page.click(".open-document")
        page.wait_for_selector("article.docbats.live")
        assert download(page, "JSON").stat().st_size
        page.close()
    assert errors == []


def test_the_page_works_under_a_path(open_page: Open) -> None:
    with serve("--root-path", "/docbats") as url:
        page = open_page(f"{url}docbats/")
        analyze(page)
        shown = count_segments(page, "sharp")
        assert shown > 1
        assert page.url.startswith(f"{url}docbats/")
        page.reload()
        page.click(".open-document")
        page.wait_for_selector("article.docbats.live")
        assert count_segments(page, "sharp") == shown
        assert download(page, "CSV").read_text().startswith('"source"')
