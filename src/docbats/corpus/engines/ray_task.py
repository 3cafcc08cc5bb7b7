"""What a task of Ray does with some documents, on whichever node it runs.

It has a process of the local engine do the work, and keeps that as long as its own process lives:
so a document that hangs or crashes becomes the same row as anywhere else.
"""

from __future__ import annotations

import pickle
import platform
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from docbats.corpus.engines.local_engine import LocalEngine
from docbats.corpus.errors import EngineError
from docbats.errors import DocbatsError
from docbats.versions import row_versions

if TYPE_CHECKING:
    from docbats.corpus.engines.engine import Outcome
    from docbats.corpus.input.input_document import InputDocument

__all__ = ["TaskContext", "run_task"]


@dataclass(frozen=True)
class TaskContext:
    """What all tasks of a run share.

    `analyze` is pickled; `versions` are those of the machine that started the run.
    """

    analyze: bytes
    timeout: float
    versions: tuple[tuple[str, str], ...]


def run_task(row: dict[str, Any], context: TaskContext) -> dict[str, Any]:
    """Turn a row of documents into one of outcomes, or of the error that ends the run."""
    outcomes: list[Outcome] | DocbatsError
    try:
        outcomes = _outcomes(pickle.loads(row["documents"]), context)
    except DocbatsError as error:
        outcomes = error
    return {"number": row["number"], "outcomes": pickle.dumps(outcomes)}


_ENGINES: dict[TaskContext, LocalEngine] = {}  # one at most: that of the last context


def _outcomes(documents: list[InputDocument], context: TaskContext) -> list[Outcome]:
    engine = _engine_for(context)
    try:
        engine.submit(documents)
        outcomes = []
        while engine.waiting:
            outcomes += engine.collect()
    except BaseException:
        _close_engines()
        raise
    return outcomes


def _engine_for(context: TaskContext) -> LocalEngine:
    if context not in _ENGINES:
        _close_engines()
        _check_versions(dict(context.versions))
        engine = LocalEngine(pickle.loads(context.analyze), jobs=1, timeout=context.timeout)
        _ENGINES[context] = engine.__enter__()
    return _ENGINES[context]


def _close_engines() -> None:
    while _ENGINES:
        _ENGINES.popitem()[1].__exit__()


def _check_versions(wanted: dict[str, str]) -> None:
    found = row_versions()
    differing = [name for name in wanted if found[name] != wanted[name]]
    if differing:
        listed = ", ".join(f"{name} {found[name]} instead of {wanted[name]}" for name in differing)
        msg = (
            f"the node {platform.node()} of the cluster would compute something else: it has "
            f"{listed}. Install the same versions on all nodes and here"
        )
        raise EngineError(msg)
