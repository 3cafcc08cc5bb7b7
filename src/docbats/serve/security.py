"""Checks of the host, the origin and the token of requests, and security headers of responses."""

from __future__ import annotations

import hmac
import logging
import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from docbats.processes import error_location
from docbats.serve.problems import MEDIA_TYPE, Kind, Problem

if TYPE_CHECKING:
    from collections.abc import Collection

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from docbats.serve.service import Service

_log = logging.getLogger("docbats.serve")

OPEN_PATHS = ("/v1/health", "/v1/openapi.json")
"""Paths that need no token: they reveal nothing about documents."""

_CLIENT_LEFT = 499  # counted if a client hangs up before it has sent everything, as by nginx
_HOST = re.compile(r"(?:[\w.-]*|\[[\w.:%-]+\])(?::\d*)?", re.ASCII)
_PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "media-src blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_API_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"
_SECURITY_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def problem_response(problem: Problem) -> Response:
    """Return the response that reports a problem."""
    return Response(
        problem.to_bytes(), problem.kind.status, headers=problem.headers, media_type=MEDIA_TYPE
    )


class SecurityMiddleware:
    """Wraps an application; requests to `paths` are counted by path, others together."""

    def __init__(self, app: ASGIApp, service: Service, paths: Collection[str]) -> None:
        self._app, self._service, self._paths = app, service, paths
        token = service.options.token
        self._token = None if token is None else token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check the request, pass it on, and add the security headers to the response."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path = scope["path"]
        status = 0

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _add_headers(MutableHeaders(scope=message), is_api=path.startswith("/v1/"))
            await send(message)

        try:
            self._check(Headers(scope=scope), scope["method"], path)
            await self._app(scope, receive, send_with_headers)
        except ClientDisconnect:
            status = status or _CLIENT_LEFT
        except Problem as problem:
            await problem_response(problem)(scope, receive, send_with_headers)
        except Exception as error:  # its message might quote a document, so it goes no further
            _log.error("a request failed: %s", error_location(error))
            if not status:
                failure = Problem(Kind.FAILED, "The service failed unexpectedly: try again.")
                await problem_response(failure)(scope, receive, send_with_headers)
        finally:
            name = path if path in self._paths else "other"
            self._service.metrics.count_request(name, status)

    def _check(self, headers: Headers, method: str, path: str) -> None:
        check_form(headers)
        host = headers.get("host", "")
        if not self._service.options.accepts_host(_hostname(host)):
            msg = (
                "The Host header names another host: use the address that docbats serve printed, "
                "or start it with --allow-host."
            )
            raise Problem(Kind.WRONG_HOST, msg)
        origin = headers.get("origin")
        if method not in {"GET", "HEAD"} and origin and _netloc(origin) != host:
            msg = "The Origin header names another site: open this service's own page."
            raise Problem(Kind.OTHER_SITE, msg)
        if self._token is not None and path.startswith("/v1/") and path not in OPEN_PATHS:
            scheme, _, sent = headers.get("authorization", "").partition(" ")
            matches = hmac.compare_digest(sent.strip().encode(), self._token)
            if scheme.lower() != "bearer" or not matches:
                msg = "Send the header Authorization: Bearer TOKEN, with the token of this service."
                raise Problem(Kind.NO_TOKEN, msg)


def check_form(headers: Headers) -> None:
    """Raise a problem for headers that servers and proxies may understand differently."""
    if _HOST.fullmatch(headers.get("host", "")) is None:
        msg = "The Host header is not a host name with a port: send one."
        raise Problem(Kind.WRONG_HOST, msg)
    if "transfer-encoding" in headers and "content-length" in headers:
        msg = "Content-Length and Transfer-Encoding say where the body ends: send one of them."
        raise Problem(Kind.BAD_REQUEST, msg, headers={"Connection": "close"})


def _add_headers(headers: MutableHeaders, *, is_api: bool) -> None:
    for name, value in _SECURITY_HEADERS.items():
        headers[name] = value
    headers["Content-Security-Policy"] = _API_POLICY if is_api else _PAGE_POLICY
    headers.setdefault("Cache-Control", "no-store" if is_api else "no-cache")


def _netloc(origin: str) -> str | None:
    """Return host and port of an Origin header; None if it is malformed.

    >>> _netloc("http://localhost:8000"), _netloc("http://[")
    ('localhost:8000', None)
    """
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _hostname(host: str) -> str:
    """Return the host name in a Host header, without its port.

    >>> _hostname("localhost:8000"), _hostname("[::1]:8000"), _hostname("[")
    ('localhost', '::1', '')
    """
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""
