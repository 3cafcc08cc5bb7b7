"""How a splitter of another library cuts: into chunks of a size, or where topics change."""

from __future__ import annotations

import os
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

from docbats.chunks import Chunker
from docbats.chunks.chunker import chunk_with_parents
from docbats.describe import describe_segments
from docbats.document import Document
from docbats.errors import EmptyDocumentError, InputError, ReadError, SettingsError
from docbats.pipeline import BATS
from docbats.readers.kinds import READERS
from docbats.readers.read_file import read_file
from docbats.settings import resolve_settings
from docbats.topics import strongest_topics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from docbats.chunks import Chunk as SizedChunk
    from docbats.document import Source
    from docbats.parts import Entry, Segment
    from docbats.places import Place
    from docbats.result import Result
    from docbats.segments.sizes import Measure


@dataclass(frozen=True)
class Chunk:
    """A piece of a text, ``text[start:end]``.

    Attributes
    ----------
    start, end
        Half-open character offsets; with an overlap, `start` lies before the segment's own.
    title
        A short name: the author's heading, or a phrase of the segment's own words.
    heading_path
        The headings that it stands under, highest first, and its own.
    speakers
        Who speaks in it.
    place
        Its pages, times or cells in the file that was read; None where there is none.
    topics
        The labels of its strongest topics, three at most, strongest first.
    strength
        The probability that a person would draw the boundary before it; None for the first chunk.
    """

    text: str
    start: int
    end: int
    title: str
    heading_path: tuple[str, ...]
    speakers: tuple[str, ...]
    place: Place | None
    topics: tuple[str, ...]
    strength: float | None

    @property
    def content(self) -> str:
        """What to index: its text."""
        return self.text

    def values(self) -> dict[str, Any]:
        """Return all that is known of it, but for its text, as JSON-ready values.

        Headings, speakers, pages, times and cells are there only where there are any.
        """
        known: dict[str, Any] = {
            "start": self.start,
            "end": self.end,
            "title": self.title,
            "topics": list(self.topics),
            "strength": self.strength,
        }
        if self.heading_path:
            known["heading_path"] = list(self.heading_path)
        if self.speakers:
            known["speakers"] = list(self.speakers)
        if self.place is not None:
            place = self.place.to_dict()
            known |= {name: place[name] for name in ("pages", "seconds", "cells") if name in place}
        return known


def add_to_metadata(
    source: Mapping[str, Any], values: Mapping[str, Any], prefix: str = ""
) -> dict[str, Any]:
    """Return a copy of a document's metadata with further values, none of its own overwritten.

    `prefix` goes before their names; where the document has the name, ``docbats_`` does.

    >>> add_to_metadata({"title": "Mine"}, {"title": "Bats", "start": 0})
    {'title': 'Mine', 'docbats_title': 'Bats', 'start': 0}
    """
    metadata = deepcopy(dict(source))
    for name, value in values.items():
        own = prefix + name
        metadata[f"docbats_{own}" if own in source else own] = value
    return metadata


def make_chunks(bats: BATS, source: str | Document, *, strip: bool) -> list[Chunk]:
    """Split a text into chunks; a blank text has none.

    With `strip`, chunks neither begin nor end with white space, and blank ones are left out.
    """
    result = run_unless_blank(bats, source)
    if result is None:
        return []
    chunks = [
        chunk_of_segment(result, segment, segment.overlap_start, strip=strip)
        for segment in result.segments
    ]
    return [chunk for chunk in chunks if chunk.text]


def chunk_of_segment(
    result: Result, segment: Segment, start: int, *, strip: bool, title: str | None = None
) -> Chunk:
    """Make a chunk from `start` to the end of a segment; its text may be empty with `strip`."""
    text, end = result.document.text, segment.end
    if strip:
        piece = text[start:end]
        start += len(piece) - len(piece.lstrip())
        end = max(start, end - len(piece) + len(piece.rstrip()))
    return Chunk(
        text=text[start:end],
        start=start,
        end=end,
        title=segment.title if title is None else title,
        heading_path=segment.heading_path,
        speakers=segment.speakers,
        place=segment.place,
        topics=strongest_topics(result, segment),
        strength=segment.strength,
    )


@dataclass(frozen=True)
class ChunkNode:
    """A part of the outline as a chunk.

    Attributes
    ----------
    level
        How deep it is nested; 0 for the parts that are in no other.
    parent
        The index of the part that it belongs to; None at level 0.
    children
        The indices of its own parts, which tile it; none where it is not divided.
    """

    chunk: Chunk
    level: int
    parent: int | None
    children: tuple[int, ...]


