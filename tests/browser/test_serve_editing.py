"""The application in a real browser: edited segments, and downloads."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.browser.application import ARTICLE, analyze, count_segments, download

import docbats

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.browser.report_page import Open
    from tests.sample_files import Files

pytestmark = pytest.mark.browser


def test_segments_are_edited_by_hand(
    open_page: Open, violations: Callable[[Any], list[str]], url: str
) -> None:
    page = open_page(url)
    page.set_input_files("#file", ARTICLE)
    page.wait_for_selector("article.docbats.live")
    k = count_segments(page, "sharp")
    page.click(".edit")
    assert violations(page) == []
    page.locator(".edit-tools button:text-is('Join')").first.click()
    page.wait_for_function(f"() => document.querySelectorAll('.head').length === {k - 1}")
    page.locator(".edit-tools button:text-is('Rename')").nth(1).click()
    page.keyboard.type("A name of my own")
    page.keyboard.press("Enter")
    page.wait_for_selector(".head bdi:text-is('A name of my own')")
    page.locator(".edit-tools button:text-is('Split')").first.click()
    page.wait_for_function(f"() => document.querySelectorAll('.head').length === {k}")
    assert page.locator(".head bdi:text-is('A name of my own')").count() == 1
    second = "document.querySelectorAll('.head')[1].nextElementSibling.querySelector('.s').id"
    before = page.evaluate(second)
    handle = page.locator(".edit-handle").first
    handle.focus()
    handle.press("ArrowDown")
    page.wait_for_selector("#status:has-text('Segment 2 begins at sentence')")
    assert page.evaluate(second) != before
    values = json.loads(download(page, "JSON").read_text(encoding="utf-8"))
    titles = page.locator(".head > :first-child bdi").all_text_contents()
    assert [segment["title"] for segment in values["segments"]] == titles
    assert "A name of my own" in titles
    for _ in range(4):
        page.wait_for_selector(".undo:visible")
        page.click(".undo")
        page.wait_for_selector("#status:has-text('Undone')")
        page.wait_for_function("() => !document.querySelector('#results').ariaBusy")
    page.wait_for_function(f"() => document.querySelectorAll('.head').length === {k}")
    assert page.locator(".head bdi:text-is('A name of my own')").count() == 0


def test_a_boundary_is_dragged(open_page: Open, url: str) -> None:
    page = open_page(url)
    page.set_input_files("#file", ARTICLE)
    page.wait_for_selector("article.docbats.live")
    page.click(".edit")
    handle = page.locator(".edit-handle").first
    handle.scroll_into_view_if_needed()
    page.mouse.wheel(0, 300)
    page.wait_for_timeout(200)
    head = page.locator(".head").nth(1)
    sentence = head.locator("xpath=following-sibling::div[1]//span[contains(@class, 's')]").nth(1)
    target = sentence.text_content()
    box, place = handle.bounding_box(), sentence.bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(place["x"] + 20, place["y"] + place["height"] - 8, steps=5)
    page.mouse.up()
    page.wait_for_selector("#status:has-text('begins at sentence')")
    first = page.locator(".head").nth(1).locator("xpath=following-sibling::div[1]")
    assert first.text_content().strip().startswith(target.strip()[:40])


@pytest.mark.parametrize("format_", ["JSON", "Markdown", "CSV", "HTML", "Word"])
def test_downloads(open_page: Open, url: str, format_: str) -> None:
    page = open_page(url)
    page.set_input_files("#file", ARTICLE)
    page.wait_for_selector("article.docbats.live")
    path = download(page, format_)
    result = docbats.analyze(ARTICLE.read_text(encoding="utf-8"))
    if format_ == "Word":
        read = docbats.Document.read(path.read_bytes(), kind="docx")
        titles = [heading.title for heading in read.places.headings]  # type: ignore[union-attr]
        assert {segment.title for segment in result.segments} <= set(titles)
        return
    content = path.read_text(encoding="utf-8")
    assert result.segments[0].title in content
    if format_ == "HTML":
        assert content == result.to_html("article.txt")


@pytest.mark.parametrize("format_", ["JSON", "Markdown", "CSV", "HTML", "Word"])
def test_downloads_are_what_the_slider_shows(open_page: Open, url: str, format_: str) -> None:
    page = open_page(url)
    page.set_input_files("#file", ARTICLE)
    page.wait_for_selector("article.docbats.live")
    page.locator(".slider").fill("7")
    shown = page.locator(".head > :first-child bdi").all_text_contents()
    assert len(shown) == 8
    path = download(page, format_)
    if format_ == "Word":
        places = docbats.Document.read(path.read_bytes(), kind="docx").places
        assert places is not None
        assert [heading.title for heading in places.headings if heading.title in shown] == shown
        return
    content = path.read_text(encoding="utf-8")
    if format_ == "JSON":
        segments = json.loads(content)["segments"]
        assert [segment["title"] for segment in segments] == shown
        assert "".join(segment["text"] for segment in segments) == ARTICLE.read_text()
    elif format_ == "CSV":
        rows = list(csv.DictReader(content.splitlines()))
        assert [row["title"] for row in rows] == shown
    else:
        assert all(title in content for title in shown)
        assert format_ != "HTML" or content.count('class="head"') == 8


def test_chapters_of_captions_and_bookmarks_of_a_pdf(
    open_page: Open, url: str, files: Files, tmp_path: Path
) -> None:
    page = open_page(url)
    talk, paper = tmp_path / "talk.vtt", tmp_path / "paper.pdf"
    talk.write_text(files.vtt([*files.bats, *files.tea]), encoding="utf-8")
    paper.write_bytes(files.paper())
    page.set_input_files("#file", talk)
    page.wait_for_selector("article.docbats.live h2:has-text('talk.vtt')")
    assert download(page, "VTT").read_text(encoding="utf-8").startswith("WEBVTT")
    page.set_input_files("#file", paper)
    page.wait_for_selector("article.docbats.live h2:has-text('paper.pdf')")
    assert b"/Outlines" in download(page, "PDF").read_bytes()


def test_chapters_for_youtube(open_page: Open, url: str, files: Files, tmp_path: Path) -> None:
    talk = tmp_path / "talk.vtt"
    talk.write_text(files.vtt([*files.bats, *files.tea], 30), encoding="utf-8")
    page = open_page(f"{url}?k=3")
    page.set_input_files("#file", talk)
    page.wait_for_selector(".facts:has-text('3 segments')")
    titles = page.locator(".head > :first-child bdi").all_text_contents()
    lines = download(page, "YouTube").read_text(encoding="utf-8").splitlines()
    assert lines[0] == f"0:00 {titles[0]}"
    assert [line.split(" ", 1)[1] for line in lines] == titles


def test_downloads_of_a_talk(open_page: Open, url: str, files: Files, tmp_path: Path) -> None:
    talk = tmp_path / "talk.vtt"
    talk.write_text(files.vtt([*files.bats, *files.tea], 30), encoding="utf-8")
    page = open_page(f"{url}?k=3")
    page.set_input_files("#file", talk)
    page.wait_for_selector(".facts:has-text('3 segments')")
    titles = page.locator(".head > :first-child bdi").all_text_contents()
    chapters = json.loads(download(page, "Podcast").read_text(encoding="utf-8"))["chapters"]
    assert [chapter["title"] for chapter in chapters] == titles
    assert (
        download(page, "ffmpeg").read_text(encoding="utf-8").startswith(";FFMETADATA1\n[CHAPTER]")
    )
    captions = download(page, "SRT").read_text(encoding="utf-8")
    assert all(f"[{title}]" in captions for title in titles)
    assert download(page, "Minutes").read_text(encoding="utf-8").startswith("# Minutes")


def test_a_talk_without_times_has_minutes_but_no_chapters(open_page: Open, url: str) -> None:
    page = open_page(url)
    names = ("Anna", "Bob", "Anna", "Cy")
    said = "\n".join(f"{names[i % 4]}: I think you know the tea number {i}." for i in range(30))
    analyze(page, said)
    labels = page.locator(".downloads button").all_text_contents()
    assert "Minutes" in labels
    assert not {"VTT", "YouTube", "Podcast", "ffmpeg", "SRT"} & set(labels)
    assert "Speakers: Anna" in download(page, "Minutes").read_text(encoding="utf-8")
