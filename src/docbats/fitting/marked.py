"""Documents whose true boundaries are known, with everything hidden that shows them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.document import Document
from docbats.errors import DocbatsError, InputError
from docbats.segments.evidence import find_breaks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

MarkedSource = (
    PathLike[str] | str | Document | Mapping[str, Any] | Sequence[str] | Sequence[Sequence[str]]
)
"""A file or folder; text or a document with headings; a JSON object with segments; or segments, as
texts or as lists of sentences."""

_HIDDEN = frozenset({"heading", "contents"})  # what shows where parts begin
_JSON_LINES = frozenset({".jsonl", ".ndjson"})
_MIN_SENTENCES = 4  # a shorter text has no room for a choice
_NOT_MARKED = (
    'expected an object with "segments", each with its "start" in "text", or its own "text"'
)


@dataclass(frozen=True, eq=False)
class MarkedDocument:
    """A document without headings, and where its true segments begin.

    Attributes
    ----------
    name
        What messages call it.
    document
        The document; its headings are still in the text, but in none of its sentences and blocks.
    starts
        The first sentence of each true segment; the first of them is 0.
    """

    name: str
    document: Document
    starts: tuple[int, ...]


@dataclass(frozen=True)
class UnusableDocument:
    """A document of which no boundary is known, and why."""

    name: str
    reason: str


def read_marked(
    sources: MarkedSource | Iterable[MarkedSource],
    language: str = "auto",
    encoding: str | None = None,
    kind: str | None = None,
) -> Iterator[MarkedDocument | UnusableDocument]:
    """Yield the documents of each source: with their boundaries, or with why they have none.

    A folder stands for the files in it and in its subfolders, except hidden ones.
    """
    if isinstance(sources, str | PathLike):
        sources = [Path(sources)]
    elif isinstance(sources, Document | Mapping) or not isinstance(sources, Iterable):
        msg = f"expected several documents or a folder, got one {type(sources).__name__}"
        raise InputError(msg)
    for number, source in enumerate(sources, start=1):
        if isinstance(source, PathLike):
            for path in _files(Path(source)):
                yield from _read_path(path, language, encoding, kind)
        else:
            yield _mark(f"document {number}", source, language)


def _files(path: Path) -> list[Path]:
    """Return the path itself, or the files in a folder, sorted."""
    if not path.is_dir():
        return [path]
    found = {file.relative_to(path).parts: file for file in path.rglob("*") if file.is_file()}
    return [found[parts] for parts in sorted(found) if not any(p.startswith(".") for p in parts)]


def _read_path(
    path: Path, language: str, encoding: str | None, kind: str | None
) -> Iterator[MarkedDocument | UnusableDocument]:
    """Yield the document of a file, or those in a file of JSON."""
    from docbats.readers.decoding import read_text
    from docbats.readers.read_file import read_file

    name, suffix = str(path), path.suffix.lower()
    try:
        if kind is not None or suffix not in {".json", *_JSON_LINES}:
            document = read_file(path, encoding=encoding, kind=kind).document(language=language)
            yield _mark(name, document, language)
            return
        text = read_text(name, encoding)
    except DocbatsError as error:
        yield UnusableDocument(name, str(error).removeprefix(f"{name}: "))
        return
    if suffix not in _JSON_LINES:
        yield from _read_json(name, text, language)
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield from _read_json(f"{name}, line {number}", line, language)


def _read_json(name: str, text: str, language: str) -> Iterator[MarkedDocument | UnusableDocument]:
    """Yield the document of a JSON object, or those of an array of them."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else f"{error!s:.80}"
        yield UnusableDocument(name, f"not JSON ({reason}): write it again, or leave it out")
        return
    values = value if isinstance(value, list) else [value]
    for number, each in enumerate(values, start=1):
        shown = name if len(values) == 1 else f"{name}, document {number}"
        if isinstance(each, Mapping):
            yield _mark(shown, each, language)
        else:
            yield UnusableDocument(shown, _NOT_MARKED)


def _mark(name: str, source: Any, language: str) -> MarkedDocument | UnusableDocument:
    try:
        document, starts = _boundaries(source, language)
        document, starts = _hide_headings(document, starts)
        if len(starts) < 2:
            return UnusableDocument(name, "it has a single part")
        if len(document) < _MIN_SENTENCES:
            return UnusableDocument(name, f"it has only {len(document)} sentences")
    except InputError as error:
        return UnusableDocument(name, str(error))
    return MarkedDocument(name, document, tuple(starts.tolist()))


