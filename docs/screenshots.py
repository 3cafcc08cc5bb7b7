"""Take the screenshots of the report and of the page that the docs show.

``python docs/screenshots.py`` needs chromium and ``pip install playwright pillow``.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import tempfile
import wave
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import docbats
from docbats.places import clock

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).parent.parent
PICTURES = Path(__file__).parent / "pictures"
N_COLOURS = 256  # of each picture; more make it larger
SECONDS_PER_SENTENCE = 6  # of the lecture
SPEAKERS = ("Edda Brink", "Tom Halle", "Edda Brink", "Ruth Amadi")  # if it were a conversation


def main() -> None:
    """Write every picture to docs/pictures."""
    from playwright.sync_api import sync_playwright

    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--headless=new", "--disable-gpu"],
        )
        take_report(browser, Path(folder))
        take_talk(browser, Path(folder))
        take_page(browser, Path(folder))
        browser.close()


def take_report(browser: Any, folder: Path) -> None:
    """Take pictures of the report of an example: wide, dark, narrow, and its figures."""
    name = "annual-report.txt"
    text = (ROOT / "examples" / name).read_text(encoding="utf-8")
    report = folder / "report.html"
    report.write_text(docbats.analyze(text).to_html(name), encoding="utf-8")

    def open_(width: int, height: int, theme: Literal["light", "dark"]) -> Any:
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=theme)
        page.goto(report.as_uri())
        return page

    _save(open_(1280, 860, "light"), "report.png")
    page = open_(1280, 860, "dark")
    page.keyboard.press("n")
    page.keyboard.press("n")
    page.locator(".pick").nth(3).click()
    page.evaluate("document.activeElement.blur()")
    _save(page, "report-dark.png")
    page = open_(380, 760, "light")
    page.keyboard.press("n")
    page.keyboard.press("n")
    page.wait_for_timeout(300)
    _save(page, "report-narrow.png")
    page = open_(1280, 1100, "light")
    page.locator(".tab-figures").click()
    page.wait_for_timeout(300)
    _save(page, "report-figures.png")
    page = open_(1280, 700, "light")
    page.keyboard.press("n")
    page.locator(".search").fill("harbour")
    page.wait_for_selector(".hits li")
    page.wait_for_timeout(300)
    _save(page, "report-search.png")


def take_talk(browser: Any, folder: Path) -> None:
    """Take a picture of the report of a talk with its recording."""
    talk = folder / "talk.vtt"
    lecture = ROOT / "examples" / "lecture.txt"
    talk.write_text(_captions(lecture, SPEAKERS), encoding="utf-8")
    with wave.open(str(folder / "talk.wav"), "wb") as sound:
        sound.setparams((1, 1, 8000, 0, "NONE", ""))
        sound.writeframes(b"\x80" * 8000 * 900)
    report = folder / "talk.html"
    result = docbats.analyze(docbats.Document.read(talk))
    report.write_text(result.to_html("talk.vtt", media="talk.wav"), encoding="utf-8")
    page = browser.new_page(viewport={"width": 1280, "height": 800}, color_scheme="light")
    page.goto(report.as_uri())
    page.wait_for_function("() => document.querySelector('audio').readyState > 0")
    page.evaluate("document.querySelector('.speakers').scrollIntoView()")
    page.evaluate("window.scrollBy(0, -80)")
    page.evaluate("document.querySelector('audio').currentTime = 20")
    page.wait_for_selector(".spoken[aria-current]")
    page.wait_for_timeout(300)
    _save(page, "report-talk.png")


def take_page(browser: Any, folder: Path) -> None:
    """Take pictures of the page of the service: with a text, and with captions and their times."""
    captions = folder / "lecture.vtt"
    captions.write_text(_captions(ROOT / "examples" / "lecture.txt"), encoding="utf-8")
    with _service() as url:
        page = browser.new_page(viewport={"width": 1200, "height": 900}, color_scheme="light")
        page.goto(url)
        names = ("annual-report.txt", "article.txt", "lecture.txt")
        _open(page, *(ROOT / "examples" / name for name in names))
        page.click(".edit")
        page.locator(".next").click()
        page.locator(".next").click()
        page.wait_for_timeout(300)
        _save(page, "serve.png")
        page.click(".edit")
        _open(page, captions)
        page.evaluate("document.activeElement.blur()")
        for _ in range(4):
            page.keyboard.press("n")
        page.evaluate("document.activeElement.blur()")
        page.wait_for_timeout(300)
        _save(page, "serve-captions.png")


def _open(page: Any, *files: Path) -> None:
    page.set_input_files("#file", files)
    page.wait_for_selector(f"article.docbats.live h2:has-text('{files[0].name}')")
    page.wait_for_selector("#status:has-text('Analyzed')")
    page.wait_for_function("() => !document.querySelector('.documents .note')")


def _captions(path: Path, speakers: Sequence[str] = ()) -> str:
    """Return the sentences of a text as captions of equal length.

    The speakers take turns: each begins where the number of a sentence can be divided by 3 or 7.
    """
    sentences = docbats.Document.from_text(path.read_text(encoding="utf-8")).sentences
    turns = accumulate(i % 3 == 0 or i % 7 == 0 for i in range(len(sentences)))
    voices = (f"<v {speakers[turn % len(speakers)]}>" if speakers else "" for turn in turns)
    cues = (
        f"{_stamp(i)} --> {_stamp(i + 1)}\n{voice}{' '.join(sentence.split())}\n"
        for i, (sentence, voice) in enumerate(zip(sentences, voices, strict=True))
    )
    return "WEBVTT\n\n" + "\n".join(cues)


def _stamp(sentence: int) -> str:
    """Return the time at which a sentence begins."""
    return f"{clock(SECONDS_PER_SENTENCE * sentence):0>5}.000"


@contextmanager
def _service() -> Iterator[str]:
    command = [sys.executable, "-c", "from docbats.cli import main; main()", "serve"]
    with subprocess.Popen(
        [*command, "--port", "0", "--no-open", "--workers", "1"], stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        found = re.search(r"http://\S+", process.stderr.readline())
        if found is None:
            sys.exit("docbats serve did not start")
        try:
            yield found[0]
        finally:
            process.terminate()


def _save(view: Any, name: str) -> None:
    from PIL import Image

    picture = Image.open(io.BytesIO(view.screenshot())).convert("RGB")
    path = PICTURES / name
    picture.quantize(N_COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=2).save(path, optimize=True)
    print(f"{path.relative_to(ROOT)}  {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
