"""Thousands of files to a table of chunks in Parquet, queried by DuckDB.

pip install "docbats[corpus,duckdb]"
python examples/rag/parquet_duckdb.py [NUMBER OF FILES]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb

FILES = 5000
SUBJECTS = ("bats", "ferries", "gardens", "bees", "harbours")
PAGE = """# {subject} {number}

Notes on {subject}, number {number}. They were written by hand.

## Counts

| place | {subject} |
|-------|-----------|
| north | {number} |
| south | {twice} |
"""


def write_files(folder: Path, count: int) -> None:
    """Write short files, and one that cannot be read."""
    for number in range(count - 1):
        subject = SUBJECTS[number % len(SUBJECTS)]
        text = PAGE.format(subject=subject, number=number, twice=2 * number)
        (folder / f"{number:05}.md").write_text(text, encoding="utf-8")
    (folder / "broken.docx").write_bytes(b"PK\x03\x04 not a document")


def main(count: int = FILES) -> None:
    """Cut the files on all processors, and ask what is in the table."""
    with tempfile.TemporaryDirectory() as name:
        folder, out = Path(name) / "files", Path(name) / "out"
        folder.mkdir()
        write_files(folder, count)
        command = [sys.executable, "-m", "docbats", "corpus", str(folder), "-o", str(out)]
        command += ["--chunks", "--chunk-size", "300", "--context", "headings"]
        command += ["--format", "parquet", "--quiet"]
        subprocess.run(command, check=False)  # it ends with an error, since a file is broken
        chunks = f"'{out}/chunks/*.parquet'"
        failed = duckdb.sql(
            f"SELECT id, error FROM '{out}/documents/*.parquet' WHERE error IS NOT NULL"
        ).fetchall()
        print(*(f"{id_}: {error}" for id_, error in failed), sep="\n")
        assert [id_ for id_, _ in failed] == ["broken.docx"]
        rows = duckdb.sql(
            f"SELECT heading_path[1].split(' ')[1] AS subject, count(DISTINCT id) AS files, "
            f"count(*) AS chunks, max(size) AS largest FROM {chunks} GROUP BY 1 ORDER BY 1"
        )
        rows.show()
        assert sum(files for _, files, _, _ in rows.fetchall()) == count - 1
        assert all(largest <= 300 for *_, largest in rows.fetchall())
        ids = duckdb.sql(f"SELECT count(*), count(DISTINCT chunk_id) FROM {chunks}").fetchall()[0]
        print(f"{ids[0]} chunks, {ids[1]} ids")
        assert ids[0] == ids[1]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
