"""Every knob of the method, its default and its place in the paper."""

from __future__ import annotations

import numbers
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, Literal, get_args

from docbats.errors import SettingsError
from docbats.text.languages import LANGUAGES
from docbats.text.tagger import CLASSES
from docbats.text.words import normal_form

__all__ = ["PRESETS", "Embeddings", "Settings", "Tagger", "resolve_settings"]

_LARGE = 10**9  # more than any award or degree that makes sense, and safe to compute with

Cut = Literal["likelihood", "linkage"]
Ranking = Literal["cores", "kmeans"]
Unit = Literal["sentences", "words", "characters"]
Laplacian = Literal["regularized", "plain", "none"]
Sentences = Literal["auto", "lines"]
Tagger = Callable[[list[str]], Sequence[str]]
"""Takes the tokens of one sentence and returns a tag for each; NN*, VB* and NOUN, PROPN, VERB count
as nouns and verbs."""
Embeddings = Callable[[list[str]], Any]
"""Takes texts and returns an array with a row, a vector, for each."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How to analyse a document. The defaults are those of the preset ``"sharp"``.

    Attributes
    ----------
    k
        The number of segments, and of topics unless `n_topics` says otherwise; at most the number
        of sentences. ``"auto"`` lets the text decide.
    n_topics
        The number of topics; None takes that of the segments, and three at least where the text
        decides.
    cut
        ``"likelihood"`` finds the segments that explain their words best; ``"linkage"`` is eq. 14.
    ranking
        How words become topics: by ``"cores"`` of words that share sentences, or by ``"kmeans"``
        and summed tf-idf (section 3.4.1).
    min_size, max_size, size_unit
        The least and the most that a segment may hold, in ``"sentences"``, ``"words"`` or
        ``"characters"``. The maximum is never exceeded: a sentence that does so by itself is split.
        The minimum is kept wherever the text allows.
    overlap
        How much of what comes before it a segment shows again, in the same unit.
    class_weights
        How much a word counts in the likelihood, by its word class (NOUN, PROPN, VERB, AUX, ADJ,
        OTHER; 1 for those not named).
    embeddings, embedding_unit
        A function from ``"sentences"`` or ``"words"`` to vectors, as further evidence for the
        likelihood.
    award
        λ of eq. 1: what a noun or verb counts beyond its occurrences.
    window, decay
        w and d of eq. 2: how many sentences on each side are bonded to a sentence, and by which
        factor each further step counts less.
    min_sentences
        A word is kept if it occurs in at least this many sentences (section 3.1: two).
    stem
        Whether words with one stem count as one word, shown as the form that the text uses most.
        The paper does not say; the counts of words in its table 1 are those of stems.
    laplacian
        ``"regularized"`` is eq. 3; ``"plain"`` sets both τ to zero; ``"none"`` decomposes the
        bonded matrix itself.
    tau_p, tau_o
        τ of eq. 3 for words and for sentences; ``None`` takes the average degree.
    language
        The language of the text, by its code (``"en"``, ``"de"``, ...; ``docs/languages.md`` lists
        them); ``"auto"`` finds it out.
    tagger
        ``"docbats"`` is the tagger inside the package, which knows English and leaves texts in
        other languages untagged; ``"spacy:NAME"`` an installed spaCy pipeline, of any language;
        ``None`` no award at all; or a function from the tokens of a sentence to tags.
    stop_words
        ``"auto"`` are those of the language, ``"english"`` the English ones; or words of your own.
    sentences
        How a string is split: ``"auto"`` by punctuation, ``"lines"`` one sentence a line.
    restarts
        How often KMeans starts anew; the best run counts.
    seed
        Seeds KMeans and the start vector of the iterative SVD.
    vectors
        Whether the result carries sentence vectors, word vectors and singular values.

    Notes
    -----
    Each ablation of the paper's section 4.5 changes one setting of its preset: ``award=0``
    (speech), ``min_sentences=1`` (frequency), ``laplacian="plain"`` (regularization), ``decay=0``
    (bonding), ``laplacian="none"`` (Laplacian).
    """

    k: int | Literal["auto"] = "auto"
    n_topics: int | None = None
    cut: Cut = "likelihood"
    ranking: Ranking = "cores"
    min_size: int = 0
    max_size: int | None = None
    size_unit: Unit = "sentences"
    overlap: int = 0
    class_weights: Mapping[str, float] | tuple[tuple[str, float], ...] = (
        ("NOUN", 1.3),
        ("PROPN", 1.3),
        ("VERB", 0.8),
        ("AUX", 0.5),
        ("ADJ", 0.8),
        ("OTHER", 0.5),
    )
    embeddings: Embeddings | None = None
    embedding_unit: Literal["sentences", "words"] = "sentences"
    award: float = 1.0
    window: int = 1
    decay: float = 0.4
    min_sentences: int = 2
    stem: bool = True
    laplacian: Laplacian = "regularized"
    tau_p: float | None = None
    tau_o: float | None = None
    language: str = "auto"
    tagger: str | Tagger | None = "docbats"
    stop_words: Literal["auto", "english"] | Collection[str] = "auto"
    sentences: Sentences = "auto"
    restarts: int = 10
    seed: int = 0
    vectors: bool = False

    def __post_init__(self) -> None:
        if self.k is None:
            object.__setattr__(self, "k", "auto")
        if not (isinstance(self.k, str) and self.k == "auto"):
            self._check_number("k", whole=True, at_least=1)
        if self.n_topics is not None:
            self._check_number("n_topics", whole=True, at_least=1)
        self._check_choice("cut", get_args(Cut))
        self._check_choice("ranking", get_args(Ranking))
        self._check_sizes()
        self._check_class_weights()
        self._check_embeddings()
        self._check_number("award", at_least=0, at_most=_LARGE)
        self._check_number("window", whole=True, at_least=0)
        self._check_number("decay", at_least=0, at_most=1)
        self._check_number("min_sentences", whole=True, at_least=1)
        self._check_choice("laplacian", get_args(Laplacian))
        for name in ("tau_p", "tau_o"):
            if getattr(self, name) is not None:
                self._check_number(name, at_least=0, at_most=_LARGE)
                if self.laplacian != "regularized":
                    self._refuse(name, f"none, since laplacian={self.laplacian!r} has no τ")
        self._check_choice("language", ["auto", *LANGUAGES])
        self._check_tagger()
        self._check_stop_words()
        self._check_choice("sentences", get_args(Sentences))
        self._check_number("restarts", whole=True, at_least=1)
        self._check_number("seed", whole=True, at_least=0)
        for name in ("stem", "vectors"):
            if not isinstance(getattr(self, name), bool):
                self._refuse(name, "True or False")

    def to_dict(self) -> dict[str, Any]:
        """Give the settings as JSON-ready values."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        for name in ("tagger", "embeddings"):
            if callable(values[name]):
                values[name] = f"function:{getattr(values[name], '__qualname__', 'unnamed')}"
        values["class_weights"] = dict(self.class_weights)
        if not isinstance(self.stop_words, str):
            values["stop_words"] = sorted(self.stop_words)
        return values

    def _check_number(
        self, name: str, *, at_least: float, at_most: float = sys.maxsize, whole: bool = False
    ) -> None:
        value = getattr(self, name)
        kind = numbers.Integral if whole else numbers.Real
        fits = isinstance(value, kind) and not isinstance(value, bool)
        if not (fits and at_least <= value <= at_most):
            limit = f"at least {at_least}" if at_most == sys.maxsize else f"{at_least} to {at_most}"
            self._refuse(name, f"a {'whole ' if whole else ''}number, {limit}")
        object.__setattr__(self, name, int(value) if whole else float(value))

    def _check_sizes(self) -> None:
        self._check_choice("size_unit", get_args(Unit))
        self._check_number("min_size", whole=True, at_least=0)
        self._check_number("overlap", whole=True, at_least=0)
        if self.max_size is not None:
            self._check_number("max_size", whole=True, at_least=1)
            if self.min_size > self.max_size:
                self._refuse("min_size", f"at most max_size, which is {self.max_size}")
            if self.overlap >= self.max_size:
                self._refuse("overlap", f"less than max_size, which is {self.max_size}")
        if self.cut == "linkage" and (self.min_size or self.max_size is not None):
            name = "min_size" if self.min_size else "max_size"
            self._refuse(name, 'none with cut="linkage", or cut="likelihood", which keeps to sizes')

    def _check_class_weights(self) -> None:
        try:
            weights = {name: float(weight) for name, weight in dict(self.class_weights).items()}
        except (TypeError, ValueError):
            weights = {"": -1.0}
        if not (weights.keys() <= set(CLASSES) and all(0 <= w <= _LARGE for w in weights.values())):
            wanted = f"numbers, at least 0, by the name of a class: {', '.join(CLASSES)}"
            self._refuse("class_weights", wanted)
        object.__setattr__(self, "class_weights", tuple(weights.items()))

    def _check_embeddings(self) -> None:
        self._check_choice("embedding_unit", ["sentences", "words"])
        if not (self.embeddings is None or callable(self.embeddings)):
            self._refuse("embeddings", "a function from a list of texts to vectors")
        if self.embeddings is not None and self.cut == "linkage":
            self._refuse("embeddings", 'none with cut="linkage", which has no use for them')

    def _check_choice(self, name: str, choices: Sequence[str]) -> None:
        if getattr(self, name) not in choices:
            self._refuse(name, "one of " + ", ".join(choices))

    def _check_tagger(self) -> None:
        tagger = self.tagger
        named = isinstance(tagger, str) and (
            tagger == "docbats" or (tagger.startswith("spacy:") and len(tagger) > len("spacy:"))
        )
        if not (tagger is None or named or callable(tagger)):
            self._refuse("tagger", '"docbats", "spacy:NAME", None or a function')

    def _check_stop_words(self) -> None:
        if isinstance(self.stop_words, str):
            self._check_choice("stop_words", ["auto", "english"])
            return
        words = list(self.stop_words) if isinstance(self.stop_words, Iterable) else [None]
        if not all(isinstance(word, str) for word in words):
            self._refuse("stop_words", '"auto", "english" or a set of words')
        object.__setattr__(self, "stop_words", frozenset(map(normal_form, words)))

    def _refuse(self, name: str, wanted: str) -> None:
        msg = f"{name}={getattr(self, name)!r} makes no sense: give {wanted}"
        raise SettingsError(msg)


PRESETS: Mapping[str, Settings] = MappingProxyType(
    {
        "sharp": Settings(),
        "paper": Settings(language="en", cut="linkage", ranking="kmeans", window=5, decay=0.7),
    }
)
"""Named settings: ``"sharp"`` finds the better segments and topics, ``"paper"`` is BATS as
published."""


def resolve_settings(preset: str, **changes: Any) -> Settings:
    """Take a preset and change some of its settings."""
    if not isinstance(preset, str) or preset not in PRESETS:
        msg = f"preset={preset!r} does not exist: give one of {', '.join(PRESETS)}"
        raise SettingsError(msg)
    known = [field.name for field in fields(Settings)]
    for name in changes:
        if name not in known:
            msg = f"there is no setting {name!r}: the settings are {', '.join(known)}"
            raise SettingsError(msg)
    return replace(PRESETS[preset], **changes)
