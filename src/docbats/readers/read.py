"""Any file into its text, with the way back to the file."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from docbats.errors import InputError, MissingExtraError, ReadError
from docbats.readers.extract import Extract
from docbats.readers.kinds import KINDS, binary_kind, text_kind
from docbats.readers.plain import decode, marked_encoding, read_bytes, shown_name

if TYPE_CHECKING:
    from os import PathLike

__all__ = ["extract"]

_LARGEST = 1 << 30  # bytes


def extract(
    source: str | PathLike[str] | bytes,
    *,
    name: str | None = None,
    encoding: str | None = None,
    kind: str | None = None,
) -> Extract:
    r"""Read a file, bytes, or standard input where the path is ``-``.

    Parameters
    ----------
    source
        A path, or the content itself.
    name
        What to call it, and whose ending tells the kind where the content does not; a path is its
        own name.
    encoding
        How its characters are written; by default a mark, a declaration or the bytes tell.
    kind
        The kind of file, one of :data:`docbats.readers.kinds.KINDS`; by default it is found out.

    Examples
    --------
    >>> extract(b"# Bats\n\nThey fly.\n", name="bats.md").places.headings[0].title
    'Bats'
    """
    if kind is not None and kind not in KINDS:
        msg = f"{kind!r} is no kind of file: give one of {', '.join(KINDS)}"
        raise InputError(msg)
    if isinstance(source, bytes | bytearray | memoryview):
        data, name = bytes(source), name or "the file"
    elif isinstance(source, str | os.PathLike):
        path = os.fspath(source)
        data = read_bytes(path, _LARGEST + 1)
        name = name or shown_name(path)
    else:
        msg = f"{type(source).__name__} is no kind of file: give a path or bytes"
        raise InputError(msg)
    if len(data) > _LARGEST:
        msg = f"{name}: more than {_LARGEST >> 30} GB: split it into smaller files first"
        raise ReadError(msg)
    try:
        return _extract(data, name, encoding, kind)
    except ReadError as error:
        message = str(error)
        if message.startswith(f"{name}: "):
            raise
        msg = f"{name}: {message}"
        raise ReadError(msg) from None
    except MissingExtraError as error:
        msg = f"{name}: {error}"
        raise MissingExtraError(msg) from None


def _extract(data: bytes, name: str, encoding: str | None, kind: str | None) -> Extract:
    """Choose the reader; each is imported only where it is used."""
    found = binary_kind(data) if kind is None else kind
    match found:
        case "pdf":
            from docbats.readers.pdf import read_pdf

            return read_pdf(data)
        case "docx":
            from docbats.readers.docx import read_docx

            return read_docx(data)
        case "epub":
            from docbats.readers.epub import read_epub

            return read_epub(data)
    text, used, is_guess = _text(data, name, encoding)
    read = _from_text(text, found or text_kind(text, name))
    return replace(read, encoding=used, is_guess=is_guess)


def _from_text(text: str, kind: str) -> Extract:
    match "text" if text.isspace() else kind:
        case "markdown":
            from docbats.readers.markdown import read_markdown

            return read_markdown(text)
        case "html":
            from docbats.readers.html import read_html

            return read_html(text)
        case "srt" | "vtt":
            from docbats.readers.transcript import read_transcript

            return read_transcript(text, kind)
        case "notebook":
            from docbats.readers.notebook import read_notebook

            return read_notebook(text)
        case _:
            return Extract(text, "text")


class _Decoded(NamedTuple):
    text: str
    encoding: str
    is_guess: bool


def _text(data: bytes, name: str, encoding: str | None) -> _Decoded:
    """Decode by the encoding named, marked, declared or guessed; UTF-8 comes before guessing."""
    if encoding is not None:
        return _Decoded(decode(data, name, encoding), encoding, is_guess=False)
    marked = marked_encoding(data)
    if marked is None and b"<" in data[:2048]:
        from docbats.readers.encodings import declared_encoding

        declared = declared_encoding(data)
        with suppress(ReadError):  # many pages are not what they say
            if declared is not None:
                return _Decoded(decode(data, name, declared), declared, is_guess=False)
    try:
        return _Decoded(decode(data, name), marked or "utf-8", is_guess=False)
    except ReadError:
        from docbats.readers.encodings import guess_encoding

        guess = guess_encoding(data)
        if marked is not None or guess is None:
            raise
        return _Decoded(decode(data, name, guess), guess, is_guess=True)
