"""Whether somebody sits at a terminal."""

from __future__ import annotations

from typing import TextIO

__all__ = ["is_terminal"]


def is_terminal(stream: TextIO | None) -> bool:
    """Whether the stream is a terminal; it is None where the shell closed it."""
    return stream is not None and stream.isatty()
