"""Small files that a reader without limits would need much time or memory for.

Each function builds one; `n` is what the cost would grow with. The tests of the readers, the
fuzzers and ``benchmarks/hostile.py`` share them.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.sample_files import Files

if TYPE_CHECKING:
    from collections.abc import Sequence

Build = Callable[[int], bytes]


def make_pdf(objects: Sequence[bytes]) -> bytes:
    """Return a PDF of these objects, numbered from 1; the first is the catalog."""
    parts, starts, length = [b"%PDF-1.5\n"], [], 9
    for number, value in enumerate(objects, start=1):
        starts.append(length)
        parts.append(b"%d 0 obj\n%s\nendobj\n" % (number, value))
        length += len(parts[-1])
    rows = b"".join(b"%010d 00000 n \n" % start for start in starts)
    parts.append(b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, rows))
    parts.append(b"trailer\n<</Size %d/Root 1 0 R>>\n" % (len(objects) + 1))
    parts.append(b"startxref\n%d\n%%%%EOF\n" % length)
    return b"".join(parts)


def pdf_stream(content: bytes, entries: bytes = b"", *, times_packed: int = 1) -> bytes:
    """Return a stream, compressed as many times as asked."""
    for _ in range(times_packed):
        content = zlib.compress(content, 9)
    filters = b"/Filter[%s]" % (b"/FlateDecode" * times_packed) if times_packed else b""
    head = b"<<%s%s/Length %d>>" % (entries, filters, len(content))
    return b"%s\nstream\n%s\nendstream" % (head, content)


_FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
_RESOURCES = b"/Resources<</Font<</F 4 0 R>>%s>>"


def _page(contents: bytes, resources: bytes = b"") -> bytes:
    box = b"/MediaBox[0 0 600 800]"
    return b"<</Type/Page/Parent 2 0 R%s/Contents %s%s>>" % (box, contents, _RESOURCES % resources)


def _pages(kids: Sequence[int]) -> list[bytes]:
    listed = b" ".join(b"%d 0 R" % kid for kid in kids)
    return [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), listed),
    ]


def pdf_with_content(content: bytes) -> bytes:
    """Return a PDF of one page."""
    return make_pdf([*_pages([3]), _page(b"5 0 R"), _FONT, pdf_stream(content)])


def pdf_with_nested_forms(levels: int, times: int = 10) -> bytes:
    """Each form shows the next one `times` times: the last is shown ``times ** levels`` times."""
    objects = [
        *_pages([3]),
        _page(b"5 0 R", b"/XObject<</X 6 0 R>>"),
        _FONT,
        pdf_stream(b"/X Do " * times),
    ]
    form = b"/Type/XObject/Subtype/Form/BBox[0 0 600 800]"
    for level in range(1, levels):
        inner = _RESOURCES % (b"/XObject<</X %d 0 R>>" % (6 + level))
        objects.append(pdf_stream(b"/X Do " * times, form + inner))
    text = b"BT /F 9 Tf 9 9 Td (Bats) Tj ET "
    objects.append(pdf_stream(text, form + _RESOURCES % b""))
    return make_pdf(objects)


def pdf_with_a_clique_of_forms(n: int) -> bytes:
    """`n` forms that each show all others: none shows itself twice, but all orders are shown."""
    names = b"".join(b"/X%d %d 0 R" % (i, 6 + i) for i in range(n))
    resources = b"/XObject<<%s>>" % names
    shown = [b"".join(b"/X%d Do " % i for i in range(n) if i != me) for me in range(n + 1)]
    form = b"/Type/XObject/Subtype/Form/BBox[0 0 600 800]" + _RESOURCES % resources
    text = b"BT /F 9 Tf 9 9 Td (Bats) Tj ET "
    return make_pdf(
        [
            *_pages([3]),
            _page(b"5 0 R", resources),
            _FONT,
            pdf_stream(shown[n]),
            *(pdf_stream(text + shown[me], form) for me in range(n)),
        ]
    )


def pdf_with_a_page_often(times: int, n_lines: int = 1000) -> bytes:
    """Return one page of many lines, which is listed many times."""
    lines = b"BT /F 9 Tf 9 9 Td " + b"(Bats hunt moths.) Tj 0 -9 Td " * n_lines + b"ET"
    return make_pdf([*_pages([3] * times), _page(b"5 0 R"), _FONT, pdf_stream(lines)])


def pdf_with_large_stream(megabytes: int, *, times_packed: int = 1, text: bytes = b"") -> bytes:
    """Return a page whose content inflates a thousandfold, or a millionfold."""
    unit = text or b"(a)' "
    content = b"BT /F 9 Tf " + unit * (megabytes * 1_000_000 // len(unit)) + b"ET"
    stream = pdf_stream(content, times_packed=times_packed)
    return make_pdf([*_pages([3]), _page(b"5 0 R"), _FONT, stream])


def pdf_with_long_characters(n_codes: int, length: int, before: bytes = b"") -> bytes:
    """Return a page of codes each of which stands for many characters."""
    word = b"0062" * length
    cmap = b"1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <61> <%s> endbfchar"
    content = b"BT /F 9 Tf 9 9 Td (%sa%s) Tj ET" % (before, b"a" * (n_codes - 1))
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>"
    return make_pdf(
        [*_pages([3]), _page(b"5 0 R"), font, pdf_stream(content), pdf_stream(cmap % word)]
    )


def pdf_with_long_actual_text(times: int, length: int) -> bytes:
    """Return a page that says `times` times of a letter that it is a long text."""
    content = b"BT /F 9 Tf 9 9 Td " + b"/Span/P BDC (a) Tj EMC 9 9 Td " * times + b"ET"
    properties = b"/Properties<</P<</ActualText(%s)>>>>" % (b"b" * length)
    return make_pdf([*_pages([3]), _page(b"5 0 R", properties), _FONT, pdf_stream(content)])


_FORM = b"/Type/XObject/Subtype/Form/BBox[0 0 600 800]"


def pdf_with_forms_in_letters(levels: int, times: int = 10) -> bytes:
    """Return nested forms that are shown by the letter of a font."""
    letters = b"/FirstChar 97/LastChar 97/Widths[9]/Encoding<</Differences[97/a]>>"
    metrics = b"/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]"
    font = b"<</Type/Font/Subtype/Type3%s%s/CharProcs<</a 6 0 R>>%s>>"
    inner = _RESOURCES % b"/XObject<</X 7 0 R>>"
    objects = [
        *_pages([3]),
        _page(b"5 0 R"),
        font % (metrics, letters, inner),
        pdf_stream(b"BT /F 9 Tf (aaa) Tj ET"),
        pdf_stream(b"9 0 d0 /X Do", inner),
    ]
    for level in range(levels):
        resources = _RESOURCES % (b"/XObject<</X %d 0 R>>" % (8 + level))
        objects.append(pdf_stream(b"/X Do " * times, _FORM + resources))
    return make_pdf([*objects, pdf_stream(b"BT /F 9 Tf (Bats) Tj ET", _FORM)])


_HEADERS = b"From: a@b.example\nTo: c@d.example\nDate: Mon, 2 Mar 2026 10:00:00 +0000\n"
_REST = b"\n\nBats fly.\n"


def _mail_with(header: bytes, repeated: bytes, start: bytes = b"") -> Build:
    return lambda n: _HEADERS + header + b": " + start + repeated * n + _REST


def mail_with_nested_parts(n: int) -> bytes:
    """Return a message with parts within parts."""
    line = b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n'
    return _HEADERS + b"".join(line % (i, i) for i in range(n)) + _REST


def _mail_with_parts(n: int) -> bytes:
    head = _HEADERS + b'Content-Type: multipart/mixed; boundary="b"\n\n'
    return head + b"--b\n\nBats fly.\n" * n + b"--b--\n"


MAILS: dict[str, Build] = {
    "words": _mail_with(b"Subject", b"a "),
    "encoded words": _mail_with(b"Subject", b"=?utf-8?q?a?= "),
    "open words": _mail_with(b"Subject", b"=?a?q?"),
    "comments": _mail_with(b"From", b"(a"),
    "folded": _mail_with(b"Subject", b"a\n "),
    "parameters": _mail_with(b"Content-Type", b"; a=b", b"text/plain"),
    "pieces of parameters": _mail_with(b"Content-Type", b"; a*0*=b", b"text/plain"),
    "quotation marks": _mail_with(b"Content-Type", b'; a="', b"text/plain"),
    "disposition": _mail_with(b"Content-Disposition", b"; a=b", b"inline"),
    "many headers": lambda n: b"X: a\n" * n + _HEADERS + _REST,
    "nested parts": mail_with_nested_parts,
    "many parts": _mail_with_parts,
    "many messages": lambda n: (b"From x Mon\n" + _HEADERS + b"Subject: Tea" + _REST + b"\n") * n,
}
"""E-mails that Python's own parser takes quadratic time or much memory for."""


