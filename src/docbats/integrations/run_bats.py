"""Make a BATS from what a user of another library passes, and run it on texts that may be blank."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docbats.errors import EmptyDocumentError, InputError, SettingsError
from docbats.pipeline import BATS
from docbats.settings import resolve_settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from docbats.pipeline import Source
    from docbats.result import Result

__all__ = ["make_bats", "run_on_string", "run_unless_blank"]


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


def run_unless_blank(bats: BATS, source: Source) -> Result | None:
    """Return the result of one document, None where it is blank."""
    try:
        return bats(source)
    except EmptyDocumentError:
        return None


def run_on_string(bats: BATS, text: object, name: str) -> Result | None:
    """Return the result of one of many texts, None where it is blank; errors begin with `name`.

    >>> run_on_string(BATS(), 3, "row 1")
    Traceback (most recent call last):
    ...
    docbats.errors.InputError: row 1: expected a string, got int
    """
    if not isinstance(text, str):
        msg = f"{name}: expected a string, got {type(text).__name__}"
        raise InputError(msg)
    try:
        return run_unless_blank(bats, str(text))
    except InputError as error:
        msg = f"{name}: {error}"
        raise type(error)(msg) from None
