"""A few numbers that adapt the cut to your own kind of document, and the file that holds them."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from docbats.errors import SettingsError
from docbats.runtime import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from docbats.segments.costs import CutModel

_Scores = TypeVar("_Scores", "CutScores", "Gain")

FORMAT = "docbats-model-1"
"""The name and the version of the file. It changes if a number means something else, or if the
defaults, to which the numbers are relative, change much."""

MAX_BYTES = 10_000
"""The largest file that is read; one that docbats wrote has a tenth of that."""

_FIT_AGAIN = "fit it again with docbats fit"
_LIMITS: Mapping[str, tuple[float, float]] = {
    "parts": (0.05, 20.0),
    "growth": (-2.0, 2.0),
    "words": (1.0, 1e9),
    "cues": (0.05, 20.0),
    "lengths": (0.05, 20.0),
}
_SCORES = ("default", "own", "gain")
_MAX_DOCUMENTS = 10**9
_MAX_LANGUAGES = 50
_MAX_SCORE = 1000.0
_MAX_RATIO = 10.0  # of lengths; a text that differs even more is treated as one that differs so


@dataclass(frozen=True)
class CutScores:
    """How well documents are cut, as means over them.

    Attributes
    ----------
    pk, wd
        Pk and WindowDiff over words; 0 is perfect.
    f1
        F1 of boundaries, exact where there are paragraphs, else within two sentences.
    log2
        The unsigned binary logarithm of the found by the true number of segments; 1 is twice or
        half as many.
    ratio
        The geometric mean of the found by the true number.
    """

    pk: float
    wd: float
    f1: float
    log2: float
    ratio: float


@dataclass(frozen=True)
class Gain:
    """How much better documents left out are cut than by default: how much their loss falls.

    `low` and `high` bound its mean with a probability of 95 %.
    """

    mean: float
    low: float
    high: float

    @property
    def is_beyond_chance(self) -> bool:
        """Whether the whole interval is above 0."""
        return self.low > 0


@dataclass(frozen=True)
class CutComparison:
    """How well the same documents are cut by default and by a model of your own."""

    default: CutScores
    own: CutScores
    gain: Gain


@dataclass(frozen=True, kw_only=True)
class OwnModel:
    """Numbers that adapt the cut to your own kind of document, relative to the defaults.

    :func:`docbats.fit` finds them; pass them, or the path of their file, as the setting `model`.
    They change nothing where headings decide.

    Attributes
    ----------
    parts
        How many times as many parts a text of `words` words has as by default.
    growth
        The power by which that factor grows with the number of words, divided by `words`.
    words
        How many words are typical of these documents.
    cues
        What the weight of openings and breaks is multiplied by.
    lengths
        What the weight of lengths near their mean is multiplied by; larger: more equal lengths.
    joined
        Whether a text whose parts read like separate texts keeps each plain break, as by default,
        whatever number is expected.
    documents
        How many documents it was fitted to.
    languages
        The codes of their languages, the most frequent first.
    default, own
        How well documents that were left out are cut by default and by numbers fitted to the
        others.
    gain
        How much that gains.
    version
        The version of docbats that fitted it.

    Examples
    --------
    >>> model = OwnModel(parts=2, words=500, growth=0.5)
    >>> [round(model.times_as_many(words), 2) for words in (500, 2000)]
    [2.0, 4.0]
    >>> OwnModel.from_json(model.to_json()) == model
    True
    """

    parts: float = 1.0
    growth: float = 0.0
    words: float = 1000.0
    cues: float = 1.0
    lengths: float = 1.0
    joined: bool = True
    documents: int = 0
    languages: tuple[str, ...] = ()
    default: CutScores | None = field(default=None, repr=False)
    own: CutScores | None = field(default=None, repr=False)
    gain: Gain | None = field(default=None, repr=False)
    version: str = __version__

    def __post_init__(self) -> None:
        for name, (low, high) in _LIMITS.items():
            object.__setattr__(self, name, _number(name, getattr(self, name), low, high))
        if not isinstance(self.joined, bool):
            _refuse("joined", self.joined, "true or false")
        is_count = isinstance(self.documents, int) and not isinstance(self.documents, bool)
        if not (is_count and 0 <= self.documents <= _MAX_DOCUMENTS):
            expected = f"a whole number from 0 to {_MAX_DOCUMENTS}"
            _refuse("documents", self.documents, expected)
        if not _are_names(self.languages):
            _refuse("languages", self.languages, "codes of languages")
        if not (isinstance(self.version, str) and len(self.version) <= 50):
            _refuse("version", self.version, "a version of docbats")

    def times_as_many(self, n_words: float) -> float:
        """Return how many times as many parts are expected as by default."""
        ratio = min(max(n_words / self.words, 1 / _MAX_RATIO), _MAX_RATIO)
        return float(self.parts * ratio**self.growth)

    def applied_to(self, model: CutModel) -> CutModel:
        """Return the constants of the cut with these numbers."""
        return replace(
            model,
            openings=self.cues * model.openings,
            length=self.lengths * model.length,
            first_length=self.lengths * model.first_length,
            last_length=self.lengths * model.last_length,
            own=self,
        )

    @property
    def description(self) -> str:
        """What the numbers change, in a sentence."""
        times = "" if self.parts == 1 else f"{self.parts:g} times "
        growth = f", by the power {self.growth:g} of its length" if self.growth else ""
        where = f"in a text of {self.words:,.0f} words{growth}"
        changes = [f"{times}as many parts as by default {where}"]
        for name, factor in (("openings and breaks", self.cues), ("equal lengths", self.lengths)):
            if factor != 1:
                changes.append(f"{factor:g} times the weight of {name}")
        if not self.joined:
            changes.append("plain breaks count like others")
        return f"The model: {'; '.join(changes)}."

    @property
    def numbers(self) -> dict[str, float | bool]:
        """The numbers that change a cut, as JSON-ready values."""
        return {name: getattr(self, name) for name in (*_LIMITS, "joined")}

    def to_json(self) -> str:
        """Return the content of the file."""
        values = {
            "format": FORMAT,
            "docbats": self.version,
            "numbers": self.numbers,
            "documents": self.documents,
            "languages": list(self.languages),
            "default": None if self.default is None else asdict(self.default),
            "own": None if self.own is None else asdict(self.own),
            "gain": None if self.gain is None else asdict(self.gain),
        }
        return json.dumps(values, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str, name: str = "the model") -> OwnModel:
        """Return the model in the content of a file; `name` is what messages call it."""
        try:
            return cls._from_values(_parsed(text))
        except SettingsError as error:
            msg = f"{name}: {error}"
            raise SettingsError(msg) from None

    @classmethod
    def _from_values(cls, values: dict[str, Any]) -> OwnModel:
        found = values.get("format")
        if found != FORMAT:
            is_ours = isinstance(found, str) and found.startswith("docbats-model-")
            what = f"a model of the format {found:.40}" if is_ours else "not a model of docbats"
            msg = f"{what}, and this docbats reads {FORMAT}: {_FIT_AGAIN}"
            raise SettingsError(msg)
        numbers = _members(values, "numbers", (*_LIMITS, "joined"))
        names = ("format", "docbats", "numbers", "documents", "languages", *_SCORES)
        _members({"it": values}, "it", names)
        if not isinstance(values["languages"], list):
            _refuse("languages", values["languages"], "a list of codes")
        return cls(
            **numbers,
            documents=values["documents"],
            languages=tuple(values["languages"]),
            default=_scores(values, "default", CutScores),
            own=_scores(values, "own", CutScores),
            gain=_scores(values, "gain", Gain),
            version=values["docbats"],
        )

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> OwnModel:
        """Read the file of a model; ReadError if there is none, SettingsError if it is not one."""
        from docbats.readers.decoding import read_bytes

        name = os.fspath(path)
        data = read_bytes(name, MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            msg = f"{name}: more than {MAX_BYTES:,} bytes, so not a model of docbats: {_FIT_AGAIN}"
            raise SettingsError(msg)
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            msg = f"{name}: not text, so not a model of docbats: {_FIT_AGAIN}"
            raise SettingsError(msg) from None
        return cls.from_json(text, name)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the file, complete or not at all."""
        from pathlib import Path

        from docbats.atomic_write import write_bytes_atomically

        write_bytes_atomically(Path(path), self.to_json().encode())


