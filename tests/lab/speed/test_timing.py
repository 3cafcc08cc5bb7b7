from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import pytest

from docbats_lab.speed import timing
from docbats_lab.speed.timing import (
    growth_exponent,
    measure_in_process,
    time_commands,
    time_interleaved,
)

if TYPE_CHECKING:
    from pathlib import Path


def test_all_are_run_in_turn() -> None:
    seen: list[str] = []
    taken = time_interleaved({"a": lambda: seen.append("a"), "b": lambda: seen.append("b")}, 0, 3)
    assert seen == ["a", "b"] * 4  # once to warm up
    assert taken.keys() == {"a", "b"}


def test_slow_work_is_run_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing, "_SLOW_SECONDS", 0.01)
    seen: list[str] = []

    def slow() -> None:
        seen.append("slow")
        time.sleep(0.02)

    taken = time_interleaved({"slow": slow, "fast": lambda: seen.append("fast")}, 0, 5)
    assert seen.count("slow") == 2
    assert seen.count("fast") == 6
    assert taken["slow"] >= 0.02


def test_commands_are_timed_and_must_succeed() -> None:
    taken = time_commands({"nothing": [sys.executable, "-c", "pass"]}, runs=1)
    assert taken["nothing"] > 0
    with pytest.raises(Exception, match="non-zero exit status 3"):
        time_commands({"fails": [sys.executable, "-c", "raise SystemExit(3)"]}, runs=1)


def test_a_child_tells_time_and_memory(tmp_path: Path) -> None:
    source = tmp_path / "text.txt"
    source.write_text("Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools.")
    found = measure_in_process(source, threads=2, preset="sharp", k=2, runs=3)
    assert len(found["seconds"]) == 3
    assert found["peak_bytes"] > 10_000_000
    assert found["segments"] == 2


@pytest.mark.parametrize("exponent", [0.5, 1.0, 2.0])
def test_the_growth_of_powers_is_their_exponent(exponent: float) -> None:
    seconds = {size: 3 * size**exponent for size in (1000, 10_000, 100_000)}
    assert growth_exponent(seconds) == pytest.approx(exponent)
    assert growth_exponent({1000: 1.0}) is None
