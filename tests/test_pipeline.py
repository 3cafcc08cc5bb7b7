from __future__ import annotations

import copy
import json
import pickle
import threading
from concurrent.futures import ProcessPoolExecutor
from dataclasses import FrozenInstanceError, asdict, replace
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import docbats
from docbats import BATS, Document, Settings, analyze
from docbats.text.languages.english import STOP_WORDS as ENGLISH
from docbats.topics import MAX_TOPICS, MIN_TOPIC_SHARE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ABLATIONS: dict[str, dict[str, Any]] = {
    "speech": {"award": 0},
    "frequency": {"min_sentences": 1},
    "regularization": {"laplacian": "plain"},
    "bonding": {"decay": 0},
    "laplacian": {"laplacian": "none"},
}

WORDS = ["bat", "moth", "cave", "night", "wing", "tea", "cup", "kettle", "leaf", "the", "of", "12"]
sentences = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(lambda w: " ".join(w) + "."),
    min_size=1,
    max_size=25,
)
any_text = st.text(st.characters(), min_size=1, max_size=300)


def check_result(result: docbats.Result) -> None:
    """What must hold of every result."""
    text, k = result.document.text, result.settings.k
    assert k is not None
    assert len(result.segments) == k
    assert "".join(segment.text for segment in result.segments) == text
    edges = [segment.start for segment in result.segments] + [result.segments[-1].end]
    assert edges[0] == 0
    assert edges[-1] == len(text)
    assert result.segments[0].sentences[0] == 0
    assert result.segments[-1].sentences[1] == len(result.document)
    for i, segment in enumerate(result.segments):
        assert (segment.start, segment.end) == (edges[i], edges[i + 1])
        assert text[segment.start : segment.end] == segment.text
        first, last = segment.sentences
        assert first < last
        assert i == 0 or first == result.segments[i - 1].sentences[1]
        assert segment.start <= result.document.spans[first, 0]
        assert result.document.spans[last - 1, 1] <= segment.end
        assert len(segment.topic_weights) == len(result.topics)
        assert not result.topics or sum(segment.topic_weights) in (0, pytest.approx(1))
    words = [scored.word for topic in result.topics for scored in topic.words]
    assert len(set(words)) == len(words)
    if result.vectors is not None:
        left = set(result.vectors.vocabulary).symmetric_difference(words)
        assert not left or (result.settings.ranking == "cores" and left.isdisjoint(words))
    assert all(topic.words for topic in result.topics)
    if result.settings.n_topics is None and result.settings.ranking == "cores":
        assert bool(result.topics) == bool(result.analysis.text.counts.words)
        assert len(result.topics) <= MAX_TOPICS
        assert all(topic.weight >= MIN_TOPIC_SHARE for topic in result.topics)
    else:
        assert len(result.topics) == min(result.settings.n_topics or k, len(words))
    for topic in result.topics:
        scores = [scored.score for scored in topic.words]
        assert scores == pytest.approx(sorted(scores, reverse=True))
        assert topic.label
    shape = (len(result.topics), k)
    assert result.topic_segment_matrix.shape == shape
    json.loads(result.to_json().encode())


@given(sentences, st.integers(1, 25), st.sampled_from([{}, *ABLATIONS.values()]))
def test_results_keep_their_promises(
    given_sentences: list[str], k: int, settings: dict[str, Any]
) -> None:
    k = min(k, len(given_sentences))
    try:
        result = analyze(given_sentences, k=k, vectors=True, **settings)
    except docbats.NoKeptWordsError:
        words = {w for s in given_sentences for w in s.strip(".").split()} - {"the", "of", "12"}
        least = settings.get("min_sentences", 2)
        assert all(sum(w in s.strip(".").split() for s in given_sentences) < least for w in words)
        return
    assert result.document.sentences == tuple(given_sentences)
    check_result(result)


@given(any_text, st.integers(1, 4))
def test_any_text_gives_a_result_or_an_error_of_ours(text: str, k: int) -> None:
    try:
        result = analyze(text, k=k, min_sentences=1)
    except docbats.InputError:
        return
    assert result.document.text == text
    check_result(result)


@pytest.mark.parametrize("settings", ABLATIONS.values(), ids=ABLATIONS)
def test_each_ablation_is_one_setting_away(example: Path, settings: dict[str, Any]) -> None:
    text = example.read_text()
    whole = analyze(text, k=6)
    without = analyze(text, k=6, **settings)
    check_result(without)
    assert len(settings) == 1
    assert without.to_dict()["topics"] != whole.to_dict()["topics"]


