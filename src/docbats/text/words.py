"""Tokens, and which of them are words worth counting, and under which name."""

from __future__ import annotations

import itertools
import re
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np
from Stemmer import Stemmer

from docbats.text.languages.english import LANGUAGE as ENGLISH
from docbats.text.markup import compose, respell

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.text.languages.language import Language

    _Ints = NDArray[np.int64]
    _Codes = NDArray[np.uint8] | NDArray[np.uint32]


_HAN_OR_KANA = re.compile(
    "[\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_JOINERS = "\u200c\u200d"  # zero-width (non-)joiner
_WIDE = f"utf-32-{sys.byteorder[0]}e"  # four bytes a character, in the order that numpy reads
_BLOCK_SIZE = 1 << 20  # characters tokenized at a time: bounds the memory of token strings

# Kinds of characters. Those from _LETTER on make up words.
_BLANK, _MARK, _APOSTROPHE, _LETTER, _HAN = range(5)


@dataclass(frozen=True, eq=False)
class Tokens:
    """Words and punctuation marks in the order of the text."""

    # The distinct tokens in order of first appearance, with composed letters and no soft hyphens.
    forms: tuple[str, ...]
    # For each token:
    form: NDArray[np.int64]  # its index in `forms`
    start: NDArray[np.int64]  # its half-open span in the text
    end: NDArray[np.int64]
    sentence: NDArray[np.int64]  # the index of its sentence

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self.form)

    @property
    def size(self) -> NDArray[np.int64]:
        """The number of characters of each token."""
        return np.array([len(form) for form in self.forms], np.int64)[self.form]

    @property
    def is_word(self) -> NDArray[np.bool_]:
        """Whether each token is a word or a number, rather than a mark."""
        return np.array([form[0].isalnum() for form in self.forms], np.bool_)[self.form]


def tokenize(document: Document, language: Language = ENGLISH) -> Tokens:
    """Find the tokens of `document`: runs of letters and digits, and single other marks.

    An apostrophe between letters stays inside its word, but after an elision of the language it
    ends a token: "l'eau" is "l'" and "eau". Chinese and Japanese, which put no space between words,
    are cut by the segmenter of the language if it is installed; else they become overlapping pairs
    of characters.
    """
    ids = defaultdict[str, int](itertools.count().__next__)  # in the order of the text
    segment = find_segmenter(language.segmenter)
    text = document.text if document.prose is None else document.prose
    forms, starts, ends = [], [], []
    for begin, stop in _blocks(document):
        block = text[begin:stop]
        respelled = respell(block)
        if respelled is not None:
            block = respelled.text
        codes, kinds = _characters(block)
        start, end = _token_spans(block, kinds, segment)
        if language.elisions:
            start, end = _split_elisions(block, kinds, start, end, language.elisions)
        tokens = _strings(codes, start, end)
        forms.append(np.fromiter(map(ids.__getitem__, tokens), np.int64, len(tokens)))
        if respelled is not None:
            start, end = respelled.start[start], respelled.end[end - 1]
        starts.append(start + begin)
        ends.append(end + begin)
    form, start, end = map(np.concatenate, (forms, starts, ends))
    first, last = np.searchsorted(start, document.spans.T)
    count = last - first
    sentence = np.repeat(np.arange(len(document)), count)
    # Custom spans may leave out parts of the text.
    if len(sentence) < len(start):
        inside = np.arange(len(sentence)) + np.repeat(last - np.cumsum(count), count)
        form, start, end = form[inside], start[inside], end[inside]
    return Tokens(tuple(ids), form, start, end, sentence)


def _blocks(document: Document) -> Iterator[tuple[int, int]]:
    """Cut the text at starts of sentences into pieces of about `_BLOCK_SIZE` characters."""
    sentence_starts = document.spans[:, 0]
    begin, size = 0, len(document.text)
    while begin < size:
        place = np.searchsorted(sentence_starts, begin + _BLOCK_SIZE)
        stop = int(sentence_starts[place]) if place < len(sentence_starts) else size
        yield begin, stop
        begin = stop


