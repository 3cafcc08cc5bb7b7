"""The lines of a PDF with their positions and fonts, by pdfium, without running headers."""

from __future__ import annotations

import ctypes
import re
from bisect import bisect_left
from collections import Counter, defaultdict
from contextlib import contextmanager
from ctypes import c_double, c_int, c_ulong, c_void_p
from itertools import pairwise
from math import hypot
from struct import Struct
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple

from docbats.errors import MissingExtraError, ReadError
from docbats.readers.pdf_limits import check_content, check_packed_objects
from docbats.text.headings import is_bare_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LineIndex = tuple[int, int]
"""The index of a page, and of a line on it."""


Edges = tuple[float, float, float, float]
_ASCENT, _DESCENT = 0.8, 0.22  # of letters, above and below their baseline, in font sizes
_DEVICE_SCALE = 100  # pixels for a point, since pdfium gives positions on a page in whole pixels


class PageLine(NamedTuple):
    """A line of a page, with lengths in points."""

    text: str  # runs of spaces are kept in monospaced lines only
    top: float  # the height of its baseline above the bottom of the page
    size: float  # of its font
    is_bold: bool = False  # all of it
    is_mono: bool = False
    left: float = 0.0  # its distance from the left edge of the page
    # Where each cell begins, in the text and from the left edge, if wide gaps divide the line.
    cells: tuple[tuple[int, float], ...] = ()
    # Where text aligned with the next line begins, after a term or a mark; 0 without one.
    hang: int = 0
    # Its left, top, right and bottom edge, from the top left of the page as it is shown.
    box: Edges | None = None


MAX_PAGES = 20_000
ENCRYPTED_ADVICE = (
    "encrypted: remove its password first, e.g. with qpdf --decrypt --password=SECRET in.pdf "
    "out.pdf"
)
# pdfium is not thread-safe, not even for two documents: hold this for every call.
PDFIUM_LOCK = RLock()


@contextmanager
def open_document(data: bytes) -> Iterator[Any]:
    """Open a PDF as a ``PdfDocument`` of pypdfium2, or raise a `ReadError`."""
    try:
        import pypdfium2
        import pypdfium2.raw as pdfium
    except ImportError:
        msg = 'reading PDF needs pypdfium2: pip install "docbats[files]"'
        raise MissingExtraError(msg) from None
    check_packed_objects(data)
    with PDFIUM_LOCK:
        try:
            document = pypdfium2.PdfDocument(data)
        except pypdfium2.PdfiumError as error:
            if error.err_code in {pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY}:
                raise ReadError(ENCRYPTED_ADVICE) from None
            raise _broken(error) from None
    try:
        if len(document) > MAX_PAGES:
            msg = (
                f"{len(document):,} pages, more than {MAX_PAGES:,}: split it first, e.g. with "
                "qpdf --split-pages=1000 in.pdf out.pdf"
            )
            raise ReadError(msg)
        with PDFIUM_LOCK:
            check_content(document, len(data))
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


class LineCalls:
    """Functions of pdfium that take addresses as plain numbers.

    pypdfium2 converts all arguments and releases the interpreter lock for each call, which doubles
    the time of calls that take less than a microsecond.
    """

    def __init__(self) -> None:
        import pypdfium2.raw as pdfium

        index = (c_void_p, c_int)  # of a text page, and of a character on it
        self.char_index = _bind(pdfium.FPDFText_GetCharIndexFromTextIndex, c_int, *index)
        self.matrix = _bind(pdfium.FPDFText_GetMatrix, c_int, *index, c_void_p)
        self.origin = _bind(pdfium.FPDFText_GetCharOrigin, c_int, *index, c_void_p, c_void_p)
        self.box = _bind(pdfium.FPDFText_GetCharBox, c_int, *index, *4 * (c_void_p,))
        self.font_size = _bind(pdfium.FPDFText_GetFontSize, c_double, *index)
        self.font_weight = _bind(pdfium.FPDFText_GetFontWeight, c_int, *index)
        self.font_info = _bind(
            pdfium.FPDFText_GetFontInfo, c_ulong, *index, c_void_p, c_ulong, c_void_p
        )
        self.text_object = _bind(pdfium.FPDFText_GetTextObject, c_void_p, *index)
        self.font = _bind(pdfium.FPDFTextObj_GetFont, c_void_p, c_void_p)


