from __future__ import annotations

import json
import os
import signal
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from docbats import InputError
from docbats.processes import WorkerDiedError, WorkerProcess
from docbats_lab.documents import SegmentedDocument
from docbats_lab.results import Row, pending_path, read_rows
from docbats_lab.runner import score_documents

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

DOCUMENTS = [SegmentedDocument(f"d{i}", ((f"Bats {i}.",),)) for i in range(12)]
VARIANTS = ["Plain", "w=3 d=0.7"]


@dataclass(frozen=True)
class Scorer:
    """Scores by name; may stop at one document, or kill its process there."""

    stop_at: str = ""
    die_at: str = ""
    seen: list[tuple[str, str]] = field(default_factory=list)

    def __call__(self, document: SegmentedDocument, variants: Sequence[str]) -> dict[str, Row]:
        if document.name == self.stop_at:
            raise KeyboardInterrupt
        if document.name == self.die_at and "Plain" in variants:
            os.kill(os.getpid(), signal.SIGKILL)
        self.seen.extend((document.name, variant) for variant in variants)
        return {variant: {"length": len(document.name) + len(variant)} for variant in variants}


def run(folder: Path, scorer: Scorer | None = None, **options: Any) -> bytes:
    score_documents(
        options.pop("documents", DOCUMENTS),
        options.pop("variants", VARIANTS),
        scorer or Scorer(),
        folder,
        meta=options.pop("meta", {"seed": 0}),
        **options,
    )
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir()))


def test_rows_stand_in_the_order_of_the_documents(tmp_path: Path) -> None:
    run(tmp_path)
    rows = read_rows(tmp_path, "w=3 d=0.7")
    assert list(rows) == [document.name for document in DOCUMENTS]
    assert rows["d3"] == {"length": 11}
    assert json.loads((tmp_path / "meta.json").read_text()) == {"seed": 0}
    assert read_rows(tmp_path, "never run") == {}


@pytest.mark.parametrize("jobs", [1, 2])
def test_two_processes_write_the_same_bytes_as_one(tmp_path: Path, jobs: int) -> None:
    counted = []
    alone = run(tmp_path / "a")
    assert run(tmp_path / "b", jobs=jobs, on_done=lambda: counted.append(1)) == alone
    assert len(counted) == len(DOCUMENTS)


def test_an_interrupted_run_goes_on_where_it_was(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "cut", Scorer(stop_at="d7"))
    path = pending_path(tmp_path / "cut", "Plain")
    path.write_bytes(path.read_bytes()[:-5])  # as when the power fails in the middle of a row
    scorer = Scorer()
    assert run(tmp_path / "cut", scorer) == whole
    assert scorer.seen[0] == ("d6", "Plain")
    assert ("d6", "w=3 d=0.7") not in scorer.seen
    again = Scorer()
    assert run(tmp_path / "cut", again) == whole
    assert again.seen == []


def test_a_new_variant_runs_alone(tmp_path: Path) -> None:
    run(tmp_path, variants=["Plain"])
    scorer = Scorer()
    run(tmp_path, scorer)
    assert {variant for _, variant in scorer.seen} == {"w=3 d=0.7"}


def test_a_process_that_dies_costs_one_row(tmp_path: Path) -> None:
    run(tmp_path, Scorer(die_at="d5"), jobs=2)
    rows = read_rows(tmp_path, "Plain")
    assert list(rows) == [document.name for document in DOCUMENTS]
    assert rows["d5"] == {"error": "the process died"}
    assert [name for name, row in rows.items() if "error" in row] == ["d5"]
    assert not any("error" in row for row in read_rows(tmp_path, "w=3 d=0.7").values())


def test_a_process_that_dies_before_it_takes_a_document_loses_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        monkeypatch.undo()
        raise WorkerDiedError

    monkeypatch.setattr(WorkerProcess, "send", refuse)
    run(tmp_path, jobs=2)
    assert list(read_rows(tmp_path, "Plain")) == [document.name for document in DOCUMENTS]


def test_rows_made_otherwise_are_not_continued(tmp_path: Path) -> None:
    run(tmp_path)
    with pytest.raises(InputError, match="a different seed: start over with --fresh"):
        run(tmp_path, meta={"seed": 1})
    scorer = Scorer()
    run(tmp_path, scorer, meta={"seed": 1}, fresh=True)
    assert len(scorer.seen) == 24


def test_one_variant_starts_over_and_the_others_stay(tmp_path: Path) -> None:
    whole = run(tmp_path)
    (tmp_path / "old.jsonl.gz").write_bytes(b"")  # of a variant that is gone
    scorer = Scorer()
    run(tmp_path, scorer, variants=["Plain"], fresh=True, keep_others=True)
    assert {variant for _, variant in scorer.seen} == {"Plain"}
    (tmp_path / "old.jsonl.gz").unlink()
    assert run(tmp_path) == whole
    with pytest.raises(InputError, match="a different seed: start over with --fresh and all"):
        run(tmp_path, variants=["Plain"], meta={"seed": 1}, fresh=True, keep_others=True)
    run(tmp_path, meta={"seed": 1}, fresh=True)
    assert json.loads((tmp_path / "meta.json").read_text()) == {"seed": 1}
