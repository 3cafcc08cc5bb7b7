from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docbats import PRESETS, SettingsError, analyze

if TYPE_CHECKING:
    from docbats import Entry, Result

EXAMPLES = Path(__file__).parent.parent / "examples"
WORDS = ["bat", "moth", "tea", "cup", "night", "water", "wing", "he", "the", "is", "stone", "boat"]
BATS = ["Bats hunt moths at night.", "Moths hear the bats.", "Bats follow moths by their wings."]
TEA = ["Tea needs hot water.", "Hot tea cools in a cup.", "A kettle boils water for tea."]

texts = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(lambda ws: " ".join(ws) + "."),
    min_size=1,
    max_size=30,
).map(" ".join)


def word_count(text: str) -> int:
    return len(re.findall(r"\w+(?:['’]\w+)*", text))


SIZES = {"words": word_count, "characters": len}


@given(texts, st.integers(1, 8))
def test_a_result_can_be_cut_anew(text: str, k: int) -> None:
    result = analyze(text)
    k = min(k, len(result.document))
    anew = result.cut(k)
    assert len(anew.segments) == anew.settings.k == k
    assert "".join(segment.text for segment in anew.segments) == text
    assert anew.topics == result.topics
    if result.analysis.text.counts.words:
        spans = [segment.sentences for segment in analyze(text, k=k).segments]
        assert [segment.sentences for segment in anew.segments] == spans


@pytest.mark.parametrize("preset", PRESETS)
def test_cutting_anew_is_the_same_as_asking_for_it(example: Path, preset: str) -> None:
    text = example.read_text()
    result = analyze(text, k=5, preset=preset)
    for k in (1, 2, 9):
        expected = [segment.sentences for segment in analyze(text, k=k, preset=preset).segments]
        assert [segment.sentences for segment in result.cut(k).segments] == expected


@pytest.mark.parametrize("k", [0, -1, 7, 2.5, "3", None])
def test_a_cut_that_cannot_be_is_refused(k: object) -> None:
    with pytest.raises(SettingsError, match="k must be a whole number from 1 to 6, got"):
        analyze(BATS + TEA).cut(k)  # type: ignore[arg-type]


def test_two_subjects_are_told_apart() -> None:
    result = analyze(BATS * 3 + TEA * 3)
    assert [segment.sentences for segment in result.segments] == [(0, 9), (9, 18)]
    assert result.choice is not None
    assert result.choice.k == 2
    assert result.choice.has_plain_breaks
    assert result.choice.reason == (
        "Two parts: each has a subject of its own; a third would be weak."
    )
    assert [segment.title for segment in result.segments] == ["Bats and moths", "Hot tea"]
    strength = result.segments[1].strength
    assert strength is not None
    assert strength > 0.9


def test_one_subject_stays_in_one_piece() -> None:
    result = analyze(BATS * 4)
    assert len(result.segments) == 1
    assert result.choice is not None
    assert result.choice.reason.startswith("The text stays in one piece")


def test_choice_has_its_evidence(example: Path) -> None:
    choice = analyze(example.read_text()).choice
    assert choice is not None
    assert choice.scores[choice.k - 1] == max(choice.scores)
    assert choice.runner_up is not None
    others = [score for k, score in enumerate(choice.scores, start=1) if k != choice.k]
    assert choice.scores[choice.runner_up - 1] == max(others)


@given(texts, st.integers(1, 30))
def test_titles_and_labels_are_unique_and_strengths_are_shares(text: str, k: int) -> None:
    result = analyze(text)
    result = result.cut(min(k, len(result.document)))
    titles = [segment.title.lower() for segment in result.segments]
    assert len(set(titles)) == len(titles)
    labels = [topic.label.lower() for topic in result.topics]
    assert len(set(labels)) == len(labels)
    assert result.segments[0].strength is None
    for segment in result.segments[1:]:
        assert segment.strength is not None
        assert 0 <= segment.strength <= 1


def check_outline(entries: tuple[Entry, ...], start: int, end: int, text: str) -> None:
    assert entries[0].start == start
    assert entries[-1].end == end
    assert all(a.end == b.start and a.sentences[1] == b.sentences[0] for a, b in pairwise(entries))
    for entry in entries:
        assert entry.title
        assert entry.start < entry.end
        if entry.children:
            assert len(entry.children) > 1
            check_outline(entry.children, entry.start, entry.end, text)


@settings(deadline=None)
@given(texts, st.integers(1, 30))
def test_the_outline_tiles_the_text_at_every_level(text: str, k: int) -> None:
    result = analyze(text)
    result = result.cut(min(k, len(result.document)))
    check_outline(result.outline, 0, len(text), text)
    assert json.loads(result.to_json(outline=True))["outline"]


def test_many_segments_are_gathered_into_parts(example: Path) -> None:
    text = example.read_text()
    result = analyze(text, k=16)
    check_outline(result.outline, 0, len(text), text)
    assert len(result.outline) == 4
    segments = [s.sentences for s in result.segments]
    for entry in result.outline:
        if entry.sentences not in segments:
            assert all(child.sentences in segments for child in entry.children)


def check_sizes(result: Result, unit: str, most: int) -> None:
    text = result.document.text
    for segment in result.segments:
        assert SIZES[unit](text[segment.overlap_start : segment.end]) <= most


