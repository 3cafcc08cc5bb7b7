"""The whole algorithm, in the paper's order: the file to read first."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from docbats.analysis import Analysis
from docbats.describe import describe_topics
from docbats.document import Document
from docbats.errors import InputError, NoKeptWordsError, SettingsError, TooFewSentencesError
from docbats.matrix import count
from docbats.result import Result, Vectors
from docbats.segments.choose_k import choose_k
from docbats.segments.long_sentences import split_long
from docbats.settings import PRESETS, Settings, resolve_settings
from docbats.spectrum import unit_rows
from docbats.text.everywhere import find_words_everywhere
from docbats.text.languages import load_language
from docbats.text.segmenters import is_missing
from docbats.text.stopwords import ENGLISH
from docbats.text.tags import find_classes, flag_classes, usable_tagger
from docbats.text.tokens import tokenize
from docbats.text.words import find_words
from docbats.threads import single_blas_thread
from docbats.titles.naming import label_topics
from docbats.topics.cores import find_topics
from docbats.topics.word_clusters import cluster_words
from docbats.versions import result_versions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from docbats.segments.choose_k import Choice
    from docbats.settings import Tagger
    from docbats.spectrum import Spectrum
    from docbats.text.languages.language import Language
    from docbats.text.tokens import Tokens

__all__ = ["BATS", "Source", "analyze"]

_FEWEST_TOPICS = 3  # where the text decides: a text in one piece has its topics, too

Source = str | Sequence[str] | Document
"""A text, the sentences of a text, or a document."""


def analyze(
    source: Source, k: int | Literal["auto"] = "auto", preset: str = "sharp", **settings: Any
) -> Result:
    """Find the topics and the segments of one document.

    Parameters
    ----------
    source
        A text; or its sentences, to which offsets then refer as joined by newlines; or a
        :class:`Document`.
    k
        The number of segments and of topics; ``"auto"`` lets the text decide.
    preset
        Which settings to start from: ``"sharp"``, or ``"paper"`` for BATS as published.
    **settings
        Any other attribute of :class:`Settings`.

    Examples
    --------
    >>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    >>> result = analyze(text, k=2)
    >>> [segment.sentences for segment in result.segments]
    [(0, 2), (2, 4)]
    """
    return BATS(resolve_settings(preset, k=k, **settings))(source)


class BATS:
    """A configured analyser, to use on as many documents as you like.

    Call it with one source. A list of strings is one document, given as its sentences; so several
    documents go through :meth:`many`.

    Examples
    --------
    >>> bats = BATS(Settings(k=2))
    >>> texts = ["Red cars. Fast cars. Old boats. Slow boats.", "One fish. Two fish. Red fish."]
    >>> [len(result.segments) for result in bats.many(texts)]
    [2, 2]
    """

    def __init__(self, settings: Settings | None = None) -> None:
        if not isinstance(settings, Settings | None):
            msg = f"{type(settings).__name__} is no kind of settings: give docbats.Settings(...)"
            raise SettingsError(msg)
        self.settings = PRESETS["sharp"] if settings is None else settings

    def __call__(self, source: Source, k: int | Literal["auto"] | None = None) -> Result:
        """Analyse one document, with another `k` than that of the settings if given."""
        settings = self.settings if k is None else replace(self.settings, k=k)
        with single_blas_thread():
            return _run(source, settings)

    def many(self, sources: Iterable[Source]) -> Iterator[Result]:
        """Analyse documents one by one, as they are asked for."""
        if isinstance(sources, str | Document):
            msg = "that is one document: call the analyser itself, or give a list of documents"
            raise InputError(msg)
        return map(self, sources)

    def __repr__(self) -> str:
        return f"BATS({self.settings!r})"


def _run(source: Source, settings: Settings) -> Result:
    """Algorithm 2, with Algorithm 1 (`laplacian` and the lines around it) inside."""
    lap = _Stopwatch()
    document = _read(source, settings)
    language = _language(document, settings)
    lap("sentences")
    tokens = tokenize(document, language)
    lap("tokens")
    stop_words = _stop_words(document, tokens, settings, language)
    words = find_words(document, tokens, stop_words, stem=settings.stem, language=language)
    lap("words")
    classes = find_classes(tokens, _tagger(settings, language))
    lap("tags")
    flags = flag_classes(classes, "NOUN", "PROPN", "VERB")
    counts = count(words, tokens, flags, len(document), settings.min_sentences)
    analysis = Analysis(document, settings, tokens, words, classes, counts, language)
    lap("matrix")
    if settings.k == "auto":
        choice = choose_k(analysis.evidence)
        k = choice.k
    else:
        choice = None
        k = _check_k(settings.k, document)
    lap("k")
    starts = _cut(analysis, k, choice)
    lap("segments")
    topics, scores, vectors = _topics(analysis, k, choice)
    lap("topics")
    labels = None
    if settings.ranking == "cores":
        ranked = [[counts.words[j] for j in topic.tolist()] for topic in topics]
        labels = label_topics(analysis.phrases, words, ranked)
    result = Result(
        document=document,
        settings=replace(settings, k=len(starts)),
        topics=describe_topics(topics, counts.words, scores, labels),
        segments=analysis.segments(starts, topics),
        choice=choice,
        notes=(
            *_notes_on_language(document, settings, language),
            *_notes(len(counts.words), _topic_count(settings, k, choice), choice),
        ),
        versions=result_versions(),
        seconds=lap.seconds,
        vectors=vectors,
        analysis=analysis,
    )
    lap("result")
    return result


def _cut(analysis: Analysis, k: int, choice: Choice | None) -> NDArray[np.int64]:
    if choice is None:
        _check_kept_words(len(analysis.counts.words), k, analysis.settings)
    elif analysis.limits is not None:
        return analysis.free_starts(choice.penalty)
    return analysis.starts(k)


def _topics(
    analysis: Analysis, k: int, choice: Choice | None
) -> tuple[list[NDArray[np.int64]], NDArray[np.float64], Vectors | None]:
    """Find the topics, as indices of their words, with the words' scores; the vectors if wanted."""
    settings, counts = analysis.settings, analysis.counts
    n_topics = _topic_count(settings, k, choice)
    spectrum = analysis.spectrum(n_topics)
    if settings.ranking == "kmeans":
        scores = analysis.F.sum(axis=0)
        word_vectors = unit_rows(spectrum.V)
        topics = cluster_words(word_vectors, scores, n_topics, settings.restarts, settings.seed)
    else:
        found = find_topics(spectrum.V, counts, analysis.class_counts)
        topics, scores = list(found.words), found.scores
    return topics, scores, _unit_vectors(spectrum, counts.words) if settings.vectors else None


