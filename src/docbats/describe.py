"""From indices to what people read: topics, segments, summaries, reasons and notes."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cache
from heapq import heapify, heappop, heappush
from itertools import dropwhile, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.matrix import may_be_top
from docbats.parts import ScoredWord, Segment, Segments, Title, Topic, Topics
from docbats.runtime import TOPICS
from docbats.segments.choose_k import Choice, boundary_strengths
from docbats.segments.cuts import find_cut
from docbats.segments.sizes import overlap_starts
from docbats.text.languages.english import LANGUAGE as ENGLISH
from docbats.text.markup import spelled
from docbats.text.words import is_missing
from docbats.titles.titles import label_topics
from docbats.topics import TOPIC_FINDERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray
    from scipy import sparse

    from docbats.blocks import HeadingTitle
    from docbats.document import Document
    from docbats.pipeline import Analysis, PreparedText
    from docbats.settings import Settings
    from docbats.text.languages.language import Language

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]


_MAX_KEYWORDS = 10
_LABEL_WORDS, _TITLE_WORDS = 3, 4  # of topics and of segments that are not named by phrases
_NO_WORDS = "…"  # the title of a segment of nothing but blanks
_TINY = 1e-300  # in place of a divisor of zero, whose dividend is zero too


def describe_topics(analysis: Analysis) -> Topics:
    """Return the topics with their labels, and their words with their scores."""
    with analysis.stopwatch.during("describe"):
        return _describe_topics(analysis)


def _describe_topics(analysis: Analysis) -> Topics:
    topics, counts = analysis.topics, analysis.text.counts
    words = counts.words
    if TOPIC_FINDERS[analysis.settings.ranking].labels_by_phrases:
        ranked = [counts.kept[topic].tolist() for topic in topics.words]
        labels: Sequence[str] = label_topics(analysis.phrases, ranked, len(analysis.text))
    else:
        best = [topic[:_LABEL_WORDS].tolist() for topic in topics.words]
        labels = [", ".join(words[j] for j in topic) for topic in best]
    scores, total = topics.scores, topics.scores.sum()
    return Topics(
        Topic(
            words=_scored(words, topic, scores[topic]),
            weight=float(scores[topic].sum() / total) if total > 0 else 1 / len(labels),
            label=label,
        )
        for topic, label in zip(topics.words, labels, strict=True)
    )


def describe_segments(analysis: Analysis, starts: NDArray[np.int64]) -> Segments:
    """Return the segments that begin at these sentences.

    What is more than their places is found when it is first read, of all of them at once.
    """
    document = analysis.text.document
    edges = [*starts.tolist(), len(document)]
    offsets = [0, *document.spans[starts[1:], 0].tolist(), len(document.text)]

    @cache
    def described() -> list[dict[str, Any]]:
        with analysis.stopwatch.during("describe"):
            return list(_describe_segments(analysis, starts, offsets))

    return Segments(
        Segment.later(
            lambda i=i: described()[i],  # type: ignore[misc]
            start=offsets[i],
            end=offsets[i + 1],
            sentences=(edges[i], edges[i + 1]),
            text=document.text[offsets[i] : offsets[i + 1]],
        )
        for i in range(len(starts))
    )


def _describe_segments(
    analysis: Analysis, starts: NDArray[np.int64], offsets: Sequence[int]
) -> Iterator[dict[str, Any]]:
    """Yield the attributes of each segment but for its places.

    Keywords are the words that stand out in it: by their tf-idf in the segment times the share of
    their tf-idf that falls there.
    """
    text, X_a = analysis.text, analysis.X_a
    document, cut = text.document, find_cut(analysis.settings.cut)
    k = len(starts)
    segment_of = np.repeat(np.arange(k), np.diff([*starts.tolist(), len(document)]))
    keywords = _rank_keywords(segment_of, text.counts.words, analysis.tf_idf_by_word, k)
    segment_of_entry = np.repeat(segment_of, np.diff(X_a.indptr))
    weights = _topic_weights(segment_of_entry, analysis.topics.words, X_a, k)
    summaries = [
        summary_text(document, summary.sentence) if summary else ""
        for summary in analysis.summaries.choose(starts)
    ]
    headings = [analysis.headings.segment_title(offset) for offset in offsets[:-1]]
    if cut.titles_by_phrases:
        titles: Sequence[Title] = analysis.title_segments(starts, _headings_to_avoid(headings))
    else:
        spans = (document.text[start:end] for start, end in pairwise(offsets))
        titles = [_title(span, best) for span, best in zip(spans, keywords, strict=True)]
    shown = [
        title if heading.title is None else Title(heading.title, heading.source)
        for heading, title in zip(headings, titles, strict=True)
    ]
    speakers = find_speakers(document, offsets)
    strengths = (
        boundary_strengths(analysis.cost, len(text), starts.tolist()) if cut.uses_cost else None
    )
    shown_from = _overlap_starts(analysis, starts) if analysis.settings.overlap else offsets
    for i in range(k):
        yield {
            "title": shown[i].text,
            "title_source": shown[i].source,
            "title_confidence": shown[i].confidence,
            "subtitle": _subtitle(headings[i].title, titles[i]),
            "heading_path": headings[i].path,
            "speakers": speakers[i],
            "summary": summaries[i],
            "topic_weights": weights[i],
            "keywords": keywords[i],
            "strength": strengths[i - 1] if strengths is not None and i > 0 else None,
            "overlap_start": shown_from[i],
            "place": document.place(offsets[i], offsets[i + 1]),
        }


def _overlap_starts(analysis: Analysis, starts: NDArray[np.int64]) -> list[int]:
    """Return the character at which each segment begins with its overlap."""
    text, settings = analysis.text, analysis.settings
    unit, max_size = settings.size_unit, settings.max_size
    return overlap_starts(
        text.document, text.tokens, starts, settings.overlap, unit, max_size=max_size
    )


def summary_text(document: Document, sentence: int) -> str:
    """Return a sentence on one line, after the name of its speaker if it has one."""
    start, end = document.spans[sentence].tolist()
    said = document.without_marks(start, end)
    speaker = find_speakers(document, (start, end))[0][:1]
    return ": ".join([*speaker, said])


def find_speakers(document: Document, offsets: Sequence[int]) -> list[tuple[str, ...]]:
    """Return who speaks in each stretch between offsets, in the order of their first turns."""
    turns = [block for block in document.blocks if block.kind == "turn" and block.speaker]
    starts = [turn.start for turn in turns]
    found = []
    for start, end in pairwise(offsets):
        low = max(0, bisect_right(starts, start) - 1)
        inside = turns[low : bisect_left(starts, end)]
        names = (turn.speaker for turn in inside if turn.end > start)
        found.append(tuple(dict.fromkeys(name for name in names if name)))
    return found


def _subtitle(heading: str | None, title: Title) -> str:
    """Return the title that words give a segment with a heading; empty if it says nothing new."""
    if heading is None or title.source != "phrase":
        return ""
    return "" if title.text.casefold() in heading.casefold() else title.text


def _headings_to_avoid(headings: Sequence[HeadingTitle]) -> list[frozenset[str]]:
    """Return the case-folded headings that words must not repeat: its own, or else all others."""
    own = [frozenset([each.title.casefold()] if each.title else []) for each in headings]
    all_of_them = frozenset().union(*own)
    return [each or all_of_them for each in own]


def _topic_weights(
    segment: NDArray[np.int64], topics: Sequence[NDArray[np.int64]], X_a: sparse.csr_array, k: int
) -> list[tuple[float, ...]]:
    """Return the share of each topic in the words of each segment.

    `segment` is the segment of each entry of `X_a`.
    """
    n = len(topics)
    topic_of = np.full(X_a.shape[1], n)
    for i, topic in enumerate(topics):
        topic_of[topic] = i
    cells = segment * (n + 1) + topic_of[X_a.indices]
    weights = np.bincount(cells, X_a.data, k * (n + 1)).reshape(k, n + 1)[:, :n]
    shares = weights / np.maximum(weights.sum(axis=1, keepdims=True), _TINY)
    return [tuple(row) for row in shares.tolist()]


def _rank_keywords(
    segment_of: NDArray[np.int64], words: tuple[str, ...], F: sparse.csc_array, k: int
) -> list[tuple[ScoredWord, ...]]:
    """Return the words that stand out in each segment, best first, the earliest of equals.

    `segment_of` is the segment of each sentence. All stays sparse, since a book may have thousands
    of segments and words.
    """
    word = np.repeat(np.arange(F.shape[1]), np.diff(F.indptr))
    segment = segment_of[F.indices]
    first = np.flatnonzero(np.diff(word * k + segment, prepend=-1))
    tf_idf = np.add.reduceat(F.data, first) if len(first) else F.data
    word, segment = word[first], segment[first]
    salience = (tf_idf**2 / np.maximum(np.bincount(word, tf_idf), _TINY)[word]).round(9)
    top = may_be_top(segment, salience, k, _MAX_KEYWORDS)
    best = top[np.lexsort((word[top], -salience[top], segment[top]))]
    edges = np.searchsorted(segment[best], np.arange(k + 1)).tolist()
    tops = (best[low : min(high, low + _MAX_KEYWORDS)] for low, high in pairwise(edges))
    return [_scored(words, word[these], salience[these]) for these in tops]


def _scored(
    words: tuple[str, ...], indices: NDArray[np.int64], scores: NDArray[np.float64]
) -> tuple[ScoredWord, ...]:
    return tuple(map(ScoredWord, map(words.__getitem__, indices.tolist()), scores.tolist()))


def _title(text: str, keywords: tuple[ScoredWord, ...]) -> Title:
    """Join the segment's best keywords, or return its first words if it has none."""
    if keywords:
        joined = ", ".join(scored.word for scored in keywords[:_TITLE_WORDS])
        return Title(joined, "keywords", 0.0)
    return Title(" ".join(text.split(maxsplit=6)[:6])[:100] or _NO_WORDS, "opening", 0.0)


