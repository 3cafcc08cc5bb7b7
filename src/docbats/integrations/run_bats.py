"""Make a BATS from what a user of another library passes, and run it on texts that may be blank."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from docbats.document import Document
from docbats.errors import EmptyDocumentError, InputError, SettingsError
from docbats.pipeline import BATS
from docbats.settings import resolve_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from docbats.pipeline import Source
    from docbats.result import Result
    from docbats.segments.measure import Measure

__all__ = ["call_on_text", "make_bats", "run_on_text", "run_unless_blank", "with_chunk_sizes"]

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
