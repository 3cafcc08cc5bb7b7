"""A Markdown document in the reader: no marks are shown, and all that works with words works."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

import docbats

pytestmark = pytest.mark.browser

SIZES = pytest.mark.parametrize("width", [380, 1400])
THEMES = pytest.mark.parametrize("theme", ["light", "dark"])
Open = Callable[..., Any]


@pytest.fixture(scope="module")
def text() -> str:
    bats = "Bats hunt **moths by** *night*. The [moths](https://example.org) hear the bats. "
    tea = "Hot `tea` cools in the cup. A **cup of** tea wants hot water. "
    return (
        f"# Bats\n\n{bats * 4}\n\n## Food of bats\n\n- {bats}\n- Moths and __bats__.\n\n"
        f"| moth | size |\n|---|---|\n| hawk | *12* |\n\n# Tea\n\n> {tea}\n\n{tea * 3}\n\n"
        f"```\nboil(water)\n```\n\n<img src=x onerror=\"document.title='run'\"> "
        "[run](javascript:document.title='run') Tea and <b>cups</b>.\n"
    )


@pytest.fixture(scope="module")
def markdown_page(text: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    result = docbats.analyze(docbats.Document.read(text.encode(), name="a.md"), k=2)
    path = tmp_path_factory.mktemp("markdown") / "a.html"
    path.write_text(result.to_html("a.md"), encoding="utf-8")
    return path.as_uri()


def _text(page: Any) -> str:
    pieces = page.locator(".piece").evaluate_all("(all) => all.map((p) => p.textContent).join('')")
    return str(pieces)


@SIZES
@THEMES
def test_marks_are_not_shown(
    open_page: Open,
    violations: Callable[[Any], list[str]],
    markdown_page: str,
    width: int,
    theme: str,
) -> None:
    page = open_page(markdown_page, width, theme)
    shown = page.inner_text(".text")
    for mark in ("#", "**", "](", "`", "|", "<img", "\n>", "\n-"):
        assert mark not in shown
    assert page.locator(".text a, .text img").count() == 0
    assert page.title() != "run"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page) == []


def test_titles_are_shown_once_under_any_cut(open_page: Open, markdown_page: str) -> None:
    page = open_page(markdown_page)
    for place in range(int(page.locator(".slider").get_attribute("max")) + 1):
        page.locator(".slider").fill(str(place))
        heads = page.locator(".head > :first-child bdi").all_inner_texts()
        inside = page.locator(".piece .title:not(.above)").all_inner_texts()
        beside = " · ".join(page.locator(".head .headings").all_inner_texts())
        told = {*heads, *re.split(" [›·] ", beside)}
        assert {"Bats", "Tea", "Food of bats"} <= {*told, *inside}
        above = page.locator(".piece .above").all_text_contents()
        assert {title.strip("# ") for title in above} <= told
        assert not set(heads) & set(inside)


def test_words_are_found_and_marked_across_marks(
    open_page: Open, markdown_page: str, text: str
) -> None:
    page = open_page(markdown_page)
    page.locator(".search").fill("hunt moths by night")
    page.wait_for_selector(".found .hint:has-text('5 sentences')")
    assert page.locator(".hits button").first.inner_text().startswith("Bats hunt moths by night.")
    marked = page.locator(".text .s").nth(1).locator("mark").all_text_contents()
    assert "".join(marked) == "hunt moths by night"
    page.locator(".search").press("Escape")
    page.locator("[data-mode=all]").click()
    words = {word.lower() for word in page.locator(".text i").all_inner_texts()}
    assert {"moths", "tea", "cup"} <= words
    assert page.locator(".text .m i").count() == 0
    page.locator("[data-mode=off]").click()
    assert _text(page) == text


def test_places_are_found_in_lists_tables_and_hidden_titles(
    open_page: Open, markdown_page: str
) -> None:
    page = open_page(markdown_page)
    tops = page.locator(".s").evaluate_all(
        "(all) => all.map((s) => Math.round(s.getBoundingClientRect().top))"
    )
    assert all(top != 0 for top in tops)
    assert tops == pytest.approx(sorted(tops), abs=3)
