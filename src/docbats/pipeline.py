"""The whole algorithm, in the paper's order: the file to read first."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from docbats.blocks import HeadingIndex
from docbats.describe import (
    SegmentSummaries,
    describe_segments,
    describe_topics,
    explain_choice,
    notes_on_language,
    notes_on_model,
    notes_on_topics,
    texts_alike,
)
from docbats.document import Document
from docbats.errors import InputError, NoKeptWordsError, SettingsError, TooFewSentencesError
from docbats.matrix import (
    LAPLACIANS,
    award,
    bond,
    count,
    leading_singular_vectors,
    tf_idf,
    unit_rows,
)
from docbats.parts import Title, Vectors
from docbats.result import Result
from docbats.runtime import TOPICS, result_versions, single_blas_thread, stage_done
from docbats.segments.choose_k import choose_k, heading_starts
from docbats.segments.cuts import check_boundaries, find_boundary_sentences, find_cut
from docbats.segments.search import starts_worth_penalty
from docbats.segments.sizes import find_limits, split_long
from docbats.settings import PRESETS, Settings, resolve_settings
from docbats.text.languages import load_language
from docbats.text.languages.english import STOP_WORDS as ENGLISH_STOP_WORDS
from docbats.text.tags import find_classes, flag_classes, usable_tagger
from docbats.text.words import find_widespread_words, find_words, tokenize
from docbats.titles.phrases import phrases_of
from docbats.titles.titles import title_segments
from docbats.topics import MAX_TOPICS, TOPIC_FINDERS, choose_number

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from typing import Unpack

    from numpy.typing import NDArray
    from scipy import sparse

    from docbats.document import Source
    from docbats.matrix import SentenceWordCounts, Spectrum
    from docbats.options import SettingOptions
    from docbats.segments.choose_k import Choice
    from docbats.segments.costs import SegmentCost
    from docbats.segments.sizes import SizeLimits
    from docbats.settings import Tagger
    from docbats.text.languages.language import Language
    from docbats.text.words import Tokens, Words
    from docbats.titles.phrases import Phrases
    from docbats.topics import FoundTopics

_MIN_TOPICS = 3  # if k is chosen and k topics are found: a text in one piece has topics, too


def analyze(
    source: Source,
    k: int | Literal["auto"] = "auto",
    preset: str = "sharp",
    *,
    boundaries: Iterable[int] | None = None,
    **settings: Unpack[SettingOptions],
) -> Result:
    """Find the topics and the segments of one document.

    Parameters
    ----------
    source
        Whatever :meth:`Document.of` takes: text, which may be Markdown; a list of sentences, to
        which offsets refer as joined by newlines; a path object, bytes, an open file or a document.
    k
        The number of segments; ``"auto"`` lets the text decide.
    preset
        Which settings to start from: ``"sharp"``, or ``"paper"`` for BATS as published.
    boundaries
        Your own segments, to be titled and described: the characters where they begin, in
        ascending order; 0 may be left out. A segment begins with the sentence at its offset.
    **settings
        Any other attribute of :class:`Settings`.

    Examples
    --------
    >>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    >>> result = analyze(text, k=2)
    >>> [segment.sentences for segment in result.segments]
    [(0, 2), (2, 4)]
    >>> [segment.start for segment in analyze(text, boundaries=[17]).segments]
    [0, 17]
    """
    return BATS(resolve_settings(preset, k=k, **settings))(source, boundaries=boundaries)


class BATS:
    """A configured analyzer, to use on as many documents as you like.

    Call it with one source. A list of strings is the sentences of one document; for several
    documents, use :meth:`many`.

    Examples
    --------
    >>> bats = BATS(Settings(k=2))
    >>> texts = ["Red cars. Fast cars. Old boats. Slow boats.", "One fish. Two fish. Red fish."]
    >>> [len(result.segments) for result in bats.many(texts)]
    [2, 2]
    """

    def __init__(self, settings: Settings | None = None) -> None:
        if not isinstance(settings, Settings | None):
            msg = f"expected docbats.Settings(...), got {type(settings).__name__}"
            raise SettingsError(msg)
        self.settings = PRESETS["sharp"] if settings is None else settings

    def __call__(
        self,
        source: Source,
        k: int | Literal["auto"] | None = None,
        *,
        boundaries: Iterable[int] | None = None,
    ) -> Result:
        """Analyze one document; `k` overrides the setting.

        With `boundaries`, the segments are your own; see :func:`analyze`.
        """
        settings = self.settings if k is None else replace(self.settings, k=k)
        offsets = None if boundaries is None else check_boundaries(boundaries, settings)
        with single_blas_thread():
            return _run(source, settings, offsets)

    def many(self, sources: Iterable[Source]) -> Iterator[Result]:
        """Analyze documents lazily, one by one."""
        if isinstance(sources, str | Document):
            msg = (
                f"expected several documents, got one {type(sources).__name__}: call the analyzer "
                "itself, or give a list of documents"
            )
            raise InputError(msg)
        return map(self, sources)

    def __repr__(self) -> str:
        return f"BATS({self.settings!r})"


def _run(source: Source, settings: Settings, boundaries: tuple[int, ...] | None) -> Result:
    """Algorithm 2, with Algorithm 1 inside: from the award to the singular vectors.

    What is not needed to cut is found by the :class:`Analysis` when it is first read.
    """
    stopwatch = Stopwatch()
    cut = find_cut(settings.cut)

    # section 3.1: sentences, tokens, words, tags, counts
    text = prepare(source, settings, stopwatch.lap)

    given = None if boundaries is None else find_boundary_sentences(text.document, boundaries)
    is_chosen = settings.k == "auto" and given is None
    cost = cut.cost(text, settings) if cut.uses_cost or is_chosen else None
    stopwatch.lap("cost")
    choice = None
    if cost is not None and is_chosen:
        choice = choose_k(cost, len(text), settings.granularity)
    if given is not None:
        k = len(given)
    else:
        k = _check_k(settings, text) if choice is None else choice.k
    stopwatch.lap("k")

    analysis = Analysis(text, settings, _number_of_topics(settings, k, text), stopwatch, cost)
    # eq. 14, or the segments of the least cost
    starts = _cut(analysis, k, choice) if given is None else given
    stopwatch.lap("cut")
    segments = describe_segments(analysis, starts)
    notes_on_names: tuple[str, ...] = ()
    if settings.namer is not None:
        from docbats.naming import name_segments

        segments, notes_on_names = name_segments(analysis, segments)
    if choice is not None:
        choice = explain_choice(choice, segments, texts_alike(settings))
    return Result.later(
        lambda: {"topics": describe_topics(analysis)},
        document=text.document,
        settings=replace(settings, k=len(starts)),
        segments=segments,
        choice=choice,
        notes=(
            *text.document.notes,
            *notes_on_language(text, settings),
            *notes_on_model(settings),
            *notes_on_topics(len(text.counts.words), k, settings),
            *notes_on_names,
        ),
        versions=result_versions(),
        seconds=stopwatch.seconds,
        vectors=_unit_vectors(analysis) if settings.vectors else None,
        analysis=analysis,
    )


def _cut(analysis: Analysis, k: int, choice: Choice | None) -> NDArray[np.int64]:
    """Return the first sentence of each of k segments, or of as many as size limits require."""
    cut, limits = find_cut(analysis.settings.cut), analysis.limits
    if choice is not None and limits is not None:
        cost, n_sentences, penalty = analysis.cost, len(analysis.text), choice.penalty
        starts = limits.keep_within(
            lambda kept: starts_worth_penalty(cost, n_sentences, penalty, kept)
        )
        return np.array(starts, np.int64)
    if choice is not None and choice.follows_headings and choice.k == choice.n_sections:
        sections = heading_starts(analysis.cost, analysis.settings.granularity)
        if sections is not None and cut.uses_cost:
            return sections
    return cut.starts(analysis, k)


def _number_of_topics(settings: Settings, k: int, text: PreparedText) -> int | None:
    """Return how many topics to find, no more than kept words; None if their strengths decide."""
    if settings.n_topics is None and TOPIC_FINDERS[settings.ranking].chooses_number:
        return None
    n_topics = settings.n_topics or (max(k, _MIN_TOPICS) if settings.k == "auto" else k)
    n_topics = min(n_topics, max(1, len(text.counts.words)))
    if settings.n_topics is not None and n_topics > TOPICS.value:
        msg = (
            f"n_topics must be at most {TOPICS.value:,}, got {settings.n_topics}: give a smaller "
            f"n_topics, or {TOPICS.advice}"
        )
        raise InputError(msg)
    return min(n_topics, TOPICS.value)


def _check_k(settings: Settings, text: PreparedText) -> int:
    """Return k, unless there are too few sentences, or no words, for that many segments."""
    k, count = int(settings.k), len(text)
    if k > count:
        msg = (
            f"k must be at most the number of sentences, which is {count}, got {k}: give a smaller "
            "k, or if each line is a sentence, set sentences to lines"
        )
        raise TooFewSentencesError(msg)
    if k > 1 and not text.counts.words and find_cut(settings.cut).needs_words:
        msg = (
            f"no word, stop words aside, occurs in {settings.min_sentences} sentences or more, so "
            f"there is nothing to find {k} segments by: give a longer text, a k of 1, or set "
            "min_sentences to 1"
        )
        raise NoKeptWordsError(msg)
    return k


def _unit_vectors(analysis: Analysis) -> Vectors:
    """Return the unit vectors of sentences and words (eq. 5)."""
    spectrum, words = analysis.spectrum, analysis.text.counts.words
    vectors = Vectors(unit_rows(spectrum.U), unit_rows(spectrum.V), words, spectrum.sigma)
    for array in (vectors.sentences, vectors.words, vectors.singular_values):
        array.flags.writeable = False
    return vectors


class Stopwatch:
    """Records how long each stage takes, and reports its end.

    A stage that needs another one does not have the other's time in its own.
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._recorded = 0.0
        stage_done("start")
        self._last = time.perf_counter(), 0.0

    def lap(self, stage: str) -> None:
        """End a stage that began when the last one ended."""
        self._record(stage, *self._last)
        self._last = time.perf_counter(), self._recorded

    @contextmanager
    def during(self, stage: str) -> Iterator[None]:
        """Time a stage, on one thread: it may run when the rest has long been done."""
        began = time.perf_counter(), self._recorded
        with single_blas_thread():
            yield
        self._record(stage, *began)

    def _record(self, stage: str, began: float, recorded: float) -> None:
        spent = time.perf_counter() - began - (self._recorded - recorded)
        self._recorded += spent
        self.seconds[stage] = self.seconds.get(stage, 0.0) + spent
        stage_done(stage)


