"""The whole algorithm, in the paper's order: the file to read first."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from docbats._version import __version__
from docbats.document import Document
from docbats.errors import InputError, NoKeptWordsError, SettingsError, TooFewSentencesError
from docbats.laplacian import laplacian
from docbats.matrix import award, bond, count, tf_idf
from docbats.result import Result, Vectors
from docbats.segments.linkage import average_linkage_starts
from docbats.settings import PRESETS, Settings, resolve_settings
from docbats.spectrum import leading_singular_vectors, unit_rows
from docbats.summary import describe_segments, describe_topics
from docbats.text.stopwords import ENGLISH
from docbats.text.tags import find_nouns_and_verbs
from docbats.text.tokens import tokenize
from docbats.text.words import find_words
from docbats.threads import single_blas_thread
from docbats.topics import cluster_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy import sparse

__all__ = ["BATS", "Source", "analyze"]

Source = str | Sequence[str] | Document
"""A text, the sentences of a text, or a document."""


def analyze(source: Source, k: int | None = None, preset: str = "paper", **settings: Any) -> Result:
    """Find the topics and the segments of one document.

    Parameters
    ----------
    source
        A text; or its sentences, to which offsets then refer as joined by newlines; or a
        :class:`Document`.
    k
        The number of topics and of segments.
    preset
        Which settings to start from; ``"paper"`` is BATS as published.
    **settings
        Any other attribute of :class:`Settings`.

    Examples
    --------
    >>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    >>> result = analyze(text, k=2, window=1)
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
    >>> bats = BATS(Settings(k=2, window=1))
    >>> texts = ["Red cars. Fast cars. Old boats. Slow boats.", "One fish. Two fish. Red fish."]
    >>> [len(result.segments) for result in bats.many(texts)]
    [2, 2]
    """

    def __init__(self, settings: Settings | None = None) -> None:
        if not isinstance(settings, Settings | None):
            msg = f"{type(settings).__name__} is no kind of settings: give docbats.Settings(...)"
            raise SettingsError(msg)
        self.settings = PRESETS["paper"] if settings is None else settings

    def __call__(self, source: Source, k: int | None = None) -> Result:
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
    k = _check_k(settings.k, document)
    lap("sentences")
    tokens = tokenize(document)
    lap("tokens")
    stop_words = ENGLISH if settings.stop_words == "english" else settings.stop_words
    words = find_words(document, tokens, stop_words, stem=settings.stem)
    lap("words")
    tagger = settings.tagger if settings.award > 0 else None
    is_noun_or_verb = find_nouns_and_verbs(tokens, tagger)
    lap("tags")
    counts = count(words, tokens, is_noun_or_verb, len(document), settings.min_sentences)
    notes = _check_kept_words(len(counts.words), k, settings)
    X_a = award(counts, settings.award)
    F = tf_idf(X_a)
    X = bond(X_a, settings.window, settings.decay)
    lap("matrix")
    spectrum = leading_singular_vectors(_decomposed(X, settings), k, settings.seed)
    U, V = unit_rows(spectrum.U), unit_rows(spectrum.V)
    lap("spectrum")
    word_scores = F.sum(axis=0)
    topics = cluster_words(V, word_scores, k, settings.restarts, settings.seed)
    lap("topics")
    starts = average_linkage_starts(U, k)
    lap("segments")
    result = Result(
        document=document,
        settings=replace(settings, k=k),
        topics=describe_topics(topics, counts.words, word_scores),
        segments=describe_segments(
            document, starts, topics=topics, words=counts.words, X_a=X_a, F=F
        ),
        notes=notes,
        versions=dict(_versions()),
        seconds=lap.seconds,
        vectors=_vectors(U, V, counts.words, spectrum.sigma) if settings.vectors else None,
    )
    lap("result")
    return result


def _vectors(
    U: NDArray[np.float64],
    V: NDArray[np.float64],
    words: tuple[str, ...],
    sigma: NDArray[np.float64],
) -> Vectors:
    for array in (U, V, sigma):
        array.flags.writeable = False
    return Vectors(U, V, words, sigma)


def _decomposed(X: sparse.csr_array, settings: Settings) -> sparse.csr_array:
    """Give the matrix whose singular vectors count: eq. 3, or one of the ablations."""
    if settings.laplacian == "none":
        return X
    if settings.laplacian == "plain":
        return laplacian(X, 0, 0)
    return laplacian(X, settings.tau_p, settings.tau_o)


def _read(source: Source, settings: Settings) -> Document:
    if isinstance(source, Document):
        return source
    if isinstance(source, str):
        return Document.from_text(source, settings.sentences)
    if isinstance(source, Sequence) and not isinstance(source, bytes | bytearray):
        return Document.from_sentences(source)
    msg = (
        f"{type(source).__name__} is no kind of document: give a string, a list of sentences or a "
        "docbats.Document"
    )
    raise InputError(msg)


def _check_k(k: int | None, document: Document) -> int:
    if k is None:
        msg = "k is missing: say how many segments and topics you want, for example k=5"
        raise SettingsError(msg)
    if k > len(document):
        count = len(document)
        msg = (
            f"k={k} segments were asked for, but the document has "
            f"{count} sentence{'s' if count != 1 else ''}: "
            f"give k from 1 to {count}, or if each line is a sentence, set sentences to lines"
        )
        raise TooFewSentencesError(msg)
    return k


def _check_kept_words(kept: int, k: int, settings: Settings) -> tuple[str, ...]:
    """Refuse to cut where there is nothing to cut by; otherwise note what is missing."""
    if kept == 0 and k > 1:
        msg = (
            f"no word, stop words aside, occurs in {settings.min_sentences} sentences or more, so "
            f"there is nothing to find {k} segments by: give a longer text, a k of 1, or set "
            "min_sentences to 1"
        )
        raise NoKeptWordsError(msg)
    if kept < k:
        many = f"Only {kept} words were kept, so there are {kept} topics."
        return (_FEW_TOPICS.get(kept, many),)
    return ()


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


@cache
def _versions() -> dict[str, str]:
    libraries = ("numpy", "scipy", "nupunkt", "PyStemmer")
    return {"docbats": __version__, **{library: version(library) for library in libraries}}
