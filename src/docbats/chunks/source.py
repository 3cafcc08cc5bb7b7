"""From what a user passes to a document with its blocks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from docbats.document import Document
from docbats.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["looks_like_markdown", "make_document"]

_MARKS = re.compile(
    r"""^(?:
        (?P<heading>\#{1,6}[ ]+\S)
      | (?P<fence>```|~~~)
      | (?P<table>\|?[ ]*:?-{3,}:?[ ]*(?:\|[ ]*:?-{3,}:?[ ]*)+\|?[ \t]*$)
    )""",
    re.MULTILINE | re.VERBOSE,
)
_TITLE = re.compile(r"\s*#{1,6} +\S[^\n]*\n[ \t]*\n")
_MIN_HEADINGS = 2  # unless one is the first line; a single line with "#" may be a comment
_MIN_FENCES = 2


def make_document(
    source: str | Document | Sequence[str],
    sentences: Literal["auto", "lines"] = "auto",
    language: str = "auto",
) -> Document:
    """Return the document of a text, with its blocks; a text that is Markdown is read as such."""
    if isinstance(source, Document):
        return source
    if isinstance(source, str):
        if sentences == "auto" and looks_like_markdown(source):
            document = _read_markdown(source, language)
            if document is not None:
                return document
        return Document.from_text(source, sentences, language)
    if isinstance(source, list | tuple):
        return Document.from_sentences(source)
    msg = (
        f"expected a string, a list of sentences or a docbats.Document, got {type(source).__name__}"
    )
    raise InputError(msg)


def looks_like_markdown(text: str) -> bool:
    r"""Whether a text has headings, code or tables as Markdown has them.

    >>> looks_like_markdown("# Bats\n\nThey fly.\n\n## Food\n\nMoths.\n")
    True
    """
    if _TITLE.match(text):
        return True
    counts = {"heading": 0, "fence": 0, "table": 0}
    for match in _MARKS.finditer(text):
        kind = match.lastgroup or ""
        counts[kind] += 1
        if counts["heading"] >= _MIN_HEADINGS or counts["fence"] >= _MIN_FENCES or counts["table"]:
            return True
    return False


def _read_markdown(text: str, language: str) -> Document | None:
    """Read a text as Markdown; None where reading would change it, and so all offsets."""
    from docbats.readers.read_file import read_file

    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:
        return None
    if "\r" in text or text.startswith("\ufeff"):
        return None
    read = read_file(data, kind="markdown", encoding="utf-8")
    if read.text != text:
        return None
    return read.document("auto", language)
