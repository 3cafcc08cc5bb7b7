from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

import pytest

from docbats import ReadError
from docbats.readers.decoding import STDIN, read_text

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "Zwölf Fledermäuse.\nTea, 茶 and 🦇."


class _Stdin:
    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


def _file(folder: Path, data: bytes) -> str:
    path = folder / "document.txt"
    path.write_bytes(data)
    return str(path)


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-32"],
)
def test_unicode_is_read_without_naming_its_encoding(tmp_path: Path, encoding: str) -> None:
    assert read_text(_file(tmp_path, TEXT.encode(encoding))) == TEXT


@pytest.mark.parametrize("width", ["16", "32"])
@pytest.mark.parametrize("order", ["le", "be"])
def test_byte_order_mark_decides_the_byte_order(tmp_path: Path, width: str, order: str) -> None:
    data = f"\ufeff{TEXT}".encode(f"utf-{width}-{order}")
    assert read_text(_file(tmp_path, data)) == TEXT


@pytest.mark.parametrize(
    ("encoding", "text"),
    [("latin-1", "Fledermäuse"), ("cp1252", "a “bat”"), ("utf-16-le", TEXT), ("shift_jis", "茶")],
)
def test_named_encoding_is_used(tmp_path: Path, encoding: str, text: str) -> None:
    assert read_text(_file(tmp_path, text.encode(encoding)), encoding) == text


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r", "\u2028", "\x0c"])
def test_line_ends_are_kept(tmp_path: Path, line_end: str) -> None:
    text = f"Bats.{line_end}Moths.{line_end}"
    assert read_text(_file(tmp_path, text.encode())) == text


def test_empty_file_is_an_empty_text(tmp_path: Path) -> None:
    assert read_text(_file(tmp_path, b"")) == ""


def test_naming_an_encoding_lets_zero_bytes_through(tmp_path: Path) -> None:
    assert read_text(_file(tmp_path, b"bats\0moths"), "utf-8") == "bats\0moths"


@pytest.mark.parametrize(
    ("data", "encoding", "message"),
    [
        (b"\x7fELF\x02\x01\x01\0\0\0\0", None, "binary file.*convert it to text"),
        ("Bats".encode("utf-16-le"), None, "binary file.*name its encoding"),
        (b"caf\xe9 bats", None, "not UTF-8 text at byte 3: name its encoding"),
        (b"\xff\xfeB\0a", None, "not utf-16 text at byte 4: name its encoding"),
        (b"caf\xe9", "ascii", "not ascii text at byte 3: name its encoding"),
        (b"bats", "undefined", "not undefined text: name its encoding"),
        (b"bats", "klingon", "no encoding 'klingon': try utf-8"),
        (b"bats", "rot13", "no encoding 'rot13': try utf-8"),
        (b"bats", "a\0b", "no encoding .*: try utf-8"),
    ],
)
def test_what_is_no_text_is_refused(
    tmp_path: Path, data: bytes, encoding: str | None, message: str
) -> None:
    with pytest.raises(ReadError, match=message):
        read_text(_file(tmp_path, data), encoding)


def test_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"absent\.txt: no such file"):
        read_text(str(tmp_path / "absent.txt"))


def test_folder_is_refused_with_what_to_name_instead(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=rf"a folder, not a file.*{tmp_path.name}/\*\.txt"):
        read_text(f"{tmp_path}/")


@pytest.mark.parametrize("path", ["a\0b.txt", "x" * 5000, "document.txt/inside"])
def test_impossible_name_is_refused(
    tmp_path: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _file(tmp_path, b"bats")
    with pytest.raises(ReadError, match="cannot be read: "):
        read_text(path)


def test_dash_reads_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", _Stdin(TEXT.encode("utf-16")))
    assert read_text(STDIN) == TEXT


def test_errors_call_standard_input_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", _Stdin(b"\xff"))
    with pytest.raises(ReadError, match=r"^standard input: not UTF-8"):
        read_text(STDIN)


def test_closed_standard_input_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(ReadError, match="standard input: closed: name a file"):
        read_text(STDIN)


@pytest.mark.parametrize(
    ("magic", "advice"),
    [(b"%PDF-1.7\n", "pdftotext"), (b"PK\x03\x04", "Office"), (b"\x1f\x8b", "gunzip")],
)
def test_files_of_other_kinds_are_named(tmp_path: Path, magic: bytes, advice: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(magic + b"rest")
    with pytest.raises(ReadError, match=advice):
        read_text(str(path))
