"""The contract of an engine, which has documents analyzed.

A run hands out batches of documents while the engine has room, and takes whatever has come back. It
reads and writes by itself, so that an engine only has to have documents analyzed, in any order.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self

from docbats.corpus.input.input_document import InputDocument
from docbats.errors import SettingsError

if TYPE_CHECKING:
    from docbats.corpus.errors import Failure

__all__ = [
    "MIN_MEMORY",
    "AnalyzeDocument",
    "AnalyzedDocument",
    "Engine",
    "MakeEngine",
    "Outcome",
    "check_jobs_and_timeout",
    "check_memory",
    "check_picklable",
]

MIN_MEMORY = 300
"""Megabytes that a process takes at least."""


@dataclass(frozen=True)
class AnalyzedDocument:
    """What the analysis makes of a document.

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


AnalyzeDocument = Callable[[InputDocument], AnalyzedDocument]
"""From a document to its row; it can be pickled, and never raises on account of a document."""


@dataclass(frozen=True)
class Outcome:
    """What became of a document: its row, or why the engine could not get one."""

    place: int
    result: AnalyzedDocument | Failure


class Engine(Protocol):
    """Has documents analyzed somewhere; it is used as a context, within which it is ready."""

    @property
    def has_room(self) -> bool:
        """Whether a batch may be submitted now; bounded, since all that is submitted is held."""

    @property
    def waiting(self) -> int:
        """How many documents were submitted and have not come back."""

    def submit(self, batch: Sequence[InputDocument]) -> None:
        """Take a batch; to be called only if there is room."""

    def collect(self, timeout: float | None = None) -> list[Outcome]:
        """Wait for something to happen, at most `timeout` seconds; return what has come back.

        Every document comes back exactly once. EngineError if none ever would.
        """

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...


MakeEngine = Callable[[AnalyzeDocument], Engine]
"""What a run is given: from the analysis of a document to an engine that has it done."""


def check_jobs_and_timeout(jobs: int | None, timeout: float) -> None:
    """Raise SettingsError for a number of processes or seconds that is too small."""
    if jobs is not None and (not isinstance(jobs, int) or jobs < 1):
        msg = f"jobs must be a whole number, at least 1, got {jobs!r}"
        raise SettingsError(msg)
    if not timeout > 0:
        msg = f"timeout must be a number of seconds above 0, got {timeout!r}"
        raise SettingsError(msg)


def check_memory(max_memory: int | None) -> None:
    """Raise SettingsError for megabytes with which not even the libraries can be loaded."""
    if max_memory is not None and (not isinstance(max_memory, int) or max_memory < MIN_MEMORY):
        msg = (
            f"max_memory must be a whole number of megabytes, at least {MIN_MEMORY}, or None, "
            f"got {max_memory!r}"
        )
        raise SettingsError(msg)


def check_picklable(analyze: AnalyzeDocument) -> None:
    """Raise SettingsError if the analysis cannot be sent to another process."""
    try:
        pickle.dumps(analyze)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        msg = f"the settings cannot be sent to other processes: {error}: give named functions"
        raise SettingsError(msg) from None
