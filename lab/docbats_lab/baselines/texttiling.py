"""TextTiling as nltk has it.

M. A. Hearst, "TextTiling: Segmenting Text into Multi-paragraph Subtopic Passages", Computational
Linguistics 23(1), 1997.
"""

from __future__ import annotations

import math
import unicodedata
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.text.languages import load_language
from docbats_lab.method_types import Segmenter

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from docbats_lab.preparation import Prepared

_W, _K = 20, 10  # nltk's defaults: tokens of a sequence, sequences of a block


def cut(prepared: Prepared, k: int, seed: int) -> list[int]:  # noqa: ARG001 - a Segmenter
    """Cut where nltk's TextTilingTokenizer does, at its default parameters.

    It looks for paragraphs and only cuts between them, so each sentence is fed as a paragraph of
    its own, its white space made single spaces, an empty line between two. nltk takes no
    paragraph break less than 100 characters after the one before. It is given docbats' stop words,
    since its own are a download. A text too short for it stays whole.

    nltk sees the letters a to z only. Those of other languages lose their accents, so that it sees
    their words; a text in another script stays whole.
    """
    from nltk.tokenize import TextTilingTokenizer

    paragraphs = [" ".join(sentence.split()) for sentence in prepared.sentences]
    stop_words: Collection[str] = load_language(prepared.language).stop_words
    if prepared.language != "en":
        paragraphs = [_without_accents(paragraph) for paragraph in paragraphs]
        stop_words = {_without_accents(word) for word in stop_words}
    text = "\n\n".join(paragraphs)
    tokenizer = TextTilingTokenizer(w=_W, k=_K, stopwords=stop_words)
    # Nine tenths of nltk's time go into this one step; here it is the same sums as arrays.
    tokenizer._block_comparison = compare_blocks
    # nltk refuses long texts because that step of its own is slow on them.
    tokenizer.MAX_TEXT_LEN = len(text)
    try:
        pieces = tokenizer.tokenize(text)
    except (ValueError, UnboundLocalError):
        # The first where it finds no paragraph break or too few words, the second where its only
        # boundary falls on the last character.
        return [0]
    # nltk cuts at the end of a paragraph, before the empty line.
    ends = np.array([*accumulate(len(p) + 2 for p in paragraphs)]) - 2
    cuts = [*accumulate(len(piece) for piece in pieces[:-1])]
    return [0, *(np.searchsorted(ends, cuts) + 1).tolist()]


def compare_blocks(sequences: Sequence[Any], table: Mapping[str, Any]) -> list[float]:
    """Return for each gap between nltk's token sequences the cosine of the blocks around it.

    `table` holds for each word the sequences that it occurs in, and how often. A block is ten
    sequences, fewer near the ends of the text. The sums are of whole numbers, so that the scores
    are those of nltk's own step to the last bit.
    """
    n = len(sequences)
    counts = np.zeros((n + 1, len(table)), np.int64)
    for column, word in enumerate(table.values()):
        for sequence, times in word.ts_occurences:
            counts[sequence + 1, column] = times
    before = counts.cumsum(0)
    gap = np.arange(1, n)
    # As in nltk, a block before the gap may be longer than the one after it in a short text.
    size = np.where(gap < _K, gap, np.minimum(n - gap, _K))
    left = before[gap] - before[gap - size]
    right = before[np.minimum(gap + size, n)] - before[gap]
    both = (left * right).sum(1).tolist()
    squares = ((left * left).sum(1) * (right * right).sum(1)).tolist()
    return [a / math.sqrt(b) if b else 0.0 for a, b in zip(both, squares, strict=True)]


def _without_accents(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


METHOD = Segmenter(
    "TextTiling",
    "Hearst 1997, Computational Linguistics 23(1); nltk.tokenize.TextTilingTokenizer",
    cut,
    takes_k=False,
    parameters={"w": _W, "k": _K, "paragraph": "one sentence"},
)
