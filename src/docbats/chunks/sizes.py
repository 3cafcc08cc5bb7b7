"""Sizes of texts in characters, words or tokens, or by any function."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from docbats.errors import InputError, MissingExtraError, SettingsError
from docbats.segments.sizes import measured

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ChunkUnit = Literal["characters", "words", "tokens"]
SIZE_UNITS: tuple[str, ...] = get_args(ChunkUnit)
DEFAULT_TOKENIZER = "cl100k_base"

_WORD = re.compile(r"\S+")


@dataclass(frozen=True)
class Sizes:
    """Measures texts by the function `one`, or several at once by `batch`, if that is faster."""

    one: Callable[[str], int]
    batch: Callable[[Sequence[str]], list[int]] | None = None

    def __call__(self, text: str) -> int:
        """Return the size of one text."""
        return self.one(text)

    def many(self, texts: Sequence[str]) -> list[int]:
        """Return the size of each text."""
        return [self.one(text) for text in texts] if self.batch is None else self.batch(texts)


def make_sizes(
    unit: str | Callable[[str], int] = "characters",
    tokenizer: Any = None,
    length_function: Callable[[str], int] | None = None,
) -> Sizes:
    """Return the sizes for the options of a :class:`~docbats.Chunker`.

    >>> make_sizes("words")("Bats fly at night.")
    4
    """
    if length_function is not None:
        if tokenizer is not None:
            msg = "tokenizer and length_function both count: pass one of them"
            raise SettingsError(msg)
        unit = length_function
    if callable(unit):
        return Sizes(len) if unit is len else Sizes(partial(measured, unit))
    if unit not in SIZE_UNITS:
        msg = f"size_unit must be one of {', '.join(SIZE_UNITS)}, or a function, got {unit!r}"
        raise SettingsError(msg)
    if unit == "tokens" or tokenizer is not None:
        return _token_sizes(DEFAULT_TOKENIZER if tokenizer is None else tokenizer)
    return Sizes(len if unit == "characters" else lambda text: len(_WORD.findall(text)))


def _token_sizes(tokenizer: Any) -> Sizes:
    """Count tokens as the tokenizer's own `encode` does, including special tokens."""
    if isinstance(tokenizer, str | Path):
        tokenizer = _load(str(tokenizer))
    module = type(tokenizer).__module__.partition(".")[0]
    if module == "tokenizers":
        whole = _without_truncation(tokenizer)
        return Sizes(
            lambda text: len(whole.encode(text)),
            lambda texts: [len(found) for found in whole.encode_batch(list(texts))],
        )
    if module == "tiktoken":  # where the names of special tokens are ordinary text
        return Sizes(lambda text: len(tokenizer.encode_ordinary(text)))
    if module == "transformers":
        return Sizes(lambda text: len(tokenizer.encode(text, truncation=False)))
    count = getattr(tokenizer, "count_tokens", None)  # as in chonkie
    if callable(count):
        return Sizes(partial(measured, count))
    tokenize = getattr(tokenizer, "encode", tokenizer)
    if not callable(tokenize):
        msg = (
            "tokenizer must be a name, a function, or an object of tokenizers, tiktoken or "
            f"transformers, got {type(tokenizer).__name__}"
        )
        raise SettingsError(msg)
    return Sizes(partial(measured, partial(_count, tokenize)))


def _count(tokenize: Callable[[str], Any], text: str) -> Any:
    """Count by a function that returns the tokens or their number."""
    found = tokenize(text)
    return len(found) if hasattr(found, "__len__") else found


def _without_truncation(tokenizer: Any) -> Any:
    """Return a copy that neither truncates nor pads, so that all tokens are counted."""
    if tokenizer.truncation is None and tokenizer.padding is None:
        return tokenizer
    copy = type(tokenizer).from_str(tokenizer.to_str())
    copy.no_truncation()
    copy.no_padding()
    return copy


def tokenizer_file(name: str) -> Path | None:
    """Return the file of a tokenizer; None if it is not named by a file or folder.

    >>> tokenizer_file("models/bats.json").name
    'bats.json'
    >>> tokenizer_file("cl100k_base")
    """
    path = Path(name)
    if path.is_dir():
        return path / "tokenizer.json"
    return path if path.suffix == ".json" else None


def _load(name: str) -> Any:
    """Load a ``tokenizer.json``, an encoding of tiktoken, or a tokenizer of the hub."""
    path = tokenizer_file(name)
    if path is None:
        return _tiktoken_encoding(name) or _load_by_tokenizers(
            "from_pretrained", name, repr(name), "name a file tokenizer.json, an encoding of "
            "tiktoken or a model of the Hugging Face hub",
        )  # fmt: skip
    if not path.is_file():
        msg = f"there is no tokenizer at {name}: name a file tokenizer.json"
        raise InputError(msg)
    return _load_by_tokenizers(
        "from_file", str(path), str(path), "download it again, or save it again by Tokenizer.save"
    )


def _load_by_tokenizers(method: str, name: str, shown: str, advice: str) -> Any:
    try:
        from tokenizers import Tokenizer
    except ImportError:
        msg = 'tokenizers by name need more packages: pip install "docbats[tokens]"'
        raise MissingExtraError(msg) from None
    try:
        return getattr(Tokenizer, method)(name)
    except Exception as error:  # plain exceptions, or any of the network
        msg = f"the tokenizer {shown} could not be loaded ({error}): {advice}"
        raise InputError(msg) from None


def _tiktoken_encoding(name: str) -> Any:
    """Return tiktoken's encoding of this name or for a model of this name, if there is one."""
    try:
        import tiktoken
    except ImportError:
        if name != DEFAULT_TOKENIZER:
            return None
        msg = 'to count tokens, pass a tokenizer, or install one: pip install "docbats[tokens]"'
        raise MissingExtraError(msg) from None
    try:
        if name in tiktoken.list_encoding_names():
            return tiktoken.get_encoding(name)
        return tiktoken.encoding_for_model(name)
    except KeyError:
        return None
    except Exception as error:  # whatever its download raises
        msg = (
            f"tiktoken could not load {name!r} ({error}): pass a tokenizer that is on this "
            "machine, such as a file tokenizer.json"
        )
        raise InputError(msg) from None
