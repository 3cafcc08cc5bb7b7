"""The marks of Markdown inside a block, to be hidden, and what they say of the words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MARK", "Style", "inline_styles"]

MARK = "m"
"""The class of what is not shown."""


class Style(NamedTuple):
    """The class of a stretch of text."""

    start: int
    end: int
    name: str


_TARGET = r"\((?:[^()\\]|\\.|\([^()]{0,300}\)){0,1000}\)|\[[^\[\]]{0,200}\]"
# Patterns with the words in group 2 and marks around it, and the class of the words. What the first
# ones match is left alone by all that follow.
_WHOLE = (
    ("c", re.compile(r"(?<![`\\])(`{1,3})(?!`)([^`]{1,1000})(?<!`)\1(?!`)")),
    ("", re.compile(r"(\\)([!-/:-@\[-`{-~])")),
    ("", re.compile(r"(<)((?:https?|ftp|mailto):[^<>\s]{0,2000})>")),
    ("", re.compile(r"(<!--.*?(?:-->|\Z))()", re.DOTALL)),
    ("", re.compile(r"(</?[a-zA-Z][a-zA-Z0-9-]*(?:[\s/][^<>]{0,2000})?>)()")),
    ("", re.compile(r"(\{\{[^{}]{0,200}\}\})()")),
    ("", re.compile("(\\{[a-z:]{1,40}\\}(?=\ue000))()")),  # the role of a code span
    ("", re.compile(r"((?<![ \t])[ \t]*+\{[#.:][^{}]{0,200}\}\Z)()")),  # attributes of a heading
    ("u", re.compile(r"(\[\^)([^\[\]\s]{1,100})\](?::(?=\s))?")),
    ("n", re.compile(r"(\\|(?<! ) {2,}+)(\r\n?|\n)")),  # the end of a line that is kept
)
# In the words of these there may be others; longer marks come before shorter ones.
_AROUND = (
    ("e", re.compile(rf"(!\[)([^\[\]]{{0,500}})\](?:{_TARGET})")),
    ("", re.compile(rf"(\[)((?:[^\[\]]|\[[^\[\]]{{0,200}}\]){{0,1000}})\](?:{_TARGET})")),
    ("b e", re.compile(r"(\*{3})(?=[^\s*])((?:(?!\*{3}).){1,2000})(?<=[^\s*])\*{3}", re.DOTALL)),
    ("b", re.compile(r"(\*\*)(?=\S)((?:(?!\*\*).){1,2000})(?<=\S)\*\*", re.DOTALL)),
    ("b", re.compile(r"(?<!\w)(__)(?=\S)((?:(?!__).){1,2000})(?<=\S)__(?!\w)", re.DOTALL)),
    ("d", re.compile(r"(~~)(?=\S)((?:(?!~~).){1,2000})(?<=\S)~~", re.DOTALL)),
    ("e", re.compile(r"(?<!\*)(\*)(?=[^\s*])([^*]{1,2000})(?<=\S)\*(?!\*)")),
    ("e", re.compile(r"(?<!\w)(_)(?=[^\s_])((?:[^_]|(?<=\w)_(?=\w)){1,2000})(?<=\S)_(?!\w)")),
)
_TAKEN = "\ue000"  # stands for what has been dealt with; no pattern sees a mark or a blank in it


def inline_styles(written: str) -> Iterator[Style]:
    r"""Yield what to hide of a block and how to show words; stretches may lie in each other.

    >>> text = "**Bats** and `tea*`"
    >>> [(text[s.start : s.end], s.name) for s in inline_styles(text)]
    [('`', 'm'), ('tea*', 'c'), ('`', 'm'), ('**', 'm'), ('Bats', 'b'), ('**', 'm')]
    """
    rest = written
    for name, pattern in _WHOLE:
        for match in pattern.finditer(rest):
            yield from _styles(match, name)
        rest = pattern.sub(lambda found: _TAKEN * len(found[0]), rest)
    for name, pattern in _AROUND:
        for match in pattern.finditer(rest):
            yield from _styles(match, name)
        rest = pattern.sub(_take_marks, rest)


def _styles(match: re.Match[str], name: str) -> Iterator[Style]:
    """Yield the mark before group 2, the group itself, and the mark after it, if there are any."""
    start, end = match.span(2)
    for style in (
        Style(match.start(), start, MARK),
        Style(start, end, name),
        Style(end, match.end(), MARK),
    ):
        if style.name and style.end > style.start:
            yield style


def _take_marks(match: re.Match[str]) -> str:
    start, end = match.span(2)
    return _TAKEN * (start - match.start()) + match[2] + _TAKEN * (match.end() - end)
