"""Connections that do nothing are closed: they must not keep out those that ask something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

if TYPE_CHECKING:
    import asyncio

__all__ = ["MAX_CONNECTIONS", "MAX_IDLE_SECONDS", "ImpatientProtocol"]

MAX_CONNECTIONS = 512
"""At a time; more could use up the file handles of the process."""

MAX_IDLE_SECONDS = 15.0
"""Until the headers of a request have to be there; larger values let silent clients stay longer."""

_RESERVED = 64  # places that are kept free by closing the connections that are idle for longest


class ImpatientProtocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """A connection that is closed where no request comes, or its headers come too slowly.

    uvicorn itself waits for the first request for ever, and refuses all others where too many
    connections are open.
    """

    _timer: asyncio.TimerHandle | None = None
    _idle_since: float | None = None
    _last_cycle: Any = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin to look after a connection."""
        super().connection_made(transport)
        self._idle_since = self.loop.time()
        self._look_again()
        if len(self.connections) > MAX_CONNECTIONS - _RESERVED:
            idle = [other for other in self.connections if other is not self and other.is_idle]
            idle = [other for other in idle if not other.transport.is_closing()]
            if idle:
                min(idle, key=lambda other: other.idle_since).transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Look after it no longer."""
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered or has its body read."""
        return self.cycle is None or bool(self.cycle.response_complete)

    @property
    def idle_since(self) -> float:
        """When it was last seen with a request."""
        return self._idle_since or 0.0

    def _look_again(self) -> None:
        self._timer = self.loop.call_later(MAX_IDLE_SECONDS / 3, self._close_if_idle)

    def _close_if_idle(self) -> None:
        now = self.loop.time()
        if not self.is_idle or self.cycle is not self._last_cycle:
            self._last_cycle, self._idle_since = self.cycle, now
        elif now - self.idle_since >= MAX_IDLE_SECONDS:
            self.transport.close()
            return
        self._look_again()
