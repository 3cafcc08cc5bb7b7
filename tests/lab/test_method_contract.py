"""What every registered method must do, whatever the document: the contract of `methods`."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

import pytest
from tests.matrices import slow_except

from docbats import NoKeptWordsError, Settings, SettingsError, TooFewSentencesError
from docbats_lab.method_registry import SCORED_TOPIC_METHODS, SEGMENTERS
from docbats_lab.methods import prepare

if TYPE_CHECKING:
    from docbats_lab.methods import Prepared, Segmenter, TopicMethod

CAVE = "Bats roost deep inside the cave."
TEA = "Pour hot tea into a clean cup."
LONG = " ".join(f"Bats number {i} meet {i % 7} moths near cave{i % 11}" for i in range(30))
DOCUMENTS: dict[str, list[str]] = {
    "one sentence": [CAVE],
    "one word": ["Bats."],
    "two equal sentences": [CAVE, CAVE],
    "equal sentences": [CAVE] * 6,
    "two equal halves": [CAVE, CAVE, TEA, TEA],
    "no kept word": ["Bats fly.", "Tea cools.", "Rain fell."],
    "one kept word": ["Tea.", "Tea.", "Rain."],
    "only stop words": ["Of the", "and it", "was of", "the"],
    "no words": ["", "...", "!!!"],
    "no letters": ["12 34 -- .", "56", "78 90"],
    "all words in one sentence": ["It is.", f"{CAVE[:-1]} and bats hunt moths.", "That was it."],
    "empty sentences": ["", CAVE, "", "", CAVE, TEA, "", TEA],
    "sentences of one word": [
        "bats",
        "moths",
        "bats",
        "caves",
        "tea",
        "cups",
        "tea",
        "bats",
        "moths",
        "cups",
        "tea",
    ],
    "a very long sentence": [LONG, CAVE, TEA, "Moths fear bats.", TEA],
    "no Latin letters": [
        "Летучие мыши охотятся ночью.",
        "Мыши ночью едят мотыльков.",
        "お茶は熱い。",
        "蝙蝠在夜间飞行。",
        "Чай пьют из чашек.",
        "העטלפים עפים בלילה.",
    ],
}

TELLING = ["equal sentences", "only stop words", "empty sentences", "no Latin letters"]

every_document = pytest.mark.parametrize("name", slow_except(TELLING, DOCUMENTS))
every_segmenter = pytest.mark.parametrize(
    "segmenter",
    [
        pytest.param(segmenter, marks=pytest.mark.neural if segmenter.is_neural else ())
        for segmenter in SEGMENTERS.values()
    ],
    ids=attrgetter("name"),
)
every_topic_method = pytest.mark.parametrize(
    "method", SCORED_TOPIC_METHODS.values(), ids=attrgetter("name")
)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCBATS_CACHE", str(tmp_path_factory.getbasetemp() / "vectors"))


def cut(segmenter: Segmenter, prepared: Prepared, k: int) -> list[int] | None:
    """Cut; None where the engine says that nothing is left to find more than one segment by."""
    try:
        return segmenter.cut(prepared, k, 0)
    except NoKeptWordsError:
        assert segmenter.takes_k
        assert k > 1
        assert not prepared.words
        return None


@every_document
@every_segmenter
def test_segments_are_valid_and_as_many_as_asked_for(segmenter: Segmenter, name: str) -> None:
    sentences = DOCUMENTS[name]
    for k in sorted({1, min(2, len(sentences)), len(sentences)}):
        starts = cut(segmenter, prepare(sentences), k)
        assert starts == cut(segmenter, prepare(sentences), k)
        if starts is None:
            continue
        assert all(type(start) is int for start in starts)
        assert starts == sorted(set(starts))
        assert starts[0] == 0
        assert starts[-1] < len(sentences)
        assert len(starts) == k or not segmenter.takes_k


@every_segmenter
@pytest.mark.parametrize(
    ("k", "error"), [(3, TooFewSentencesError), (0, SettingsError), (-1, SettingsError)]
)
def test_an_impossible_k_is_refused(segmenter: Segmenter, k: int, error: Any) -> None:
    prepared = prepare([CAVE, TEA])
    if not segmenter.takes_k:
        assert segmenter.cut(prepared, k, 0) in ([0], [0, 1])
        return
    with pytest.raises(error, match=f"k must be between 1 and 2, the number of .* got {k}"):
        segmenter.cut(prepared, k, 0)


@every_document
@every_topic_method
@pytest.mark.parametrize("min_sentences", [1, 2])
def test_topics_are_valid_and_no_more_than_asked_for(
    method: TopicMethod, name: str, min_sentences: int
) -> None:
    sentences = DOCUMENTS[name]
    prepared = prepare(sentences, Settings(min_sentences=min_sentences))
    before = prepared.counts.copy()
    for k in sorted({1, 2, len(sentences), 30}):
        topics = method.find(prepared, k, 0)
        assert topics == method.find(prepared, k, 0)
        assert len(topics) <= k
        for words in topics:
            assert words
            assert len(set(words)) == len(words)
            assert set(words) <= set(prepared.words)
        if method.disjoint:
            assert len({word for words in topics for word in words}) == sum(map(len, topics))
    assert (prepared.counts != before).nnz == 0
