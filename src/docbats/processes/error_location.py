"""Where an exception arose, in a few words."""

from __future__ import annotations

import traceback
from pathlib import Path

__all__ = ["error_location"]


def error_location(error: BaseException) -> str:
    """Return the type of an exception and its line, but not its message, which may quote a text.

    >>> try:
    ...     int("secret")
    ... except ValueError as error:
    ...     "secret" in error_location(error)
    False
    """
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"
