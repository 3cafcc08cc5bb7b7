"""A PDF opened by pdfium, whose errors say what to do."""

from __future__ import annotations

from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING, Any

from docbats.errors import MissingExtraError, ReadError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ENCRYPTED_ADVICE", "PDFIUM_LOCK", "open_document"]

MAX_PAGES = 20_000
ENCRYPTED_ADVICE = (
    "encrypted: remove its password first, e.g. with qpdf --decrypt --password=SECRET in.pdf "
    "out.pdf"
)
# pdfium is not safe in threads, not even for two documents: whoever calls it must hold this.
PDFIUM_LOCK = RLock()


@contextmanager
def open_document(data: bytes) -> Iterator[Any]:
    """Open a PDF as a ``PdfDocument`` of pypdfium2; raise a `ReadError` if that is impossible."""
    try:
        import pypdfium2
        import pypdfium2.raw as pdfium
    except ImportError:
        msg = 'reading PDF needs pypdfium2: pip install "docbats[files]"'
        raise MissingExtraError(msg) from None
    with PDFIUM_LOCK:
        try:
            document = pypdfium2.PdfDocument(data)
        except pypdfium2.PdfiumError as error:
            if error.err_code in {pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY}:
                raise ReadError(ENCRYPTED_ADVICE) from None
            raise _broken(error) from None
    try:
        _check_page_count(len(document))
        yield document
    except pypdfium2.PdfiumError as error:
        raise _broken(error) from None
    finally:
        with PDFIUM_LOCK:
            document.close()


def _broken(error: Exception) -> ReadError:
    msg = (
        f"a broken PDF ({str(error)[:100].rstrip('.')}): repair it first, e.g. with "
        "qpdf in.pdf out.pdf, or download it again"
    )
    return ReadError(msg)


def _check_page_count(count: int) -> None:
    if count > MAX_PAGES:
        msg = (
            f"{count:,} pages, more than {MAX_PAGES:,}: split it first, e.g. with "
            "qpdf --split-pages=1000 in.pdf out.pdf"
        )
        raise ReadError(msg)
