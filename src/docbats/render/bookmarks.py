"""A PDF with the outline of a result as its bookmarks."""

from __future__ import annotations

import io
import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from docbats.errors import InputError, MissingExtraError, ReadError
from docbats.readers.pdf_lines import ENCRYPTED_ADVICE
from docbats.render.one_line import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pypdf import PdfReader

    from docbats.document import Document
    from docbats.parts import Entry
    from docbats.result import Result

_PARENT_TITLE = "Topics (docbats)"  # over our bookmarks, if the PDF has others


def add_bookmarks(result: Result, data: bytes, depth: int | None = None) -> bytes:
    """Return the PDF `data`, from which `result` was read, with the outline as its bookmarks.

    Existing bookmarks are kept, and the outline follows them under a bookmark of its own. `depth`
    is the number of its levels that become bookmarks; None is all.
    """
    document = result.document
    if document.places is None or not document.places.pages:
        msg = "bookmarks need pages, and this document has none: use a PDF"
        raise InputError(msg)
    with _open_for_writing(data) as reader:
        from pypdf import PdfWriter

        had_some = bool(reader.outline)
        writer = PdfWriter(clone_from=reader)
        parent = None
        if had_some:
            parent = writer.add_outline_item(title=_PARENT_TITLE, page_number=0, is_open=False)
        _add_entries(writer, document, result.outline(depth), parent)
        if not had_some:
            writer.page_mode = "/UseOutlines"
        buffer = io.BytesIO()
        writer.write(buffer)
    return buffer.getvalue()


@contextmanager
def _open_for_writing(data: bytes) -> Iterator[PdfReader]:
    """Open a PDF with pypdf, since pdfium cannot write bookmarks; raise ReadError if it fails."""
    try:
        from pypdf import PdfReader
        from pypdf.errors import DependencyError
    except ImportError:
        msg = 'writing bookmarks needs pypdf: pip install "docbats[bookmarks]"'
        raise MissingExtraError(msg) from None
    log = logging.getLogger("pypdf")
    level = log.level
    log.setLevel(logging.CRITICAL + 1)  # it logs everything that it repairs
    try:
        reader = PdfReader(io.BytesIO(data))
        _unlock(reader)
        yield reader
    except (MemoryError, ReadError):
        raise
    except DependencyError:
        msg = f"{ENCRYPTED_ADVICE}; or let pypdf try without one: pip install cryptography"
        raise ReadError(msg) from None
    except Exception as error:  # a broken file makes pypdf fail in any way
        msg = (
            f"bookmarks cannot be added to this PDF ({type(error).__name__}: {str(error)[:100]}): "
            "repair it first, e.g. with qpdf in.pdf out.pdf"
        )
        raise ReadError(msg) from None
    finally:
        log.setLevel(level)


def _unlock(reader: PdfReader) -> None:
    """Decrypt a file that needs no password to be read; many only forbid changes."""
    if reader.is_encrypted and not reader.decrypt(""):
        raise ReadError(ENCRYPTED_ADVICE)


def _add_entries(writer: Any, document: Document, entries: Iterable[Entry], parent: Any) -> None:
    from pypdf.generic import Fit

    for entry in entries:
        page, top = _destination(document, entry)
        fit = Fit.fit() if top is None else Fit.xyz(left=0, top=round(top, 1))
        item = writer.add_outline_item(
            title=one_line(entry.title), page_number=page, parent=parent, fit=fit, is_open=True
        )
        _add_entries(writer, document, entry.children, item)


def _destination(document: Document, entry: Entry) -> tuple[int, float | None]:
    """Return the page where an entry begins, counted from 0, and its height on the page."""
    start = int(document.spans[entry.sentences[0], 0])
    place = document.place(start, entry.end)
    if document.places is None or place is None or place.pages is None:
        return 0, None
    page = place.pages[0] - 1
    return page, document.places.pages[page].top_at(start)
