"""The server: it prints its address, and stops only when accepted work is done."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import webbrowser
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from docbats.runtime import use_strict_limits
from docbats.serve.problems import MEDIA_TYPE, Kind, Problem

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable
    from types import FrameType

    from docbats.serve.service import Service, ServiceOptions

MAX_CONNECTIONS = 512
"""Open at a time; more could use up the file handles of the process."""

MAX_IDLE_SECONDS = 15.0
"""Until the headers of a request must have arrived; larger values let idle clients stay longer."""

_RESERVED = 64  # places kept free by closing the connections that have been idle longest


class ImpatientProtocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """A connection that is closed if no request comes, or its headers come too slowly.

    uvicorn itself waits forever for the first request, and refuses new connections if too many are
    open.
    """

    _timer: asyncio.TimerHandle | None = None
    _idle_since: float | None = None
    _last_cycle: Any = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin to watch a connection."""
        super().connection_made(transport)
        self._idle_since = self.loop.time()
        self._look_again()
        if len(self.connections) > MAX_CONNECTIONS - _RESERVED:
            idle = [other for other in self.connections if other is not self and other.is_idle]
            idle = [other for other in idle if not other.transport.is_closing()]
            if idle:
                min(idle, key=lambda other: other.idle_since).transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop watching it."""
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP, as all errors are answered; uvicorn would send plain text."""
        problem = Problem(Kind.BAD_REQUEST, f"The request is not valid HTTP: {msg[:200]}")
        body = problem.to_bytes()
        head = (
            "HTTP/1.1 400 Bad Request\r\n"
            f"Content-Type: {MEDIA_TYPE}\r\nContent-Length: {len(body)}\r\n"
            "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()

    @property
    def is_idle(self) -> bool:
        """Whether no request is being read or answered."""
        return self.cycle is None or bool(self.cycle.response_complete)

    @property
    def idle_since(self) -> float:
        """The time when it last had a request."""
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


def serve(options: ServiceOptions, *, open_browser: bool, show_token: bool = False) -> bool:
    """Run the service until a signal ends it; return whether it could start.

    With `show_token`, the printed address includes the token, for the page.
    """
    from docbats.serve.app import create_app  # needs more than the server for assistants

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # in the workers; more would idle
    use_strict_limits()
    app = create_app(options)
    service: Service = app.state.service

    def announce(address: str) -> None:
        if show_token:
            # After the #, which browsers do not send: no log of a proxy has it.
            address = f"{address}#token={options.token}"
        print(f"docbats is at {address} (Ctrl-C stops it)", file=sys.stderr, flush=True)
        if open_browser:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    config = server_config(app, options.host, options.port, options.timeout)
    server = Server(config, announce, service.stopping.set)
    try:
        return run_server(server)
    finally:
        service.pool.close()


def server_config(app: Any, host: str, port: int, timeout: float) -> uvicorn.Config:
    """Return how to serve an application whose requests take up to `timeout` seconds."""
    logging.basicConfig(level=logging.WARNING, format="docbats: %(message)s")
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        access_log=False,
        server_header=False,
        log_config=None,
        log_level="warning",
        timeout_graceful_shutdown=int(2 * timeout) + 10,
        limit_concurrency=MAX_CONNECTIONS,
        http=ImpatientProtocol,
        ws="none",
    )


def run_server(server: uvicorn.Server) -> bool:
    """Run a server until a signal ends it; return whether it could start."""
    # uvicorn raises the signal again once everything is done: exit with 0, not by the signal.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with suppress(KeyboardInterrupt):
        server.run()
    return server.started


class Server(uvicorn.Server):
    """Announces its address once it listens, and says when it is about to stop."""

    def __init__(
        self,
        config: uvicorn.Config,
        announce: Callable[[str], object],
        on_stopping: Callable[[], object] = lambda: None,
    ) -> None:
        super().__init__(config)
        self._announce, self._on_stopping = announce, on_stopping

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        """Start, and announce the address."""
        await super().startup(sockets)  # type: ignore[arg-type]
        if self.started:
            self._announce(self._address())

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Say that the server is about to stop."""
        self._on_stopping()
        super().handle_exit(sig, frame)

    def _address(self) -> str:
        host, port = self.servers[0].sockets[0].getsockname()[:2]
        if self.config.host in {"0.0.0.0", "::"}:
            host = "localhost"
        return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
