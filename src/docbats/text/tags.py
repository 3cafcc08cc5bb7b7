"""Which tokens are nouns and verbs: our tagger, or the one that the settings name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.errors import MissingExtraError, SettingsError
from docbats.text.words import WordCache

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from docbats.settings import Tagger
    from docbats.text.languages.language import Language
    from docbats.text.words import Tokens

    Codes = NDArray[np.uint32]
    _Ints = NDArray[np.int64]
    UInt64s = NDArray[np.uint64]


CLASSES = ("NOUN", "PROPN", "VERB", "AUX", "ADJ", "OTHER")
SLOT_BITS, WORD_BITS = 18, 24

_MAX_CHARACTERS = 32  # of a form that are looked at: head and tail
_EDGE = ""  # before the first and after the last token of a sentence

_APOSTROPHE, _CURLY_APOSTROPHE = ord("'"), 0x2019
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: odd, its bits well spread
_RADIX = np.uint64(0xD6E8FEB86659FD93)  # any large odd number does
_POWERS = np.cumprod(np.full(_MAX_CHARACTERS, _RADIX))


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The word classes that WordNet lists for a word, found by a hash of the word."""

    keys: NDArray[np.uint32]  # the hashes, ascending
    # For each hash, from the lowest bit: noun, verb, adjective, adverb as a base form; the same
    # four as an inflected form; four bits for the usual one of the four and how usual it is.
    masks: NDArray[np.uint16]

    def look_up(self, hashes: UInt64s) -> UInt64s:
        """Return the mask of each word; 0 for unknown ones."""
        wanted = word_keys(hashes)
        place = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return np.where(self.keys[place] == wanted, self.masks[place], 0).astype(np.uint64)


@dataclass(frozen=True, eq=False)
class Model:
    """A lexicon, and for each slot of the hash table one weight for each class."""

    lexicon: Lexicon
    weights: NDArray[np.int8]  # rows are padded to eight bytes, to be fetched as one integer

    def sum_weights(self, slots: NDArray[np.intp]) -> NDArray[np.int16]:
        """Add up the weights of the slots along the first axis."""
        rows = self.weights.view(np.int64)[:, 0][slots]
        scores: NDArray[np.int16] = rows.view(np.int8).sum(axis=0, dtype=np.int16)
        return scores.reshape(slots.shape[1], -1)[:, : len(CLASSES)]


@dataclass(frozen=True, eq=False)
class Slots:
    """Where the features of each form are in the hash table; one row for each feature."""

    own: NDArray[np.intp]  # of a token anywhere
    cased: tuple[NDArray[np.intp], NDArray[np.intp]]  # inside a sentence, and at its start
    before: NDArray[np.intp]  # of a form, for the token after it
    after: NDArray[np.intp]  # and for the token before it


def tag(tokens: Tokens) -> NDArray[np.int64]:
    """Return the word class of each token, as its index in `CLASSES`."""
    rows = np.frombuffer(b"".join(_score_rows([*tokens.forms, _EDGE])), np.int16)
    inside, initial, before, after = rows.reshape(-1, 4, len(CLASSES)).swapaxes(0, 1)

    previous, following, first = find_neighbours(tokens)
    scores = inside.take(tokens.form, axis=0)
    scores[first] = initial[tokens.form[first]]
    scores += before.take(previous, axis=0)
    scores += after.take(following, axis=0)
    best: NDArray[np.int64] = np.argmax(scores, axis=1)
    return best


@WordCache
def _score_rows(forms: list[str]) -> list[bytes]:
    """Score each form for each class: inside a sentence, at its start, before and after a token."""
    model = load_model()
    slots = find_slots(forms, model.lexicon)
    own = model.sum_weights(slots.own)
    inside, initial = (own + model.sum_weights(cased) for cased in slots.cased)
    before, after = model.sum_weights(slots.before), model.sum_weights(slots.after)
    rows = np.concatenate([inside, initial, before, after], axis=1)[: len(forms)]
    in_bytes: list[bytes] = rows.view(f"V{rows[0].nbytes}")[:, 0].tolist()
    return in_bytes


def find_neighbours(tokens: Tokens) -> tuple[_Ints, _Ints, _Ints]:
    """Return the forms before and after each token, and the tokens that begin a sentence.

    The edge of a sentence counts as one more form.
    """
    edge = len(tokens.forms)
    padded = np.concatenate([[edge], tokens.form, [edge]])
    previous, following = padded[:-2].copy(), padded[2:].copy()
    new = np.flatnonzero(np.diff(tokens.sentence)) + 1
    previous[new] = edge
    following[new - 1] = edge
    return previous, following, np.concatenate([[0], new]) if len(tokens) else new