@lru_cache(maxsize=4096)
def _kind(character: str) -> int:
    if character.isspace():
        return _BLANK
    if character in "'’":
        return _APOSTROPHE
    # Accents of their own and invisible joiners belong inside words though they are no letters.
    is_part = character in _JOINERS or unicodedata.category(character)[0] == "M"
    if is_part or character.isalnum() or character == "_":
        return _HAN if _HAN_OR_KANA.match(character) else _LETTER
    return _MARK


_ASCII_KINDS = bytes(map(_kind, map(chr, range(128)))) + bytes(128)


def _characters(block: str) -> tuple[_Codes, NDArray[np.uint8]]:
    """Return the code points of a text, in one byte each if that suffices, and their kinds."""
    if block.isascii():
        octets = block.encode("ascii")
        kinds = octets.translate(_ASCII_KINDS)
        return np.frombuffer(octets, np.uint8), np.frombuffer(kinds, np.uint8)
    codes = np.frombuffer(block.encode(_WIDE, "surrogatepass"), np.uint32)
    kind_of_code = np.zeros(codes.max() + 1, np.uint8)
    kind_of_code[codes] = 1
    used = np.flatnonzero(kind_of_code)
    kind_of_code[used] = [_kind(chr(code)) for code in used.tolist()]
    return codes, kind_of_code[codes]


def _token_spans(
    block: str, kinds: NDArray[np.uint8], segment: Segmenter | None
) -> tuple[_Ints, _Ints]:
    """Return the starts and ends of tokens, by the kinds of the characters."""
    in_word = kinds >= _LETTER
    inner = (kinds[1:-1] == _APOSTROPHE) & in_word[:-2] & in_word[2:]
    in_word[1:-1] |= inner
    joined = np.zeros(len(kinds) + 1, bool)  # whether a character goes with the one before it
    joined[1:-1] = in_word[:-1] & in_word[1:]
    is_han = kinds == _HAN
    has_han = bool(is_han.any())
    if has_han:
        joined[1:-1] &= is_han[:-1] == is_han[1:]
    is_token = kinds != _BLANK
    start = np.flatnonzero(is_token & ~joined[:-1])
    end = np.flatnonzero(is_token & ~joined[1:]) + 1
    if not has_han:
        return start, end
    # Each character of a run but the last begins a pair; a single one stays a token.
    other = ~is_han[start] | (end - start == 1)
    if segment is None:
        pair = np.flatnonzero(joined[1:] & is_han)
        more = pair, pair + 2
    else:
        more = _segmented(block, start[~other], end[~other], segment)
    start, end = np.append(start[other], more[0]), np.append(end[other], more[1])
    order = np.argsort(start, kind="stable")  # merges the two runs in linear time
    return start[order], end[order]


def _segmented(block: str, start: _Ints, end: _Ints, segment: Segmenter) -> tuple[_Ints, _Ints]:
    """Cut runs of Chinese or Japanese characters into their words."""
    runs = zip(start.tolist(), end.tolist(), strict=True)
    sizes = [np.array([len(word) for word in segment(block[a:b])], np.int64) for a, b in runs]
    ends = [first + np.cumsum(size) for first, size in zip(start.tolist(), sizes, strict=True)]
    if not ends:
        return start, end
    stop = np.concatenate(ends)
    return stop - np.concatenate(sizes), stop


def _split_elisions(
    block: str, kinds: NDArray[np.uint8], start: _Ints, end: _Ints, elisions: frozenset[str]
) -> tuple[_Ints, _Ints]:
    """Split the tokens that begin with an elision after its apostrophe."""
    apostrophe = np.flatnonzero(kinds == _APOSTROPHE)
    token = np.searchsorted(start, apostrophe, side="right") - 1
    first = np.flatnonzero(np.diff(token, prepend=-1))  # of the apostrophes of each token
    apostrophe, token = apostrophe[first], token[first]
    inside = apostrophe + 1 < end[token]
    begins = zip(start[token[inside]].tolist(), apostrophe[inside].tolist(), strict=True)
    found = [stop + 1 for begin, stop in begins if block[begin:stop].lower() in elisions]
    elided = np.array(found, np.int64)
    return np.sort(np.append(start, elided)), np.sort(np.append(end, elided))


