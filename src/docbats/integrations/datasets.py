"""Hugging Face datasets: functions for ``Dataset.map``, from texts to their segments or chunks."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from docbats.chunks.chunker import DEFAULT_SIZE
from docbats.errors import InputError, require_extra
from docbats.integrations.tables import (
    CHUNK_COLUMNS,
    SEGMENT_COLUMNS,
    check_column,
    check_type,
    chunk_table,
    segment_table,
)

with require_extra("datasets", "datasets"):
    import datasets

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from docbats.integrations.tables import TextTable

__all__ = ["ChunkMapper", "SegmentMapper", "chunks", "segments"]

_OF_KIND = {
    "int": datasets.Value("int64"),
    "float": datasets.Value("float64"),
    "str": datasets.Value("string"),
    "strs": datasets.Sequence(datasets.Value("string")),
}


def segments(
    data: datasets.Dataset,
    column: str = "text",
    id_column: str | None = None,
    *,
    k: int | Literal["auto"] = "auto",
    preset: str = "sharp",
    **settings: Any,
) -> datasets.Dataset:
    """Return a row for each segment of each text: its id, offsets, title, topics, place and text.

    Parameters
    ----------
    data
        A dataset with a column of texts.
    column
        Name of the column that holds the texts.
    id_column
        Name of the column that holds their ids; the row number, from 0, by default.
    k, preset, **settings
        As for :func:`docbats.analyze`.

    Examples
    --------
    >>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    >>> segments(datasets.Dataset.from_dict({"text": [text, " "]}), k=2)["start"][:]
    [0, 34]
    """
    return _map(data, SegmentMapper(column, id_column, k=k, preset=preset, **settings))


def chunks(
    data: datasets.Dataset,
    column: str = "text",
    id_column: str | None = None,
    *,
    chunk_size: int = DEFAULT_SIZE,
    **options: Any,
) -> datasets.Dataset:
    """Return a row for each chunk of each text: its id, offsets, headings, place, text and so on.

    Parameters
    ----------
    data, column, id_column
        As for :func:`segments`.
    chunk_size
        The largest size of a chunk.
    **options
        Any other attribute of :class:`docbats.Chunker`.

    Examples
    --------
    >>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    >>> chunks(datasets.Dataset.from_dict({"text": [text, " "]}), chunk_size=40)["start"][:]
    [0, 34]
    """
    return _map(data, ChunkMapper(column, id_column, chunk_size=chunk_size, **options))


class _Mapper:
    """Turns the rows of a dataset, one for each text, into one for each part of a text."""

    _columns: ClassVar[Mapping[str, str]]
    _make_table: ClassVar[Callable[..., TextTable]]

    def __init__(self, column: str, id_column: str | None, arguments: Mapping[str, Any]) -> None:
        self._column = column
        self._id_column = id_column
        self._arguments = dict(arguments)
        self._table  # noqa: B018  (refuses wrong arguments at once)

    def __getstate__(self) -> dict[str, Any]:
        # By what is pickled, datasets recognizes a map that it has done before.
        return {name: value for name, value in vars(self).items() if name != "_table"}

    @cached_property
    def _table(self) -> TextTable:
        return type(self)._make_table(**self._arguments)

    @classmethod
    def features(cls, id_type: str = "int64") -> datasets.Features:
        """Return the types of the columns; `id_type` is that of the ids, such as ``"string"``."""
        types = {name: _OF_KIND[kind.rstrip("?")] for name, kind in cls._columns.items()}
        return datasets.Features({"id": datasets.Value(id_type), **types})

    def __call__(self, batch: Mapping[str, list[Any]], indices: Any = None) -> dict[str, list[Any]]:
        """Return the columns of the parts of a batch of texts."""
        for name in filter(None, (self._column, self._id_column)):
            check_column(name, batch)
        texts = batch[self._column]
        if not isinstance(texts, list):
            msg = "the mapper takes many texts at a time: pass batched=True to map"
            raise InputError(msg)
        if self._id_column is not None:
            ids = list(batch[self._id_column])
        else:
            ids = list(range(len(texts)) if indices is None else indices)
        return self._table.values(ids, texts)


class SegmentMapper(_Mapper):
    """Turns the rows of a dataset, one for each text, into one for each segment.

    It is what :func:`segments` gives to ``Dataset.map``, and a streamed dataset takes it as well.
    Blank texts have no segments, and end nothing. Use it with ``batched=True``, and remove the
    columns of the dataset, since there are more rows afterwards; :meth:`features` says what types
    the new ones have, which the first rows alone might not.

    Parameters
    ----------
    column
        Name of the column that holds the texts.
    id_column
        Name of the column that holds their ids; without it, `id` is the number of the text.
    k, preset, **settings
        As for :func:`docbats.analyze`.
    """

    _columns = SEGMENT_COLUMNS
    _make_table = staticmethod(segment_table)

    def __init__(
        self,
        column: str = "text",
        id_column: str | None = None,
        *,
        k: int | Literal["auto"] = "auto",
        preset: str = "sharp",
        **settings: Any,
    ) -> None:
        super().__init__(column, id_column, {"preset": preset, "k": k, **settings})


class ChunkMapper(_Mapper):
    """Turns the rows of a dataset, one for each text, into one for each chunk.

    It is what :func:`chunks` gives to ``Dataset.map``, and is used as :class:`SegmentMapper` is.

    Parameters
    ----------
    column, id_column
        As for :class:`SegmentMapper`.
    chunk_size
        The largest size of a chunk.
    **options
        Any other attribute of :class:`docbats.Chunker`.
    """

    _columns = CHUNK_COLUMNS
    _make_table = staticmethod(chunk_table)

    def __init__(
        self,
        column: str = "text",
        id_column: str | None = None,
        *,
        chunk_size: int = DEFAULT_SIZE,
        **options: Any,
    ) -> None:
        super().__init__(column, id_column, {"chunk_size": chunk_size, **options})


def _map(data: datasets.Dataset, mapper: _Mapper) -> datasets.Dataset:
    check_type(data, "datasets", datasets.Dataset)
    for name in filter(None, (mapper._column, mapper._id_column)):
        check_column(name, data.column_names)
    id_type = "int64" if mapper._id_column is None else data.features[mapper._id_column].dtype
    return data.map(
        mapper,
        batched=True,
        with_indices=True,
        remove_columns=data.column_names,
        features=mapper.features(id_type),
    )
