"""The engine as a topic method, and what all topic methods have in common."""

from __future__ import annotations

from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from docbats import PRESETS, Document, analyze
from docbats_lab.baselines import engine
from docbats_lab.documents import read_segmented
from docbats_lab.method_registry import SCORED_TOPIC_METHODS
from docbats_lab.methods import prepare

if TYPE_CHECKING:
    from docbats_lab.methods import TopicMethod

METHODS = list(SCORED_TOPIC_METHODS.values())
THEMES = (
    ["cave", "moth", "wing", "echo", "night", "insect", "roost", "fur"],
    ["kettle", "cup", "leaf", "water", "sugar", "milk", "spoon", "steam"],
)
TEN = "docbats (ten words)"
CAVE, TEA = "Bats hunt moths at night.", "Hot tea needs a clean cup."

every_method = pytest.mark.parametrize("method", METHODS, ids=attrgetter("name"))


def test_all_methods_of_the_paper_and_ours_are_here() -> None:
    names = [method.name for method in METHODS]
    assert names == ["LDA", "HDP", "LSA", "pLSA", "NMF", "SeaNMF", "BATS", "docbats", TEN]


def test_ten_words_are_ten_where_the_topic_has_as_many() -> None:
    text = (Path(__file__).parents[3] / "examples" / "article.txt").read_text()
    prepared = prepare(list(Document.from_text(text).sentences))
    (ours,) = (method for method in METHODS if method.name == "docbats")
    assert min(map(len, ours.find(prepared, 6, 0))) < 10
    assert min(map(len, engine.TEN_WORDS.find(prepared, 6, 0))) >= 10


# HDP apart, which with gensim's defaults hardly leaves its random start: see test_hdp.
@pytest.mark.parametrize(
    "method", [method for method in METHODS if method.name != "HDP"], ids=attrgetter("name")
)
def test_two_plain_topics_are_recovered(method: TopicMethod) -> None:
    rng = np.random.default_rng(1)
    sentences = [
        " ".join(rng.choice(theme, 5, replace=False))
        for theme, count in zip(THEMES, (60, 40), strict=True)
        for _ in range(count)
    ]
    topics = method.find(prepare(sentences), 2, 0)
    in_themes = [[len({*words[:6]} & {*theme}) for theme in THEMES] for words in topics]
    assert sorted(in_themes) == [[0, 6], [6, 0]]


@pytest.mark.data
@every_method
def test_real_documents(method: TopicMethod, data: Path, caplog: pytest.LogCaptureFixture) -> None:
    for dataset in ("choi", "textbook", "lectures"):
        document = read_segmented(sorted((data / dataset).rglob("*.ref"))[7])
        prepared, k = prepare(document.sentences), len(document.segments)
        before = prepared.counts.copy()
        topics = method.find(prepared, k, 5)
        assert len(topics) == k
        assert method.find(prepared, k, 5) == topics
        assert (prepared.counts != before).nnz == 0
    assert not caplog.records


@pytest.mark.parametrize("preset", PRESETS)
def test_each_preset_gives_the_topics_of_the_engine(preset: str) -> None:
    sentences = [CAVE, "Moths hear bats at night.", TEA, "A clean cup cools hot tea."]
    (method,) = (
        m for m in (engine.BATS_TOPICS, engine.DOCBATS_TOPICS) if m.parameters["preset"] == preset
    )
    expected = analyze(sentences, k=2, preset=preset, seed=3).topics
    found = method.find(prepare(sentences), 2, 3)
    assert found == [[scored.word for scored in topic.words] for topic in expected]