def _parsed(text: str) -> dict[str, Any]:
    """Return the values of a JSON object, in which no number is infinite and no name is twice."""
    try:
        values = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        what = "truncated or damaged" if text.lstrip().startswith("{") else "not a model of docbats"
        msg = f"{what} ({_reason(error)}): {_FIT_AGAIN}"
        raise SettingsError(msg) from None
    if not isinstance(values, dict):
        msg = f"not a model of docbats (a JSON {type(values).__name__}): {_FIT_AGAIN}"
        raise SettingsError(msg)
    return values


def _reason(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else f"{error!s:.80}"


def _refuse_constant(name: str) -> float:
    msg = f"{name} is not a number"
    raise ValueError(msg)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) < len(pairs):
        msg = "a name occurs twice"
        raise ValueError(msg)
    return dict(pairs)


def _members(values: dict[str, Any], name: str, expected: tuple[str, ...]) -> dict[str, Any]:
    """Return the object of this name, which must have exactly the members that are expected."""
    found = values.get(name)
    if not isinstance(found, dict):
        _refuse(name, found, f"an object with {', '.join(expected)}")
    for member in (*expected, *found):
        if member not in found or member not in expected:
            what = "is missing" if member not in found else "is unknown"
            msg = f"{member!r:.60} {what}: {_FIT_AGAIN}"
            raise SettingsError(msg)
    return found


def _scores(values: dict[str, Any], name: str, kind: type[_Scores]) -> _Scores | None:
    if values[name] is None:
        return None
    names = tuple(each.name for each in fields(kind))
    found = _members(values, name, names)
    return kind(*(_number(each, found[each], -_MAX_SCORE, _MAX_SCORE) for each in names))


def _number(name: str, value: object, low: float, high: float) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not (is_number and low <= value <= high):  # type: ignore[operator]  # NaN is not, either
        _refuse(name, value, f"a number from {low:g} to {high:g}")
    return float(value)  # type: ignore[arg-type]


def _are_names(values: object) -> bool:
    return (
        isinstance(values, tuple)
        and len(values) <= _MAX_LANGUAGES
        and all(isinstance(name, str) and 0 < len(name) <= 20 for name in values)
    )


def _refuse(name: str, value: object, expected: str) -> NoReturn:
    try:
        shown = f"{value!r:.60}"
    except ValueError:  # Python does not print whole numbers of thousands of digits
        shown = "a very large number"
    msg = f"{name} must be {expected}, got {shown}: {_FIT_AGAIN}"
    raise SettingsError(msg)
