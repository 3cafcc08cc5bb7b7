"""PDF, by pdfium: its text, with its pages and blocks."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

from docbats.errors import ReadError
from docbats.readers.parsers.pdf_bookmarks import find_marked_headings, read_bookmarks
from docbats.readers.parsers.pdf_contents import find_contents
from docbats.readers.parsers.pdf_document import PDFIUM_LOCK, open_document
from docbats.readers.parsers.pdf_groups import group_lines
from docbats.readers.parsers.pdf_headings import find_headings, join_inline_code, mark_references
from docbats.readers.parsers.pdf_running_lines import drop_running_lines
from docbats.readers.parsers.pdf_style import measure_style
from docbats.readers.parsers.pdf_tables import find_table_rows
from docbats.readers.parsers.pdf_text import join_groups

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from docbats.blocks import BlockKind
    from docbats.readers.file_text import FileText
    from docbats.readers.parsers.pdf_bookmarks import Bookmark
    from docbats.readers.parsers.pdf_line import Line

__all__ = ["join_pages", "read_pdf"]


def read_pdf(data: bytes, on_page: Callable[[int, int], None] | None = None) -> FileText:
    """Read the text of all pages.

    Parameters
    ----------
    data
        The file.
    on_page
        Called after each page with the number of pages read, and that of all.
    """
    with _collector_paused():
        pages, bookmarks = _read_pages(data, on_page)
        if not any(pages):
            msg = (
                "a PDF without text, perhaps scanned: recognize its text first, e.g. with "
                "ocrmypdf in.pdf out.pdf"
            )
            raise ReadError(msg)
        return join_pages(drop_running_lines(pages), bookmarks)


def _read_pages(
    data: bytes, on_page: Callable[[int, int], None] | None
) -> tuple[list[list[Line]], list[Bookmark]]:
    from docbats.readers.parsers.pdf_page_lines import PageReader

    with open_document(data) as document:
        count = len(document)
        reader = PageReader()
        pages = []
        for number in range(count):
            with PDFIUM_LOCK:  # for a page at a time: others need not wait for the whole file
                pages.append(reader.read(document.raw, number))
            if on_page is not None:
                on_page(number + 1, count)
        with PDFIUM_LOCK:
            return pages, read_bookmarks(document)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Keep Python from looking for cycles among the many lines, which have none.

    It would look again and again while they get more, for a tenth of the time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def join_pages(pages: Sequence[list[Line]], bookmarks: Sequence[Bookmark] = ()) -> FileText:
    """Join the lines of pages to one text, with its blocks, and where each page begins in it."""
    style = measure_style(pages)
    kinds: dict[tuple[int, int], BlockKind] = {}
    kinds |= dict.fromkeys(find_table_rows(pages), "table")
    kinds |= dict.fromkeys(find_contents(pages, bookmarks), "contents")
    headings = find_marked_headings(bookmarks, pages)
    headings = {index: heading for index, heading in headings.items() if index not in kinds}
    groups = join_inline_code(group_lines(pages, style, headings, kinds))
    groups = find_headings(groups, style)
    mark_references(groups)
    return join_groups(groups, len(pages))
