"""The tools for assistants over HTTP (streamable HTTP), for those that start no command."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers

from docbats.serve.problems import Kind, Problem
from docbats.serve.security import has_token, hostname, is_own_origin, problem_response
from docbats.serve.server import Server, run_server, server_config

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer
    from starlette.types import ASGIApp, Receive, Scope, Send

    from docbats.serve.service import ServiceOptions

PATH = "/mcp"
_EXTRA_BYTES = 100_000  # of a request, besides the text of a document


def make_app(server: MCPServer[Any], options: ServiceOptions) -> ASGIApp:
    """Return the application that serves the tools at ``/mcp``.

    Requests know nothing of each other, so that any number of clients can use it, and a client
    loses nothing if it starts anew. Of `options`, the host names, the token and `max_bytes` count.
    """
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        # JSON may take six bytes for a character.
        max_request_body_size=6 * options.max_bytes + _EXTRA_BYTES,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    return _Guard(app, options)


class _Guard:
    """Checks the host, the origin and the token of each request."""

    def __init__(self, app: ASGIApp, options: ServiceOptions) -> None:
        self._app, self._options = app, options

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass an allowed request on, and answer all others."""
        try:
            if scope["type"] == "http":
                self._check(Headers(scope=scope))
        except Problem as problem:
            await problem_response(problem)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _check(self, headers: Headers) -> None:
        if not self._options.accepts_host(hostname(headers.get("host", ""))):
            msg = (
                "The Host header names another host: use the address that docbats mcp printed, or "
                "start it with --allow-host."
            )
            raise Problem(Kind.WRONG_HOST, msg)
        if not is_own_origin(headers):
            msg = "Pages of other sites cannot use the tools."
            raise Problem(Kind.OTHER_SITE, msg)
        token = self._options.token
        if token is not None and not has_token(headers, token.encode()):
            msg = "Send the header Authorization: Bearer TOKEN, with the token of this server."
            raise Problem(Kind.NO_TOKEN, msg)


def run_http(server: MCPServer[Any], options: ServiceOptions, *, show_token: bool) -> bool:
    """Serve the tools until a signal ends it; return whether it could start."""

    def announce(address: str) -> None:
        print(f"docbats mcp is at {address}{PATH[1:]} (Ctrl-C stops it)", file=sys.stderr)
        if show_token:
            print(f"The token is {options.token}", file=sys.stderr)
        sys.stderr.flush()

    app = make_app(server, options)
    config = server_config(app, options.host, options.port, options.timeout)
    return run_server(Server(config, announce))