def workbook(sheet: str, strings: str = "") -> bytes:
    """Return a workbook of one sheet whose cells may share strings."""
    links = '<Relationships><Relationship Id="r1" Type="x/{}" Target="{}"/>{}</Relationships>'
    shared = '<Relationship Id="r2" Type="x/sharedStrings" Target="strings.xml"/>'
    book = '<workbook xmlns:r="x"><sheets><sheet name="a" r:id="r1"/></sheets></workbook>'
    return Files().zip(
        {
            "_rels/.rels": links.format("officeDocument", "xl/workbook.xml", ""),
            "xl/workbook.xml": book,
            "xl/_rels/workbook.xml.rels": links.format("worksheet", "1.xml", shared),
            "xl/strings.xml": f"<sst>{strings}</sst>",
            "xl/1.xml": f"<worksheet>{sheet}</worksheet>",
        }
    )


def workbooks() -> dict[str, Callable[[], bytes]]:
    """Return workbooks of a few kilobytes that would show gigabytes."""
    long = f"<si><t>{'a ' * 500_000}</t></si>"
    cell = '<row><c t="s"><v>0</v></c></row>'
    diagonal = "".join(f'<row><c r="{_column(i)}{i}"><v>1</v></c></row>' for i in range(1, 16_000))
    rows = "".join(f'<row><c r="B{i}"><v>1</v></c></row>' for i in range(2, 5000))
    merged = f'{cell}{rows}<mergeCell ref="A1:A1048576"/>'
    return {
        "a string often": lambda: workbook(f"<sheetData>{cell * 20_000}</sheetData>", long),
        "a diagonal": lambda: workbook(f"<sheetData>{diagonal}</sheetData>"),
        "a string merged": lambda: workbook(f"<sheetData>{merged}</sheetData>", long),
    }


def _column(number: int) -> str:
    letters = ""
    while number:
        number, letter = divmod(number - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters
