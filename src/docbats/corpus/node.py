"""What a process of a Ray cluster does with some documents.

It has a process of the local engine do the work, and keeps that as long as it lives: so a document
that hangs or crashes becomes the same row as anywhere else.
"""

from __future__ import annotations

import pickle
import platform
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from docbats.corpus.errors import EngineError
from docbats.corpus.local import LocalEngine
from docbats.corpus.versions import computing_versions
from docbats.errors import DocbatsError

if TYPE_CHECKING:
    from docbats.corpus.engine import Outcome
    from docbats.corpus.record import Record

__all__ = ["Order", "answer"]


@dataclass(frozen=True)
class Order:
    """What every process is told: the pickled work, the time-out, and who asks with what."""

    work: bytes
    timeout: float
    versions: tuple[tuple[str, str], ...]


def answer(row: dict[str, Any], order: Order) -> dict[str, Any]:
    """Turn a row with documents into one with what came out, or with why nothing ever will."""
    said: list[Outcome] | DocbatsError
    try:
        said = _outcomes(pickle.loads(row["records"]), order)
    except DocbatsError as error:
        said = error
    return {"number": row["number"], "said": pickle.dumps(said)}


_ENGINES: dict[Order, LocalEngine] = {}  # one at most: for the work that came last


def _outcomes(records: list[Record], order: Order) -> list[Outcome]:
    engine = _engine_for(order)
    try:
        engine.submit(records)
        outcomes = []
        while engine.waiting:
            outcomes += engine.collect()
    except BaseException:
        _let_go()
        raise
    return outcomes


def _engine_for(order: Order) -> LocalEngine:
    if order not in _ENGINES:
        _let_go()
        _check_versions(dict(order.versions))
        engine = LocalEngine(pickle.loads(order.work), jobs=1, timeout=order.timeout)
        _ENGINES[order] = engine.__enter__()
    return _ENGINES[order]


def _let_go() -> None:
    while _ENGINES:
        _ENGINES.popitem()[1].__exit__()


def _check_versions(wanted: dict[str, str]) -> None:
    found = computing_versions()
    differing = [name for name in wanted if found[name] != wanted[name]]
    if differing:
        told = ", ".join(f"{name} {found[name]} instead of {wanted[name]}" for name in differing)
        msg = (
            f"the node {platform.node()} of the cluster would compute something else: it has "
            f"{told}. Install the same versions on all nodes and here"
        )
        raise EngineError(msg)