OPENING_FACTOR = 1.5
"""How much more the first sentence of a segment is worth."""

_MIN_WORDS, _MAX_WORDS = 8, 35  # a sentence outside this range is worth less
# Factors of the worth of a sentence:
_QUESTION_FACTOR = 0.3  # for a question,
_HEADING_FACTOR = 0.3  # for a sentence without an end mark,
_DEPENDENT_FACTOR = 0.1  # for one that depends on the sentence before it,
_FRAGMENT_FACTOR = 0.3  # for one that begins in lower case,
_STUMBLING_FACTOR = 0.7  # for each hesitation and each word said twice,
_NO_PROSE_FACTOR = 0.02  # and for thanks and greetings, code, tables and the like
_N_FIRST_WORDS = 4  # of a sentence, in which a pronoun points back
_MIN_LETTER_SHARE = 0.7  # of the characters of prose, blanks aside
_CHARACTERS_PER_WORD = 2  # in a language without spaces between words, roughly

_END_MARKS = tuple(".!…。！।۔؟?？")
_CLOSING_MARKS = "\"'”’»)]}*_」』）"
_AROUND_WORDS = "\"'“”‘’«»(),.;:!?…「」『』（）-–—"
_QUESTION_MARKS = ("?", "？", "؟")

MIN_CONTENT_WORDS = 6
"""The fewest distinct words of subject matter in the summary of a segment."""

