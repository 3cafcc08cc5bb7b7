from __future__ import annotations

import csv
import gzip
import io
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats.corpus.documents import DocumentReader
from docbats.corpus.source_files import InputFiles
from docbats.corpus.storage import (
    BrokenFileError,
    DecompressedFile,
    iter_lines,
    zstd_module,
)
from docbats.errors import ReadError, SettingsError

if TYPE_CHECKING:
    from docbats.corpus.documents import InputDocument

READER = DocumentReader()


def read(
    path: str | Path, reader: DocumentReader = READER, layout: str | None = None
) -> list[InputDocument]:
    return list(reader.read(InputFiles.from_names(path, layout).sources()))


def brief(documents: list[InputDocument]) -> list[tuple[str, Any]]:
    """Return ids with contents or the kinds of failures."""
    return [(r.id, r.failure.kind if r.failure else r.content) for r in documents]


def write_packed(path: Path, data: bytes) -> Path:
    pack = {".gz": gzip.compress, ".zst": lambda data: zstd_module().compress(data)}
    path.write_bytes(pack.get(path.suffix, bytes)(data))
    return path


def test_a_folder_is_read_in_the_order_of_its_names(tmp_path: Path) -> None:
    for name in ("b.txt", "a/z.md", "a/c.txt", ".hidden", "a.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"Text of {name}.")
    (tmp_path / "c.jsonl").write_text('{"text": "One."}\n')
    names = ["a/c.txt", "a/z.md", "a.txt", "b.txt", "c.jsonl:1"]
    assert [document.id for document in read(tmp_path)] == names
    assert read(tmp_path)[0].content == b"Text of a/c.txt."


def test_patterns_lists_and_several_inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("one/b.txt", "one/a.txt", "two/a.txt", "two/c.md"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(name)
    assert brief(read("*/a.txt")) == [("one/a.txt", b"one/a.txt"), ("two/a.txt", b"two/a.txt")]
    Path("list.txt").write_text("two/c.md\n\none/b.txt\nnowhere.txt\n")
    assert brief(read("list.txt")) == [
        ("two/c.md", b"two/c.md"), ("one/b.txt", b"one/b.txt"), ("nowhere.txt", "unreadable"),
    ]  # fmt: skip
    both = InputFiles.from_names(["one", "two"], None)
    assert [s.name for s in both.sources()] == ["one/a.txt", "one/b.txt", "two/a.txt", "two/c.md"]


def test_a_text_that_is_no_list_is_not_taken_for_one(tmp_path: Path) -> None:
    long = "this is a document. " * 50  # longer than a name may be
    (tmp_path / "report.txt").write_text(f"Dear all,\nhttps://example.org\n{long}\n")
    with pytest.raises(ReadError, match="read as a list"):
        read(tmp_path / "report.txt")
    assert len(read(tmp_path / "report.txt", layout="text")) == 1


@pytest.mark.parametrize("name", ["nowhere", "nothing/*.txt"])
def test_an_input_that_is_not_there(tmp_path: Path, name: str) -> None:
    with pytest.raises(ReadError, match=r"no such file|matches no file"):
        read(tmp_path / name)


@pytest.mark.parametrize("names", [[], ["-", "x"]])
def test_inputs_that_make_no_sense(names: list[str]) -> None:
    with pytest.raises(SettingsError):
        InputFiles.from_names(names, None)


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_json_lines(tmp_path: Path, suffix: str) -> None:
    data = (
        b'\xef\xbb\xbf{"id": "a", "text": "One."}\n\n'
        b'{"id": 7, "text": ["Two.", "Three."]}\n'
        b'{"text": "\xe2\x82\xac"}\n'
        b'[1]\n{"id": "n", "text": null}\n{"id": "m"}\nnot json\n{"text": "\xff"}\n'
        b'{"id": "last", "text": "Four."}'
    )
    path = write_packed(tmp_path / f"in.jsonl{suffix}", data)
    name = str(path)
    assert brief(read(path)) == [
        ("a", "One."), ("7", ("Two.", "Three.")), (f"{name}:4", "€"),
        (f"{name}:5", "bad-record"), ("n", "bad-record"), ("m", "bad-record"),
        (f"{name}:8", "bad-record"), (f"{name}:9", "bad-bytes"), ("last", "Four."),
    ]  # fmt: skip


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_a_truncated_file_gives_what_it_has_and_says_so(tmp_path: Path, suffix: str) -> None:
    # Texts that do not shrink, so that a cut off file holds most of its lines.
    texts = [bytes([i]).hex() + "".join(f"{i * k * k % 9973} " for k in range(400))
             for i in range(200)]  # fmt: skip
    data = b"".join(json.dumps({"text": text}).encode() + b"\n" for text in texts)
    path = write_packed(tmp_path / f"in.jsonl{suffix}", data)
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 3 // 4])
    *documents, last = read(path)
    assert len(documents) > 100
    assert [document.content for document in documents] == texts[: len(documents)]
    assert last.failure is not None
    assert last.failure.kind == "unreadable"
    assert str(path) in last.failure.message


def test_a_damaged_packed_file(tmp_path: Path) -> None:
    for name in ("in.jsonl.gz", "in.jsonl.zst", "in.parquet"):
        (tmp_path / name).write_bytes(b"these are not the bytes that you are looking for")
    assert [kind for _, kind in brief(read(tmp_path))] == ["unreadable"] * 3


@given(st.lists(st.binary(max_size=9).filter(lambda line: b"\n" not in line)), st.integers(1, 9))
def test_lines_are_those_of_the_file_but_for_the_long_ones(
    lines: list[bytes], longest: int
) -> None:
    data = b"".join(line + b"\n" for line in lines)
    wanted = [line if len(line) <= longest else None for line in lines]
    assert list(iter_lines(io.BytesIO(data), longest)) == wanted
    assert list(iter_lines(_Dribble(data), longest)) == wanted


class _Dribble(io.BytesIO):
    """Gives a byte at a time."""

    def read1(self, size: int | None = -1, /) -> bytes:  # noqa: ARG002
        return self.read(1)


def test_documents_that_are_too_large(tmp_path: Path) -> None:
    """Of a file the bytes count here, and the characters where it is analyzed."""
    reader = replace(READER, max_characters=100)
    (tmp_path / "b.txt").write_text("x" * 400)
    (tmp_path / "c.txt").write_text("x" * 401)
    write_packed(tmp_path / "d.txt.gz", b"x" * 1000)
    long = json.dumps({"text": "x" * 200_000})
    (tmp_path / "e.jsonl").write_text(f'{long}\n{{"text": "{"x" * 101}"}}\n{{"text": "x"}}\n')
    kinds = [kind for _, kind in brief(read(tmp_path, reader))]
    assert kinds == [b"x" * 400, *["too-large"] * 4, "x"]


def test_packed_files_are_unpacked(tmp_path: Path) -> None:
    write_packed(tmp_path / "c.txt.gz", "Grüße.".encode())
    write_packed(tmp_path / "d.md.zst", b"# Bats")
    assert [document.content for document in read(tmp_path)] == ["Grüße.".encode(), b"# Bats"]


@pytest.mark.parametrize("name", ["in.csv", "in.tsv", "in.csv.gz"])
def test_csv(tmp_path: Path, name: str) -> None:
    file = io.StringIO()
    rows = csv.writer(file, dialect="excel-tab" if "tsv" in name else "excel")
    rows.writerows([["key", "body", "more"], ["a", 'Two\nlines, "quoted".', ""], ["", "B.", ""]])
    bad = b"c\t\xff\tx\r\n" if "tsv" in name else b"c,\xff,x\r\n"
    data = file.getvalue().encode() + b"\r\n" + bad
    path = write_packed(tmp_path / name, data)
    reader = DocumentReader("body")
    assert brief(read(path, reader)) == [
        (f"{path}:1", 'Two\nlines, "quoted".'), (f"{path}:2", "B."), (f"{path}:4", "bad-bytes"),
    ]  # fmt: skip
    with_ids = DocumentReader("body", "key")
    assert brief(read(path, with_ids))[:2] == [
        ("a", 'Two\nlines, "quoted".'), (f"{path}:2", "bad-record"),
    ]  # fmt: skip


def test_a_csv_file_whose_quote_never_ends_does_not_fill_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text('text\nGood.\n"' + "a line without an end\n" * 20_000)
    good, bad = read(path, replace(READER, max_characters=1000))
    assert good.content == "Good."
    assert bad.failure is not None
    assert bad.failure.kind in {"unreadable", "too-large"}


def test_parquet(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({
        "id": [1, 2, None],
        "text": ["One.", None, "Three."],
        "lines": [["One.", "Two."], [], None],
        "raw": [b"One.", b"\xff", b"Three."],
    })  # fmt: skip
    path = tmp_path / "in.parquet"
    pq.write_table(table, path, row_group_size=2)
    assert brief(read(path)) == [("1", "One."), ("2", "bad-record"), (f"{path}:3", "Three.")]
    assert [r.content for r in read(path, DocumentReader("lines"))] == [
        ("One.", "Two."),
        (),
        None,
    ]
    assert brief(read(path, DocumentReader("raw")))[1] == ("2", "bad-bytes")


@pytest.mark.parametrize("columns", [("body", None), ("text", "key")])
@pytest.mark.parametrize("name", ["in.csv", "in.parquet"])
def test_a_table_without_the_column_is_refused_before_anything_is_done(
    tmp_path: Path, columns: tuple[str, str | None], name: str
) -> None:
    path = tmp_path / name
    if name == "in.csv":
        path.write_text("text,title\nOne.,A\n")
    else:
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.table({"text": ["One."], "title": ["A"]}), path)
    source = next(InputFiles.from_names(path, None).sources())
    with pytest.raises(SettingsError, match=r"text, title.*-column"):
        DocumentReader(*columns).check([source])


def test_how_far_the_input_is_read_only_grows_and_ends_at_its_size(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "One."}\n' * 9000)
    (tmp_path / "b.txt").write_text("Two.")
    write_packed(tmp_path / "c.jsonl.gz", b'{"text": "Three."}\n' * 9)
    found = [document.bytes_read for document in read(tmp_path)]
    assert found == sorted(found)
    assert found[-1] == sum(path.stat().st_size for path in tmp_path.iterdir())


def test_a_file_that_is_gone(tmp_path: Path) -> None:
    with pytest.raises(BrokenFileError, match="No such file"):
        DecompressedFile(str(tmp_path / "gone"))


def write_table(path: Path, **columns: Any) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path.parent.mkdir(exist_ok=True)
    pq.write_table(pa.table(columns), path, compression="zstd")
    return path


def test_tables_that_are_empty_or_lack_the_column_are_rows_among_others(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("")
    (tmp_path / "b.csv").write_text("title\nA\n")
    write_table(tmp_path / "c.parquet", title=["A"])
    (tmp_path / "d.csv").write_text("text\nOne.\n")
    write_table(tmp_path / "e.parquet", text=["Two."])
    (tmp_path / "f.parquet").write_bytes(b"")
    write_table(tmp_path / "g.parquet", text=[])
    sources = list(InputFiles.from_names(tmp_path, None).sources())
    READER.check(sources)
    found = read(tmp_path)
    assert brief(found) == [
        ("a.csv", "unreadable"),
        ("b.csv", "bad-record"),
        ("c.parquet", "bad-record"),
        ("d.csv:1", "One."),
        ("e.parquet:1", "Two."),
        ("f.parquet", "unreadable"),
    ]
    assert found[1].failure is not None
    assert "there is no column 'text': name one of title" in found[1].failure.message
    with pytest.raises(SettingsError, match=r"b\.csv: there is no column 'text'"):
        READER.check(sources[1:3])


def test_ids_that_python_has_no_type_for(tmp_path: Path) -> None:
    import pyarrow as pa

    def ids(array: Any) -> list[str]:
        path = write_table(tmp_path / "in.parquet", id=array, text=["One.", "Two."])
        return [document.id for document in read(path)]

    numbers = [1_700_000_000_123_456_789, None]
    place = f"{tmp_path / 'in.parquet'}:2"
    for unit in ("ns", "us"):
        for zone in (None, "UTC", "Mars/Base"):
            assert len(ids(pa.array([1, None], pa.timestamp(unit, zone)))) == 2
    assert ids(pa.array(numbers, pa.timestamp("ns")))[0] == "2023-11-14 22:13:20.123456789"
    assert ids(pa.array(numbers, pa.timestamp("ns", "Mars/Base")))[1] == place
    assert ids(pa.array([5, None], pa.duration("ns"))) == ["5 ns", place]
    assert ids(pa.array([2**50, 1], pa.timestamp("ms")))[1]
    assert ids(pa.array([5, None], pa.time64("ns"))) == ["00:00:00.000000005", place]
    assert ids(pa.array([{"a": 5}, None], pa.struct({"a": pa.duration("ns")})))
    write_table(tmp_path / "in.parquet", text=pa.array(numbers, pa.timestamp("ns")))
    first, second = read(tmp_path / "in.parquet")
    assert first.failure is not None
    assert first.failure.message.endswith("'text' is timestamp[ns], not text")
    assert second.failure is not None
    assert second.failure.message.endswith("'text' is nothing, not text")


HOSTILE_TABLES: dict[str, Any] = {
    "one text often": lambda: {"text": ["a " * 10_000_000] * 64},
    "one sentence often": lambda: {"text": [["a " * 1_000_000] * 500]},
    "long ids": lambda: {"id": ["a " * 10_000_000] * 64, "text": ["Bats."] * 64},
}


@pytest.mark.parametrize("name", HOSTILE_TABLES)
def test_small_tables_do_not_fill_the_memory(tmp_path: Path, name: str) -> None:
    """They were read 64 rows at a time, and a limit was looked at afterwards."""
    path = write_table(tmp_path / "in.parquet", **HOSTILE_TABLES[name]())
    assert path.stat().st_size < 10_000
    code = (
        "import os, resource, sys\n"
        "os.environ['ARROW_DEFAULT_MEMORY_POOL'] = 'system'\n"  # others reserve gigabytes
        "import pyarrow.parquet\n"
        "from docbats.corpus.documents import DocumentReader\n"
        "from docbats.corpus.source_files import InputFiles\n"
        "taken = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (taken + 400_000_000,) * 2)\n"
        "sources = InputFiles.from_names(sys.argv[1], None).sources()\n"
        "print(*(d.failure.kind for d in DocumentReader().read(sources)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert set(done.stdout.split()) <= {"unreadable", "too-large"}
