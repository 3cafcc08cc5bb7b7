"""PDF, by pypdf: the lines of its pages, and its text."""

from __future__ import annotations

import io
import logging
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from docbats.errors import MissingExtraError, ReadError
from docbats.readers.file_text import FileText
from docbats.readers.parsers.pdf_line import Line
from docbats.readers.parsers.pdf_paragraphs import join_pages
from docbats.readers.parsers.pdf_running_lines import drop_running_lines
from docbats.readers.places import Places

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pypdf import PdfReader

__all__ = ["open_pdf", "read_pdf"]

_MAX_PAGES = 20_000
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_LIGATURE = re.compile("[ﬀ-ﬆ]")
_DOT_LEADER = re.compile(r"(?:\.\s?){5,}\s*\w{1,6}$")  # of a table of contents, or an index
_ENCRYPTED = (
    "encrypted: remove its password first, e.g. with qpdf --decrypt --password=SECRET in.pdf "
    "out.pdf"
)


def read_pdf(data: bytes) -> FileText:
    """Read the text of all pages."""
    with open_pdf(data) as reader:
        pages = [_page_lines(page, number) for number, page in enumerate(_pages(reader), start=1)]
    if not any(pages):
        msg = (
            "a PDF without text, perhaps scanned: recognize its text first, e.g. with "
            "ocrmypdf in.pdf out.pdf"
        )
        raise ReadError(msg)
    text, places = join_pages(drop_running_lines(pages))
    return FileText(text, Places(pages=places))


@contextmanager
def open_pdf(data: bytes) -> Iterator[PdfReader]:
    """Open a PDF; whatever goes wrong with it is a `ReadError` that says what to do."""
    try:
        from pypdf import PdfReader
        from pypdf.errors import DependencyError
    except ImportError:
        msg = 'reading PDF needs pypdf: pip install "docbats[files]"'
        raise MissingExtraError(msg) from None
    log = logging.getLogger("pypdf")
    level = log.level
    log.setLevel(logging.CRITICAL + 1)  # it logs everything that it repairs
    try:
        reader = PdfReader(io.BytesIO(data))
        _unlock(reader)
        yield reader
    except (ReadError, MissingExtraError):
        raise
    except DependencyError:
        msg = f"{_ENCRYPTED}; or let pypdf try without one: pip install cryptography"
        raise ReadError(msg) from None
    except MemoryError:
        raise
    except Exception as error:  # a broken file makes pypdf fail in any way
        msg = (
            f"a broken PDF ({type(error).__name__}: {str(error)[:100]}): repair it first, e.g. "
            "with qpdf in.pdf out.pdf, or download it again"
        )
        raise ReadError(msg) from None
    finally:
        log.setLevel(level)


def _unlock(reader: PdfReader) -> None:
    """Open a file that may be read without a password; many only forbid changes."""
    if reader.is_encrypted and not reader.decrypt(""):
        raise ReadError(_ENCRYPTED)


def _pages(reader: PdfReader) -> Sequence[Any]:
    count = len(reader.pages)
    if count > _MAX_PAGES:
        msg = (
            f"{count:,} pages, more than {_MAX_PAGES:,}: split it first, e.g. with "
            "qpdf --split-pages=1000 in.pdf out.pdf"
        )
        raise ReadError(msg)
    return reader.pages


def _page_lines(page: Any, number: int) -> list[Line]:
    """Find the lines of a page, in the order in which they are written."""
    lines: list[Line] = []
    pieces: list[str] = []
    fonts: list[tuple[int, float, float, bool]] = []  # length, top, size and weight of each piece

    def end_line() -> None:
        text = "".join(pieces).replace("\xa0", " ").strip()
        pieces.clear()
        if text and fonts and not _DOT_LEADER.search(text[-200:]):
            text = _LIGATURE.sub(lambda found: _LIGATURES[found[0]], text)
            _, top, size, _ = max(fonts)
            lines.append(Line(" ".join(text.split()), top, size, all(bold for *_, bold in fonts)))
        fonts.clear()

    def visit(text: str, cm: list[float], tm: list[float], font: Any, size: float) -> None:
        for i, piece in enumerate(text.split("\n")):
            if i:
                end_line()
            if piece.strip():
                top = tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
                scale = abs(tm[3] * cm[3]) or abs(tm[1] * cm[2]) or 1.0
                name = str((font or {}).get("/BaseFont", ""))
                fonts.append((len(piece), top, size * scale, "bold" in name.lower()))
            pieces.append(piece)

    try:
        page.extract_text(visitor_text=visit)
    except RecursionError:
        msg = f"a broken PDF: page {number} contains itself: repair it first, e.g. with qpdf"
        raise ReadError(msg) from None
    end_line()
    return lines
