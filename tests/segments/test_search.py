from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import combinations, islice, pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.matrices import slow_except

from docbats.pipeline import prepare
from docbats.segments.costs import SegmentCost
from docbats.segments.dirichlet import LikelihoodCost, likelihood_cost
from docbats.segments.evidence import Evidence
from docbats.segments.search import best_starts, cut_into_k, starts_worth_penalty
from docbats.segments.sizes import SizeLimits
from docbats.settings import Settings
from docbats_lab.datasets import DATASETS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

CLOSE = 0.001  # of the best total cost


def total(evidence: Evidence, starts: Sequence[int], k: int | None = None) -> float:
    """Add up what the segments cost, with the priors for k segments if that is given."""
    edges = np.append(starts, len(evidence))
    return float(LikelihoodCost(evidence).table(edges, 1, k).sum())


def likelihood_starts(
    evidence: Evidence, k: int, limits: SizeLimits | None = None
) -> list[int] | None:
    return best_starts(LikelihoodCost(evidence), len(evidence), k, limits)


def limited_starts(evidence: Evidence, penalty: float, limits: SizeLimits) -> list[int]:
    return starts_worth_penalty(LikelihoodCost(evidence), len(evidence), penalty, limits)


def exact_starts(evidence: Evidence, k: int) -> list[int]:
    """Weigh every cut between sentences, with segments of any length."""
    m = len(evidence)
    starts = cut_into_k(LikelihoodCost(evidence).table(np.arange(m + 1), m, k), k)
    assert starts is not None
    return starts


def is_cut(starts: list[int] | None, k: int, m: int) -> bool:
    if starts is None or len(starts) != k or starts[0] != 0:
        return False
    return all(a < b for a, b in pairwise([*starts, m]))


def assert_close(evidence: Evidence, k: int) -> None:
    starts = likelihood_starts(evidence, k)
    assert is_cut(starts, k, len(evidence))
    assert starts is not None
    best = total(evidence, exact_starts(evidence, k), k)
    assert total(evidence, starts, k) <= best + CLOSE * abs(best)