@settings(deadline=None, max_examples=200)
@given(texts, st.sampled_from(sorted(SIZES)), st.integers(4, 60), st.integers(0, 3), st.data())
def test_a_maximum_is_never_exceeded(
    text: str, unit: str, most: int, overlap: int, data: st.DataObject
) -> None:
    least = data.draw(st.integers(0, most // 3))
    result = analyze(text, max_size=most, min_size=least, size_unit=unit, overlap=overlap)  # type: ignore[arg-type]
    assert "".join(segment.text for segment in result.segments) == text
    check_sizes(result, unit, most)


@pytest.mark.parametrize(
    ("unit", "least", "most", "overlap"),
    [("words", 40, 120, 10), ("characters", 300, 900, 80), ("words", 0, 15, 5)],
)
def test_examples_keep_to_sizes(
    example: Path, unit: str, least: int, most: int, overlap: int
) -> None:
    text = example.read_text()
    result = analyze(text, min_size=least, max_size=most, size_unit=unit, overlap=overlap)  # type: ignore[arg-type]
    assert "".join(segment.text for segment in result.segments) == text
    check_sizes(result, unit, most)
    assert min(SIZES[unit](segment.text) for segment in result.segments) >= least
    assert all(segment.overlap_start < segment.start for segment in result.segments[1:])


def test_sizes_in_sentences(example: Path) -> None:
    result = analyze(example.read_text(), min_size=3, max_size=9, overlap=2)
    for segment in result.segments:
        first, end = segment.sentences
        assert 3 <= end - first <= 7
    starts = result.document.spans[:, 0]
    for segment in result.segments[1:]:
        assert segment.overlap_start == starts[segment.sentences[0] - 2]


def test_k_and_sizes_go_together(example: Path) -> None:
    text = example.read_text()
    result = analyze(text, k=12, max_size=300, size_unit="words")
    assert len(result.segments) == 12
    assert max(word_count(segment.text) for segment in result.segments) <= 300
    with pytest.raises(SettingsError, match="k=2 segments of at most 300 words cannot hold"):
        analyze(text, k=2, max_size=300, size_unit="words")


@given(texts, st.integers(1, 12))
def test_a_summary_has_sentences_of_the_text_in_their_order(text: str, n: int) -> None:
    result = analyze(text)
    chosen = result.summary(n)
    assert len(chosen) == min(n, len(result.document))
    assert [s.index for s in chosen] == sorted({s.index for s in chosen})
    for sentence in chosen:
        assert text[sentence.start : sentence.end] == sentence.text
        assert sentence.text == result.document.sentences[sentence.index]


def test_a_summary_covers_the_segments(example: Path) -> None:
    result = analyze(example.read_text(), k=4)
    chosen = {sentence.index for sentence in result.summary(4)}
    for segment in result.segments:
        assert len(chosen & set(range(*segment.sentences))) == 1


@pytest.mark.parametrize("n", [0, -1, 1.5, "5"])
def test_a_summary_of_no_sentences_is_refused(n: object) -> None:
    with pytest.raises(SettingsError, match="sentences must be a whole number, at least 1, got"):
        analyze(BATS).summary(n)  # type: ignore[arg-type]


@pytest.mark.parametrize("unit", ["sentences", "words"])
def test_embeddings_are_evidence(unit: str) -> None:
    text = "Red hat. Blue coat. Green shoe. Big dog. Small cat. Old cow. Red dog. Blue cat."

    def embeddings(given: list[str]) -> np.ndarray:
        animals = [bool(re.search("dog|cat|cow", t.lower())) for t in given]
        return np.array([[float(a), float(not a)] for a in animals])

    result = analyze(text, k=2, min_sentences=1, embeddings=embeddings, embedding_unit=unit)  # type: ignore[arg-type]
    assert result.segments[1].sentences[0] == 3
    assert result.to_dict()["settings"]["embeddings"].startswith("function:")


def test_topics_may_be_more_or_fewer_than_segments(example: Path) -> None:
    result = analyze(example.read_text(), k=3, n_topics=7)
    assert (len(result.segments), len(result.topics)) == (3, 7)
    assert result.topic_segment_matrix.shape == (7, 3)


def test_class_weights_count() -> None:
    text = (EXAMPLES / "article.txt").read_text()
    plain = analyze(text, k=6, class_weights={})
    assert plain.settings.to_dict()["class_weights"] == {}
    loud = analyze(text, k=6, class_weights={"VERB": 50})
    spans = [[segment.sentences for segment in result.segments] for result in (plain, loud)]
    assert spans[0] != spans[1]


def test_other_settings_work_with_both_cuts(example: Path) -> None:
    text = example.read_text()
    for cut in ("likelihood", "linkage"):
        for ranking in ("cores", "kmeans"):
            result = analyze(text, k=4, n_topics=4, cut=cut, ranking=ranking)
            assert (len(result.segments), len(result.topics)) == (4, 4)
            assert "".join(segment.text for segment in result.segments) == text


def test_vectors_count_in_the_choice_of_k_and_in_the_outline() -> None:
    # Every sentence has words of its own and one that all share, so only the vectors tell.
    sentences = [f"The {'abcdefghijklmnopqrstuvwxyz'[i]}{i}x word goes here." for i in range(24)]

    def embeddings(texts: list[str]) -> np.ndarray:
        place = [sentences.index(text) // 12 for text in texts]
        noise = np.random.default_rng(0).normal(size=(24, 8)) * 0.02
        return np.eye(2, 8)[place] + noise[: len(place)]

    assert len(analyze(sentences, language="en").segments) == 1
    with_vectors = analyze(sentences, language="en", embeddings=embeddings)
    assert [segment.sentences for segment in with_vectors.segments] == [(0, 12), (12, 24)]
    assert (with_vectors.segments[1].strength or 0) > 0.4
    whole = with_vectors.cut(1)
    assert [child.sentences for child in whole.outline[0].children] == [(0, 12), (12, 24)]
