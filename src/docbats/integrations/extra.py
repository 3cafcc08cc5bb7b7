"""What to say where a library is not installed."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from docbats.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["importing"]


@contextmanager
def importing(library: str, extra: str) -> Iterator[None]:
    """Name the extra that brings a library, where importing it fails."""
    try:
        yield
    except ModuleNotFoundError as error:
        msg = f'{library} is not installed (no module {error.name}): pip install "docbats[{extra}]"'
        raise MissingExtraError(msg) from error
