"""Ways to title the sections of a document, ours and others. To add one, add it to `TITLE_METHODS`.

YAKE: R. Campos et al., "YAKE! Keyword extraction from single documents using multiple local
features", Information Sciences 509, 2020; the authors' package ``yake`` with its own settings.

RAKE: S. Rose et al., "Automatic keyword extraction from individual documents", in Text Mining,
2010. Phrases of more than four words are left out, as most programs do.

TextRank: R. Mihalcea and P. Tarau, "TextRank: Bringing Order into Texts", EMNLP 2004. Neighbors are
at most two words apart, and a phrase is worth the sum of its words.

PositionRank: C. Florescu and C. Caragea, "PositionRank: An Unsupervised Approach to Keyphrase
Extraction from Scholarly Documents", ACL 2017. Neighbors are at most ten words apart, and the walk
restarts at a word with a probability proportional to the sum of the inverses of its positions.

KeyBERT: M. Grootendorst, "KeyBERT", 2020, with MiniLM: the phrases with the vectors nearest to the
section's. The candidates are the fifty most frequent noun phrases of the section: all runs of one
to three words would take the encoder hours.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.errors import MissingExtraError
from docbats.pipeline import analyze
from docbats.text.tags import CLASSES
from docbats.text.words import normal_form

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from docbats.pipeline import PreparedText
    from docbats_lab.documents import SectionedText


@dataclass(frozen=True)
class TitleMethod:
    """A way to title the sections of a document.

    Attributes
    ----------
    name
        As shown in the tables.
    citation
        The paper that it comes from.
    rank
        From the sections to the best phrases of each, best first.
    n_phrases
        The numbers of phrases in a title: each is one variant.
    """

    name: str
    citation: str
    rank: Callable[[SectionedText], Sequence[Sequence[str]]]
    n_phrases: tuple[int, ...] = (1, 2)

    def titles(self, text: SectionedText) -> dict[str, list[str]]:
        """Return the titles of the sections, for each variant."""
        ranked = self.rank(text)
        return {
            self.name if n == self.n_phrases[0] else f"{self.name}, {n} phrases": [
                ", ".join(phrases[:n]) for phrases in ranked
            ]
            for n in self.n_phrases
        }


# The phrases that graph methods and KeyBERT choose from

_MAX_WORDS = 4
_KEPT = tuple(CLASSES.index(name) for name in ("NOUN", "PROPN", "ADJ"))


@dataclass(frozen=True)
class SectionPhrases:
    """The words of a section and its phrases."""

    words: tuple[tuple[int, str], ...]  # candidates in text order, with the indices of their tokens
    phrases: tuple[tuple[str, ...], ...]  # the words of each, in the order of first use
    spelling: tuple[str, ...]  # of the first use of each
    uses: tuple[int, ...]


def find_section_phrases(text: PreparedText) -> SectionPhrases:
    """Find runs of adjectives and nouns, as the TextRank paper does.

    Where no tagger knows the language, runs of words that are not stop words.
    """
    kept = np.ones(len(text.words.token), np.bool_)
    if text.is_tagged:
        kept = np.isin(text.classes[text.words.token], _KEPT)
    token = text.words.token[kept].tolist()
    names = [text.words.names[word] for word in text.words.word[kept].tolist()]
    sentence = text.tokens.sentence.tolist()
    start, end = text.tokens.start.tolist(), text.tokens.end.tolist()
    uses: Counter[tuple[str, ...]] = Counter()
    spelling: dict[tuple[str, ...], str] = {}
    glue = " " if text.language.writes_spaces else ""
    for run in _runs(token, sentence):
        phrase = tuple(names[i] for i in run)
        uses[phrase] += 1
        written = (text.document.text[start[token[i]] : end[token[i]]] for i in run)
        spelling.setdefault(phrase, glue.join(written))
    return SectionPhrases(
        words=tuple(zip(token, names, strict=True)),
        phrases=tuple(uses),
        spelling=tuple(spelling[phrase] for phrase in uses),
        uses=tuple(uses.values()),
    )


def _runs(token: Sequence[int], sentence: Sequence[int]) -> list[list[int]]:
    """Return the runs of adjacent words, each at most `_MAX_WORDS` long."""
    runs: list[list[int]] = []
    for i, place in enumerate(token):
        follows = (
            bool(runs) and token[i - 1] == place - 1 and sentence[place] == sentence[place - 1]
        )
        if follows and len(runs[-1]) < _MAX_WORDS:
            runs[-1].append(i)
        else:
            runs.append([i])
    return runs


# YAKE


@cache
def _extractor(language: str) -> Any:
    try:
        import yake
    except ImportError as error:
        msg = "YAKE needs its authors' package: pip install yake"
        raise MissingExtraError(msg) from error
    return yake.KeywordExtractor(lan=language, n=3, top=2)


def _rank_by_yake(text: SectionedText) -> list[list[str]]:
    # YAKE needs spaces between words, so they are added to Chinese and Japanese.
    sections = text.sections
    if text.language in {"zh", "ja"}:
        sections = tuple(
            " ".join(
                section.document.text[a:b]
                for a, b in zip(section.tokens.start, section.tokens.end, strict=True)
            )
            for section in text.prepared_sections
        )
    extract = _extractor(text.language).extract_keywords
    return [[phrase for phrase, _ in extract(section)] for section in sections]


# RAKE


def _phrases(text: PreparedText) -> list[list[str]]:
    forms = [normal_form(form) for form in text.tokens.forms]
    stops = text.language.stop_words
    ends = [form in stops or not any(map(str.isalnum, form)) for form in forms]
    phrases: list[list[str]] = [[]]
    before = -1
    for form, sentence in zip(
        text.tokens.form.tolist(), text.tokens.sentence.tolist(), strict=True
    ):
        if ends[form] or sentence != before:
            phrases.append([])
        if not ends[form]:
            phrases[-1].append(forms[form])
        before = sentence
    return [phrase for phrase in phrases if 0 < len(phrase) <= _MAX_WORDS]


def _rake(text: PreparedText) -> list[str]:
    """Rank runs of words between stop words and punctuation by the sum of their words.

    A word is worth its degree over its uses; its degree is the length of all phrases that have it.
    """
    phrases = _phrases(text)
    uses: Counter[str] = Counter()
    degree: Counter[str] = Counter()
    for phrase in phrases:
        for word in phrase:
            uses[word] += 1
            degree[word] += len(phrase)
    distinct = dict.fromkeys(map(tuple, phrases))
    best = sorted(distinct, key=lambda phrase: -sum(degree[w] / uses[w] for w in phrase))
    glue = " " if text.language.writes_spaces else ""
    return [glue.join(phrase) for phrase in best[:2]]


def _rank_by_rake(text: SectionedText) -> list[list[str]]:
    return [_rake(section) for section in text.prepared_sections]


# TextRank and PositionRank

_DAMPING = 0.85
_ROUNDS = 100
_TOLERANCE = 1e-8


def rank_words(
    words: list[str], window: int, *, by_position: bool
) -> tuple[list[str], NDArray[np.float64]]:
    """Return the distinct words, and the share of its time that a walk spends at each."""
    names = list(dict.fromkeys(words))
    place = {name: i for i, name in enumerate(names)}
    number = np.array([place[word] for word in words], np.int64)
    n = len(names)
    graph = np.zeros((n, n))
    for distance in range(1, window):
        np.add.at(graph, (number[:-distance], number[distance:]), 1)
    graph = graph + graph.T
    np.fill_diagonal(graph, 0)
    restart = np.full(n, 1 / n)
    if by_position:
        by_word = np.bincount(number, 1 / np.arange(1, len(number) + 1), n)
        restart = by_word / by_word.sum()
    out = graph.sum(axis=0)
    step = np.divide(graph, out, out=np.zeros_like(graph), where=out > 0)
    rank = np.full(n, 1 / n)
    for _ in range(_ROUNDS):
        new = (1 - _DAMPING) * restart + _DAMPING * (step @ rank + restart * rank[out == 0].sum())
        if np.abs(new - rank).sum() < _TOLERANCE:
            return names, new
        rank = new
    return names, rank


def _rank_phrases(found: SectionPhrases, window: int, *, by_position: bool) -> list[str]:
    if not found.words:
        return [""]
    names, rank = rank_words([word for _, word in found.words], window, by_position=by_position)
    worth = dict(zip(names, rank.round(12).tolist(), strict=True))
    scores = [sum(worth[word] for word in phrase) for phrase in found.phrases]
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    return [found.spelling[i] for i in order[:2]]


def _rank_by_walk(text: SectionedText, *, window: int, by_position: bool) -> list[list[str]]:
    sections = map(find_section_phrases, text.prepared_sections)
    return [_rank_phrases(found, window, by_position=by_position) for found in sections]


# KeyBERT

_MAX_CANDIDATES = 50


def _keybert(section: str, found: SectionPhrases) -> list[str]:
    from docbats_lab.baselines.minilm import encode, encode_phrases

    order = sorted(range(len(found.phrases)), key=lambda i: -found.uses[i])[:_MAX_CANDIDATES]
    phrases = [found.spelling[i] for i in order]
    if not phrases:
        return [""]
    nearness = (encode_phrases(phrases) @ encode([section])[0]).round(5).tolist()
    ranked = sorted(range(len(phrases)), key=lambda i: -nearness[i])
    return [phrases[i] for i in ranked[:2]]


def _rank_by_keybert(text: SectionedText) -> list[list[str]]:
    found = map(find_section_phrases, text.prepared_sections)
    return [_keybert(*pair) for pair in zip(text.sections, found, strict=True)]


# The rest

_N_WORDS = 6
_N_CHARACTERS = 15  # of a language without spaces between words


def _rank_by_tf_idf(text: SectionedText) -> list[list[str]]:
    """Rank the words of a section; the sections of the document are the documents of idf."""
    counts = [
        Counter(word for words in section.sentence_words for word in words)
        for section in text.prepared_sections
    ]
    spread = Counter(word for count in counts for word in count)
    idf = {word: math.log(1 + len(counts) / n) for word, n in spread.items()}
    return [
        sorted(count, key=lambda word: -round(count[word] * idf[word], 9))[:3] for count in counts
    ]


def _first_words(text: SectionedText) -> list[list[str]]:
    if text.language in {"zh", "ja"}:
        return [[section[:_N_CHARACTERS]] for section in text.sections]
    return [[" ".join(section.split()[:_N_WORDS])] for section in text.sections]


def _docbats(text: SectionedText) -> list[list[str]]:
    result = analyze(
        text.text,
        boundaries=text.starts,
        language=text.known_language,
        structure="ignore",
        title_threshold=0,
    )
    return [[segment.title] for segment in result.segments]


TITLE_METHODS = {
    method.name: method
    for method in (
        TitleMethod("docbats", "this project", _docbats, n_phrases=(1,)),
        TitleMethod("YAKE", "Campos et al. 2020", _rank_by_yake),
        TitleMethod("RAKE", "Rose et al. 2010", _rank_by_rake),
        TitleMethod(
            "TextRank", "Mihalcea & Tarau 2004", partial(_rank_by_walk, window=2, by_position=False)
        ),
        TitleMethod(
            "PositionRank",
            "Florescu & Caragea 2017",
            partial(_rank_by_walk, window=10, by_position=True),
        ),
        TitleMethod("KeyBERT", "Grootendorst 2020 (MiniLM)", _rank_by_keybert),
        TitleMethod("tf-idf", "K. Spärck Jones 1972", _rank_by_tf_idf, n_phrases=(1, 2, 3)),
        TitleMethod("first words", "a baseline", _first_words, n_phrases=(1,)),
    )
}
