"""A function applied to many items in several processes."""

from __future__ import annotations

import os

import pytest

from docbats.errors import DocbatsError
from docbats_lab.runner import map_in_order


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_the_order_of_the_items(jobs: int) -> None:
    assert list(map_in_order(abs, range(-20, 0), jobs=jobs)) == list(range(20, 0, -1))


def test_nothing_gives_nothing() -> None:
    assert list(map_in_order(abs, [], jobs=2)) == []


def test_a_process_that_dies_is_named() -> None:
    with pytest.raises(DocbatsError, match=r"a process died, .*: try fewer --jobs"):
        list(map_in_order(os._exit, [1], jobs=2))
