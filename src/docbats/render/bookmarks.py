"""A PDF with the outline of a result as its bookmarks."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from docbats.errors import InputError
from docbats.readers.parsers.pdf_file import open_pdf
from docbats.render.plain import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from docbats.document import Document
    from docbats.result import Entry, Result

__all__ = ["add_bookmarks"]

_GATHERED = "Topics (docbats)"


def add_bookmarks(result: Result, data: bytes) -> bytes:
    """Give the PDF `data`, which `result` was read from, with bookmarks.

    Those that it has stay, and ours follow them under one of their own.
    """
    document = result.document
    if document.places is None or not document.places.pages:
        msg = "there are no pages in it, as bookmarks need: give a PDF"
        raise InputError(msg)
    with open_pdf(data) as reader:
        from pypdf import PdfWriter

        had_some = bool(reader.outline)
        writer = PdfWriter(clone_from=reader)
        parent = writer.add_outline_item(_GATHERED, 0, is_open=False) if had_some else None
        _add(writer, document, result.outline, parent)
        if not had_some:
            writer.page_mode = "/UseOutlines"
        buffer = io.BytesIO()
        writer.write(buffer)
    return buffer.getvalue()


def _add(writer: Any, document: Document, entries: Iterable[Entry], parent: Any) -> None:
    from pypdf.generic import Fit

    for entry in entries:
        page, top = _destination(document, entry)
        fit = Fit.fit() if top is None else Fit.xyz(left=0, top=round(top, 1))
        title = " ".join(visible(entry.title).split())
        item = writer.add_outline_item(title, page, parent, fit=fit, is_open=True)
        _add(writer, document, entry.children, item)


def _destination(document: Document, entry: Entry) -> tuple[int, float | None]:
    """Find the page where an entry begins, counted from 0, and how high up on it."""
    start = int(document.spans[entry.sentences[0], 0])
    place = document.place(start, entry.end)
    if document.places is None or place is None or place.pages is None:
        return 0, None
    page = place.pages[0] - 1
    return page, document.places.pages[page].top_at(start)
