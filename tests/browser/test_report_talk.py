"""The report of a transcript: the filter by speaker, and the recording."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.browser.report_page import SIZES, THEMES, Open, slide, text_of, texts_at
from tests.talks import MARIT, PIET, recording, talk_vtt

import docbats

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.browser

NAMES = (MARIT, PIET, "مريم", "Zoë")


@pytest.fixture
def talk(tmp_path: Path) -> str:
    """The report of a talk, beside its recording."""
    document = docbats.Document.read(talk_vtt(NAMES, rounds=16).encode(), name="talk.vtt")
    page = docbats.analyze(document, k=2).to_html("talk.vtt", media="talk.wav")
    (tmp_path / "talk.html").write_text(page, encoding="utf-8")
    (tmp_path / "talk.wav").write_bytes(recording(400))
    return (tmp_path / "talk.html").as_uri()


@pytest.fixture
def open_talk(open_page: Open, talk: str, monkeypatch: pytest.MonkeyPatch) -> Open:
    """Open the talk, which may ask for its recording."""
    from tests.browser import conftest

    check = conftest._check_host

    def allow(asked: str, url: str, complaints: list[str]) -> None:
        if not asked.endswith("/talk.wav"):
            check(asked, url, complaints)

    monkeypatch.setattr(conftest, "_check_host", allow)

    def open_(*size: Any, **options: Any) -> Any:
        page = open_page(talk, *size, **options)
        page.wait_for_function("() => document.querySelector('audio').readyState > 0")
        return page

    return open_


def shown_turns(page: Any) -> list[str]:
    return texts_at(page, ".spoken:visible .by:not(.again) bdi")


@SIZES
def test_filter_shows_the_turns_of_some_speakers(open_talk: Open, width: int) -> None:
    page = open_talk(width)
    everything = page.locator(".reading").inner_text()
    names = shown_turns(page)
    page.locator(".speakers .voice >> nth=0").focus()
    page.keyboard.press("Enter")
    assert set(shown_turns(page)) == {MARIT}
    count = names.count(MARIT)
    said = f"Only {MARIT}: {count} of {len(names)} turns."
    assert page.locator(".only > span").text_content() == said
    assert page.locator(".said").text_content() == said
    page.locator(".speakers .voice >> nth=1").focus()
    page.keyboard.press("Space")
    assert len(set(shown_turns(page))) == 2
    assert text_of(page)  # what is not shown is still there
    page.locator(".show-all").focus()
    page.keyboard.press("Enter")
    assert shown_turns(page) == names
    assert not page.locator(".only").is_visible()
    assert page.locator(".reading").inner_text() == everything
    assert page.locator(".said").text_content() == "Everything is shown."


def test_reader_moves_about_in_filtered_text(open_talk: Open) -> None:
    page = open_talk(height=400)
    page.locator(".speakers .voice >> nth=0").click()
    page.locator(".outline a[data-segment='2']").click()
    page.wait_for_selector(".outline a[data-segment='2'][aria-current]")
    page.keyboard.press("p")
    page.locator(".search").fill("cider")
    page.wait_for_selector(".hits li")
    page.locator("[data-mode=all]").click()
    # A hit that the filter hides is shown.
    hidden = page.evaluate(
        """() => [...document.querySelectorAll('.hits [data-unit]')].findIndex((button) =>
          !document.querySelectorAll('.text .s')[button.dataset.unit].getClientRects().length)"""
    )
    page.locator(".hits [data-unit]").nth(hidden).click()
    assert not page.locator(".only").is_visible()
    assert page.locator(".s.at").is_visible()


def test_shares_are_the_same_whoever_writes_them(open_talk: Open) -> None:
    """The command writes those of the first cut, the script those of all others."""
    page = open_talk()
    parts = (".head .voices", ".outline .voices")
    before = [texts_at(page, part) for part in parts]
    slide(page, 4)
    assert len(texts_at(page, ".head .voices")) == 5
    slide(page, 1)
    assert [texts_at(page, part) for part in parts] == before


def test_a_click_on_a_time_seeks_and_the_text_follows(open_talk: Open) -> None:
    page = open_talk()
    time = page.locator("button.time").nth(20)
    shown = time.text_content()
    time.click()
    page.wait_for_selector(".spoken[aria-current]")
    page.wait_for_function("() => document.querySelector('audio').currentTime > 0")
    assert page.locator(".spoken[aria-current] .time").text_content() == shown
    page.evaluate("document.querySelector('audio').pause()")
    page.evaluate("document.querySelector('audio').currentTime = 250")
    page.wait_for_function(
        "() => document.querySelector('.spoken[aria-current] .time')?.textContent.startsWith('4:')"
    )
    assert in_view(page)
    page.evaluate("window.scrollTo(0, 0)")
    page.wait_for_selector(".following[aria-pressed=false]")
    page.evaluate("document.querySelector('audio').currentTime = 200")
    page.wait_for_function(
        "() => document.querySelector('.spoken[aria-current] .time')?.textContent.startsWith('3:')"
    )
    assert page.evaluate("scrollY") == 0
    page.locator(".following").click()
    assert in_view(page)
    page.locator("button.range").nth(1).click()
    page.wait_for_function("() => document.querySelector('audio').currentTime < 190")
    begins = page.locator("button.range").nth(1).text_content().split("-")[0]
    page.wait_for_function(
        f"() => document.querySelector('.spoken[aria-current] .time')?.textContent === '{begins}'"
    )


def in_view(page: Any) -> bool:
    return bool(
        page.evaluate(
            """() => {
              const { top, bottom } = document.querySelector('.spoken[aria-current]')
                .getBoundingClientRect();
              return top >= document.querySelector('.bar').getBoundingClientRect().bottom
                && bottom <= document.querySelector('.player').getBoundingClientRect().top;
            }"""
        )
    )


def test_text_stays_for_readers_who_want_no_motion(open_talk: Open) -> None:
    page = open_talk(reduced_motion="reduce")
    assert page.locator(".following").get_attribute("aria-pressed") == "false"
    page.evaluate("document.querySelector('audio').currentTime = 250")
    page.wait_for_selector(".spoken[aria-current]", state="attached")
    assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("content", [None, b"no sound, only words"])
def test_missing_or_damaged_recording_is_reported(
    browser: Any, talk: str, tmp_path: Path, content: bytes | None
) -> None:
    if content is None:
        (tmp_path / "talk.wav").unlink()
    else:
        (tmp_path / "talk.wav").write_bytes(content)
    page = browser.new_page()  # of its own, because the browser complains
    page.goto(talk)
    page.wait_for_selector(".player .hint:visible")
    assert "talk.wav is not there, or the browser cannot play" in page.inner_text(".player")
    assert page.locator("button.time, button.range").count() == 0
    assert page.locator(".time").count() > 0
    page.close()


def test_times_are_plain_without_a_recording(open_page: Open, tmp_path: Path) -> None:
    document = docbats.Document.read(talk_vtt().encode(), name="talk.vtt")
    path = tmp_path / "talk.html"
    path.write_text(docbats.analyze(document).to_html("talk.vtt"), encoding="utf-8")
    page = open_page(path.as_uri())
    assert page.locator(".time").count() > 0
    assert page.locator("button.time, button.range, audio, video").count() == 0


@SIZES
@THEMES
def test_talk_is_accessible(
    open_talk: Open, violations: Callable[[Any], list[str]], width: int, theme: str
) -> None:
    page = open_talk(width, theme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator("button.time").nth(9).click()
    page.wait_for_selector(".spoken[aria-current]", state="attached")
    page.evaluate("document.querySelector('audio').pause()")
    assert violations(page) == []
    page.locator(".speakers .voice >> nth=0").click()
    assert violations(page) == []


def test_talk_without_a_script_and_on_paper(open_talk: Open, talk: str, open_page: Open) -> None:
    page = open_page(talk, java_script_enabled=False)
    assert page.locator(".by").first.is_visible()
    assert not page.locator(".only").is_visible()
    page = open_talk()
    page.emulate_media(media="print")
    assert page.locator(".by").first.is_visible()
    assert not page.locator(".player").is_visible()
