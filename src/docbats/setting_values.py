"""Kinds of values that settings take: each checks a value and says what it expects."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, fields
from numbers import Integral, Real
from types import MappingProxyType
from typing import Any, Literal, NoReturn, Protocol, TypeVar

from docbats.errors import SettingsError
from docbats.segments.costs import SegmentCost
from docbats.text.tags import CLASSES
from docbats.text.words import normal_form

Cut = Literal["likelihood", "linkage"]
Granularity = Literal["coarse", "medium", "fine"]
Ranking = Literal["cores", "kmeans"]
Unit = Literal["sentences", "words", "characters"]
Laplacian = Literal["regularized", "plain", "none"]
Sentences = Literal["auto", "lines"]
StructureUse = Literal["auto", "ignore", "strict"]
Tagger = Callable[[list[str]], Sequence[str]]
"""Takes the tokens of one sentence and returns a tag for each; NN*, VB* and NOUN, PROPN, VERB count
as nouns and verbs."""
Embeddings = Callable[[list[str]], Any]
"""Takes texts and returns an array with a row, a vector, for each."""


# ruff: noqa: TRY004  (a value of another type is as wrong as one out of range)


MAX_REAL = 10**9  # above any useful weight; sums and squares of larger ones may overflow
_MAX_SHOWN = 200  # characters of a wrong value in a message


class Value(Protocol):
    """A kind of value that a setting may have."""

    @property
    def expected(self) -> str:
        """What completes the sentence "it must be ..."."""

    def check(self, value: Any) -> Any:
        """Return the value as it is stored, or raise a ValueError with what was expected."""


class WholeNumber:
    """A whole number within limits; or the `word`, or None where it is `optional`."""

    def __init__(
        self,
        minimum: int,
        maximum: int = sys.maxsize,
        *,
        word: str | None = None,
        optional: bool = False,
    ) -> None:
        self.minimum = minimum
        self.maximum = maximum
        self.word = word
        self.optional = optional
        self.limits = _limits(minimum, maximum)
        self.expected = f"a whole number, {self.limits}"
        if word is not None:
            self.expected += f', or "{word}"'
        if optional:
            self.expected += ", or None"

    def check(self, value: Any) -> Any:
        """Return the number as an int; the word and None stay what they are."""
        if (value is None and self.optional) or (isinstance(value, str) and value == self.word):
            return value
        if not isinstance(value, Integral) or isinstance(value, bool):
            raise ValueError(self.expected)
        number = int(value)
        if number > self.maximum:
            msg = f"at most {self.maximum}"
            raise ValueError(msg)
        if number < self.minimum:
            raise ValueError(self.expected)
        return number


class RealNumber:
    """A number within limits; or None where it is `optional`."""

    def __init__(self, minimum: int, maximum: int = MAX_REAL, *, optional: bool = False) -> None:
        self.minimum = minimum
        self.maximum = maximum
        self.optional = optional
        self.limits = _limits(minimum, maximum)
        self.expected = f"a number {self.limits}" + (", or None" if optional else "")

    def check(self, value: Any) -> Any:
        """Return the number as a float; None stays None."""
        if value is None and self.optional:
            return None
        is_number = isinstance(value, Real) and not isinstance(value, bool)
        if not (is_number and self.minimum <= value <= self.maximum):
            raise ValueError(self.expected)
        return float(value)


class Choice:
    """One of a few words, or of the keys of a `table` to which others may be added.

    Where `function` says what it must do, a function of the user's own will do as well.
    """

    def __init__(
        self,
        *words: str,
        table: Mapping[str, object] = MappingProxyType({}),
        function: str | None = None,
    ) -> None:
        self._words = words
        self._table = table
        self._function = function

    @property
    def choices(self) -> tuple[str, ...]:
        """The words and the keys that there are now."""
        return (*self._words, *self._table)

    @property
    def expected(self) -> str:
        """What completes the sentence "it must be ..."."""
        expected = f"one of {', '.join(self.choices)}"
        return expected if self._function is None else f"{expected}, or {self._function}"

    def check(self, value: Any) -> Any:
        """Return the word or the function itself."""
        if self._function is not None and callable(value):
            return value
        if not (isinstance(value, str) and value in self.choices):
            raise ValueError(self.expected)
        return value


class ChoiceOrCost(Choice):
    """One of a few words, or a cost of the user's own."""

    @property
    def expected(self) -> str:
        """What completes the sentence "it must be ..."."""
        return f"{super().expected}, or an instance of a class derived from docbats.SegmentCost"

    def check(self, value: Any) -> Any:
        """Return the word or the cost itself."""
        # SegmentCost is a protocol, which isinstance() does not take.
        return value if SegmentCost in type(value).__mro__ else super().check(value)


class Flag:
    """True or False."""

    expected = "True or False"

    def check(self, value: Any) -> Any:
        """Return the bool itself."""
        if not isinstance(value, bool):
            raise ValueError(self.expected)
        return value


class Function:
    """A function, or None."""

    def __init__(self, expected: str) -> None:
        self.expected = f"{expected}, or None"

    def check(self, value: Any) -> Any:
        """Return the function itself."""
        if not (value is None or callable(value)):
            raise ValueError(self.expected)
        return value


class TaggerName:
    """The name of a tagger, a function that tags, or None."""

    expected = '"docbats", "spacy:NAME", a function, or None'

    def check(self, value: Any) -> Any:
        """Return the name or the function itself."""
        if isinstance(value, str):
            is_known = value == "docbats" or (value.startswith("spacy:") and value != "spacy:")
        else:
            is_known = value is None or callable(value)
        if not is_known:
            raise ValueError(self.expected)
        return value


