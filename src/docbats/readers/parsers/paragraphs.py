"""Paragraphs of plain text, which blank lines divide."""

from __future__ import annotations

import re

__all__ = ["PARAGRAPH"]

# Line by line and possessive: a choice for each character would take a hundred bytes of memory for
# each of them.
PARAGRAPH = re.compile(r"\S[^\n]*+(?:\n(?!\s*\n)[^\n]*+)*+")
"""From the first character that is not blank to before a blank line."""
