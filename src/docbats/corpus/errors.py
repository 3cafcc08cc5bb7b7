"""What can go wrong: with a document, which becomes a row, or with the run, which ends.

::

    DocbatsError
    └── CorpusError           the run cannot go on
        ├── ResumeError       the folder has the output of another run
        └── EngineError       the worker processes do not start, or are lost
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from docbats.errors import DocbatsError

__all__ = [
    "CorpusError",
    "EngineError",
    "Failure",
    "FailureKind",
    "ResumeError",
    "too_large_failure",
]

FailureKind = Literal[
    "unreadable",
    "bad-bytes",
    "bad-record",
    "duplicate-id",
    "too-large",
    "cannot-be-analyzed",
    "time-out",
    "out-of-memory",
    "crash",
    "unexpected",
]
"""Why a document failed.

`unreadable`
    A file, or the rest of it, cannot be read.
`bad-bytes`
    It is not text in the encoding that it should have, or a broken, locked or unknown kind of file.
`bad-record`
    A line is not a JSON object, has no text in the expected place, or a table lacks the column.
`duplicate-id`
    An earlier document has the same id; only that one is analyzed.
`too-large`
    It has more characters than allowed.
`cannot-be-analyzed`
    It is empty, or has fewer sentences than the number of segments.
`time-out`
    It took longer than allowed.
`out-of-memory`
    It needed more memory than allowed.
`crash`
    The process that analyzed it died, and so did the next one.
`unexpected`
    An error that should not happen: please report it.
"""


@dataclass(frozen=True)
class Failure:
    """Why one document has no result."""

    kind: FailureKind
    message: str


def too_large_failure(found: str, max_characters: int) -> Failure:
    """Return the failure of a document that has more characters than allowed.

    >>> too_large_failure("2,000 characters", 1000).message[:60]
    'it has 2,000 characters, and 1,000 characters are allowed: c'
    """
    message = (
        f"it has {found}, and {max_characters:,} characters are allowed: cut it into parts, or "
        "allow more by --max-characters"
    )
    return Failure("too-large", message)


class CorpusError(DocbatsError):
    """The run cannot go on; finished parts stay, and the run can be resumed."""


class ResumeError(CorpusError):
    """The folder has the output of another run."""


class EngineError(CorpusError):
    """The worker processes do not start, or are lost."""
