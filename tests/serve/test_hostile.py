"""What a hostile or a careless client sends, and that the others are served all the same."""

from __future__ import annotations

import json
import os
import signal
import socket
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    import httpx
    from tests.serve.conftest import Start

PLAIN = {"Content-Type": "text/plain"}
JSON = {"Content-Type": "application/json"}
DEEP = b'{"text": ' + b"[" * 5000


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "//", "x" * 5000])
def test_a_malformed_origin_is_another_site(client: httpx.Client, origin: str) -> None:
    response = client.post("/v1/analyze", content=b"Bats.", headers={**PLAIN, "Origin": origin})
    assert response.status_code == 403


def test_a_line_nested_too_deeply_has_its_answer(client: httpx.Client) -> None:
    lines = [b'{"id": "a", "text": "Bats fly."}', DEEP, b'{"id": "c", "text": "Tea is hot."}']
    headers = {"Content-Type": "application/jsonl"}
    response = client.post("/v1/analyze/many", content=b"\n".join(lines), headers=headers)
    answers = [json.loads(line) for line in response.text.splitlines()]
    assert [answer["id"] for answer in answers] == ["a", 2, "c"]
    assert answers[1]["error"]["status"] == 400
    assert client.post("/v1/analyze", content=DEEP, headers=JSON).status_code == 400


def test_a_lone_surrogate_is_taken_and_offsets_stay(client: httpx.Client) -> None:
    text = "Bats \ud800 fly. Tea is hot."
    body = json.dumps({"text": text, "k": 1})
    response = client.post("/v1/analyze", content=body, headers=JSON)
    assert response.status_code == 200, response.text
    segments = response.json()["segments"]
    assert [segment["end"] for segment in segments][-1] == len(text)
    assert segments[0]["text"].startswith("Bats \ufffd fly.")


@pytest.mark.parametrize("setting", ["k=2001", "n_topics=301", "window=101", "restarts=101"])
def test_settings_that_ask_for_much_work_are_refused(client: httpx.Client, setting: str) -> None:
    response = client.post(f"/v1/analyze?{setting}", content=b"Bats fly.", headers=PLAIN)
    assert response.status_code == 422
    assert response.json()["errors"][0]["field"] == setting.partition("=")[0]


def test_a_client_that_hangs_up_is_no_failure_of_the_service(start: Start) -> None:
    with start("--workers", "1") as service, service.client() as client:
        address = urlsplit(service.url)
        with socket.create_connection((address.hostname, address.port or 80)) as left:
            head = f"POST /v1/analyze HTTP/1.1\r\nHost: {address.netloc}\r\n"
            left.sendall(f"{head}Content-Type: text/plain\r\nContent-Length: 99\r\n\r\nB".encode())
        client.post("/v1/analyze", content=b"Bats fly.", headers=PLAIN)
        for _ in range(50):
            metrics = client.get("/v1/metrics").text
            if 'status="499"' in metrics:
                break
        assert 'status="499"' in metrics
        assert 'status="500"' not in metrics


def test_a_request_just_after_a_worker_died_is_answered(start: Start) -> None:
    with start("--workers", "1") as service, service.client() as client:
        for _ in range(3):
            for worker in service.workers():
                os.kill(worker, signal.SIGKILL)
            response = client.post("/v1/analyze", content=b"Bats fly. Tea.", headers=PLAIN)
            assert response.status_code == 200, response.text


def test_silent_connections_do_not_keep_others_out(start: Start) -> None:
    with start("--workers", "1") as service, service.client() as client:
        address = urlsplit(service.url)
        silent: list[socket.socket] = []
        try:
            place = address.hostname, address.port or 80
            silent += [socket.create_connection(place) for _ in range(700)]
            assert client.get("/v1/health").status_code == 200
            response = client.post("/v1/analyze", content=b"Bats fly.", headers=PLAIN)
            assert response.status_code == 200
        finally:
            for connection in silent:
                connection.close()


def test_other_machines_need_the_token_that_is_printed(start: Start) -> None:
    with start("--workers", "1", "--host", "0.0.0.0") as service:
        url, _, token = service.url.partition("#token=")
        assert len(token) > 20
        with service.client() as client:
            assert client.get(f"{url}v1/presets").status_code == 401
            headers = {"Authorization": f"Bearer {token}"}
            assert client.get(f"{url}v1/presets", headers=headers).status_code == 200
            rebound = {**headers, "Host": "rebound.example"}
            assert client.get(f"{url}v1/presets", headers=rebound).status_code == 400
