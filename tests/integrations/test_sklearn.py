from __future__ import annotations

import doctest
import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from docbats import Document, InputError, Segment, SettingsError, analyze

pytestmark = pytest.mark.integrations("sklearn", "docbats[scikit-learn]")

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.txt"))
TEXTS = [path.read_text() for path in EXAMPLES]
SHORT = ["Bats hunt moths. Moths hear bats.", "Hot tea cools. Cold tea does not.", " "]
NAMES = ["SegmentTransformer", "TopicVectorizer"]

# What check_estimator asks of every estimator and needs no table of numbers.
APPLYING = (
    "check_estimator_cloneable",
    "check_estimator_repr",
    "check_estimator_tags_renamed",
    "check_valid_tag_types",
    "check_no_attributes_set_in_init",
    "check_mixin_order",
    "check_do_not_raise_errors_in_init_or_set_params",
    "check_parameters_default_constructible",
    "check_get_params_invariance",
    "check_set_params",
)


def estimator(name: str, **params: Any) -> Any:
    from docbats.integrations import sklearn

    return getattr(sklearn, name)(**params)


def plain(found: Any) -> Any:
    """Make what a transformer returns comparable."""
    return found.toarray().tolist() if hasattr(found, "toarray") else found.tolist()


def test_docstrings_tell_the_truth() -> None:
    from docbats.integrations import sklearn

    assert doctest.testmod(sklearn).failed == 0


@pytest.mark.parametrize("name", NAMES)
def test_check_estimator_has_no_complaint(name: str) -> None:
    """It only clones estimators of texts, and warns about that."""
    from sklearn.exceptions import SkipTestWarning
    from sklearn.utils.estimator_checks import check_estimator

    with pytest.warns(SkipTestWarning, match="Can't test estimator"):
        check_estimator(estimator(name))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("check", APPLYING)
def test_checks_that_need_no_numbers_pass(name: str, check: str) -> None:
    from sklearn.utils import estimator_checks

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        getattr(estimator_checks, check)(name, estimator(name))


@pytest.mark.parametrize("name", NAMES)
def test_the_other_checks_hold_for_texts(name: str) -> None:
    """As check_fit_score_takes_y, _estimators_fit_returns_self, _dict_unchanged, _fit_idempotent,
    _methods_subset_invariance, _methods_sample_order_invariance, _estimators_pickle and
    _transformer_general do for numbers.
    """
    from sklearn.base import clone

    made = estimator(name)
    params = made.get_params()
    assert made.fit(SHORT, [0, 1, 0]) is made
    assert made.get_params() == params
    before = dict(vars(made))
    found = plain(made.transform(SHORT))
    assert vars(made) == before
    assert plain(made.fit(SHORT).transform(SHORT)) == found
    assert plain(clone(made).fit_transform(SHORT)) == found
    assert [plain(made.transform([text]))[0] for text in SHORT] == found
    assert plain(made.transform(SHORT[::-1])) == found[::-1]
    assert plain(made.transform(np.array(SHORT))) == found
    assert plain(made.transform(iter(SHORT))) == found
    assert plain(pickle.loads(pickle.dumps(made)).transform(SHORT)) == found


@pytest.mark.parametrize("name", NAMES)
def test_wrong_input_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="expected a list of strings, got str"):
        estimator(name).fit("one text")
    with pytest.raises(
        InputError, match=r"text 1: expected a string or a docbats\.Document, got int"
    ):
        estimator(name).fit_transform(["Bats fly. Bats hunt.", 1])
    with pytest.raises(SettingsError, match="no setting 'size'"):
        estimator(name, settings={"size": 1}).fit(SHORT)
    with pytest.raises(SettingsError, match="k is an argument: pass"):
        estimator(name, settings={"k": 1}).fit(SHORT)
    with pytest.raises(InputError, match="text 1: "):
        estimator(name, k=3).fit_transform(["Bats fly. Bats hunt. Bats eat.", "Bats fly."])


def test_segments_as_texts_or_whole() -> None:
    found = estimator("SegmentTransformer", max_size=100, size_unit="words").transform(TEXTS)
    whole = estimator("SegmentTransformer", output="segment").fit_transform(TEXTS)
    for text, pieces, segments in zip(TEXTS, found, whole, strict=True):
        assert "".join(pieces) == text
        assert all(isinstance(segment, Segment) for segment in segments)
        assert [s.title for s in segments] == [s.title for s in analyze(text).segments]
    with pytest.raises(SettingsError, match="output must be 'text' or 'segment', got 'html'"):
        estimator("SegmentTransformer", output="html").fit(SHORT)