def make_chunk_tree(bats: BATS, source: str | Document, *, strip: bool) -> list[ChunkNode]:
    """Return the parts of the outline, each before its own parts; a blank text has none.

    What is not divided further keeps to the limits on sizes, and begins with its overlap.
    """
    result = run_unless_blank(bats, source)
    return [] if result is None else _TreeMaker(result, strip=strip).nodes


class _TreeMaker:
    """Turns the outline of a result into nodes."""

    def __init__(self, result: Result, *, strip: bool) -> None:
        self._result = result
        self._strip = strip
        self._described = _describe_levels(result)
        self.nodes: list[ChunkNode] = []
        for entry in result.outline:
            self._add(entry, None, 0)

    def _add(self, entry: Entry, parent: int | None, level: int) -> int | None:
        """Add an entry and those below it; return its index, None if it is blank."""
        segment = self._described[id(entry)]
        start = entry.start if entry.children else segment.overlap_start
        chunk = chunk_of_segment(self._result, segment, start, strip=self._strip, title=entry.title)
        if not chunk.text:
            return None
        own = len(self.nodes)
        self.nodes.append(ChunkNode(chunk, level, parent, ()))
        found = [self._add(child, own, level + 1) for child in entry.children]
        children = tuple(child for child in found if child is not None)
        self.nodes[own] = replace(self.nodes[own], children=children)
        return own


def _describe_levels(result: Result) -> dict[int, Segment]:
    """Describe each entry of the outline as a segment, by the id of the entry.

    Each level is a cut of the whole text: what is not divided stays from one to the next.
    """
    described: dict[int, Segment] = {}
    level: list[Entry] = list(result.outline)
    while any(id(entry) not in described for entry in level):
        for entry, segment in zip(level, _describe(result, level), strict=True):
            described.setdefault(id(entry), segment)
        level = [below for entry in level for below in entry.children or (entry,)]
    return described


def _describe(result: Result, entries: Sequence[Entry]) -> tuple[Segment, ...]:
    """Describe entries that tile the text as segments."""
    starts = np.array([entry.sentences[0] for entry in entries], np.int64)
    return describe_segments(result.analysis, starts)


_OF_CHUNKER = ("tokenizer", "context", "titles", "sentences", "language")
_ONLY_OF_CHUNKER = ("tokenizer", "context", "titles")


@dataclass(frozen=True)
class Splitting:
    """What splits texts: a chunker, or where there is none an analysis of topics."""

    chunker: Chunker | None
    bats: BATS | None
    parent_size: int | None = None

    def chunks(
        self, source: str | Document, *, strip: bool
    ) -> Sequence[SizedChunk] | Sequence[Chunk]:
        """Split a text; a blank text has no chunks."""
        if self.chunker is not None:
            return replace(self.chunker, strip=strip)(source)
        assert self.bats is not None
        return make_chunks(self.bats, source, strip=strip)

    def tree(self, source: str | Document, *, strip: bool) -> Sequence[Any]:
        """Split a text into parts and the chunks that they consist of, each after its part.

        The nodes of both ways have the same attributes.
        """
        if self.chunker is not None:
            return chunk_with_parents(replace(self.chunker, strip=strip), source, self.parent_size)
        assert self.bats is not None
        return make_chunk_tree(self.bats, source, strip=strip)


def make_splitting(
    preset: str,
    settings: Mapping[str, Any],
    *,
    k: Any = "auto",
    chunk_size: int | None = None,
    chunk_overlap: int = 0,
    length_function: Callable[[str], int] | None = None,
    parent_size: int | None = None,
) -> Splitting:
    """Return what splits texts by what a user passes.

    A `chunk_size` alone makes chunks of that size. With `k` or settings of the analysis as well,
    these decide where to cut, within the size.
    """
    topical = {name for name in settings if name not in {*_OF_CHUNKER, "size_unit"}}
    if chunk_size is not None and k == "auto" and preset == "sharp" and not topical:
        own: dict[str, Any] = dict(settings)
        if length_function is not None and not {"tokenizer", "size_unit"} & own.keys():
            own["length_function"] = length_function
        return Splitting(Chunker(chunk_size, chunk_overlap, **own), None, parent_size)
    for name in _ONLY_OF_CHUNKER:
        if name in settings:
            with_ = ", ".join(sorted(topical)) or ("k" if k != "auto" else "no chunk_size")
            msg = (
                f"{name} goes with chunk_size alone, got it with {with_}: pass chunk_size, or "
                f"leave out {name}"
            )
            raise SettingsError(msg)
    if parent_size is not None:
        msg = "parent_size goes with chunk_size alone: pass chunk_size, or leave out parent_size"
        raise SettingsError(msg)
    sizes = with_chunk_sizes(settings, chunk_size, chunk_overlap, length_function or len)
    return Splitting(None, make_bats(preset, sizes, k=k))