@pytest.mark.parametrize("m", [1, 2, 7, 40, 150])
def test_short_texts_are_cut_exactly(m: int, make_evidence: Callable[..., Evidence]) -> None:
    evidence = make_evidence(m, seed=m)
    for k in sorted({1, 2, 3, m // 2, m - 1, m} & set(range(1, m + 1))):
        starts = likelihood_starts(evidence, k)
        assert is_cut(starts, k, m)
        assert starts is not None
        assert total(evidence, starts, k) == pytest.approx(
            total(evidence, exact_starts(evidence, k), k)
        )


LONGER = [
    (600, 8, 0.3, (3, 8, 90)),
    (1500, 30, 0.3, (2, 30)),
    (2000, 20, 0.15, (5, 20)),
    (2000, 5, 0.05, (10, 200)),
    (2000, 60, 0.5, (9, 60, 700)),
]


@pytest.mark.parametrize(("m", "sources", "own", "ks"), slow_except(LONGER[:3], LONGER))
def test_longer_texts_are_cut_about_exactly(
    m: int, sources: int, own: float, ks: tuple[int, ...], make_evidence: Callable[..., Evidence]
) -> None:
    evidence = make_evidence(m, sources=sources, words=8, vocabulary=2000, own=own, seed=m)
    for k in ks:
        assert_close(evidence, k)


@pytest.mark.data
@pytest.mark.parametrize(("name", "joined", "k"), [("lectures", 4, 30), ("textbook", 12, 60)])
def test_long_real_texts_are_cut_about_exactly(name: str, joined: int, k: int, data: Path) -> None:
    documents = islice(DATASETS[name].load(data), joined)
    sentences = [sentence for document in documents for sentence in document.sentences]
    settings = Settings(language="en")
    evidence = likelihood_cost(prepare(sentences[:2000], settings), settings).evidence
    for segments in (2, k // 3, k, 4 * k):
        assert_close(evidence, segments)


def test_finds_where_the_words_change() -> None:
    evidence = changing([6, 4, 5])
    assert likelihood_starts(evidence, 3) == [0, 6, 10]
    assert likelihood_starts(evidence, 3, SizeLimits(np.ones(15, np.int64), 0, 5)) == [0, 5, 10]


def changing(lengths: list[int]) -> Evidence:
    """Each segment has three words of its own, in every sentence."""
    m = sum(lengths)
    part = np.repeat(np.arange(len(lengths)), lengths)
    cells = sorted((3 * p + word, sentence) for sentence, p in enumerate(part) for word in range(3))
    root, sentence = np.array(cells).T
    ones = np.ones(len(root), np.int64)
    weight = np.ones(3 * len(lengths))
    return Evidence(
        root, sentence, ones, weight, np.full(m, 9), np.zeros(m, bool), np.zeros(m, bool)
    )


def test_more_segments_than_sentences_are_not_to_be_had() -> None:
    assert likelihood_starts(changing([2, 2]), 5) is None


def test_without_words_the_lengths_decide() -> None:
    none = np.empty(0, np.int64)
    evidence = Evidence(
        none, none, none, np.empty(0), np.full(20, 7), np.zeros(20, bool), np.zeros(20, bool)
    )
    assert is_cut(likelihood_starts(evidence, 4), 4, 20)
    limits = SizeLimits(np.full(20, 7), 0, 35)
    assert limited_starts(evidence, 1.0, limits) == [0, 5, 10, 15]


@pytest.mark.parametrize("case", range(40))
def test_the_best_of_all_cuts_within_limits(
    case: int, make_evidence: Callable[..., Evidence]
) -> None:
    rng = np.random.default_rng(case)
    m = int(rng.integers(2, 10))
    evidence = make_evidence(m, vocabulary=12, seed=case)
    sizes = rng.integers(1, 6, m)
    limits = SizeLimits(sizes, int(rng.integers(0, 9)), int(rng.integers(5, 16)))

    def too_small(starts: Sequence[int]) -> int:
        return int((np.add.reduceat(sizes, starts) < limits.minimum).sum())

    for k in range(1, m + 1):
        cuts = [[0, *inner] for inner in combinations(range(1, m), k - 1)]
        cuts = [cut for cut in cuts if np.add.reduceat(sizes, cut).max() <= (limits.maximum or 0)]
        starts = likelihood_starts(evidence, k, limits)
        if not cuts:
            assert starts is None
            continue
        assert starts in cuts
        best = min((too_small(cut), round(total(evidence, cut, k), 6)) for cut in cuts)
        assert (too_small(starts), round(total(evidence, starts, k), 6)) == pytest.approx(best)


@pytest.mark.parametrize("case", range(40))
def test_the_best_of_all_cuts_within_limits_with_a_penalty(
    case: int, make_evidence: Callable[..., Evidence]
) -> None:
    rng = np.random.default_rng(case)
    m = int(rng.integers(1, 10))
    evidence = make_evidence(m, vocabulary=12, seed=case)
    sizes = rng.integers(0, 6, m)
    least, most = int(rng.integers(0, 9)), int(rng.integers(5, 16))
    cuts = [[0, *inner] for k in range(m) for inner in combinations(range(1, m), k)]
    cuts = [cut for cut in cuts if max(map(sum, np.split(sizes, cut[1:]))) <= most]

    def score(starts: list[int]) -> tuple[int, float]:
        small = sum(int(sum(part)) < least for part in np.split(sizes, starts[1:]))
        return small, round(total(evidence, starts) + 0.5 * len(starts), 6)

    found = limited_starts(evidence, 0.5, SizeLimits(sizes, least, most))
    assert found in cuts
    assert score(found) == pytest.approx(min(map(score, cuts)))


@pytest.mark.parametrize(("least", "most"), [(0, 60), (40, 70), (900, 1100), (500, None)])
def test_limits_of_long_texts_are_kept(
    least: int, most: int | None, make_evidence: Callable[..., Evidence]
) -> None:
    m = 6000
    evidence = make_evidence(m, sources=40, words=8, vocabulary=3000, seed=3)
    sizes = np.random.default_rng(3).integers(1, 25, m)
    limits = SizeLimits(sizes, least, most)
    k = limits.fewest + 4 if most else int(sizes.sum()) // (2 * least)
    free, given = limited_starts(evidence, 30.0, limits), likelihood_starts(evidence, k, limits)
    assert is_cut(free, len(free), m)
    assert is_cut(given, k, m)
    assert given is not None
    for starts in (free, given):
        found = np.add.reduceat(sizes, starts)
        assert found.max() <= (most or np.inf)
        assert found.min() >= least


def test_limits_so_tight_that_hardly_a_cut_is_left(make_evidence: Callable[..., Evidence]) -> None:
    m = 5000
    evidence = make_evidence(m, sources=40, words=8, vocabulary=3000, seed=3)
    sizes = np.random.default_rng(4).integers(1, 25, m)
    limits = SizeLimits(sizes, 0, int(sizes.sum()) // 40)
    k = limits.fewest
    assert likelihood_starts(evidence, k - 1, limits) is None
    starts = likelihood_starts(evidence, k, limits)
    assert is_cut(starts, k, m)
    assert starts is not None
    assert np.add.reduceat(sizes, starts).max() <= (limits.maximum or 0)


def test_a_book_is_cut_at_any_k(make_evidence: Callable[..., Evidence]) -> None:
    m = 20_000
    evidence = make_evidence(m, sources=100, words=8, vocabulary=8000, seed=6)
    for k in (2, 10, 100, 4000, 19_000):
        starts = likelihood_starts(evidence, k)
        assert is_cut(starts, k, m)
        assert starts == likelihood_starts(evidence, k)


@pytest.fixture
def small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a thousand sentences be cut as many thousands are: between candidates."""
    monkeypatch.setattr(LikelihoodCost, "affordable_cells", lambda *_: 50_000)


@pytest.mark.usefixtures("small_tables")
def test_a_cut_does_not_depend_on_those_before(make_evidence: Callable[..., Evidence]) -> None:
    m = 1500
    evidence = make_evidence(m, sources=60, words=8, vocabulary=3000, seed=9)
    ks = (2, 30, 400)
    alone = {k: likelihood_starts(evidence, k) for k in ks}
    cost = LikelihoodCost(evidence)
    assert {k: best_starts(cost, m, k) for k in (*ks, *reversed(ks))} == alone


@pytest.mark.usefixtures("small_tables")
def test_threads_cut_alike(make_evidence: Callable[..., Evidence]) -> None:
    m = 1500
    evidence = make_evidence(m, sources=60, words=8, vocabulary=3000, seed=9)
    ks = (3, 40, 90, 200, 5, 41, 91, 201)
    cost, other = LikelihoodCost(evidence), LikelihoodCost(evidence)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda k: best_starts(cost, m, k), ks))
    assert found == [best_starts(other, m, k) for k in ks]


class Slow(SegmentCost):
    """A cost without a table of its own: segments of about a hundred sentences cost least."""

    def __init__(self) -> None:
        self.calls = 0

    def cost(self, first: int, end: int) -> float:
        self.calls += 1
        return (end - first - 100) ** 2 + first % 7

    def affordable_cells(self, block_size: int) -> int:  # noqa: ARG002
        return 500


@pytest.mark.parametrize("k", [2, 5, 30, 200])
def test_a_slow_cost_is_asked_for_few_segments(k: int) -> None:
    cost, m = Slow(), 3000
    assert is_cut(best_starts(cost, m, k), k, m)
    assert cost.calls < 80 * 80 * k
