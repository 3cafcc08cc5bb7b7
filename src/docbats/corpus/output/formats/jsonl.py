"""JSON lines: one line a document, also compressed."""

from __future__ import annotations

import gzip
import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

from docbats.corpus.errors import Failure
from docbats.corpus.input.decompress import (
    BrokenFileError,
    DecompressedFile,
    iter_lines,
    zstd_module,
)
from docbats.corpus.output.document_rows import RowSummary
from docbats.corpus.output.formats.format import part_name, part_numbers
from docbats.corpus.output.output_files import write_file
from docbats.result import json_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["JsonLines"]


@dataclass(frozen=True)
class JsonLines:
    """``part-000000.jsonl``, and so on; the name of the format is the ending of the files."""

    name: str = "jsonl"

    def check(self) -> None:
        """Raise MissingExtraError if the compression is not installed."""
        if self.name.endswith(".zst"):
            zstd_module()

    def encode(self, row: dict[str, Any]) -> bytes:
        """Return the line of a row."""
        return (json_text(row) + "\n").encode()

    def write(self, folder: Path, part: int, rows: Sequence[bytes]) -> None:
        """Write the lines of a part."""

        def write(file: BinaryIO) -> None:
            if self.name == "jsonl":
                file.writelines(rows)
            elif self.name.endswith(".gz"):
                with gzip.GzipFile("", "wb", 6, file, mtime=0) as packed:
                    packed.writelines(rows)
            else:
                with zstd_module().ZstdFile(file, "wb") as packed:
                    packed.writelines(rows)

        write_file(folder / part_name(part, self.name), write)

    def file_names(self, part: int) -> tuple[str, ...]:
        """Return the name of the file of a part."""
        return (part_name(part, self.name),)

    def finished(self, folder: Path) -> set[int]:
        """Return the numbers of the files that are there."""
        return part_numbers(folder, self.name)

    def read(self, folder: Path, part: int) -> list[RowSummary]:
        """Read the lines of a part."""
        path = folder / part_name(part, self.name)
        try:
            with DecompressedFile(str(path)) as file:
                found = [
                    _summary_of(json.loads(line or b"")) for line in iter_lines(file, sys.maxsize)
                ]
        except (KeyError, TypeError, RecursionError, BrokenFileError) as error:
            raise ValueError(str(error)) from None
        return sorted(found, key=lambda row: row.place)


def _summary_of(row: dict[str, Any]) -> RowSummary:
    document = row["document"] or {"characters": 0, "sentences": 0}
    return RowSummary(
        id=row["id"],
        place=row["place"],
        checksum=row["sha256"],
        failure=None if row["error"] is None else Failure(**row["error"]),
        characters=document["characters"],
        sentences=document["sentences"],
        k=row["k"] or 0,
        words=tuple(tuple(word["word"] for word in topic["words"]) for topic in row["topics"]),
    )
