"""Where the work is done: what a run asks of an engine.

A run hands out batches of documents while the engine has room, and takes whatever has come back. It
reads and writes by itself, so that an engine only has to have the work done, in any order.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self

from docbats.corpus.record import Record
from docbats.errors import SettingsError

if TYPE_CHECKING:
    from docbats.corpus.errors import Failure

__all__ = ["Answer", "Engine", "MakeEngine", "Outcome", "Work", "check_call", "check_sendable"]


@dataclass(frozen=True)
class Answer:
    """What the work makes of a document.

    Attributes
    ----------
    row
        Its row, as the format of the output encodes it.
    failure
        Why there is no result, which the row says, too.
    page
        Its report, if wanted.
    """

    row: bytes
    failure: Failure | None = None
    page: bytes | None = None


Work = Callable[[Record], Answer]
"""From a document to its row; it can be pickled, and never raises on account of a document."""


@dataclass(frozen=True)
class Outcome:
    """What became of a document: an answer, or why the engine could not get one."""

    place: int
    answer: Answer | Failure


class Engine(Protocol):
    """Has the work done somewhere; it is used as a context, within which it is ready."""

    @property
    def has_room(self) -> bool:
        """Whether a batch may be handed in now; bounded, since all that is handed in is held."""

    @property
    def waiting(self) -> int:
        """How many documents were handed in and have not come back."""

    def submit(self, batch: Sequence[Record]) -> None:
        """Take a batch; to be called only if there is room."""

    def collect(self, timeout: float | None = None) -> list[Outcome]:
        """Wait for something to happen, for `timeout` seconds at most; give what has come back.

        Every document comes back exactly once. EngineError if none ever would.
        """

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...


MakeEngine = Callable[[Work], Engine]
"""What a run is given: from the work to an engine that does it."""


def check_call(jobs: int | None, timeout: float) -> None:
    """Refuse a number of processes or of seconds that makes no sense."""
    if jobs is not None and (not isinstance(jobs, int) or jobs < 1):
        msg = f"jobs={jobs!r} makes no sense: give a whole number, at least 1"
        raise SettingsError(msg)
    if not timeout > 0:
        msg = f"timeout={timeout!r} makes no sense: give a number of seconds above 0"
        raise SettingsError(msg)


def check_sendable(work: Work) -> None:
    """Refuse work that no other process can be given."""
    try:
        pickle.dumps(work)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        msg = f"the settings cannot be sent to other processes: {error}: give named functions"
        raise SettingsError(msg) from None
