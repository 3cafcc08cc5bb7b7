"""How the service runs: where it listens and what it lets one request take."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

__all__ = ["Options", "usual_workers"]

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def usual_workers() -> int:
    """As many worker processes as there are processors, but four at most."""
    return min(os.cpu_count() or 1, 4)


@dataclass(frozen=True, kw_only=True)
class Options:
    """What ``docbats serve`` was started with.

    Attributes
    ----------
    host, port
        Where to listen; port 0 takes any free one.
    workers
        How many processes analyse documents.
    max_bytes
        The largest document, or line of many, that is taken.
    max_sentences
        The most sentences a document may have.
    timeout
        Seconds that one document may take; it may wait as long for its turn, or ten seconds.
    max_memory
        Megabytes of memory that a worker process may take.
    queue
        How many documents may wait for their turn.
    token
        What a client has to show as its bearer token; None asks for none.
    hosts
        Names by which the service may be called; None takes any name. By default the loopback
        names where the service listens there, so that no page of another site can reach it by a
        name that leads to this machine.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = field(default_factory=usual_workers)
    max_bytes: int = 5_000_000
    max_sentences: int = 50_000
    timeout: float = 30.0
    max_memory: int = 2_000
    queue: int = 64
    token: str | None = field(default=None, repr=False)
    hosts: frozenset[str] | None = None

    @property
    def is_loopback(self) -> bool:
        """Whether only programs of this machine can reach the service."""
        return self.host in LOOPBACK or self.host.startswith("127.")

    @property
    def allowed_hosts(self) -> frozenset[str] | None:
        """Names that the Host header may hold; None for any."""
        if self.hosts is not None:
            return self.hosts
        return frozenset({*LOOPBACK, self.host}) if self.is_loopback else None