def test_the_stages_are_those_of_the_paper() -> None:
    """A document small enough to follow: Algorithm 1 and 2 written out with dense matrices."""
    lines = [
        "bat moth bat",
        "moth cave",
        "bat cave",
        "tea cup",
        "cup kettle tea",
        "tea kettle",
        "x",
    ]
    w, d, k = 2, 0.5, 2
    result = analyze(lines, k=k, preset="paper", window=w, decay=d, tagger=None, vectors=True)
    assert result.vectors is not None
    vocabulary = ["bat", "moth", "cave", "tea", "cup", "kettle"]
    assert result.vectors.vocabulary == tuple(vocabulary)
    X_a = np.array([[line.split().count(word) for word in vocabulary] for line in lines], float)
    m = len(lines)
    B = [[d ** abs(i - j) if abs(i - j) <= w else 0 for j in range(m)] for i in range(m)]
    X = np.array(B) @ X_a
    O, P = X.sum(axis=1), X.sum(axis=0)  # noqa: E741
    L = X / np.sqrt(np.outer(O + O.mean(), P + P.mean()))
    U, sigma, Vt = np.linalg.svd(L)
    U, V = U[:, :k], Vt[:k].T
    U, V = (M / np.linalg.norm(M, axis=1, keepdims=True) for M in (U, V))
    signs = np.sign(U[0] * result.vectors.sentences[0])
    np.testing.assert_allclose(result.vectors.sentences, U * signs)
    np.testing.assert_allclose(result.vectors.words, V * signs)
    np.testing.assert_allclose(result.vectors.singular_values, sigma[:k])
    idf = np.log2(m / (X_a > 0).sum(axis=0))
    F = X_a / np.maximum(X_a.max(axis=1, keepdims=True), 1) * idf
    scores = dict(zip(vocabulary, F.sum(axis=0).tolist(), strict=True))
    found = {scored.word: scored.score for topic in result.topics for scored in topic.words}
    assert found == pytest.approx(scores)
    assert {frozenset(s.word for s in topic.words) for topic in result.topics} == {
        frozenset({"bat", "moth", "cave"}),
        frozenset({"tea", "cup", "kettle"}),
    }
    assert [segment.sentences for segment in result.segments] == [(0, 3), (3, 7)]


def test_tau_reaches_the_laplacian() -> None:
    lines = ["bat moth", "moth bat cave", "tea cup", "cup tea", "cave bat"]
    by_default = analyze(lines, k=2, tagger=None, vectors=True)
    changed = analyze(lines, k=2, tagger=None, vectors=True, tau_p=0.1, tau_o=0.1)
    plain = analyze(lines, k=2, tagger=None, vectors=True, tau_p=0, tau_o=0)
    ablated = analyze(lines, k=2, tagger=None, vectors=True, laplacian="plain")
    values = [r.vectors.singular_values.tolist() for r in (by_default, changed, plain) if r.vectors]
    assert len({tuple(v) for v in values}) == 3
    assert ablated.vectors is not None
    assert ablated.vectors.singular_values.tolist() == values[2]


def test_a_list_of_sentences_is_joined_by_newlines() -> None:
    lines = ["Bats fly. By night.", "Bats sleep by day.", "", "Bats fly again."]
    result = analyze(lines, k=2)
    assert result.document.text == "\n".join(lines)
    assert result.document.sentences == tuple(lines)


def test_lines_can_be_sentences() -> None:
    text = "bats fly by night\n\n  bats sleep by day \r\nand bats dream\n"
    result = analyze(text, k=3, sentences="lines")
    assert result.document.sentences == (
        "bats fly by night",
        "bats sleep by day",
        "and bats dream",
    )
    check_result(result)


def test_a_document_may_bring_its_own_spans() -> None:
    text = "bats fly|bats sleep|bats dream"
    document = Document(text, np.array([[0, 8], [9, 19], [20, 30]]))
    result = analyze(document, k=2)
    assert result.document is document
    check_result(result)


def test_the_object_is_reusable_and_takes_many() -> None:
    bats = BATS(Settings(k=2))
    text = "Bats fly. Bats sleep. Tea is hot. Tea is good."
    assert bats(text).to_json() == analyze(text, k=2).to_json()
    assert len(bats(text, k=3).segments) == 3
    assert [len(result.segments) for result in bats.many([text, text.split(". ")])] == [2, 2]
    assert "k=2" in repr(bats)


def test_stop_words_of_ones_own() -> None:
    text = "The bat flew. The bat slept. The tea is hot. The tea is good."
    result = analyze(text, k=1, stop_words={"bat"})
    words = {scored.word for topic in result.topics for scored in topic.words}
    assert words == {"the", "tea", "is"}
    assert result.to_dict()["settings"]["stop_words"] == ["bat"]
    assert "the" in ENGLISH


def test_fewer_kept_words_than_topics_is_noted() -> None:
    result = analyze("Bats fly. Bats sleep. Bats dream. Bats eat.", k=3, n_topics=3)
    assert [topic.label for topic in result.topics] == ["Bats"]
    assert len(result.segments) == 3
    assert result.notes == ("Only one word was kept, so there is one topic.",)


def test_one_segment_needs_no_kept_word() -> None:
    result = analyze("Hello there, world.", k=1, title_threshold=0)
    assert result.topics == ()
    assert result.segments[0].topic is None
    assert result.segments[0].title == "World"
    check_result(result)


