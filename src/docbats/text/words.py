"""Which tokens are words worth counting, and under which name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np
from Stemmer import Stemmer

from docbats.text.languages.english import LANGUAGE as ENGLISH
from docbats.text.tokens import compose, is_missing

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.text.languages.language import Language
    from docbats.text.tokens import Tokens

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


_MAX_SHORT = 2  # letters of a word that is taken for grammar wherever it stands
_MAX_LETTERS = 5  # of a word that is taken for grammar if it is widespread
_N_PARTS, _MIN_PARTS = 10, 6  # a word in six tenths of the text is widespread
_MIN_SENTENCES = 20  # in a shorter text a tenth is too small to tell


def find_widespread_words(tokens: Tokens, n_sentences: int) -> frozenset[str]:
    """Find the words that are so short, or so short and so widespread, that they must be grammar.

    In scripts without small letters one character may say a lot, so no word counts as short there.
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

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")

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
    """The words that may be counted: neither stop words nor numbers nor debris.

    Attributes
    ----------
    names
        The distinct words, lower-cased, in order of first appearance. Words with one stem are one
        word, under the name that the text uses most.
    word
        For each occurrence, its place in `names`.
    token
        For each occurrence, the index of its token.
    """

    names: tuple[str, ...]
    word: NDArray[np.int64]
    token: NDArray[np.int64]


def find_words(
    document: Document,
    tokens: Tokens,
    stop_words: Collection[str],
    *,
    stem: bool = True,
    language: Language = ENGLISH,
) -> Words:
    """Find the tokens that are words, outside addresses and markup, and no stop words."""
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
    if language.oblique_endings:
        endings = tuple(language.oblique_endings)
        uses -= len(used) * np.array([name.endswith(endings) for name in names], np.int64)
    shown = _commonest(uses, word_of_name)
    return Words(tuple(names[i] for i in shown.tolist()), word_of_name[used], token)


def _find_grammar(names: Iterable[str], language: Language) -> list[str]:
    """Find what belongs to the grammar of the language, whichever stop words there are."""
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
    """Make the function from tokens to their normal forms, with stems for those that are words.

    A single Chinese character may be a word in the languages that are written with them.
    """

    def normalize(forms: list[str]) -> list[tuple[str, str | None]]:
        stem = _stem_function(stemmer)
        names = map(normal_form, forms)
        return [
            (name, stem(name))
            if _is_word(name) or (with_characters and _HAN.fullmatch(name))
            else (name, None)
            for name in names
        ]

    return WordCache(normalize)


@cache
def stemming(stemmer: str | None) -> WordCache[str]:
    """Make the function from words to their stems; without a stemmer they are the words."""
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
    """Mark the tokens that lie in a web or e-mail address, a tag, an entity or a LaTeX command."""
    edges = np.array(_debris_spans(text), np.int64).reshape(-1, 2)
    first, last = np.searchsorted(tokens.start, edges.T)
    size = len(tokens) + 1
    opened = np.bincount(first, minlength=size) - np.bincount(last, minlength=size)
    return np.cumsum(opened)[:-1] > 0


def _debris_spans(text: str) -> list[tuple[int, int]]:
    # One pattern at a time: each opens with a fixed character, which is searched for fast.
    markup = (
        match.span() for pattern in (_TAG, _ENTITY, _LATEX) for match in pattern.finditer(text)
    )
    return [*markup, *_programs(text), *_addresses(text)]


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
    """Do the work of ``_ADDRESS.finditer``, but look only where a match can begin."""
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