def _boundaries(source: Any, language: str) -> tuple[Document, Ints]:
    """Return a document and the sentences with which its true segments begin."""
    if isinstance(source, str | Document):
        document = Document.of(source, language=language)
        breaks = find_breaks(document)
        if breaks is None or len(breaks.section_starts) < 2:
            msg = "headings do not divide it: it needs three of one level, or marked segments"
            raise InputError(msg)
        return document, breaks.section_starts
    if isinstance(source, Mapping):
        return _boundaries_of_json(source, language)
    if isinstance(source, Sequence) and source:
        if all(isinstance(segment, str) for segment in source):
            return _boundaries_of_texts(source, language)
        if all(_is_list_of_strings(segment) for segment in source):
            return _boundaries_of_sentences(source)
    msg = (
        "expected a path, a text, a docbats.Document, an object with segments, or a list of "
        f"segments, each a text or a list of sentences, got {source!r:.60}"
    )
    raise InputError(msg)


def _is_list_of_strings(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)


def _boundaries_of_json(values: Mapping[str, Any], language: str) -> tuple[Document, Ints]:
    """Read segments that have offsets in a text, or texts of their own, or are texts.

    In the JSON of docbats they have texts, which tile the whole.
    """
    segments, text = values.get("segments"), values.get("text")
    if not isinstance(segments, list) or not segments:
        raise InputError(_NOT_MARKED)
    if isinstance(text, str):
        offsets = [each.get("start") if isinstance(each, Mapping) else each for each in segments]
        return _boundaries_at(text, offsets, language)
    if not all(isinstance(segment, Mapping) for segment in segments):
        return _boundaries(segments, language)
    texts = [segment.get("text") for segment in segments]
    if not _is_list_of_strings(texts):
        raise InputError(_NOT_MARKED)
    lengths = np.array([len(each) for each in texts])
    return _boundaries_at("".join(texts), (np.cumsum(lengths) - lengths).tolist(), language)


def _boundaries_of_texts(segments: Sequence[str], language: str) -> tuple[Document, Ints]:
    """Join texts as they are joined within: what is between them must not show them."""
    texts = [text.strip() for text in segments if text.strip()]
    if not texts:
        raise InputError(_NOT_MARKED)
    between = next((mark for mark in ("\n\n", "\n") if any(mark in text for text in texts)), " ")
    sizes = np.array([len(text) + len(between) for text in texts], np.int64)
    return _boundaries_at(between.join(texts), (np.cumsum(sizes) - sizes).tolist(), language)


def _boundaries_at(text: str, offsets: list[Any], language: str) -> tuple[Document, Ints]:
    is_number = all(isinstance(at, int) and not isinstance(at, bool) for at in offsets)
    if (
        not is_number
        or sorted(offsets) != offsets
        or not 0 <= offsets[0] <= offsets[-1] <= len(text)
    ):
        msg = (
            f"the segments must start at whole numbers in ascending order, from 0 to {len(text)}, "
            f"got {offsets!r:.60}"
        )
        raise InputError(msg)
    document = Document.of(text, language=language)
    starts = np.searchsorted(document.spans[:, 1], offsets, side="right")
    return document, np.union1d([0], starts[starts < len(document)])


def _boundaries_of_sentences(segments: Sequence[Sequence[str]]) -> tuple[Document, Ints]:
    kept = [[sentence for sentence in segment if sentence.strip()] for segment in segments]
    lengths = np.array([len(segment) for segment in kept if segment], np.int64)
    document = Document.from_sentences([sentence for segment in kept for sentence in segment])
    return document, np.cumsum(lengths) - lengths


def _hide_headings(document: Document, starts: Ints) -> tuple[Document, Ints]:
    """Leave out the sentences and blocks of headings and of the table of contents."""
    blocks = document.blocks
    if not blocks:
        return document, starts
    begins = np.array([block.start for block in blocks])
    number = np.searchsorted(begins, document.spans[:, 0], side="right") - 1
    is_hidden = np.array([block.kind in _HIDDEN for block in blocks])[np.maximum(number, 0)]
    is_kept = ~is_hidden | (number < 0)
    if not is_kept.any():
        msg = "it has headings, but no text between them"
        raise InputError(msg)
    shown = replace(
        document,
        spans=document.spans[is_kept],
        blocks=tuple(block for block in blocks if block.kind not in _HIDDEN),
    )
    moved: Ints = np.unique((np.cumsum(is_kept) - is_kept)[starts])
    return shown, moved[moved < len(shown)]