class WordSet:
    """Words, or the name of a list of them."""

    def __init__(self, *names: str) -> None:
        self.names = names
        self.expected = ", ".join(f'"{name}"' for name in names) + " or a set of words"

    def check(self, value: Any) -> Any:
        """Return the name, or the words in their normal form as a frozenset."""
        if isinstance(value, str) and value in self.names:
            return value
        if isinstance(value, str) or not isinstance(value, Iterable):
            raise ValueError(self.expected)
        words = list(value)
        if not all(isinstance(word, str) for word in words):
            raise ValueError(self.expected)
        return frozenset(map(normal_form, words))


class ClassWeights:
    """A weight for each of some word classes."""

    expected = f"numbers between 0 and {MAX_REAL}, by word class ({', '.join(CLASSES)})"

    def check(self, value: Any) -> Any:
        """Return pairs of class and weight, which unlike a dict can be hashed."""
        try:
            weights = {name: float(weight) for name, weight in dict(value).items()}
        except (TypeError, ValueError, OverflowError):
            raise ValueError(self.expected) from None
        if not weights.keys() <= set(CLASSES):
            raise ValueError(self.expected)
        if not all(0 <= weight <= MAX_REAL for weight in weights.values()):
            raise ValueError(self.expected)
        return tuple(weights.items())


def refuse(name: str, value: object, expected: str, advice: str = "") -> NoReturn:
    """Raise the error for a setting that is not what it must be.

    >>> refuse("window", -1, "a whole number, at least 0")
    Traceback (most recent call last):
    docbats.errors.SettingsError: window must be a whole number, at least 0, got -1
    """
    msg = f"{name} must be {expected}, got {_shown(value)}"
    raise SettingsError(f"{msg}: {advice}" if advice else msg) from None


def _shown(value: object) -> str:
    try:
        shown = repr(value)
    except ValueError:  # Python writes no whole number of thousands of digits
        return f"a very large {type(value).__name__}"
    return shown if len(shown) <= _MAX_SHOWN else f"{shown[:_MAX_SHOWN]}..."


def _limits(minimum: int, maximum: int) -> str:
    if maximum == sys.maxsize:
        return f"at least {minimum}"
    return f"between {minimum} and {maximum}"


_KEY = "setting"

T = TypeVar("T")


class SettingInfo:
    """What is known about a setting besides its name and type; see :func:`setting`."""

    default: Any
    value: Value
    help: str
    details: str
    symbol: str
    section: str
    aliases: tuple[str, ...]
    metavar: str | None
    main: bool
    command: bool
    service: bool
    service_maximum: int | None

    def __init__(self, **declared: Any) -> None:
        # A dataclass or NamedTuple of so many fields would slow the import of docbats down.
        vars(self).update(declared)

    @property
    def in_the_paper(self) -> str:
        """The symbol of the paper and where it stands; empty where the paper has neither."""
        return " of ".join(filter(None, [self.symbol, self.section]))

    @property
    def sentences(self) -> list[str]:
        """All that the docs say of the setting, as reStructuredText."""
        sentences = [self.help, self.details, f"It must be {self.value.expected}."]
        if self.in_the_paper:
            sentences.append(f"In the paper: {self.in_the_paper}.")
        return list(filter(None, sentences))

    def help_with(self, *remarks: str) -> str:
        """Return the help with those of the remarks that are not empty in brackets after it."""
        shown = "; ".join(filter(None, remarks))
        return f"{self.help}  [{shown}]" if shown else self.help


def setting(
    default: T,
    value: Value,
    *,
    help: str,  # noqa: A002  (as in click)
    details: str = "",
    symbol: str = "",
    section: str = "",
    aliases: tuple[str, ...] = (),
    metavar: str | None = None,
    main: bool = False,
    command: bool = True,
    service: bool = True,
    service_maximum: int | None = None,
) -> T:
    """Declare a field of a dataclass of settings.

    Parameters
    ----------
    default
        Its value where none is given.
    value
        What it may be.
    help
        What it means, in one sentence that the command, the service and the docs show.
    details
        What the docs add to that, as reStructuredText.
    symbol, section
        Its symbol in the paper, and the equation or section there.
    aliases
        Further names of the command's option, such as ``-w``.
    metavar
        What stands for the value in the command's help; by default the type.
    main
        Whether most people may want to change it, so that ``docbats corpus`` has it, too, and the
        help of the command shows it early.
    command, service
        Whether the command has an option for it, and whether a request may set it.
    service_maximum
        The largest number that a request may ask for, where it must be less than elsewhere.
    """
    info = SettingInfo(
        default=default, value=value, help=help, details=details, symbol=symbol, section=section,
        aliases=aliases, metavar=metavar, main=main, command=command, service=service,
        service_maximum=service_maximum,
    )  # fmt: skip
    declared: Any = field(default=default, metadata={_KEY: info})
    return declared  # type: ignore[no-any-return]


def setting_infos(settings: type[Any]) -> dict[str, SettingInfo]:
    """Return what a dataclass of settings declares about each of its fields, by their names."""
    return {field.name: field.metadata[_KEY] for field in fields(settings)}


def describe_attributes(infos: Mapping[str, SettingInfo]) -> str:
    """Return the section of a docstring that describes the settings."""
    lines = ["Attributes", "----------"]
    for name, info in infos.items():
        lines += [name, *(f"    {sentence}" for sentence in info.sentences)]
    return "\n".join(lines)
