"""Scores documents by variants: in parallel, one row a document, resumable, and nothing is lost.

Each variant (a method, or a setting) of an experiment on a dataset has one file of JSON lines, in
the order of the documents. A run that is interrupted leaves whole rows; the next run goes on after
them and ends with the same bytes. A document on which a variant fails has a row with the error.
"""

from __future__ import annotations

import json
import re
from collections import deque
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Protocol

from docbats.errors import InputError
from docbats.lab.parallel_scoring import ScoringTask, score_in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path
    from typing import TextIO

    from docbats.lab.documents import SegmentedDocument

__all__ = ["Row", "Scorer", "read_rows", "score_documents", "variant_path"]

Row = dict[str, Any]
"""The scores of one document under one variant, by name; or an error."""


class Scorer(Protocol):
    """Scores one document under some variants; it is sent to other processes, so it must pickle."""

    def __call__(self, document: SegmentedDocument, variants: Sequence[str]) -> dict[str, Row]:
        """Return a row for each variant."""


def score_documents(
    documents: Sequence[SegmentedDocument],
    variants: Sequence[str],
    scorer: Scorer,
    folder: Path,
    *,
    meta: Mapping[str, Any],
    jobs: int = 1,
    fresh: bool = False,
    on_done: Callable[[], None] = lambda: None,
) -> None:
    """Write the rows that are still missing under `folder`; `on_done` is called for each document.

    `meta` says what the rows were made with. It is stored beside them, and rows made with something
    else are not continued, unless `fresh` asks to begin anew.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if fresh:
        for path in [*folder.glob("*.jsonl"), *folder.glob("meta.json")]:
            path.unlink()
    _check_meta(folder / "meta.json", meta)
    done = {v: set(_whole_rows(variant_path(folder, v))) for v in variants}
    todo = deque[ScoringTask]()
    for document in documents:
        missing = tuple(v for v in variants if document.name not in done[v])
        if missing:
            todo.append(ScoringTask(document, missing))
        else:
            on_done()
    if not todo:
        return
    with ExitStack() as stack:
        files = {
            v: stack.enter_context(variant_path(folder, v).open("a", encoding="utf-8"))
            for v in variants
        }
        for task, rows in score_in_order(todo, scorer, jobs):
            for variant in task.variants:
                _append(files[variant], {"document": task.document.name, **rows[variant]})
            on_done()


def read_rows(folder: Path, variant: str) -> dict[str, Row]:
    """Read the rows of a variant by the names of their documents."""
    path = variant_path(folder, variant)
    if not path.exists():
        return {}
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return {row.pop("document"): row for row in rows}


def variant_path(folder: Path, variant: str) -> Path:
    """Name the file of a variant."""
    return folder / (re.sub(r"[^a-z0-9.=]+", "-", variant.lower()).strip("-") + ".jsonl")


def _check_meta(path: Path, meta: Mapping[str, Any]) -> None:
    wanted = json.loads(json.dumps(meta))
    if not path.exists():
        path.write_text(json.dumps(wanted, indent=1) + "\n", encoding="utf-8")
        return
    found = json.loads(path.read_text(encoding="utf-8"))
    differing = sorted(k for k in {*wanted, *found} if wanted.get(k) != found.get(k))
    if differing:
        msg = (
            f"{path.parent} holds results made with other {', '.join(differing)}: begin anew with "
            "--fresh, or name another folder with --output"
        )
        raise InputError(msg)


def _whole_rows(path: Path) -> list[str]:
    """Name the documents that have a row; cut off a last row that was not written to its end."""
    if not path.exists():
        return []
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        with path.open("r+b") as file:
            file.truncate(len(whole))
    return [json.loads(line)["document"] for line in whole.splitlines()]


def _append(file: TextIO, row: Row) -> None:
    file.write(json.dumps(row) + "\n")
    file.flush()
