"""Every knob of the method, its default and its place in the paper."""

from __future__ import annotations

import numbers
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, Literal, get_args

from docbats.errors import SettingsError
from docbats.text.words import normal_form

__all__ = ["PRESETS", "Settings", "Tagger", "resolve_settings"]

_LARGE = 10**9  # more than any award or degree that makes sense, and safe to compute with

Laplacian = Literal["regularized", "plain", "none"]
Sentences = Literal["auto", "lines"]
Tagger = Callable[[list[str]], Sequence[str]]
"""Takes the tokens of one sentence and returns a tag for each; NN*, VB* and NOUN, PROPN, VERB count
as nouns and verbs."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How to analyse a document. The defaults are those of the paper.

    Attributes
    ----------
    k
        The number of segments and of topics; at least 1 and at most the number of sentences.
    award
        λ of eq. 1: what a noun or verb counts beyond its occurrences.
    window, decay
        w and d of eq. 2: how many sentences on each side are bonded to a sentence, and by which
        factor each further step counts less.
    min_sentences
        A word is kept if it occurs in at least this many sentences (section 3.1: two).
    stem
        Whether words with one English stem count as one word, shown as the form that the text uses
        most. The paper does not say; the counts of words in its table 1 are those of stems.
    laplacian
        ``"regularized"`` is eq. 3; ``"plain"`` sets both τ to zero; ``"none"`` decomposes the
        bonded matrix itself.
    tau_p, tau_o
        τ of eq. 3 for words and for sentences; ``None`` takes the average degree.
    tagger
        ``"docbats"`` is the tagger inside the package, ``"spacy:NAME"`` an installed spaCy
        pipeline, ``None`` no award at all, or a function from the tokens of a sentence to tags.
    stop_words
        ``"english"``, or words of your own.
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
    Each ablation of the paper's section 4.5 is one setting: ``award=0`` (speech),
    ``min_sentences=1`` (frequency), ``laplacian="plain"`` (regularization), ``decay=0`` (bonding),
    ``laplacian="none"`` (Laplacian).
    """

    k: int | None = None
    award: float = 1.0
    window: int = 5
    decay: float = 0.7
    min_sentences: int = 2
    stem: bool = True
    laplacian: Laplacian = "regularized"
    tau_p: float | None = None
    tau_o: float | None = None
    tagger: str | Tagger | None = "docbats"
    stop_words: Literal["english"] | Collection[str] = "english"
    sentences: Sentences = "auto"
    restarts: int = 10
    seed: int = 0
    vectors: bool = False

    def __post_init__(self) -> None:
        if self.k is not None:
            self._check_number("k", whole=True, at_least=1)
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
        if callable(self.tagger):
            values["tagger"] = f"function:{getattr(self.tagger, '__qualname__', 'unnamed')}"
        if self.stop_words != "english":
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
            self._check_choice("stop_words", ["english"])
            return
        words = list(self.stop_words) if isinstance(self.stop_words, Iterable) else [None]
        if not all(isinstance(word, str) for word in words):
            self._refuse("stop_words", '"english" or a set of words')
        object.__setattr__(self, "stop_words", frozenset(map(normal_form, words)))

    def _refuse(self, name: str, wanted: str) -> None:
        msg = f"{name}={getattr(self, name)!r} makes no sense: give {wanted}"
        raise SettingsError(msg)


PRESETS: Mapping[str, Settings] = MappingProxyType({"paper": Settings()})
"""Named settings; ``"paper"`` is BATS as published."""


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