# In some transcripts: the name of a speaker, or what could not be heard, in capitals.
_NOT_SAID = re.compile(r"(?<!\S)[A-ZÀ-ÖØ-ÞА-Я][A-ZÀ-ÖØ-ÞА-Я .'’-]+:(?=\s)|\[[A-Z]{2}[A-Z ]*\]")
_CONTENT_WORD = re.compile(r"[^\W\d_]{2,}(?:['’-][^\W\d_]+)*")


def count_content_words(sentence: str, language: Language) -> int:
    """Return the number of distinct words that are neither stop words nor fillers nor numbers.

    >>> count_content_words("Yeah, I think so, so bats, um, bats hunt moths at night.", ENGLISH)
    4
    """
    if not language.writes_spaces:
        return _n_words(sentence, language)
    said = _NOT_SAID.sub(" ", sentence).lower()
    words = {word.replace("’", "'") for word in _CONTENT_WORD.findall(said)}
    return len(words - language.stop_words - language.fillers)


def is_only_names(sentence: str) -> bool:
    """Whether all words of a sentence have a capital, but not all are in capitals.

    >>> is_only_names("Ann Lee, Bo Kim"), is_only_names("Bats hunt."), is_only_names("BATS HUNT.")
    (True, False, False)
    """
    words = _CONTENT_WORD.findall(sentence)
    return all(word[0].isupper() for word in words) and any(map(str.istitle, words))


