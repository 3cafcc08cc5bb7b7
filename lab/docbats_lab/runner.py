"""Scores documents by variants: in parallel, one row per document, resumable.

Each variant (a method, or a setting) of an experiment on a dataset has its own rows (`row_files`),
in the order of the documents. A run that is interrupted leaves whole rows; the next run goes on
after them and ends with the same bytes. A document on which a variant fails has a row with the
error.
"""

from __future__ import annotations

import json
from collections import deque
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Protocol

from docbats.errors import InputError
from docbats_lab.parallel_scoring import ScoringTask, score_in_order
from docbats_lab.row_files import Row, append_rows, delete_rows, has_rows, read_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from docbats_lab.segmented_document import SegmentedDocument


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
    keep_others: bool = False,
    on_done: Callable[[], None] = lambda: None,
) -> None:
    """Write the rows that are still missing under `folder`; `on_done` is called for each document.

    `meta` says what the rows were made with. It is stored beside them, and rows made with something
    else are not continued; `fresh` deletes them and starts over, with `keep_others` only those of
    these variants.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if fresh:
        delete_rows(folder, variants if keep_others else None)
        if not has_rows(folder):
            (folder / "meta.json").unlink(missing_ok=True)
    _check_meta(folder / "meta.json", meta)
    done = {v: set(read_rows(folder, v)) for v in variants}
    todo = deque[ScoringTask]()
    for document in documents:
        missing = tuple(v for v in variants if document.name not in done[v])
        if missing:
            todo.append(ScoringTask(document, missing))
        else:
            on_done()
    with ExitStack() as stack:
        append = {v: stack.enter_context(append_rows(folder, v)) for v in variants}
        for task, rows in score_in_order(todo, scorer, jobs):
            for variant in task.variants:
                append[variant](task.document.name, rows[variant])
            on_done()


def _check_meta(path: Path, meta: Mapping[str, Any]) -> None:
    wanted = json.loads(json.dumps(meta))
    if not path.exists():
        path.write_text(json.dumps(wanted, indent=1) + "\n", encoding="utf-8")
        return
    found = json.loads(path.read_text(encoding="utf-8"))
    differing = sorted(k for k in {*wanted, *found} if wanted.get(k) != found.get(k))
    if differing:
        msg = (
            f"{path.parent} holds results made with a different {', '.join(differing)}: start over "
            "with --fresh and all methods, or name another folder with --output"
        )
        raise InputError(msg)
