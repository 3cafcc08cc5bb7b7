"""A cost of the user's own in place of the likelihood."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import docbats
from docbats.segments.costs import SumOfCosts

if TYPE_CHECKING:
    from numpy.typing import NDArray

SENTENCES = [
    "Bats hunt moths at night.",
    "Moths hear the bats.",
    "Bats hear the moths.",
    "Tea needs hot water.",
    "Hot water draws tea from leaves.",
    "Tea leaves float on water.",
    "Ships carry tea over the sea.",
    "The sea carries ships.",
]


class Vocabulary(docbats.SegmentCost):
    """A segment costs as much as it has distinct words."""

    def fit(self, text: docbats.PreparedText) -> None:
        self.words = [frozenset(words) for words in text.sentence_words]

    def cost(self, first: int, end: int) -> float:
        return float(len(frozenset[str]().union(*self.words[first:end])) ** 1.5)


class Frugal(Vocabulary):
    penalty = 2.0


class Even(docbats.SegmentCost):
    """The squares of the numbers of sentences, all at once."""

    def table(
        self, edges: NDArray[np.int64], width: int, k: int | None = None
    ) -> NDArray[np.float64]:
        first = np.maximum(np.subtract.outer(np.arange(len(edges) - 1), np.arange(width)), 0)
        return np.asarray(edges[1:, None] - edges[first], np.float64) ** 2


class OddStarts(Even):
    """Segments of the same length that begin with odd sentences only."""

    penalty = 0.1

    def fit(self, text: docbats.PreparedText) -> None:
        self.may_start = np.arange(len(text)) % 2 == 1


class Sections(Even):
    """Sections, and parts of them, that somebody knows of."""

    penalty = 3.0

    def fit(self, text: docbats.PreparedText) -> None:
        self.section_starts = np.array([0, 3, 6])
        self.subsection_starts = np.array([0, 1, 3, 6, 7])
        self.start_log_odds = np.arange(len(text), dtype=float)


def starts(result: docbats.Result) -> list[int]:
    return [segment.sentences[0] for segment in result.segments]


@pytest.mark.parametrize("k", range(1, 9))
def test_the_best_of_all_cuts_by_it_is_found(k: int) -> None:
    result = docbats.analyze(SENTENCES, k=k, cut=Vocabulary())
    own = Vocabulary()
    own.fit(result.analysis.text)

    def total(cut: tuple[int, ...]) -> float:
        return sum(own.cost(a, b) for a, b in zip((0, *cut), (*cut, 8), strict=True))

    best = min(map(total, combinations(range(1, 8), k - 1)))
    assert total(tuple(starts(result)[1:])) == pytest.approx(best)


def test_without_a_penalty_k_must_be_given_and_boundaries_are_not_rated() -> None:
    with pytest.raises(docbats.SettingsError, match='k must be a whole number, got "auto"'):
        docbats.analyze(SENTENCES, cut=Vocabulary())
    result = docbats.analyze(SENTENCES, k=3, cut=Vocabulary())
    assert [segment.strength for segment in result.segments] == [None] * 3
    assert all(not entry.children for entry in result.outline)
    assert len(result.cut(5).segments) == 5


def test_a_penalty_lets_it_choose_k_and_rate_boundaries() -> None:
    result = docbats.analyze(SENTENCES, cut=Frugal())
    assert result.choice is not None
    assert result.choice.penalty == 2.0
    assert 1 < len(result.segments) < 8
    strengths = [segment.strength for segment in result.segments[1:]]
    assert all(strength is not None and strength >= 0.5 for strength in strengths)


def test_it_keeps_to_limits_on_sizes() -> None:
    result = docbats.analyze(SENTENCES, cut=Frugal(), max_size=2)
    assert max(b - a for a, b in (segment.sentences for segment in result.segments)) <= 2


def test_one_object_serves_many_documents() -> None:
    own = Vocabulary()
    bats = docbats.BATS(docbats.Settings(k=2, cut=own))
    results = list(bats.many([SENTENCES, SENTENCES[3:], SENTENCES]))
    assert starts(results[0]) == starts(results[2])
    assert not hasattr(own, "words")
    assert results[0].cut(3).segments == results[2].cut(3).segments


def test_a_table_of_its_own_serves_long_texts() -> None:
    text = [f"Sentence {i} of many words." for i in range(3000)]
    result = docbats.analyze(text, k=6, cut=Even(), language="en")
    assert starts(result) == [0, 500, 1000, 1500, 2000, 2500]


def test_it_needs_no_words() -> None:
    result = docbats.analyze(["One.", "Two.", "Three.", "Four."], k=2, cut=Even())
    assert starts(result) == [0, 2]


def test_segments_begin_where_it_lets_them() -> None:
    result = docbats.analyze(SENTENCES, k=4, cut=OddStarts())
    assert starts(result) == [0, 1, 3, 5]
    assert all(start % 2 for start in starts(docbats.analyze(SENTENCES, cut=OddStarts()))[1:])
    outline = docbats.analyze(SENTENCES * 8, k=2, cut=OddStarts()).outline
    assert len(outline.leaves) > 2
    assert all(entry.sentences[0] % 2 for entry in outline.leaves[1:])


def test_the_sections_that_it_knows_are_followed() -> None:
    assert starts(docbats.analyze(SENTENCES, cut=Sections())) == [0, 3, 6]
    result = docbats.analyze(SENTENCES, cut=Sections(), granularity="fine")
    assert starts(result) == [0, 1, 3, 6, 7]
    assert result.choice is not None
    assert result.choice.follows_headings


def test_a_part_of_the_text_has_its_part_of_what_is_known() -> None:
    both = SumOfCosts([OddStarts(), Sections()])
    for cost in both.costs:
        cost.fit(docbats.analyze(SENTENCES, k=1).analysis.text)
    part = SumOfCosts(both.costs).between(2, 7)
    assert part.may_start is not None
    assert part.may_start.tolist() == [False, True, False, True, False]
    assert part.start_log_odds is not None
    assert part.start_log_odds.tolist() == [2, 3, 4, 5, 6]
    assert part.section_starts is not None
    assert part.section_starts.tolist() == [0, 1, 4]
    again = part.between(1, 4)
    assert again.section_starts is None
    assert again.may_start is not None
    assert again.may_start.tolist() == [True, False, True]


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("may_start", [True], r"must have a value for each of the 8 sentences, got .* \(1,\)"),
        ("start_log_odds", [[0.0] * 8], r"must have a value for each of the 8 .* \(1, 8\)"),
        ("section_starts", [3, 6], r"must be sentences in ascending order, from 0 .* \[3, 6\]"),
        ("section_starts", [], "must be sentences in ascending order, from 0 to at most 7"),
        ("subsection_starts", [0, 8], "must be sentences in ascending order, from 0 to at most 7"),
        ("subsection_starts", [0, 4, 2], "must be sentences in ascending order"),
    ],
)
def test_what_it_says_of_sentences_is_checked(name: str, value: object, message: str) -> None:
    own = Frugal()
    setattr(own, name, value)
    with pytest.raises(docbats.SettingsError, match=f"Frugal.{name} {message}"):
        docbats.analyze(SENTENCES, cut=own)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (np.zeros((1, 1)), r"Wrong.table must return an array of shape \(8, 8\), got \(1, 1\)"),
        (np.full((8, 8), np.nan), "Wrong must return finite costs, got nan"),
        (np.full((8, 8), -np.inf), "Wrong must return finite costs, got -inf"),
    ],
)
def test_tables_that_cannot_be_are_refused(answer: Any, message: str) -> None:
    class Wrong(docbats.SegmentCost):
        def table(self, edges: Any, width: int, k: int | None = None) -> Any:
            return answer

    with pytest.raises(docbats.SettingsError, match=message):
        docbats.analyze(SENTENCES, k=2, cut=Wrong())


def test_a_class_without_a_cost_says_what_is_missing() -> None:
    class Nothing(docbats.SegmentCost):
        pass

    with pytest.raises(NotImplementedError, match=r"Nothing must define cost\(first, end\)"):
        docbats.analyze(SENTENCES, k=2, cut=Nothing())


def test_the_settings_name_it() -> None:
    assert docbats.Settings(cut=Vocabulary()).to_dict()["cut"] == "cost:Vocabulary"


def test_costs_add_up() -> None:
    edges = np.arange(9)
    text = docbats.analyze(SENTENCES, k=1).analysis.text
    parts: list[docbats.SegmentCost] = [Frugal(), Even()]
    for part in parts:
        part.fit(text)
    both = SumOfCosts(parts)
    expected = parts[0].table(edges, 8) + parts[1].table(edges, 8)
    np.testing.assert_allclose(both.table(edges, 8), expected)
    assert both.penalty is None
    inside = both.between(2, 6).table(np.arange(5), 4)
    np.testing.assert_allclose(inside[3, 3], expected[5, 3])