def _unit_vectors(spectrum: Spectrum, words: tuple[str, ...]) -> Vectors:
    vectors = Vectors(unit_rows(spectrum.U), unit_rows(spectrum.V), words, spectrum.sigma)
    for array in (vectors.sentences, vectors.words, vectors.singular_values):
        array.flags.writeable = False
    return vectors


def _read(source: Source, settings: Settings) -> Document:
    document = _make_document(source, settings)
    if settings.max_size is None:
        return document
    return split_long(document, settings.max_size - settings.overlap, settings.size_unit)


def _make_document(source: Source, settings: Settings) -> Document:
    if isinstance(source, Document):
        return source
    if isinstance(source, str):
        return Document.from_text(source, settings.sentences, settings.language)
    if isinstance(source, Sequence) and not isinstance(source, bytes | bytearray):
        return Document.from_sentences(source)
    msg = (
        f"{type(source).__name__} is no kind of document: give a string, a list of sentences or a "
        "docbats.Document"
    )
    raise InputError(msg)


def _check_k(k: int, document: Document) -> int:
    if k > len(document):
        count = len(document)
        msg = (
            f"k={k} segments were asked for, but the document has "
            f"{count} sentence{'s' if count != 1 else ''}: "
            f"give k from 1 to {count}, or if each line is a sentence, set sentences to lines"
        )
        raise TooFewSentencesError(msg)
    return k


def _check_kept_words(kept: int, k: int, settings: Settings) -> None:
    """Refuse to cut where there is nothing to cut by."""
    if kept == 0 and k > 1:
        msg = (
            f"no word, stop words aside, occurs in {settings.min_sentences} sentences or more, so "
            f"there is nothing to find {k} segments by: give a longer text, a k of 1, or set "
            "min_sentences to 1"
        )
        raise NoKeptWordsError(msg)


def _language(document: Document, settings: Settings) -> Language:
    return load_language(
        document.language.code if settings.language == "auto" else settings.language
    )


def _stop_words(
    document: Document, tokens: Tokens, settings: Settings, language: Language
) -> Collection[str]:
    if isinstance(settings.stop_words, frozenset):
        return settings.stop_words
    if settings.stop_words == "auto" and language.code is None:
        return language.stop_words | find_words_everywhere(tokens, len(document))
    return language.stop_words if settings.stop_words == "auto" else ENGLISH


def _tagger(settings: Settings, language: Language) -> str | Tagger | None:
    """Give the tagger, or None where nothing depends on it or it does not know the language."""
    needed = settings.award > 0 or settings.cut == "likelihood" or settings.ranking == "cores"
    return usable_tagger(settings.tagger, language) if needed else None


def _notes_on_language(document: Document, settings: Settings, language: Language) -> Iterator[str]:
    """Say what the language of the text takes away from the result."""
    if settings.language == "auto" and language.code is None:
        yield _UNKNOWN
    elif settings.language == "auto" and document.language.is_doubtful:
        yield f"It is not clear which language the text is in; it was taken for {language.name}."
    if language.segmenter is not None and is_missing(language.segmenter):
        yield _NO_SEGMENTER.format(language=language.name, extra=language.segmenter)


_UNKNOWN = (
    "The text is in none of the languages that docbats knows: short words that are everywhere were "
    "taken for stop words, and stems and parts of speech are missing. If it is in one of them, set "
    "language."
)
_NO_SEGMENTER = (
    "Pairs of characters stand for the words of {language}; to find the words themselves, "
    'pip install "docbats[{extra}]".'
)


def _topic_count(settings: Settings, k: int, choice: Choice | None) -> int:
    if settings.n_topics is not None:
        return settings.n_topics
    return k if choice is None else max(k, _FEWEST_TOPICS)


def _notes(kept: int, wanted: int, choice: Choice | None) -> tuple[str, ...]:
    """Say why there are fewer topics than were asked for."""
    if kept >= wanted or (choice is not None and kept > 0):
        return ()
    many = f"Only {kept} words were kept, so there are {kept} topics."
    return (_FEW_TOPICS.get(kept, many),)


_FEW_TOPICS = {
    0: "No word was kept, so there is no topic.",
    1: "Only one word was kept, so there is one topic.",
}


class _Stopwatch:
    """Notes the time since the last lap under the name of the stage that just ended."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.perf_counter()

    def __call__(self, stage: str) -> None:
        now = time.perf_counter()
        self.seconds[stage] = now - self._last
        self._last = now
