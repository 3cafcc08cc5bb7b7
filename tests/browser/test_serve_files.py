"""The application in a real browser: files, the list of documents, progress."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.browser.application import ARTICLE, analyze, serve
from tests.browser.report_page import EXAMPLES, Open
from tests.long_book import make_book
from tests.talks import recording, talk_vtt

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.sample_files import Files

pytestmark = pytest.mark.browser


def test_files_are_picked_and_dropped(open_page: Open, url: str, tmp_path: Path) -> None:
    page = open_page(url)
    page.set_input_files("#file", ARTICLE)
    page.wait_for_selector("article.docbats.live")
    assert page.locator("article.docbats h2").first.text_content() == "article.txt"
    other = tmp_path / "latin.txt"
    other.write_bytes("Café au lait. Café noir. Thé vert. Thé noir.".encode("latin-1"))
    page.set_input_files("#file", other)
    page.wait_for_selector("#status:has-text('Windows-1252')")
    assert page.input_value("#text").startswith("Café")
    drop = """() => {
      const data = new DataTransfer();
      data.items.add(new File(["Red cars. Fast cars. Old boats. Slow boats."], "dropped.txt"));
      for (const type of ["dragover", "drop"]) {
        document.body.dispatchEvent(
          new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
      }
    }"""
    page.evaluate(drop)
    page.wait_for_selector("article.docbats h2:has-text('dropped.txt')")
    assert page.is_hidden("#drop")


def test_many_files_are_dropped(open_page: Open, url: str) -> None:
    page = open_page(url)
    page.evaluate("""() => {
      const data = new DataTransfer();
      for (const name of ["cars.txt", "boats.txt"]) {
        data.items.add(new File([`Red ${name}. Fast cars. Old boats. Slow boats.`], name));
      }
      document.body.dispatchEvent(
        new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }""")
    page.wait_for_selector(".open-document >> nth=1")
    page.wait_for_function("() => !document.querySelector('.documents .note')")
    assert page.locator(".open-document").all_text_contents() == ["cars.txt", "boats.txt"]
    stored = page.evaluate("() => indexedDB.databases().then((all) => all.length)")
    assert stored + page.evaluate("() => localStorage.length") > 0


def test_files_of_other_kinds_are_read_by_the_service(
    open_page: Open, url: str, files: Files, tmp_path: Path
) -> None:
    page = open_page(url)
    paper, old = tmp_path / "paper.pdf", tmp_path / "old.txt"
    paper.write_bytes(files.paper())
    page.fill("#k", "3")
    page.set_input_files("#file", paper)
    page.wait_for_selector("article.docbats.live h2:has-text('paper.pdf')")
    page.click("#input:not([open]) > summary")
    assert page.input_value("#text") == ""
    assert "paper.pdf is open" in page.get_attribute("#text", "placeholder")
    assert f"paper.pdf · {paper.stat().st_size:,} bytes" in page.inner_text("#text-facts")
    page.wait_for_selector(".range:text-is('page 2')")
    page.locator(".slider").fill("0")
    page.wait_for_selector(".range:text-is('pages 1-3')")
    page.locator(".slider").fill("2")
    with page.expect_download() as waiting:
        page.click(".downloads button:text-is('JSON')")
    segments = json.loads(Path(waiting.value.path()).read_text(encoding="utf-8"))["segments"]
    assert segments[1]["place"]["pages"] == [2, 2]
    old.write_bytes("Кажани полюють уночі. Їхні крила тонкі. Чай гарячий.".encode("koi8-u"))
    page.fill("#k", "")
    page.set_input_files("#file", old)
    page.wait_for_selector(".note:has-text('read as koi8-u')")
    page.click("#input:not([open]) > summary")
    page.fill("#text", "Red cars. Fast cars. Old boats. Slow boats.")
    page.wait_for_selector("article.docbats.live h2:has-text('Document')")
    assert "43 characters" in page.inner_text("#text-facts")


def test_headings_follow_the_slider(open_page: Open, url: str, files: Files) -> None:
    page = open_page(url)
    bats, tea = " ".join(files.bats), " ".join(files.tea)
    text = f"# Bats\n\n{bats}\n\n# Tea\n\n{tea}\n\n## Green\n\n{tea}"
    page.set_input_files(
        "#file", {"name": "a.md", "mimeType": "text/markdown", "buffer": text.encode()}
    )
    page.wait_for_selector("article.docbats.live")
    titles = page.locator(".head > :is(h2, h3, h4) bdi")
    page.locator(".slider").fill("0")
    page.wait_for_function("() => document.querySelectorAll('.head').length === 1")
    assert titles.all_inner_texts() == ["Bats"]
    page.locator(".slider").fill("1")
    page.wait_for_function("() => document.querySelectorAll('.head').length === 2")
    assert titles.all_inner_texts() == ["Bats", "Tea"]
    page.locator(".slider").fill("2")
    page.wait_for_function("() => document.querySelectorAll('.head').length === 3")
    assert page.locator(".head .headings").last.inner_text() == "Tea"


def test_what_cannot_be_read_is_explained(browser: Any, url: str, tmp_path: Path) -> None:
    page = browser.new_page()
    page.goto(url)
    analyze(page)
    for name, content, said in (
        ("a.pdf", b"%PDF-1.7 ...", "a.pdf: a broken PDF"),
        ("a.docx", b"PK\x03\x04...", "a.docx: a broken ZIP archive"),
        ("a.txt", b"\x1f\x8b\0", "a.txt: a gzip file"),
    ):
        (tmp_path / name).write_bytes(content)
        page.set_input_files("#file", tmp_path / name)
        page.wait_for_selector(f"#alert:has-text('{said}')")
        assert page.locator("article.docbats").count() == 0
    (tmp_path / "long.txt").write_bytes(b"word " * 30_000)
    page.set_input_files("#file", tmp_path / "long.txt")
    page.wait_for_selector("#alert:has-text('--max-bytes 1000000')")
    assert "long.txt is open" not in page.get_attribute("#text", "placeholder")
    analyze(page)
    assert page.is_hidden("#alert")
    page.close()


def test_many_files_are_listed_and_survive_a_refresh(
    open_page: Open, violations: Callable[[Any], list[str]], url: str
) -> None:
    page = open_page(url)
    names = ["article.txt", "how-to.txt", "lecture.txt"]
    page.evaluate("() => { Date.now = () => 1e12; }")  # all in the same millisecond
    page.set_input_files("#file", [EXAMPLES / name for name in names])
    page.wait_for_selector("article.docbats.live")
    page.wait_for_function("() => !document.querySelector('.documents .note')")
    assert page.locator(".open-document").all_text_contents() == names
    assert violations(page) == []
    page.click(".open-document:text-is('how-to.txt')")
    page.wait_for_selector("article.docbats.live h2:has-text('how-to.txt')")
    page.locator(".slider").fill("2")
    page.locator(".next").click()
    page.locator(".next").click()
    page.wait_for_function("() => location.search.includes('part=2')")
    assert "shown=3" in page.url
    page.reload()
    page.wait_for_selector("article.docbats.live h2:has-text('how-to.txt')")
    assert page.locator(".open-document").all_text_contents() == names
    assert page.locator("output.k").text_content() == "3"
    page.wait_for_function("() => document.querySelector('.place').textContent === '2 / 3'")
    page.click(".remove-document >> nth=0")
    assert page.locator(".open-document").count() == 2
    page.click("#forget")
    page.wait_for_selector("#empty")
    page.reload()
    page.wait_for_selector("#version:not(:empty)")
    assert page.locator(".open-document").count() == 0


def test_progress_is_shown_and_can_be_cancelled(open_page: Open, tmp_path: Path) -> None:
    long = tmp_path / "long.txt"
    long.write_text(make_book(30_000).text, encoding="utf-8")
    with serve() as url:
        page = open_page(url)
        page.set_input_files("#file", long)
        page.wait_for_selector("#progress:not([hidden])")
        page.wait_for_function(
            "() => document.getElementById('stage').textContent !== 'Analyzing…'"
        )
        page.wait_for_function("() => document.getElementById('share').value > 0")
        page.click("#cancel")
        page.wait_for_selector("#progress", state="hidden")
        assert page.inner_text("#status") == "Cancelled."
        analyze(page)  # by another process, or by the same one if that was done


def test_address_holds_for_a_file_opened_while_the_page_starts(open_page: Open, url: str) -> None:
    page = open_page(url)
    page.route("**/v1/presets", lambda route: (page.wait_for_timeout(1000), route.continue_()))
    page.goto(f"{url}?k=3")
    page.set_input_files("#file", EXAMPLES / "article.txt")
    page.wait_for_selector(".facts:has-text('3 segments')")
    page.unroute_all(behavior="wait")  # one that ends after the page would fail the next test


def test_recording_is_played_and_never_sent(open_page: Open, url: str, tmp_path: Path) -> None:
    page = open_page(url)
    sent: list[int] = []
    page.on("request", lambda request: sent.append(len(request.post_data_buffer or b"")))
    talk, sound = tmp_path / "talk.vtt", tmp_path / "talk.wav"
    talk.write_text(talk_vtt(), encoding="utf-8")
    sound.write_bytes(recording(200))
    page.set_input_files("#file", sound)
    page.wait_for_selector("#alert:has-text('talk.wav was not opened: open its transcript first')")
    page.set_input_files("#file", [sound, talk])
    page.wait_for_selector("article.docbats.live .player audio")
    page.wait_for_function("() => document.querySelector('audio').readyState > 0")
    assert "talk.wav plays beside the text" in page.inner_text("#status")
    assert page.locator(".open-document").all_text_contents() == ["talk.vtt"]
    page.locator("button.time").nth(2).click()
    page.wait_for_selector(".spoken[aria-current]", state="attached")
    page.evaluate("document.querySelector('audio').currentTime = 30")
    page.wait_for_function("() => document.querySelector('audio').currentTime >= 30")
    # Other segments: the recording goes on from where it was.
    page.click("#input:not([open]) > summary")
    page.fill("#k", "3")
    page.wait_for_selector("output.k:text-is('3')")
    page.wait_for_function("() => document.querySelector('audio').currentTime >= 30")
    assert max(sent) < 10_000 < sound.stat().st_size
    words = tmp_path / "words.mp3"
    words.write_text("no sound")
    page.evaluate("window.scrollTo(0, 0)")
    page.set_input_files("#file", words)
    page.wait_for_selector(".player .hint:has-text('words.mp3 is not there, or the browser')")
    page.fill("#text", "Red cars. Fast cars. Old boats. Slow boats.")
    page.wait_for_selector("article.docbats:not(.turns)")
    assert page.locator(".player").count() == 0
    page.set_input_files("#file", sound)
    page.wait_for_selector("#alert:has-text('the text has no times to follow it by')")
