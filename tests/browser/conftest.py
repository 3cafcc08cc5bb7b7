"""A real browser, and what it must not do."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import urlsplit

import pytest
from tests.browser.application import DISTANT, serve
from tests.browser.report_page import EXAMPLES, Open
from tests.long_book import make_book

import docbats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

AXE = "axe-core@4.10.3"
_ARGUMENTS = [
    "--no-sandbox",
    "--headless=new",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    f"--host-resolver-rules=MAP {DISTANT} 127.0.0.1",
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's chromium, driven by Playwright."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=_ARGUMENTS
        )
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Any) -> Iterator[Open]:
    """Open an address at a width and in a theme; fail if it complains or asks another host."""
    complaints: list[str] = []
    contexts = []

    def open_(
        url: str, width: int = 1400, theme: str = "light", *, height: int = 900, **options: Any
    ) -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme, **options
        )
        context.set_default_timeout(20_000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on("request", lambda request: _check_host(request.url, url, complaints))
        page.goto(url)
        return page

    yield open_
    for context in contexts:
        context.close()
    assert complaints == []


def _check_host(asked: str, url: str, complaints: list[str]) -> None:
    """Note what is asked of another host, or of another file."""
    place, asked_place = urlsplit(url), urlsplit(asked)
    same = asked_place.netloc == place.netloc and asked_place.scheme == place.scheme
    if place.scheme == "file":
        same = same and asked_place.path == place.path
    if not same and asked_place.scheme not in {"data", "blob", "about"}:
        complaints.append(f"asked for {asked}")


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The script of axe-core: from DOCBATS_AXE, or fetched by npm into a temporary folder."""
    if given := os.environ.get("DOCBATS_AXE"):
        return Path(given).read_text(encoding="utf-8")
    folder = tmp_path_factory.mktemp("axe")
    npm = shutil.which("npm")
    if npm is None:
        _leave_out("axe-core needs npm, or DOCBATS_AXE that names axe.min.js")
    command = [npm, "install", "--silent", "--no-audit", "--prefix", str(folder), AXE]
    if subprocess.run(command, check=False, timeout=120).returncode:
        _leave_out(f"npm could not fetch {AXE}: set DOCBATS_AXE to axe.min.js")
    return (folder / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")


def _leave_out(reason: str) -> NoReturn:
    """Skip, but fail where everything was asked for."""
    if os.environ.get("DOCBATS_TEST_ALL"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture
def violations(axe: str) -> Callable[[Any], list[str]]:
    """Return all that axe-core finds on a page."""

    def find(page: Any) -> list[str]:
        page.evaluate(f"() => {{ {axe} }}")
        found = page.evaluate("async () => (await axe.run(document)).violations")
        return [
            f"{violation['id']}: {node['html'][:120]} {node['failureSummary']}"
            for violation in found
            for node in violation["nodes"][:3]
        ]

    return find


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    folder = tmp_path_factory.mktemp("reports")

    def write(source: str | list[str], name: str, **settings: Any) -> str:
        path = folder / f"{len(list(folder.iterdir()))}.html"
        page = docbats.analyze(source, **settings).to_html(name)
        path.write_text(page, encoding="utf-8", newline="")
        return path.as_uri()

    return write


@pytest.fixture(scope="session")
def report(reports: Callable[..., str]) -> str:
    return reports((EXAMPLES / "annual-report.txt").read_text(), "annual-report")


@pytest.fixture(scope="session")
def book() -> docbats.Result:
    return docbats.analyze(make_book(1500).text, language="en")


@pytest.fixture(scope="session")
def book_page(book: docbats.Result, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("book") / "book.html"
    path.write_text(book.to_html("book"), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    with serve("--max-bytes", "100000") as url:
        yield url