FilePaths = str | os.PathLike[str]
_SUFFIXES = frozenset(suffix for reader in READERS for suffix in reader.suffixes)


@dataclass(frozen=True)
class LoadedFile:
    """A file: its path or name, its kind, its text, and its document, None where it is blank."""

    name: str
    kind: str
    text: str
    document: Document | None


@dataclass(frozen=True)
class FileReader:
    """How files are read, as :meth:`docbats.Document.read` does."""

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
            return LoadedFile(shown, read.kind, read.text, None)
        return LoadedFile(shown, read.kind, read.text, document)


def find_files(paths: FilePaths | Iterable[FilePaths]) -> Iterator[Path]:
    """Yield the files that are named, and those of named folders that docbats can read, in order.

    In a folder, the ending of a file says whether it can be read; hidden files are left out.
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
        inside = [file for file in sorted(found.rglob("*")) if _is_readable(file, found)]
        if not inside:
            msg = f"{path}: no file that docbats can read is in this folder: name the files"
            raise ReadError(msg)
        yield from inside


def _is_readable(file: Path, folder: Path) -> bool:
    parts = file.relative_to(folder).parts
    is_hidden = any(part.startswith(".") for part in parts)
    return file.suffix.lower() in _SUFFIXES and not is_hidden and file.is_file()


Found = TypeVar("Found")


def make_bats(preset: str, settings: Mapping[str, Any] | None = None, /, **arguments: Any) -> BATS:
    """Return a BATS with the settings of a preset, changed by `settings` and by `arguments`.

    >>> make_bats("sharp", {"k": 2}, k=3)
    Traceback (most recent call last):
    ...
    docbats.errors.SettingsError: k is an argument of its own: pass k=2 instead of settings={'k': 2}
    """
    settings = settings or {}
    for name, value in settings.items():
        if name in arguments or name == "preset":
            given = {name: value}
            msg = (
                f"{name} is an argument of its own: pass {name}={value!r} instead of "
                f"settings={given}"
            )
            raise SettingsError(msg)
    return BATS(resolve_settings(preset, **arguments, **settings))


def with_chunk_sizes(
    settings: Mapping[str, Any],
    chunk_size: int | None,
    chunk_overlap: int,
    length_function: Measure,
) -> dict[str, Any]:
    """Return settings with sizes as other splitters name them.

    >>> with_chunk_sizes({"k": 9}, 500, 50, len)
    {'k': 9, 'max_size': 500, 'overlap': 50, 'size_unit': 'characters'}
    """
    if chunk_size is None and chunk_overlap == 0:
        return dict(settings)
    for name in ("max_size", "overlap", "size_unit"):
        if name in settings:
            msg = (
                f"{name} goes with max_size, not with chunk_size: pass either chunk_size, "
                "chunk_overlap and length_function, or max_size, overlap and size_unit"
            )
            raise SettingsError(msg)
    unit = "characters" if length_function is len else length_function
    return {**settings, "max_size": chunk_size, "overlap": chunk_overlap, "size_unit": unit}


def run_unless_blank(bats: BATS, source: Source) -> Result | None:
    """Return the result of one document, None where it is blank."""
    try:
        return bats(source)
    except EmptyDocumentError:
        return None


def run_on_text(bats: BATS, text: object, name: str) -> Result | None:
    """Return the result of one of many texts, None where it is blank; errors begin with `name`.

    >>> run_on_text(BATS(), 3, "row 1")
    Traceback (most recent call last):
    ...
    docbats.errors.InputError: row 1: expected a string or a docbats.Document, got int
    """
    return call_on_text(partial(run_unless_blank, bats), text, name)


def call_on_text(find: Callable[[str | Document], Found], text: object, name: str) -> Found:
    """Return what `find` finds in one of many texts; errors begin with `name`."""
    if not isinstance(text, str | Document):
        msg = f"{name}: expected a string or a docbats.Document, got {type(text).__name__}"
        raise InputError(msg)
    try:
        return find(text if isinstance(text, Document) else str(text))
    except InputError as error:
        msg = f"{name}: {error}"
        raise type(error)(msg) from None
