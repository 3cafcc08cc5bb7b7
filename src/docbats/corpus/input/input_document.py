"""A document on its way from the input to a row of the output."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docbats.corpus.errors import Failure

__all__ = ["Content", "InputDocument", "replace_surrogates"]

Content = str | tuple[str, ...] | bytes
"""A text, its sentences, or the bytes of a file, which are read where they are analyzed."""

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class InputDocument:
    """A document as the input gives it.

    Attributes
    ----------
    id
        Its name; no two documents that are analyzed have the same.
    source
        The file that it comes from.
    content
        Its text or its file; None where that cannot be had.
    failure
        Why it is not to be analyzed; None where it is.
    bytes_read
        How many bytes of the input are behind it; for the progress only.
    place
        Its place in the input, from 0.
    """

    id: str
    source: str
    content: Content | None
    failure: Failure | None = None
    bytes_read: int = 0
    place: int = 0

    @property
    def size(self) -> int:
        """How many characters it has, or bytes where it is a file.

        >>> InputDocument("a", "", "four").size, InputDocument("b", "", ("four", "five")).size
        (4, 9)
        """
        if self.content is None:
            return 0
        if isinstance(self.content, tuple):
            return sum(map(len, self.content)) + max(0, len(self.content) - 1)
        return len(self.content)

    @property
    def checksum(self) -> str | None:
        """The SHA-256 of the file, or of the text in UTF-8, where newlines join sentences."""
        if self.content is None:
            return None
        content = "\n".join(self.content) if isinstance(self.content, tuple) else self.content
        data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        return hashlib.sha256(data).hexdigest()


def replace_surrogates(text: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot hold, one by one, so that offsets stay true."""
    return _SURROGATE.sub("\ufffd", text)