def _strings(codes: _Codes, start: _Ints, end: _Ints) -> list[str]:
    """Cut out tokens: written one after the other with blanks between, then split at those."""
    if not len(start):
        return []
    size = end - start + 1
    stop = np.cumsum(size)
    place = np.arange(stop[-1]) + np.repeat(end + 1 - stop, size)
    place[stop - 1] = 0
    line = codes[place]
    line[stop - 1] = ord(" ")
    encoding = "ascii" if codes.dtype == np.uint8 else _WIDE
    tokens: str = line[:-1].tobytes().decode(encoding, "surrogatepass")
    return tokens.split(" ")


Segmenter = Callable[[str], list[str]]
"""Cuts a run of characters into its words, which joined give it again."""


@dataclass(frozen=True)
class SegmenterLibrary:
    """An optional library that segments one language."""

    extra: str  # of docbats, which installs it
    module: str  # which is there if it is installed
    load: Callable[[], Segmenter]  # imports it


@cache
def find_segmenter(library: SegmenterLibrary | None) -> Segmenter | None:
    """Load a segmenter; None if its library is not installed, or the language needs none."""
    return None if library is None or is_missing(library) else library.load()


@cache
def is_missing(library: SegmenterLibrary) -> bool:
    """Whether the library is not installed."""
    return find_spec(library.module) is None


_Fact = TypeVar("_Fact")
_MAX_CHARACTERS = 1 << 18  # of all cached words, some forty thousand: more only take memory


class WordCache(Generic[_Fact]):
    """A function from words to a fact about each, with a cache of the facts.

    The function must look at each word by itself, so that an answer never depends on what was asked
    before. The cache is bounded, and threads may share it.
    """

    def __init__(self, function: Callable[[list[str]], Iterable[_Fact]]) -> None:
        self._function = function
        self._facts: dict[str, _Fact] = {}
        self._size = 0

    def __call__(self, words: Sequence[str]) -> list[_Fact]:
        """Return the fact about each word."""
        facts = self._facts
        try:
            return [facts[word] for word in words]
        except KeyError:
            new = [word for word in words if word not in facts]
        facts.update(zip(new, self._function(new), strict=True))
        self._size += sum(map(len, new))
        # Others may be reading the facts: let go of them rather than clear them.
        if self._size > _MAX_CHARACTERS:
            self._facts, self._size = {}, 0
        return [facts[word] for word in words]


_MAX_SHORT = 2  # letters of a word that always counts as grammar
_MAX_LETTERS = 5  # of a word that counts as grammar if it is widespread
_N_PARTS, _MIN_PARTS = 10, 6  # a word in six tenths of the text is widespread
_MIN_SENTENCES = 20  # in a shorter text a tenth is too small to tell