@cache
def load_model() -> Model:
    """Read the weights that come with the package."""
    path = resources.files("docbats.text").joinpath("data", "tagger-en.npz")
    with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        weights = np.zeros((1 << SLOT_BITS, 8), np.int8)
        used = np.cumsum(arrays["slot_gaps"], dtype=np.int64)
        weights[used, : len(CLASSES)] = arrays["weights"].T
        lexicon = Lexicon(np.cumsum(arrays["word_gaps"], dtype=np.uint32), arrays["word_masks"])
        return Model(lexicon, weights)


def find_slots(forms: Sequence[str], lexicon: Lexicon) -> Slots:
    """Hash the features of `forms`, and of the edge of a sentence after them."""
    words = _clip([*forms, _EDGE])
    written, size = _characters(words)
    lower, lower_size = _characters([word.lower() for word in words])

    whole = _hash(lower)
    possessive = _ends_in_genitive(lower, lower_size)
    stem_size = lower_size - 2 * possessive
    stem = lower * (np.arange(len(lower))[:, None] < stem_size)
    name = _hash(stem)
    tail = _last_characters(stem, stem_size, 5)
    end2, end3, end4, end5 = (_hash(tail[:n]) for n in (2, 3, 4, 5))
    begin2, begin3 = (_hash(stem[:n]) for n in (2, 3))
    mask = lexicon.look_up(name)
    shape = _shape(written, size, lower) + 64 * possessive.astype(np.uint64)

    own = [name, end2, end3, end4, end5, begin2, begin3, mask, _pair(end2, mask)]
    inside, initial = (_pair(shape, at) for at in (0, 1))
    inside_form, initial_form = (_pair(_hash(written), at) for at in (0, 1))
    near = [whole, end2, end3, shape, mask]
    return Slots(
        own=_slots(own, first=0),
        cased=(
            _slots([inside_form, inside, _pair(inside, end2), _pair(inside, mask)], first=16),
            _slots([initial_form, initial, _pair(initial, end2), _pair(initial, mask)], first=16),
        ),
        before=_slots(near, first=32),
        after=_slots(near, first=48),
    )


def hash_words(words: list[str]) -> UInt64s:
    """Hash lower-cased words for :meth:`Lexicon.look_up`."""
    return _hash(_characters(_clip(words))[0])


def word_keys(hashes: UInt64s) -> NDArray[np.uint32]:
    """Shorten hashes of words to `WORD_BITS`."""
    return _scramble(hashes, WORD_BITS).astype(np.uint32)


def _clip(words: list[str]) -> list[str]:
    """Leave out the middle of words that are too long."""
    if max(map(len, words)) <= _MAX_CHARACTERS:
        return words
    half = _MAX_CHARACTERS // 2
    return [word if len(word) <= _MAX_CHARACTERS else word[:half] + word[-half:] for word in words]


def _characters(words: list[str]) -> tuple[Codes, NDArray[np.int64]]:
    """Return words as columns of code points, filled up with zeros, and their lengths."""
    size = np.fromiter(map(len, words), np.int64, len(words))
    # Lower-casing can lengthen a word past the limit: "İ" becomes two characters.
    width = min(max(5, int(size.max(initial=0))), _MAX_CHARACTERS)
    rows = np.array(words, dtype=f"U{width}").view(np.uint32).reshape(len(words), width)
    codes = np.ascontiguousarray(rows.T)
    codes[codes == _CURLY_APOSTROPHE] = _APOSTROPHE
    return codes, np.minimum(size, width)


def _ends_in_genitive(lower: Codes, size: NDArray[np.int64]) -> NDArray[np.bool_]:
    last = _last_characters(lower, size, 2)
    found: NDArray[np.bool_] = (last[0] == ord("s")) & (last[1] == _APOSTROPHE)
    return found & (size > 2)


def _last_characters(codes: Codes, size: NDArray[np.int64], count: int) -> Codes:
    """Return the last characters of each word, the last one first."""
    place = size - 1 - np.arange(count)[:, None]
    found: Codes = codes[np.maximum(place, 0), np.arange(len(size))]
    return found * (place >= 0)


def _shape(written: Codes, size: NDArray[np.int64], lower: Codes) -> UInt64s:
    """Describe capitals, digits and marks in six bits."""
    width = min(len(written), len(lower))
    lower, written = lower[:width], written[:width]
    capital = written != lower
    capitals = capital.sum(axis=0)
    digit = (lower >= ord("0")) & (lower <= ord("9"))
    letter = (lower >= ord("a")) & ((lower <= ord("z")) | (lower >= 0xAA))
    bits = [
        capital[0],
        capitals > capital[0],
        (capitals == size) & (size > 1),
        digit.any(axis=0),
        letter.any(axis=0),
        (lower == _APOSTROPHE).any(axis=0),
    ]
    packed: NDArray[np.uint8] = np.packbits(bits, axis=0, bitorder="little")[0]
    return packed.astype(np.uint64)


