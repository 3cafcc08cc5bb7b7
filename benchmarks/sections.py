"""Parts of the documentation's pages that the benchmarks write."""

from __future__ import annotations

__all__ = ["replace_section"]


def replace_section(page: str, begin: str, end: str, body: str) -> str:
    """Return the page with `body` for what stands between two marks."""
    before, rest = page.split(begin)
    return f"{before}{begin}{body}{end}{rest.split(end)[1]}"
