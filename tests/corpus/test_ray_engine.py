"""The Ray engine without Ray: how it gathers waves, and what a task does; see test_ray.py, too."""

from __future__ import annotations

import pickle
import socket
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from docbats.corpus import ray_cluster
from docbats.corpus.documents import InputDocument
from docbats.corpus.engines import AnalyzedDocument, Outcome
from docbats.corpus.errors import EngineError, Failure
from docbats.corpus.ray_cluster import RayEngine, TaskContext, ray_engine
from docbats.errors import MissingExtraError, SettingsError
from docbats.runtime import row_versions

from .test_local_engine import documents, drain

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Items = list[dict[str, Any]]
VERSIONS = tuple(row_versions().items())


def answered(item: dict[str, Any]) -> dict[str, Any]:
    todo: list[InputDocument] = pickle.loads(item["documents"])
    outcomes = [Outcome(document.place, AnalyzedDocument(b"done")) for document in todo]
    return {"number": item["number"], "outcomes": pickle.dumps(outcomes)}


class FakeRay:
    """Does waves in no time, unless it is told to wait or to fail."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, processors: int = 2) -> None:
        self.waves: list[int] = []
        self.failures: list[Exception] = []
        self.is_dead = False
        self.gate = threading.Event()
        self.gate.set()
        monkeypatch.setattr(ray_cluster, "connect_to_ray", self._connected)
        monkeypatch.setattr(ray_cluster, "count_processors", lambda: processors)
        monkeypatch.setattr(ray_cluster, "_map_with_ray", self._through)

    @contextmanager
    def _connected(self, *_: object) -> Iterator[None]:
        yield

    def _through(self, items: Items, _: TaskContext) -> Iterator[dict[str, Any]]:
        self.waves.append(len(items))
        if self.is_dead:
            raise self.failures[0]
        yield answered(items[0])
        self.gate.wait(10)
        if self.failures:
            raise self.failures.pop()
        yield from map(answered, items[1:])


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> FakeRay:
    return FakeRay(monkeypatch)


def engine_of(work: Any = len) -> RayEngine:
    return RayEngine(work, address=None, jobs=None, timeout=1.0)


def batches(count: int) -> list[list[InputDocument]]:
    return [[document] for document in documents(*map(str, range(count)))]


def test_every_document_comes_back_once_in_waves(ray: FakeRay) -> None:
    with engine_of() as engine:
        outcomes = drain(engine, batches(400))  # type: ignore[arg-type]
        assert sorted(outcomes) == list(range(400))
        assert engine.waiting == 0
    assert max(ray.waves) <= 4
    assert len(ray.waves) < 60


def test_no_more_is_taken_than_two_waves_hold(ray: FakeRay) -> None:
    ray.gate.clear()
    with engine_of() as engine:
        todo = batches(200)
        while engine.has_room:
            engine.submit(todo.pop())
        assert engine.waiting == 128
        engine.collect(timeout=0.1)
        assert ray.waves == [4, 4]
        engine.submit([InputDocument("large", "", "x" * 70_000_000, place=1000)])
        assert not engine.has_room
        ray.gate.set()


def test_a_single_document_does_not_wait_for_others(ray: FakeRay) -> None:
    with engine_of() as engine:
        began = time.monotonic()
        assert engine.collect(timeout=0.05) == []
        engine.submit(documents("a"))
        assert [outcome.place for outcome in engine.collect(timeout=5)] == [0]
        assert time.monotonic() - began < 4
    assert ray.waves == [1]


def test_what_a_wave_has_lost_is_handed_in_again(ray: FakeRay) -> None:
    ray.failures = [RuntimeError("a node is gone")] * 3
    with engine_of() as engine:
        outcomes = drain(engine, batches(30))  # type: ignore[arg-type]
    assert sorted(outcomes) == list(range(30))
    assert len(ray.waves) == 4


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (RuntimeError("a node is gone"), r"5 times: a node is gone: repair the cluster.*--resume"),
        (RuntimeError("No module named 'docbats'"), "install it on all of them"),
    ],
)
def test_a_cluster_that_fails_for_good(ray: FakeRay, error: Exception, told: str) -> None:
    ray.failures, ray.is_dead = [error], True
    with engine_of() as engine, pytest.raises(EngineError, match=told):
        drain(engine, batches(30))  # type: ignore[arg-type]


def row_of(*texts: str) -> dict[str, Any]:
    return {"number": 7, "documents": pickle.dumps(documents(*texts))}


def context_of(work: Any, versions: tuple[tuple[str, str], ...] = VERSIONS) -> TaskContext:
    return TaskContext(pickle.dumps(work), 1.0, versions)


@pytest.fixture
def clean_node() -> Iterator[None]:
    yield
    ray_cluster._close_engines()


@pytest.mark.usefixtures("clean_node")
def test_a_node_does_what_the_local_engine_does(faults: Any) -> None:
    context = context_of(faults.work)
    said = ray_cluster.run_task(row_of("a", "crash", "b", "hang", "c"), context)
    assert said["number"] == 7
    outcomes = {outcome.place: outcome.result for outcome in pickle.loads(said["outcomes"])}
    assert [outcomes[place] for place in (0, 2, 4)] == [
        AnalyzedDocument(b"a"),
        AnalyzedDocument(b"b"),
        AnalyzedDocument(b"c"),
    ]
    failures = {p: a.kind for p, a in outcomes.items() if isinstance(a, Failure)}
    assert failures == {1: "crash", 3: "time-out"}
    (engine,) = ray_cluster._ENGINES.values()
    ray_cluster.run_task(row_of("d"), context)
    assert list(ray_cluster._ENGINES.values()) == [engine]


@pytest.mark.usefixtures("clean_node")
def test_a_node_says_what_it_lacks(faults: Any) -> None:
    said = pickle.loads(
        ray_cluster.run_task(row_of("a"), context_of(faults.lacking_work))["outcomes"]
    )
    assert isinstance(said, MissingExtraError)
    other = tuple({**dict(VERSIONS), "numpy": "1.0"}.items())
    said = pickle.loads(
        ray_cluster.run_task(row_of("a"), context_of(faults.work, other))["outcomes"]
    )
    assert isinstance(said, EngineError)
    assert "instead of 1.0. Install the same versions" in str(said)


def test_what_a_node_lacks_ends_the_run(ray: FakeRay, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ray.waves == []
    lack = MissingExtraError("it needs spaCy")
    monkeypatch.setattr(
        ray_cluster,
        "_map_with_ray",
        lambda items, _: [
            {"number": item["number"], "outcomes": pickle.dumps(lack)} for item in items
        ],
    )
    with engine_of() as engine, pytest.raises(MissingExtraError, match="spaCy"):
        drain(engine, batches(3))  # type: ignore[arg-type]


def test_without_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_cluster, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"docbats\[ray\]"):
        ray_engine()


@pytest.mark.parametrize(
    ("address", "jobs", "told"),
    [
        ("ray://here:10001", None, "ray job submit"),
        ("here", None, "host:port"),
        ("auto", 2, "--jobs"),
    ],
)
def test_addresses_that_are_impossible(
    monkeypatch: pytest.MonkeyPatch, address: str, jobs: int | None, told: str
) -> None:
    monkeypatch.setattr(ray_cluster, "find_spec", lambda _: True)
    with pytest.raises(SettingsError, match=told):
        ray_engine(address, jobs=jobs)


def test_an_address_where_nobody_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(ray_cluster, "find_spec", lambda _: True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        for address in (f"127.0.0.1:{port}", "auto"):
            monkeypatch.setenv("RAY_ADDRESS", f"127.0.0.1:{port}")
            with pytest.raises(EngineError, match=f"nothing answers at 127.0.0.1:{port}"):
                ray_engine(address)
        monkeypatch.delenv("RAY_ADDRESS")
        monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
        (tmp_path / "ray").mkdir()
        (tmp_path / "ray" / "ray_current_cluster").write_text(f"127.0.0.1:{port}")
        with pytest.raises(EngineError, match="nothing answers"):
            ray_engine("auto")
