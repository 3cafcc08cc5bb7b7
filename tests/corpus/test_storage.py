"""Input and output in other storages; memory:// stands for all of them."""

from __future__ import annotations

import gzip
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from docbats.cli import main
from docbats.corpus import CorpusError, CorpusOptions, ResumeError, run, stream
from docbats.corpus.formats import FORMATS
from docbats.corpus.source_files import InputFiles
from docbats.corpus.storage import to_path
from docbats.errors import MissingExtraError, ReadError, SettingsError

from .conftest import text_of, tree

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

IN, OUT = "memory://docs/in", "memory://docs/out"
SMALL = CorpusOptions(part_size=5)


@pytest.fixture(autouse=True)
def storage() -> Iterator[Any]:
    """An empty storage."""
    import fsspec

    memory = fsspec.filesystem("memory")
    memory.rm("/", recursive=True)
    yield memory
    memory.rm("/", recursive=True)


def fill(storage: Any, folder: Path) -> None:
    """Put a few files there and here."""
    lines = b"".join(
        json.dumps({"id": f"d{number}", "text": text_of(number)}).encode() + b"\n"
        for number in range(17)
    )
    for name, data in {
        "b.txt": text_of(20).encode(),
        "a/notes.md": b"# Bats\n\n" + text_of(21).encode(),
        "a/.hidden": b"Nothing.",
        "lines.jsonl.gz": gzip.compress(lines, mtime=0),
        "a.csv": b"id,text\r\nx,One bat. Two bats.\r\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
        storage.pipe_file(f"/docs/in/{name}", data)


def stored(storage: Any, folder: str = "/docs/out") -> dict[str, bytes]:
    """Return the content of every file there."""
    found = storage.find(folder)
    return {name.removeprefix(f"{folder}/"): storage.cat_file(name) for name in found}


@pytest.mark.parametrize("format_", FORMATS)
def test_the_bytes_are_those_of_a_run_on_this_machine(
    tmp_path: Path, storage: Any, faults: Any, format_: str
) -> None:
    """Also what run.json says; and a part that is gone is made anew."""
    fill(storage, tmp_path / "in")
    options = CorpusOptions(part_size=5, format=format_)
    run(tmp_path / "in", tmp_path / "out", options, engine=faults.HereEngine)
    summary = run(IN, OUT, options, engine=faults.HereEngine)
    assert (summary.documents, summary.failed) == (20, 0)
    whole = tree(tmp_path / "out")
    assert stored(storage) == whole
    gone = next(name for name in whole if "part-000002" in name)
    storage.rm(f"/docs/out/{gone}")
    assert run(IN, OUT, options, engine=faults.HereEngine, resume=True).resumed == 15
    assert stored(storage) == whole


def test_storages_that_move_files_do_so(
    tmp_path: Path, storage: Any, faults: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docbats.corpus.storage._OBJECT_STORES", set())
    fill(storage, tmp_path / "in")
    run(tmp_path / "in", tmp_path / "out", SMALL, engine=faults.HereEngine)
    storage.pipe_file("/docs/out/.part-000000.jsonl.unfinished", b"left behind")
    storage.pipe_file("/docs/out/letter.txt", b"Dear me")
    with pytest.raises(ResumeError, match="not those of a run"):
        run(IN, OUT, SMALL, engine=faults.HereEngine)
    storage.rm("/docs/out/letter.txt")
    run(IN, OUT, SMALL, engine=faults.HereEngine)
    assert stored(storage) == tree(tmp_path / "out")


def test_what_the_folder_holds_counts_there_too(tmp_path: Path, storage: Any, faults: Any) -> None:
    fill(storage, tmp_path / "in")
    run(IN, OUT, SMALL, engine=faults.HereEngine)
    with pytest.raises(ResumeError, match="--resume"):
        run(IN, OUT, SMALL, engine=faults.HereEngine)
    with pytest.raises(ResumeError, match="part_size was 5"):
        run(IN, OUT, CorpusOptions(part_size=6), engine=faults.HereEngine, resume=True)
    with pytest.raises(SettingsError, match="inside"):
        run("memory://docs", OUT, SMALL, engine=faults.HereEngine)


def test_a_report_of_a_run_there(tmp_path: Path, storage: Any, faults: Any) -> None:
    fill(storage, tmp_path / "in")
    run(IN, OUT, CorpusOptions(reports=True), engine=faults.HereEngine)
    done = CliRunner().invoke(main, ["corpus", "report", OUT])
    assert done.exit_code == 0, done.output
    page = storage.cat_file("/docs/out/report.html").decode()
    assert 'href="reports/000000/000000000.html"' in page


def test_patterns_lists_and_single_files(tmp_path: Path, storage: Any) -> None:
    fill(storage, tmp_path / "in")
    found = InputFiles.from_names(f"{IN}/**/*.md", None).sources()
    assert [source.name for source in found] == ["memory:///docs/in/a/notes.md"]
    storage.pipe_file("/docs/list.txt", f"{IN}/b.txt\n{tmp_path}/in/b.txt\n".encode())
    listed = list(InputFiles.from_names("memory://docs/list.txt", None).sources())
    assert [source.name for source in listed] == [f"{IN}/b.txt", f"{tmp_path}/in/b.txt"]
    assert listed[0].size == listed[1].size > 0
    rows = [json.loads(answer.row) for answer in stream(f"{IN}/lines.jsonl.gz", jobs=1)]
    assert [row["id"] for row in rows] == [f"d{number}" for number in range(17)]


def test_a_url_of_this_machine_is_a_path(tmp_path: Path, lines: Path, faults: Any) -> None:
    run(f"file://{lines}", f"file://{tmp_path}/out", SMALL, engine=faults.HereEngine)
    run(lines, tmp_path / "same", SMALL, engine=faults.HereEngine)
    assert tree(tmp_path / "out").keys() == tree(tmp_path / "same").keys()


def test_tables_there(storage: Any, faults: Any) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with storage.open("/docs/in.parquet", "wb") as file:
        pq.write_table(pa.table({"id": ["a"], "text": [text_of(1)]}), file)
    assert run("memory://docs/in.parquet", OUT, engine=faults.HereEngine).failed == 0
    storage.pipe_file("/docs/broken.parquet", b"These are not the bytes of a table.")
    summary = run("memory://docs/broken.parquet", f"{OUT}2", engine=faults.HereEngine)
    assert summary.failures == {"unreadable": 1}


def test_a_storage_that_fails_ends_the_run_and_does_not_end_the_file(
    tmp_path: Path, storage: Any, faults: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fsspec.implementations.memory import MemoryFile

    fill(storage, tmp_path / "in")
    run(tmp_path / "in", tmp_path / "out", SMALL, engine=faults.HereEngine)
    with monkeypatch.context() as patch:
        patch.setattr(MemoryFile, "read", _fail)
        with pytest.raises(CorpusError, match=r"RuntimeError: the line is dead.*--resume"):
            run(IN, OUT, SMALL, engine=faults.HereEngine)
    with monkeypatch.context() as patch:
        patch.setattr(type(storage), "pipe_file", _fail)
        with pytest.raises(CorpusError, match="the line is dead"):
            run(IN, OUT, SMALL, engine=faults.HereEngine, resume=True)
    run(IN, OUT, SMALL, engine=faults.HereEngine, resume=True)
    assert stored(storage) == tree(tmp_path / "out")


def _fail(*_: object, **__: object) -> None:
    msg = "the line is dead"
    raise RuntimeError(msg)


def test_places_that_nobody_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError, match="not a storage"):
        to_path("klingon://ship")
    with pytest.raises(ReadError, match="no such file"):
        run("memory://nowhere", OUT)
    with pytest.raises(ReadError, match="matches no file"):
        run("memory://nowhere/*.txt", OUT)
    monkeypatch.setitem(sys.modules, "upath", None)
    with pytest.raises(MissingExtraError, match=r"docbats\[cloud\]"):
        to_path("memory://docs")
