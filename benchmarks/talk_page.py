"""Measure the report of talks in a real browser: size, first paint, the filter by speaker.

Writes benchmarks/results/talk-page.json. A meeting of an hour as captions, chats of 2,000 and of
20,000 lines and a hearing of 150,000 characters are drawn by a seed, of made-up words. Needs
Playwright and chromium, as benchmarks/page.py does.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import shutil
import statistics
import tempfile
from itertools import chain, count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.page import ARGUMENTS, HEIGHT, RUNS, WIDTH, first_paint, timed
from benchmarks.slider import make_paragraphs
from docbats import Document, analyze
from docbats.places import clock
from docbats.runtime import find_versions

if TYPE_CHECKING:
    from collections.abc import Iterator

OUTPUT = Path(__file__).parent / "results" / "talk-page.json"
NAMES = ("Marit Olsen", "Henrik Vale", "Asha Raman", "Tomasz Brink", "Lena Okafor", "Jo Halle")
MEETING_SECONDS, CHAT_LINES, LONG_CHAT_LINES, HEARING_CHARACTERS = 3600, 2000, 20_000, 150_000
CHARACTERS_PER_SECOND = 15  # of speech
MAX_FIRST_PAINT = 1000  # milliseconds


def main() -> None:
    """Write the reports, open each some times, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    load = round(os.getloadavg()[0], 1)
    talks = {
        "meeting.vtt": make_meeting(),
        "chat.txt": make_chat(CHAT_LINES),
        "long-chat.txt": make_chat(LONG_CHAT_LINES),
        "hearing.txt": make_hearing(),
    }
    with tempfile.TemporaryDirectory() as folder:
        pages = {name: Path(folder) / f"{name}.html" for name in talks}
        found: dict[str, Any] = {}
        for name, text in talks.items():
            document = Document.read(text.encode(), name=name, language="en")
            page = analyze(document).to_html(name)
            pages[name].write_text(page, encoding="utf-8")
            turns = sum(block.kind == "turn" for block in document.blocks)
            found[name] = {"characters": len(document.text), "turns": turns, "bytes": len(page)}
        times, browser = measure(pages, arguments.runs)
    for name, taken in times.items():
        found[name] |= {"milliseconds": taken}
    report = {
        "command": "python -m benchmarks.talk_page",
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "load_before": load,
        "versions": {**find_versions("docbats", "numpy", "playwright"), "chromium": browser},
        "runs": arguments.runs,
        "talks": found,
        "bars": {
            f"first paint of {name} within {MAX_FIRST_PAINT:,} ms": "met"
            if taken["first_paint"] <= MAX_FIRST_PAINT
            else "missed"
            for name, taken in times.items()
        },
    }
    print(json.dumps(report, indent=1))
    arguments.output.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def make_turns(seed: int) -> Iterator[tuple[str, list[str]]]:
    """Yield who speaks, and the sentences; two people who follow each other differ."""
    rng = random.Random(seed)
    paragraphs = chain.from_iterable(make_paragraphs(10_000) for _ in count())
    sentences = (f"I say {said[0].lower()}{said[1:]}" for said in chain.from_iterable(paragraphs))
    name = NAMES[-1]
    while True:
        name = rng.choice([other for other in NAMES if other != name])
        yield name, list(islice(sentences, rng.choice([1, 1, 2, 3, 5, 8])))


def make_meeting() -> str:
    """Return the captions of a meeting of an hour."""
    rows, at = ["WEBVTT\n"], 0.0
    for name, sentences in make_turns(1):
        for sentence in sentences:
            ends = at + len(sentence) / CHARACTERS_PER_SECOND
            rows.append(f"{_stamp(at)} --> {_stamp(ends)}\n<v {name}>{sentence}</v>\n")
            at = ends
        at += 0.5
        if at > MEETING_SECONDS:
            break
    return "\n".join(rows)


def make_chat(lines: int) -> str:
    """Return a chat with a line for each message."""
    messages = [(name, sentences[0]) for name, sentences in islice(make_turns(2), lines)]
    return "".join(
        f"[{clock(3600 * 8 + 20 * i):0>8}] {name}: {message}\n"
        for i, (name, message) in enumerate(messages)
    )


def make_hearing() -> str:
    """Return a hearing with a paragraph for each turn."""
    paragraphs: list[str] = []
    size = 0
    for name, sentences in make_turns(3):
        paragraphs.append(f"{name}: {' '.join(sentences)}")
        size += len(paragraphs[-1]) + 2
        if size > HEARING_CHARACTERS:
            break
    return "\n\n".join(paragraphs)


def measure(pages: dict[str, Path], runs: int) -> tuple[dict[str, dict[str, float]], str]:
    """Return the medians of what takes time on each page, and the browser's version."""
    from playwright.sync_api import sync_playwright

    times: dict[str, dict[str, list[float]]] = {name: {} for name in pages}
    with sync_playwright() as playwright:
        for _ in range(runs):
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=ARGUMENTS
            )
            for name, page in pages.items():
                view = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
                view.goto(page.as_uri())
                view.wait_for_selector("article.live")
                view.wait_for_timeout(500)
                taken = {
                    "first_paint": first_paint(view),
                    "filter": timed(view, ".speakers .voice", "click"),
                    "show_all": timed(view, ".show-all", "click"),
                }
                for kind, milliseconds in taken.items():
                    times[name].setdefault(kind, []).append(milliseconds)
                view.close()
            version = browser.version
            browser.close()
    medians = {
        name: {kind: round(statistics.median(taken), 1) for kind, taken in kinds.items()}
        for name, kinds in times.items()
    }
    return medians, version


def _stamp(seconds: float) -> str:
    return f"{clock(seconds) if seconds >= 3600 else '0:' + clock(seconds):0>8}.000"


if __name__ == "__main__":
    main()
