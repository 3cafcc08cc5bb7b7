"""Hugging Face datasets: from a column of texts to a dataset of segments or of chunks."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from docbats.errors import InputError, require_extra
from docbats.integrations.tables import (
    CHUNK_COLUMNS,
    SEGMENT_COLUMNS,
    check_columns,
    check_type,
    chunk_table,
    segment_table,
)

with require_extra("datasets", "datasets"):
    import datasets

    from docbats.integrations.pyarrow import make_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Unpack

    from docbats.integrations.tables import TextTable
    from docbats.options import ChunkOptionsWithSize, SettingOptionsWithK

__all__ = ["ChunkMapper", "SegmentMapper", "chunks", "segments"]


def segments(
    data: datasets.Dataset,
    column: str = "text",
    id_column: str | None = None,
    **settings: Unpack[SettingOptionsWithK],
) -> datasets.Dataset:
    """Return a row for each segment of each text: its id, offsets, title, topics, place and text.

    Without an `id_column`, ids are row numbers from 0. The other arguments are as for
    :func:`docbats.integrations.pandas.segments`.

    >>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    >>> segments(datasets.Dataset.from_dict({"text": [text, " "]}), k=2)["start"][:]
    [0, 34]
    """
    return _map(data, SegmentMapper(column, id_column, **settings))


def chunks(
    data: datasets.Dataset,
    column: str = "text",
    id_column: str | None = None,
    **options: Unpack[ChunkOptionsWithSize],
) -> datasets.Dataset:
    """Return a row for each chunk of each text: its id, offsets, headings, place, text and so on.

    The arguments are as for :func:`segments`, but with options of :class:`docbats.Chunker`.

    >>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    >>> chunks(datasets.Dataset.from_dict({"text": [text, " "]}), chunk_size=40)["start"][:]
    [0, 34]
    """
    return _map(data, ChunkMapper(column, id_column, **options))


class _Mapper:
    _columns: ClassVar[Mapping[str, str]]
    _make_table: ClassVar[Callable[..., TextTable]]

    def __init__(self, column: str = "text", id_column: str | None = None, **options: Any) -> None:
        self._column = column
        self._id_column = id_column
        self._options = options
        self._table  # noqa: B018  (refuses wrong options at once)

    def __getstate__(self) -> dict[str, Any]:
        # Datasets recognizes a map that it has done before by what is pickled.
        return {name: value for name, value in vars(self).items() if name != "_table"}

    @cached_property
    def _table(self) -> TextTable:
        return type(self)._make_table(**self._options)

    @classmethod
    def features(cls, id_type: str = "int64") -> datasets.Features:
        """Return the types of the columns, with ids of `id_type`, such as ``"string"``."""
        types = datasets.Features.from_arrow_schema(make_schema(cls._columns))
        return datasets.Features({"id": datasets.Value(id_type), **types})

    def __call__(self, batch: Mapping[str, list[Any]], indices: Any = None) -> dict[str, list[Any]]:
        """Return the columns for a batch of texts."""
        check_columns(batch, self._column, self._id_column)
        texts = batch[self._column]
        if not isinstance(texts, list):
            msg = "the mapper takes many texts at a time: pass batched=True to map"
            raise InputError(msg)
        if self._id_column is not None:
            ids = list(batch[self._id_column])
        else:
            ids = list(range(len(texts)) if indices is None else indices)
        return self._table.values(ids, texts, are_given=self._id_column is not None)


class SegmentMapper(_Mapper):
    """Turns the rows of a dataset, one for each text, into one for each segment.

    :func:`segments` passes it to ``Dataset.map``; pass it to the ``map`` of a streamed dataset
    yourself, with ``batched=True``. Remove the columns of the dataset, since there are more rows
    afterwards, and pass :meth:`features`, since the first rows may not show all types.

    Parameters
    ----------
    column, id_column
        As for :func:`segments`; without an `id_column`, `id` is the number of the text.
    **settings
        As for :func:`docbats.analyze`, such as `k`.
    """

    _columns = SEGMENT_COLUMNS
    _make_table = staticmethod(segment_table)


class ChunkMapper(_Mapper):
    """Turns the rows of a dataset, one for each text, into one for each chunk.

    It is used like :class:`SegmentMapper`, but with options of :class:`docbats.Chunker`.
    """

    _columns = CHUNK_COLUMNS
    _make_table = staticmethod(chunk_table)


def _map(data: datasets.Dataset, mapper: _Mapper) -> datasets.Dataset:
    check_type(data, datasets.Dataset)
    check_columns(data.column_names, mapper._column, mapper._id_column)
    id_type = "int64" if mapper._id_column is None else data.features[mapper._id_column].dtype
    return data.map(
        mapper,
        batched=True,
        with_indices=True,
        remove_columns=data.column_names,
        features=mapper.features(id_type),
    )
