"""Cues: the words, marks and lengths with which authors of many sources begin a part."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats.text.words import Tokens

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

_N_FIRST_WORDS = 12  # of a sentence; more change little
_LENGTH_STEPS = (2, 4, 7, 10, 14, 19, 25, 33, 45)  # words of a sentence
_END_MARKS = ".?!:;,…"
_CLOSING = "\"'”’»)]}*_"
_NOTHING, _WORD_AT_END, _OTHER_MARK, _FIRST_MARK = range(4)
_N_MARKS = _FIRST_MARK + len(_END_MARKS)


@dataclass(frozen=True, eq=False)
class FirstWords:
    """What sentences have of cues.

    Attributes
    ----------
    forms
        The distinct words, in lower case.
    form, sentence
        Of each of the first words of each sentence, in order: its index in `forms`, its sentence.
    mark
        The number of the mark at the end of each sentence.
    sizes
        Words in each sentence, at least 1.
    """

    forms: tuple[str, ...]
    form: Ints
    sentence: Ints
    mark: Ints
    sizes: Ints


def find_first_words(tokens: Tokens, sizes: Ints) -> FirstWords:
    """Return what sentences of these sizes, in words, have of cues."""
    numbers = [_WORD_AT_END if form[0].isalnum() else _mark_number(form) for form in tokens.forms]
    mark = np.array(numbers, np.int64)[tokens.form]
    is_word = mark == _WORD_AT_END
    sentence = tokens.sentence[is_word]
    before = np.searchsorted(sentence, np.arange(len(sizes)))
    is_first = np.arange(len(sentence)) - before[sentence] < _N_FIRST_WORDS
    used, form = np.unique(tokens.form[is_word][is_first], return_inverse=True)
    shown = mark != _NOTHING
    last_mark = np.zeros(len(sizes), np.int64)
    last_mark[tokens.sentence[shown]] = mark[shown]  # the last one stays
    return FirstWords(
        forms=tuple([tokens.forms[i].lower().replace("’", "'") for i in used.tolist()]),
        form=form,
        sentence=sentence[is_first],
        mark=last_mark,
        sizes=sizes,
    )


def _mark_number(form: str) -> int:
    at = _END_MARKS.find(form)
    return _FIRST_MARK + at if at >= 0 else _NOTHING if form in _CLOSING else _OTHER_MARK


class CueUses(NamedTuple):
    """The cues of sentences: the sentence and the number of each."""

    sentence: Ints
    cue: Ints


class CueVocabulary:
    """The cues that are known, numbered.

    Each word is a cue as the first one of a sentence, as one of its first twelve, and both for the
    next sentence. Of some, the first two and three words together are cues, too. The mark at the
    end of a sentence and its length are cues for it and for the next one.

    Parameters
    ----------
    words
        The words, in lower case.
    pairs
        The first two words of sentences: the number of the first, times the number of words and
        one, plus that of the second; ascending.
    triples
        The first three: the index of the first two, times the number of words and one, plus that of
        the third; ascending.
    """

    def __init__(self, words: Sequence[str], pairs: Ints, triples: Ints) -> None:
        self.words, self.pairs, self.triples = tuple(words), pairs, triples
        self._number = {word: number for number, word in enumerate(self.words)}

    @property
    def n_cues(self) -> int:
        """The number of cues."""
        n_marks_and_lengths = _N_MARKS + len(_LENGTH_STEPS) + 1
        n_runs = len(self.pairs) + len(self.triples)
        return 4 * len(self.words) + n_runs + 2 * n_marks_and_lengths

    def find(self, first_words: FirstWords) -> CueUses:
        """Return the cues of sentences; the first one has none."""
        n, m = len(self.words), len(first_words.sizes)
        number = np.array([self._number.get(form, n) for form in first_words.forms], np.int64)
        word, sentence = number[first_words.form], first_words.sentence
        rank = np.arange(len(word)) - np.searchsorted(sentence, np.arange(m))[sentence]
        opening = np.full((3, m), n)
        for i in range(3):
            opening[i, sentence[rank == i]] = word[rank == i]
        every = np.arange(m)
        pair, is_pair = _look_up(self.pairs, opening[0] * (n + 1) + opening[1])
        triple, is_triple = _look_up(self.triples, pair * (n + 1) + opening[2])
        is_triple &= is_pair
        is_known, has_known_first = word < n, opening[0] < n
        base = 4 * n
        own = [
            (every[has_known_first], opening[0][has_known_first]),
            (sentence[is_known], n + word[is_known]),
            (every, base + first_words.mark),
            (every, base + _N_MARKS + np.searchsorted(_LENGTH_STEPS, first_words.sizes, "right")),
        ]
        # For the next sentence they have other numbers.
        n_others = _N_MARKS + len(_LENGTH_STEPS) + 1
        for_next = [
            (at + 1, cue + (2 * n if i < 2 else n_others)) for i, (at, cue) in enumerate(own)
        ]
        base += 2 * n_others
        own.append((every[is_pair], base + pair[is_pair]))
        own.append((every[is_triple], base + len(self.pairs) + triple[is_triple]))
        uses = CueUses(*map(np.concatenate, zip(*own, *for_next, strict=True)))
        used = (uses.sentence > 0) & (uses.sentence < m)
        return CueUses(uses.sentence[used], uses.cue[used])


def _look_up(known: Ints, keys: Ints) -> tuple[Ints, Bools]:
    """Return the index of each key among the known ones, and whether it is one."""
    if not len(known):
        return np.zeros(len(keys), np.int64), np.zeros(len(keys), np.bool_)
    at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return at, known[at] == keys


@dataclass(frozen=True, eq=False)
class CueWeights:
    """How much cues and features add to the log odds that a part begins with a sentence.

    Attributes
    ----------
    cues, features
        The weight of each.
    places
        The weight of the log of the number of places where a part may begin.
    constant
        The constant term.
    """

    cues: Floats
    features: Floats
    places: float
    constant: float

    def cue_odds(self, uses: CueUses, n_sentences: int, n_places: int) -> Floats:
        """Return the log odds of each sentence without its features."""
        same = self.places * np.log(max(1, n_places)) + self.constant
        odds = np.bincount(uses.sentence, self.cues[uses.cue], n_sentences) + same
        odds[:1] = 0.0  # it has to begin a part
        return np.asarray(odds)


@dataclass(frozen=True, eq=False)
class CueModel:
    """The cues of a language, and what they say of lists of sentences and of paragraphs."""

    vocabulary: CueVocabulary
    lists: CueWeights
    paragraphs: CueWeights

    _STEP = 1 / 32  # of the log odds of a cue

    def pack(self) -> bytes:
        """Return what :meth:`unpack` reads."""
        n = len(self.vocabulary.words)
        arrays: dict[str, Any] = {}
        for name, weights in (("lists", self.lists), ("paragraphs", self.paragraphs)):
            steps = np.rint(weights.cues / self._STEP).clip(-127, 127)
            arrays[f"{name}_cues"] = steps.astype(np.int8)
            features = np.append(weights.features, [weights.places, weights.constant])
            arrays[f"{name}_features"] = features.round(3)
        words = "\n".join(self.vocabulary.words).encode()
        for name, keys in (("pairs", self.vocabulary.pairs), ("triples", self.vocabulary.triples)):
            arrays[name] = np.column_stack(np.divmod(keys, n + 1)).astype(np.uint16)
        file = io.BytesIO()
        np.savez_compressed(file, words=np.frombuffer(words, np.uint8), **arrays)
        return file.getvalue()

    @classmethod
    def unpack(cls, data: bytes) -> CueModel:
        """Return a model from what :meth:`pack` returned."""
        with np.load(io.BytesIO(data)) as arrays:
            words = arrays["words"].tobytes().decode().split("\n")
            pairs, triples = (
                arrays[name].astype(np.int64) @ [len(words) + 1, 1] for name in ("pairs", "triples")
            )
            weights = []
            for name in ("lists", "paragraphs"):
                *features, places, constant = arrays[f"{name}_features"].tolist()
                cues = arrays[f"{name}_cues"] * cls._STEP
                weights.append(CueWeights(cues, np.array(features), places, constant))
        return cls(CueVocabulary(words, pairs, triples), *weights)


@cache
def load_cues(language: str) -> CueModel | None:
    """Return the cues of a language by its code; None if none were learned.

    They were fitted by ``docbats lab run cues``.
    """
    file = resources.files("docbats.text").joinpath("data", f"cues-{language}.npz")
    return CueModel.unpack(file.read_bytes()) if file.is_file() else None
