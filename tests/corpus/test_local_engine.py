"""The local engine by itself; what it does in a run is in test_run.py and test_killed.py."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from docbats.corpus.documents import InputDocument
from docbats.corpus.engines import AnalyzedDocument, LocalEngine
from docbats.corpus.errors import EngineError, Failure
from docbats.errors import MissingExtraError

if TYPE_CHECKING:
    from pathlib import Path


def documents(*texts: str) -> list[InputDocument]:
    return [InputDocument(text, "", text, place=place) for place, text in enumerate(texts)]


def drain(engine: LocalEngine, batches: list[list[InputDocument]]) -> dict[int, Any]:
    outcomes: dict[int, Any] = {}
    while batches or engine.waiting:
        while batches and engine.has_room:
            engine.submit(batches.pop(0))
        for outcome in engine.collect():
            assert outcome.place not in outcomes
            outcomes[outcome.place] = outcome.result
    return outcomes


def test_every_document_comes_back_once_whatever_happens(
    faults: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCBATS_TEST_MARK", str(tmp_path / "crashed"))
    texts = ["a", "crash", "b", "hang", "c", "crash once", "d", "e"]
    began = time.monotonic()
    with LocalEngine(faults.work, jobs=2, timeout=1) as engine:
        todo = documents(*texts)
        outcomes = drain(engine, [todo[:5], todo[5:]])
    assert time.monotonic() - began < 60
    assert sorted(outcomes) == list(range(8))
    failures = {p: a.kind for p, a in outcomes.items() if isinstance(a, Failure)}
    assert failures == {1: "crash", 3: "time-out"}
    assert outcomes[5] == AnalyzedDocument(b"crash once")


def test_a_long_document_does_not_hold_up_the_rest(faults: Any) -> None:
    """Nothing waits behind it, since it is enough for one process."""
    long = InputDocument("long", "", "sleep" + "x" * 60_000, place=99)
    with LocalEngine(faults.work, jobs=2, timeout=60) as engine:
        engine_ready(engine)
        engine.submit([long])
        outcomes = drain_until(engine, [[document] for document in documents(*"abcdefgh")], 8)
        assert 99 not in outcomes
        assert engine.waiting == 1


def engine_ready(engine: LocalEngine) -> None:
    """Wait until both processes are ready, so that the work is spread."""
    while not engine._pool.is_ready:
        engine.collect()


def drain_until(
    engine: LocalEngine, batches: list[list[InputDocument]], count: int
) -> dict[int, Any]:
    outcomes: dict[int, Any] = {}
    while len(outcomes) < count:
        while batches and engine.has_room:
            engine.submit(batches.pop(0))
        outcomes |= {outcome.place: outcome.result for outcome in engine.collect()}
    return outcomes


def test_what_is_missing_is_said_at_once(faults: Any) -> None:
    with (
        LocalEngine(faults.lacking_work, jobs=1, timeout=9) as engine,
        pytest.raises(MissingExtraError, match="pip install"),
    ):
        drain(engine, [documents("a")])


def test_processes_that_never_start(faults: Any, capfd: pytest.CaptureFixture[str]) -> None:
    with (
        LocalEngine(faults.dying_work, jobs=2, timeout=9) as engine,
        pytest.raises(EngineError, match="__main__"),
    ):
        drain(engine, [documents("a")])
    capfd.readouterr()
