"""Sizes of texts: in characters, words, sentences, tokens, or by any function."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from docbats.errors import InputError, MissingExtraError, SettingsError
from docbats.segments.sizes import measured

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ChunkUnit = Literal["characters", "words", "tokens"]
SIZE_UNITS: tuple[str, ...] = get_args(ChunkUnit)

_WORD = re.compile(r"\S+")
DEFAULT_TOKENIZER = "cl100k_base"


class Sizes:
    """Measures texts, many at once."""

    def __init__(
        self,
        one: Callable[[str], int],
        many: Callable[[Sequence[str]], list[int]] | None = None,
    ) -> None:
        self._one = one
        self._many = many

    def many(self, texts: Sequence[str]) -> list[int]:
        """Return the size of each text."""
        return list(map(self._one, texts)) if self._many is None else self._many(texts)

    def __call__(self, text: str) -> int:
        """Return the size of one text."""
        return self._one(text)


def make_sizes(
    unit: str | Callable[[str], int] = "characters",
    tokenizer: Any = None,
    length_function: Callable[[str], int] | None = None,
) -> Sizes:
    """Return what measures texts, from what a user passes.

    >>> make_sizes("words")("Bats fly at night.")
    4
    """
    if length_function is not None:
        if tokenizer is not None:
            msg = "tokenizer and length_function both count: pass one of them"
            raise SettingsError(msg)
        unit = length_function
    if callable(unit):
        return _by_function(unit)
    if unit not in SIZE_UNITS:
        msg = f"size_unit must be one of {', '.join(SIZE_UNITS)}, or a function, got {unit!r}"
        raise SettingsError(msg)
    if unit == "tokens" or tokenizer is not None:
        return _by_tokenizer(DEFAULT_TOKENIZER if tokenizer is None else tokenizer)
    if unit == "words":
        return Sizes(lambda text: len(_WORD.findall(text)))
    return Sizes(len)


def _by_function(function: Callable[[str], int]) -> Sizes:
    if function is len:
        return make_sizes("characters")
    return Sizes(partial(measured, function))


def _by_tokenizer(tokenizer: Any) -> Sizes:
    """Return what counts tokens as a tokenizer's own `encode` does, special tokens included."""
    if isinstance(tokenizer, str | Path):
        tokenizer = _load(str(tokenizer))
    module = type(tokenizer).__module__.partition(".")[0]
    if module == "tokenizers":
        return _by_tokenizers(_without_truncation(tokenizer))
    if module == "tiktoken":
        # Names of special tokens that occur in a text are text.
        return Sizes(lambda text: len(tokenizer.encode_ordinary(text)))
    if module == "transformers":
        return Sizes(lambda text: len(tokenizer.encode(text, truncation=False)))
    count = getattr(tokenizer, "count_tokens", None)  # as chonkie's have
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


def _by_tokenizers(tokenizer: Any) -> Sizes:
    def one(text: str) -> int:
        return len(tokenizer.encode(text))

    def many(texts: Sequence[str]) -> list[int]:
        return [len(found) for found in tokenizer.encode_batch(list(texts))]

    return Sizes(one, many)


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
    """Return the file that a tokenizer of this name is read from; None where it is no file.

    >>> tokenizer_file("models/bats.json").name
    'bats.json'
    >>> tokenizer_file("cl100k_base")
    """
    path = Path(name)
    if path.is_dir():
        return path / "tokenizer.json"
    return path if path.suffix == ".json" else None


def _load(name: str) -> Any:
    """Load a tokenizer by its name: a file ``tokenizer.json``, one of tiktoken, or of the hub."""
    path = tokenizer_file(name)
    if path is not None:
        if not path.is_file():
            msg = f"there is no tokenizer at {name}: name a file tokenizer.json"
            raise InputError(msg)
        tokenizers = _tokenizers()
        try:
            return tokenizers.from_file(str(path))
        except Exception as error:  # a plain Exception is what it raises
            msg = (
                f"the tokenizer {path} could not be loaded ({error}): download it again, or save "
                "it again by Tokenizer.save"
            )
            raise InputError(msg) from None
    known = _tiktoken_encoding(name)
    if known is not None:
        return known
    tokenizers = _tokenizers()
    try:
        return tokenizers.from_pretrained(name)
    except Exception as error:  # of its network, its files or its format, in classes of its own
        msg = (
            f"the tokenizer {name!r} could not be loaded ({error}): name a file tokenizer.json, an "
            "encoding of tiktoken or a model of the Hugging Face hub"
        )
        raise InputError(msg) from None


def _tiktoken_encoding(name: str) -> Any:
    """Return the encoding of tiktoken, or that of a model, of this name; None where none is."""
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
    except Exception as error:  # it fetches the file with whatever it has
        msg = (
            f"tiktoken could not load {name!r} ({error}): pass a tokenizer that is on this "
            "machine, such as a file tokenizer.json"
        )
        raise InputError(msg) from None


def _tokenizers() -> Any:
    try:
        from tokenizers import Tokenizer
    except ImportError:
        msg = 'tokenizers by name need more packages: pip install "docbats[tokens]"'
        raise MissingExtraError(msg) from None
    return Tokenizer
