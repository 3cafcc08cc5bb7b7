"""A live feed: one JSON line in, one out, as soon as it is there.

Nothing is read beyond what can be worked on, so that whoever writes too fast has to wait, and so
does everybody if nobody reads what comes out.
"""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING

from docbats.corpus.engine import check_sendable
from docbats.corpus.errors import Failure
from docbats.corpus.inputs import Inputs
from docbats.corpus.job import numbered
from docbats.corpus.plan import Plan
from docbats.corpus.runner import make_local
from docbats.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docbats.corpus.engine import Answer, Engine, MakeEngine, Outcome
    from docbats.corpus.inputs import Names
    from docbats.corpus.record import Record
    from docbats.corpus.work import Analyse

__all__ = ["stream"]

_UNDER_WAY = 64  # documents that were read and not yet given out
_GLANCE = 0.02  # seconds between two looks at the input while there is work

_Read = queue.Queue["Record | Exception | None"]


def stream(
    inputs: Names = "-",
    plan: Plan | None = None,
    *,
    jobs: int | None = None,
    timeout: float = 60.0,
    ordered: bool = True,
    engine: MakeEngine | None = None,
) -> Iterator[Answer]:
    """Analyse documents as they come; the row of each answer is a line of JSON.

    In order, a document that takes long holds up those behind it, by `timeout` seconds at most. Ids
    may come again: a feed can bring a newer version of a document.
    """
    plan = plan or Plan()
    if plan.format != "jsonl" or plan.reports:
        msg = "a stream is of JSON lines: for anything else name a folder by -o"
        raise SettingsError(msg)
    given = Inputs.from_names(inputs, plan.input_format)
    make_engine = engine or make_local(jobs, timeout, ahead=0)
    check_sendable(plan.work)
    feed: _Read = queue.Queue(1)
    records = numbered(plan.reader.read(given.sources()))
    # Reading waits for whoever writes; as a daemon it does not keep us from ending meanwhile.
    threading.Thread(target=_read, args=(records, feed), daemon=True).start()
    with make_engine(plan.work) as started:
        yield from _Flow(started, plan.work, feed, ordered=ordered).answers()


def _read(records: Iterator[Record], feed: _Read) -> None:
    try:
        for record in records:
            feed.put(record)
    except Exception as error:
        feed.put(error)
    else:
        feed.put(None)


class _Flow:
    """Documents between the input and the output."""

    def __init__(self, engine: Engine, work: Analyse, feed: _Read, *, ordered: bool) -> None:
        self._engine, self._work, self._feed, self._ordered = engine, work, feed, ordered
        self._records: dict[int, Record] = {}
        self._ready: dict[int, Answer] = {}
        self._next = 0
        self._is_more = True

    def answers(self) -> Iterator[Answer]:
        while self._is_more or self._records:
            while self._is_open and self._take():
                pass
            yield from self._out()
            if self._engine.waiting or not self._engine.has_room:
                self._receive(self._engine.collect(_GLANCE if self._is_open else None))
                yield from self._out()

    @property
    def _is_open(self) -> bool:
        under_way = len(self._records) + len(self._ready)
        return self._is_more and self._engine.has_room and under_way < _UNDER_WAY

    def _take(self) -> bool:
        """Take in a document; wait for one only if there is nothing else to do."""
        try:
            record = self._feed.get(block=not self._records and not self._ready)
        except queue.Empty:
            return False
        if isinstance(record, Exception):
            raise record
        if record is None:
            self._is_more = False
            return False
        self._records[record.place] = record
        if record.failure is None:
            self._engine.submit([record])
            return True
        self._finish(record.place, record.failure)
        return False  # it can go out at once

    def _receive(self, outcomes: list[Outcome]) -> None:
        for outcome in outcomes:
            self._finish(outcome.place, outcome.answer)

    def _finish(self, place: int, answer: Answer | Failure) -> None:
        record = self._records.pop(place)
        if isinstance(answer, Failure):
            answer = self._work.failed(record, answer)
        self._ready[place] = answer

    def _out(self) -> Iterator[Answer]:
        """Give out what may go, in the order of the input if so asked."""
        if not self._ordered:
            while self._ready:
                yield self._ready.pop(next(iter(self._ready)))
        while self._next in self._ready:
            self._next += 1
            yield self._ready.pop(self._next - 1)
