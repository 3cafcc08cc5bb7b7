"""JSON lines: one line a document, also compressed."""

from __future__ import annotations

import gzip
import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

from docbats.corpus.errors import Failure
from docbats.corpus.files import write_whole
from docbats.corpus.formats.format import part_name, part_numbers
from docbats.corpus.packed import BrokenFileError, OpenFile, lines_of, zstd_module
from docbats.corpus.rows import Brief
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
        """See whether the compression is installed."""
        if self.name.endswith(".zst"):
            zstd_module()

    def encode(self, row: dict[str, Any]) -> bytes:
        """Write a line."""
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

        write_whole(folder / part_name(part, self.name), write)

    def finished(self, folder: Path) -> set[int]:
        """Look which files are there."""
        return part_numbers(folder, self.name)

    def read(self, folder: Path, part: int) -> list[Brief]:
        """Read the lines of a part."""
        path = folder / part_name(part, self.name)
        try:
            with OpenFile(str(path)) as file:
                found = [_brief(json.loads(line or b"")) for line in lines_of(file, sys.maxsize)]
        except (KeyError, TypeError, BrokenFileError) as error:
            raise ValueError(str(error)) from None
        return sorted(found, key=lambda brief: brief.place)


def _brief(row: dict[str, Any]) -> Brief:
    document = row["document"] or {"characters": 0, "sentences": 0}
    return Brief(
        id=row["id"],
        place=row["place"],
        checksum=row["sha256"],
        failure=None if row["error"] is None else Failure(**row["error"]),
        characters=document["characters"],
        sentences=document["sentences"],
        k=row["k"] or 0,
        words=tuple(tuple(word["word"] for word in topic["words"]) for topic in row["topics"]),
    )
