"""Every setting of the method, declared once: its default, its help and its limits."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from inspect import cleandoc
from numbers import Integral, Real
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Protocol, TypeVar, get_args

from docbats.errors import SettingsError
from docbats.segments.costs import SegmentCost
from docbats.text.languages import LANGUAGES
from docbats.text.tags import CLASSES
from docbats.text.words import normal_form

if TYPE_CHECKING:
    from docbats.naming import NamingRequest, SegmentName
    from docbats.segments.own_model import OwnModel

# ruff: noqa: TRY004  (a value of another type is as wrong as one out of range)
# ruff: noqa: RUF009  (setting() makes a field, as dataclasses.field() does)

CutName = Literal["likelihood", "linkage"]
Granularity = Literal["coarse", "medium", "fine"]
Ranking = Literal["cores", "kmeans"]
SizeUnit = Literal["sentences", "words", "characters"]
Laplacian = Literal["regularized", "plain", "none"]
Sentences = Literal["auto", "lines"]
StructureUse = Literal["auto", "ignore", "strict"]
Tagger = Callable[[list[str]], Sequence[str]]
"""Takes the tokens of one sentence and returns a tag for each; NN*, VB* and NOUN, PROPN, VERB count
as nouns and verbs."""
Embeddings = Callable[[list[str]], Any]
"""Takes texts and returns an array with a row, a vector, for each."""

Namer = Callable[["NamingRequest"], "Sequence[SegmentName]"]
"""Takes the segments of a document and returns a title and a summary for each."""

MAX_REAL = 10**9  # above any useful weight; sums and squares of larger ones may overflow
_MAX_SHOWN = 200  # characters of a wrong value in a message
_KEY = "setting"

T = TypeVar("T")


class Value(Protocol):
    """A kind of value that a setting may have."""

    @property
    def expected(self) -> str:
        """What completes the sentence "it must be ..."."""

    def check(self, value: Any) -> Any:
        """Return the value as it is stored, or raise a ValueError with what was expected."""


class WholeNumber:
    """A whole number within limits; or the `word`, or None if it is `optional`."""

    def __init__(
        self,
        minimum: int,
        maximum: int = sys.maxsize,
        *,
        word: str | None = None,
        optional: bool = False,
    ) -> None:
        self.minimum, self.maximum = minimum, maximum
        self.word, self.optional = word, optional
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
    """A number within limits; or None if it is `optional`."""

    def __init__(self, minimum: int, maximum: int = MAX_REAL, *, optional: bool = False) -> None:
        self.minimum, self.maximum, self.optional = minimum, maximum, optional
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


class OneOf:
    """One of a few words, or of the keys of a `table` to which others may be added.

    If `function` says what it must do, a function is allowed, too; with `or_cost`, a custom cost.
    """

    def __init__(
        self,
        *words: str,
        table: Mapping[str, object] = MappingProxyType({}),
        function: str | None = None,
        or_cost: bool = False,
    ) -> None:
        self._words, self._table = words, table
        self._function, self._or_cost = function, or_cost

    @property
    def choices(self) -> tuple[str, ...]:
        """The words, and the keys that there are now."""
        return (*self._words, *self._table)

    @property
    def expected(self) -> str:
        """What completes the sentence "it must be ..."."""
        expected = f"one of {', '.join(self.choices)}"
        if self._or_cost:
            expected += ", or an instance of a class derived from docbats.SegmentCost"
        return expected if self._function is None else f"{expected}, or {self._function}"

    def check(self, value: Any) -> Any:
        """Return the word, the function or the cost itself."""
        is_function = self._function is not None and callable(value)
        # SegmentCost is a protocol, which isinstance() does not take.
        is_cost = self._or_cost and SegmentCost in type(value).__mro__
        is_word = isinstance(value, str) and value in self.choices
        if not (is_word or is_function or is_cost):
            raise ValueError(self.expected)
        return value


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


class TaggerName(Function):
    """The name of a tagger, a function that tags, or None."""

    def __init__(self) -> None:
        super().__init__('"docbats", "spacy:NAME", a function')

    def check(self, value: Any) -> Any:
        """Return the name or the function itself."""
        if not isinstance(value, str):
            return super().check(value)
        if value != "docbats" and (not value.startswith("spacy:") or value == "spacy:"):
            raise ValueError(self.expected)
        return value


class NamerFunction(Function):
    """A function that names segments, or where to import it from as "module:function"; or None."""

    def __init__(self) -> None:
        super().__init__('a function, or "module:function" to import it')

    def check(self, value: Any) -> Any:
        """Return the function itself; or the string, which other processes can import, too."""
        if not isinstance(value, str):
            return super().check(value)
        if not re.fullmatch(r"\w+(?:\.\w+)*:\w+(?:\.\w+)*", value):
            raise ValueError(self.expected)
        from docbats.naming import find_namer

        try:
            find_namer(value)
        except ValueError as error:
            msg = f"{self.expected}: {error}"
            raise ValueError(msg) from None
        return value


class ModelFile:
    """A model that was fitted to documents of your own, or the path of its file; or None."""

    expected = "a docbats.OwnModel, or the path of its file, or None"

    def check(self, value: Any) -> Any:
        """Return the model itself, read from its file."""
        if value is None:
            return None
        from docbats.segments.own_model import OwnModel

        if isinstance(value, str | PathLike):
            return OwnModel.read(value)
        if not isinstance(value, OwnModel):
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
        is_in_range = all(0 <= weight <= MAX_REAL for weight in weights.values())
        if not (weights.keys() <= set(CLASSES) and is_in_range):
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
    except ValueError:  # Python does not print whole numbers of thousands of digits
        return f"a very large {type(value).__name__}"
    return shown if len(shown) <= _MAX_SHOWN else f"{shown[:_MAX_SHOWN]}..."


def _limits(minimum: int, maximum: int) -> str:
    if maximum == sys.maxsize:
        return f"at least {minimum}"
    return f"between {minimum} and {maximum}"


@dataclass(frozen=True, kw_only=True)
class SettingInfo:
    """What is known about a setting besides its name and type.

    Attributes
    ----------
    default
        Its value if none is given.
    value
        The values that it may have.
    help
        What it means, in one sentence for the command, the service and the docs.
    details
        What the docs add, as reStructuredText.
    symbol, section
        Its symbol in the paper, and the equation or section there.
    aliases
        Further names of the command's option, such as ``-w``.
    metavar
        The name of the value in the command's help; the type by default.
    main
        Whether most people may want to change it: ``docbats corpus`` has it, too, and the help of
        the command shows it early.
    command, service
        Whether the command has an option for it, and whether a request may set it.
    service_maximum
        The largest number that a request may ask for, if it is less than elsewhere.
    """

    default: Any
    value: Value
    help: str
    details: str = ""
    symbol: str = ""
    section: str = ""
    aliases: tuple[str, ...] = ()
    metavar: str | None = None
    main: bool = False
    command: bool = True
    service: bool = True
    service_maximum: int | None = None

    @property
    def in_the_paper(self) -> str:
        """The symbol and the section in the paper; empty if it has neither."""
        return " of ".join(filter(None, [self.symbol, self.section]))

    @property
    def sentences(self) -> list[str]:
        """All that the docs say about the setting, as reStructuredText."""
        sentences = [self.help, self.details, f"It must be {self.value.expected}."]
        if self.in_the_paper:
            sentences.append(f"In the paper: {self.in_the_paper}.")
        return list(filter(None, sentences))

    def help_with(self, *remarks: str) -> str:
        """Return the help, followed by the remarks that are not empty in brackets."""
        shown = "; ".join(filter(None, remarks))
        return f"{self.help}  [{shown}]" if shown else self.help


def setting(default: T, value: Value, **declared: Any) -> T:
    """Declare a field of a dataclass of settings, as :class:`SettingInfo` describes it."""
    info = SettingInfo(default=default, value=value, **declared)
    made: Any = field(default=default, metadata={_KEY: info})
    return made  # type: ignore[no-any-return]


def setting_infos(settings: type[Any]) -> dict[str, SettingInfo]:
    """Return what a dataclass of settings declares about each of its fields, by their names."""
    return {field.name: field.metadata[_KEY] for field in fields(settings)}


def describe_attributes(infos: Mapping[str, SettingInfo]) -> str:
    """Return the section of a docstring that describes the settings."""
    lines = ["Attributes", "----------"]
    for name, info in infos.items():
        lines += [name, *(f"    {sentence}" for sentence in info.sentences)]
    return "\n".join(lines)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How to analyze a document. The defaults are those of the preset ``"sharp"``.

    Notes
    -----
    Each ablation of the paper's section 4.5 changes one setting of its preset: ``award=0``
    (speech), ``min_sentences=1`` (frequency), ``laplacian="plain"`` (regularization), ``decay=0``
    (bonding), ``laplacian="none"`` (Laplacian).
    """

    k: int | Literal["auto"] = setting(
        "auto",
        WholeNumber(1, word="auto"),
        help="Number of segments; auto lets the text decide.",
        details="At most the number of sentences.",
        symbol="k",
        section="eq. 4",
        main=True,
        service_maximum=2000,
    )
    granularity: Granularity = setting(
        "medium",
        OneOf(*get_args(Granularity)),
        help="Where the text decides on the number of segments, how finely: coarse, medium or "
        "fine.",
        details="Headings that divide the text decide first: ``medium`` follows those of the "
        "highest level, ``fine`` those of the next level, too, and ``coarse`` may gather sections "
        "into fewer parts. With a `k` of your own it makes no difference to the segments.",
        main=True,
    )
    n_topics: int | None = setting(
        None,
        WholeNumber(1, optional=True),
        help="Number of topics; by default the text decides, or with kmeans there are as many as "
        "segments.",
        details="The text decides on three to twelve, fewer if it is very short, and on none of "
        "less than 2 % of it; they do not depend on the segments. With ``kmeans``, if the text "
        "decides on the segments, there are at least three.",
        symbol="k",
        section="eq. 4",
        main=True,
        service_maximum=300,
    )
    cut: CutName | SegmentCost = setting(
        "likelihood",
        OneOf(*get_args(CutName), or_cost=True),
        help="How to find segments: by the likelihood of their words, or by average linkage.",
        details="Or by a cost of your own: an object whose class is derived from "
        "``docbats.SegmentCost``.",
        section="eq. 14 (linkage)",
    )
    ranking: Ranking = setting(
        "cores",
        OneOf(*get_args(Ranking)),
        help="How to find topics: by cores of words that share sentences, or by KMeans and tf-idf.",
        section="section 3.4.1 (kmeans)",
    )
    min_size: int = setting(
        0,
        WholeNumber(0),
        help="Smallest size of a segment, kept wherever the text allows.",
        main=True,
    )
    max_size: int | None = setting(
        None,
        WholeNumber(1, optional=True),
        help="Largest size of a segment; longer sentences are split.",
        details="It is never exceeded; None sets no limit.",
        main=True,
    )
    size_unit: SizeUnit | Callable[[str], int] = setting(
        "sentences",
        OneOf(*get_args(SizeUnit), function="a function from a text to its size"),
        help="What the sizes and the overlap count.",
        main=True,
    )
    overlap: int = setting(
        0,
        WholeNumber(0),
        help="How much of the text before it a segment shows again.",
        main=True,
    )
    model: str | PathLike[str] | OwnModel | None = setting(
        None,
        ModelFile(),
        help="Model that docbats fit fitted to your own documents.",
        details="It adapts how many parts are expected, and where, and changes nothing where "
        "headings decide.",
        metavar="FILE",
        main=True,
        service=False,
    )
    namer: Namer | str | None = setting(
        None,
        NamerFunction(),
        help="Function of your own that gives segments titles and summaries, as module:function.",
        details="A function from a :class:`docbats.NamingRequest` to a list of "
        ":class:`docbats.SegmentName`, one for each segment. What it returns is checked; if it "
        "fails, the titles of docbats stay, and a note says so. Titles that are the author's "
        "headings always stay.",
        metavar="MODULE:FUNCTION",
        main=True,
        service=False,
    )
    namer_timeout: float = setting(
        30.0,
        RealNumber(0),
        help="Longest time that the namer may take for a document, in seconds.",
        main=True,
        service=False,
    )
    class_weights: Mapping[str, float] | tuple[tuple[str, float], ...] = setting(
        (("NOUN", 1.3), ("PROPN", 1.3), ("VERB", 0.8), ("AUX", 0.5), ("ADJ", 0.8), ("OTHER", 0.5)),
        ClassWeights(),
        help="Weight of a word in the likelihood, by its word class.",
        details="Classes that are not named have a weight of 1.",
        command=False,
        service=False,
    )
    embeddings: Embeddings | None = setting(
        None,
        Function("a function from a list of texts to vectors"),
        help="Function from texts to vectors, as further evidence for the likelihood.",
        command=False,
        service=False,
    )
    embedding_unit: Literal["sentences", "words"] = setting(
        "sentences",
        OneOf("sentences", "words"),
        help="Which texts the embeddings are made of.",
        command=False,
        service=False,
    )
    award: float = setting(
        1.0,
        RealNumber(0),
        help="How much a noun or verb counts beyond its occurrences.",
        symbol="λ",
        section="eq. 1",
        aliases=("--lambda",),
    )
    window: int = setting(
        1,
        WholeNumber(0),
        help="How many sentences on each side are bonded to a sentence.",
        symbol="w",
        section="eq. 2",
        aliases=("-w",),
        service_maximum=100,
    )
    decay: float = setting(
        0.4,
        RealNumber(0, 1),
        help="Factor by which each further sentence of the window counts less.",
        symbol="d",
        section="eq. 2",
        aliases=("-d",),
    )
    min_sentences: int = setting(
        2,
        WholeNumber(1),
        help="Keep words that occur in at least this many sentences.",
        section="section 3.1",
    )
    stem: bool = setting(
        True,
        Flag(),
        help="Count words of one stem as one word.",
        details="It is shown as the form that the text uses most. The paper does not say; the "
        "counts of words in its table 1 are those of stems.",
    )
    laplacian: Laplacian = setting(
        "regularized",
        OneOf(*get_args(Laplacian)),
        help="Whether the Laplacian is regularized, has both τ zero (plain), or is left out.",
        section="eq. 3",
    )
    tau_p: float | None = setting(
        None,
        RealNumber(0, optional=True),
        help="Regularization for words; by default their average degree.",
        symbol="τ_p",
        section="eq. 3",
    )
    tau_o: float | None = setting(
        None,
        RealNumber(0, optional=True),
        help="Regularization for sentences; by default their average degree.",
        symbol="τ_o",
        section="eq. 3",
    )
    language: str = setting(
        "auto",
        OneOf("auto", table=LANGUAGES),
        help="Language of the text, by its code; auto detects it.",
        metavar="CODE",
        main=True,
    )
    tagger: str | Tagger | None = setting(
        "docbats",
        TaggerName(),
        help="What finds nouns and verbs: docbats (English only), spacy:PIPELINE, or none.",
        details="``docbats`` is the tagger inside the package, which leaves texts in other "
        "languages untagged; ``spacy:NAME`` is an installed spaCy pipeline, of any language; a "
        "function takes the tokens of a sentence and returns their tags.",
        metavar="NAME",
        main=True,
        service=False,
    )
    stop_words: Literal["auto", "english"] | Collection[str] = setting(
        "auto",
        WordSet("auto", "english"),
        help="Stop words to use instead of those of the language.",
        details="``auto`` takes those of the language, ``english`` the English ones.",
        main=True,
    )
    sentences: Sentences = setting(
        "auto",
        OneOf(*get_args(Sentences)),
        help="How to find sentences: by punctuation (auto), or one on each line (lines).",
        main=True,
    )
    structure: StructureUse = setting(
        "auto",
        OneOf(*get_args(StructureUse)),
        help="Follow headings and paragraphs (auto), ignore them, or cut only there (strict).",
        details="Neither cuts a paragraph in two if it need not, ``strict`` not even a long one.",
        main=True,
    )
    title_threshold: float = setting(
        0.17,
        RealNumber(0, 1),
        help="Least confidence of a phrase that is shown as a title; 0 gives every segment a "
        "phrase.",
        details="The confidence is the expected F1 of its stems with those of the heading that an "
        "author would write. A segment without such a phrase is titled by its opening words, with "
        "their speaker if there is one.",
        main=True,
    )
    restarts: int = setting(
        10,
        WholeNumber(1, 10_000),
        help="How often KMeans starts anew; the best run counts.",
        service_maximum=100,
    )
    seed: int = setting(
        0,
        WholeNumber(0),
        help="Seed of KMeans and of the iterative SVD.",
        service_maximum=2**32 - 1,
    )
    vectors: bool = setting(
        False,
        Flag(),
        help="Whether the result holds sentence vectors, word vectors and singular values.",
        command=False,
        service=False,
    )

    def __post_init__(self) -> None:
        if self.k is None:
            object.__setattr__(self, "k", "auto")
        for name, info in SETTING_INFOS.items():
            value = getattr(self, name)
            try:
                checked = info.value.check(value)
            except SettingsError:  # of a file, which it names
                raise
            except ValueError as error:
                refuse(name, value, str(error))
            if checked is not value:
                object.__setattr__(self, name, checked)
        check_combinations(self)

    @property
    def own_model(self) -> OwnModel | None:
        """The setting `model`, which is read from its file at once."""
        found: Any = self.model
        return found  # type: ignore[no-any-return]

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as JSON-ready values."""
        values = {name: getattr(self, name) for name in SETTING_INFOS}
        for name in ("tagger", "embeddings", "size_unit", "namer"):
            if callable(values[name]):
                values[name] = f"function:{getattr(values[name], '__qualname__', 'unnamed')}"
        if not isinstance(self.cut, str):
            values["cut"] = f"cost:{type(self.cut).__name__}"
        if self.own_model is not None:
            values["model"] = self.own_model.numbers
        values["class_weights"] = dict(self.class_weights)
        if not isinstance(self.stop_words, str):
            values["stop_words"] = sorted(self.stop_words)
        return values


def check_combinations(settings: Settings) -> None:
    """Refuse settings that are fine by themselves, but not together."""
    max_size, advice = settings.max_size, "lower it, or raise max_size"
    if max_size is not None and settings.min_size > max_size:
        refuse("min_size", settings.min_size, f"at most max_size, which is {max_size}", advice)
    if max_size is not None and settings.overlap >= max_size:
        refuse("overlap", settings.overlap, f"less than max_size, which is {max_size}", advice)
    for name, tau in [("tau_p", settings.tau_p), ("tau_o", settings.tau_o)]:
        if tau is not None and settings.laplacian != "regularized":
            expected = f'None with laplacian="{settings.laplacian}", which has no τ'
            refuse(name, tau, expected, 'leave it out, or set laplacian="regularized"')
    _check_what_the_cut_supports(settings)


def _check_what_the_cut_supports(settings: Settings) -> None:
    has_sizes = settings.min_size > 0 or settings.max_size is not None
    if not has_sizes and settings.embeddings is None and settings.model is None:
        return
    from docbats.segments.cuts import find_cut

    cut = find_cut(settings.cut)
    shown = settings.cut if isinstance(settings.cut, str) else type(settings.cut).__name__
    advice = 'leave it out, or set cut="likelihood"'
    if has_sizes and not cut.keeps_sizes:
        name, unset = ("min_size", 0) if settings.min_size else ("max_size", None)
        expected = f'{unset} with cut="{shown}", which does not keep to sizes'
        refuse(name, getattr(settings, name), expected, advice)
    for name, is_used in [("embeddings", cut.uses_embeddings), ("model", cut.uses_model)]:
        if getattr(settings, name) is not None and not is_used:
            expected = f'None with cut="{shown}", which does not use it'
            refuse(name, getattr(settings, name), expected, advice)


SETTING_INFOS = setting_infos(Settings)
"""What each setting is, by its name: help, limits and its place in the paper."""

if Settings.__doc__ is not None:  # python -OO has none
    Settings.__doc__ = f"{cleandoc(Settings.__doc__)}\n\n{describe_attributes(SETTING_INFOS)}\n"


PRESETS: Mapping[str, Settings] = MappingProxyType(
    {
        "sharp": Settings(),
        "paper": Settings(
            language="en",
            cut="linkage",
            ranking="kmeans",
            window=5,
            decay=0.7,
            structure="ignore",
        ),
    }
)
"""Named settings: ``"sharp"`` finds the better segments and topics, ``"paper"`` is BATS as
published."""

PRESET_HELP: Mapping[str, str] = MappingProxyType(
    {
        "sharp": "The better segments and topics; the default.",
        "paper": "BATS as published (Wu et al., 2020).",
    }
)
"""What each preset is for, in one sentence."""


def describe_presets() -> str:
    """Return what the choice of a preset means, for the command and the service."""
    presets = [f"{name}: {text}" for name, text in PRESET_HELP.items()]
    return " ".join(["Settings to start from.", *presets])


def resolve_settings(preset: str, **changes: Any) -> Settings:
    """Return the settings of a preset with some of them changed."""
    if not isinstance(preset, str) or preset not in PRESETS:
        msg = f"preset must be one of {', '.join(PRESETS)}, got {preset!r}"
        raise SettingsError(msg)
    for name in changes:
        if name not in SETTING_INFOS:
            msg = f"there is no setting {name!r}: the settings are {', '.join(SETTING_INFOS)}"
            raise SettingsError(msg)
    return replace(PRESETS[preset], **changes)