def find_prose(document: Document) -> NDArray[np.bool_]:
    """Flag the sentences that are prose, not headings, code, tables or references."""
    starts = [block.start for block in document.blocks]
    of_sentence = np.searchsorted(starts, document.spans[:, 0], side="right") - 1
    is_prose = [block.is_prose and block.kind != "heading" for block in document.blocks]
    flags: NDArray[np.bool_] = np.array([*is_prose, True], np.bool_)[of_sentence]
    blank = [not sentence.strip() for sentence in document.sentences]
    return flags & ~np.array(blank, np.bool_)


def rate_sentences(document: Document, starts: Ints, language: Language = ENGLISH) -> list[float]:
    """Rate how well each sentence can stand alone, by its length, form and position."""
    fitness = [_rate(spelled(sentence), language) for sentence in document.sentences]
    for start in starts.tolist():
        fitness[start] *= OPENING_FACTOR
    for sentence in np.flatnonzero(~find_prose(document)).tolist():
        fitness[sentence] *= _NO_PROSE_FACTOR
    return fitness


def _rate(sentence: str, language: Language) -> float:
    size = _n_words(sentence, language)
    return stand_alone(sentence, language) / math.sqrt(max(size, _MIN_WORDS))


def _n_words(sentence: str, language: Language) -> int:
    if language.writes_spaces:
        return max(1, len(sentence.split()))
    return max(1, len(sentence) // _CHARACTERS_PER_WORD)


def stand_alone(sentence: str, language: Language) -> float:
    """Rate how well a sentence can stand alone, from 0 to 1."""
    words = sentence.split()
    size = _n_words(sentence, language)
    fit = min(1.0, size / _MIN_WORDS, _MAX_WORDS / size)
    end = sentence.rstrip().rstrip(_CLOSING_MARKS)
    if end.endswith(_QUESTION_MARKS):
        fit *= _QUESTION_FACTOR
    elif not end.endswith(_END_MARKS):
        fit *= _HEADING_FACTOR
    opening = next(filter(str.isalpha, sentence), "")
    if opening.islower():
        fit *= _FRAGMENT_FACTOR
    said, n_not_said = _NOT_SAID.subn(" ", sentence)
    spoken = [word.strip(_AROUND_WORDS).lower() for word in said.split()]
    n_twice = sum([a == b != "" for a, b in pairwise(spoken)])
    n_hesitations = sum(map(language.hesitations.__contains__, spoken))
    fit *= _STUMBLING_FACTOR ** (n_twice + n_hesitations + n_not_said)
    first = list(dropwhile(language.fillers.__contains__, spoken))[:_N_FIRST_WORDS]
    if first and (
        _points_back(first[0], language) or not language.pointing_words.isdisjoint(first)
    ):
        fit *= _DEPENDENT_FACTOR
    letters = sum(map(str.isalpha, sentence))
    if letters < _MIN_LETTER_SHARE * sum(map(len, words)) or language.is_courtesy(sentence):
        fit *= _NO_PROSE_FACTOR
    return fit


def _points_back(word: str, language: Language) -> bool:
    """Whether a sentence that begins with this word depends on the one before it."""
    backward = language.backward_words or language.continuing_words
    return word in backward if language.writes_spaces else word.startswith(tuple(backward))


_DECIMALS = 9  # by which worths must differ, whatever the machine rounds


@dataclass(frozen=True)
class SegmentSummary:
    """The sentence that sums up a segment, and how central it is to the document."""

    sentence: int
    worth: float


class SegmentSummaries:
    """Chooses the sentence of each segment that covers most of it and can stand alone.

    It has `MIN_CONTENT_WORDS` and is no courtesy. It is worth its similarity to its segment plus
    that to the document, times how well it can stand alone. Similarity is the cosine between its
    tf-idf and the sum of all tf-idf.
    """

    def __init__(
        self, document: Document, tf_idf: sparse.csc_array, language: Language = ENGLISH
    ) -> None:
        self._document, self._language = document, language
        n, n_words = tf_idf.shape
        self._row = tf_idf.indices
        self._word = np.repeat(np.arange(n_words), np.diff(tf_idf.indptr))
        norm = np.sqrt(np.bincount(self._row, tf_idf.data**2, n))
        self._unit = tf_idf.data / np.maximum(norm, _TINY)[self._row]
        total = np.bincount(self._word, self._unit, n_words).astype(float)
        total /= max(float(np.sqrt((total**2).sum())), _TINY)
        self._to_document = np.bincount(self._row, self._unit * total[self._word], n).astype(float)
        self._is_prose = find_prose(document)
        self._fitness: dict[int, float] = {}
        self._has_content: dict[int, bool] = {}

    def choose(self, starts: Ints) -> list[SegmentSummary | None]:
        """Return the best sentence of each segment, the earliest of equals; None without one."""
        worth = (self._similarity_to_segments(starts) + self._to_document) * self._is_prose
        worth[starts] *= OPENING_FACTOR
        edges = [*starts.tolist(), len(self._document)]
        return [self._best(worth[low:high], low) for low, high in pairwise(edges)]

    def _similarity_to_segments(self, starts: Ints) -> Floats:
        n, k = len(self._document), len(starts)
        segment = np.repeat(np.arange(k), np.diff(np.append(starts, n)))[self._row]
        # Sorted by words, the uses of a word in one segment are next to each other.
        first = np.flatnonzero(np.diff(self._word * k + segment, prepend=-1))
        if not len(first):
            return np.zeros(n)
        sums = np.add.reduceat(self._unit, first)
        norm = np.sqrt(np.bincount(segment[first], sums**2, k))
        sums /= np.maximum(norm, _TINY)[segment[first]]
        of_use = np.repeat(sums, np.diff(np.append(first, len(self._unit))))
        return np.asarray(np.bincount(self._row, self._unit * of_use, n), float)

    def _best(self, worth: Floats, first: int) -> SegmentSummary | None:
        """Return the best of the sentences from `first` on.

        `worth` is what each would be worth if it could stand alone.
        """
        prose = np.flatnonzero(self._is_prose[first : first + len(worth)])
        if not len(prose):
            return None
        best, most = -1, -1.0
        # No sentence is worth more than that, so only a few have to be looked at.
        for i in prose[np.argsort(-worth[prose], kind="stable")].tolist():
            if worth[i].round(_DECIMALS) < most:
                break
            if not self._says_enough(first + i):
                continue
            found = round(float(worth[i]) * self._stands_alone(first + i), _DECIMALS)
            if found > most or (found == most and i < best):
                best, most = i, found
        if best < 0:
            return None
        sentence = first + best
        central = float(self._to_document[sentence]) * self._stands_alone(sentence)
        central *= OPENING_FACTOR if best == 0 else 1
        return SegmentSummary(sentence, round(central, _DECIMALS))

    def _says_enough(self, sentence: int) -> bool:
        if sentence not in self._has_content:
            said, language = self._said(sentence), self._language
            has_content = count_content_words(said, language) >= MIN_CONTENT_WORDS
            is_empty = language.is_courtesy(said) or is_only_names(said)
            self._has_content[sentence] = has_content and not is_empty
        return self._has_content[sentence]

    def _said(self, sentence: int) -> str:
        """Return a sentence without the marks of structure, such as the name of its speaker."""
        document = self._document
        start, end = document.spans[sentence].tolist()
        return spelled((document.prose or document.text)[start:end])

    def _stands_alone(self, sentence: int) -> float:
        if sentence not in self._fitness:
            self._fitness[sentence] = stand_alone(self._said(sentence), self._language)
        return self._fitness[sentence]


_REPETITION_FACTOR = 0.5  # by which a word is worth less each time a chosen sentence has it


def choose_sentences(
    document: Document,
    occurrences: sparse.csr_array,
    scores: Floats,
    topics: Sequence[Ints],
    starts: Ints,
    *,
    n: int,
    language: Language = ENGLISH,
    first: Sequence[int | None] | None = None,
) -> tuple[int, ...]:
    """Choose the `n` sentences that together cover most, in the order of the text.

    A word is worth its score times its topic's share of all scores, and less each time a chosen
    sentence has it. A sentence is worth the sum of its distinct words divided by the square root of
    its length, so that neither lists nor scraps win; less if it is a question, a heading, not prose
    or depends on the sentence before. Sentences are chosen greedily, the earliest of equals; no
    segment gets a second one before every segment has one.

    Parameters
    ----------
    occurrences
        X^o: how often each kept word occurs in each sentence.
    scores
        The score of each kept word.
    topics
        The indices of the words of each topic.
    starts
        The first sentence of each segment.
    n
        The number of sentences; all if there are fewer.
    language
        The language of the document.
    first
        The sentence to choose first from each segment, if known.
    """
    if n >= len(document):
        return tuple(range(len(document)))
    fitness = rate_sentences(document, starts, language)
    worth = weigh_words(scores, topics)
    edges, words = occurrences.indptr.tolist(), occurrences.indices
    segment = (np.searchsorted(starts, np.arange(len(document)), side="right") - 1).tolist()

    def gain(sentence: int) -> float:
        said = worth[words[edges[sentence] : edges[sentence + 1]]]
        return round(float(said.sum()) * fitness[sentence], _DECIMALS)

    # A sentence's worth only falls as others are chosen, so one that is worth as much as when it
    # was last computed is the best of all.
    queue = [(-gain(sentence), sentence) for sentence in range(len(document))]
    chosen: set[int] = set()
    waiting: list[tuple[float, int]] = []
    if first is not None:
        leaders = set(first)
        waiting = [item for item in queue if first[segment[item[1]]] not in {None, item[1]}]
        queue = [item for item in queue if item[1] in leaders or first[segment[item[1]]] is None]
    heapify(queue)
    open_segments = set(segment)
    while len(chosen) < n:
        known, sentence = heappop(queue)
        if open_segments and segment[sentence] not in open_segments:
            waiting.append((known, sentence))
            continue
        now = -gain(sentence)
        if now > known:
            heappush(queue, (now, sentence))
            continue
        chosen.add(sentence)
        worth[words[edges[sentence] : edges[sentence + 1]]] *= _REPETITION_FACTOR
        open_segments.discard(segment[sentence])
        if not open_segments and waiting:
            queue += waiting
            waiting = []
            heapify(queue)
    return tuple(sorted(chosen))


def weigh_words(scores: Floats, topics: Sequence[Ints]) -> Floats:
    """Weigh words by their scores and their topics; the best word weighs 1."""
    worth = np.zeros(len(scores))
    for topic in topics:
        worth[topic] = scores[topic] * scores[topic].sum()
    best = float(worth.max(initial=0.0))
    return worth / best if best > 0 else worth


_PLAIN = 0.7  # strength of a boundary that most people would draw
_WEAK = 0.4  # of one that most would not
_MAX_NAMED = 3  # breaks in one sentence
_SURE = 0.5  # confidence
_NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
)  # fmt: skip
_ORDINALS = (
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
    "tenth",
)  # fmt: skip


