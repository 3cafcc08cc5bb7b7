"""Every setting of the method, declared once: with its default, its help and its limits."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping  # noqa: TC003  (for get_type_hints)
from dataclasses import dataclass, replace
from inspect import cleandoc
from types import MappingProxyType
from typing import Any, Literal, get_args

from docbats.errors import SettingsError
from docbats.segments.costs import SegmentCost  # noqa: TC001  (for get_type_hints)
from docbats.setting_values import (
    Choice,
    ChoiceOrCost,
    ClassWeights,
    Cut,
    Embeddings,
    Flag,
    Function,
    Granularity,
    Laplacian,
    Ranking,
    RealNumber,
    Sentences,
    StructureUse,
    Tagger,
    TaggerName,
    Unit,
    WholeNumber,
    WordSet,
    describe_attributes,
    refuse,
    setting,
    setting_infos,
)
from docbats.text.languages import LANGUAGES


def check_combinations(settings: Settings) -> None:
    """Refuse settings of which each is fine, but not with the others."""
    _check_sizes(settings)
    _check_regularization(settings)
    _check_what_the_cut_supports(settings)


def _check_sizes(settings: Settings) -> None:
    if settings.max_size is None:
        return
    if settings.min_size > settings.max_size:
        expected = f"at most max_size, which is {settings.max_size}"
        refuse("min_size", settings.min_size, expected, "lower it, or raise max_size")
    if settings.overlap >= settings.max_size:
        expected = f"less than max_size, which is {settings.max_size}"
        refuse("overlap", settings.overlap, expected, "lower it, or raise max_size")


def _check_regularization(settings: Settings) -> None:
    if settings.laplacian == "regularized":
        return
    for name, tau in [("tau_p", settings.tau_p), ("tau_o", settings.tau_o)]:
        if tau is not None:
            expected = f'None with laplacian="{settings.laplacian}", which has no τ'
            refuse(name, tau, expected, 'leave it out, or set laplacian="regularized"')


def _check_what_the_cut_supports(settings: Settings) -> None:
    has_sizes = settings.min_size > 0 or settings.max_size is not None
    if not has_sizes and settings.embeddings is None:
        return
    from docbats.segments.cuts import find_cut

    cut = find_cut(settings.cut)
    shown = settings.cut if isinstance(settings.cut, str) else type(settings.cut).__name__
    advice = 'leave it out, or set cut="likelihood"'
    if has_sizes and not cut.keeps_sizes:
        name, unset = ("min_size", 0) if settings.min_size else ("max_size", None)
        expected = f'{unset} with cut="{shown}", which does not keep to sizes'
        refuse(name, getattr(settings, name), expected, advice)
    if settings.embeddings is not None and not cut.uses_embeddings:
        expected = f'None with cut="{shown}", which does not use them'
        refuse("embeddings", settings.embeddings, expected, advice)


# ruff: noqa: RUF009  (setting() makes a field, as dataclasses.field() does)


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
        details="At most the number of sentences. It is the number of topics, too, unless "
        "`n_topics` says otherwise.",
        symbol="k",
        section="eq. 4",
        main=True,
        service_maximum=2000,
    )
    granularity: Granularity = setting(
        "medium",
        Choice(*get_args(Granularity)),
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
        help="Number of topics; by default that of the segments.",
        details="Where the text decides on the number of segments, the default is at least three.",
        symbol="k",
        section="eq. 4",
        main=True,
        service_maximum=300,
    )
    cut: Cut | SegmentCost = setting(
        "likelihood",
        ChoiceOrCost(*get_args(Cut)),
        help="How to find segments: by the likelihood of their words, or by average linkage.",
        details="Or by a cost of your own: an object whose class is derived from "
        "``docbats.SegmentCost``.",
        section="eq. 14 (linkage)",
    )
    ranking: Ranking = setting(
        "cores",
        Choice(*get_args(Ranking)),
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
    size_unit: Unit | Callable[[str], int] = setting(
        "sentences",
        Choice(*get_args(Unit), function="a function from a text to its size"),
        help="What the sizes and the overlap count.",
        main=True,
    )
    overlap: int = setting(
        0,
        WholeNumber(0),
        help="How much of the text before it a segment shows again.",
        main=True,
    )
    class_weights: Mapping[str, float] | tuple[tuple[str, float], ...] = setting(
        (
            ("NOUN", 1.3),
            ("PROPN", 1.3),
            ("VERB", 0.8),
            ("AUX", 0.5),
            ("ADJ", 0.8),
            ("OTHER", 0.5),
        ),
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
        Choice("sentences", "words"),
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
        Choice(*get_args(Laplacian)),
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
        Choice("auto", table=LANGUAGES),
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
        Choice(*get_args(Sentences)),
        help="How to find sentences: by punctuation (auto), or one on each line (lines).",
        main=True,
    )
    structure: StructureUse = setting(
        "auto",
        Choice(*get_args(StructureUse)),
        help="Follow headings and paragraphs (auto), ignore them, or cut only there (strict).",
        details="Neither cuts a paragraph in two if it need not, ``strict`` not even a long one.",
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
            except ValueError as error:
                refuse(name, value, str(error))
            if checked is not value:
                object.__setattr__(self, name, checked)
        check_combinations(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as JSON-ready values."""
        values = {name: getattr(self, name) for name in SETTING_INFOS}
        for name in ("tagger", "embeddings", "size_unit"):
            if callable(values[name]):
                values[name] = f"function:{getattr(values[name], '__qualname__', 'unnamed')}"
        if not isinstance(self.cut, str):
            values["cut"] = f"cost:{type(self.cut).__name__}"
        values["class_weights"] = dict(self.class_weights)
        if not isinstance(self.stop_words, str):
            values["stop_words"] = sorted(self.stop_words)
        return values


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
