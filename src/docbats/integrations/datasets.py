"""Hugging Face datasets: a function for ``Dataset.map``, from texts to their segments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from docbats.errors import InputError
from docbats.integrations.require_extra import require_extra
from docbats.integrations.run_bats import make_bats
from docbats.integrations.segment_table import COLUMNS, check_type, segment_columns

with require_extra("datasets", "datasets"):
    import datasets

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["SegmentMapper", "segments"]

_OF_KIND = {"int": "int64", "int?": "int64", "float?": "float64", "str": "string"}


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
    check_type(data, "datasets", datasets.Dataset)
    for name in filter(None, (column, id_column)):
        _check_column(name, data.column_names)
    mapper = SegmentMapper(column, id_column, k=k, preset=preset, **settings)
    return data.map(
        mapper,
        batched=True,
        with_indices=True,
        remove_columns=data.column_names,
        features=mapper.features("int64" if id_column is None else data.features[id_column].dtype),
    )


class SegmentMapper:
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

    def __init__(
        self,
        column: str = "text",
        id_column: str | None = None,
        *,
        k: int | Literal["auto"] = "auto",
        preset: str = "sharp",
        **settings: Any,
    ) -> None:
        self._column = column
        self._id_column = id_column
        self._arguments = (preset, {"k": k, **settings})
        make_bats(preset, **self._arguments[1])  # refuses wrong settings at once

    @staticmethod
    def features(id_type: str = "int64") -> datasets.Features:
        """Return the types of the columns; `id_type` is that of the ids, such as ``"string"``."""
        types = {"id": datasets.Value(id_type)}
        for name, kind in COLUMNS.items():
            if kind == "strs":
                types[name] = datasets.Sequence(datasets.Value("string"))
            else:
                types[name] = datasets.Value(_OF_KIND[kind])
        return datasets.Features(types)

    def __call__(self, batch: Mapping[str, list[Any]], indices: Any = None) -> dict[str, list[Any]]:
        """Return the columns of the segments of a batch of texts."""
        for name in filter(None, (self._column, self._id_column)):
            _check_column(name, batch)
        texts = batch[self._column]
        if not isinstance(texts, list):
            msg = "the mapper takes many texts at a time: pass batched=True to map"
            raise InputError(msg)
        if self._id_column is not None:
            ids = list(batch[self._id_column])
        else:
            ids = list(range(len(texts)) if indices is None else indices)
        preset, settings = self._arguments
        return segment_columns(ids, texts, preset, **settings)


def _check_column(name: str, names: Iterable[str]) -> None:
    if name not in names:
        msg = f"there is no column {name!r}: the columns are {', '.join(names)}"
        raise InputError(msg)