def explain_choice(
    choice: Choice, segments: Sequence[Segment], alike: str = "texts of this length"
) -> Choice:
    """Return the choice with its reason: the evidence for k, the runner-up, and how sure it is.

    The reason is found when it is first read. `alike` is what the number was expected by.
    """
    known = {name: value for name, value in vars(choice).items() if name != "reason"}
    return Choice.later(lambda: {"reason": _reason(choice, segments, alike)}, **known)


def _reason(choice: Choice, segments: Sequence[Segment], alike: str) -> str:
    k = choice.k
    limited = "" if len(segments) == k else f"; the limits on sizes make it {len(segments)}"
    if choice.follows_headings and choice.n_sections not in {None, k}:
        return f"The {choice.n_sections} sections of the text are gathered into {k} parts{limited}."
    if choice.follows_headings:
        return f"The headings of the text divide it into {k} parts{limited}."
    if limited:
        return f"The words speak for {_counted(k)}{limited}."
    if len(choice.gains) == 1:
        return "The text is too short to be cut."
    if k == 1:
        return "The text stays in one piece: no break in it is plain enough to be worth a boundary."
    return (
        f"{_counted(k).capitalize()}: {_breaks(choice, segments, alike)}{_other_numbers(choice)}."
    )


def _breaks(choice: Choice, segments: Sequence[Segment], alike: str) -> str:
    """Name the plain breaks, or say that all or none are plain."""
    if choice.has_plain_breaks:
        return "each has a subject of its own"
    if choice.confidence is None:  # by a custom cost
        return "no other number costs less, with the penalty of its boundaries"
    strengths = {i: s.strength for i, s in enumerate(segments) if s.strength is not None}
    if not strengths:  # by the paper's cut
        return "no other number explains the words better for the boundaries it takes"
    return _plain_breaks(strengths, segments, alike)


