"""Workbooks of Excel, made here by hand and by openpyxl."""

from __future__ import annotations

import datetime as dt
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import hostile_files as hostile
from tests.sample_files import Files

import docbats
from docbats import ReadError
from docbats.readers.read_file import read_file

by_openpyxl = pytest.mark.integrations("openpyxl", "openpyxl")


def _blocks(data: bytes) -> list[tuple[str, str]]:
    read = read_file(data)
    return [(block.kind, read.text[block.start : block.end]) for block in read.blocks]


def _book() -> Any:
    from openpyxl import Workbook

    book = Workbook()
    book.active.title = "Sales"
    return book


def _saved(book: Any) -> bytes:
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def test_a_sheet_is_a_heading_and_a_table(files: Any) -> None:
    found = _blocks(files.xlsx([["Bat", "Food"], ["Pip", "moths"]]))
    assert found == [("heading", "Notes"), ("table", "Bat\tFood\nPip\tmoths")]


@by_openpyxl
def test_values_are_as_they_are_shown() -> None:
    book = _book()
    sheet = book.active
    sheet.append(["what", "value"])
    values = {
        "whole": 10, "decimal": 2.5, "sum": 0.1 + 0.2, "large": 123456789012, "truth": True,
        "date": dt.date(2026, 3, 1), "moment": dt.datetime(2026, 1, 1, 12, 30),
        "time": dt.time(18, 5), "lines": "one\ntwo", "tab": "a\tb",
    }  # fmt: skip
    for name, value in values.items():
        sheet.append([name, value])
    sheet.append(["share", 0.125])
    sheet.cell(sheet.max_row, 2).number_format = "0.0%"
    sheet.append(["own date", dt.date(2026, 3, 1)])
    sheet.cell(sheet.max_row, 2).number_format = 'dd"."mm"."yyyy'
    sheet.append(["grams", 3])
    sheet.cell(sheet.max_row, 2).number_format = '0 "days"'
    (_, _), (_, table) = _blocks(_saved(book))
    assert dict(line.split("\t") for line in table.splitlines()) == {
        "what": "value", "whole": "10", "decimal": "2.5", "sum": "0.3", "large": "123456789012",
        "truth": "TRUE", "date": "2026-03-01", "moment": "2026-01-01 12:30", "time": "18:05",
        "lines": "one two", "tab": "a b", "share": "12.5%", "own date": "2026-03-01", "grams": "3",
    }  # fmt: skip


@by_openpyxl
def test_merged_cells_have_their_value_in_every_row() -> None:
    book = _book()
    sheet = book.active
    for row in (
        ["Report of 2026", None, None, None], ["Region", "Quarter", None, "Total"],
        [None, "Q1", "Q2", None], ["North", 1, 2, 3], [None, 4, 5, 9],
    ):  # fmt: skip
        sheet.append(row)
    for cells in ("A1:D1", "B2:C2", "A2:A3", "D2:D3", "A4:A5"):
        sheet.merge_cells(cells)
    assert _blocks(_saved(book)) == [
        ("heading", "Sales"),
        ("paragraph", "Report of 2026"),
        ("table", "Region\tQuarter Q1\tQuarter Q2\tTotal\nNorth\t1\t2\t3\nNorth\t4\t5\t9"),
    ]


@by_openpyxl
def test_each_sheet_is_a_section_and_hidden_ones_are_named() -> None:
    book = _book()
    book.active.append(["Bat", "Food"])
    book.active.append(["Pip", "moths"])
    book.create_sheet("Blank")
    other = book.create_sheet("Staff")
    other["C5"], other["D5"], other["C6"], other["D6"] = "name", "age", "Ann", 30
    other["F9"], other["G9"], other["F10"], other["G10"] = "cup", "tea", "big", "green"
    secret = book.create_sheet("Secret")
    secret.append(["a", "b"])
    secret.sheet_state = "hidden"
    data = _saved(book)
    assert _blocks(data) == [
        ("heading", "Sales"),
        ("table", "Bat\tFood\nPip\tmoths"),
        ("heading", "Staff"),
        ("table", "name\tage\nAnn\t30"),
        ("table", "cup\ttea\nbig\tgreen"),
    ]
    assert read_file(data).notes == ("The file is read without the hidden sheet Secret.",)


@by_openpyxl
def test_chunks_of_a_sheet_repeat_its_header() -> None:
    book = _book()
    book.active.append(["name", "food"])
    for i in range(200):
        book.active.append([f"bat {i}", "moths"])
    chunks = docbats.chunk(_saved(book), 300, context="headings")
    assert len(chunks) > 5
    assert all("name\tfood\nbat " in chunk.content for chunk in chunks)
    assert all(chunk.heading_path == ("Sales",) for chunk in chunks)


def test_words_on_their_pronunciation_are_not_read() -> None:
    files = Files()
    rich = "<r><t>Bats</t></r><r><t> fly</t></r><rPh><t>batto</t></rPh>"
    data = files.xlsx([["place", "moths"]])
    assert "place" in read_file(data).text
    shared = _with_shared(f"<sst><si>{rich}</si><si><t>moths</t></si></sst>", "01")
    assert read_file(shared).text == "S\n\nBats fly\tmoths"
    with pytest.raises(ReadError, match="a workbook without text"):
        read_file(_with_shared("<sst/>", "99"))


def _with_shared(strings: str, indices: str, rows: str = "") -> bytes:
    """Write a workbook whose cells share strings."""
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    cells = "".join(f'<c t="s"><v>{index}</v></c>' for index in indices)
    link = '<Relationship Id="{}" Type="x/{}" Target="{}"/>'
    return Files().zip({
        "xl/workbook.xml": f'<w xmlns:r="{office}"><sheet name="S" r:id="a"/></w>',
        "xl/_rels/workbook.xml.rels": "<x>" + link.format("a", "worksheet", "s.xml")
        + link.format("b", "sharedStrings", "t.xml") + "</x>",
        "xl/s.xml": f"<s>{rows or f'<row>{cells}</row>'}</s>",
        "xl/t.xml": strings,
    })  # fmt: skip


@given(
    st.lists(st.sampled_from([
        '<row r="1">', '<row r="99999999999">', "<row>", '<c r="ZZZ9"><v>1</v></c>',
        '<c r="A1" t="b"><v>1</v></c>', '<c s="77"><v>4e400</v></c>', '<c><v>x</v></c>',
        '<c t="s"><v>-1</v></c>', '<mergeCell ref="A1:XFD1048576"/>', '<mergeCell ref="B:C"/>',
        '<c r="B2"><v>nan</v></c>', '<c r="A3" t="inlineStr"><is><t>tea</t></is></c>',
    ]), max_size=12)
)  # fmt: skip
def test_odd_sheets_are_read_or_refused(parts: list[str]) -> None:
    rows = "".join(f"{part}</row>" if part.startswith("<row") else part for part in parts)
    try:
        read = read_file(_with_shared("<sst/>", "", rows or "<row/>"))
    except ReadError:
        return
    assert read.document().text == read.text


@pytest.mark.parametrize("name", hostile.workbooks())
def test_small_workbooks_that_show_much_are_refused(name: str) -> None:
    data = hostile.workbooks()[name]()
    assert len(data) < 100_000
    with pytest.raises(
        ReadError, match=r"shows more than [0-9,]+ characters.*DOCBATS_MAX_UNPACKED"
    ):
        read_file(data)
