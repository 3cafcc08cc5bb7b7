"""From indices to the topics and segments that people read, with reasons and notes."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from docbats.limits import TOPICS
from docbats.parts import ScoredWord, Segment, Topic
from docbats.segments.choose_k import boundary_strengths
from docbats.segments.cuts import find_cut
from docbats.segments.sizes import overlap_starts
from docbats.text.tokens import is_missing
from docbats.titles.ranker import may_be_top
from docbats.titles.titles import find_speakers, label_topics, title_segments
from docbats.topics import TOPIC_FINDERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray
    from scipy import sparse

    from docbats.analysis import Analysis
    from docbats.prepare import PreparedText
    from docbats.segments.choose_k import Choice
    from docbats.settings import Settings
    from docbats.titles.titles import HeadingTitle
    from docbats.topics import Topics

_UNKNOWN_LANGUAGE = (
    "The text is in none of the languages that docbats knows: short words that are everywhere were "
    "taken for stop words, and stems and parts of speech are missing. If it is in one of them, set "
    "language."
)
_NO_SEGMENTER = (
    "Pairs of characters stand for the words of {language}; to find the words themselves, "
    'pip install "docbats[{extra}]".'
)


def notes_on_language(text: PreparedText, settings: Settings) -> Iterator[str]:
    """Yield what the language of the text takes away from the result."""
    language = text.language
    if settings.language == "auto" and language.code is None:
        yield _UNKNOWN_LANGUAGE
    elif settings.language == "auto" and text.document.language.is_doubtful:
        yield f"It is not clear which language the text is in; it was taken for {language.name}."
    if language.segmenter is not None and is_missing(language.segmenter):
        yield _NO_SEGMENTER.format(language=language.name, extra=language.segmenter.extra)


def notes_on_topics(kept_words: int, k: int, settings: Settings) -> Iterator[str]:
    """Yield why there are fewer topics than were asked for."""
    n_topics = settings.n_topics or k
    is_asked_for = settings.n_topics is not None or settings.k != "auto"
    if kept_words == 0:
        yield "No word was kept, so there is no topic."
    elif kept_words < n_topics and is_asked_for:
        if kept_words == 1:
            yield "Only one word was kept, so there is one topic."
        else:
            yield f"Only {kept_words} words were kept, so there are {kept_words} topics."
    elif settings.n_topics is None and k > TOPICS.value:
        yield f"There are {TOPICS.value:,} topics, the most that are looked for; {TOPICS.advice}."


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


def explain_choice(choice: Choice, segments: Sequence[Segment]) -> Choice:
    """Return the choice with its reason: what speaks for k, the runner-up, and how sure it is."""
    return replace(choice, reason=_reason(choice, segments))


def _reason(choice: Choice, segments: Sequence[Segment]) -> str:
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
    return f"{_counted(k).capitalize()}: {_breaks(choice, segments)}{_other_numbers(choice)}."


def _breaks(choice: Choice, segments: Sequence[Segment]) -> str:
    """Name the plain breaks, or state that all or none are."""
    if choice.has_plain_breaks:
        return "each has a subject of its own"
    if choice.confidence is None:  # by a cost of the user's own
        return "no other number costs less, with the penalty of its boundaries"
    strengths = {i: s.strength for i, s in enumerate(segments) if s.strength is not None}
    if not strengths:  # by the paper's cut
        return "no other number explains the words better for the boundaries it takes"
    return _plain_breaks(strengths, segments)


def _plain_breaks(strengths: dict[int, float], segments: Sequence[Segment]) -> str:
    plain = [i for i, strength in strengths.items() if strength >= _PLAIN]
    if len(plain) == len(strengths):
        return {1: "the break is", 2: "both breaks are"}.get(
            len(plain), "all breaks are"
        ) + " plain"
    if plain:
        best = sorted(sorted(plain, key=lambda i: -strengths[i])[:_MAX_NAMED])
        names = [f"“{' '.join(segments[i].title.split())}”" for i in best]
        noun, verb = ("break", "is") if len(names) == 1 else ("breaks", "are")
        return f"the {noun} before {_listed(names)} {verb} plain"
    if max(strengths.values()) < _WEAK:
        return "no break is plain, and people usually divide a text into about so many"
    return "the breaks are gradual, and these are the clearest"


def _other_numbers(choice: Choice) -> str:
    """Describe how close the runner-up is."""
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
    """Return names as a list in a sentence."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


_MAX_KEYWORDS = 10
_LABEL_WORDS, _TITLE_WORDS = 3, 4  # of a topic, of a segment, that is not named by its phrases
_NO_WORDS = "…"  # the title of a segment of nothing but blanks
_TINY = 1e-300  # in place of a divisor of zero, whose dividend is zero too


