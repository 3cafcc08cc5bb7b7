"""The lines of a PDF's pages, with their places and fonts, by pdfium."""

from __future__ import annotations

import ctypes
import re
from itertools import pairwise
from math import hypot
from struct import Struct
from typing import Any, NamedTuple

from docbats.readers.parsers.pdf_calls import LineCalls
from docbats.readers.parsers.pdf_line import Line

__all__ = ["PageReader"]

_BROKEN_WORD = "\ufffe"  # what pdfium writes instead of a hyphen and the end of the line
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_LIGATURE = re.compile("[ﬀ-ﬆ]")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ufffe\uffff]+")
_WORD = re.compile(r"\S+")
_BOLD_NAME = re.compile(r"bold|black|heavy|demi|medi(?:$|[^u])|cmbx|-bd", re.IGNORECASE)
_MONO_NAME = re.compile(
    r"mono|courier|consol|typewriter|cmtt|cmsltt|fixed|menlo|sftt", re.IGNORECASE
)
_MIN_BOLD_WEIGHT = 700
_FIXED_PITCH = 1  # flag of a font
_FORCE_BOLD = 1 << 18

_MAX_FONT_NAME = 256
# A row of cells has fewer letters than its width could hold. Larger looks at more lines closely.
_MAX_ROW_DENSITY = 1.75  # letters in the width of one letter's height
_MAX_ROW_SHARE = 0.8  # of the letters of the longest line of the page
_MAX_ROW_WORDS = 40
_MIN_CELL_GAP = 1.0  # in sizes of letters; smaller takes the gaps of a stretched line for cells


_MATRIX = Struct("6f")


class _Font(NamedTuple):
    is_bold: bool
    is_mono: bool


_PLAIN_FONT = _Font(is_bold=False, is_mono=False)


class PageReader:
    """Reads the lines of the pages of one document."""

    def __init__(self) -> None:
        import pypdfium2.raw

        self._pdfium: Any = pypdfium2.raw
        self._calls = LineCalls()
        self._page = 0  # the address of the text page that is being read
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

    def read(self, document: Any, number: int) -> list[Line]:
        """Find the lines of a page, counted from 0, in the order in which they are written."""
        pdfium = self._pdfium
        page = pdfium.FPDF_LoadPage(document, number)
        if not page:
            return []
        text_page = pdfium.FPDFText_LoadPage(page)
        try:
            return self._lines(text_page) if text_page else []
        finally:
            pdfium.FPDFText_ClosePage(text_page)
            pdfium.FPDF_ClosePage(page)

    def _lines(self, text_page: Any) -> list[Line]:
        count = self._pdfium.FPDFText_CountChars(text_page)
        if count <= 0:
            return []
        buffer = (ctypes.c_ushort * (count + 1))()
        written = self._pdfium.FPDFText_GetText(text_page, 0, count, buffer)
        text = ctypes.string_at(buffer, 2 * max(0, written - 1)).decode("utf-16-le", "replace")
        self._page = ctypes.cast(text_page, ctypes.c_void_p).value or 0
        self._fonts.clear()  # another page's fonts may get the same addresses
        # Where pdfium leaves out characters, an offset in the text is not the number of one.
        is_shifted = len(text) != count
        pieces = _pieces(text)
        max_row = _MAX_ROW_SHARE * max((len(piece) for _, piece in pieces), default=0)
        is_short = [len(piece) < max_row for _, piece in pieces]
        lines = []
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
            # The last line of a paragraph is short as well, but those around it are not.
            may_be_row = is_short[i] and (is_short[i - 1] or is_short[(i + 1) % len(pieces)])
            line = self._line(shown, start, has_blanks, may_be_row)
            if line.text:
                lines.append(line)
        return lines

    def _line(self, text: str, start: int, has_blanks: bool, may_be_row: bool) -> Line:
        """Look at the letter in the middle; at the others only if its font is a special one."""
        page, calls = self._page, self._calls
        length = len(text)
        middle = length // 2
        if text[middle] == " " and middle + 1 < length:
            middle += 1
        calls.matrix(page, start, self._matrix_at)
        # The last two say where the letters stand that are written at once: here, the line.
        a, b, c, d, left, top = _MATRIX.unpack(self._matrix)
        size = calls.font_size(page, start + middle) * (hypot(c, d) if c else abs(d))
        if b and abs(b) > abs(a):  # written upwards or downwards
            left, top = (top, -left) if b > 0 else (-top, left)
        elif has_blanks:  # it does not begin where it is written, but after them
            left = self._left(start)
        is_bold, is_mono = font = self._font(start + middle)
        if is_bold or is_mono:
            is_bold, is_mono = self._common_font(font, text, start)
        cells: tuple[tuple[int, float], ...] = ()
        if may_be_row and not is_mono and " " in text:
            cells = self._cells(text, start, left, size)
        if not is_mono and "  " in text:
            text = " ".join(text.split())
        if not text.isascii() or not text.isprintable():
            length, text = len(text), _plain(text)
            cells = cells if len(text) == length else ()  # their offsets would be wrong
        return Line(text, top, size, is_bold, is_mono, left, cells)

    def _font(self, index: int) -> _Font:
        text_object = self._calls.text_object(self._page, index)
        if text_object is None:  # a blank that pdfium has put in
            return _PLAIN_FONT
        address = self._calls.font(text_object)
        font = self._fonts.get(address)
        if font is None:
            font = self._fonts[address] = self._look_up_font(index)
        return font

    def _common_font(self, font: _Font, text: str, start: int) -> _Font:
        """Return what the letters at other places of a line have in common with a font."""
        is_bold, is_mono = font
        for at in (0, len(text) - 1, len(text) // 4):
            if text[at] != " ":
                other_bold, other_mono = self._font(start + at)
                is_bold, is_mono = is_bold and other_bold, is_mono and other_mono
        return _Font(is_bold, is_mono)

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
            font = _Font(is_bold or weight >= _MIN_BOLD_WEIGHT, is_mono)
            self._fonts_by_name[self._name.value] = font
        return font

    def _cells(
        self, text: str, start: int, left: float, size: float
    ) -> tuple[tuple[int, float], ...]:
        """Return where the cells of a row begin; nothing if no wide gap divides the line."""
        right = self._right(start + len(text) - 1)
        if len(text) * size > _MAX_ROW_DENSITY * (right - left) or size <= 0:
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

    def _left(self, index: int) -> float:
        self._calls.origin(self._page, index, *self._point_at)
        return self._point[0]

    def _right(self, index: int) -> float:
        self._calls.box(self._page, index, *self._box_at)
        return self._box[1]


def _addresses(numbers: Any) -> list[int]:
    """Return the addresses of the numbers of an array."""
    size = ctypes.sizeof(numbers) // len(numbers)
    return [ctypes.addressof(numbers) + i * size for i in range(len(numbers))]


def _pieces(text: str) -> list[tuple[int, str]]:
    """Divide a page's text into its lines, each with its offset."""
    pieces = []
    offset = 0
    for line in text.split("\n"):
        if _BROKEN_WORD in line:
            *broken, last = line.split(_BROKEN_WORD)
            for part in broken:
                pieces.append((offset, f"{part}-"))
                offset += len(part) + 1
        else:
            last = line
        pieces.append((offset, last))
        offset += len(last) + 1
    return pieces


def _plain(text: str) -> str:
    """Drop control characters and take ligatures apart."""
    text = _LIGATURE.sub(lambda found: _LIGATURES[found[0]], text)
    return _CONTROL.sub("", text.replace("\xa0", " ")).strip()
