"""The words of a document as the likelihood of a cut sees them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np

from docbats.text.tagger import CLASSES
from docbats.text.word_cache import WordCache
from docbats.text.words import stemming

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from docbats.prepare import PreparedText
    from docbats.segments.cut_model import CutModel
    from docbats.text.languages.language import Language
    from docbats.text.tokens import Tokens
    from docbats.text.words import Words

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["Evidence", "find_evidence"]

_MAX_HEADING_WORDS = 12
_MAX_HEADING_SHARE = 0.7  # of the words of a mean sentence

# The flags of a token, in one byte: its group of function words, from 1 on, and three marks.
_GROUP, _WORD, _CONTINUES, _CLOSES = 15, 16, 32, 64


@dataclass(frozen=True, eq=False)
class Evidence:
    """The words of a document as a cut sees them.

    Attributes
    ----------
    root, sentence, count
        How often each root stands in each sentence: one entry a pair, sorted by root, then by
        sentence. Only roots of two sentences or more are here.
    weight
        For each root, how much it counts.
    sizes
        Words in each sentence, at least 1.
    continues
        For each sentence, whether it begins with a word that goes on with what was said.
    is_heading
        For each sentence, whether it looks like a heading.
    """

    root: Ints
    sentence: Ints
    count: Ints
    weight: Floats
    sizes: Ints
    continues: Bools
    is_heading: Bools

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.sizes)

    @cached_property
    def n_tokens(self) -> int:
        """All occurrences, unweighted."""
        return int(self.count.sum())

    def between(self, first: int, end: int) -> Evidence:
        """Return what is known of some sentences, with only the roots that two of them share."""
        used = (self.sentence >= first) & (self.sentence < end)
        used &= (np.bincount(self.root[used], minlength=len(self.weight)) > 1)[self.root]
        kept, root = np.unique(self.root[used], return_inverse=True)
        return Evidence(
            root=root,
            sentence=self.sentence[used] - first,
            count=self.count[used],
            weight=self.weight[kept],
            sizes=self.sizes[first:end],
            continues=self.continues[first:end],
            is_heading=self.is_heading[first:end],
        )

    def once_per_block(self, block: Ints) -> Evidence:
        """Return the evidence with each root counted once a block, and only roots of two blocks.

        `block` is that of each sentence. That one block is full of a word says little of where its
        subject begins and ends.
        """
        pair = self.root * (int(block[-1]) + 1) + block[self.sentence]
        first = np.flatnonzero(np.diff(pair, prepend=-1))
        kept = np.bincount(self.root[first], minlength=len(self.weight)) > 1
        used = first[kept[self.root[first]]]
        return replace(
            self,
            root=(np.cumsum(kept) - 1)[self.root[used]],
            sentence=self.sentence[used],
            count=np.ones(len(used), np.int64),
            weight=self.weight[kept],
        )


def find_evidence(
    text: PreparedText, class_weights: Mapping[str, float], model: CutModel, *, stem: bool
) -> Evidence:
    """Collect the evidence; `class_weights` says by its class how much a word counts."""
    m, tokens, words, language = len(text.document), text.tokens, text.words, text.language
    root, n_roots = _roots(words, model.root_letters if stem else None, language.stemmer)
    flags = np.frombuffer(b"".join(_flag_cache(language)(tokens.forms)), np.uint8)
    function_words = np.flatnonzero((flags & _GROUP)[tokens.form])
    group = (flags & _GROUP)[tokens.form[function_words]].astype(np.int64) - 1
    roots = np.concatenate([root, n_roots + group])
    sentences = np.concatenate([tokens.sentence[words.token], tokens.sentence[function_words]])
    use_weight = np.ones(len(words.token))
    if class_weights:
        by_class = np.array([class_weights.get(name, 1.0) for name in CLASSES])
        use_weight = by_class[text.classes[words.token]]
    weights = np.full(len(function_words), model.function_word_weight)
    use_weight = np.concatenate([use_weight, weights])
    n = n_roots + len(language.function_word_groups)
    uses = np.bincount(roots, minlength=n)
    weight = np.bincount(roots, use_weight, minlength=n) / np.maximum(uses, 1)
    cell, count = np.unique(roots * m + sentences, return_counts=True)
    root, sentence = np.divmod(cell, m)
    kept = np.bincount(root, minlength=n) > (0 if model.rare_roots else 1)
    used = kept[root]
    is_word = (flags & _WORD > 0)[tokens.form]
    sizes = np.maximum(np.bincount(tokens.sentence[is_word], minlength=m), 1)
    return Evidence(
        root=(np.cumsum(kept) - 1)[root[used]],
        sentence=sentence[used],
        count=count[used],
        weight=weight[kept],
        sizes=sizes,
        continues=_first_word_flags(tokens, flags, is_word, m) & _CONTINUES > 0,
        is_heading=_headings(tokens, flags, sizes),
    )


def _roots(words: Words, letters: int | None, stemmer: str | None) -> tuple[Ints, int]:
    """Return each word's root by number, coarser than its stem, and the number of roots."""
    if letters is None:
        return words.word, len(words.names)
    roots = [stem[: letters or None] for stem in stemming(stemmer)(words.names)]
    numbers = {root: number for number, root in enumerate(dict.fromkeys(roots))}
    return np.array([numbers[root] for root in roots], np.int64)[words.word], len(numbers)


@cache
def _flag_cache(language: Language) -> WordCache[bytes]:
    """Return the function that flags tokens by their forms."""
    group_of = {
        word: group
        for group, words in enumerate(language.function_word_groups, 1)
        for word in words.split()
    }

    closing_marks = language.closing_marks
    continuing_words = language.continuing_words

    def flag(forms: list[str]) -> Iterator[bytes]:
        for form in forms:
            word = form.lower().replace("’", "'")
            before_apostrophe = word.partition("'")[0]  # "he's" is a "he"
            flags = group_of.get(before_apostrophe, 0)
            flags |= _WORD if form[0].isalnum() else 0
            flags |= _CLOSES if form in closing_marks else 0
            flags |= _CONTINUES if before_apostrophe in continuing_words else 0
            yield bytes([flags])

    return WordCache(flag)


def _first_word_flags(
    tokens: Tokens, flags: NDArray[np.uint8], is_word: Bools, n_sentences: int
) -> NDArray[np.uint8]:
    """Return the flags of the first word of each sentence; 0 where it has none."""
    sentence = tokens.sentence[is_word]
    first = np.flatnonzero(np.diff(sentence, prepend=-1))
    found = np.zeros(n_sentences, np.uint8)
    found[sentence[first]] = flags[tokens.form[is_word][first]]
    return found


def _headings(tokens: Tokens, flags: NDArray[np.uint8], sizes: Ints) -> Bools:
    """Find the short sentences without an end mark that follow one with an end mark.

    In a text that mostly does without end marks, nothing is a heading.
    """
    ended = np.zeros(len(sizes), bool)
    last = np.flatnonzero(np.diff(tokens.sentence, append=-1))
    ended[tokens.sentence[last]] = flags[tokens.form[last]] & _CLOSES > 0
    if 2 * np.count_nonzero(ended) < len(ended):
        return np.zeros(len(sizes), bool)
    longest = min(_MAX_HEADING_WORDS, _MAX_HEADING_SHARE * sizes.mean())
    headings: Bools = np.less_equal(sizes, longest) & ~ended
    headings[1:] &= ended[:-1]
    headings[[0, -1]] = False
    return headings
