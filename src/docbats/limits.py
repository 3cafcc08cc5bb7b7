"""Bounds of work in proportion to the input, so that a small file cannot take hours or gigabytes.

They are generous: a document that somebody wrote stays far below them. Each can be raised by an
environment variable, which holds for worker processes, too. The service and ``docbats mcp`` have
stricter bounds of their own beside these.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from docbats.errors import SettingsError


@dataclass(frozen=True)
class Limit:
    """A bound.

    Attributes
    ----------
    name
        What is bounded; the environment variable is ``DOCBATS_MAX_`` and this.
    default
        The bound where the variable is not set.
    reason
        What more of it would cost.
    """

    name: str
    default: int
    reason: str

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return f"DOCBATS_MAX_{self.name}"

    @property
    def value(self) -> int:
        """The bound that holds now; SettingsError if the variable is no whole number."""
        given = os.environ.get(self.variable)
        if given is None:
            return self.default
        if not (given.isascii() and given.isdecimal() and len(given) <= 18 and int(given) > 0):
            msg = f"{self.variable} must be a whole number, at least 1, got {given[:40]!r}"
            raise SettingsError(msg)
        return int(given)

    @property
    def advice(self) -> str:
        """How to raise it, to end a message with."""
        return f"set the environment variable {self.variable} above {self.value:,} to allow it"


FILE_BYTES = Limit("FILE_BYTES", 1 << 30, "A file is held in memory as a whole.")
UNPACKED_BYTES = Limit(
    "UNPACKED_BYTES", 256 << 20, "What an archive unpacks to is held in memory as a whole."
)
UNPACKED_RATIO = Limit(
    "UNPACKED_RATIO", 100, "A small archive can unpack to a thousand times as many bytes."
)
TOPICS = Limit("TOPICS", 1000, "Time grows with the cube of the number of topics.")
VECTOR_CELLS = Limit(
    "VECTOR_CELLS",
    200_000_000,
    "Singular vectors have as many numbers, of 8 bytes each, as sentences and words times k.",
)
BONDED_CELLS = Limit(
    "BONDED_CELLS",
    30_000_000,
    "Bonding takes about 40 bytes for each sentence of the window of each sentence.",
)

_STRICT = {
    "UNPACKED_BYTES": 64 << 20,
    "UNPACKED_RATIO": 50,
    "TOPICS": 300,
    "VECTOR_CELLS": 50_000_000,
    "BONDED_CELLS": 10_000_000,
}


def use_strict_limits() -> None:
    """Lower the bounds for this process and those that it starts, unless the environment has them.

    For the service and assistants, where others decide what is analyzed.
    """
    for limit in LIMITS:
        if limit.name in _STRICT:
            os.environ.setdefault(limit.variable, str(_STRICT[limit.name]))


LIMITS = (FILE_BYTES, UNPACKED_BYTES, UNPACKED_RATIO, TOPICS, VECTOR_CELLS, BONDED_CELLS)
"""All of them, for the docs."""