def _hash(codes: Codes) -> UInt64s:
    """Hash columns of code points; wraps around, and zeros at the end change nothing."""
    hashes: UInt64s = np.matmul(_POWERS[: len(codes)], codes, dtype=np.uint64)
    return hashes


def _pair(left: UInt64s, right: UInt64s | int) -> UInt64s:
    """Hash two features taken together."""
    mixed: UInt64s = (left ^ (left >> np.uint64(29))) * _GOLDEN
    return mixed + np.asarray(right, np.uint64)


def _slots(features: list[UInt64s], first: int) -> NDArray[np.intp]:
    """Return the slot of each feature; features are numbered from `first` on."""
    number = np.arange(first, first + len(features), dtype=np.uint64)[:, None]
    return _scramble(np.stack(features) + number * _RADIX, SLOT_BITS).astype(np.intp)


def _scramble(hashes: UInt64s, bits: int) -> UInt64s:
    """Spread hashes over ``2 ** bits`` values."""
    mixed = (hashes ^ (hashes >> np.uint64(32))) * _GOLDEN
    mixed = (mixed ^ (mixed >> np.uint64(29))) * _RADIX
    return mixed >> np.uint64(64 - bits)


_OTHER = CLASSES.index("OTHER")
# The Penn Treebank's tags by how they begin, the longer first.
_PENN = {"NNP": "PROPN", "NN": "NOUN", "VB": "VERB", "MD": "AUX", "JJ": "ADJ"}


def usable_tagger(tagger: str | Tagger | None, language: Language) -> str | Tagger | None:
    """Return the tagger; None for our own if it does not know the language."""
    return None if tagger == "docbats" and not language.has_tagger else tagger


def find_classes(tokens: Tokens, tagger: str | Tagger | None) -> NDArray[np.int64]:
    """Return the class of each token as its index in `CLASSES`; OTHER without a tagger."""
    if tagger is None:
        return np.full(len(tokens), _OTHER, np.int64)
    if tagger == "docbats":
        return tag(tokens)
    if isinstance(tagger, str):
        tagger = _spacy_tagger(tagger.removeprefix("spacy:"))
    classes = [_class(tag) for words in _by_sentence(tokens) for tag in _tag(words, tagger)]
    return np.array(classes, np.int64)


def flag_classes(classes: NDArray[np.int64], *names: str) -> NDArray[np.bool_]:
    """Return which tokens are of one of these classes."""
    return np.array([name in names for name in CLASSES])[classes]


def _by_sentence(tokens: Tokens) -> Iterator[list[str]]:
    forms = np.array(tokens.forms, dtype=object)[tokens.form]
    for words in np.split(forms, np.flatnonzero(np.diff(tokens.sentence)) + 1):
        if len(words):
            yield words.tolist()


def _tag(words: list[str], tagger: Tagger) -> Sequence[str]:
    tags = tagger(words)
    is_list = isinstance(tags, Sequence) and all(isinstance(tag, str) for tag in tags)
    if not is_list or len(tags) != len(words):
        found = f"{len(tags)} tags" if is_list else f"{tags!r:.60}"
        msg = (
            f"the tagger returned {found} for a sentence of {len(words)} tokens "
            f"({' '.join(words[:8])} ...): it must return one tag, a string, for each token"
        )
        raise SettingsError(msg)
    return tags


def _class(tag: str) -> int:
    """Return the class of a tag of Universal Dependencies or of the Penn Treebank."""
    if tag in CLASSES:
        return CLASSES.index(tag)
    return next((CLASSES.index(_PENN[start]) for start in _PENN if tag.startswith(start)), _OTHER)


@cache
def _spacy_tagger(name: str) -> Tagger:
    """Wrap an installed spaCy pipeline; it keeps our tokens and one sentence at a time."""
    try:
        import spacy
    except ImportError as error:
        msg = f'tagger="spacy:{name}" needs spaCy: pip install "docbats[spacy]"'
        raise MissingExtraError(msg) from error
    try:
        pipeline: Any = spacy.load(name)
    except (OSError, ImportError, ValueError) as error:
        msg = (
            f"spaCy cannot load a pipeline named {name!r} here: install it with "
            f"`python -m spacy download {name}` (never from PyPI, where such names are not spaCy's "
            'own), or use the tagger "docbats"'
        )
        raise MissingExtraError(msg) from error

    def tag(words: list[str]) -> list[str]:
        doc = spacy.tokens.Doc(pipeline.vocab, words=words)
        for _, component in pipeline.pipeline:
            doc = component(doc)
        tags = [token.pos_ or token.tag_ for token in doc]
        if not any(tags):
            msg = f"the spaCy pipeline {name!r} finds no parts of speech: name one with a tagger"
            raise SettingsError(msg)
        return tags

    return tag
