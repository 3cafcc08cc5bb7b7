"""What INPUT means: which files there are, in an order that does not change, and of which kind."""

from __future__ import annotations

import glob
import hashlib
import io
import os
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Literal, get_args

from docbats.errors import ReadError, SettingsError
from docbats.readers.plain import STDIN, read_text, shown_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Inputs", "Layout", "Source", "layout_of"]

Layout = Literal["text", "list", "jsonl", "csv", "parquet"]
"""What a file holds: one document, the names of files, or a document a line or row."""

_LAYOUTS: dict[str, Layout] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_LISTS = {".txt", ".lst", ".list"}
_PACKED = {".gz", ".zst"}
_LOOKED_AT = 20  # lines of a list, one of which at least has to name a file


@dataclass(frozen=True, slots=True)
class Source:
    """A file of the input: where it is, what to call it, what it holds, and its bytes."""

    path: str
    name: str
    layout: Layout
    size: int


@dataclass(frozen=True)
class Inputs:
    """Folders, patterns and files as they were named, and how to read them.

    `layout` is what the files hold, where their names do not tell.
    """

    names: tuple[str, ...]
    layout: Layout | None = None

    @classmethod
    def from_names(
        cls, names: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], layout: str | None
    ) -> Inputs:
        """Check what was given."""
        several = [names] if isinstance(names, str | os.PathLike) else names
        given = tuple(os.fspath(name) for name in several)
        if not given:
            msg = "there is no input: name a folder, a pattern or a file"
            raise SettingsError(msg)
        if layout is not None and layout not in get_args(Layout):
            msg = (
                f"input_format={layout!r} makes no sense: give one of {', '.join(get_args(Layout))}"
            )
            raise SettingsError(msg)
        if STDIN in given and (len(given) > 1 or layout in {"text", "parquet"}):
            msg = "standard input (-) stands alone, and holds JSON lines, CSV or a list of files"
            raise SettingsError(msg)
        return cls(given, layout)  # type: ignore[arg-type]

    @property
    def is_stream(self) -> bool:
        """Whether it is standard input, which can be read only once."""
        return self.names == (STDIN,)

    def sources(self) -> Iterator[Source]:
        """Find the files, one by one; ReadError where a name leads to none."""
        for name in self.names:
            if name == STDIN:
                yield from self._from_stdin()
            elif Path(name).is_dir():
                yield from self._from_folder(name, "" if len(self.names) == 1 else f"{name}/")
            elif Path(name).exists():
                yield from self._from_file(name)
            else:
                yield from self._from_pattern(name)

    def fingerprint(self) -> dict[str, Any]:
        """Tell this input from a changed one by the names and sizes of its files."""
        if self.is_stream:
            return {"files": None, "bytes": None, "sha256": None}
        total = hashlib.sha256()
        files = size = 0
        for source in self.sources():
            total.update(f"{source.name}\0{source.size}\n".encode("utf-8", "surrogateescape"))
            files += 1
            size += source.size
        return {"files": files, "bytes": size, "sha256": total.hexdigest()}

    def _from_stdin(self) -> Iterator[Source]:
        if self.layout == "list":
            yield from self._listed(STDIN)
        else:
            yield Source(STDIN, "stdin", self.layout or "jsonl", 0)

    def _from_folder(self, folder: str, prefix: str) -> Iterator[Source]:
        for entry in _sorted_entries(folder):
            if entry.is_dir(follow_symlinks=False):
                yield from self._from_folder(entry.path, f"{prefix}{entry.name}/")
            elif entry.is_file():
                layout = self.layout or layout_of(entry.name)
                yield Source(entry.path, f"{prefix}{entry.name}", layout, entry.stat().st_size)

    def _from_file(self, name: str) -> Iterator[Source]:
        alone = self.layout is None and PurePath(name).suffix.lower() in _LISTS
        if self.layout == "list" or alone:
            yield from self._listed(name)
        else:
            yield _source(name, self.layout)

    def _from_pattern(self, pattern: str) -> Iterator[Source]:
        # Names stay as they were given, which pathlib would change.
        names = glob.iglob(pattern, recursive=True)  # noqa: PTH207
        found = sorted(filter(os.path.isfile, names))
        if not found:
            is_pattern = glob.has_magic(pattern)
            msg = f"{pattern}: {'it matches no file' if is_pattern else 'no such file or folder'}"
            raise ReadError(msg)
        for path in found:
            yield _source(path, self.layout)

    def _listed(self, name: str) -> Iterator[Source]:
        """Find the files that a list names; those that are not there fail when they are read."""
        paths = [line.strip() for line in io.StringIO(read_text(name)) if line.strip()]
        if not any(Path(path).is_file() for path in paths[:_LOOKED_AT]):
            msg = (
                f"{shown_name(name)}: taken for a list of files, one a line, but its first lines "
                "name none: if it is a document, say docbats FILE, or --input-format text"
            )
            raise ReadError(msg)
        for path in paths:
            yield _source(path, None)


def layout_of(name: str) -> Layout:
    """Tell from its name what a file holds.

    >>> layout_of("wiki-03.jsonl.gz"), layout_of("notes.txt")
    ('jsonl', 'text')
    """
    path = PurePath(name.lower())
    if path.suffix in _PACKED:
        path = path.with_suffix("")
    return _LAYOUTS.get(path.suffix, "text")


def _source(path: str, layout: Layout | None) -> Source:
    try:
        size = Path(path).stat().st_size
    except (OSError, ValueError):
        size = 0
    return Source(path, path, layout or layout_of(path), size)


def _sorted_entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            visible = [entry for entry in entries if not entry.name.startswith(".")]
    except OSError as error:
        msg = f"{folder}: cannot be read: {error.strerror or error}"
        raise ReadError(msg) from None
    return sorted(visible, key=lambda entry: entry.name)
