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
    "xlsx": b"PK\x03\x04rubbish",
}

every_reader = pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.kind)
needs_pandoc = pytest.mark.integrations("pypandoc", "docbats[pandoc]")
every_reader_that_runs = pytest.mark.parametrize(
    "reader",
    [pytest.param(r, id=r.kind, marks=needs_pandoc if r.name else ()) for r in READERS],
)


def test_kinds_endings_and_media_types_are_unique() -> None:
    assert len(set(KINDS)) == len(KINDS)
    suffixes = [suffix for reader in READERS for suffix in reader.suffixes]
    assert len(set(suffixes)) == len(suffixes)
    media_types = [media_type for reader in READERS for media_type in reader.media_types]
    assert len(set(media_types)) == len(media_types)


@every_reader
def test_every_reader_describes_its_kind(reader: Reader) -> None:
    assert reader.suffixes or reader.sniff is not None
    assert all(s.startswith(".") and s == s.lower() for s in reader.suffixes)
    assert bool(reader.media_types) == bool(reader.suffixes)
    assert not reader.is_binary or reader.sniff is not None


@every_reader_that_runs
def test_every_reader_reads_its_sample(reader: Reader) -> None:
    read = read_file(SAMPLES[reader.kind], kind=reader.kind)
    assert read.kind == reader.kind
    assert "Bats hunt moths by night." in read.text
    assert (read.encoding is None) == reader.is_binary
    document = read.document()
    assert document.text == read.text
    assert "Tea needs hot water." in document.sentences


@every_reader_that_runs
def test_samples_are_recognized_by_content_or_by_name(reader: Reader) -> None:
    sample = SAMPLES[reader.kind]
    if reader.sniff is not None or reader.resembles is not None:
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


# The recipe in CONTRIBUTING.md, carried out on price lists: "12 Bats hunt moths.".
READ_PRICES = """
from docbats.readers.content import FileContent, FileText


def read_prices(content: FileContent) -> FileText:
    return FileText("\\n".join(line.partition(" ")[2] for line in content.text.split("\\n")[1:]))
"""
ROW = """
    Reader("prices", (".prices",), ("text/x-prices",), "prices:read_prices",
           lambda content: content.opening.startswith("PRICES")),
)
# fmt: on
"""
SAMPLE = """        return {
            "prices": "\\n".join(["PRICES", *(f"12 {text}" for text in BATS + TEA)]).encode(),
"""
MEDIA_TYPE = "\n| `text/x-prices` | price lists |\n| `text/markdown` |"
DOCS = "\n| price lists | `prices` | `.prices` | their offsets | our own parser |\n| Markdown | "


@pytest.fixture(scope="module")
def another(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the project with a reader more."""
    copy = tmp_path_factory.mktemp("project")
    shutil.copytree(ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "src" / "docbats" / "readers" / "prices.py").write_text(READ_PRICES)
    _change("src/docbats/readers/kinds.py", "\n)\n# fmt: on\n", ROW, copy)
    _change("tests/sample_files.py", "        return {\n", SAMPLE, copy)
    _change("docs/files.md", "\n| Markdown | ", DOCS, copy)
    _change("docs/serve.md", "\n| `text/markdown` |", MEDIA_TYPE, copy)
    _change("tests/readers/test_all_readers.py", "", "", copy)
    _change("tests/serve/test_docs_page.py", "", "", copy)
    return copy


def _change(path: str, old: str, new: str, copy: Path) -> None:
    text = (ROOT / path).read_text(encoding="utf-8")
    (copy / path).parent.mkdir(parents=True, exist_ok=True)
    (copy / path).write_text(text.replace(old, new, 1), encoding="utf-8")


def _run(args: list[str], copy: Path) -> str:
    done = subprocess.run(
        [sys.executable, *args],
        capture_output=True,
        text=True,
        cwd=copy,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(copy / "src"), str(copy)])},
        check=False,
    )
    assert (done.stderr, done.returncode) == ("", 0), done.stdout
    return done.stdout


def test_one_more_reader_passes_these_tests(another: Path) -> None:
    options = ["-q", "--noconftest", "-p", "no:cacheprovider", "-k", "[prices] or content_type"]
    assert "7 passed" in _run(["-m", "pytest", *options, "tests"], another)


def test_one_more_reader_is_known_to_the_command(another: Path) -> None:
    (another / "a.txt").write_text("\n12 Bats hunt moths.\n3 Tea needs water.")
    shown = _run(["-m", "docbats", "--type", "prices", "-k", "1", "a.txt"], another)
    assert "Bats hunt moths." in shown
    shown = _run(["-m", "docbats", "--help"], another)
    assert f"{KINDS[-1]}, prices." in " ".join(shown.split())
    assert max(map(len, shown.splitlines())) <= 80


def test_document_knows_the_kinds(tmp_path: Path) -> None:
    for reader in READERS:
        if reader.name is not None:  # read by pandoc
            continue
        path = tmp_path / f"sample{next(iter(reader.suffixes), '')}"
        path.write_bytes(SAMPLES[reader.kind])
        assert "Tea needs hot water." in Document.read(path).sentences
