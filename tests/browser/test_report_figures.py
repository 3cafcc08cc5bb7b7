"""The report in a real browser: the tab of figures."""

from __future__ import annotations

import pytest
from tests.browser.report_page import (
    SIZES,
    Open,
    slide,
)

pytestmark = pytest.mark.browser


@SIZES
def test_figures_have_a_tab(open_page: Open, report: str, width: int) -> None:
    page = open_page(report, width)
    assert page.locator(".figures").is_hidden()
    page.locator(".tab-figures").click()
    assert page.locator(".strip").is_visible()
    assert page.locator(".map").is_visible()
    assert page.locator(".text").is_hidden()
    page.locator(".strip").click(position={"x": 100, "y": 10})
    assert page.locator(".text").is_visible()
    assert page.locator(".s.at").count() == 1


def test_heatmap_is_drawn(open_page: Open, report: str) -> None:
    page = open_page(report)
    page.keyboard.press("f")
    colours = page.locator(".heat").evaluate(
        """(canvas) => {
          const n = canvas.width;
          const { data } = canvas.getContext("2d").getImageData(0, 0, n, n);
          return new Set(Array.from({ length: n }, (_, i) => data[4 * (n * 100 + i)])).size;
        }"""
    )
    assert colours > 20
    assert "Mean distance between sentences" in page.locator(".told").text_content()
    page.locator(".heat").hover(position={"x": 1, "y": 1})
    assert page.locator(".told").text_content() == "Sentences 1 and 1: 0.00 apart."
    page.locator(".heat").click(position={"x": 4, "y": 240})
    assert page.locator(".s.at").count() == 1


@SIZES
def test_heatmap_keeps_all_lines_at_any_size(open_page: Open, report: str, width: int) -> None:
    page = open_page(report, width)
    page.locator(".tab-figures").click()
    slide(page, 9)
    lines = page.locator(".heat").evaluate(
        """(canvas) => {
          const line = document.createElement("canvas").getContext("2d");
          line.fillStyle = getComputedStyle(canvas).getPropertyValue("--heat-line");
          line.fillRect(0, 0, 1, 1);
          const [r, g, b] = line.getImageData(0, 0, 1, 1).data;
          const n = canvas.width;
          const { data } = canvas.getContext("2d").getImageData(0, 3, n, 1);
          let found = 0;
          for (let i = 0; i < n; i += 1) {
            if (data[4 * i] === r && data[4 * i + 1] === g && data[4 * i + 2] === b) found += 1;
          }
          return found;
        }"""
    )
    assert lines == 9


def test_distances_are_drawn_on_paper(open_page: Open, report: str) -> None:
    page = open_page(report)
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    drawn = page.locator(".heat").evaluate(
        """(canvas) => {
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, 1);
          return data.some((value) => value > 0);
        }"""
    )
    assert drawn
