"""The server process: starts, prints its address, and stops only when accepted work is done."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import webbrowser
from typing import TYPE_CHECKING

import uvicorn

from docbats.limits import use_strict_limits
from docbats.serve.app import create_app
from docbats.serve.idle_connections import MAX_CONNECTIONS, ImpatientProtocol

if TYPE_CHECKING:
    from types import FrameType

    from docbats.serve.service import Service
    from docbats.serve.service_options import ServiceOptions

__all__ = ["serve"]


def serve(options: ServiceOptions, *, open_browser: bool, show_token: bool = False) -> bool:
    """Run the service until a signal ends it; return whether it could start.

    With `show_token`, the address that is printed holds the token, for the page to take.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # in the workers; more would idle
    use_strict_limits()
    logging.basicConfig(level=logging.WARNING, format="docbats: %(message)s")
    app = create_app(options)
    service: Service = app.state.service
    config = uvicorn.Config(
        app,
        host=options.host,
        port=options.port,
        access_log=False,
        server_header=False,
        log_config=None,
        log_level="warning",
        timeout_graceful_shutdown=int(2 * options.timeout) + 10,
        limit_concurrency=MAX_CONNECTIONS,
        http=ImpatientProtocol,
        ws="none",
    )
    # uvicorn raises the signal again once everything is done: exit with 0, not by the signal.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    server = _Server(config, service, open_browser=open_browser, show_token=show_token)
    try:
        server.run()
    except KeyboardInterrupt:
        pass
    finally:
        service.pool.stop()
    return server.started


class _Server(uvicorn.Server):
    """Prints its address, and informs the service when it is about to stop."""

    def __init__(
        self, config: uvicorn.Config, service: Service, *, open_browser: bool, show_token: bool
    ) -> None:
        super().__init__(config)
        self._service, self._open_browser = service, open_browser
        self._shown_token = service.options.token if show_token else None

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        await super().startup(sockets)  # type: ignore[arg-type]
        if not self.started:
            return
        address = self._address()
        if self._shown_token is not None:
            # After the #, which browsers do not send: no log of a proxy has it.
            address = f"{address}#token={self._shown_token}"
        print(f"docbats is at {address} (Ctrl-C stops it)", file=sys.stderr, flush=True)
        if self._open_browser:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._service.stopping.set()
        super().handle_exit(sig, frame)

    def _address(self) -> str:
        host, port = self.servers[0].sockets[0].getsockname()[:2]
        if self.config.host in {"0.0.0.0", "::"}:
            host = "localhost"
        return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
