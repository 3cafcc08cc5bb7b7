"""A service that was started with a function that names segments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.title_server import module_of_the_page, title_server

if TYPE_CHECKING:
    from pathlib import Path

    import httpx
    import pytest

    from .conftest import Start

TEXT = "Bats hunt moths by night. Moths hear the bats and dive. Tea needs hot water. Hot tea cools."


def test_every_document_is_named(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "names.py").write_text(module_of_the_page(), encoding="utf-8")
    with title_server() as server:
        monkeypatch.setenv("NAMES_ADDRESS", server.address)
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        with start("--workers", "1", "--namer", "names:ask", "--timeout", "20") as running:
            client = running.client()
            found = client.post("/v1/analyze", json={"text": TEXT, "k": 2}).json()
            assert [segment["title"] for segment in found["segments"]] == ["On bats", "On tea"]
            assert found["segments"][0]["summary"].startswith("This part has ")
            assert found["settings"]["namer_timeout"] == 10
            server.answer = lambda _: (500, b"")
            failed = client.post("/v1/analyze", json={"text": TEXT, "k": 2})
            assert failed.status_code == 200
            assert "The namer failed (HTTPError at " in failed.json()["notes"][-1]
            own = {"text": TEXT, "boundaries": [0, 56], "titles": ["My bats", "My tea"]}
            titled = client.post("/v1/analyze", json=own).json()
            assert [segment["title"] for segment in titled["segments"]] == ["My bats", "My tea"]
            client.close()


def test_no_request_may_name_a_namer(client: httpx.Client) -> None:
    for setting in ({"namer": "os:getcwd"}, {"namer_timeout": 5}):
        response = client.post("/v1/analyze", json={"text": TEXT, **setting})
        assert response.status_code == 422
        assert "Extra inputs are not permitted" in response.json()["detail"]
    response = client.post("/v1/analyze?namer=os:getcwd", content=TEXT.encode())
    assert response.status_code in {415, 422}
