"""What a hostile or a careless client sends, and that the others are served all the same."""

from __future__ import annotations

import json
import os
import signal
import socket
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from docbats.serve.problems import Problem
from docbats.serve.schema import DocumentRequest, parse_json

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


MANY = {
    "unknown members": b'{"text": "Bats fly."' + b"".join(b',"a%d":1' % i for i in range(1200)),
    "members of a member": b'{"text": {' + b'"a":1,' * 1200 + b'"b":1}',
    "words": b'{"text": "Bats fly.", "stop_words": [' + b'"a",' * 100_000 + b'"b"]',
    "numbers": b'{"text": "Bats fly.", "boundaries": [' + b"1," * 100_000 + b"1]",
}


@pytest.mark.parametrize("name", ["unknown members", "members of a member"])
def test_requests_with_many_members_are_refused(client: httpx.Client, name: str) -> None:
    response = client.post("/v1/analyze", content=MANY[name] + b"}", headers=JSON)
    assert response.status_code == 400, response.text
    assert "more than 1,000 members or 100,000 items" in response.json()["detail"]
    lines = MANY[name] + b'}\n{"id": "b", "text": "Bats fly."}'
    headers = {"Content-Type": "application/jsonl"}
    answers = client.post("/v1/analyze/many", content=lines, headers=headers).text.splitlines()
    assert [json.loads(line).get("error", {}).get("status") for line in answers] == [400, None]


@pytest.mark.parametrize("name", MANY)
def test_members_and_items_are_counted_before_they_are_looked_at(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DocumentRequest, "model_validate_json", None)
    with pytest.raises(Problem):
        parse_json(DocumentRequest, MANY[name] + b"}")


def test_signs_in_strings_are_not_counted(client: httpx.Client) -> None:
    text = 'Bats said: "a", "b", {"c": [1, 2]}.\n' * 60
    response = client.post("/v1/analyze", content=json.dumps({"text": text, "k": 2}), headers=JSON)
    assert response.status_code == 200, response.text


def _send(client: httpx.Client, request: bytes) -> tuple[bytes, dict[str, Any]]:
    with socket.create_connection((client.base_url.host, client.base_url.port or 80)) as sender:
        sender.settimeout(20)
        sender.sendall(request)
        answer = b"".join(iter(lambda: sender.recv(65536), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    return head.lower(), json.loads(body)


TWO_LENGTHS = b"Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"


@pytest.mark.parametrize(
    "request_",
    [
        b"BATS\r\n\r\n",
        b"GET / HTTP/9\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost : a\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"POST /v1/analyze HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
        b"POST /v1/analyze HTTP/1.1\r\nHost: 127.0.0.1\r\n%s" % TWO_LENGTHS,
        b"GET / HTTP/1.1\r\nHost: a@127.0.0.1\r\nConnection: close\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1/a\r\nConnection: close\r\n\r\n",
    ],
)
def test_what_is_not_http_is_answered_like_every_problem(
    client: httpx.Client, request_: bytes
) -> None:
    head, problem = _send(client, request_)
    assert head.startswith(b"http/1.1 400 ")
    assert b"content-type: application/problem+json" in head
    assert b"connection: close" in head
    assert problem["status"] == 400
    assert problem["detail"]
