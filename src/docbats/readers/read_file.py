"""The way in: a file of any kind to its text."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from docbats.errors import InputError, MissingExtraError, ReadError
from docbats.readers.decoding import read_bytes, shown_name
from docbats.readers.kinds import KINDS, PLAIN_TEXT, READER_OF_KIND, detect_reader
from docbats.runtime import FILE_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    from docbats.readers.content import FileContent, FileText


def read_file(
    source: str | PathLike[str] | bytes,
    *,
    name: str | None = None,
    encoding: str | None = None,
    kind: str | None = None,
    on_page: Callable[[int, int], None] | None = None,
) -> FileText:
    r"""Read a file, bytes, or standard input where the path is ``-``.

    Parameters
    ----------
    source
        A path, or the content itself.
    name
        What messages call it; its ending shows the kind where the content does not. The path by
        default.
    encoding
        The encoding of its characters; by default that of a byte order mark or a declaration, or
        detected from the bytes.
    kind
        The kind of file, one of :data:`docbats.readers.kinds.KINDS`; detected by default.
    on_page
        Called after each page of a PDF with the number of pages read and the number of all pages.

    Examples
    --------
    >>> read_file(b"# Bats\n\nThey fly.\n", name="bats.md").document().blocks[0].title
    'Bats'
    """
    from docbats.readers.content import FileContent

    if kind is not None and kind not in READER_OF_KIND:
        msg = f"unknown kind of file {kind!r}: use one of {', '.join(KINDS)}"
        raise InputError(msg)
    id_ = None if name is None else PurePath(name).as_posix()
    if isinstance(source, bytes | bytearray | memoryview):
        data, name = bytes(source), name or "the file"
    elif isinstance(source, str | os.PathLike):
        path = os.fspath(source)
        data = read_bytes(path, FILE_BYTES.value + 1)
        if id_ is None and path != "-":
            id_ = PurePath(path).as_posix()
        name = name or shown_name(path)
    else:
        msg = f"expected a path or bytes, got {type(source).__name__}"
        raise InputError(msg)
    if len(data) > FILE_BYTES.value:
        msg = (
            f"{name}: more than {FILE_BYTES.value:,} bytes: split it into smaller files first, or "
            f"{FILE_BYTES.advice}"
        )
        raise ReadError(msg)
    try:
        return replace(_read(FileContent(data, name, encoding, on_page), kind), id=id_)
    except (ReadError, MissingExtraError) as error:
        msg = str(error)
        if msg.startswith(f"{name}: "):
            raise
        msg = f"{name}: {msg}"
        raise type(error)(msg) from None


def _read(content: FileContent, kind: str | None) -> FileText:
    """Read a file with the reader of its kind; blank text is plain text, whatever its kind."""
    reader = detect_reader(content) if kind is None else READER_OF_KIND[kind]
    if reader.is_binary:
        return replace(reader.read(content), kind=reader.kind)
    if content.text.isspace():
        reader = PLAIN_TEXT
    return replace(
        reader.read(content),
        kind=reader.kind,
        encoding=content.decoded.encoding,
        is_guess=content.decoded.is_guess,
        n_replaced=content.decoded.n_replaced,
    )
