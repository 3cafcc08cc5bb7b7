"""Titles of segments and labels of topics: the author's headings, or the document's own phrases.

A linear model ranks the phrases of each segment, or of each topic.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from itertools import chain, pairwise
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from docbats.matrix import may_be_top
from docbats.parts import Title
from docbats.text.markup import spelled

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.parts import TitleSource
    from docbats.text.languages.language import Language
    from docbats.titles.phrases import Phrases

    Flags = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


MAX_TITLE_LENGTH = 50
"""The most characters in a title or label, without the number that makes it distinct."""

SCORE_DECIMALS = 9
"""The decimals by which scores must differ, whatever the machine rounds."""


def capitalize(title: str) -> str:
    """Capitalize the first letter of a title.

    >>> capitalize("cold water and DNA")
    'Cold water and DNA'
    """
    return title[:1].upper() + title[1:]


def make_distinct(titles: Iterable[str]) -> tuple[str, ...]:
    """Add a number to each repeated title.

    >>> make_distinct(["Tea", "Bats", "tea"])
    ('Tea', 'Bats', 'tea (2)')
    """
    seen: dict[str, str] = {}
    times: Counter[str] = Counter()
    for title in titles:
        numbered = title
        while numbered.casefold() in seen:
            times[title] += 1
            numbered = f"{title} ({times[title] + 1})"
        seen[numbered.casefold()] = numbered
    return tuple(seen.values())


TITLE_WEIGHTS = {
    "uses": 2.25,
    "rate": -2.56,
    "share": 3.98,
    "surprise": 0.11,
    "opening": 0.46,
    "spread": 2.14,
    "subject": 8.04,
    "once": -1.98,
    "one": -2.09,
    "capital": 1.98,
    "length": 4.93,
    "word_uses": 21.13,
    "word_delay": -1.96,
    "last_word_delay": -1.67,
}
"""The weights of the features of a phrase in its score; see :func:`find_candidates`.

Fitted by ``docbats lab run titles``."""

CONFIDENCE_DECIMALS = 6
"""The decimals of a confidence, whatever the machine rounds."""

CONFIDENCE_WEIGHTS = {
    "constant": -3.788,
    "uses": -2.904,
    "rate": 1.228,
    "share": 1.232,
    "opening": 0.173,
    "spread": 0.601,
    "one": -0.688,
    "word_uses": 1.527,
    "word_delay": -1.567,
    "last_word_delay": 0.74,
    "lead": 0.073,
    "groups": 0.387,
    "document_uses": 0.31,
}
"""The weights by which the features of the best phrase of a segment tell its expected F1.