def prepare(
    source: Source, settings: Settings, lap: Callable[[str], None] = lambda _: None
) -> PreparedText:
    """Split a source into sentences and tokens, and count its words.

    `lap` is called with the name of each stage when it ends.
    """
    document = Document.of(source, sentences=settings.sentences, language=settings.language)
    language = load_language(
        document.language.code if settings.language == "auto" else settings.language
    )
    if settings.max_size is not None:
        longest = settings.max_size - settings.overlap
        document = split_long(document, longest, settings.size_unit, language)
    lap("sentences")
    tokens = tokenize(document, language)
    lap("tokens")
    stop_words = _stop_words(len(document), tokens, settings, language)
    words = find_words(document, tokens, stop_words, stem=settings.stem, language=language)
    lap("words")
    tagger = _tagger(settings, language)
    classes = find_classes(tokens, tagger)
    lap("tags")
    flags = flag_classes(classes, "NOUN", "PROPN", "VERB")
    counts = count(words, tokens, flags, len(document), settings.min_sentences)
    lap("counts")
    return PreparedText(
        document=document,
        language=language,
        tokens=tokens,
        words=words,
        classes=classes,
        is_tagged=tagger is not None,
        counts=counts,
    )


def _stop_words(
    n_sentences: int, tokens: Tokens, settings: Settings, language: Language
) -> Collection[str]:
    if isinstance(settings.stop_words, frozenset):
        return settings.stop_words
    if settings.stop_words == "auto" and language.code is None:
        return language.stop_words | find_widespread_words(tokens, n_sentences)
    return language.stop_words if settings.stop_words == "auto" else ENGLISH_STOP_WORDS


