"""Datasets of which each document is a ``.ref`` file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from docbats.errors import ReadError
from docbats_lab.segmented_document import SegmentedDocument, read_segmented

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass(frozen=True)
class RefFiles:
    """Every ``.ref`` file of the folder and of those inside it is a document.

    A document is named by its path without the suffix, such as ``1/3-11/0``.

    Attributes
    ----------
    language
        The code of the language that they are written in.
    """

    language: str = "en"

    def files(self, folder: Path) -> Iterator[Path]:
        """Find the ``.ref`` files."""
        return folder.rglob("*.ref")

    def count(self, folder: Path) -> int:
        """Count the files."""
        return sum(1 for _ in self.files(folder))

    def read(self, folder: Path) -> Iterator[SegmentedDocument]:
        """Read file after file, sorted by folder and name."""
        for path in sorted(self.files(folder), key=lambda path: path.relative_to(folder).parts):
            name = path.relative_to(folder).with_suffix("").as_posix()
            try:
                yield replace(read_segmented(path), name=name, language=self.language)
            except UnicodeDecodeError as error:
                msg = f"{path} is not in UTF-8 ({error}): copy it again from its source"
                raise ReadError(msg) from error
