"""The words of WordNet and their regular inflected forms, with the classes they may have."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import numpy as np

from docbats.text.tags import Lexicon, hash_words, word_keys

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_CLASSES = ("noun", "verb", "adj", "adv")  # in the order of the mask bits
_CLASS_OF_SENSE = {"1": "noun", "2": "verb", "3": "adj", "4": "adv", "5": "adj"}
_WORD = re.compile(r"[a-z]+")
_SIBILANT = re.compile(r".*(s|x|z|ch|sh)")
_CONSONANT_Y = re.compile(r".*[^aeiou]y")
_UNSEEN_COUNT = 0.1  # of a class that WordNet lists, but that does not occur in its tagged texts


def read_lexicon(folder: Path) -> Lexicon:
    """Read the index, exception and frequency files of WordNet from `folder`."""
    masks: defaultdict[str, int] = defaultdict(int)
    counts: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    frequency = _frequencies(folder / "cntlist.rev")
    for bit, name in enumerate(_CLASSES):
        irregular = _exceptions(folder / f"{name}.exc")
        for lemma in _lemmas(folder / f"index.{name}"):
            seen = frequency[lemma, name]
            masks[lemma] |= 1 << bit
            counts[lemma][name] += seen + _UNSEEN_COUNT
            for inflected in (*_inflect(lemma, name), *irregular[lemma]):
                masks[inflected] |= 16 << bit
                counts[inflected][name] += seen / 2 + _UNSEEN_COUNT
    words = sorted(masks)
    full = np.array([masks[word] | _usual_class(counts[word]) << 8 for word in words], np.uint16)
    keys, first = np.unique(word_keys(hash_words(words)), return_index=True)
    return Lexicon(keys, full[first])


def _usual_class(counts: Mapping[str, float]) -> int:
    """Return the most frequent class and how far it leads, as one number; 0 without counts."""
    total = sum(counts.values())
    if total < 0.5:
        return 0
    name = max(counts, key=counts.__getitem__)
    share = counts[name] / total
    return 1 + 3 * _CLASSES.index(name) + (share <= 0.95) + (share <= 0.7)


def _lemmas(path: Path) -> Iterator[str]:
    for line in path.read_text(encoding="latin-1").splitlines():
        word = line.partition(" ")[0]  # the lines of the licence begin with a space
        if _WORD.fullmatch(word):
            yield word


def _exceptions(path: Path) -> defaultdict[str, list[str]]:
    """Return the irregular forms of each lemma."""
    irregular = defaultdict(list)
    for line in path.read_text(encoding="latin-1").splitlines():
        inflected, *lemmas = line.split()
        if _WORD.fullmatch(inflected) and inflected not in lemmas:
            for lemma in lemmas:
                irregular[lemma].append(inflected)
    return irregular


def _frequencies(path: Path) -> Counter[tuple[str, str]]:
    """Return how often each lemma occurs in each class in WordNet's tagged texts."""
    frequency: Counter[tuple[str, str]] = Counter()
    for line in path.read_text(encoding="latin-1").splitlines():
        key, _, count = line.split()
        lemma, _, sense = key.partition("%")
        frequency[lemma, _CLASS_OF_SENSE[sense[0]]] += int(count)
    return frequency


def _inflect(word: str, name: str) -> Iterator[str]:
    """Yield plurals, tenses and comparisons by rule; doubled consonants are in the exceptions."""
    if name in {"noun", "verb"}:
        if _CONSONANT_Y.fullmatch(word):
            yield f"{word[:-1]}ies"
        else:
            yield f"{word}es" if _SIBILANT.fullmatch(word) else f"{word}s"
    if name == "verb":
        drops_e = word.endswith("e") and not word.endswith("ee")
        yield f"{word[:-1]}ing" if drops_e else f"{word}ing"
        yield f"{_open_stem(word)}ed"
    if name == "adj" and len(word) <= 7:  # longer ones take "more" and "most"
        yield f"{_open_stem(word)}er"
        yield f"{_open_stem(word)}est"


def _open_stem(word: str) -> str:
    """Return the stem of a word for an ending that begins with "e"."""
    if word.endswith("e"):
        return word[:-1]
    return f"{word[:-1]}i" if _CONSONANT_Y.fullmatch(word) else word
