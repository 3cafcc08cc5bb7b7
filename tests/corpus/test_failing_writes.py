"""A failure at every single step of writing, one after the other; then the run is resumed."""

from __future__ import annotations

import errno
import io
import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.matrices import slow_except

from docbats.corpus import CorpusError, CorpusOptions, run

from .conftest import text_of, tree, write_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from docbats.corpus.documents import InputDocument
    from docbats.corpus.engines import AnalyzedDocument

OPEN, FSYNC = Path.open, os.fsync
ERRORS: dict[str, Callable[[], BaseException]] = {
    "disk": lambda: OSError(errno.EIO, "Input/output error"),
    "full": lambda: OSError(errno.ENOSPC, "No space left on device"),
    "memory": MemoryError,
}


class Steps:
    """Counts what touches the disk, and fails at one of these steps."""

    def __init__(self, failing: int, error: Callable[[], BaseException]) -> None:
        self.failing, self.error = failing, error
        self.done: list[str] = []

    @property
    def has_failed(self) -> bool:
        return len(self.done) >= self.failing

    def step(self, name: str) -> None:
        """Fail if it is this one's turn."""
        self.done.append(name)
        if len(self.done) == self.failing:
            raise self.error()

    def before(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function with a step before it."""

        def stepping(*args: Any, **options: Any) -> Any:
            self.step(name)
            return real(*args, **options)

        return stepping

    def open(self, path: Path, mode: str = "r", *args: Any, **options: Any) -> Any:
        if mode != "wb":
            return OPEN(path, mode, *args, **options)
        self.step("open")
        return FailingFile(path, self)


class FailingFile(io.BufferedWriter):
    """A file each of whose calls is a step; where the disk is full, half of it is written."""

    def __init__(self, path: Path, steps: Steps) -> None:
        super().__init__(io.FileIO(path, "wb"))
        self._steps = steps

    def write(self, data: Any) -> int:
        try:
            self._steps.step("write")
        except BaseException:
            super().write(bytes(data)[: len(data) // 2])
            raise
        return super().write(data)

    def close(self) -> None:
        was_closed = self.closed
        super().close()
        if not was_closed and not self._steps.has_failed:
            self._steps.step("close")


@contextmanager
def failing_at(steps: Steps) -> Iterator[None]:
    """Let the steps fail within a block."""

    def open_(path: Path, *args: Any, **options: Any) -> Any:
        return steps.open(path, *args, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "open", open_)
        patch.setattr(os, "fsync", steps.before("fsync", FSYNC))
        patch.setattr(Path, "replace", steps.before("replace", Path.replace))
        patch.setattr(Path, "mkdir", steps.before("mkdir", Path.mkdir))
        yield


CASES = [
    *(("jsonl", False, kind) for kind in ERRORS),
    ("jsonl.gz", False, "full"),
    ("jsonl.zst", False, "disk"),
    *(("parquet", False, kind) for kind in ERRORS),
    ("jsonl", True, "full"),
]
KEPT = [("jsonl", False, "memory"), ("jsonl", True, "full"), ("parquet", False, "disk")]


@pytest.mark.parametrize(("format_", "reports", "kind"), slow_except(KEPT, CASES))
def test_whichever_step_fails_a_resumed_run_ends_with_the_same_bytes(
    tmp_path: Path, faults: Any, *, format_: str, reports: bool, kind: str
) -> None:
    source = write_lines(tmp_path / "texts.jsonl", [text_of(number) for number in range(5)])
    options = CorpusOptions(format=format_, reports=reports, part_size=3)
    known: dict[int, AnalyzedDocument] = {}

    def engine(analyze: Callable[[InputDocument], AnalyzedDocument]) -> Any:
        def remembered(document: InputDocument) -> AnalyzedDocument:
            if document.place not in known:
                known[document.place] = analyze(document)
            return known[document.place]

        return faults.HereEngine(remembered)

    run(source, tmp_path / "whole", options, engine=engine)
    whole = tree(tmp_path / "whole")
    failed = set()
    for failing in range(1, 10_000):
        out = tmp_path / f"out-{failing}"
        steps = Steps(failing, ERRORS[kind])
        with failing_at(steps):
            try:
                run(source, out, options, engine=engine)
            except (CorpusError, MemoryError):
                assert steps.has_failed
            if not steps.has_failed:
                break
        failed.add(steps.done[failing - 1])
        if out.exists():  # nothing is there that is not complete
            assert tree(out).items() <= whole.items()
        run(source, out, options, resume=True, engine=engine)
        assert tree(out) == whole
    assert failed == {"open", "write", "close", "fsync", "replace", "mkdir"}
    assert tree(out) == whole
    assert failing > 6 * 7  # steps for each of the request, two parts with checksums, the summary
