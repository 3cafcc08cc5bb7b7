"""Options of the service: where it listens, and the limits of a request."""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass, field
from functools import cached_property
from ipaddress import ip_address

LOOPBACK = ("127.0.0.1", "localhost", "::1")


# Limits where only programs of this machine can reach the service: those of its owner's patience.
OWN_LIMITS = {
    "max_bytes": 200_000_000,
    "max_sentences": 1_000_000,
    "timeout": 900.0,
    "max_memory": 8_000,
}
# And where others can.
SHARED_LIMITS = {
    "max_bytes": 5_000_000,
    "max_sentences": 50_000,
    "timeout": 30.0,
    "max_memory": 2_000,
}


def is_loopback(host: str) -> bool:
    """Whether only programs of this machine can reach an address."""
    return host in LOOPBACK or host.startswith("127.")


def default_workers() -> int:
    """Return the number of processors, but four at most."""
    return min(os.cpu_count() or 1, 4)


@dataclass(frozen=True, kw_only=True)
class ServiceOptions:
    """The options that ``docbats serve`` was started with.

    Attributes
    ----------
    host, port
        Where to listen; port 0 picks a free one.
    workers
        The number of processes that analyze documents.
    max_bytes
        The largest size of a document, or of a line where many are sent.
    max_sentences
        The largest number of sentences of a document.
    timeout
        Seconds that one document may take. It may wait that long for its turn, too, or ten
        seconds if that is longer.
    max_memory
        Megabytes of memory that a worker process may use.
    queue
        How many documents may wait for their turn.
    token
        The bearer token that clients must send; None if they need none.
    hosts
        Host names under which the service may be called, ``*`` for any; None for the default,
        which is the loopback names where the service listens on loopback, and otherwise the names
        of this machine and any IP address. By another name that resolves to this machine, a page of
        another site could reach the service.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = field(default_factory=default_workers)
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
        return is_loopback(self.host)

    @cached_property
    def allowed_hosts(self) -> frozenset[str]:
        """The names that a Host header may have, beside IP addresses where that is the default."""
        if self.hosts is not None:
            return frozenset(name.lower() for name in self.hosts)
        own = () if self.is_loopback else (socket.gethostname(), socket.getfqdn())
        return frozenset(name.lower() for name in (*LOOPBACK, self.host, *own))

    def accepts_host(self, name: str) -> bool:
        """Whether a Host header may have this name, without a port and in lower case."""
        if name in self.allowed_hosts or "*" in self.allowed_hosts:
            return True
        return self.hosts is None and not self.is_loopback and _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
