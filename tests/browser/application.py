"""What the tests of the application share."""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.browser.report_page import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Iterator

ARTICLE = EXAMPLES / "article.txt"
DISTANT = "192.0.2.7"
"""An address of no machine, by which the browser finds this one."""


@contextmanager
def serve(*options: str) -> Iterator[str]:
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


def analyze(page: Any, text: str | None = None) -> None:
    """Enter a text, or the page's own example, and wait for the result."""
    if text is None:
        page.click("#example")
    else:
        page.fill("#text", text)
    page.wait_for_selector("article.docbats.live")


def count_segments(page: Any, preset: str) -> int:
    return int(page.locator(f"[data-preset={preset}] .head").count())


def download(page: Any, label: str) -> Path:
    with page.expect_download() as waiting:
        page.click(f".downloads button:text-is('{label}')")
    endings = {
        "Markdown": "md",
        "Word": "docx",
        "YouTube": "txt",
        "Podcast": "chapters.json",
        "ffmpeg": "ffmetadata.txt",
        "Minutes": "minutes.md",
    }
    ending = endings.get(label, label.lower())
    assert waiting.value.suggested_filename.endswith(f"-sharp.{ending}")
    return Path(waiting.value.path())