def test_settings_and_versions_and_seconds_are_recorded() -> None:
    result = analyze("Bats fly. Bats sleep.", k=1, decay=0.5)
    assert result.settings == Settings(k=1, decay=0.5)
    assert result.versions["docbats"] == docbats.__version__
    first = ["sentences", "tokens", "words", "tags", "counts", "cost", "k", "cut"]
    assert list(result.seconds) == first
    assert "seconds" not in result.to_dict()
    then = ["award", "bond", "laplacian", "svd", "topics", "phrases", "describe"]
    assert sorted(result.seconds) == sorted([*first, *then])
    assert result.to_dict(seconds=True)["seconds"].keys() == result.seconds.keys()
    assert min(result.seconds.values()) >= 0


@pytest.mark.parametrize("k", [2, "auto"])
def test_what_is_read_later_is_as_if_it_had_always_been_there(
    example: Path, k: int | Literal["auto"]
) -> None:
    text = example.read_text()
    expected = analyze(text, k=k)
    _ = expected.to_dict()
    read: list[Callable[[docbats.Result], object]] = [
        lambda result: result.to_json(),
        lambda result: [hash(segment) for segment in result.segments],
        lambda result: repr(result.segments[-1]),
        lambda result: result.topics,
        lambda result: replace(result, notes=()).to_json(),
        lambda result: result.choice and result.choice.reason,
        lambda result: [copy.copy(segment) for segment in result.segments],
        lambda result: pickle.loads(pickle.dumps(result)).to_json(),
        lambda result: asdict(result.segments[0]),
        lambda result: result.outline,
    ]
    for each in read:
        assert each(analyze(text, k=k)) == each(expected)
    later = analyze(text, k=k)
    assert [segment.start for segment in later.segments] == [s.start for s in expected.segments]
    assert "describe" not in later.seconds
    assert later.segments == expected.segments
    assert later.topics == expected.topics
    assert "describe" in later.seconds
    with pytest.raises(FrozenInstanceError):
        later.segments[0].title = "Mine"  # type: ignore[misc]
    with pytest.raises(AttributeError, match="'Segment' object has no attribute 'tittle'"):
        _ = later.segments[0].tittle


def test_several_threads_may_be_the_first_to_read() -> None:
    text = " ".join(f"Bats hunt moth {i}. Tea cools in cup {i}." for i in range(40))
    expected = analyze(text, k=3).to_json()
    result = analyze(text, k=3)
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(result.to_json())) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 6


def test_analyses_in_several_threads_agree(example: Path) -> None:
    text = example.read_text()
    expected = analyze(text, k=5).to_json()
    found: list[str] = []

    def work() -> None:
        found.extend(analyze(text, k=5).to_json() for _ in range(3))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 12


def test_results_travel_between_processes() -> None:
    result = analyze("Bats fly. Bats sleep. Tea is hot. Tea is good.", k=2, vectors=True)
    copy = pickle.loads(pickle.dumps(result))
    assert copy.to_json(seconds=True) == result.to_json(seconds=True)
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        elsewhere = pool.submit(analyze, result.document, 2).result()
    assert elsewhere.to_json() == result.to_json().replace('"vectors": true', '"vectors": false')


def test_what_cuts_keep_does_not_travel() -> None:
    rng = np.random.default_rng(5)
    words = np.array([f"{a}{b}" for a in ("ba", "de", "fi", "go", "lu") for b in "bdfgklmnpr"])
    shift = np.arange(2000) // 250 * 5
    drawn = (rng.integers(0, 12, (2000, 6)) + shift[:, None]) % len(words)
    result = analyze([" ".join(words[row]) + "." for row in drawn], k=3, language="en")
    size = len(pickle.dumps(result))
    cuts = {k: result.cut(k).to_json() for k in (8, 20, 100)}
    again = pickle.dumps(result)
    assert len(again) < 1.02 * size
    assert {k: pickle.loads(again).cut(k).to_json() for k in reversed(cuts)} == cuts
    assert result.cut(3).to_json() == analyze(result.document, k=3, language="en").to_json()


def test_only_text_inside_the_spans_counts() -> None:
    sentences = ["Bats hunt moths.", "Tea cools tea.", "Moths fear bats.", "Tea is tea."]
    text = " ".join(sentences)
    spans = Document.from_text(text).spans
    some = analyze(Document(text, spans[::2]), k=1)
    alone = analyze(sentences[::2], k=1)
    assert [t.words for t in some.topics] == [t.words for t in alone.topics]
    check_result(some)


def test_a_document_without_full_rank_gives_the_same_bytes_each_time() -> None:
    letters = "bcdfghjklmnpqrtvz"
    words = [a + "a" + b + "o" + c for a in letters for b in letters for c in "bdfglmnp"]
    lines = [" ".join(words[i * 60 : (i + 1) * 60]) for i in range(6)]
    for k, decay in ((20, 0.7), (8, 0)):
        results = {analyze(lines * 50, k=k, decay=decay).to_json() for _ in range(4)}
        assert len(results) == 1
