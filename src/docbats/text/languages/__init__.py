"""The languages that docbats knows, each in a file that is read as soon as it is needed.

To add a language, write ``<name>.py`` with its :class:`Language` and add its line to `LANGUAGES`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docbats.text.languages.language import Language

__all__ = ["LANGUAGES", "load_language"]

LANGUAGES = {
    "en": "English",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "pt": "Portuguese",
    "it": "Italian",
    "nl": "Dutch",
    "pl": "Polish",
    "ru": "Russian",
    "zh": "Chinese",
    "ja": "Japanese",
}
"""The codes of the languages, and their names."""


@cache
def load_language(code: str | None) -> Language:
    """Return what docbats knows of a language, by its code; None is any other language."""
    name = "unknown" if code is None else LANGUAGES[code].lower()
    module = import_module(f"docbats.text.languages.{name}")
    language: Language = module.LANGUAGE
    return language
