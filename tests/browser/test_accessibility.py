"""No finding of axe-core on the report and the application, whatever they show."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.browser.application import ARTICLE, analyze, serve
from tests.browser.report_page import EXAMPLES, SIZES, THEMES, Open, slide

pytestmark = pytest.mark.browser

Violations = Callable[[Any], list[str]]


@SIZES
@THEMES
def test_report(
    open_page: Open, report: str, violations: Violations, width: int, theme: str
) -> None:
    page = open_page(report, width, theme)
    assert violations(page) == []
    page.keyboard.press("/")
    slide(page, 10)
    page.locator("[data-mode=all]").click()
    page.locator(".search").fill("the")
    page.wait_for_selector(".hits li")
    assert violations(page) == []
    page.locator(".close").click()
    page.locator(".pick").first.click()
    page.locator(".numbers").check()
    page.locator(".menu" if width < 800 else ".help summary").click()
    assert violations(page) == []
    page.locator(".tab-figures").click()
    assert violations(page) == []


@SIZES
@THEMES
def test_report_of_a_book(
    open_page: Open, book_page: str, violations: Violations, width: int, theme: str
) -> None:
    page = open_page(book_page, width, theme)
    slide(page, 8)
    page.evaluate("window.scrollTo(0, document.body.scrollHeight / 2)")
    page.locator("[data-mode=all]").click()
    assert violations(page) == []


@SIZES
@THEMES
def test_application(
    open_page: Open, url: str, violations: Violations, width: int, theme: str
) -> None:
    page = open_page(url, width, theme)
    assert violations(page) == []
    page.set_input_files("#file", [ARTICLE, EXAMPLES / "how-to.txt"])
    page.wait_for_selector("article.docbats.live")
    page.wait_for_function("() => !document.querySelector('.documents .note')")
    assert violations(page) == []
    page.click(".edit")
    page.wait_for_selector(".edit-tools")
    assert violations(page) == []
    page.locator(".edit-tools button:text-is('Rename')").first.click()
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.click(".edit")
    page.click(".pin")
    page.click(".open-document:text-is('how-to.txt')")
    page.wait_for_selector(".result:nth-child(2) h2:has-text('how-to.txt')")
    assert violations(page) == []


@SIZES
@THEMES
def test_application_with_an_error(
    browser: Any, url: str, violations: Violations, width: int, theme: str
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=theme)
    page.goto(url)
    broken = {"name": "a.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7 ..."}
    page.set_input_files("#file", broken)
    page.wait_for_selector("#alert:not([hidden])")
    assert violations(page) == []
    page.close()


@THEMES
def test_application_asks_for_a_token(browser: Any, violations: Violations, theme: str) -> None:
    with serve("--token", "open-sesame") as url:
        page = browser.new_page(color_scheme=theme)
        page.goto(url)
        page.wait_for_selector("#token-dialog[open]")
        assert violations(page) == []
        page.fill("#token", "wrong")
        page.keyboard.press("Enter")
        page.wait_for_selector("#token-error:not([hidden])")
        assert violations(page) == []
        page.fill("#token", "open-sesame")
        page.keyboard.press("Enter")
        page.wait_for_selector("#token-dialog", state="hidden")
        analyze(page)
        page.close()
