"""Any language that docbats does not know."""

from __future__ import annotations

from docbats.text.languages.language import Language
from docbats.text.stopwords import ENGLISH

__all__ = ["LANGUAGE"]

LANGUAGE = Language(code=None, name="unknown", stop_words=ENGLISH)
