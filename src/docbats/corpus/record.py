"""A document on its way from the input to a row of the output."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docbats.corpus.errors import Failure

__all__ = ["Record", "Text", "without_surrogates"]

Text = str | tuple[str, ...]
"""A text, or its sentences."""


_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Record:
    """A document as the input gives it.

    Attributes
    ----------
    id
        Its name; no two documents that are analysed have the same.
    source
        The file that it comes from.
    text
        Its text, None where that cannot be had.
    failure
        Why it is not to be analysed; None where it is.
    read
        How many bytes of the input are behind it; for the progress only.
    place
        Its place in the input, from 0.
    """

    id: str
    source: str
    text: Text | None
    failure: Failure | None = None
    read: int = 0
    place: int = 0

    @property
    def size(self) -> int:
        """How many characters it has.

        >>> Record("a", "", "four").size, Record("b", "", ("four", "five")).size
        (4, 9)
        """
        if self.text is None:
            return 0
        if isinstance(self.text, str):
            return len(self.text)
        return sum(map(len, self.text)) + max(0, len(self.text) - 1)

    @property
    def checksum(self) -> str | None:
        """The SHA-256 of its text in UTF-8, where sentences are joined by newlines."""
        if self.text is None:
            return None
        text = self.text if isinstance(self.text, str) else "\n".join(self.text)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def without_surrogates(text: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot hold, one by one, so that offsets stay true."""
    return _SURROGATE.sub("\ufffd", text)
