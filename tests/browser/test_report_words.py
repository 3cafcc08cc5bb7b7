"""The report in a real browser: highlights, search, and the words of topics."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from tests.browser.report_page import (
    EXAMPLES,
    Open,
    text_of,
)

import docbats

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.browser


def test_a_topic_is_marked_when_it_is_pressed(open_page: Open, report: str) -> None:
    page = open_page(report)
    assert page.locator(".text i").count() == 0
    page.locator(".pick").nth(1).click()
    assert page.locator(".text i.t1").count() > 0
    assert page.locator(".text i").count() == page.locator(".text i.t1").count()
    assert "words highlighted" in page.locator(".said").text_content()
    assert page.locator("[data-mode=topic]").get_attribute("aria-pressed") == "true"
    text = (EXAMPLES / "annual-report.txt").read_text()
    assert text_of(page) == text
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
    assert text_of(page) == (EXAMPLES / "annual-report.txt").read_text()


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
