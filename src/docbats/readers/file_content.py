"""The content of a file: its bytes, its decoded text, the archive that it is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from docbats.readers.decoding import decode
from docbats.readers.encodings import DecodedText, detect_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from docbats.readers.parsers.archive import Archive

__all__ = ["FileContent"]

_OPENING_LENGTH = 4000  # characters


@dataclass(frozen=True, eq=False)
class FileContent:
    """The bytes of a file; what readers need of them is worked out once, when asked for.

    Attributes
    ----------
    data
        The bytes.
    name
        What messages call the file; its ending may tell the kind.
    encoding
        The encoding given by the caller; None to detect it.
    on_page
        Called after each page of a PDF with the number of pages read, and that of all.
    """

    data: bytes
    name: str
    encoding: str | None = None
    on_page: Callable[[int, int], None] | None = None

    @cached_property
    def decoded(self) -> DecodedText:
        """The text by the encoding given, marked, declared or guessed; UTF-8 before guessing."""
        if self.encoding is not None:
            return DecodedText(decode(self.data, self.name, self.encoding), self.encoding)
        return detect_text(self.data, self.name)

    @property
    def text(self) -> str:
        """The decoded text; a `ReadError` if the bytes are not text."""
        return self.decoded.text

    @cached_property
    def opening(self) -> str:
        """The first characters of the text, by which most kinds of text are recognized."""
        return self.text[:_OPENING_LENGTH]

    @property
    def is_zip(self) -> bool:
        """Whether the file is a ZIP archive."""
        return self.data.startswith(b"PK\x03\x04")

    @cached_property
    def archive(self) -> Archive:
        """The file as a ZIP archive; a `ReadError` if it is broken."""
        from docbats.readers.parsers.archive import Archive

        return Archive(self.data)