def _tagger(settings: Settings, language: Language) -> str | Tagger | None:
    """Return the tagger, or None if no stage uses it or it does not know the language."""
    is_used = (
        settings.award > 0
        or find_cut(settings.cut).uses_word_classes
        or TOPIC_FINDERS[settings.ranking].uses_word_classes
    )
    return usable_tagger(settings.tagger, language) if is_used else None


@dataclass(frozen=True, eq=False)
class PreparedText:
    """A document with its words, found and counted.

    Attributes
    ----------
    document
        The text and the spans of its sentences.
    language
        Its language.
    tokens
        Its words and punctuation marks.
    words
        The tokens that are counted.
    classes
        The word class of each token.
    is_tagged
        Whether a tagger found the classes; if not, all are OTHER.
    counts
        X^o and T: how often each kept word occurs in each sentence, and whether as a noun or verb.
    """

    document: Document
    language: Language
    tokens: Tokens
    words: Words
    classes: NDArray[np.int64]
    is_tagged: bool
    counts: SentenceWordCounts

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.document)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The text of each sentence."""
        return self.document.sentences

    @cached_property
    def sentence_words(self) -> tuple[tuple[str, ...], ...]:
        """The words of each sentence in their order, without stop words, numbers and debris."""
        sentence = self.tokens.sentence[self.words.token]
        edges = np.searchsorted(sentence, np.arange(len(self) + 1))
        names = [self.words.names[word] for word in self.words.word.tolist()]
        return tuple(tuple(names[low:high]) for low, high in pairwise(edges.tolist()))


@dataclass(frozen=True, eq=False)
class Analysis:
    """The matrices of a document and what was made of them; a result keeps it, to be cut anew.

    Attributes
    ----------
    text
        The document with its words.
    settings
        The settings of the analysis.
    n_topics
        How many topics there are to be; None if the strengths of the singular vectors decide.
    stopwatch
        Times the stages.
    """

    text: PreparedText
    settings: Settings
    n_topics: int | None
    stopwatch: Stopwatch = field(repr=False)
    known_cost: SegmentCost | None = field(default=None, repr=False)

    @cached_property
    def X_a(self) -> sparse.csr_array:
        """The awarded counts (eq. 1)."""
        with self.stopwatch.during("award"):
            return award(self.text.counts, self.settings.award)

    @cached_property
    def F(self) -> sparse.csr_array:
        """Their tf-idf."""
        with self.stopwatch.during("award"):
            return tf_idf(self.X_a)

    @cached_property
    def L(self) -> sparse.csr_array:
        """The matrix that is decomposed (eqs. 2, 3)."""
        settings = self.settings
        with self.stopwatch.during("bond"):
            X = bond(self.X_a, settings.window, settings.decay)
        with self.stopwatch.during("laplacian"):
            return LAPLACIANS[settings.laplacian](X, settings.tau_p, settings.tau_o)

    @cached_property
    def spectrum(self) -> Spectrum:
        """Its leading singular vectors, as many as there are topics (eq. 4)."""
        L, seed = self.L, self.settings.seed
        with self.stopwatch.during("svd"):
            if self.n_topics is not None:
                return leading_singular_vectors(L, self.n_topics, seed)
            found = leading_singular_vectors(L, min(MAX_TOPICS, TOPICS.value), seed)
            return found.first(
                choose_number(found.sigma, len(self.text), len(self.text.counts.words))
            )

    @cached_property
    def cost(self) -> SegmentCost:
        """The cost of segments."""
        if self.known_cost is not None:
            return self.known_cost
        return find_cut(self.settings.cut).cost(self.text, self.settings)

    @cached_property
    def topics(self) -> FoundTopics:
        """The topics, as indices of kept words: eq. 13 and section 3.4.1, or cores of words."""
        with self.stopwatch.during("topics"):
            return TOPIC_FINDERS[self.settings.ranking].find(self)

    @cached_property
    def phrases(self) -> Phrases:
        """The phrases that titles and labels are made of."""
        with self.stopwatch.during("phrases"):
            return phrases_of(self.text)

    @cached_property
    def headings(self) -> HeadingIndex:
        """The author's headings, unless they are to be ignored."""
        if self.settings.structure == "ignore":
            return HeadingIndex(())
        return HeadingIndex.of(self.text.document)

    def title_segments(
        self, starts: NDArray[np.int64], avoid: Sequence[Collection[str]]
    ) -> Sequence[Title]:
        """Return a title for each segment; see :func:`docbats.titles.titles.title_segments`.

        All titles that are made of words come from here: of segments, of the entries of an outline
        and of the cuts of a report.
        """
        threshold = self.settings.title_threshold
        return title_segments(self.text.document, self.phrases, starts, avoid, threshold)

    @cached_property
    def limits(self) -> SizeLimits | None:
        """The limits on the size of segments; None if the settings have none."""
        settings = self.settings
        if not settings.min_size and settings.max_size is None:
            return None
        return find_limits(self.text, settings)

    @cached_property
    def tf_idf_by_word(self) -> sparse.csc_array:
        """F sorted by words: the keywords of any segments are sums of it."""
        return self.F.tocsc()

    @cached_property
    def summaries(self) -> SegmentSummaries:
        """Chooses the sentences that sum up segments."""
        text = self.text
        return SegmentSummaries(text.document, self.tf_idf_by_word, text.language)

    def spectrum_of(self, k: int) -> Spectrum:
        """Return the k leading singular vectors (eq. 4), or as many as there can be."""
        k = min(k, max(1, *self.L.shape[1:]))
        if self.spectrum.V.shape[1] == k:
            return self.spectrum
        return leading_singular_vectors(self.L, k, self.settings.seed)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is fast to make again."""
        made_again = {"summaries", "tf_idf_by_word", "headings"}
        return {name: value for name, value in self.__dict__.items() if name not in made_again}