def find_widespread_words(tokens: Tokens, n_sentences: int) -> frozenset[str]:
    """Find the words that must be grammar: very short, or short and widespread.

    In scripts without lower case one character may say a lot, so no word counts as short there.
    """
    names = [normal_form(form) for form in tokens.forms]
    part = np.unique(tokens.form * _N_PARTS + tokens.sentence * _N_PARTS // n_sentences) // _N_PARTS
    is_long = n_sentences >= _MIN_SENTENCES
    parts = np.bincount(part, minlength=len(names)) if is_long else [0] * len(names)
    return frozenset(
        name
        for name, count in zip(names, parts, strict=True)
        if name.islower()
        and (len(name) <= _MAX_SHORT or (len(name) <= _MAX_LETTERS and count >= _MIN_PARTS))
    )


_INVISIBLE = str.maketrans({"\u2019": "'", **dict.fromkeys("\u00ad\u200c\u200d\u2060", "")})

_HAN_CHARACTER = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")

# What shows that there is an address, which is then widened by the characters that addresses have.
_ADDRESS = re.compile(
    r"://|\bwww\.|\w@\w|\w\.(?:com|org|net|edu|gov|info|dev|app|io|co\.uk)\b|\w\.[a-z]{2,6}/\w"
)
# What can be searched for fast in each alternative of it, and how far before that a match begins.
_ADDRESS_HINTS = [
    (re.compile(r"://"), 0),
    (re.compile(r"www\."), 0),
    (re.compile(r"@"), 1),
    (re.compile(r"\.[a-z]"), 1),
]
_ADDRESS_CHARACTERS = re.compile(r"[\w.~:/?#@!$&'*+,;=%-]*", re.ASCII)
_TAG = re.compile(
    r"""
    <(?:
        !--[^<>]{0,1000}--
      | /?[A-Za-z][\w:.-]*+
        (?:\s++[\w:@-]++(?:\s*+=\s*+(?:"[^"<>]{0,1000}"|'[^'<>]{0,1000}'|[^\s"'<>]++))?)*+\s*+/?
    )>
    """,
    re.VERBOSE,
)
_ENTITY = re.compile(r"&(?:\#\w{1,8};|[A-Za-z]{2,8}\d?;|(?:nbsp|amp|lt|gt|quot)\b)")
_LATEX = re.compile(r"\\[A-Za-z]+")
_PROGRAM = re.compile(r"<(?:script|style)\b[^<>]{0,1000}>", re.IGNORECASE)
_PROGRAM_END = re.compile(r"</(?:script|style)\b", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Words:
    """The words that may be counted: neither stop words nor numbers nor debris."""

    # The distinct words, lower-cased, in order of first appearance. Words with one stem are one
    # word, under the name that the text uses most.
    names: tuple[str, ...]
    word: NDArray[np.int64]  # for each occurrence, its index in `names`
    token: NDArray[np.int64]  # for each occurrence, the index of its token


def find_words(
    document: Document,
    tokens: Tokens,
    stop_words: Collection[str],
    *,
    stem: bool = True,
    language: Language = ENGLISH,
) -> Words:
    """Find the tokens that are words, except stop words, addresses and markup."""
    forms = _word_form_cache(language.stemmer, not language.writes_spaces)(tokens.forms)
    key_of_name = {
        name: key if stem else name
        for name, key in forms
        if key is not None and name not in stop_words
    }
    for name in _find_grammar(key_of_name, language):
        del key_of_name[name]
    words = {key: i for i, key in enumerate(dict.fromkeys(key_of_name.values()))}
    word_of_name = np.array([words[key] for key in key_of_name.values()], np.int64)
    place = {name: i for i, name in enumerate(key_of_name)}
    name_of_form = np.array([place.get(name, -1) for name, _ in forms], np.int64)
    name_of_token = name_of_form[tokens.form]
    token = np.flatnonzero((name_of_token >= 0) & ~_in_debris(document.text, tokens))
    used = name_of_token[token]
    names = list(place)
    uses = np.bincount(used, minlength=len(place))
    if language.oblique_endings and not language.capitalizes_nouns:
        endings = tuple(language.oblique_endings)
        uses -= len(used) * np.array([name.endswith(endings) for name in names], np.int64)
    shown = _commonest(uses, word_of_name)
    return Words(tuple([names[i] for i in shown.tolist()]), word_of_name[used], token)


def _find_grammar(names: Iterable[str], language: Language) -> list[str]:
    """Find the words that belong to the grammar of the language, whatever the stop words."""
    if language.elisions:
        return [name for name in names if name in language.elided_forms]
    if language.segmenter is not None and is_missing(language.segmenter):
        return [name for name in names if not language.grammar_characters.isdisjoint(name)]
    return []


def _commonest(uses: NDArray[np.int64], word_of_name: NDArray[np.int64]) -> NDArray[np.int64]:
    """Find the most used name of each word, the earliest of equals."""
    order = np.lexsort((-uses, word_of_name))
    return order[np.flatnonzero(np.diff(word_of_name[order], prepend=-1))]


@cache
def _word_form_cache(
    stemmer: str | None, with_characters: bool
) -> WordCache[tuple[str, str | None]]:
    """Return the function from tokens to their normal forms, with stems for words.

    A single Chinese character may be a word in the languages that are written with them.
    """

    def is_counted(name: str) -> bool:
        is_character = with_characters and _HAN_CHARACTER.fullmatch(name) is not None
        return _is_word(name) or is_character

    def normalize(forms: list[str]) -> list[tuple[str, str | None]]:
        stem = _stem_function(stemmer)
        names = map(normal_form, forms)
        return [(name, stem(name) if is_counted(name) else None) for name in names]

    return WordCache(normalize)


@cache
def stemming(stemmer: str | None) -> WordCache[str]:
    """Return the function from words to their stems; without a stemmer they stay the same."""
    return WordCache(lambda names: list(map(_stem_function(stemmer), names)))


def _stem_function(stemmer: str | None) -> Callable[[str], str]:
    # A stemmer is not to be shared between threads; to make one costs microseconds.
    if stemmer is None:
        return str
    stem: Callable[[str], str] = Stemmer(stemmer, 0).stemWord

    def stem_or_keep(name: str) -> str:
        try:
            return stem(name)
        except UnicodeEncodeError:  # a lone surrogate, which the stemmer cannot hold
            return name

    return stem_or_keep


def normal_form(form: str) -> str:
    """Lower-case a token, without possessive ending, invisible characters and _emphasis_.

    >>> normal_form("Patient’s")
    'patient'
    """
    name = form.lower()
    if not name.isascii():
        name = compose(name.translate(_INVISIBLE))
    return name.removesuffix("'s").strip("_")


def _is_word(name: str) -> bool:
    """Whether it is a word: no number, single letter or code that is mostly digits."""
    if name.isalpha():
        return len(name) > 1
    digits = sum(map(str.isdigit, name))
    return len(name) > 1 and name[0].isalpha() and 3 * digits <= len(name)


def _in_debris(text: str, tokens: Tokens) -> NDArray[np.bool_]:
    """Return which tokens are in an address, a tag, an entity or a LaTeX command."""
    # One pattern at a time: each opens with a fixed character, which is searched for fast.
    patterns = (_TAG, _ENTITY, _LATEX)
    spans = [match.span() for pattern in patterns for match in pattern.finditer(text)]
    edges = np.array([*spans, *_programs(text), *_addresses(text)], np.int64).reshape(-1, 2)
    first, last = np.searchsorted(tokens.start, edges.T)
    size = len(tokens) + 1
    opened = np.bincount(first, minlength=size) - np.bincount(last, minlength=size)
    return np.cumsum(opened)[:-1] > 0


def _addresses(text: str) -> list[tuple[int, int]]:
    spans = []
    done = 0
    for match in _address_marks(text):
        if match.start() < done:
            continue
        start = match.start()
        while start > done and _ADDRESS_CHARACTERS.fullmatch(text, start - 1, start):
            start -= 1
        rest = _ADDRESS_CHARACTERS.match(text, match.end())
        done = rest.end() if rest else match.end()
        spans.append((start, done))
    return spans


def _address_marks(text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of ``_ADDRESS``, looking only where one can begin."""
    done = 0
    for place in sorted(
        max(0, hint.start() - back)
        for pattern, back in _ADDRESS_HINTS
        for hint in pattern.finditer(text)
    ):
        match = _ADDRESS.match(text, place) if place >= done else None
        if match:
            yield match
            done = match.end()


def _programs(text: str) -> list[tuple[int, int]]:
    """Find scripts and style sheets, from their opening to their closing tags."""
    spans = []
    done = 0
    for opening in _PROGRAM.finditer(text):
        if opening.start() >= done:
            closing = _PROGRAM_END.search(text, opening.end())
            if closing is None:
                break
            done = closing.start()
            spans.append((opening.start(), done))
    return spans