def _bind(function: Any, result: Any, *arguments: Any) -> Any:
    address = ctypes.cast(function, c_void_p).value
    if address is None:
        msg = f"no function {function!r} in this pdfium"
        raise OSError(msg)
    return ctypes.PYFUNCTYPE(result, *arguments)(address)


_BROKEN_WORD = "\ufffe"  # replaces a hyphen and the end of the line in pdfium's text
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
# Fonts of TeX that do not name their signs have some of them at these codes.
_LIGATURES |= dict(zip("\x1b\x1c\x1d\x1e\x1f", _LIGATURES.values(), strict=False))
_LIGATURE = re.compile("[ﬀ-ﬆ\x1b-\x1f]")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ufffe\uffff]+")
_WORD = re.compile(r"\S+")
_BOLD_NAME = re.compile(r"bold|black|heavy|demi|medi(?:$|[^u])|cmbx|-bd", re.IGNORECASE)
_MONO_NAME = re.compile(
    r"mono|courier|consol|typewriter|cmtt|cmsltt|fixed|menlo|sftt", re.IGNORECASE
)
# After a word of three letters (one of two may be a unit, as in "10 km2") or after a mark, with or
# without a blank between them; a power may follow a bracket.
_FOOTNOTE_MARK = re.compile(
    r"""[0-9∗*†‡§¶](?:(?<=[^\W\d_]{3}.)|(?<=[.,;:!?”’"'»].)|(?<=[.,;:!?”’"'»]\ .))"""
    r"[0-9∗*†‡§¶]{0,2}(?=[\s.,;:)]|\Z)"
)
_HIDDEN = "\x01"  # dropped from a line like other control characters
_MAX_MARK_SIZE = 0.85  # of the letters before it
_MIN_BOLD_WEIGHT = 700
_FIXED_PITCH = 1  # flag of a font
_FORCE_BOLD = 1 << 18

_MAX_FONT_NAME = 256
# A row of cells has fewer characters than its width could hold. If larger, more lines are examined.
_MAX_ROW_DENSITY = 1.75  # characters per font size of width
_MAX_ROW_SHARE = 0.8  # of the characters of the longest line of the page
_MAX_ROW_WORDS = 40
_MIN_HANG, _MAX_HANG = 1.0, 10.0  # font sizes that lines may be indented below a term
_MAX_LINE_DISTANCE = 1.5  # font sizes between lines of a paragraph
_MIN_TERM_GAP = 0.5  # font sizes after a term; if smaller, words are aligned by chance
_SAME_LEFT = 0.5  # points
_MIN_CELL_GAP = 1.0  # font sizes; if smaller, the gaps of justified lines divide cells


_MATRIX = Struct("6f")
_Font = tuple[bool, bool]  # whether it is bold, and monospaced


