"""What docbats knows about one kind of file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from docbats.readers.content import FileContent, FileText


@dataclass(frozen=True, eq=False)
class Reader:
    """A kind of file, and how to recognize and read it.

    Attributes
    ----------
    kind
        Its name in options, messages and results.
    suffixes
        The endings of its file names, lower case, with the dot.
    media_types
        The content types under which the service accepts it.
    read
        Returns the text of a file, or raises a `ReadError` that says what to do.
    sniff
        Whether a file is of this kind, by its content; None if only its name can tell.
    is_binary
        Whether the file is not text: it is then recognized before anything is decoded, and by its
        content only, whatever its name.
    """

    kind: str
    suffixes: tuple[str, ...]
    media_types: tuple[str, ...]
    read: Callable[[FileContent], FileText]
    sniff: Callable[[FileContent], bool] | None = None
    is_binary: bool = False