def _plain_breaks(strengths: dict[int, float], segments: Sequence[Segment], alike: str) -> str:
    plain = [i for i, strength in strengths.items() if strength >= _PLAIN]
    if len(plain) == len(strengths):
        return {1: "the break is", 2: "both breaks are"}.get(
            len(plain), "all breaks are"
        ) + " plain"
    if plain:
        best = sorted(sorted(plain, key=lambda i: -strengths[i])[:_MAX_NAMED])
        names = [_quoted(segments[i]) for i in best]
        noun, verb = ("break", "is") if len(names) == 1 else ("breaks", "are")
        return f"the {noun} before {_listed(names)} {verb} plain"
    usual = f"as many as {alike} usually have"
    if max(strengths.values()) < _WEAK:
        return f"{usual}, with no plain break"
    clearest = segments[max(strengths, key=strengths.__getitem__)]
    return f"{usual}; the break before {_quoted(clearest)} is the clearest"


def _quoted(segment: Segment) -> str:
    """Return the title in quotation marks, which that of its opening words has."""
    title = " ".join(segment.title.split())
    return title if segment.title_source in {"opening", "speaker"} else f"“{title}”"


def _other_numbers(choice: Choice) -> str:
    """Return how close the runner-up is, in words."""
    other, k = choice.runner_up, choice.k
    if other is None:
        return ""
    if choice.confidence is None:
        return f"; {_number(other)} would be the next best"
    is_sure = choice.confidence >= _SURE
    if other == k + 1:
        return f"; {_one_more(other)} would be {'weak' if is_sure else 'nearly as good'}"
    return f"; {_number(other)} would {'be the next best' if is_sure else 'do nearly as well'}"


