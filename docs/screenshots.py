"""Take the pictures of the report that the pages show: ``python docs/screenshots.py``.

Needs chromium and ``pip install playwright pillow``.
"""

from __future__ import annotations

import io
import shutil
import tempfile
from pathlib import Path
from typing import Any, Literal

import docbats

ROOT = Path(__file__).parent.parent
PICTURES = Path(__file__).parent / "pictures"
COLOURS = 256  # of each picture, which keeps it small


def main() -> None:
    """Write every picture into docs/pictures."""
    from playwright.sync_api import sync_playwright

    PICTURES.mkdir(exist_ok=True)
    name = "annual-report.txt"
    text = (ROOT / "examples" / name).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        report = Path(folder) / "report.html"
        report.write_text(docbats.analyze(text).to_html(name), encoding="utf-8")
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--headless=new", "--disable-gpu"],
        )

        def open_(width: int, height: int, theme: Literal["light", "dark"]) -> Any:
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=theme)
            page.goto(report.as_uri())
            return page

        _save(open_(1280, 860, "light"), "report.png")
        page = open_(1280, 860, "dark")
        page.keyboard.press("n")
        page.keyboard.press("n")
        page.evaluate("document.activeElement.blur()")
        page.locator(".pick").nth(3).hover()
        _save(page, "report-dark.png")
        page = open_(380, 760, "light")
        page.locator(".along").evaluate("(node) => node.scrollIntoView()")
        page.mouse.wheel(0, -70)
        page.wait_for_timeout(300)
        _save(page, "report-narrow.png")
        page = open_(1280, 860, "light")
        page.locator(".figures").scroll_into_view_if_needed()
        _save(page.locator(".figures"), "report-figures.png")
        browser.close()


def _save(view: Any, name: str) -> None:
    from PIL import Image

    picture = Image.open(io.BytesIO(view.screenshot())).convert("RGB")
    path = PICTURES / name
    picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE).save(path, optimize=True)
    print(f"{path.relative_to(ROOT)}  {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
