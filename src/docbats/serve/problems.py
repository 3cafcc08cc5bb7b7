"""Errors as clients see them: problem+json (RFC 9457) that says what to do."""

from __future__ import annotations

import json
from enum import Enum
from functools import partial
from typing import Any

MEDIA_TYPE = "application/problem+json"


class Kind(Enum):
    """What can go wrong, with an HTTP status and a title."""

    BAD_REQUEST = 400, "The request cannot be read"
    WRONG_HOST = 400, "The service has another host name"
    NO_TOKEN = 401, "A token is needed"
    OTHER_SITE = 403, "Pages of other sites must not use this service"
    NOT_FOUND = 404, "There is nothing at this address"
    WRONG_METHOD = 405, "This address does not accept this method"
    NOT_ACCEPTABLE = 406, "The result is not available in this format"
    TOO_SLOW_TO_ARRIVE = 408, "The request took too long to arrive"
    TOO_LARGE = 413, "The document is too large"
    UNSUPPORTED_TYPE = 415, "The document has an unsupported type"
    WRONG_SETTINGS = 422, "The settings are invalid"
    CANNOT_BE_READ = 422, "The document cannot be read"
    CANNOT_BE_ANALYZED = 422, "The document cannot be analyzed with these settings"
    TOO_MUCH_MEMORY = 422, "The analysis needs too much memory"
    TOO_MANY_SENTENCES = 422, "The document has too many sentences"
    FAILED = 500, "The analysis failed"
    BUSY = 503, "The service is busy"
    TOO_SLOW = 503, "The analysis took too long"
    STOPPING = 503, "The service is stopping"

    def __init__(self, status: int, title: str) -> None:
        self.status, self.title = status, title

    @property
    def uri(self) -> str:
        """Its name in responses."""
        return f"urn:docbats:problem:{self.label}"

    @property
    def label(self) -> str:
        """Its name in metrics.

        >>> Kind.TOO_LARGE.label
        'too-large'
        """
        return self.name.lower().replace("_", "-")


class Problem(Exception):  # noqa: N818  (RFC 9457 calls it so)
    """What went wrong, for the client.

    Examples
    --------
    >>> problem = Problem(Kind.TOO_LARGE, "It has 12 bytes, 10 are allowed: send less.")
    >>> problem.kind.status, problem.to_dict()["type"]
    (413, 'urn:docbats:problem:too-large')
    """

    def __init__(
        self,
        kind: Kind,
        detail: str,
        *,
        headers: dict[str, str] | None = None,
        errors: list[dict[str, str]] | None = None,
    ) -> None:
        super().__init__(kind, detail)
        self.kind, self.detail, self.errors = kind, detail, errors
        self.headers = dict(headers or {})
        if kind.status == 503:
            self.headers.setdefault("Retry-After", "2")
        elif kind.status == 401:
            self.headers.setdefault("WWW-Authenticate", 'Bearer realm="docbats"')

    def __reduce__(self) -> tuple[Any, ...]:
        make = partial(Problem, headers=self.headers, errors=self.errors)
        return make, (self.kind, self.detail)

    def to_dict(self) -> dict[str, Any]:
        """Return the members of the problem as JSON-ready values."""
        values: dict[str, Any] = {
            "type": self.kind.uri,
            "title": self.kind.title,
            "status": self.kind.status,
            "detail": self.detail,
        }
        return values if self.errors is None else {**values, "errors": self.errors}

    def to_bytes(self) -> bytes:
        """Return the problem as JSON."""
        return json.dumps(self.to_dict()).encode()


def problem_of_status(status: int, detail: str) -> Problem:
    """Return the problem for a status that the framework chose."""
    known = {404: Kind.NOT_FOUND, 405: Kind.WRONG_METHOD}
    other = Kind.BAD_REQUEST if status < 500 else Kind.FAILED
    return Problem(known.get(status, other), detail)