def test_rows_are_scores_of_topic_words() -> None:
    lengths = (estimator("TopicVectorizer").fit_transform(TEXTS).power(2)).sum(axis=1)
    np.testing.assert_allclose(lengths, 1)
    made = estimator("TopicVectorizer", norm="l1")
    rows = made.fit_transform(TEXTS)
    assert rows.shape == (len(TEXTS), len(made.vocabulary_))
    np.testing.assert_allclose(rows.sum(axis=1), 1)
    names = made.get_feature_names_out()
    bats = EXAMPLES.index(next(path for path in EXAMPLES if path.stem == "article"))
    topics = analyze(TEXTS[bats], stem=False).topics
    assert set(names[rows[bats].indices]) == {word for topic in topics for word, _ in topic.words}
    fewer = estimator("TopicVectorizer", min_df=2, top_words=5).fit(TEXTS)
    assert 0 < len(fewer.vocabulary_) < len(names)
    with pytest.raises(SettingsError, match="norm must be 'l1' or 'l2', got 'max'"):
        estimator("TopicVectorizer", norm="max").fit(TEXTS)
    with pytest.raises(InputError, match="min_df"):
        estimator("TopicVectorizer", min_df=5).fit(TEXTS)


def test_unfitted_vectorizer_says_so() -> None:
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError):
        estimator("TopicVectorizer").transform(SHORT)


# Older versions of scikit-learn call SciPy in an old way.
@pytest.mark.filterwarnings("ignore:scipy.optimize:DeprecationWarning")
def test_a_pipeline_finds_which_document_a_part_is_of() -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline

    parts = [text.split("\n\n") for text in TEXTS]
    halves = [["\n\n".join(part[i::2]) for part in parts] for i in (0, 1)]
    pipeline = make_pipeline(estimator("TopicVectorizer"), LogisticRegression())
    pipeline.set_params(topicvectorizer__k=3)
    assert pipeline.fit(halves[0], range(4)).predict(halves[1]).tolist() == [0, 1, 2, 3]
    search = GridSearchCV(pipeline, {"topicvectorizer__k": [2, "auto"]}, cv=2)
    search.fit([*halves[0], *halves[1]], [0, 1, 2, 3] * 2)
    assert search.best_score_ == 1


def test_segments_in_a_pipeline() -> None:
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.pipeline import make_pipeline

    def words(segments: list[str]) -> list[str]:
        return [word for segment in segments[:1] for word in segment.split()]

    pipeline = make_pipeline(estimator("SegmentTransformer", k=2), CountVectorizer(analyzer=words))
    assert pipeline.fit_transform(TEXTS).shape[0] == len(TEXTS)


@pytest.mark.integrations("pandas", "docbats[pandas]")
def test_frames_of_pandas_on_request() -> None:
    import pandas as pd

    series = pd.Series(SHORT, index=["a", "b", "c"])
    vectorizer = estimator("TopicVectorizer").set_output(transform="pandas")
    frame = vectorizer.fit_transform(series)
    assert list(frame.columns) == list(vectorizer.get_feature_names_out())
    sparse = estimator("TopicVectorizer").fit_transform(SHORT)
    np.testing.assert_array_equal(frame.to_numpy(), sparse.toarray())
    np.testing.assert_array_equal(vectorizer.transform(series), frame)
    segments = estimator("SegmentTransformer", k=1).set_output(transform="pandas")
    assert segments.fit_transform(series)["segments"].tolist() == [[SHORT[0]], [SHORT[1]], []]


@pytest.mark.integrations("polars", "docbats[polars]")
def test_frames_of_polars_on_request() -> None:
    vectorizer = estimator("TopicVectorizer").set_output(transform="polars")
    assert vectorizer.fit_transform(SHORT).columns == list(vectorizer.get_feature_names_out())
    segments = estimator("SegmentTransformer", k=1).set_output(transform="polars")
    assert segments.fit_transform(SHORT)["segments"].to_list() == [[SHORT[0]], [SHORT[1]], []]


def test_documents_of_docbats_are_texts(markdown: Document) -> None:
    (found,) = estimator("SegmentTransformer", k=2, output="segment").transform([markdown])
    assert [segment.title for segment in found] == ["Bats", "Tea"]
    assert estimator("TopicVectorizer").fit_transform([markdown]).shape[0] == 1