class PageReader:
    """Reads the lines of the pages of one document."""

    def __init__(self) -> None:
        import pypdfium2.raw

        self._pdfium: Any = pypdfium2.raw
        self._calls = LineCalls()
        self._page = 0  # the address of the current text page
        self._full_size = 0.0  # of the font of the last long line
        self._fonts: dict[int, _Font] = {}  # of that page, by address
        self._fonts_by_name: dict[bytes, _Font] = {}
        self._name = ctypes.create_string_buffer(_MAX_FONT_NAME)
        self._flags = ctypes.c_int()
        self._matrix = ctypes.create_string_buffer(_MATRIX.size)
        self._point = (ctypes.c_double * 2)()
        self._box = (ctypes.c_double * 4)()
        self._matrix_at = ctypes.addressof(self._matrix)
        self._point_at = _addresses(self._point)
        self._box_at = _addresses(self._box)

    def read(self, document: Any, number: int) -> list[PageLine]:
        """Return the lines of a page, counted from 0, in the order in which they were written."""
        pdfium = self._pdfium
        page = pdfium.FPDF_LoadPage(document, number)
        if not page:
            return []
        text_page = pdfium.FPDFText_LoadPage(page)
        try:
            if not text_page:
                return []
            shown_at = self._shown_positions(page)
            return [
                line if line.box is None else line._replace(box=_shown_box(line.box, shown_at))
                for line in self._lines(text_page)
            ]
        finally:
            pdfium.FPDFText_ClosePage(text_page)
            pdfium.FPDF_ClosePage(page)

    def _shown_positions(self, page: Any) -> tuple[float, ...]:
        """Return what turns positions on a page into those where it is shown, as a matrix.

        A page may be shown turned, and a part of it alone.
        """
        pdfium = self._pdfium
        width, height = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
        x, y = ctypes.c_int(), ctypes.c_int()
        found = []
        far = 1000.0
        for point in ((0.0, 0.0), (far, 0.0), (0.0, far)):
            size = (round(_DEVICE_SCALE * width), round(_DEVICE_SCALE * height))
            pdfium.FPDF_PageToDevice(page, 0, 0, *size, 0, *point, x, y)
            found.append((x.value / _DEVICE_SCALE, y.value / _DEVICE_SCALE))
        (x0, y0), (x1, y1), (x2, y2) = found
        return (x1 - x0) / far, (x2 - x0) / far, x0, (y1 - y0) / far, (y2 - y0) / far, y0

    def _lines(self, text_page: Any) -> list[PageLine]:
        count = self._pdfium.FPDFText_CountChars(text_page)
        if count <= 0:
            return []
        buffer = (ctypes.c_ushort * (count + 1))()
        written = self._pdfium.FPDFText_GetText(text_page, 0, count, buffer)
        text = ctypes.string_at(buffer, 2 * max(0, written - 1)).decode("utf-16-le", "replace")
        self._page = ctypes.cast(text_page, ctypes.c_void_p).value or 0
        self._fonts.clear()  # another page's fonts may get the same addresses
        # Where pdfium leaves out characters, offsets in the text are not the indices of characters.
        is_shifted = len(text) != count
        pieces = _pieces(self._without_footnote_marks(text, is_shifted))
        max_row = _MAX_ROW_SHARE * max((len(piece) for _, piece in pieces), default=0)
        is_short = [len(piece) < max_row for _, piece in pieces]
        lines: list[PageLine] = []
        sources: list[tuple[str, int]] = []  # the text of each line, and its first character
        for i, (offset, piece) in enumerate(pieces):
            shown = piece.strip()
            if not shown:
                continue
            start = offset if piece[0] == shown[0] else offset + piece.index(shown[0])
            has_blanks = start > offset
            if is_shifted:
                start = self._calls.char_index(self._page, start)
                if start < 0:
                    continue
            # The last line of a paragraph is short as well, but its neighbours are not.
            may_be_row = is_short[i] and (is_short[i - 1] or is_short[(i + 1) % len(pieces)])
            line = self._line(shown, start, has_blanks, may_be_row, is_short[i])
            if line.text:
                box = self._box_of(line, start, start + len(shown) - 1)
                lines.append(line._replace(box=box))
                sources.append((shown, start))
        self._find_hanging(lines, sources)
        return lines

    def _find_hanging(self, lines: list[PageLine], sources: list[tuple[str, int]]) -> None:
        """Find the lines that begin with a term, by the indent of the line below or of others."""
        indents: dict[int, float] = {}  # of definitions, by the rounded left edges of their terms
        for i, (line, below) in enumerate(pairwise(lines)):
            indent = below.left - line.left
            if indent <= 0:
                continue
            size = line.size
            if _MIN_HANG * size < indent < _MAX_HANG * size and _are_close(line, below):
                lines[i] = self._hanging(line, *sources[i], below.left)
                if lines[i].hang:
                    indents[round(line.left)] = below.left
        if indents:
            for i, (line, below) in enumerate(pairwise([*lines, lines[0]])):
                left = 0.0 if line.hang else indents.get(round(line.left), 0.0)
                if left and not _are_close(line, below) and not _are_close(lines[i - 1], line):
                    lines[i] = self._hanging(line, *sources[i], left)

    def _line(
        self, text: str, start: int, has_blanks: bool, may_be_row: bool, is_short: bool
    ) -> PageLine:
        """Return a line, judged by its middle character, and by others if its font is special."""
        page, calls = self._page, self._calls
        length = len(text)
        middle = length // 2
        if text[middle] == " " and middle + 1 < length:
            middle += 1
        calls.matrix(page, start, self._matrix_at)
        # The last two are the position of the characters written at once: here, the line.
        a, b, c, d, left, top = _MATRIX.unpack(self._matrix)
        size = calls.font_size(page, start + middle) * (hypot(c, d) if c else abs(d))
        if b and abs(b) > abs(a):  # vertical
            left, top = (top, -left) if b > 0 else (-top, left)
        elif has_blanks:  # the line begins after them
            left = self._left(start)
        is_bold, is_mono = font = self._font(start + middle)
        if is_bold or is_mono:
            is_bold, is_mono = self._font_of_all(text, start, font)
        # A heading, or the first row of a table.
        is_special = is_short and (is_bold or size > self._full_size)
        if not is_short:
            self._full_size = size
        cells: tuple[tuple[int, float], ...] = ()
        if (may_be_row or is_special) and not is_mono and " " in text:
            cells = self._cells(text, start, left, size, may_be_dense=is_special)
        if not is_mono and "  " in text:
            text = " ".join(text.split())
        if not text.isascii() or not text.isprintable():
            length, text = len(text), _plain(text)
            cells = cells if len(text) == length else ()  # their offsets would be wrong
        return PageLine(text, top, size, is_bold, is_mono, left, cells)

    def _without_footnote_marks(self, text: str, is_shifted: bool) -> str:
        """Return a page's text with control characters instead of raised numbers after words."""
        parts: list[str] = []
        done = 0
        for mark in _FOOTNOTE_MARK.finditer(text):
            at = mark.start()
            first = at - (text[at - 1] == " ")
            index, last = at, first - 1
            if is_shifted:
                index, last = (self._calls.char_index(self._page, i) for i in (index, last))
            if self._is_raised(last, index):
                parts += (text[done:first], _HIDDEN * (mark.end() - first))
                done = mark.end()
        return "".join([*parts, text[done:]])

    def _is_raised(self, before: int, index: int) -> bool:
        """Whether a character is smaller than one before it, and higher."""
        font_size = self._calls.font_size
        if font_size(self._page, index) >= _MAX_MARK_SIZE * font_size(self._page, before):
            return False
        self._calls.origin(self._page, before, *self._point_at)
        base = self._point[1]
        self._calls.origin(self._page, index, *self._point_at)
        return self._point[1] > base

    def _font_of_all(self, text: str, start: int, font: _Font) -> _Font:
        """Return whether all of a line is bold, and monospaced, as its middle is."""
        is_bold, is_mono = font
        length = len(text)
        for at in (0, length - 1, length // 4, *range(4, length, 8)):
            if text[at] != " ":
                other_bold, other_mono = self._font(start + at)
                is_bold, is_mono = is_bold and other_bold, is_mono and other_mono
            if at == length // 4 and not is_bold:
                break  # a few characters are enough for code
        return is_bold, is_mono

    def _font(self, index: int) -> _Font:
        text_object = self._calls.text_object(self._page, index)
        if text_object is None:  # a space added by pdfium
            return False, False
        address = self._calls.font(text_object)
        font = self._fonts.get(address)
        if font is None:
            font = self._fonts[address] = self._look_up_font(index)
        return font

    def _look_up_font(self, index: int) -> _Font:
        self._calls.font_info(
            self._page,
            index,
            ctypes.addressof(self._name),
            _MAX_FONT_NAME,
            ctypes.addressof(self._flags),
        )
        font = self._fonts_by_name.get(self._name.value)
        if font is None:
            name, flags = self._name.value.decode("utf-8", "replace"), self._flags.value
            weight = self._calls.font_weight(self._page, index)
            is_bold = bool(_BOLD_NAME.search(name) or flags & _FORCE_BOLD)
            is_mono = bool(_MONO_NAME.search(name) or flags & _FIXED_PITCH)
            font = is_bold or weight >= _MIN_BOLD_WEIGHT, is_mono
            self._fonts_by_name[self._name.value] = font
        return font

    def _cells(
        self, text: str, start: int, left: float, size: float, *, may_be_dense: bool
    ) -> tuple[tuple[int, float], ...]:
        """Return where the cells of a row begin; empty if no wide gap divides the line."""
        if not may_be_dense:
            width = self._right(start + len(text) - 1) - left
            if len(text) * size > _MAX_ROW_DENSITY * width or size <= 0:
                return ()
        words = list(_WORD.finditer(text))
        if len(words) > _MAX_ROW_WORDS:
            return ()
        cells, length = [(0, left)], len(words[0][0])
        for last, word in pairwise(words):
            begin = self._left(start + word.start())
            if begin - self._right(start + last.end() - 1) > _MIN_CELL_GAP * size:
                cells.append((length + 1, begin))
            length += 1 + len(word[0])
        return tuple(cells) if len(cells) > 1 else ()

    def _hanging(self, line: PageLine, text: str, start: int, left: float) -> PageLine:
        """Return a line with where text begins at a distance from the left edge, if it does."""
        last_word = text.rfind(" ") + 1
        if line.is_mono or not last_word or self._left(start + last_word) < left - _SAME_LEFT:
            return line
        words = [word.start() for word in _WORD.finditer(text)]
        i = bisect_left(words, left - _SAME_LEFT, key=lambda at: self._left(start + at))
        if i in {0, len(words)} or self._left(start + words[i]) > left + _SAME_LEFT:
            return line
        end = start + len(text[: words[i]].rstrip()) - 1
        if left - self._right(end) < _MIN_TERM_GAP * line.size:
            return line
        before = _plain(" ".join(text[: words[i]].split()))
        is_same = line.text.startswith(before) and line.text[len(before) : len(before) + 1] == " "
        return line._replace(hang=len(before) + 1) if is_same else line

    def _box_of(self, line: PageLine, first: int, last: int) -> Edges:
        """Return the left, lower, right and upper edge of a line, from its first to last letter."""
        self._calls.box(self._page, first, *self._box_at)
        left, right, bottom, top = self._box
        self._calls.box(self._page, last, *self._box_at)
        left, right = min(left, self._box[0]), max(right, self._box[1])
        bottom, top = min(bottom, self._box[2]), max(top, self._box[3])
        if bottom <= line.top <= top:  # horizontal: other letters may be higher or lower
            low, high = line.top - _DESCENT * line.size, line.top + _ASCENT * line.size
            bottom, top = min(bottom, low), max(top, high)
        return left, bottom, right, top

    def _left(self, index: int) -> float:
        self._calls.origin(self._page, index, *self._point_at)
        return self._point[0]

    def _right(self, index: int) -> float:
        self._calls.box(self._page, index, *self._box_at)
        return self._box[1]


def _shown_box(box: Edges, matrix: Sequence[float]) -> Edges:
    """Return the left, top, right and bottom edge of a box where it is shown."""
    a, b, c, d, e, f = matrix
    corners = [(box[0], box[1]), (box[2], box[3])]
    xs, ys = zip(*((a * x + b * y + c, d * x + e * y + f) for x, y in corners), strict=True)
    return round(min(xs), 1), round(min(ys), 1), round(max(xs), 1), round(max(ys), 1)


def _are_close(line: PageLine, below: PageLine) -> bool:
    """Whether two lines may be of one paragraph."""
    return 0.5 * line.size < line.top - below.top < _MAX_LINE_DISTANCE * line.size


def _addresses(numbers: Any) -> list[int]:
    """Return the address of each number in an array."""
    size = ctypes.sizeof(numbers) // len(numbers)
    return [ctypes.addressof(numbers) + i * size for i in range(len(numbers))]


def _pieces(text: str) -> list[tuple[int, str]]:
    """Return the lines of a page's text with their offsets."""
    pieces = []
    offset = 0
    for line in text.split("\n"):
        last = line
        if _BROKEN_WORD in line:
            *broken, last = line.split(_BROKEN_WORD)
            for part in broken:
                pieces.append((offset, f"{part}-"))
                offset += len(part) + 1
        pieces.append((offset, last))
        offset += len(last) + 1
    return pieces


def _plain(text: str) -> str:
    r"""Drop control characters and split ligatures.

    >>> _plain("De\x1cne a \ufb02at o\x1ece")
    'Define a flat office'
    """
    text = _LIGATURE.sub(lambda found: _LIGATURES[found[0]], text)
    return _CONTROL.sub("", text.replace("\xa0", " ")).strip()


# With more lines or pages, more headers are found, but more of the text is mistaken for one, too.
_EDGE_LINES = 3  # lines at the top and at the bottom of a page that may be headers and footers
_NEARBY_PAGES = 4  # pages before and after on which such a line must recur
_MIN_NUMBERED_PAGES = 3  # pages that agree on how pages are counted, or on where headers are
# If these shares of the lines at one position are headers and set apart, all of them are headers.
_MIN_DROPPED_SHARE = 0.1
_MIN_APART_SHARE = 0.9
_MIN_HEADER_GAP = 1.8  # font sizes

_NUMBER = re.compile(r"\d+")
_FIRST_OR_LAST_NUMBER = re.compile(r"^\d{1,5}(?=\s|$)|(?<=\s)\d{1,5}$")
_ROMAN_NUMBER = re.compile(r"(?<!\S)[ivxlc]{1,8}$")


def drop_running_lines(pages: Sequence[list[PageLine]]) -> list[list[PageLine]]:
    """Drop headers, footers and page numbers: lines at the edges that recur on nearby pages.

    >>> page = lambda n: [PageLine("Annual report", 800, 9), PageLine(f"Text {n}{n}.", 400, 9)]
    >>> [[line.text for line in lines] for lines in drop_running_lines([page(1), page(3), page(5)])]
    [['Text 11.'], ['Text 33.'], ['Text 55.']]
    """
    outermost = [(page, i) for page, lines in enumerate(pages) for i in _outermost(lines)]
    dropped = _repeated_lines(pages) | _page_numbers(pages, outermost)
    dropped |= _at_positions_of(dropped, pages, outermost)
    kept = [
        [line for i, line in enumerate(lines) if (page, i) not in dropped]
        for page, lines in enumerate(pages)
    ]
    return kept if any(kept) else list(pages)


def _repeated_lines(pages: Sequence[list[PageLine]]) -> set[LineIndex]:
    """Return the lines at the edges that recur on at least two nearby pages."""
    alike: dict[tuple[str, int], list[LineIndex]] = defaultdict(list)
    for page, lines in enumerate(pages):
        for i in _edges(lines):
            # The heading of a chapter is larger than the headers that repeat it.
            alike[_without_numbers(lines[i].text), round(lines[i].size)].append((page, i))
    repeated = set()
    min_pages = min(2, len(pages) - 1)
    for places in alike.values():
        page, i = places[0]
        if len(places) <= min_pages or is_bare_number(pages[page][i].text):
            continue
        numbers = [
            [int(number[:9]) for number in _NUMBER.findall(pages[page][i].text)]
            for page, i in places
        ]
        for at, (page, i) in enumerate(places):
            first, last = max(0, at - 3 * _NEARBY_PAGES), at + 3 * _NEARBY_PAGES
            nearby = {
                other
                for near in range(first, min(len(places), last + 1))
                if 0 < abs((other := places[near][0]) - page) <= _NEARBY_PAGES
                and _count_with_pages(numbers[at], numbers[near], other - page)
            }
            if len(nearby) >= min_pages > 0:
                repeated.add((page, i))
    return repeated


def _at_positions_of(
    dropped: set[LineIndex], pages: Sequence[list[PageLine]], outermost: Sequence[LineIndex]
) -> set[LineIndex]:
    """Return the outermost lines at the positions of lines that other pages drop.

    They are the headers of short chapters, which no nearby page repeats.
    """
    by_place: dict[tuple[int, int], list[LineIndex]] = defaultdict(list)
    for page, i in outermost:
        line = pages[page][i]
        by_place[round(line.top), round(line.size)].append((page, i))
    found: set[LineIndex] = set()
    for indices in by_place.values():
        n_dropped = sum(index in dropped for index in indices)
        if _MIN_NUMBERED_PAGES <= n_dropped < len(indices) <= n_dropped / _MIN_DROPPED_SHARE:
            n_apart = sum(_is_apart(pages[page], i) for page, i in indices)
            if n_apart >= _MIN_APART_SHARE * len(indices):
                found.update(indices)
    return {(page, i) for page, i in found if not is_bare_number(pages[page][i].text)}


def _is_apart(lines: list[PageLine], index: int) -> bool:
    """Whether a line is further from all others of the page than usual."""
    top, size = lines[index].top, lines[index].size
    gaps = (abs(line.top - top) for line in lines)
    return min((gap for gap in gaps if gap > size / 2), default=0) > _MIN_HEADER_GAP * size


def _page_numbers(
    pages: Sequence[list[PageLine]], outermost: Sequence[LineIndex]
) -> set[LineIndex]:
    """Return the outermost lines that begin or end with the number expected on their page."""
    numbers = {
        (page, i): [int(number) - page for number in found]
        for page, i in outermost
        if (found := _FIRST_OR_LAST_NUMBER.findall(text := pages[page][i].text))
        and not is_bare_number(text)
    }
    votes = Counter(found[0] for found in numbers.values())
    offsets = {offset for offset, count in votes.items() if count >= _MIN_NUMBERED_PAGES}
    return {index for index, found in numbers.items() if not offsets.isdisjoint(found)}


def _outermost(lines: list[PageLine]) -> set[int]:
    if not lines:
        return set()
    tops = [line.top for line in lines]
    return {0, len(lines) - 1, tops.index(min(tops)), tops.index(max(tops))}


def _edges(lines: list[PageLine]) -> set[int]:
    """Return the lines at the edges, both in the order of writing and by their positions."""
    order = range(len(lines))
    by_top = sorted(order, key=[line.top for line in lines].__getitem__)
    first, last = slice(_EDGE_LINES), slice(-_EDGE_LINES, None)
    return {*order[first], *order[last], *by_top[first], *by_top[last]}


def _without_numbers(text: str) -> str:
    text = text.casefold()
    if text[-1] in "ivxlc":
        text = _ROMAN_NUMBER.sub("#", text)
    return _NUMBER.sub("#", text)


def _count_with_pages(here: list[int], there: list[int], pages: int) -> bool:
    """Whether the numbers in two lines are equal, or differ as the numbers of their pages do."""
    return all(b - a in {0, pages} for a, b in zip(here, there, strict=False))
