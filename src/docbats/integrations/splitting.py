"""What the splitters of other libraries share: how to cut, metadata, files, errors."""

from __future__ import annotations

import os
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from docbats.chunks.chunker import Chunker, chunk_with_parents
from docbats.chunks.segment_chunks import outline_chunks, segment_chunks
from docbats.document import Document
from docbats.errors import EmptyDocumentError, InputError, ReadError, SettingsError
from docbats.pipeline import BATS
from docbats.readers.kinds import SUFFIXES
from docbats.readers.read_file import read_file
from docbats.settings import resolve_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from docbats.chunks import Chunk, ChunkNode
    from docbats.document import Source
    from docbats.result import Result
    from docbats.segments.sizes import Measure

FilePaths = str | os.PathLike[str]
Found = TypeVar("Found")

_SHARED_OPTIONS = frozenset({"sentences", "language", "size_unit"})
_CHUNKER_OPTIONS = ("tokenizer", "context", "titles")


@dataclass(frozen=True)
class SizeSplitter:
    """Splits texts into chunks of a size, and into parents of up to `parent_size`."""

    chunker: Chunker
    parent_size: int | None = None

    def chunks(self, source: str | Document, *, strip: bool) -> list[Chunk]:
        """Return the chunks of a text; a blank text has none."""
        return replace(self.chunker, strip=strip)(source)

    def tree(self, source: str | Document, *, strip: bool) -> list[ChunkNode]:
        """Return the chunks of a text below their parents."""
        return chunk_with_parents(replace(self.chunker, strip=strip), source, self.parent_size)


@dataclass(frozen=True)
class TopicSplitter:
    """Splits texts into segments by topic, and into the entries of their outline."""

    bats: BATS

    def chunks(self, source: str | Document, *, strip: bool) -> list[Chunk]:
        """Return the segments of a text; a blank text has none."""
        result = run_unless_blank(self.bats, source)
        return [] if result is None else segment_chunks(result, strip=strip)

    def tree(self, source: str | Document, *, strip: bool) -> list[ChunkNode]:
        """Return the outline of a text."""
        result = run_unless_blank(self.bats, source)
        return [] if result is None else outline_chunks(result, strip=strip)


def make_splitter(
    preset: str,
    settings: Mapping[str, Any],
    *,
    k: Any = "auto",
    chunk_size: int | None = None,
    chunk_overlap: int = 0,
    length_function: Callable[[str], int] | None = None,
    parent_size: int | None = None,
) -> SizeSplitter | TopicSplitter:
    """Return a splitter for the arguments of a user.

    A `chunk_size` alone makes chunks of that size. Together with `k` or settings of the analysis,
    it limits the size of segments by topic.
    """
    topical = sorted(settings.keys() - _SHARED_OPTIONS - {*_CHUNKER_OPTIONS})
    if k != "auto":
        topical.append("k")
    if preset != "sharp":
        topical.append("preset")
    if chunk_size is not None and not topical:
        options = dict(settings)
        if length_function is not None and not {"tokenizer", "size_unit"} & options.keys():
            options["length_function"] = length_function
        return SizeSplitter(Chunker(chunk_size, chunk_overlap, **options), parent_size)
    for name in (*_CHUNKER_OPTIONS, "parent_size"):
        if name in settings or (name == "parent_size" and parent_size is not None):
            msg = f"{name} needs a chunk_size: pass chunk_size, or leave out {name}"
            if chunk_size is not None:
                msg = f"{name} cannot be combined with {', '.join(topical)}: leave out {name}"
            raise SettingsError(msg)
    sizes = with_chunk_sizes(settings, chunk_size, chunk_overlap, length_function or len)
    return TopicSplitter(make_bats(preset, sizes, k=k))


def make_bats(preset: str, settings: Mapping[str, Any] | None = None, /, **arguments: Any) -> BATS:
    """Return a BATS with the settings of a preset, changed by `settings` and by `arguments`.

    >>> make_bats("sharp", {"k": 2}, k=3)
    Traceback (most recent call last):
    ...
    docbats.errors.SettingsError: k is an argument: pass k=2 instead of settings={'k': 2}
    """
    settings = settings or {}
    for name, value in settings.items():
        if name in arguments or name == "preset":
            given = {name: value}
            msg = f"{name} is an argument: pass {name}={value!r} instead of settings={given}"
            raise SettingsError(msg)
    return BATS(resolve_settings(preset, **arguments, **settings))


