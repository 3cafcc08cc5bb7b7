"""The results of an experiment on disk: rows of scored documents, or one file of facts.

Rows are one compressed file of JSON lines per variant. During a run they are appended to
``NAME.pending.jsonl``, which survives a kill except for a torn last line. When the variant is done
they are joined to ``NAME.jsonl.gz``, whose bytes depend on nothing but the rows. Readers see the
rows of both files.
"""

from __future__ import annotations

import gzip
import io
import json
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from docbats.atomic_write import write_bytes_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

Row = dict[str, Any]
"""The scores of one document under one variant, by name; or an error."""

VariantRows = dict[str, dict[str, Row]]
"""The rows of each variant that was run, by the names of their documents."""

_COMPRESSION_LEVEL = 9


def rows_path(folder: Path, variant: str) -> Path:
    """Return the path of the compressed rows of a variant."""
    return folder / f"{_slug(variant)}.jsonl.gz"


def pending_path(folder: Path, variant: str) -> Path:
    """Return the path of the rows of a variant that are not compressed yet."""
    return folder / f"{_slug(variant)}.pending.jsonl"


def read_rows(folder: Path, variant: str) -> dict[str, Row]:
    """Return the rows of a variant by document, in the order of writing."""
    return {row.pop("document"): row for row in map(json.loads, _read_lines(folder, variant))}


def delete_rows(folder: Path, variants: Iterable[str] | None = None) -> None:
    """Delete the rows of some variants in a folder; None deletes all rows."""
    if variants is None:
        paths = _row_paths(folder)
    else:
        paths = [path(folder, v) for v in variants for path in (rows_path, pending_path)]
    for path in paths:
        path.unlink(missing_ok=True)


def has_rows(folder: Path) -> bool:
    """Whether a folder holds the rows of any variant."""
    return bool(_row_paths(folder))


@contextmanager
def append_rows(folder: Path, variant: str) -> Iterator[Callable[[str, Row], None]]:
    """Yield a function that appends the row of a document, and compress all rows at the end.

    After an exception the appended rows stay, for the next run to continue from.
    """
    pending = pending_path(folder, variant)
    if pending.exists():
        _cut_off_torn_line(pending)
    with pending.open("a", encoding="utf-8") as file:

        def append(document: str, row: Row) -> None:
            file.write(json.dumps({"document": document, **row}) + "\n")
            file.flush()

        yield append
    _compress(folder, variant)


def _row_paths(folder: Path) -> list[Path]:
    return [path for pattern in ("*.jsonl.gz", "*.pending.jsonl") for path in folder.glob(pattern)]


def _slug(variant: str) -> str:
    return re.sub(r"[^a-z0-9.=]+", "-", variant.lower()).strip("-")


def _read_lines(folder: Path, variant: str) -> list[str]:
    """Return all complete lines, the compressed ones first."""
    finished, pending = rows_path(folder, variant), pending_path(folder, variant)
    text = gzip.decompress(finished.read_bytes()) if finished.exists() else b""
    if pending.exists():
        text += _whole_lines(pending)
    return text.decode("utf-8").splitlines()


def _whole_lines(path: Path) -> bytes:
    data = path.read_bytes()
    return data[: data.rfind(b"\n") + 1]


def _cut_off_torn_line(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(len(_whole_lines(path)))


def _compress(folder: Path, variant: str) -> None:
    """Put all rows into the compressed file, which is replaced in one step."""
    finished, pending = rows_path(folder, variant), pending_path(folder, variant)
    if _whole_lines(pending):
        # A run killed before `unlink` below leaves the same rows in both files: keep them once.
        lines = dict.fromkeys(_read_lines(folder, variant))
        data = _gzipped("".join(f"{line}\n" for line in lines).encode("utf-8"))
        write_bytes_atomically(finished, data)
    pending.unlink()


def _gzipped(data: bytes) -> bytes:
    """Compress without a name or time, so that equal rows are equal files.

    The header that ``gzip.compress`` writes differs between versions of Python.
    """
    buffer = io.BytesIO()
    with gzip.GzipFile("", "wb", _COMPRESSION_LEVEL, buffer, mtime=0) as file:
        file.write(data)
    return buffer.getvalue()


def read_variants(folder: Path, variants: Iterable[str]) -> VariantRows:
    """Read the rows of one dataset, leaving out variants that were not run."""
    found = {name: read_rows(folder, name) for name in variants}
    return {name: rows for name, rows in found.items() if rows}


def read_datasets(
    folder: Path, datasets: Iterable[str], variants: Iterable[str]
) -> dict[str, VariantRows]:
    """Read the rows of each dataset, leaving out datasets that were not run."""
    variants = tuple(variants)
    found = {dataset: read_variants(folder / dataset, variants) for dataset in datasets}
    return {dataset: rows for dataset, rows in found.items() if rows}


def write_facts(folder: Path, facts: Mapping[str, Any]) -> None:
    """Write the results of an experiment that does not score documents one by one."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(facts, indent=1, ensure_ascii=False)
    (folder / "facts.json").write_text(text + "\n", encoding="utf-8")


def read_facts(folder: Path) -> dict[str, Any]:
    """Read what `write_facts` wrote."""
    facts: dict[str, Any] = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    return facts
