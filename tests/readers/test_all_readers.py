"""What every reader must do, and what a new one gets without further changes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.sample_files import Files

from docbats import Document, ReadError
from docbats.readers.content import FileContent
from docbats.readers.kinds import KINDS, READERS, detect_reader
from docbats.readers.read_file import read_file
from docbats.serve.responses import FILES

if TYPE_CHECKING:
    from docbats.readers.kinds import Reader

ROOT = Path(__file__).parents[2]
SAMPLES = Files().samples()
RUBBISH = {
    "pdf": b"%PDF-1.4\nrubbish",
    "docx": b"PK\x03\x04rubbish",
    "epub": b"PK\x03\x04rubbish",
    "odt": b"PK\x03\x04rubbish",
    "pptx": b"PK\x03\x04rubbish",
}

every_reader = pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.kind)


def test_kinds_endings_and_media_types_are_unique() -> None:
    assert len(set(KINDS)) == len(KINDS)
    suffixes = [suffix for reader in READERS for suffix in reader.suffixes]
    assert len(set(suffixes)) == len(suffixes)
    media_types = [media_type for reader in READERS for media_type in reader.media_types]
    assert len(set(media_types)) == len(media_types)


@every_reader
def test_every_reader_describes_its_kind(reader: Reader) -> None:
    assert reader.suffixes
    assert all(s.startswith(".") and s == s.lower() for s in reader.suffixes)
    assert reader.media_types
    assert not reader.is_binary or reader.sniff is not None


@every_reader
def test_every_reader_reads_its_sample(reader: Reader) -> None:
    read = read_file(SAMPLES[reader.kind], kind=reader.kind)
    assert read.kind == reader.kind
    assert "Bats hunt moths by night." in read.text
    assert (read.encoding is None) == reader.is_binary
    document = read.document()
    assert document.text == read.text
    assert "Tea needs hot water." in document.sentences


@every_reader
def test_samples_are_recognized_by_content_or_by_name(reader: Reader) -> None:
    sample = SAMPLES[reader.kind]
    if reader.sniff is not None:
        assert detect_reader(FileContent(sample, "no ending")) is reader
    for suffix in reader.suffixes:
        assert read_file(sample, name=f"sample{suffix.upper()}").kind == reader.kind


@pytest.mark.parametrize("reader", [r for r in READERS if r.sniff], ids=lambda r: r.kind)
def test_no_reader_recognizes_another_kind(reader: Reader) -> None:
    assert reader.sniff is not None
    for kind, sample in SAMPLES.items():
        assert reader.sniff(FileContent(sample, "sample", "latin-1")) == (kind == reader.kind)


@every_reader
def test_every_reader_refuses_rubbish(reader: Reader) -> None:
    rubbish = RUBBISH.get(reader.kind, b"rub\0bish \xff\xfe\xfd")
    with pytest.raises(ReadError, match=r"^the file: .*: "):
        read_file(rubbish, kind=reader.kind)


@every_reader
def test_service_and_docs_list_every_kind(reader: Reader) -> None:
    assert all(
        media_type == "text/plain" or FILES[media_type] == reader.kind
        for media_type in reader.media_types
    )
    table = (ROOT / "docs" / "files.md").read_text(encoding="utf-8").split("\n\n")[2]
    (row,) = (line for line in table.splitlines() if f"| `{reader.kind}` |" in line)
    assert all(f"`{suffix}`" in row for suffix in reader.suffixes)


# The recipe in CONTRIBUTING.md, carried out: a module, and a row of the table in `kinds.py`.
PRICES_MODULE = '''
"""Price lists, in which each line has a price: "12 Bats hunt moths."."""

from docbats.readers.content import FileContent, FileText


def read_prices(content: FileContent) -> FileText:
    lines = content.text.split("\\n")[1:]
    return FileText("\\n".join(line.partition(" ")[2] for line in lines))
'''
PRICES_ROW = """
    Reader(
        "prices",
        suffixes=(".prices",),
        media_types=("text/x-prices",),
        function="docbats.readers.prices:read_prices",
        sniff=lambda content: content.opening.startswith("PRICES"),
    ),
)

KINDS = """
PRICES_USE = """
import sys

import docbats
from docbats.cli import main
from docbats.serve.responses import FILES

notes = "12 Bats hunt moths.\\n3 Tea needs water."
assert docbats.Document.read(f"PRICES\\n{notes}".encode()).text.startswith("Bats hunt moths.")
assert docbats.Document.read(f"\\n{notes}".encode(), name="a.prices").text.startswith("Bats")
assert FILES["text/x-prices"] == "prices"
try:
    docbats.Document.read(b"", kind="word")
except docbats.InputError as error:
    assert str(error).endswith("mail, prices")
main(sys.argv[1:], standalone_mode=False)
"""


@pytest.mark.parametrize("args", [["--help"], ["--type", "prices", "-k", "1", "a.txt"]])
def test_one_more_reader_is_known_everywhere(args: list[str], tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    readers = tmp_path / "src" / "docbats" / "readers"
    (readers / "prices.py").write_text(PRICES_MODULE)
    table = (readers / "kinds.py").read_text(encoding="utf-8")
    assert table.count("\n)\n\nKINDS = ") == 1
    (readers / "kinds.py").write_text(
        table.replace("\n)\n\nKINDS = ", PRICES_ROW), encoding="utf-8"
    )
    (tmp_path / "a.txt").write_text("\n12 Bats hunt moths.\n3 Tea needs water.")
    done = subprocess.run(
        [sys.executable, "-c", PRICES_USE, *args],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path / "src")},
        check=False,
    )
    assert (done.stderr, done.returncode) == ("", 0)
    assert ("prices" if args == ["--help"] else "Bats hunt moths.") in done.stdout


def test_document_knows_the_kinds(tmp_path: Path) -> None:
    for reader in READERS:
        path = tmp_path / f"sample{reader.suffixes[0]}"
        path.write_bytes(SAMPLES[reader.kind])
        assert "Tea needs hot water." in Document.read(path).sentences