The sum goes through the logistic function. Fitted by ``docbats lab run titles``."""

MAX_SECOND_LAG = 4.0
"""How far below the first phrase the score of a second one may be, to be added to a title. Larger:
more titles of the form "A and B"."""

MIN_PAIR_CONFIDENCE = 0.15
"""The least confidence of each of two phrases in a title. Larger: fewer pairs."""


FEATURES = tuple(TITLE_WEIGHTS)
"""The names of the features, in the order of their columns."""

CONFIDENCE_FEATURES = tuple(CONFIDENCE_WEIGHTS)[1:]
"""The names of the features of the confidence; see :func:`confidence_features`."""

_TINY = 1e-9  # in place of a divisor of zero
_MIN_SURPRISE, _MAX_SURPRISE = -1.0, 5.0  # bits
_MIN_GROUP_SHARE = 0.5  # of the groups that use the subject of the whole document,
_MIN_SUBJECT_SURPRISE = 1.0  # unless this one uses it this much more, in bits
_N_OPENING_SENTENCES = 2  # in which a phrase may be a title that occurs only once
_MIN_LENGTH = 6  # sentences of a group from which on phrases must occur twice, or in its opening


@dataclass(frozen=True, eq=False)
class SentenceGroups:
    """The sentences of a document in groups: segments, or the sentences of each topic.

    Attributes
    ----------
    group, place
        For each sentence, its group, and how many sentences of the group come before it.
    size
        The number of sentences in each group.
    """

    group: Ints
    place: Ints
    size: Ints

    @classmethod
    def of_segments(cls, starts: Ints, n_sentences: int) -> SentenceGroups:
        """Group sentences by the first of each segment."""
        size = np.diff(np.append(starts, n_sentences))
        group = np.repeat(np.arange(len(starts)), size)
        return cls(group, np.arange(n_sentences) - starts[group], size)

    @classmethod
    def of_labels(cls, group: Ints, k: int) -> SentenceGroups:
        """Group sentences by the group of each; groups may be empty."""
        order = np.argsort(group, kind="stable")
        size = np.bincount(group, minlength=k)
        place = np.empty(len(group), np.int64)
        place[order] = np.arange(len(group)) - np.repeat(np.cumsum(size) - size, size)
        return cls(group, place, size)


@dataclass(frozen=True, eq=False)
class Candidates:
    """A row for each phrase in each group of sentences that uses it.

    Attributes
    ----------
    phrase, group
        The phrase and the group.
    use
        The first use of the phrase in the group, as an index of the occurrences of `Phrases`.
    is_title
        Whether it may be a title. It may not if it says little or only occurs in oblique cases; if
        most groups use it, since it is the subject of the whole document; or if it occurs only
        once and not in the opening of a group, since its words may only happen to meet.
    is_own
        Whether the group uses it more than once, and at least as often as all others together.
    features
        The features named in `FEATURES`; see :func:`find_candidates`.
    """

    phrase: Ints
    group: Ints
    use: Ints
    is_title: Flags
    is_own: Flags
    features: dict[str, Floats]


def find_candidates(
    phrases: Phrases, groups: SentenceGroups, enough: int | None = None
) -> Candidates:
    """Find the phrases of each group of sentences, and their features there.

    A group with `enough` phrases that may be titles gets no others.

    A use is a sentence that has the phrase, by the weight that no longer phrase explains; L is the
    number of the group's sentences. The features are

    - of the phrase: ``uses``, log(1 + uses) / log(1 + L); ``rate``, the root of the share of the
      group's sentences that have it; ``share`` of its uses, and one more, that fall here;
      ``surprise``, in bits, at their number; ``opening``, whether the first sentence has it;
      ``spread`` from its first to its last sentence, as a share of L; ``subject``, the share of its
      uses, and one more, that open their sentence; ``once``, whether the document uses it only
      once;
    - of its form: whether it is ``one`` word, the share of its uses with a ``capital``, and its
      ``length`` in twenties of characters, at most two;
    - of its words: ``word_uses``, the mean of log(1 + the uses of a word) / log(1 + L);
      ``word_delay``, the mean of log(1 + the number of its first sentence), and ``last_word_delay``
      of the word that comes last.
    """
    found = _Cells(phrases, groups)
    is_title = found.may_be_titles()
    if enough is not None:
        n_titles = np.bincount(found.group[is_title], minlength=len(groups.size))
        kept = np.flatnonzero(is_title | (n_titles < enough)[found.group])
        found.keep(kept)
        is_title = is_title[kept]
    return Candidates(
        phrase=found.phrase,
        group=found.group,
        use=phrases.uses.occurrence[found.use[found.first]],
        is_title=is_title,
        is_own=(found.n_used >= 2) & (2 * found.n_used >= phrases.uses.number[found.phrase]),
        features=found.features(),
    )


class _Cells:
    """The uses of each phrase in each group.

    Attributes
    ----------
    use, of_use
        Each use, as an index of the uses of `Phrases`, and the position of its sentence in its
        group; the uses of a phrase in a group are next to each other.
    phrase, group, first, last
        Of each cell, the phrase and the group, and its first and last use among these.
    """

    def __init__(self, phrases: Phrases, groups: SentenceGroups) -> None:
        self._phrases, self._groups = phrases, groups
        uses, k = phrases.uses, len(groups.size)
        cell = uses.phrase * k + groups.group[uses.sentence]
        self.use = np.arange(len(cell))
        if (np.diff(cell) < 0).any():  # groups that are not segments: put the uses of each together
            self.use = np.argsort(cell, kind="stable")
            cell = cell[self.use]
        self.first = np.flatnonzero(np.diff(cell, prepend=-1) != 0)
        self.last = np.append(self.first[1:], len(cell))[: len(self.first)] - 1
        self.phrase, self.group = np.divmod(cell[self.first], k)
        self._place = groups.place[uses.sentence[self.use]]

    def keep(self, cells: Ints) -> None:
        """Keep some of the cells only."""
        self.first, self.last = self.first[cells], self.last[cells]
        self.phrase, self.group = self.phrase[cells], self.group[cells]

    @property
    def n_used(self) -> Ints:
        """The number of sentences of the group with the phrase."""
        return self.last - self.first + 1

    @property
    def _length(self) -> Floats:
        return self._groups.size[self.group].astype(float)

    @property
    def _delay(self) -> Ints:
        return self._place[self.first]

    def _sum(self, values: Floats) -> Floats:
        """Sum the values of the uses in each cell."""
        before = np.concatenate([[0.0], np.cumsum(values[self.use])])
        return np.asarray(before[self.last + 1] - before[self.first])

    def _surprise(self, weight: Floats) -> Floats:
        expected = self._phrases.uses.total[self.phrase] * self._length / len(self._groups.group)
        return np.asarray(np.log2(np.maximum(weight, 0.1) / np.maximum(expected, _TINY)))

    def may_be_titles(self) -> Flags:
        """Whether each cell may be a title; see :class:`Candidates`."""
        phrases, k = self._phrases, len(self._groups.size)
        n_groups = np.bincount(self.phrase, minlength=len(phrases))
        in_most = (n_groups >= 3) & (n_groups >= _MIN_GROUP_SHARE * k)
        may_be_subject = in_most & ((phrases.n_words == 1) | phrases.is_name)
        is_title = ~(phrases.says_little | phrases.is_oblique)[self.phrase]
        is_late = (self._delay >= _N_OPENING_SENTENCES) & (self._length >= _MIN_LENGTH)
        is_title &= ~(is_late & (phrases.uses.number == 1)[self.phrase])
        if may_be_subject.any():
            surprise = self._surprise(self._sum(phrases.uses.weight))
            is_title &= ~(may_be_subject[self.phrase] & (surprise < _MIN_SUBJECT_SURPRISE))
        return is_title

    def features(self) -> dict[str, Floats]:
        """Return the features of each cell; see :func:`find_candidates`."""
        phrases, uses, P = self._phrases, self._phrases.uses, self.phrase
        length, weight = self._length, self._sum(uses.weight)
        start = uses.occurrence[self.use[self.first]]
        initial = self._sum(phrases.initial[uses.occurrence].astype(float))
        return {
            "uses": np.log1p(weight) / np.log1p(length),
            "rate": np.sqrt(self.n_used / length),
            "share": weight / (1 + uses.total[P]),
            "surprise": np.clip(self._surprise(weight), _MIN_SURPRISE, _MAX_SURPRISE),
            "opening": (self._delay == 0).astype(float),
            "spread": (self._place[self.last] - self._delay) / length,
            "subject": initial / (1 + self.n_used),
            "once": (uses.number[P] == 1).astype(float),
            "one": (phrases.n_words[P] == 1).astype(float),
            "capital": uses.capital[P],
            "length": np.minimum(phrases.length[start] / 20, 2),
            **_word_features(phrases, self._groups, P, self.group),
        }


def _word_features(
    phrases: Phrases, groups: SentenceGroups, phrase: Ints, group: Ints
) -> dict[str, Floats]:
    """Return the features of the words of each phrase in its group."""
    if not len(phrase):
        return dict.fromkeys(("word_uses", "word_delay", "last_word_delay"), np.zeros(0))
    k, n = len(groups.size), len(phrases.names)
    used, sentence = phrases.word_uses
    cell_of_use = used * k + groups.group[sentence]
    if (np.diff(cell_of_use) < 0).any():
        order = np.argsort(cell_of_use, kind="stable")
        cell_of_use, sentence = cell_of_use[order], sentence[order]
    first = np.flatnonzero(np.diff(cell_of_use, prepend=-1) != 0)
    cells = cell_of_use[first]
    words = phrases.words[phrase]
    is_word = (words >= 0) & (words < n)
    wanted = (words * k + group[:, None])[is_word]
    cell = np.minimum(np.searchsorted(cells, wanted), len(cells) - 1)
    uses, delay = np.zeros(words.shape), np.zeros(words.shape)
    uses[is_word] = np.log1p(np.diff(np.append(first, len(cell_of_use))))[cell]
    delay[is_word] = np.log1p(groups.place[sentence[first]])[cell]
    n_words = np.maximum(is_word.sum(axis=1), 1)
    length = groups.size[group].astype(float)
    return {
        "word_uses": uses.sum(axis=1) / n_words / np.log1p(length),
        "word_delay": delay.sum(axis=1) / n_words,
        "last_word_delay": delay.max(axis=1),
    }


MAX_CANDIDATES = 12
"""The most phrases of a segment that are considered."""

_WEAK = 1000.0  # subtracted from the score of what may not be a title, which ranks it last
_SAYS_LITTLE = 2000.0  # likewise, for what says little


class RankedPhrase(NamedTuple):
    """A phrase of a segment, its score there, and whether it may be a title, or second in one.

    The confidence is the F1 that is expected of it as a title.
    """

    phrase: int
    score: float
    is_good: bool
    is_second: bool
    confidence: float


def rank_phrases(
    phrases: Phrases,
    groups: SentenceGroups,
    weights: Mapping[str, float] = TITLE_WEIGHTS,
    allowed: Flags | None = None,
    confidence: Mapping[str, float] = CONFIDENCE_WEIGHTS,
) -> list[list[RankedPhrase]]:
    """Rank the phrases of each group of sentences, best first, the earliest of equals.

    `allowed` flags the phrases that each group may use; all by default. `confidence` are the
    weights of its features.
    """
    found, score, tops = best_candidates(phrases, groups, weights, allowed)
    expected = _confidence(confidence_features(phrases, found, score, tops), confidence)
    if phrases.are_single_words:
        expected *= _UNKNOWN_WORDS_FACTOR
    ends = np.cumsum([len(top) for top in tops])
    return [
        [
            RankedPhrase(*row)
            for row in zip(
                found.phrase[top].tolist(),
                score[top].tolist(),
                found.is_title[top].tolist(),
                (found.is_own[top] & found.is_title[top]).tolist(),
                np.where(found.is_title[top], expected[end - len(top) : end], 0).tolist(),
                strict=True,
            )
        ]
        for top, end in zip(tops, ends.tolist(), strict=True)
    ]


def best_candidates(
    phrases: Phrases,
    groups: SentenceGroups,
    weights: Mapping[str, float] = TITLE_WEIGHTS,
    allowed: Flags | None = None,
) -> tuple[Candidates, Floats, list[Ints]]:
    """Return all candidates, their scores, and the best of each group, best first."""
    found = find_candidates(phrases, groups, None if allowed is not None else MAX_CANDIDATES)
    score = sum((weights[name] * found.features[name] for name in FEATURES), np.zeros(1))
    score -= np.where(phrases.says_little[found.phrase], _SAYS_LITTLE, _WEAK * ~found.is_title)
    score = score.round(SCORE_DECIMALS)
    if allowed is None:
        order = may_be_top(found.group, score, len(groups.size), MAX_CANDIDATES)
    else:
        order = np.flatnonzero(allowed[found.phrase, found.group])
    start = phrases.start[found.use[order]]
    order = order[np.lexsort((start, -score[order], found.group[order]))]
    edges = np.searchsorted(found.group[order], np.arange(len(groups.size) + 1)).tolist()
    tops = [order[low : min(high, low + MAX_CANDIDATES)] for low, high in pairwise(edges)]
    return found, score, tops


_UNKNOWN_WORDS_FACTOR = 0.5  # of the confidence, if nothing is known about the words
_N_RIVALS = 3  # phrases after the first, by whose last the lead of a phrase is measured
_MAX_LEAD = 20.0  # in units of the score


def confidence_features(
    phrases: Phrases, found: Candidates, score: Floats, tops: Sequence[Ints]
) -> dict[str, Floats]:
    """Return the features that tell the expected F1 of the best candidates, group by group.

    They are some of the ranker's; the ``lead`` of the score over that of the fourth best phrase of
    the group; and the logarithms of the number of ``groups`` and of how many sentences of the
    document use the phrase, its ``document_uses``.
    """
    best = np.concatenate([np.zeros(0, np.int64), *tops])
    rivals = [score[top[min(_N_RIVALS, len(top) - 1)]] for top in tops if len(top)]
    rival = np.repeat(np.array(rivals), [len(top) for top in tops if len(top)])
    return {
        **{name: found.features[name][best] for name in CONFIDENCE_FEATURES if name in FEATURES},
        "lead": np.clip(score[best] - rival, 0, _MAX_LEAD) * found.is_title[best],
        "groups": np.full(len(best), np.log1p(float(len(tops)))),
        "document_uses": np.log1p(phrases.uses.number[found.phrase[best]]),
    }


def _confidence(features: Mapping[str, Floats], weights: Mapping[str, float]) -> Floats:
    """Return the expected F1 of candidates with these features."""
    terms = (weights[name] * values for name, values in features.items())
    total = sum(terms, np.full(1, weights["constant"]))
    return np.asarray((1 / (1 + np.exp(-total))).round(CONFIDENCE_DECIMALS))


_MIN_MEETING_SHARE = 0.3  # of the uses of the rarer of two phrases, in sentences with the other
_COMMON_LETTERS = 4  # shared by two forms of one word, as "lives" and "living"
_IRREGULAR = re.compile("(?<=.)(?:ves|fe|f)$")  # "lives", "life"


class Composer:
    """Makes titles, no two of the same words."""

    def __init__(self, phrases: Phrases) -> None:
        self._phrases = phrases
        self._taken: set[frozenset[int]] = set()

    def title(
        self, ranked: Sequence[RankedPhrase], avoid: Collection[str] = (), threshold: float = 0.0
    ) -> Title:
        """Make a title of the best one or two phrases; without text if it is too doubtful.

        `avoid` are case-folded titles that must not be made again, whole or in part.
        """
        confidence = {row.phrase: row.confidence for row in ranked}
        for parts in self._choices(ranked):
            texts = [self._written(part) for part in parts]
            words = frozenset[int]().union(*map(self._words, parts))
            title = self._join(texts)
            if words in self._taken or not title or len(title) > MAX_TITLE_LENGTH:
                continue
            if any(_is_part(texts, avoided) for avoided in avoid):
                continue
            found = confidence[parts[0]]
            if found < threshold:
                return Title("", "phrase", found)
            self._taken.add(words)
            return Title(capitalize(title), "phrase", found)
        return Title("", "phrase", 0.0)

    def label(self, ranked: Sequence[RankedPhrase], min_words: int, core: Collection[int]) -> str:
        """Make a label of the best phrase, and others until it has `min_words`.

        It has one of the words of the `core`.
        """
        good = [row for row in ranked if row.is_good] or list(ranked[:1])
        for i, best in enumerate(good):
            texts, words = [self._written(best.phrase)], self._words(best.phrase)
            for other in good[i + 1 :]:
                if len(words) >= min_words:
                    break
                longer = [*texts, self._written(other.phrase)]
                fits = len(self._phrases.language.separator.join(longer)) <= MAX_TITLE_LENGTH
                if fits and self.go_together(best.phrase, other.phrase):
                    texts, words = longer, words | self._words(other.phrase)
            label = self._phrases.language.separator.join(texts)
            is_new = words not in self._taken and not words.isdisjoint(core)
            if is_new and 0 < len(label) <= MAX_TITLE_LENGTH:
                self._taken.add(words)
                return capitalize(label)
        return ""

    def _choices(self, ranked: Sequence[RankedPhrase]) -> Iterator[tuple[int, ...]]:
        """Yield the phrases that may make a title together, best first."""
        for i, best in enumerate(ranked):
            pairs = (
                (best.phrase, other.phrase)
                for other in ranked[i + 1 :]
                if best.is_good
                and other.is_second
                and best.score - other.score <= MAX_SECOND_LAG
                and min(best.confidence, other.confidence) >= MIN_PAIR_CONFIDENCE
                and self.go_together(best.phrase, other.phrase)
            )
            yield from chain(pairs, [(best.phrase,)])

    def go_together(self, one: int, other: int) -> bool:
        """Whether two phrases may be joined: they meet, and neither is part of the other."""
        phrases = self._phrases
        if phrases.is_verbal(one) or phrases.is_verbal(other):
            return False
        one_in, other_in = phrases.sentences_of(one), phrases.sentences_of(other)
        if len(one_in & other_in) < _MIN_MEETING_SHARE * min(len(one_in), len(other_in)):
            return False
        words, others = self._words(one), self._words(other)
        if words & others or phrases.has_phrase_of(words | others):
            return False
        if phrases.tagged or phrases.names[phrases.words[one, 0]].islower():
            names = [[phrases.names[word] for word in each] for each in (words, others)]
            return not any(_is_form(a, b) for a in names[0] for b in names[1])
        # Words of Chinese and Japanese may be overlapping pairs of characters.
        return set(phrases.spell(one)).isdisjoint(phrases.spell(other))

    def _words(self, phrase: int) -> frozenset[int]:
        return self._phrases.word_set(self._phrases.in_full(phrase))

    def _written(self, phrase: int) -> str:
        return self._phrases.spell(self._phrases.in_full(phrase))

    def _join(self, texts: Sequence[str]) -> str:
        if len(texts) == 1:
            return texts[0]
        language = self._phrases.language
        if self._phrases.are_single_words:
            return language.separator.join(texts)
        return f"{texts[0]}{language.conjunction_to(texts[1])}{texts[1]}"


def _is_part(texts: Sequence[str], avoided: str) -> bool:
    """Whether all phrases of a title occur in another."""
    return all(f" {text.casefold()} " in f" {avoided} " for text in texts)


def _is_form(one: str, other: str) -> bool:
    """Whether two words with different stems are forms of one word."""
    a, b = _IRREGULAR.sub("f", one), _IRREGULAR.sub("f", other)
    shorter = min(len(a), len(b))
    return a == b or (shorter > _COMMON_LETTERS and a[: shorter - 1] == b[: shorter - 1])


def title_segments(
    document: Document,
    phrases: Phrases,
    starts: Ints,
    avoid: Sequence[Collection[str]] | None = None,
    threshold: float = 0.0,
    *,
    weights: Mapping[str, float] = TITLE_WEIGHTS,
    confidence: Mapping[str, float] = CONFIDENCE_WEIGHTS,
) -> tuple[Title, ...]:
    """Return a title for each segment, no two phrases alike in their stems.

    The phrase with the highest score makes the title; a second one joins it if its score is hardly
    lower and they have nothing in common. Segments choose in the order of their best scores, so
    that a phrase goes where it fits best. If no phrase is left, or its confidence is below the
    `threshold`, the opening words make the title. `avoid` are case-folded titles that each segment
    should not get, whole or in part.
    """
    groups = SentenceGroups.of_segments(starts, len(document))
    ranked = rank_phrases(phrases, groups, weights, confidence=confidence)
    edges = [*starts.tolist(), len(document)]
    titles = [Title("", "phrase", 0.0)] * len(starts)
    composer, quoted = Composer(phrases), set[str]()
    best = [rows[0].score if rows else float("-inf") for rows in ranked]
    for i in sorted(range(len(starts)), key=lambda i: -best[i]):
        title = composer.title(ranked[i], avoid[i] if avoid else (), threshold)
        if not title.text:
            avoided = {*quoted, *(avoid[i] if avoid else ())}
            tried = range(edges[i], edges[i + 1])[:_N_TRIED]
            opening = quote_opening(document, tried, phrases.language, avoided)
            quoted.add(opening.text.casefold())
            title = opening._replace(confidence=title.confidence)
        titles[i] = title
    texts = make_distinct(title.text for title in titles)
    return tuple(title._replace(text=text) for title, text in zip(titles, texts, strict=True))


MAX_QUOTE_LENGTH = 70
"""The most characters in a quotation as a title, without the speaker before it."""

_N_FIRST_WORDS = 8  # of a sentence, among which are those that make it say something
_MIN_QUOTED_WORDS = 3  # that are left where stop words at the end are dropped
_MIN_CONTENT_WORDS = 3  # of a quotation that says something
_MAX_SPEAKER = 24  # characters of a name before the words quoted; larger: fewer of these
_N_TRIED = 20  # sentences of a segment, of which the first that says something is quoted
_QUOTED_CHARACTERS = 20  # of a language without spaces between words
_MIN_LETTER_SHARE = 0.7  # of the characters of a quotation, blanks aside
_QUOTES = str.maketrans("", "", '"“”„‟«»「」『』')
_EDGES = " \t,.;:!?…-–—()[]|'‘’*_#>"


def quote_opening(
    document: Document, sentences: Sequence[int], language: Language, avoid: Collection[str] = ()
) -> Title:
    """Quote the words that a segment opens with, after their speaker if there is one.

    They are those of the first of its `sentences` with enough content words, or else of the one
    with most, without fillers before them and unlike titles to `avoid`; without such a sentence,
    its first words.
    """
    found: list[tuple[int, Title]] = []
    for sentence in sentences:
        span = document.spans[sentence].tolist()
        said = document.without_marks(*span)
        text = _without_fillers(said, language)
        if text:
            title = _quote(text, _speaker_at(document, span[0]), language)
            may_be = title.text.casefold() not in avoid and not language.is_courtesy(said)
            content = _count_content(text, language) * may_be
            if content >= _MIN_CONTENT_WORDS - (sentence == sentences[0]):
                return title
            found.append((content, title))
    if found:
        return max(found, key=itemgetter(0))[1]
    spans = document.spans[list(sentences)].tolist()
    texts = (document.without_marks(*span).strip("| ") for span in spans)
    return Title(next(filter(None, texts), "…")[:MAX_TITLE_LENGTH], "opening", 0.0)


def _quote(text: str, speaker: str, language: Language) -> Title:
    before, after = language.quotation_marks
    source: TitleSource = "opening"
    if 0 < len(speaker) <= _MAX_SPEAKER:
        before, source = f"{speaker}: {before}", "speaker"
    quoted = _cut(text, MAX_QUOTE_LENGTH - 2, language)
    return Title(f"{before}{capitalize(quoted)}{after}", source, 0.0)


def _speaker_at(document: Document, offset: int) -> str:
    """Return who speaks at a character; empty if that is not known."""
    i = bisect_right(document.blocks, offset, key=attrgetter("start")) - 1
    return " ".join((document.blocks[i].speaker or "").split()) if i >= 0 else ""


def _without_fillers(text: str, language: Language) -> str:
    """Return a sentence without quotation marks, and without the fillers that it begins with."""
    text = " ".join(spelled(text).translate(_QUOTES).split()).strip("| ")
    while text:
        word, _, rest = text.partition(" ")
        bare = word.strip(_EDGES).lower().replace("’", "'")
        if bare and bare not in language.fillers:
            return text.lstrip(_EDGES)
        text = rest
    return ""


def _count_content(text: str, language: Language) -> int:
    """Count the content words to be quoted; one less if the text points back, none if debris."""
    if not language.writes_spaces:
        return len(text) // (_QUOTED_CHARACTERS // (2 * _MIN_CONTENT_WORDS))
    quoted = text.split()[:_N_FIRST_WORDS]
    joined = "".join(quoted)
    if sum(map(str.isalpha, joined)) < _MIN_LETTER_SHARE * len(joined) or "://" in joined:
        return 0
    words = [word.strip(_EDGES).lower().replace("’", "'") for word in quoted]
    content = {word for word in words if len(word) > 2 and word not in language.stop_words}
    backward = language.backward_words or language.continuing_words
    opening = words[0].partition("'")[0]
    return max(0, len(content - language.fillers) - (opening in backward))


def _cut(text: str, length: int, language: Language) -> str:
    """Cut a text at a word, not after a stop word, with an ellipsis if words are left out."""
    if not language.writes_spaces:
        length = min(length, _QUOTED_CHARACTERS)
        return text if len(text) <= length else text[: length - 1] + "…"
    if len(text) <= length:
        return text
    kept = text.split()
    while len(" ".join(kept)) > length - 1 and len(kept) > 1:
        kept.pop()
    while len(kept) > _MIN_QUOTED_WORDS and kept[-1].strip(_EDGES).lower() in language.stop_words:
        kept.pop()
    return " ".join(kept)[: length - 1].rstrip(",;:.–—- ") + "…"


_N_TOP_WORDS = 10  # of a topic; each phrase of its label contains one of them,
_N_CORE_WORDS = 4  # and one of them one of these
_MIN_LABEL_WORDS = 2  # with fewer, another phrase is added


def label_topics(
    phrases: Phrases,
    topics: Sequence[Sequence[int]],
    n_sentences: int,
    weights: Mapping[str, float] = TITLE_WEIGHTS,
) -> tuple[str, ...]:
    """Return a label for each topic, given the indices of its words, best first; no two are alike.

    A sentence belongs to the topic whose words it uses most, and a topic is labelled as a segment
    of its sentences would be titled, with a second phrase if the first is a single word. A topic
    without such a phrase is labelled by its words.
    """
    if not topics:
        return ()
    groups = _group_sentences(phrases, topics, n_sentences)
    allowed = _phrases_of_topics(phrases, topics)
    ranked = rank_phrases(phrases, groups, weights, allowed)
    composer = Composer(phrases)
    best = [rows[0].score if rows else float("-inf") for rows in ranked]
    labels = [""] * len(topics)
    for i in sorted(range(len(topics)), key=lambda i: -best[i]):
        label = composer.label(ranked[i], _MIN_LABEL_WORDS, topics[i][:_N_CORE_WORDS])
        labels[i] = label or _words_label(phrases, topics[i])
    return make_distinct(labels)


def _group_sentences(
    phrases: Phrases, topics: Sequence[Sequence[int]], n_sentences: int
) -> SentenceGroups:
    """Group sentences by the topic whose words they use most; better words count more.

    The last group has the sentences without any.
    """
    k = len(topics)
    topic_of = np.full(len(phrases.names), k)
    worth = np.zeros(len(phrases.names))
    for i, words in enumerate(topics):
        topic_of[list(words)] = i
        worth[list(words)] = 1 / np.sqrt(1 + np.arange(len(words)))
    cells = phrases.word_sentence * (k + 1) + topic_of[phrases.word]
    used = np.bincount(cells, worth[phrases.word], n_sentences * (k + 1)).reshape(-1, k + 1)
    used[:, k] = 0
    group = np.where(used.max(axis=1) > 0, used.round(9).argmax(axis=1), k)
    return SentenceGroups.of_labels(group, k + 1)


def _phrases_of_topics(phrases: Phrases, topics: Sequence[Sequence[int]]) -> Flags:
    """Flag the phrases that may label each topic.

    They contain one of the topic's best words and, unless they are names, only words of the topic.
    """
    n = len(phrases.names)
    # Other tokens, and the padding -1, get the last index.
    words = np.where((phrases.words >= 0) & (phrases.words < n), phrases.words, n)
    is_noun = np.bincount(phrases.phrase, phrases.verb, len(phrases)) == 0
    allowed = np.zeros((len(phrases), len(topics) + 1), np.bool_)
    for i, topic in enumerate(topics):
        is_top, is_own = np.zeros((2, n + 1), np.bool_)
        is_top[list(topic[:_N_TOP_WORDS])] = True
        is_own[[*topic, n]] = True
        fits = phrases.is_name | is_own[words].all(axis=1)
        allowed[:, i] = is_top[words].any(axis=1) & fits & is_noun
    return allowed


def _words_label(phrases: Phrases, topic: Sequence[int]) -> str:
    words = [phrases.names[word] for word in topic[:3]]
    return capitalize(phrases.language.separator.join(words)) or "…"
