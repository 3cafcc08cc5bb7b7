"""Imports of libraries that an extra of docbats installs."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from docbats.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["require_extra"]


@contextmanager
def require_extra(library: str, extra: str) -> Iterator[None]:
    """Raise an error that names the extra to install where an import of `library` fails."""
    try:
        yield
    except ModuleNotFoundError as error:
        msg = f'{library} is not installed (no module {error.name}): pip install "docbats[{extra}]"'
        raise MissingExtraError(msg) from error