def with_chunk_sizes(
    settings: Mapping[str, Any],
    chunk_size: int | None,
    chunk_overlap: int,
    length_function: Measure,
) -> dict[str, Any]:
    """Return settings with the limits that other splitters call `chunk_size` and so on.

    >>> with_chunk_sizes({"k": 9}, 500, 50, len)
    {'k': 9, 'max_size': 500, 'overlap': 50, 'size_unit': 'characters'}
    """
    if chunk_size is None and chunk_overlap == 0:
        return dict(settings)
    for name in ("max_size", "overlap", "size_unit"):
        if name in settings:
            msg = (
                f"{name} cannot be combined with chunk_size or chunk_overlap: pass either "
                "chunk_size, chunk_overlap and length_function, or max_size, overlap and size_unit"
            )
            raise SettingsError(msg)
    unit = "characters" if length_function is len else length_function
    return {**settings, "max_size": chunk_size, "overlap": chunk_overlap, "size_unit": unit}


def run_unless_blank(bats: BATS, source: Source) -> Result | None:
    """Return the result of one document; None if it is blank."""
    try:
        return bats(source)
    except EmptyDocumentError:
        return None


def call_on_text(find: Callable[[str | Document], Found], text: object, name: str) -> Found:
    """Return `find(text)` for one of many texts; errors begin with `name`.

    >>> call_on_text(BATS(), 3, "row 1")
    Traceback (most recent call last):
    ...
    docbats.errors.InputError: row 1: expected a string or a docbats.Document, got int
    """
    if not isinstance(text, str | Document):
        msg = f"{name}: expected a string or a docbats.Document, got {type(text).__name__}"
        raise InputError(msg)
    try:
        return find(text if isinstance(text, Document) else str(text))
    except InputError as error:
        msg = f"{name}: {error}"
        raise type(error)(msg) from None


def add_to_metadata(
    source: Mapping[str, Any], values: Mapping[str, Any], prefix: str = ""
) -> dict[str, Any]:
    """Return a copy of a document's metadata with further values.

    Nothing is overwritten: `prefix` goes before the names of the new values, and ``docbats_``
    before names that the document uses itself.

    >>> add_to_metadata({"title": "Mine"}, {"title": "Bats", "start": 0})
    {'title': 'Mine', 'docbats_title': 'Bats', 'start': 0}
    """
    metadata = deepcopy(dict(source))
    for name, value in values.items():
        own = prefix + name
        metadata[f"docbats_{own}" if own in source else own] = value
    return metadata


@dataclass(frozen=True)
class LoadedFile:
    """A file: its path or name, its kind, its text, and its document, None if it is blank."""

    name: str
    kind: str
    text: str
    document: Document | None


@dataclass(frozen=True)
class FileReader:
    """Reads files as :meth:`docbats.Document.read` does."""

    encoding: str | None = None
    kind: str | None = None
    sentences: Literal["auto", "lines"] = "auto"
    language: str = "auto"

    def read(self, source: FilePaths | bytes, name: str | None = None) -> LoadedFile:
        """Read a file, or the content of one."""
        read = read_file(source, name=name, encoding=self.encoding, kind=self.kind)
        shown = name or (os.fspath(source) if not isinstance(source, bytes) else "")
        try:
            document = read.document(self.sentences, self.language)
        except EmptyDocumentError:
            document = None
        return LoadedFile(shown, read.kind, read.text, document)


def unless_changed(document: Any, text: str | None) -> Document | None:
    """Return the :class:`docbats.Document` that a text was read from, if it is still the same."""
    return document if isinstance(document, Document) and document.text == text else None


def find_files(paths: FilePaths | Iterable[FilePaths]) -> Iterator[Path]:
    """Yield each file, and for each folder the files in it that docbats can read, sorted.

    Files in folders are chosen by their suffix; hidden ones are skipped.
    """
    if isinstance(paths, str | os.PathLike):
        paths = [paths]
    for path in paths:
        if not isinstance(path, str | os.PathLike):
            msg = f"expected the path of a file or of a folder, got {type(path).__name__}"
            raise InputError(msg)
        found = Path(path)
        if not found.is_dir():
            yield found
            continue
        inside = [
            file
            for file in sorted(found.rglob("*"))
            if file.suffix.lower() in SUFFIXES and file.is_file()
            if not any(part.startswith(".") for part in file.relative_to(found).parts)
        ]
        if not inside:
            msg = f"{path}: this folder has no file that docbats can read: name the files"
            raise ReadError(msg)
        yield from inside