def _counted(k: int) -> str:
    return f"{_number(k)} {'part' if k == 1 else 'parts'}"


def _number(n: int) -> str:
    return _NUMBERS[n] if n < len(_NUMBERS) else str(n)


def _one_more(n: int) -> str:
    return f"a{'n' * (n == 8)} {_ORDINALS[n]}" if n < len(_ORDINALS) else "one more"


def _listed(names: Sequence[str]) -> str:
    """Join names as in a sentence."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


_UNKNOWN_LANGUAGE = (
    "The text is in none of the languages that docbats knows: short words that are everywhere were "
    "treated as stop words, and stems and parts of speech are missing. If it is in one of them, "
    "set language."
)
_NO_SEGMENTER = (
    "Pairs of characters are used as the words of {language}; to find the words themselves, "
    'pip install "docbats[{extra}]".'
)


def notes_on_language(text: PreparedText, settings: Settings) -> Iterator[str]:
    """Yield what the result lacks because of the language of the text."""
    language = text.language
    if settings.language == "auto" and language.code is None:
        yield _UNKNOWN_LANGUAGE
    elif settings.language == "auto" and text.document.language.is_doubtful:
        yield f"It is not clear which language the text is in; it was treated as {language.name}."
    if language.segmenter is not None and is_missing(language.segmenter):
        yield _NO_SEGMENTER.format(language=language.name, extra=language.segmenter.extra)


def texts_alike(settings: Settings) -> str:
    """Return which texts the number of segments is expected by."""
    is_own = settings.own_model is not None
    return "your documents of this length" if is_own else "texts of this length"


def notes_on_model(settings: Settings) -> Iterator[str]:
    """Yield whose documents the cut follows, if not those that the defaults were fitted to."""
    model = settings.own_model
    if model is not None:
        yield f"A model fitted to {model.documents} documents of your own was used."


def notes_on_topics(kept_words: int, k: int, settings: Settings) -> Iterator[str]:
    """Yield why there are fewer topics than asked for."""
    n_topics = settings.n_topics or k
    by_text = settings.n_topics is None and TOPIC_FINDERS[settings.ranking].chooses_number
    is_asked_for = settings.n_topics is not None or settings.k != "auto"
    if kept_words == 0:
        yield "No word was kept, so there is no topic."
    elif by_text:
        return
    elif kept_words < n_topics and is_asked_for:
        if kept_words == 1:
            yield "Only one word was kept, so there is one topic."
        else:
            yield f"Only {kept_words} words were kept, so there are {kept_words} topics."
    elif settings.n_topics is None and k > TOPICS.value:
        yield f"There are {TOPICS.value:,} topics, the most that are looked for; {TOPICS.advice}."
