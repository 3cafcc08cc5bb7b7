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


_CLOSE = {"Connection": "close"}
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, POST",
    "Access-Control-Allow-Headers": "Accept, Authorization, Content-Type",
    "Access-Control-Max-Age": "600",
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
        scope["root_path"] = scope.get("root_path") or self._service.options.root_path
        path = route_path(scope)
        headers = Headers(scope=scope)
        shared = self._shared_with(headers, path)
        status = 0

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                is_api = path.startswith("/v1/")
                _add_headers(MutableHeaders(scope=message), is_api=is_api, shared_with=shared)
            await send(message)

        try:
            answer = self._check(headers, scope["method"], path, shared)
            await (answer or self._app)(scope, receive, send_with_headers)
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

    def _shared_with(self, headers: Headers, path: str) -> str | None:
        """Return the origin of another site whose pages may use the API; None for all others."""
        origin = headers.get("origin")
        if origin is None or origin == "null" or not path.startswith("/v1/"):
            return None
        allowed = self._service.options.cors_origins
        return origin if origin.lower() in allowed or "*" in allowed else None

    def _check(
        self, headers: Headers, method: str, path: str, shared_with: str | None
    ) -> Response | None:
        """Raise a problem if a request is not allowed; return what answers a preflight."""
        check_form(headers)
        self._check_host(headers)
        if shared_with is None:
            _check_origin(headers, method)
        elif _is_preflight(method, headers):
            return Response(status_code=204, headers=_PREFLIGHT)
        self._check_token(headers, path)
        return None

    def _check_host(self, headers: Headers) -> None:
        if not self._service.options.accepts_host(hostname(headers.get("host", ""))):
            msg = (
                "The Host header names another host: use the address that docbats serve printed, "
                "or start it with --allow-host."
            )
            raise Problem(Kind.WRONG_HOST, msg, headers=_CLOSE)

    def _check_token(self, headers: Headers, path: str) -> None:
        if self._token is None or not path.startswith("/v1/") or path in OPEN_PATHS:
            return
        if not has_token(headers, self._token):
            msg = "Send the header Authorization: Bearer TOKEN, with the token of this service."
            raise Problem(Kind.NO_TOKEN, msg)


def check_form(headers: Headers) -> None:
    """Raise a problem for headers that servers and proxies may understand differently."""
    if _HOST.fullmatch(headers.get("host", "")) is None:
        msg = "The Host header is not a host name with a port: send one."
        raise Problem(Kind.WRONG_HOST, msg, headers=_CLOSE)
    if "transfer-encoding" in headers and "content-length" in headers:
        msg = "Content-Length and Transfer-Encoding say where the body ends: send one of them."
        raise Problem(Kind.BAD_REQUEST, msg, headers=_CLOSE)


def route_path(scope: Scope) -> str:
    """Return the path of a request without the one that the application is under.

    >>> route_path({"path": "/docbats/v1/health", "root_path": "/docbats"})
    '/v1/health'
    """
    path: str = scope["path"]
    root: str = scope.get("root_path", "").rstrip("/")
    is_below = path == root or path.startswith(f"{root}/")
    return path.removeprefix(root) if is_below else path


def has_token(headers: Headers, token: bytes) -> bool:
    """Whether the Authorization header has the token; compared in constant time."""
    scheme, _, sent = headers.get("authorization", "").partition(" ")
    matches = hmac.compare_digest(sent.strip().encode(), token)
    return scheme.lower() == "bearer" and matches


def is_own_origin(headers: Headers) -> bool:
    """Whether a request comes from a page of this server, or from no page at all."""
    origin = headers.get("origin")
    return not origin or netloc(origin) == headers.get("host", "")


def _check_origin(headers: Headers, method: str) -> None:
    if method not in {"GET", "HEAD"} and not is_own_origin(headers):
        msg = (
            "The Origin header names another site: open this service's own page, or start docbats "
            "serve with --cors-origin."
        )
        raise Problem(Kind.OTHER_SITE, msg)


def _is_preflight(method: str, headers: Headers) -> bool:
    """Whether a browser asks what a page of another site may send."""
    return method == "OPTIONS" and "access-control-request-method" in headers


def _add_headers(headers: MutableHeaders, *, is_api: bool, shared_with: str | None) -> None:
    for name, value in _SECURITY_HEADERS.items():
        headers[name] = value
    if shared_with is not None:
        headers["Access-Control-Allow-Origin"] = shared_with
        headers["Access-Control-Expose-Headers"] = "Retry-After, WWW-Authenticate"
        headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        headers.add_vary_header("Origin")
    headers["Content-Security-Policy"] = _API_POLICY if is_api else _PAGE_POLICY
    headers.setdefault("Cache-Control", "no-store" if is_api else "no-cache")


def netloc(origin: str) -> str | None:
    """Return host and port of an Origin header; None if it is malformed.

    >>> netloc("http://localhost:8000"), netloc("http://[")
    ('localhost:8000', None)
    """
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def hostname(host: str) -> str:
    """Return the host name in a Host header, without its port.

    >>> hostname("localhost:8000"), hostname("[::1]:8000"), hostname("[")
    ('localhost', '::1', '')
    """
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""
