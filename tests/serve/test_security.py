from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest

from docbats.serve.service import ServiceOptions

if TYPE_CHECKING:
    import httpx
    from tests.serve.conftest import Start

PLAIN = {"Content-Type": "text/plain"}


@pytest.mark.parametrize("path", ["/", "/static/app.js", "/v1/health", "/v1/nothing"])
def test_every_answer_has_the_headers(client: httpx.Client, path: str) -> None:
    headers = client.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    # Recordings that the reader drops stay in the browser: nothing else may be played.
    media = [part for part in policy.split("; ") if part.startswith("media-src")]
    assert media == ([] if path.startswith("/v1/") else ["media-src blob:"])
    assert "access-control-allow-origin" not in headers
    assert "server" not in headers
    assert headers["cache-control"] == ("no-store" if path.startswith("/v1/") else "no-cache")


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "", "[", "127.0.0.2"])
def test_other_hosts_are_refused(client: httpx.Client, host: str) -> None:
    response = client.get("/v1/health", headers={"Host": host})
    assert response.status_code == 400
    if host:
        assert response.json()["type"] == "urn:docbats:problem:wrong-host"


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:80", "127.0.0.1", "[::1]:8000"])
def test_loopback_names_are_served(client: httpx.Client, host: str) -> None:
    assert client.get("/v1/health", headers={"Host": host}).status_code == 200


def test_pages_of_other_sites_cannot_send(client: httpx.Client, article: str) -> None:
    for origin in ("https://evil.example", "null"):
        headers = {**PLAIN, "Origin": origin}
        response = client.post("/v1/analyze", content=article, headers=headers)
        assert response.status_code == 403
    own = str(client.base_url).rstrip("/")
    response = client.post("/v1/analyze", content=article, headers={**PLAIN, "Origin": own})
    assert response.status_code == 200


def test_no_preflight_succeeds(client: httpx.Client) -> None:
    headers = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    response = client.options("/v1/analyze", headers=headers)
    assert response.status_code == 403
    assert "access-control-allow-origin" not in response.headers


def test_hosts_that_are_allowed() -> None:
    assert ServiceOptions(host="127.0.0.1").allowed_hosts == frozenset(
        {"127.0.0.1", "localhost", "::1"}
    )
    open_ = ServiceOptions(host="0.0.0.0")
    for name in ("localhost", "192.168.1.7", "fe80::1", socket.gethostname().lower()):
        assert open_.accepts_host(name)
    for name in ("evil.example", "", "192.168.1.7.evil.example"):
        assert not open_.accepts_host(name)
        assert ServiceOptions(host="0.0.0.0", hosts=frozenset({"*"})).accepts_host(name)
    assert ServiceOptions(host="0.0.0.0", hosts=frozenset({"bats"})).allowed_hosts == frozenset(
        {"bats"}
    )


def test_the_token_is_asked_for(start: Start, article: str) -> None:
    with start("--workers", "1", token="secret-of-ours") as service, service.client() as client:
        for shown in ("", "Bearer", "Bearer wrong", "Basic secret-of-ours", "Bearer sécret"):
            headers = [(b"Content-Type", b"text/plain"), (b"Authorization", shown.encode())]
            response = client.post("/v1/analyze", content=article, headers=headers)
            assert response.status_code == 401, shown
            assert response.headers["content-type"] == "application/problem+json"
            assert response.headers["www-authenticate"].startswith("Bearer")
        for path in ("/v1/presets", "/v1/metrics", "/v1/nothing"):
            assert client.get(path).status_code == 401
        for path in ("/", "/static/app.js", "/v1/health", "/v1/openapi.json"):
            assert client.get(path).status_code == 200
        right = {**PLAIN, "Authorization": "bearer secret-of-ours"}
        assert client.post("/v1/analyze", content=article, headers=right).status_code == 200
        assert service.stop() == 0
        assert "secret" not in service.log.read_text()
