"""What the tests of the report share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
SIZES = pytest.mark.parametrize("width", [380, 1400])
THEMES = pytest.mark.parametrize("theme", ["light", "dark"])
Open = Callable[..., Any]


def text_of(page: Any) -> str:
    return str(
        page.evaluate(
            """() => [...document.querySelectorAll('.piece')].map((piece) => {
              const copy = piece.cloneNode(true);
              for (const by of copy.querySelectorAll('.by')) by.remove();
              return copy.textContent;
            }).join('')"""
        )
    )


def segment_texts(page: Any) -> list[str]:
    return list(
        page.evaluate(
            """() => [...document.querySelectorAll('.head')].map((head) => {
              let text = '';
              let next = head.nextElementSibling;
              for (; next?.matches('.piece'); next = next.nextElementSibling) {
                text += next.textContent;
              }
              return text;
            })"""
        )
    )


def texts_at(page: Any, selector: str) -> list[str]:
    return [str(title) for title in page.locator(selector).all_text_contents()]


def slide(page: Any, place: int) -> None:
    if page.locator(".more-tools[aria-expanded=false]").is_visible():
        page.locator(".more-tools").click()
    page.locator(".slider").fill(str(place))
