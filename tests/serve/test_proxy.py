"""Behind a proxy under a path, and for pages of other sites that are allowed."""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

import pytest
from click.testing import CliRunner
from starlette.applications import Starlette
from starlette.routing import Mount

from docbats.cli import main
from docbats.serve.app import create_app
from docbats.serve.service import ServiceOptions

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # newer versions would rather have httpx2
    from starlette.testclient import TestClient

if TYPE_CHECKING:
    from tests.serve.conftest import Start

PLAIN = {"Content-Type": "text/plain"}
TEXT = "Bats fly. Bats sleep. Tea cools. Tea is hot."
SITE = "https://app.example"


def _client(**options: Any) -> TestClient:
    """A client of an application whose processes start with the first document."""
    return TestClient(create_app(ServiceOptions(workers=1, **options)), "http://localhost")


@pytest.mark.parametrize("prefix", ["/docbats", ""])
def test_a_proxy_may_leave_the_path_or_remove_it(prefix: str) -> None:
    client = _client(root_path="/docbats", token="secret")
    page = client.get(f"{prefix}/")
    assert page.status_code == 200
    links = re.findall(r'(?:src|href)="([^"#]+)"', page.text)
    assert len(links) > 4
    for link in links:
        assert client.get(urljoin(f"http://localhost{prefix}/", link)).status_code == 200
    schema = client.get(f"{prefix}/v1/openapi.json").json()
    assert schema["servers"] == [{"url": "/docbats"}]
    # The token is needed with the path and without.
    assert client.get(f"{prefix}/v1/health").status_code == 200
    assert client.get(f"{prefix}/v1/presets").status_code == 401
    right = {"Authorization": "Bearer secret"}
    assert client.get(f"{prefix}/v1/presets", headers=right).status_code == 200
    metrics = client.get(f"{prefix}/v1/metrics", headers=right).text
    assert 'docbats_requests_total{path="/v1/presets",status="200"} 1' in metrics


def test_the_page_under_a_path_without_its_slash_is_found() -> None:
    client = _client(root_path="/docbats")
    response = client.get("/docbats", follow_redirects=False)
    assert response.status_code in {307, 308}
    assert response.headers["location"].endswith("/docbats/")


def test_paths_that_only_begin_alike_are_others() -> None:
    client = _client(root_path="/docbats", token="secret")
    assert client.get("/docbatsv1/presets").status_code == 404
    assert client.get("/docbats/docbats/v1/presets").status_code in {401, 404}


def test_the_application_works_inside_another() -> None:
    inner = create_app(ServiceOptions(workers=1, token="secret"))
    with TestClient(Starlette(routes=[Mount("/docbats", inner)]), "http://localhost") as client:
        assert client.get("/docbats/").status_code == 200
        assert client.get("/docbats/v1/presets").status_code == 401
        headers = {**PLAIN, "Authorization": "Bearer secret"}
        try:
            answer = client.post("/docbats/v1/chunk", content=TEXT, headers=headers)
        finally:
            inner.state.service.pool.close()
        assert answer.json()["chunks"][0]["text"] == TEXT


def test_pages_of_an_allowed_site_can_use_the_api() -> None:
    client = _client(cors_origins=frozenset({SITE}), token="secret")
    asked = {"Origin": SITE, "Access-Control-Request-Method": "POST"}
    preflight = client.options("/v1/analyze", headers=asked)
    assert preflight.status_code == 204
    assert preflight.headers["access-control-allow-origin"] == SITE
    assert "Authorization" in preflight.headers["access-control-allow-headers"]
    assert "access-control-allow-credentials" not in preflight.headers
    headers = {"Origin": SITE, "Authorization": "Bearer secret"}
    answer = client.get("/v1/presets", headers=headers)
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == SITE
    assert "Origin" in answer.headers["vary"]
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    # They read errors, too, and need the token as everybody does.
    without = client.post("/v1/analyze", content=TEXT, headers={**PLAIN, "Origin": SITE})
    assert without.status_code == 401
    assert without.headers["access-control-allow-origin"] == SITE


@pytest.mark.parametrize("origin", ["https://evil.example", "https://app.example.evil", "null"])
@pytest.mark.parametrize("allowed", [frozenset[str](), frozenset({SITE})])
def test_pages_of_other_sites_cannot(origin: str, allowed: frozenset[str]) -> None:
    client = _client(cors_origins=allowed)
    asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    answers = [
        client.options("/v1/analyze", headers=asked),
        client.post("/v1/analyze", content=TEXT, headers={**PLAIN, "Origin": origin}),
    ]
    assert [answer.status_code for answer in answers] == [403, 403]
    answers.append(client.get("/v1/presets", headers={"Origin": origin}))
    answers.append(client.get("/", headers={"Origin": SITE}))  # the page is not shared
    for answer in answers:
        assert "access-control-allow-origin" not in answer.headers
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"


def test_any_site_can_be_allowed_except_one_without_a_name() -> None:
    client = _client(cors_origins=frozenset({"*"}))
    answer = client.get("/v1/presets", headers={"Origin": "https://any.example"})
    assert answer.headers["access-control-allow-origin"] == "https://any.example"
    assert client.post("/v1/chunk", headers={"Origin": "null"}).status_code == 403


@pytest.mark.parametrize(
    "options",
    [("--cors-origin", "app.example"), ("--cors-origin", f"{SITE}/page"), ("--root-path", "a b")],
)
def test_wrong_options_are_wrong_use(options: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, ["serve", *options])
    assert result.exit_code == 2
    assert options[0] in result.output


def test_the_command_passes_its_options_on(start: Start) -> None:
    options = ["--workers", "1", "--root-path", "/docbats/", "--cors-origin", f"{SITE.upper()}/"]
    with start(*options) as service, service.client() as client:
        assert client.get("docbats/").status_code == 200
        answer = client.post("docbats/v1/chunk", content=TEXT, headers={**PLAIN, "Origin": SITE})
        assert answer.headers["access-control-allow-origin"] == SITE
