"""A dataset as a small record: what it is, where to obtain it, how to read and check it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Literal, Protocol

from docbats.errors import ReadError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from docbats_lab.segmented_document import SegmentedDocument


class Layout(Protocol):
    """How the documents of a dataset lie in its folder."""

    def files(self, folder: Path) -> Iterator[Path]:
        """Find the files of the dataset, in any order; none if it is not there."""

    def count(self, folder: Path) -> int:
        """Count the documents without reading them all."""

    def read(self, folder: Path) -> Iterator[SegmentedDocument]:
        """Read one document after the other, in an order that does not change."""


@dataclass(frozen=True)
class Status:
    """Whether and how completely a dataset was found.

    Attributes
    ----------
    name
        Of the dataset.
    present
        Whether it is there at all.
    documents
        How many documents there are.
    checksum
        Whether the files are, to the byte, those that our results were computed on; ``"unknown"``
        if we have never had the dataset.
    problem
        What is wrong and what to do about it; empty if nothing is.
    """

    name: str
    present: bool
    documents: int
    checksum: Literal["right", "differs", "unknown"]
    problem: str = ""


@dataclass(frozen=True)
class Dataset:
    """One of the laboratory's datasets.

    Attributes
    ----------
    name
        By which it is requested.
    description
        What it is, and how it differs from the paper's where it does.
    citation
        The paper that it comes from.
    licence
        On what terms its text may be used.
    source
        Where to obtain it, and what was done to it.
    layout
        How its documents lie in its folder.
    documents
        How many there should be.
    checksum
        Of its files, as by :func:`checksum_of`; ``None`` if it is not known.
    folder
        Its folder under the root of the data; ``None`` if that has the dataset's name.
    groups
        For each part that is also scored by itself, a pattern (as of the shell) of its documents'
        names.
    """

    name: str
    description: str
    citation: str
    licence: str
    source: str
    layout: Layout
    documents: int
    checksum: str | None
    folder: str | None = None
    groups: Mapping[str, str] = field(default_factory=dict)

    def is_present(self, root: Path) -> bool:
        """Whether any of its files are under `root`."""
        return any(True for _ in self.layout.files(self._place(root)))

    def load(self, root: Path) -> Iterator[SegmentedDocument]:
        """Read its documents one by one; their names and their order are always the same."""
        if not self.is_present(root):
            raise ReadError(self._absent(root))
        return self.layout.read(self._place(root))

    def groups_of(self, document: str) -> tuple[str, ...]:
        """Return the groups that a document belongs to, given its name."""
        return tuple(
            group for group, pattern in self.groups.items() if fnmatchcase(document, pattern)
        )

    def check(self, root: Path) -> Status:
        """Count its documents and compare its files with those that we know."""
        folder = self._place(root)
        if not self.is_present(root):
            return Status(self.name, False, 0, "unknown", self._absent(root))
        try:
            documents = self.layout.count(folder)
        except ReadError as error:
            return Status(self.name, True, 0, "differs", str(error))
        problem = ""
        if documents != self.documents:
            problem = f"{folder} holds {documents} documents of {self.documents}. {self._obtain()}"
        if self.checksum is None:
            return Status(self.name, True, documents, "unknown", problem)
        if checksum_of(folder, self.layout.files(folder)) == self.checksum:
            return Status(self.name, True, documents, "right", problem)
        differs = f"files in {folder} differ from those of our results. {self._obtain()}"
        return Status(self.name, True, documents, "differs", problem or differs)

    def _place(self, root: Path) -> Path:
        return root / (self.folder or self.name)

    def _absent(self, root: Path) -> str:
        return f"the dataset {self.name} is not in {self._place(root)}. {self._obtain()}"

    def _obtain(self) -> str:
        return (
            f"Obtain it from {self.source}. Licence: {self.licence}. Then name the folder that "
            f"holds {self.folder or self.name}/ with --data or DOCBATS_DATA."
        )


def checksum_of(folder: Path, files: Iterable[Path]) -> str:
    """Return one SHA-256 for the names and contents of many files.

    It is that of the list which ``sha256sum`` prints for the files, by their paths in the folder
    and sorted by them as bytes.
    """
    names = {path.relative_to(folder).as_posix(): path for path in files}
    total = hashlib.sha256()
    for name, path in sorted(names.items(), key=lambda item: item[0].encode()):
        total.update(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {name}\n".encode())
    return total.hexdigest()