def describe_topics(analysis: Analysis, topics: Topics) -> tuple[Topic, ...]:
    """Name the topics and their words, with the words' scores."""
    text, words = analysis.text, analysis.text.counts.words
    ranked = [[words[j] for j in topic.tolist()] for topic in topics.words]
    if TOPIC_FINDERS[analysis.settings.ranking].labels_by_phrases:
        labels: Sequence[str] = label_topics(analysis.phrases, ranked, len(text))
    else:
        labels = [", ".join(topic[:_LABEL_WORDS]) for topic in ranked]
    scores, total = topics.scores, topics.scores.sum()
    return tuple(
        Topic(
            words=_scored(words, topic, scores[topic]),
            weight=float(scores[topic].sum() / total) if total > 0 else 1 / len(labels),
            label=label,
        )
        for topic, label in zip(topics.words, labels, strict=True)
    )


def describe_segments(
    analysis: Analysis, starts: NDArray[np.int64], topics: Sequence[NDArray[np.int64]]
) -> tuple[Segment, ...]:
    """Return the segments that begin at these sentences.

    Each has its span, its title, its shares of the topics and the words that stand out in it: by
    their tf-idf in the segment times the share of their tf-idf that falls there.
    """
    text, settings, X_a = analysis.text, analysis.settings, analysis.X_a
    document, cut = text.document, find_cut(settings.cut)
    k = len(starts)
    edges = [*starts.tolist(), len(document)]
    offsets = [0, *document.spans[starts[1:], 0].tolist(), len(document.text)]
    segment_of = np.repeat(np.arange(k), np.diff(edges))
    keywords = _rank_keywords(segment_of, text.counts.words, analysis.tf_idf_by_word, k)
    summaries = [
        document.without_marks(*document.spans[summary.sentence].tolist()) if summary else ""
        for summary in analysis.summaries.choose(starts)
    ]
    weights = _topic_weights(np.repeat(segment_of, np.diff(X_a.indptr)), topics, X_a, k)
    spans = [document.text[start:end] for start, end in pairwise(offsets)]
    headings = analysis.heading_titles(offsets[:-1])
    if cut.titles_by_phrases:
        titles: Sequence[str] = title_segments(
            document, analysis.phrases, starts, _headings_of_others(headings)
        )
    else:
        titles = [_title(span, best) for span, best in zip(spans, keywords, strict=True)]
    speakers = find_speakers(document, offsets)
    strengths = (
        boundary_strengths(analysis.cost, len(text), starts.tolist()) if cut.uses_cost else None
    )
    overlapping = overlap_starts(
        document,
        text.tokens,
        starts,
        settings.overlap,
        settings.size_unit,
        max_size=settings.max_size,
    )
    return tuple(
        Segment(
            start=offsets[i],
            end=offsets[i + 1],
            sentences=(edges[i], edges[i + 1]),
            text=spans[i],
            title=headings[i].title or titles[i],
            title_source="heading" if headings[i].title else "words",
            subtitle=titles[i] if headings[i].title else "",
            heading_path=headings[i].path,
            speakers=speakers[i],
            summary=summaries[i],
            topic_weights=weights[i],
            keywords=keywords[i],
            strength=strengths[i - 1] if strengths is not None and i > 0 else None,
            overlap_start=overlapping[i],
            place=document.place(offsets[i], offsets[i + 1]),
        )
        for i in range(k)
    )


def _headings_of_others(headings: Sequence[HeadingTitle]) -> list[frozenset[str]]:
    """Return for each segment the headings, in small letters, that its own title should not be."""
    all_of_them = frozenset(each.title.casefold() for each in headings if each.title)
    return [frozenset() if each.title else all_of_them for each in headings]


def _topic_weights(
    segment: NDArray[np.int64], topics: Sequence[NDArray[np.int64]], X_a: sparse.csr_array, k: int
) -> list[tuple[float, ...]]:
    """Share the words of each segment out among the topics; `segment` is that of each entry."""
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
    """Return the words of each segment that stand out, best first and of equals the earliest.

    `segment_of` is that of each sentence. Nothing becomes dense, since a book may have thousands of
    segments and of words.
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
    names = (words[j] for j in indices.tolist())
    return tuple(map(ScoredWord, names, scores.tolist()))


def _title(text: str, keywords: tuple[ScoredWord, ...]) -> str:
    """Join the segment's best keywords, or its first words where it has none."""
    if keywords:
        return ", ".join(scored.word for scored in keywords[:_TITLE_WORDS])
    return " ".join(text.split(maxsplit=6)[:6])[:100] or _NO_WORDS
