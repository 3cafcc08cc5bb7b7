"""A column of texts as columns of their segments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from docbats.errors import EmptyDocumentError, InputError
from docbats.integrations.chunks import topic_labels
from docbats.pipeline import BATS
from docbats.settings import resolve_settings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from docbats.result import Result

__all__ = ["COLUMNS", "segment_columns"]

COLUMNS = ("id", "segment", "start", "end", "title", "topics", "strength", "text")


def segment_columns(
    ids: Iterable[Any],
    texts: Iterable[str | None],
    k: int | Literal["auto"],
    preset: str,
    **settings: Any,
) -> dict[str, list[Any]]:
    """Analyse the texts, and give a value for each segment in each of `COLUMNS`.

    A text that is None or blank has no segments.
    """
    bats = BATS(resolve_settings(preset, k=k, **settings))
    columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
    for id_, text in zip(ids, texts, strict=True):
        result = _analyze(bats, id_, text)
        for number, segment in enumerate(result.segments if result else ()):
            labels = list(topic_labels(result, segment)) if result else []
            row = (
                id_,
                number,
                segment.start,
                segment.end,
                segment.title,
                labels,
                segment.strength,
                segment.text,
            )
            for name, value in zip(COLUMNS, row, strict=True):
                columns[name].append(value)
    return columns


def _analyze(bats: BATS, id_: Any, text: str | None) -> Result | None:
    if text is None:
        return None
    if not isinstance(text, str):
        msg = f"row {id_}: {type(text).__name__} is no kind of text: give a column of strings"
        raise InputError(msg)
    try:
        return bats(text)
    except EmptyDocumentError:
        return None
    except InputError as error:
        msg = f"row {id_}: {error}"
        raise type(error)(msg) from None
