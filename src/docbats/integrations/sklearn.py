"""scikit-learn: a transformer of texts into segments, and a vectorizer by topics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from scipy.sparse import csr_matrix

from docbats.errors import InputError, SettingsError, require_extra
from docbats.integrations.splitting import call_on_text, make_bats, run_unless_blank

with require_extra("scikit-learn", "scikit-learn"):
    from sklearn.base import BaseEstimator, TransformerMixin
    from sklearn.utils._set_output import _get_output_config
    from sklearn.utils.validation import check_is_fitted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.pipeline import BATS
    from docbats.result import Result

__all__ = ["SegmentTransformer", "TopicVectorizer"]


class SegmentTransformer(TransformerMixin, BaseEstimator):
    """Turns each text into the list of its segments; `fit` only checks the settings.

    Parameters
    ----------
    k
        The number of segments of each text; by default the text decides.
    preset
        Which settings to start from.
    min_size, max_size, size_unit, overlap
        Limits on the size of segments, as in :class:`docbats.Settings`.
    settings
        Any other attributes of :class:`docbats.Settings`.
    output
        Whether to return the ``"text"`` of each segment, with its overlap, or the ``"segment"``
        itself, a :class:`docbats.Segment`.

    Examples
    --------
    >>> text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    >>> SegmentTransformer(k=2).transform([text])[0]
    ['Bats hunt moths. Moths hear bats. ', 'Tea needs hot water. Hot tea cools.']
    """

    def __init__(
        self,
        k: int | Literal["auto"] = "auto",
        preset: str = "sharp",
        *,
        min_size: int = 0,
        max_size: int | None = None,
        size_unit: str = "sentences",
        overlap: int = 0,
        settings: Mapping[str, Any] | None = None,
        output: Literal["text", "segment"] = "text",
    ) -> None:
        self.k = k
        self.preset = preset
        self.min_size = min_size
        self.max_size = max_size
        self.size_unit = size_unit
        self.overlap = overlap
        self.settings = settings
        self.output = output

    def fit(self, X: Iterable[str | Document], y: object = None) -> Self:  # noqa: ARG002
        """Check the settings, and that `X` is a collection of texts."""
        _check_texts(X)
        self._bats()
        return self

    def transform(self, X: Iterable[str | Document]) -> Any:
        """Return an array with a list of segments for each text, empty if the text is blank.

        After ``set_output(transform="pandas")`` it is a frame with a column ``segments``.
        """
        lists: list[list[Any]] = []
        for result in _results(self._bats(), X):
            segments = () if result is None else result.segments
            if self.output == "segment":
                lists.append(list(segments))
            else:
                text = "" if result is None else result.document.text
                lists.append([text[s.overlap_start : s.end] for s in segments])
        if self.output == "text" and _container(self) == "polars":
            import polars as pl

            return pl.DataFrame({"segments": lists}, schema={"segments": pl.List(pl.String)})
        array = np.empty(len(lists), object)
        array[:] = lists
        return array

    def get_feature_names_out(self, input_features: object = None) -> NDArray[np.object_]:  # noqa: ARG002
        """Return the name of the only column of a frame, after `set_output`."""
        return np.array(["segments"], object)

    def _bats(self) -> BATS:
        if self.output not in ("text", "segment"):
            msg = f"output must be 'text' or 'segment', got {self.output!r}"
            raise SettingsError(msg)
        return make_bats(
            self.preset,
            self.settings,
            k=self.k,
            min_size=self.min_size,
            max_size=self.max_size,
            size_unit=self.size_unit,
            overlap=self.overlap,
        )

    def __sklearn_tags__(self) -> Any:
        tags = _text_tags(super().__sklearn_tags__())
        tags.requires_fit = False
        return tags


class TopicVectorizer(TransformerMixin, BaseEstimator):
    """Turns each text into a row of its topics' words, weighted by their scores.

    Each document has its own topics, so texts are compared by the words of their topics: a column
    is a word, and a value its score. Words that are in no topic are left out.

    Parameters
    ----------
    k
        The number of topics of each text; by default the text decides.
    preset, settings
        As for :class:`SegmentTransformer`.
    top_words
        How many words of each topic to use; None uses all of them.
    min_df
        A word has a column if it is in the topics of at least this many texts.
    norm
        Scale each row so that its Euclidean length (``"l2"``) or its sum (``"l1"``) is 1.
    stem
        Whether words with the same stem count as one within a text. Off by default, since the form
        that represents them may differ from text to text.

    Attributes
    ----------
    vocabulary_
        The column of each word.

    Examples
    --------
    >>> texts = ["Bats hunt moths. Moths hear bats.", "Hot tea cools. Cold tea does not."]
    >>> TopicVectorizer().fit(texts).get_feature_names_out().tolist()
    ['bats', 'moths', 'tea']
    """

    def __init__(
        self,
        k: int | Literal["auto"] = "auto",
        preset: str = "sharp",
        *,
        top_words: int | None = None,
        min_df: int = 1,
        norm: Literal["l1", "l2"] = "l2",
        stem: bool = False,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self.k = k
        self.preset = preset
        self.top_words = top_words
        self.min_df = min_df
        self.norm = norm
        self.stem = stem
        self.settings = settings

    def fit(self, X: Iterable[str | Document], y: object = None) -> Self:
        """Learn which words have a column."""
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X: Iterable[str | Document], y: object = None) -> Any:  # noqa: ARG002
        """Learn which words have a column, and return the rows of the texts."""
        scores = list(self._scores(X))
        texts = Counter(word for row in scores for word in row)
        words = sorted(word for word, count in texts.items() if count >= self.min_df)
        if not words:
            msg = (
                f"no word is in the topics of {self.min_df} texts or more: pass longer texts, more "
                "of them, or a lower min_df"
            )
            raise InputError(msg)
        self.vocabulary_ = {word: column for column, word in enumerate(words)}
        return self._rows(scores)

    def transform(self, X: Iterable[str | Document]) -> Any:
        """Return a row for each text, all zero if it is blank or its words have no column.

        The matrix is sparse; after ``set_output(transform="pandas")`` it is a dense frame.
        """
        check_is_fitted(self)
        return self._rows(self._scores(X))

    def get_feature_names_out(self, input_features: object = None) -> NDArray[np.object_]:  # noqa: ARG002
        """Return the word of each column."""
        check_is_fitted(self)
        return np.array(list(self.vocabulary_), object)

    def _scores(self, texts: Iterable[str | Document]) -> Iterator[dict[str, float]]:
        """Yield the scores of the words of each text's topics."""
        if self.norm not in ("l1", "l2"):
            msg = f"norm must be 'l1' or 'l2', got {self.norm!r}"
            raise SettingsError(msg)
        bats = make_bats(self.preset, self.settings, k=self.k, stem=self.stem)
        for result in _results(bats, texts):
            topics = () if result is None else result.topics
            yield {word: score for t in topics for word, score in t.words[: self.top_words]}

    def _rows(self, scores: Iterable[dict[str, float]]) -> Any:
        ends, columns, values = [0], [np.empty(0, np.int64)], [np.empty(0)]
        for row in scores:
            known = sorted(
                (self.vocabulary_[w], s) for w, s in row.items() if w in self.vocabulary_
            )
            value = np.array([score for _, score in known])
            length = value.sum() if self.norm == "l1" else np.sqrt((value**2).sum())
            values.append(value / length if length > 0 else value)
            columns.append(np.array([column for column, _ in known], np.int64))
            ends.append(ends[-1] + len(known))
        shape = (len(ends) - 1, len(self.vocabulary_))
        rows = csr_matrix((np.concatenate(values), np.concatenate(columns), ends), shape)
        return rows if _container(self) == "default" else rows.toarray()  # frames are dense

    def __sklearn_tags__(self) -> Any:
        return _text_tags(super().__sklearn_tags__())


def _container(estimator: Any) -> str:
    """Return the container that `set_output` chose: ``default``, ``pandas`` or ``polars``."""
    return str(_get_output_config("transform", estimator)["dense"])


def _text_tags(tags: Any) -> Any:
    """Declare that the input consists of texts, not numbers."""
    tags.input_tags.string = True
    tags.input_tags.two_d_array = False
    return tags


def _check_texts(texts: object) -> None:
    if isinstance(texts, str) or not isinstance(texts, Iterable):
        msg = f"expected a list of strings, got {type(texts).__name__}"
        raise InputError(msg)


def _results(bats: BATS, texts: Iterable[str | Document]) -> Iterator[Result | None]:
    """Yield the result of each text, None if it is blank."""
    _check_texts(texts)
    for index, text in enumerate(texts):
        yield call_on_text(partial(run_unless_blank, bats), text, f"text {index}")
