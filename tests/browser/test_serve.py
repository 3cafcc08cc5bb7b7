from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.long_book import make_book

import docbats

if TYPE_CHECKING:
    from tests.sample_files import Files

pytestmark = pytest.mark.browser

EXAMPLES = Path(__file__).parents[2] / "examples"
ARTICLE = EXAMPLES / "article.txt"
SIZES = pytest.mark.parametrize("width", [380, 1400])
THEMES = pytest.mark.parametrize("theme", ["light", "dark"])
Open = Callable[..., Any]


@contextmanager
def _serve(*options: str) -> Iterator[str]:
    command = [sys.executable, "-c", "from docbats.cli import main; main()", "serve"]
    with subprocess.Popen(
        [*command, "--port", "0", "--no-open", "--workers", "1", *options],
        stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stderr is not None
        found = re.search(r"http://\S+", process.stderr.readline())
        assert found
        try:
            yield found[0]
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with _serve("--max-bytes", "100000") as url:
        yield url


def _analyze(page: Any, text: str | None = None) -> None:
    """Enter a text, or the page's own example, and wait for the result."""
    if text is None:
        page.click("#example")
    else:
        page.fill("#text", text)
    page.wait_for_selector("article.docbats.live")


def _segments(page: Any, preset: str) -> int:
    return int(page.locator(f"[data-preset={preset}] .head").count())


@SIZES
@THEMES
def test_a_document_is_analyzed_as_it_is_typed(
    open_page: Open, violations: Callable[[Any], list[str]], url: str, width: int, theme: str
) -> None:
    page = open_page(url, width, theme)
    assert violations(page) == []
    text = ARTICLE.read_text(encoding="utf-8")
    _analyze(page, text)
    assert _segments(page, "sharp") == len(docbats.analyze(text).segments)
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
    _analyze(page, ARTICLE.read_text(encoding="utf-8"))
    page.click(".pin")
    page.click("label[for=preset-paper]")
    page.wait_for_selector("[data-preset=paper] article.docbats.live")
    assert _segments(page, "sharp") > 1
    assert _segments(page, "paper") > 1
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
    _analyze(page)
    page.fill("#k", "3")
    page.wait_for_selector(".facts:has-text('3 segments')")
    assert _segments(page, "sharp") == 3
    page.fill("#k", "")
    page.click("#limits summary")
    page.fill("#max_size", "5")
    page.wait_for_selector(".facts:has-text('own settings')")
    assert _segments(page, "sharp") >= 6
    page.select_option("#size_unit", "words")
    page.fill("#max_size", "60")
    page.wait_for_function("() => document.querySelectorAll('.head').length >= 9")


def test_the_slider_of_the_view_works_here(open_page: Open, url: str) -> None:
    page = open_page(url)
    _analyze(page)
    page.locator(".slider").fill("1")
    page.wait_for_selector(".facts:has-text('2 segments')")
    assert _segments(page, "sharp") == 2


def test_requests_that_were_overtaken_are_dropped(open_page: Open, url: str) -> None:
    page = open_page(url)
    _analyze(page)
    for k in range(2, 9):  # each a change of its own, faster than the answers
        page.fill("#k", str(k))
        page.dispatch_event("#k", "change")
    page.wait_for_selector(".facts:has-text('8 segments')")
    page.wait_for_timeout(500)
    assert _segments(page, "sharp") == 8


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
    assert segments[1]["place"] == {"pages": [2, 2]}
    old.write_bytes("Кажани полюють уночі. Їхні крила тонкі. Чай гарячий.".encode("koi8-u"))
    page.fill("#k", "")
    page.set_input_files("#file", old)
    page.wait_for_selector(".note:has-text('read as koi8-u')")
    page.click("#input:not([open]) > summary")
    page.fill("#text", "Red cars. Fast cars. Old boats. Slow boats.")
    page.wait_for_selector("article.docbats.live h2:has-text('Document')")
    assert "43 characters" in page.inner_text("#text-facts")


def test_granularity_is_chosen_unless_k_is(open_page: Open, url: str) -> None:
    page = open_page(url)
    _analyze(page, ARTICLE.read_text())
    for name in ("coarse", "fine"):
        with page.expect_response("**/v1/analyze*") as answer:
            page.select_option("#granularity", name)
        assert answer.value.request.post_data_json["granularity"] == name
    page.fill("#k", "2")
    assert page.is_disabled("#granularity")
    page.fill("#k", "")
    assert page.is_enabled("#granularity")


def test_headings_follow_the_slider(open_page: Open, url: str, files: Files) -> None:
    page = open_page(url)
    text = "# Bats\n\n" + " ".join(files.bats) + "\n\n# Tea\n\n" + " ".join(files.tea)
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
    assert all(page.locator(".head .headings").all_inner_texts())


def test_what_cannot_be_read_is_explained(browser: Any, url: str, tmp_path: Path) -> None:
    page = browser.new_page()
    page.goto(url)
    _analyze(page)
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
    _analyze(page)
    assert page.is_hidden("#alert")
    page.close()


@pytest.mark.parametrize("format_", ["JSON", "Markdown", "CSV", "HTML", "Word"])
def test_downloads(open_page: Open, url: str, format_: str) -> None:
    page = open_page(url)
    page.set_input_files("#file", ARTICLE)
    page.wait_for_selector("article.docbats.live")
    path = _download(page, format_)
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


def _download(page: Any, label: str) -> Path:
    with page.expect_download() as waiting:
        page.click(f".downloads button:text-is('{label}')")
    endings = {"Markdown": "md", "Word": "docx", "YouTube": "txt"}
    ending = endings.get(label, label.lower())
    assert waiting.value.suggested_filename.endswith(f"-sharp.{ending}")
    return Path(waiting.value.path())


def test_downloads_are_what_the_slider_shows(open_page: Open, url: str) -> None:
    page = open_page(url)
    page.set_input_files("#file", ARTICLE)
    page.wait_for_selector("article.docbats.live")
    page.locator(".slider").fill("7")
    shown = page.locator(".head > :first-child bdi").all_text_contents()
    assert len(shown) == 8
    values = json.loads(_download(page, "JSON").read_text(encoding="utf-8"))
    assert [segment["title"] for segment in values["segments"]] == shown
    assert "".join(segment["text"] for segment in values["segments"]) == ARTICLE.read_text()
    markdown = _download(page, "Markdown").read_text(encoding="utf-8")
    assert all(title in markdown for title in shown)


def test_chapters_of_captions_and_bookmarks_of_a_pdf(
    open_page: Open, url: str, files: Files, tmp_path: Path
) -> None:
    page = open_page(url)
    talk, paper = tmp_path / "talk.vtt", tmp_path / "paper.pdf"
    talk.write_text(files.vtt([*files.bats, *files.tea]), encoding="utf-8")
    paper.write_bytes(files.paper())
    page.set_input_files("#file", talk)
    page.wait_for_selector("article.docbats.live h2:has-text('talk.vtt')")
    assert _download(page, "VTT").read_text(encoding="utf-8").startswith("WEBVTT")
    page.set_input_files("#file", paper)
    page.wait_for_selector("article.docbats.live h2:has-text('paper.pdf')")
    assert b"/Outlines" in _download(page, "PDF").read_bytes()


def test_many_files_are_listed_and_survive_a_refresh(
    open_page: Open, violations: Callable[[Any], list[str]], url: str
) -> None:
    page = open_page(url)
    names = ["article.txt", "how-to.txt", "lecture.txt"]
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


def test_settings_are_in_the_address(open_page: Open, url: str) -> None:
    page = open_page(url + "?k=3&granularity=fine")
    page.wait_for_function("() => document.getElementById('granularity').value === 'fine'")
    _analyze(page)
    assert _segments(page, "sharp") == 3
    page.fill("#k", "4")
    page.dispatch_event("#k", "change")
    page.wait_for_selector(".facts:has-text('4 segments')")
    assert "k=4" in page.url


def test_segments_are_edited_by_hand(
    open_page: Open, violations: Callable[[Any], list[str]], url: str
) -> None:
    page = open_page(url)
    page.set_input_files("#file", ARTICLE)
    page.wait_for_selector("article.docbats.live")
    k = _segments(page, "sharp")
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
    values = json.loads(_download(page, "JSON").read_text(encoding="utf-8"))
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


def test_progress_is_shown_and_can_be_cancelled(open_page: Open, tmp_path: Path) -> None:
    long = tmp_path / "long.txt"
    long.write_text(make_book(30_000).text, encoding="utf-8")
    with _serve() as url:
        page = open_page(url)
        page.set_input_files("#file", long)
        page.wait_for_selector("#progress:not([hidden])")
        page.wait_for_function(
            "() => document.getElementById('stage').textContent !== 'Analyzing…'"
        )
        page.click("#cancel")
        page.wait_for_selector("#progress", state="hidden")
        assert page.inner_text("#status") == "Cancelled."
        _analyze(page)  # by another process, or by the same one if that was done


def test_hostile_documents_are_only_text(open_page: Open, url: str) -> None:
    page = open_page(url)
    title = page.title()
    _analyze(
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
    with _serve("--token", "open-sesame") as url:
        page = browser.new_page()
        page.goto(url)
        page.wait_for_selector("#token-dialog[open]")
        page.fill("#token", "wrong")
        page.keyboard.press("Enter")
        page.wait_for_selector("#token-error:not([hidden])")
        page.fill("#token", "open-sesame")
        page.keyboard.press("Enter")
        page.wait_for_selector("#token-dialog:not([open])", state="hidden")
        _analyze(page)
        page.close()
