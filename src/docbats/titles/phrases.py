"""Noun phrases of a document: what titles and labels are made of.

A phrase is a run of adjectives, nouns and names that ends in a noun or a name. A phrase inside a
longer one is found too, but each of its uses counts only as far as the longer one does not explain
it: "York" is nothing by itself where the text always says "New York".

Where no tagger knows the language, words that meet again and again make a phrase.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from docbats.text.languages.english import LANGUAGE as ENGLISH
from docbats.text.tagger import CLASSES
from docbats.text.word_cache import WordCache

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.text.languages.language import Language
    from docbats.text.tokens import Tokens
    from docbats.text.words import Words

    Flags = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Looks = NDArray[np.uint8]

__all__ = ["LONGEST", "Phrases", "find_phrases"]

LONGEST = 4
"""The most words that a phrase has; each part of a hyphenated word counts as one."""

_LINE_BREAKS = "\t\n\r\v\f\x85\u2028\u2029"
_HYPHENS = frozenset("-\u2010\u2011&")
_GENITIVE = re.compile("['’]s?$")

# Adjectives that say nothing about the subject; no phrase begins with one unless it is a name.
_VAGUE = """
actual additional bad big certain clear common complex crucial current different difficult easy
entire essential exact extra final following former full further general good great huge important
interesting key large larger largest main major minor necessary new nice notable numerous obvious
old original overall particular possible present previous primary real recent relevant right
separate serious significant similar simple single small smaller special specific sure total true
typical unique useful usual various whole wide wrong
"""
_VAGUE_ADJECTIVES = frozenset(_VAGUE.split())

# What a byte tells of a token.
_LETTER, _CAPITAL, _SAYS_LITTLE, _HYPHEN, _DOT, _OF, _THE = (1 << bit for bit in range(7))

_OF_SHARE = 0.3  # of a noun's uses must go on with "of ..." in one way for that to be a phrase
_COSINE = 0.4  # of the uses of two words, from which on they are a phrase without a tagger


@dataclass(frozen=True, eq=False)
class Phrases:
    """The phrases of a document and where they occur.

    Phrases with the same stems are one phrase. Occurrences are sorted by phrase, and those of one
    phrase by their place in the text.

    Attributes
    ----------
    text
        The text of the document.
    names
        The names of the document's words, as in :class:`Words`.
    words
        A row for each phrase: the places in `names` of its words, filled up with -1. Numbers from
        ``len(names)`` on stand for "of" and other tokens that are no words.
    tagged
        Whether parts of speech were of use. If not, each word is a phrase, and words that meet
        often are one if the language is known.
    language
        What the text is written in.
    phrase, sentence
        For each occurrence, its phrase and its sentence.
    start, end
        For each occurrence, its half-open span in the text.
    capital
        For each occurrence, whether a capital at its beginning is the phrase's own and not that of
        the sentence.
    weight
        For each occurrence, 1 less the uses of the longer phrase that it is part of as a share of
        the uses of this one.
    """

    text: str
    names: tuple[str, ...]
    words: Ints
    tagged: bool
    language: Language
    phrase: Ints
    sentence: Ints
    start: Ints
    end: Ints
    capital: Flags
    weight: Floats
    _spelled: dict[int, str] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        """Count the phrases."""
        return len(self.words)

    def spell(self, phrase: int) -> str:
        """Write a phrase as the text does most: of equals in small letters, then the earliest."""
        if phrase not in self._spelled:
            uses: Counter[str] = Counter()
            for (span, capital), count in Counter(self._occurrences(phrase)).items():
                uses[_write(span, capital)] += count
            oblique = self.language.oblique
            best = max(
                uses, key=lambda form: (not form.endswith(oblique), uses[form], form.islower())
            )
            self._spelled[phrase] = best
        return self._spelled[phrase]

    def _occurrences(self, phrase: int) -> Iterator[tuple[str, bool]]:
        """Give the text of each occurrence, and whether a capital there is its own."""
        these = slice(self._edges[phrase], self._edges[phrase + 1])
        of_each = (
            self.start[these].tolist(),
            self.end[these].tolist(),
            self.capital[these].tolist(),
        )
        return (
            (self.text[start:end], capital) for start, end, capital in zip(*of_each, strict=True)
        )

    @cached_property
    def _edges(self) -> list[int]:
        """Where the occurrences of each phrase begin, and where the last ones end."""
        uses = np.bincount(self.phrase, minlength=len(self))
        return [0, *np.cumsum(uses).tolist()]


def _write(span: str, capital: bool) -> str:
    written = _GENITIVE.sub("", " ".join(span.split()).strip("_"))
    if capital or written[:2].isupper():
        return written
    return written[:1].lower() + written[1:]


def find_phrases(
    document: Document,
    tokens: Tokens,
    words: Words,
    classes: Ints,
    language: Language = ENGLISH,
) -> Phrases:
    """Find the phrases of `document`; `classes` are those of :func:`find_classes`.

    Parts of speech are of no use in a language that the tagger does not know, where it takes most
    words for names, and where there was no tagger. Then each word is a phrase; and in a language
    other than English, for which we have a tagger, words that meet often are one, too.
    """
    looks = np.frombuffer(b"".join(_look_at(tokens.forms)), np.uint8)[tokens.form]
    tagged = _are_useful(classes[looks & _LETTER > 0])
    longest = LONGEST
    if tagged:
        line = _read_line(document, tokens, words, classes, looks)
    elif language.code is None or language.has_tagger:
        line, longest = _loose_line(tokens, words), 1
    else:
        line = _untagged_line(document, tokens, words, looks, language)
    grams = _find_grams(line, longest)
    phrase = np.concatenate([gram.phrase for gram in grams])
    order = np.argsort(phrase, kind="stable")
    first = np.concatenate([gram.at for gram in grams])[order]
    last = np.concatenate([gram.at + gram.size - 1 for gram in grams])[order]
    return Phrases(
        text=document.text,
        names=words.names,
        words=np.concatenate([gram.keys for gram in grams]),
        tagged=tagged,
        language=language,
        phrase=phrase[order],
        sentence=tokens.sentence[line.token[first]],
        start=tokens.start[line.token[first]],
        end=tokens.end[line.token[last]],
        capital=line.capital[first],
        weight=np.concatenate(_independence(grams, len(line.token)))[order],
    )


def _are_useful(classes: Ints) -> bool:
    """Tell parts of speech from guesses, by the classes of the words.

    Of the words of English prose 34 to 64 % are no nouns, names, verbs or adjectives; our tagger
    finds less than 19 % in German, French, Spanish, Dutch, Italian, Turkish and Russian, and takes
    more than 60 % for names.
    """
    uses = dict(zip(CLASSES, np.bincount(classes, minlength=len(CLASSES)).tolist(), strict=True))
    size = max(1, len(classes))
    names = uses["PROPN"] / size
    grammar = (uses["OTHER"] + uses["AUX"]) / size
    return grammar < 1 and not (names > 0.5 and grammar < 0.25)


@dataclass(frozen=True, eq=False)
class _Line:
    """The tokens without the marks inside words, ready to be cut into phrases.

    Attributes
    ----------
    token
        For each place in the line, its token.
    key
        What tells phrases apart: the word, or for a token that is no word a number after those.
    inside, opens, closes
        Whether a phrase may contain the token, begin with it, end with it.
    joined
        Whether a phrase may go on from the token before.
    doubtful
        Whether it is an "of" that does not stand between names.
    capital
        Whether a capital here is the word's own.
    is_loose
        Whether any words may make a phrase, so that only those do that meet often.
    """

    token: Ints
    key: Ints
    inside: Flags
    opens: Flags
    closes: Flags
    joined: Flags
    doubtful: Flags
    capital: Flags
    is_loose: bool = False


def _loose_line(tokens: Tokens, words: Words) -> _Line:
    """Make each word a phrase of its own."""
    every = np.ones(len(words.token), np.bool_)
    capital = ~_is_first(tokens)[words.token]
    return _Line(words.token, words.word, every, every, every, ~every, ~every, capital)


def _read_line(
    document: Document,
    tokens: Tokens,
    words: Words,
    classes: Ints,
    looks: Looks,
) -> _Line:
    """Decide for each token what it may do in a phrase."""
    is_hyphen, is_dot = _marks_inside(tokens, looks)

    token = np.flatnonzero(~(is_hyphen | is_dot))
    look, first = looks[token], _is_first(tokens)[token]
    part = _previous(is_hyphen)[token]  # of a hyphenated word, but not its first part
    more = _next(is_hyphen)[token]
    noun, name, adjective, verb = (
        classes[token] == CLASSES.index(kind) for kind in ("NOUN", "PROPN", "ADJ", "VERB")
    )
    key = np.full(len(tokens), -1, np.int64)
    key[words.token] = words.word
    key = key[token]
    word = key >= 0
    key = np.where(word, key, len(words.names) + tokens.form[token])

    ordinal = (look & _CAPITAL > 0) & ~first & (name | adjective)  # as in the Second World War
    inside = word & (noun | name | adjective | (verb & part))
    inside |= ~word & (look & _LETTER > 0) & (_next(is_dot)[token] | more | ordinal)
    opens = inside & ~part & ((look & _SAYS_LITTLE == 0) | more | name)
    closes = inside & word & (noun | name) & ~more
    joined = ~first
    joined[_after_line_breaks(document.text, tokens.start[token])] = False
    # A name is taken whole: neither "York University" nor "Bank of New" is one.
    opens &= ~(name & joined & _previous(name))
    closes &= ~(name & _next(name & joined))

    of = (look & _OF > 0) & _previous(closes)
    the = (look & _THE > 0) & _previous(of & _previous(name)) & _next(name & opens)
    named = _previous(name) & _next(name | the)
    return _Line(
        token=token,
        key=key,
        inside=inside | (of & _next(opens | the)) | the,
        opens=opens,
        closes=closes,
        joined=joined,
        doubtful=of & ~named,
        capital=~first | name,
    )


def _untagged_line(
    document: Document, tokens: Tokens, words: Words, looks: Looks, language: Language
) -> _Line:
    """Let a phrase be any words, with links of the language between them.

    Where nouns have capitals, a phrase ends with one.
    """
    is_hyphen, _ = _marks_inside(tokens, looks)
    token = np.flatnonzero(~is_hyphen)
    first = _is_first(tokens)[token]
    part, more = _previous(is_hyphen)[token], _next(is_hyphen)[token]
    key = np.full(len(tokens), -1, np.int64)
    key[words.token] = words.word
    key = key[token]
    word = key >= 0
    key = np.where(word, key, len(words.names) + tokens.form[token])
    is_link = np.array([form.lower().replace("’", "'") in language.links for form in tokens.forms])
    link = is_link[tokens.form[token]] & ~word
    link &= _previous(word | link) & _next(word | link)
    noun = word
    if language.nouns_are_capitalised:
        noun = word & _are_nouns(key, word & ~first, looks[token] & _CAPITAL > 0)[key]
    joined = ~first
    joined[_after_line_breaks(document.text, tokens.start[token])] = False
    return _Line(
        token=token,
        key=key,
        inside=word | link | part | more,
        opens=word & ~part,
        closes=noun & ~more,
        joined=joined,
        doubtful=np.zeros(len(token), np.bool_),
        capital=~first | (noun if language.nouns_are_capitalised else False),
        is_loose=True,
    )


def _are_nouns(key: Ints, told: Flags, capital: Flags) -> Flags:
    """Find the words that mostly have a capital where it tells something."""
    size = int(key.max(initial=0)) + 1
    uses, with_capital = np.bincount(key[told], minlength=size), np.bincount(key[told & capital])
    with_capital = np.pad(with_capital, (0, size - len(with_capital)))
    return 2 * with_capital >= uses


def _marks_inside(tokens: Tokens, looks: Looks) -> tuple[Flags, Flags]:
    """Find hyphens between letters and the full stops of initials, as in "J. S. Bach"."""
    touches = ~_is_first(tokens)
    touches[1:] &= tokens.start[1:] == tokens.end[:-1]
    is_letter = looks & _LETTER > 0
    hyphen = (looks & _HYPHEN > 0) & touches & _next(touches)
    hyphen &= _previous(is_letter) & _next(is_letter)
    initial = (looks & _CAPITAL > 0) & (tokens.end - tokens.start == 1)
    dot = (looks & _DOT > 0) & touches & _previous(initial)
    return hyphen, dot


@WordCache
def _look_at(forms: list[str]) -> Iterator[bytes]:
    """Tell in one byte what there is to know of a token by its form."""
    for form in forms:
        look = _LETTER * form[0].isalpha() | _CAPITAL * form[0].isupper()
        look |= _SAYS_LITTLE * (form.lower() in _VAGUE_ADJECTIVES)
        look |= _HYPHEN * (form in _HYPHENS) | _DOT * (form == ".")
        look |= _OF * (form == "of") | _THE * (form == "the")
        yield bytes([look])


def _is_first(tokens: Tokens) -> Flags:
    """Mark the first token of each sentence."""
    first = np.ones(len(tokens), np.bool_)
    np.not_equal(tokens.sentence[1:], tokens.sentence[:-1], out=first[1:])
    return first


def _previous(flags: Flags) -> Flags:
    """For each token, the flag of the token before it."""
    shifted: Flags = np.zeros_like(flags)
    shifted[1:] = flags[:-1]
    return shifted


def _next(flags: Flags) -> Flags:
    """For each token, the flag of the token after it."""
    shifted: Flags = np.zeros_like(flags)
    shifted[:-1] = flags[1:]
    return shifted


def _after_line_breaks(text: str, starts: Ints) -> Ints:
    """Find the tokens that stand first in their lines."""
    # Most texts have one or two of these characters, and to look for one at a time is fast.
    present = [character for character in _LINE_BREAKS if character in text]
    breaks = [match.start() for character in present for match in re.finditer(character, text)]
    places = np.searchsorted(starts, np.array(breaks, np.int64))
    return places[places < len(starts)]


@dataclass(frozen=True, eq=False)
class _Grams:
    """The phrases of one size: the places where they begin, which they are, and their keys."""

    size: int
    at: Ints
    phrase: Ints
    uses: Ints
    keys: Ints


def _find_grams(line: _Line, longest: int) -> list[_Grams]:
    """Find the runs of 1 to `longest` tokens that are phrases, numbered throughout."""
    n_keys = int(line.key.max(initial=0)) + 1
    uses_of_key = np.bincount(line.key, minlength=n_keys)
    goes_on = np.concatenate([line.joined & line.inside, np.zeros(1, np.bool_)])
    at = np.flatnonzero(line.inside)
    run = line.key[at]
    grams: list[_Grams] = []
    known = 0
    for size in range(1, longest + 1):
        if size > 1:
            longer = goes_on[np.minimum(at + size - 1, len(line.key))]
            at = at[longer]
            run = np.unique(run[longer] * n_keys + line.key[at + size - 1], return_inverse=True)[1]
        begin = line.opens[at] & line.closes[at + size - 1]
        begin &= ~_is_chance(line, at, run, uses_of_key, size)
        begins = at[begin]
        uses = np.bincount(run[begin])
        phrase = (np.cumsum(uses > 0) - 1)[run[begin]]
        keys = np.full((np.count_nonzero(uses), LONGEST), -1, np.int64)
        keys[phrase, :size] = line.key[begins[:, None] + np.arange(size)]
        grams.append(_Grams(size, begins, phrase + known, uses[run[begin]], keys))
        known += len(keys)
    return grams


def _is_chance(line: _Line, at: Ints, run: Ints, uses_of_key: Ints, size: int) -> Flags:
    """Find runs such as "number of sheep": nouns that only happen to meet around an "of"."""
    chance = np.zeros(len(at), np.bool_)
    if line.is_loose and size > 1:
        uses = np.bincount(run)[run]
        ends = uses_of_key[line.key[at]] * uses_of_key[line.key[at + size - 1]]
        rare: Flags = (uses < 2) | (uses < _COSINE * np.sqrt(ends))
        return rare
    for inner in range(1, size - 1):
        chance |= line.doubtful[at + inner]
    if chance.any():
        uses = np.bincount(run)[run]
        chance &= (uses < 2) | (uses < _OF_SHARE * uses_of_key[line.key[at]])
    return chance


def _independence(grams: list[_Grams], n_places: int) -> list[Floats]:
    """Weigh each occurrence by how little a longer phrase around it explains it."""
    explained = [np.zeros(n_places, np.int64) for _ in grams]
    for gram in grams:
        for shorter in range(1, gram.size):
            best = explained[shorter - 1]
            for offset in range(gram.size - shorter + 1):
                places = gram.at + offset
                best[places] = np.maximum(best[places], gram.uses)
    return [
        np.maximum(1 - best[gram.at] / gram.uses, 0.0)
        for gram, best in zip(grams, explained, strict=True)
    ]
