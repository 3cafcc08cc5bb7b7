"""Which parts of a document answer a question best: Okapi BM25 over their words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from math import log
from typing import TYPE_CHECKING

import numpy as np

from docbats.document import Document
from docbats.errors import InputError
from docbats.text.tokens import tokenize
from docbats.text.words import normal_form, stemming

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.result import Result
    from docbats.text.languages.language import Language
    from docbats.text.tokens import Tokens

__all__ = ["Match", "search_parts"]

K1, B = 1.5, 0.75  # the usual parameters of BM25


@dataclass(frozen=True)
class Match:
    """A part that has words of the question: its index, its score and its best sentence."""

    part: int
    score: float
    sentence: int


def search_parts(result: Result, parts: Sequence[tuple[int, int]], question: str) -> list[Match]:
    """Return the parts that have words of the question, best first.

    `parts` are half-open pairs of sentences, in order. Words count by their stems, also those of
    code and tables; stop words count only where the question has no others.
    """
    language = result.analysis.text.language
    wanted = _wanted_words(question, language)
    tokens = _all_tokens(result)
    sentences = _words_by_sentence(len(result.document), tokens, wanted, language)
    edges = np.searchsorted(tokens.sentence, parts)
    lengths = (edges[:, 1] - edges[:, 0]).astype(float)
    norm = K1 * (1 - B + B * lengths / max(1.0, lengths.mean()))
    found = [sum(sentences[slice(*part)], Counter()) for part in parts]
    rarity = {word: _rarity(word, found) for word in wanted}
    matches = []
    for i, (part, counts) in enumerate(zip(parts, found, strict=True)):
        score = sum(rarity[w] * n * (K1 + 1) / (n + norm[i]) for w, n in counts.items())
        if score > 0:
            best = max(range(*part), key=lambda s: sum(rarity[word] for word in sentences[s]))
            matches.append(Match(i, float(score), best))
    return sorted(matches, key=lambda match: (-match.score, match.part))


def _rarity(word: str, parts: Sequence[Counter[str]]) -> float:
    holding = sum(counts[word] > 0 for counts in parts)
    return log(1 + (len(parts) - holding + 0.5) / (holding + 0.5))


def _wanted_words(question: str, language: Language) -> frozenset[str]:
    """Return the stems of the words of a question."""
    if not question.strip():
        msg = "the question is empty: give the words to search for"
        raise InputError(msg)
    asked = Document(question, np.array([[0, len(question)]]))
    names = [normal_form(form) for form in tokenize(asked, language).forms if form[0].isalnum()]
    kept = [name for name in names if name not in language.stop_words] or names
    return frozenset(stemming(language.stemmer)(kept))


def _all_tokens(result: Result) -> Tokens:
    """Return the tokens of the text, with those of what is no prose."""
    text = result.analysis.text
    if result.document.prose is None:
        return text.tokens
    return tokenize(replace(result.document, prose=None), text.language)


def _words_by_sentence(
    n_sentences: int, tokens: Tokens, wanted: frozenset[str], language: Language
) -> list[Counter[str]]:
    """Count the wanted words in each sentence."""
    stems = stemming(language.stemmer)([normal_form(form) for form in tokens.forms])
    counts: list[Counter[str]] = [Counter() for _ in range(n_sentences)]
    is_wanted = np.array([stem in wanted for stem in stems], bool)[tokens.form]
    places = zip(tokens.sentence[is_wanted], tokens.form[is_wanted], strict=True)
    for sentence, form in places:
        counts[sentence][stems[form]] += 1
    return counts
