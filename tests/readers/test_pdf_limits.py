"""PDF files of a few kilobytes that would show gigabytes, and honest ones that look like them."""

from __future__ import annotations

import io
import re
import zlib
from random import Random
from typing import TYPE_CHECKING, Any

import pypdf
import pytest
from pypdf.filters import RunLengthDecode
from tests import hostile_files as hostile

from docbats import Document
from docbats.errors import ReadError
from docbats.readers import pdf_limits

if TYPE_CHECKING:
    from collections.abc import Callable

HOSTILE = {
    "nested forms": hostile.pdf_with_nested_forms(6),
    "deeply nested forms": hostile.pdf_with_nested_forms(35),
    "forms in letters": hostile.pdf_with_forms_in_letters(6),
    "forms in all orders": hostile.pdf_with_a_clique_of_forms(8),
    "a page often": hostile.pdf_with_a_page_often(1000),
    "a large stream": hostile.pdf_with_large_stream(8),
    "a stream packed twice": hostile.pdf_with_large_stream(50, times_packed=2),
    "nested marks": hostile.pdf_with_large_stream(1, text=b"/F BMC "),
    "long characters": hostile.pdf_with_long_characters(5000, 500),
    "long characters in brackets": hostile.pdf_with_long_characters(5000, 500, b"()"),
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_small_files_that_show_much_are_refused(data: bytes) -> None:
    assert len(data) < 65_000
    with pytest.raises(ReadError, match=r"show too much for a PDF of .*DOCBATS_MAX_UNPACKED_RATIO"):
        Document.read(data)


def test_the_limit_can_be_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    data = hostile.pdf_with_nested_forms(5)
    with pytest.raises(ReadError, match="show too much"):
        Document.read(data)
    monkeypatch.setenv("DOCBATS_MAX_UNPACKED_RATIO", "100000")
    assert Document.read(data).text == "Bats"


@pytest.mark.parametrize(
    "disguise",
    [
        pytest.param(lambda data: data.replace(b"/XObject<", b"/XO#62ject<"), id="escaped names"),
        pytest.param(lambda data: data.replace(b"/XObject<", b"/XObject%<\n<"), id="comments"),
        pytest.param(lambda data: data.replace(b"/Form", b"/F#6frm"), id="escaped kinds"),
        pytest.param(lambda data: _rewritten(data, password=True), id="encrypted"),
        pytest.param(lambda data: _rewritten(data, password=False), id="rewritten"),
        pytest.param(lambda data: b"%PDF-1.5\n" + data[9:].replace(b"xref", b"xerf"), id="no xref"),
    ],
)
def test_disguised_forms_are_found(disguise: Callable[[bytes], bytes]) -> None:
    with pytest.raises(ReadError, match="show too much"):
        Document.read(disguise(hostile.pdf_with_nested_forms(8)))


def _rewritten(data: bytes, *, password: bool) -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(data))
    if password:
        writer.encrypt(user_password="", owner_password="owner", algorithm="RC4-128")
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def test_a_form_that_is_named_in_one_stream_and_shown_in_the_next_is_found() -> None:
    data = hostile.pdf_with_nested_forms(7)
    assert data.count(b"/Contents 5 0 R") == 1
    streams = hostile.pdf_stream(b"/X "), hostile.pdf_stream(b"Do ")
    data = data.replace(b"/Contents 5 0 R", b"/Contents[%s]" % (b"50 0 R 51 0 R " * 10))
    added = b"".join(b"%d 0 obj\n%s\nendobj\n" % (50 + i, each) for i, each in enumerate(streams))
    with pytest.raises(ReadError, match="show too much"):
        Document.read(data.replace(b"xref", added + b"xerf"))


def test_packed_objects_are_measured_before_they_are_unpacked() -> None:
    content = zlib.compress(b"9 0 " + b"[" + b"0 " * 4_000_000 + b"]", 9)
    entries = b"/Type/ObjStm/N 1/First 4"
    packed = hostile.pdf_stream(content, entries + b"/Filter/FlateDecode", times_packed=0)
    with pytest.raises(ReadError, match="show too much"):
        Document.read(hostile.make_pdf([b"<</Type/Catalog/Pages 2 0 R>>", packed]))


def test_honest_files_are_read() -> None:
    text = Document.read(hostile.pdf_with_nested_forms(3)).text
    assert text == "Bats"
    assert len(Document.read(hostile.pdf_with_a_page_often(20)).text) > 300_000
    assert len(Document.read(hostile.pdf_with_long_characters(100, 20)).text) == 2000
    assert len(Document.read(hostile.pdf_with_long_characters(1000, 400)).text) == 400_000


def test_a_form_that_shows_itself_is_read(files: Any) -> None:
    data = hostile.pdf_with_a_clique_of_forms(1).replace(b"/X0 6 0 R", b"/X1 6 0 R/X0 6 0 R")
    assert Document.read(data).text == "Bats"
    assert Document.read(files.paper()).text


def _chance_bytes(seed: int) -> bytes:
    chance = Random(seed)
    size = chance.choice((0, 1, 5, 300, 20_000))
    return bytes(chance.choice(b"abc ") for _ in range(size)) + bytes(
        chance.randrange(256) for _ in range(size // 9)
    )


@pytest.mark.parametrize("seed", range(12))
def test_other_filters_are_unpacked(seed: int) -> None:
    from pypdf._codecs._codecs import LzwCodec

    data = _chance_bytes(seed)
    limit = 10**6
    packed = LzwCodec().encode(data)
    assert pdf_limits._unpack_lzw(packed, limit) == data
    runs = b"".join(bytes([len(part) - 1]) + part for part in re.findall(rb"(?s).{1,100}", data))
    runs += bytes([257 - 100, 7, 128])
    assert (
        pdf_limits._unpack_runs(runs, limit) == data + b"\7" * 100 == RunLengthDecode.decode(runs)
    )
    assert pdf_limits._unpack_hex(data.hex(" ").encode() + b">", limit) == data
    assert pdf_limits._inflate(zlib.compress(data), limit) == data
    assert pdf_limits._inflate(zlib.compress(bytes(10**7)), 1000) == bytes(1001)
