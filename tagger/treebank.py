"""Sentences of a treebank as raw text, and their word classes on our own tokens."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from docbats.document import Document
from docbats.text.languages.english import STOP_WORDS as ENGLISH
from docbats.text.tags import CLASSES
from docbats.text.words import Tokens, normal_form, tokenize

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

OTHER = CLASSES.index("OTHER")

# The treebank writes "do n't", "John 's", "gon na", "can not" as two words each.
_CLITIC = re.compile(r"(n['\u2019]?t|['\u2019`](s|m|ll|ve|re|d))", re.IGNORECASE)
_BARE_CLITIC = re.compile(r"(s|m|ll|ve|re|d)", re.IGNORECASE)
_SECOND_HALF = {("gon", "na"), ("wan", "na"), ("got", "ta"), ("can", "not"), ("c'm", "on")}
_NO_SPACE_BEFORE = re.compile(r"[.,;:?!)\]}%”…]+|''|\u2019\u2019")
_NO_SPACE_AFTER = re.compile(r"[(\[{$#“\u2018]|``|\u2018\u2018")
_JOINED = frozenset("-/")


@dataclass(frozen=True)
class Word:
    """A word of the treebank and its universal part of speech."""

    form: str
    upos: str


@dataclass(frozen=True)
class Sentence:
    """A sentence as it would be printed, and where each word of the treebank begins in it."""

    text: str
    starts: tuple[int, ...]
    words: tuple[Word, ...]


@dataclass(frozen=True, eq=False)
class Gold:
    """Tokens found in raw text, with their classes in the treebank."""

    tokens: Tokens
    classes: NDArray[np.int64]


def read_treebank(path: Path) -> list[list[Word]]:
    """Read sentences of ``form TAB tag`` lines, separated by blank lines."""
    blocks = path.read_text(encoding="utf-8").split("\n\n")
    lines = (block.strip("\n").split("\n") for block in blocks if block.strip())
    return [[Word(*line.split("\t")) for line in block] for block in lines]


def print_sentence(words: Sequence[Word]) -> Sentence:
    """Join the words of a sentence with the spaces that English puts between them."""
    text, starts = "", []
    open_quotes: set[str] = set()
    glued = True  # no space before the first word
    for place, word in enumerate(words):
        form = word.form.replace(" ", "\u00a0")
        is_quote = form in {'"', "'"}
        is_genitive = form in {"'", "\u2019"} and word.upos == "PART"
        is_last = place == len(words) - 1
        closes = is_genitive or (is_quote and (form in open_quotes or is_last))
        before = words[place - 1].form if place else ""
        attached = glued or closes or form in _JOINED or _follows_closely(before, word)
        starts.append(len(text) + (not attached))
        text += form if attached else f" {form}"
        glued = form in _JOINED or _NO_SPACE_AFTER.fullmatch(form) is not None
        if is_quote and not is_genitive:
            glued = not closes
            open_quotes ^= {form}
    return Sentence(text, tuple(starts), tuple(words))


def _follows_closely(before: str, word: Word) -> bool:
    form = word.form
    return (
        _NO_SPACE_BEFORE.fullmatch(form) is not None
        or _CLITIC.fullmatch(form) is not None
        or (_BARE_CLITIC.fullmatch(form) is not None and word.upos in {"PART", "AUX"})
        or (before.lower(), form.lower()) in _SECOND_HALF
    )


def align(sentences: Sequence[Sentence], *, split_anew: bool = False) -> Gold:
    """Find our tokens and assign to each the class of the treebank word in which it starts.

    With `split_anew` the sentences are joined into one text, which our own splitter splits again.
    """
    document = Document.from_sentences([sentence.text for sentence in sentences])
    bases = document.spans[:, 0].tolist()
    starts = [
        base + start
        for base, sentence in zip(bases, sentences, strict=True)
        for start in sentence.starts
    ]
    if split_anew:
        document = Document.from_text(document.text.replace("\n", " "))
    tokens = tokenize(document)
    number = {name: place for place, name in enumerate(CLASSES)}
    words = [word for sentence in sentences for word in sentence.words]
    classes = np.array([number.get(word.upos, OTHER) for word in words])
    found = classes[np.searchsorted(starts, tokens.start, side="right") - 1]
    # The hyphen of "e-mail" is not a noun.
    is_mark = np.array([not any(map(str.isalnum, form)) for form in tokens.forms], bool)
    found[is_mark[tokens.form]] = OTHER
    return Gold(tokens, found)


def is_content_word(form: str) -> bool:
    """Whether the accuracy counts this token."""
    name = normal_form(form)
    return len(name) > 1 and any(map(str.isalpha, name)) and name not in ENGLISH


def lower_case(words: Sequence[Word]) -> list[Word]:
    """Write a sentence without capitals."""
    return [Word(word.form.lower(), word.upos) for word in words]


def upper_case(words: Sequence[Word]) -> list[Word]:
    """Write a sentence in capitals."""
    return [Word(word.form.upper(), word.upos) for word in words]


def without_punctuation(words: Sequence[Word]) -> list[Word]:
    """Leave the punctuation marks out of a sentence."""
    return [word for word in words if word.upos != "PUNCT"]
