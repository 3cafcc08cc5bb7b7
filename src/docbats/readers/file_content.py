"""The content of a file: its bytes, its decoded text, the archive that it is."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from docbats.errors import ReadError
from docbats.readers.decoding import decode, marked_encoding

if TYPE_CHECKING:
    from docbats.readers.parsers.archive import Archive

__all__ = ["DecodedText", "FileContent"]

_OPENING_LENGTH = 4000  # characters


class DecodedText(NamedTuple):
    """A text, its encoding, and whether that was guessed from nothing but the bytes."""

    text: str
    encoding: str
    is_guess: bool


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
    """

    data: bytes
    name: str
    encoding: str | None = None

    @cached_property
    def decoded(self) -> DecodedText:
        """The text by the encoding given, marked, declared or guessed; UTF-8 before guessing."""
        data, name = self.data, self.name
        if self.encoding is not None:
            return DecodedText(decode(data, name, self.encoding), self.encoding, is_guess=False)
        marked = marked_encoding(data)
        if marked is None and b"<" in data[:2048]:
            from docbats.readers.encodings import declared_encoding

            declared = declared_encoding(data)
            with suppress(ReadError):  # many pages declare an encoding that they are not in
                if declared is not None:
                    return DecodedText(decode(data, name, declared), declared, is_guess=False)
        try:
            return DecodedText(decode(data, name), marked or "utf-8", is_guess=False)
        except ReadError:
            from docbats.readers.encodings import guess_encoding

            guess = guess_encoding(data)
            if marked is not None or guess is None:
                raise
            return DecodedText(decode(data, name, guess), guess, is_guess=True)

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
