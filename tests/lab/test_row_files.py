from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import pytest

from docbats_lab.results import (
    Row,
    append_rows,
    delete_rows,
    pending_path,
    read_rows,
    rows_path,
)

ROWS: dict[str, Row] = {f"d{i}": {"pk": i / 8, "error": None} for i in range(5)}
STORED = Path(__file__).parents[2] / "benchmarks" / "results" / "lab"


def append(folder: Path, rows: dict[str, Row], variant: str = "C99 (k)") -> None:
    with append_rows(folder, variant) as append_row:
        for name, row in rows.items():
            append_row(name, row)


def test_what_is_appended_is_read_back_in_its_order(tmp_path: Path) -> None:
    append(tmp_path, ROWS)
    assert list(read_rows(tmp_path, "C99 (k)").items()) == list(ROWS.items())
    assert read_rows(tmp_path, "never run") == {}
    assert [path.name for path in tmp_path.iterdir()] == ["c99-k.jsonl.gz"]


def test_equal_rows_are_equal_files_however_many_runs_wrote_them(tmp_path: Path) -> None:
    parts = [dict(list(ROWS.items())[:2]), dict(list(ROWS.items())[2:])]
    append(tmp_path, ROWS, "once")
    for part in parts:
        append(tmp_path, part, "twice")
    once = rows_path(tmp_path, "once").read_bytes()
    assert rows_path(tmp_path, "twice").read_bytes() == once
    assert once[:10] == b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"  # no name, no time


def test_rows_of_a_run_under_way_are_read_and_kept(tmp_path: Path) -> None:
    append(tmp_path, {"before": {"pk": 0.5}})

    def interrupt() -> None:
        with append_rows(tmp_path, "C99 (k)") as append_row:
            append_row("d0", ROWS["d0"])
            assert list(read_rows(tmp_path, "C99 (k)")) == ["before", "d0"]
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupt()
    assert list(read_rows(tmp_path, "C99 (k)")) == ["before", "d0"]
    assert pending_path(tmp_path, "C99 (k)").exists()
    append(tmp_path, {})
    assert list(read_rows(tmp_path, "C99 (k)")) == ["before", "d0"]
    assert not pending_path(tmp_path, "C99 (k)").exists()


def test_a_torn_last_line_costs_that_row_alone(tmp_path: Path) -> None:
    append(tmp_path, {"d0": ROWS["d0"]})
    torn = '{"document": "d1", "pk": 0.125}\n{"document": "d2", "p'
    pending_path(tmp_path, "C99 (k)").write_text(torn)
    assert list(read_rows(tmp_path, "C99 (k)")) == ["d0", "d1"]
    append(tmp_path, {"d2": ROWS["d2"]})
    assert list(read_rows(tmp_path, "C99 (k)")) == ["d0", "d1", "d2"]


def test_rows_left_in_both_files_are_kept_once(tmp_path: Path) -> None:
    append(tmp_path, ROWS)
    before = rows_path(tmp_path, "C99 (k)").read_bytes()
    pending_path(tmp_path, "C99 (k)").write_bytes(gzip.decompress(before))
    assert read_rows(tmp_path, "C99 (k)") == ROWS
    append(tmp_path, {})
    assert rows_path(tmp_path, "C99 (k)").read_bytes() == before


def test_a_run_without_new_rows_leaves_the_file_alone(tmp_path: Path) -> None:
    path = rows_path(tmp_path, "C99 (k)")
    path.write_bytes(gzip.compress(b'{"document": "d0"}\n', 1))
    before = path.read_bytes()
    append(tmp_path, {})
    assert path.read_bytes() == before


def test_all_rows_of_a_folder_are_deleted_and_nothing_else(tmp_path: Path) -> None:
    append(tmp_path, ROWS)
    pending_path(tmp_path, "NMF").write_text("")
    (tmp_path / "meta.json").write_text("{}")
    delete_rows(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["meta.json"]


def test_stored_rows_are_compressed_as_a_run_would(tmp_path: Path) -> None:
    stored = rows_path(STORED / "segmentation" / "lectures", "docbats (k)")
    shutil.copy(stored, tmp_path)
    rows = read_rows(tmp_path, "docbats (k)")
    assert len(rows) == 55
    append(tmp_path, rows, "written again")
    again = rows_path(tmp_path, "written again")
    assert gzip.decompress(again.read_bytes()) == gzip.decompress(stored.read_bytes())
