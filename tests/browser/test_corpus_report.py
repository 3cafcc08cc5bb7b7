"""The page on a run, in a real browser: themes, filter and sorting."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from docbats.cli import main
from docbats.corpus.report import write_corpus_report

pytestmark = pytest.mark.browser

EXAMPLES = Path(__file__).parents[2] / "examples"
Open = Callable[..., Any]


@pytest.fixture(scope="module")
def page_url(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("corpus")
    texts = folder / "texts"
    texts.mkdir()
    for path in sorted(EXAMPLES.glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        for name in (path.stem, f"{path.stem}-again"):
            (texts / f"{name}.txt").write_text(text + f"\n\nThis is {name}.\n", encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["corpus", str(texts), "-o", str(folder / "out"), "--reports", "--jobs", "1", "-q"])
    return write_corpus_report(folder / "out", folder / "out" / "report.html").as_uri()


@pytest.mark.parametrize("width", [380, 1400])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_documents_are_linked_filtered_and_sorted(
    open_page: Open,
    violations: Callable[[Any], list[str]],
    page_url: str,
    width: int,
    theme: str,
) -> None:
    page = open_page(page_url, width, theme)
    assert violations(page) == []
    rows = page.locator("table.list tbody tr")
    total = rows.count()
    assert page.locator("table.list tbody a").count() == total
    assert page.locator(".themes li").count() >= 2
    page.fill(".filter", "again")
    assert page.locator("table.list tbody tr:visible").count() == total // 2
    page.fill(".filter", "")
    page.click("th button:text-is('Sentences')")
    counts = [
        int(text.replace(",", "")) for text in rows.locator("td:nth-child(3)").all_inner_texts()
    ]
    assert counts == sorted(counts)
    page.click("th button:text-is('Sentences')")
    first = rows.first.locator("td:nth-child(3)").inner_text()
    assert int(first.replace(",", "")) == max(counts)


def test_documents_lead_to_their_own_reports(open_page: Open, page_url: str) -> None:
    page = open_page(page_url)
    links = page.locator("table.list tbody a").evaluate_all("(all) => all.map((a) => a.href)")
    names = page.locator("table.list tbody a").all_inner_texts()
    assert len(set(links)) == len(links)
    report = open_page(links[0])
    report.wait_for_selector("article.docbats.live")
    assert Path(names[0]).stem in report.locator("h1").inner_text()
