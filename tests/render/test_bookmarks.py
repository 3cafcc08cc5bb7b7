"""Bookmarks written to PDF files."""

from __future__ import annotations

import io
import sys
from typing import Any

import pypdf
import pytest

import docbats
from docbats import Document, MissingExtraError, ReadError
from docbats.render.bookmarks import add_bookmarks


def test_missing_pypdf_stops_bookmarks_only(files: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdf", None)
    result = docbats.analyze(Document.read(files.paper()), k=3)
    with pytest.raises(MissingExtraError, match=r'pip install "docbats\[bookmarks\]"'):
        add_bookmarks(result, files.paper())


@pytest.mark.parametrize("circle", ["earlier versions", "bookmarks", "pages"])
def test_files_that_lead_in_circles_get_no_bookmarks_or_all(files: Any, circle: str) -> None:
    """The oldest pypdf that we allow is the first that comes to an end here."""
    outlines = b"<</Type/Outlines/First 5 0 R/Last 5 0 R/Count 1>>"
    loop = b"<</Title(Tea)/Parent 4 0 R/Next 5 0 R/Dest[3 0 R/Fit]>>"
    has_circle = circle == "bookmarks"
    kids = b"2 0 R 3 0 R" if circle == "pages" else b"3 0 R"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R%s>>" % (b"/Outlines 4 0 R" if has_circle else b""),
        b"<</Type/Pages/Kids[%s]/Count 1>>" % kids,
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>",
        *([outlines, loop] if has_circle else []),
    ]
    data, places = b"%PDF-1.4\n", []
    for number, written in enumerate(objects, 1):
        places.append(b"%010d 00000 n \n" % len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, written)
    table = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, b"".join(places))
    earlier = b"/Prev %d" % table if circle == "earlier versions" else b""
    data += b"trailer\n<</Size %d/Root 1 0 R%s>>\n" % (len(objects) + 1, earlier)
    data += b"startxref\n%d\n%%%%EOF" % table
    result = docbats.analyze(Document.read(files.paper()), k=1)
    if circle == "earlier versions":
        assert pypdf.PdfReader(io.BytesIO(add_bookmarks(result, data))).outline
    else:
        with pytest.raises(ReadError, match="bookmarks cannot be added"):
            add_bookmarks(result, data)
