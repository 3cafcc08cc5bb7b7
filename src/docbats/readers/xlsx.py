"""XLSX, the workbooks of Excel and others: a heading and a table for each sheet.

Dates, percentages and truth values are read as they are shown, a merged cell has its value in every
row, and hidden sheets are left out. pandoc, which reads XLSX as well, gives a date as a number of
days and 10 as 10.0, leaves merged cells blank, and shows hidden sheets.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from docbats.readers.delimited import table_line
from docbats.readers.packages import local_name, main_part, parse_xml, relations
from docbats.readers.text_builder import TextBuilder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docbats.readers.content import FileContent, FileText
    from docbats.readers.packages import Archive

    Row = dict[int, str]  # cells by their columns, from 1

_MAX_HEADER_ROWS = 5  # if larger, a cell that is merged over many rows makes them a header
_MAX_FILLED = 1_000_000  # cells of merged ranges; above, the rest stays blank
_MAX_FORMAT = 255  # characters of the code of a format; Excel allows no more
_DATE_FORMATS = {*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)}  # built in
_PERCENT_FORMATS = {9: 0, 10: 2}  # built in, with their numbers of decimals
_NOT_DATES = re.compile(r'"[^"]*"|\\.|\[(?!h|m|s)[^\]]*\]|_.|\*.', re.IGNORECASE)
_REFERENCE = re.compile(r"\$?([A-Za-z]{1,3})\$?(\d{1,7})")
_DAYS_BEFORE_1904 = 1462
_MAX_DAYS = 2_958_466  # the end of the year 9999


def find_workbook(archive: Archive) -> str | None:
    """Return the name of the part that lists the sheets; None if this is not a workbook."""
    return main_part(archive, "spreadsheetml", "xl/workbook.xml")


def read_xlsx(content: FileContent) -> FileText:
    """Read the sheets in their order, each with its name as a heading."""
    archive = content.archive
    part = find_workbook(archive) or "xl/workbook.xml"
    linked = relations(archive, part)
    book = _Workbook()
    parse_xml(archive.read(part), book.start)
    by_type = {link.type: link.part for link in linked.values() if link.part in archive.names}
    strings, styles = _Strings(), _Styles()
    if "sharedStrings" in by_type:
        parse_xml(archive.read(by_type["sharedStrings"]), strings.start, strings.end, strings.text)
    if "styles" in by_type:
        parse_xml(archive.read(by_type["styles"]), styles.start, styles.end)
    built = TextBuilder()
    hidden = []
    n_shown = 0
    for name, link_id, is_hidden in book.sheets:
        link = linked.get(link_id)
        if link is None or link.type != "worksheet" or link.part not in archive.names:
            continue  # a chart, or a sheet that is missing
        if is_hidden:
            hidden.append(name)
            continue
        sheet = _Sheet(strings.found, styles, _DAYS_BEFORE_1904 if book.is_1904 else 0)
        parse_xml(archive.read(link.part), sheet.start, sheet.end, sheet.text)
        n_shown += _add_sheet(built, name, sheet, archive, n_shown)
    read = built.file_text("a workbook without text in its cells")
    which = "s" if len(hidden) > 1 else ""
    remarks = (f"read without the hidden sheet{which} {', '.join(hidden)}",) if hidden else ()
    # The words in the cells are all there is to analyze.
    return replace(read, prose=None, remarks=remarks)


def _add_sheet(
    built: TextBuilder, name: str, sheet: _Sheet, archive: Archive, n_before: int
) -> int:
    """Add the name of a sheet and its tables, which rows without cells keep apart.

    Returns the number of characters; a `ReadError` if there are far more than the file should show,
    since any number of cells may share one string.
    """
    if not sheet.rows:
        return 0
    built.add(name, "heading", 1)
    sheet.fill_merged()
    n_shown = 0
    for found in _tables(sheet.rows):
        columns = sorted({column for _, row in found for column in row})
        n_shown += sum(len(cell) for _, row in found for cell in row.values())
        n_shown += len(found) * len(columns)
        archive.check_shown(n_before + n_shown)
        titles, rows = _split_titles(found, columns)
        for title in titles:
            built.add(title)
        if len(columns) == 1:
            for _, row in rows:
                built.add(" ".join(row[columns[0]].split()))
        elif rows:
            n_header = sheet.header_length(rows[0][0], columns)
            header, rest = rows[:n_header], rows[n_header:]
            lines = [_joined_header([row for _, row in header], columns)]
            lines += [table_line(row.get(column, "") for column in columns) for _, row in rest]
            built.add("\n".join(line for line in lines if line), "table")
    return n_shown


def _tables(rows: dict[int, Row]) -> Iterator[list[tuple[int, Row]]]:
    """Yield the rows of each table: after a blank row, other columns begin another one."""
    table: list[tuple[int, Row]] = []
    width = (0, 0)
    for number in sorted(rows):
        if not table or number > table[-1][0] + 1:
            later = _width(rows, number)
            if table and later != width:
                yield table
                table = []
            width = width if table else later
        table.append((number, rows[number]))
    if table:
        yield table


def _width(rows: dict[int, Row], first: int) -> tuple[int, int]:
    """Return the first and the last column of the rows from `first` to the next blank one."""
    number, low, high = first, min(rows[first]), max(rows[first])
    while number in rows:
        low, high = min(low, *rows[number]), max(high, *rows[number])
        number += 1
    return low, high


def _split_titles(
    rows: list[tuple[int, Row]], columns: list[int]
) -> tuple[list[str], list[tuple[int, Row]]]:
    """Split off the rows above a table that have the same words in all cells, or only one cell."""
    titles: list[str] = []
    for _, row in rows[:-1] if len(columns) > 1 else ():
        if len(set(row.values())) != 1:
            break
        titles.append(next(iter(row.values())))
    return titles, rows[len(titles) :]


def _joined_header(rows: list[Row], columns: list[int]) -> str:
    """Return one line for a header of several rows: above each column all that is over it."""
    return table_line(
        " ".join(dict.fromkeys(row[column] for row in rows if column in row)) for column in columns
    )


@dataclass
class _Workbook:
    """The names of the sheets with their links, and whether they are hidden."""

    sheets: list[tuple[str, str, bool]] = field(default_factory=list)
    is_1904: bool = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        match local_name(name):
            case "sheet":
                link = next((v for k, v in attributes.items() if k.endswith(" id")), "")
                is_hidden = attributes.get("state", "visible") != "visible"
                self.sheets.append((attributes.get("name", ""), link, is_hidden))
            case "workbookPr":
                self.is_1904 = attributes.get("date1904") in {"1", "true"}


class _Words:
    """Collects the text of an element, without how it is to be pronounced."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._in_text = False
        self._phonetic = 0

    def start(self, name: str) -> None:
        self._phonetic += name == "rPh"
        self._in_text = name == "t" and not self._phonetic

    def end(self, name: str) -> None:
        self._phonetic -= name == "rPh"
        self._in_text = False

    def text(self, text: str) -> None:
        if self._in_text:
            self._pieces.append(text)

    def take(self) -> str:
        text, self._pieces = "".join(self._pieces), []
        return text


