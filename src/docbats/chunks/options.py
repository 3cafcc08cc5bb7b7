"""The options of a chunker as a table: what a request or a tool may set, and what each means."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from docbats.chunks.chunker import Chunker, make_chunker
from docbats.chunks.sizes import ChunkUnit
from docbats.errors import SettingsError
from docbats.settings import SETTING_INFOS

_HELP_FOR_NAMES = {  # where the class speaks of functions and objects, too
    "size_unit": "The unit of sizes: characters, words (separated by white space) or tokens.",
    "tokenizer": "Counts tokens: one of the names that were allowed when the service or tool was "
    'started. It implies the size_unit "tokens"; without it, the first of them counts.',
}
_ATTRIBUTE = re.compile(r"^(\w+(?:, \w+)*)\n((?:    .*\n?)+)", re.MULTILINE)
_ROLE = re.compile(r":\w+:`~?([^`]+)`|``([^`]+)``|`([^`]+)`")


@dataclass(frozen=True)
class ChunkOption:
    """An option that a text can name: no function or object.

    Attributes
    ----------
    type
        The type of its values, such as ``int`` or a Literal.
    default
        Its value if none is given.
    help
        What it means.
    """

    type: Any
    default: Any
    help: str

    @property
    def minimum(self) -> int:
        """The least value of a whole number."""
        return 1 if self.default else 0


@cache
def chunk_options() -> dict[str, ChunkOption]:
    """Return all options of :class:`Chunker` whose values can be sent, by their names.

    >>> chunk_options()["chunk_overlap"].default
    0
    >>> "length_function" in chunk_options()  # a function cannot be sent
    False
    """
    types = get_type_hints(Chunker, localns={"Callable": Callable, "ChunkUnit": ChunkUnit})
    helps = _attributes(Chunker.__doc__ or "")
    table = {}
    for field in fields(Chunker):
        type_ = str if field.name == "tokenizer" else _sendable(types[field.name])
        help_ = _HELP_FOR_NAMES.get(field.name) or helps.get(field.name, "")
        if help_.startswith("As in "):  # a setting of the analysis, too
            info = SETTING_INFOS[field.name]
            help_, type_ = info.help, Literal[getattr(info.value, "choices", ())]
        if type_ is not None:
            table[field.name] = ChunkOption(type_, field.default, help_)
    return table


def with_tokenizer(options: Mapping[str, Any], allowed: Mapping[str, str]) -> dict[str, Any]:
    """Return options with the tokenizer that a client chose by its name.

    A client must not name a file or a download of its own choice. SettingsError if the name is not
    one of those `allowed`, which are given with the tokenizers that they stand for.

    >>> with_tokenizer({"size_unit": "tokens"}, {"minilm": "models/minilm.json"})["tokenizer"]
    'models/minilm.json'
    """
    name = options.get("tokenizer")
    if name is None and options.get("size_unit") != "tokens":
        return dict(options)
    if not allowed:
        msg = (
            "there is no tokenizer to count tokens with: count characters or words, or start "
            "docbats with --tokenizer"
        )
        raise SettingsError(msg)
    if name is None:
        name = next(iter(allowed))
    if name not in allowed:
        msg = f"tokenizer must be one of {', '.join(allowed)}, got {name[:100]!r}"
        raise SettingsError(msg)
    return {**options, "tokenizer": allowed[name]}


@lru_cache(maxsize=8)  # a tokenizer takes time to load
def known_chunker(options: frozenset[tuple[str, Any]]) -> Chunker:
    """Return a chunker with these options; the last few are kept.

    >>> known_chunker(frozenset({"chunk_size": 400}.items())).chunk_size
    400
    """
    return make_chunker(dict(options))


def _sendable(type_: Any) -> Any:
    """Return what is left of a type without functions and objects; None if nothing is."""
    parts = get_args(type_) if get_origin(type_) in {Union, UnionType} else (type_,)
    kept = [part for part in parts if part in {int, float, str, bool} or _is_literal(part)]
    return Union[tuple(kept)] if kept else None  # noqa: UP007  (its members are not known here)


def _is_literal(type_: Any) -> bool:
    return get_origin(type_) is Literal


def _attributes(docstring: str) -> dict[str, str]:
    """Return the descriptions under "Attributes" of a class, by name, as plain text."""
    _, _, section = docstring.partition("Attributes\n    ----------\n")
    lines = re.sub(r"^ {4}", "", section, flags=re.MULTILINE)
    found: dict[str, str] = {}
    for names, text in _ATTRIBUTE.findall(lines):
        plain = _ROLE.sub(lambda m: m[1] or m[2] or m[3], " ".join(text.split()))
        found |= dict.fromkeys(names.split(", "), plain)
    return found
