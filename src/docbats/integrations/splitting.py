"""What the splitters of other libraries share: how to cut, metadata, errors."""

from __future__ import annotations

import json
import warnings
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from docbats.chunks.chunk import stable_id
from docbats.chunks.chunker import Chunker, chunk_with_parents
from docbats.chunks.segment_chunks import outline_chunks, segment_chunks
from docbats.document import Document
from docbats.errors import (
    EmptyDocumentError,
    InputError,
    NoKeptWordsError,
    SettingsError,
    ShortTextWarning,
    TooFewSentencesError,
)
from docbats.pipeline import BATS
from docbats.render.one_line import excerpt
from docbats.settings import resolve_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from docbats.chunks import Chunk, ChunkNode
    from docbats.document import Source
    from docbats.result import Result
    from docbats.segments.sizes import Measure

Found = TypeVar("Found")
MAX_SHOWN = 40  # characters of a text without a name in a message

_SHARED_OPTIONS = frozenset({"sentences", "language", "size_unit", "min_size"})
_CHUNKER_OPTIONS = ("tokenizer", "context", "titles")


@dataclass(frozen=True)
class SizeSplitter:
    """Splits texts into chunks of a size, and into parents of up to `parent_size`."""

    chunker: Chunker
    parent_size: int | None = None

    def chunks(
        self,
        source: str | Document,
        *,
        strip: bool,
        document_id: str | None = None,
        name: str | None = None,  # noqa: ARG002  (no text is too short for a size)
    ) -> list[Chunk]:
        """Return the chunks of a text; a blank text has none."""
        return replace(self.chunker, strip=strip)(source, document_id)

    def tree(
        self,
        source: str | Document,
        *,
        strip: bool,
        document_id: str | None = None,
        name: str | None = None,  # noqa: ARG002
    ) -> list[ChunkNode]:
        """Return the chunks of a text below their parents."""
        chunker = replace(self.chunker, strip=strip)
        return chunk_with_parents(chunker, source, self.parent_size, document_id)


@dataclass(frozen=True)
class TopicSplitter:
    """Splits texts into segments by topic, and into the entries of their outline.

    A text with too few sentences or words for k segments has as many as it can, with a
    :class:`~docbats.errors.ShortTextWarning` that begins with its `name`.
    """

    bats: BATS

    def chunks(
        self,
        source: str | Document,
        *,
        strip: bool,
        document_id: str | None = None,
        name: str | None = None,
    ) -> list[Chunk]:
        """Return the segments of a text; a blank text has none."""
        result = self._analyze(source, document_id, name)
        return [] if result is None else segment_chunks(result, strip=strip)

    def tree(
        self,
        source: str | Document,
        *,
        strip: bool,
        document_id: str | None = None,
        name: str | None = None,
    ) -> list[ChunkNode]:
        """Return the outline of a text."""
        result = self._analyze(source, document_id, name)
        return [] if result is None else outline_chunks(result, strip=strip)

    def _analyze(
        self, source: str | Document, document_id: str | None, name: str | None
    ) -> Result | None:
        """Return the result of one document, with a k that it can have; None if it is blank."""
        settings = self.bats.settings
        try:
            document = Document.of(source, sentences=settings.sentences, language=settings.language)
        except EmptyDocumentError:
            return None
        if document_id is not None:
            document = replace(document, id=document_id)
        shown = name or document.id or repr(excerpt(document.text, MAX_SHOWN))
        try:
            return self.bats(document)
        except TooFewSentencesError as error:
            return self._analyze_short(document, len(document), shown, error)
        except NoKeptWordsError as error:
            return self._analyze_short(document, 1, shown, error)
        except (InputError, SettingsError) as error:  # a k too small for max_size is one
            msg = f"{shown}: {error}"
            raise type(error)(msg) from None

    def _analyze_short(self, document: Document, k: int, shown: str, error: InputError) -> Result:
        """Return the result with a smaller k, and warn of it."""
        settings = self.bats.settings
        try:
            result = BATS(replace(settings, k=k))(document)
        except NoKeptWordsError:
            result = BATS(replace(settings, k=1))(document)
        msg = f"{shown}: made {len(result.segments)} of {settings.k} segments ({error})"
        warnings.warn(msg, ShortTextWarning, stacklevel=2)
        return result


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
    before names that the document uses itself. None and empty lists, which some stores refuse, are
    left out, and lists in lists become JSON.

    >>> add_to_metadata({"title": "Mine"}, {"title": "Bats", "start": 0})
    {'title': 'Mine', 'docbats_title': 'Bats', 'start': 0}
    """
    metadata = deepcopy(dict(source))
    for name, value in values.items():
        if value is None or value == []:
            continue
        own = prefix + name
        if isinstance(value, list) and value and isinstance(value[0], list):
            value = json.dumps(value)  # noqa: PLW2901
        metadata[f"docbats_{own}" if own in source else own] = value
    return metadata


class DistinctIds:
    """Changes ids that were there before, as of two documents that are equal."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def __call__(self, id_: str) -> str:
        """Return the id, or another one made of it; always the same in the same order."""
        n_before = self._seen.get(id_, 0)
        self._seen[id_] = n_before + 1
        return stable_id(id_, n_before) if n_before else id_


def import_path(function: Callable[..., Any]) -> str:
    """Return the path by which a function can be imported, as in ``"package.module:name"``.

    >>> import_path(import_path)
    'docbats.integrations.splitting:import_path'
    """
    name = getattr(function, "__qualname__", type(function).__qualname__)
    return f"{getattr(function, '__module__', None) or 'builtins'}:{name}"


def imported_function(path: str) -> Callable[..., Any]:
    """Return the function that :func:`import_path` names."""
    from docbats.naming import find_namer

    try:
        return find_namer(path)
    except ValueError as error:
        msg = f"{error}: name a function of a module, or pass the function itself"
        raise SettingsError(msg) from None


def unless_changed(document: Any, text: str | None) -> Document | None:
    """Return the :class:`docbats.Document` that a text was read from, if it is still the same."""
    return document if isinstance(document, Document) and document.text == text else None