class _Strings:
    """The strings that cells share."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._words = _Words()

    def start(self, name: str, _: dict[str, str]) -> None:
        self._words.start(local_name(name))

    def end(self, name: str) -> None:
        self._words.end(local_name(name))
        if local_name(name) == "si":
            self.found.append(self._words.take().strip())

    def text(self, text: str) -> None:
        self._words.text(text)


class _Styles:
    """Which styles of cells are dates, and which are percentages with how many decimals."""

    def __init__(self) -> None:
        self.formats: list[int] = []  # of each style
        self._codes: dict[int, str] = {}
        self._in_cells = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        number = attributes.get("numFmtId", "0")
        value = int(number) if number.isdecimal() and len(number) < 9 else 0
        match local_name(name):
            case "numFmt":
                self._codes[value] = attributes.get("formatCode", "")[:_MAX_FORMAT]
            case "cellXfs":
                self._in_cells = True
            case "xf" if self._in_cells:
                self.formats.append(value)

    def end(self, name: str) -> None:
        self._in_cells &= local_name(name) != "cellXfs"

    def _code(self, style: int) -> tuple[int, str]:
        number = self.formats[style] if 0 <= style < len(self.formats) else 0
        return number, _NOT_DATES.sub("", self._codes.get(number, "").partition(";")[0])

    def is_date(self, style: int) -> bool:
        """Whether numbers of this style are shown as dates or times."""
        number, code = self._code(style)
        return number in _DATE_FORMATS or re.search(r"[ymdhs]", code, re.IGNORECASE) is not None

    def percent_decimals(self, style: int) -> int | None:
        """Return how many decimals percentages of this style have; None for other numbers."""
        number, code = self._code(style)
        if "%" not in code:
            return _PERCENT_FORMATS.get(number)
        return len(re.sub(r"[^0#?]", "", code.partition(".")[2]))


@dataclass
class _Cell:
    column: int
    style: int = 0
    type: str = "n"
    value: list[str] = field(default_factory=list)


class _Sheet:
    """The cells of a sheet that are not blank, and its merged ranges."""

    def __init__(self, strings: list[str], styles: _Styles, shift: int) -> None:
        self.rows: dict[int, Row] = {}
        self._merged: list[tuple[int, int, int, int]] = []  # first row and column, last ones
        self._merged_from: dict[int, list[tuple[int, int, int, int]]] | None = None  # by first row
        self._strings, self._styles, self._shift = strings, styles, shift
        self._row = 0
        self._cell = _Cell(0)
        self._words = _Words()
        self._in_value = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        tag = local_name(name)
        self._words.start(tag)
        match tag:
            case "row":
                number = attributes.get("r", "")
                is_number = number.isdecimal() and len(number) < 8
                self._row = int(number) if is_number else self._row + 1
                self._cell = _Cell(0)
            case "c":
                self._start_cell(attributes)
            case "v":
                self._in_value = True
            case "mergeCell":
                first, _, last = attributes.get("ref", "").partition(":")
                ends = (*_place(first), *_place(last or first))
                if len(ends) == 4:
                    self._merged.append(ends)

    def _start_cell(self, attributes: dict[str, str]) -> None:
        place = _place(attributes.get("r", ""))
        row, column = place or (self._row, self._cell.column + 1)
        self._row = row
        style = attributes.get("s", "0")
        number = int(style) if style.isdecimal() and len(style) < 9 else 0
        self._cell = _Cell(column, number, attributes.get("t", "n"))
        self._words.take()

    def end(self, name: str) -> None:
        tag = local_name(name)
        self._words.end(tag)
        if tag == "v":
            self._in_value = False
        elif tag == "c":
            shown = self._shown("".join(self._cell.value)) or self._words.take()
            if shown.strip():
                self.rows.setdefault(self._row, {})[self._cell.column] = shown.strip()

    def text(self, text: str) -> None:
        if self._in_value:
            self._cell.value.append(text)
        else:
            self._words.text(text)

    def _shown(self, value: str) -> str:
        """Return a value as people see it."""
        cell = self._cell
        if cell.type == "s":
            is_known = value.isdecimal() and len(value) < 10 and int(value) < len(self._strings)
            return self._strings[int(value)] if is_known else ""
        if cell.type == "b":
            return {"1": "TRUE", "0": "FALSE"}.get(value, value)
        if cell.type != "n" or not value:
            return value  # words, an error, or a date as ISO 8601 writes it
        try:
            number = float(value)
        except ValueError:
            return value
        if self._styles.is_date(cell.style):
            return _shown_date(number + self._shift) or _shown_number(number)
        decimals = self._styles.percent_decimals(cell.style)
        return _shown_number(number) if decimals is None else f"{100 * number:.{decimals}f}%"

    def fill_merged(self) -> None:
        """Write the value of each merged range into every row of it, in its first column.

        In a header, every column has it; see `header_length`.
        """
        left = _MAX_FILLED
        used = {column for row in self.rows.values() for column in row}
        for first, low, last, high in self._merged:
            value = self.rows.get(first, {}).get(low)
            if value is None:
                continue
            above = self.rows.get(first - 1, {})
            is_header = len(set(above.values())) <= 1  # or below a title
            left -= len(above) + len(used) * is_header  # which are looked at
            columns = [low, *(c for c in used if is_header and low < c <= high)]
            for row in range(first, min(last, first + left) + 1):
                if row not in self.rows and row != first:
                    continue
                for column in columns:
                    self.rows[row].setdefault(column, value)
                left -= len(columns)
            left -= last - first if left > 0 else 0
            if left <= 0:
                return

    def header_length(self, first: int, columns: list[int]) -> int:
        """Return how many rows the header has that begins in this row, by its merged cells."""
        length = 1
        if self._merged_from is None:
            self._merged_from = {}
            for each in self._merged:
                self._merged_from.setdefault(each[0], []).append(each)
        known = set(columns)
        for row, low, last, high in self._merged_from.get(first, ()):
            if low in known:
                length = max(length, last - row + 1, 2 if high > low and last == row else 1)
        return min(length, _MAX_HEADER_ROWS)


def _place(reference: str) -> tuple[int, int] | tuple[()]:
    """Return the row and the column of a reference, from 1; nothing if it is not one.

    >>> _place("AB12")
    (12, 28)
    """
    found = _REFERENCE.fullmatch(reference)
    if found is None:
        return ()
    column = 0
    for letter in found[1].upper():
        column = 26 * column + ord(letter) - ord("A") + 1
    return int(found[2]), column


def _shown_number(number: float) -> str:
    """Return a number without digits that are not there.

    >>> _shown_number(10.0), _shown_number(0.1 + 0.2), _shown_number(123456789012.0)
    ('10', '0.3', '123456789012')
    """
    return f"{number:.0f}" if abs(number) < 1e15 and number.is_integer() else f"{number:.15g}"


def _shown_date(days: float) -> str:
    """Return a number of days since the end of 1899 as ISO 8601 writes it; a part of one as a time.

    >>> _shown_date(46082.0), _shown_date(46023.5208333333), _shown_date(0.75)
    ('2026-03-01', '2026-01-01 12:30', '18:00')
    """
    if not 0 <= days < _MAX_DAYS:
        return ""
    # Excel takes 1900 for a leap year.
    moment = datetime(1899, 12, 30 if days >= 60 else 31) + timedelta(seconds=round(days * 86400))
    time = f"{moment:%H:%M:%S}".removesuffix(":00")
    if days < 1:
        return time
    return f"{moment:%Y-%m-%d}" if time == "00:00" else f"{moment:%Y-%m-%d} {time}"
