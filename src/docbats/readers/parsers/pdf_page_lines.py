"""The lines of a PDF's pages, with their places and fonts, by pdfium."""

from __future__ import annotations

import ctypes
import re
from math import hypot
from typing import Any, NamedTuple

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


class _Font(NamedTuple):
    is_bold: bool
    is_mono: bool


class PageReader:
    """Reads the lines of the pages of one document."""

    def __init__(self) -> None:
        import pypdfium2.raw

        self._pdfium: Any = pypdfium2.raw
        self._fonts: dict[bytes, _Font] = {}
        self._name = ctypes.create_string_buffer(_MAX_FONT_NAME)
        self._flags = ctypes.c_int()
        self._matrix = self._pdfium.FS_MATRIX()
        self._x, self._y = ctypes.c_double(), ctypes.c_double()
        self._box = tuple(ctypes.c_double() for _ in range(4))

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

    def _lines(self, page: Any) -> list[Line]:
        count = self._pdfium.FPDFText_CountChars(page)
        if count <= 0:
            return []
        buffer = (ctypes.c_ushort * (count + 1))()
        written = self._pdfium.FPDFText_GetText(page, 0, count, buffer)
        text = ctypes.string_at(buffer, 2 * max(0, written - 1)).decode("utf-16-le", "replace")
        # Where pdfium leaves out characters, an offset in the text is not the number of one.
        is_shifted = len(text) != count
        pieces = _pieces(text)
        max_row = _MAX_ROW_SHARE * max((len(piece) for _, piece in pieces), default=0)
        lines = []
        was_short = False
        for offset, piece in pieces:
            shown = piece.strip()
            if not shown:
                continue
            start = offset if piece[0] == shown[0] else offset + piece.index(shown[0])
            if is_shifted:
                start = self._pdfium.FPDFText_GetCharIndexFromTextIndex(page, start)
            if start < 0:
                continue
            # The last line of a paragraph is short as well, but those around it are not.
            is_short = len(shown) < max_row
            line = self._line(page, shown, start, may_be_row=is_short and was_short)
            was_short = is_short
            if start > offset and not is_shifted:
                line = self._after_blanks(page, line, start)
            if line.text:
                lines.append(line)
        return lines

    def _line(self, page: Any, text: str, start: int, *, may_be_row: bool) -> Line:
        """Look at the letter in the middle; at the others only if its font is a special one."""
        pdfium, matrix = self._pdfium, self._matrix
        length = len(text)
        middle = length // 2
        if text[middle] == " " and middle + 1 < length:
            middle += 1
        pdfium.FPDFText_GetMatrix(page, start, matrix)
        left, top = matrix.e, matrix.f  # of the letters that are written at once: here, the line
        size = pdfium.FPDFText_GetFontSize(page, start + middle) * hypot(matrix.c, matrix.d)
        b = matrix.b
        if b and abs(b) > abs(matrix.a):  # written upwards or downwards
            left, top = (top, -left) if b > 0 else (-top, left)
        is_bold, is_mono = self._font(page, start + middle)
        if is_bold or is_mono:
            for at in (0, length - 1, length // 4):
                if text[at] != " ":
                    other_bold, other_mono = self._font(page, start + at)
                    is_bold, is_mono = is_bold and other_bold, is_mono and other_mono
                    if not is_bold and not is_mono:
                        break
        cells: tuple[tuple[int, float], ...] = ()
        if may_be_row and not is_mono and " " in text:
            cells = self._cells(page, text, start, left, size)
        if not is_mono and "  " in text:
            text = " ".join(text.split())
        if not text.isascii() or not text.isprintable():
            length, text = len(text), _plain(text)
            cells = cells if len(text) == length else ()  # their offsets would be wrong
        return Line(text, top, size, is_bold, is_mono, left, cells)

    def _after_blanks(self, page: Any, line: Line, start: int) -> Line:
        """Return a line that begins not where it is written, but after blanks there."""
        self._pdfium.FPDFText_GetCharOrigin(page, start, self._x, self._y)
        return line._replace(left=self._x.value)

    def _font(self, page: Any, index: int) -> _Font:
        self._pdfium.FPDFText_GetFontInfo(page, index, self._name, _MAX_FONT_NAME, self._flags)
        name = self._name.value
        font = self._fonts.get(name)
        if font is None:
            shown, flags = name.decode("utf-8", "replace"), self._flags.value
            weight = self._pdfium.FPDFText_GetFontWeight(page, index)
            is_bold = bool(_BOLD_NAME.search(shown) or flags & _FORCE_BOLD)
            is_mono = bool(_MONO_NAME.search(shown) or flags & _FIXED_PITCH)
            font = self._fonts[name] = _Font(is_bold or weight >= _MIN_BOLD_WEIGHT, is_mono)
        return font

    def _cells(
        self, page: Any, text: str, start: int, left: float, size: float
    ) -> tuple[tuple[int, float], ...]:
        """Return where the cells of a row begin; nothing if no wide gap divides the line."""
        right = self._right(page, start + len(text) - 1)
        if len(text) * size > _MAX_ROW_DENSITY * (right - left) or size <= 0:
            return ()
        words = list(_WORD.finditer(text))
        if len(words) > _MAX_ROW_WORDS:
            return ()
        cells, length = [(0, left)], len(words[0][0])
        for last, word in zip(words, words[1:], strict=False):
            self._pdfium.FPDFText_GetCharOrigin(page, start + word.start(), self._x, self._y)
            begin = self._x.value
            if begin - self._right(page, start + last.end() - 1) > _MIN_CELL_GAP * size:
                cells.append((length + 1, begin))
            length += 1 + len(word[0])
        return tuple(cells) if len(cells) > 1 else ()

    def _right(self, page: Any, index: int) -> float:
        self._pdfium.FPDFText_GetCharBox(page, index, *self._box)
        return self._box[1].value


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
