"""What a service has to bear that is left running."""

from __future__ import annotations

import json
import os
import signal
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.serve.conftest import Running, Start

PLAIN = {"Content-Type": "text/plain"}
LINES = {"Content-Type": "application/jsonl"}


SLOW = "?preset=paper&k=200&restarts=30&format=html"


@pytest.fixture(scope="module")
def long(article: str) -> str:
    """A document that takes seconds where SLOW is asked for, with a word in it to look for."""
    return (article + " The xylograph was quiet. ") * 5


def _post(service: Running, text: str, query: str = SLOW) -> httpx.Response:
    with service.client() as client:
        return client.post(f"/v1/analyze{query}", content=text, headers=PLAIN)


def _place(service: Running) -> tuple[str, int]:
    parts = urlsplit(service.url)
    return str(parts.hostname), int(parts.port or 80)


def _wait_until_busy(service: Running, busy: int = 1, waiting: int = 0) -> None:
    wanted = (f"docbats_workers_busy {busy}\n", f"docbats_queue_length {waiting}\n")
    with service.client() as client:
        for _ in range(400):
            metrics = client.get("/v1/metrics").text
            if all(line in metrics for line in wanted):
                return
            time.sleep(0.01)
    pytest.fail("no worker became busy")


def test_a_worker_that_is_killed_costs_no_request(start: Start, article: str, long: str) -> None:
    with start("--workers", "1") as service, ThreadPoolExecutor() as threads:
        (worker,) = service.workers()
        killed = threads.submit(_post, service, long)
        _wait_until_busy(service)
        waiting = threads.submit(_post, service, article, "")
        time.sleep(0.05)
        os.kill(worker, signal.SIGKILL)
        assert killed.result().status_code == 200
        assert waiting.result().status_code == 200
        assert service.workers() != [worker]
        assert "xylograph" not in service.log.read_text()


def test_a_document_that_takes_too_long_is_given_up(start: Start, article: str, long: str) -> None:
    with start("--workers", "1", "--timeout", "1.5") as service:
        response = _post(service, long * 4, SLOW.replace("200", "400"))
        assert response.status_code == 503
        assert response.json()["type"] == "urn:docbats:problem:too-slow"
        assert "--timeout" in response.json()["detail"]
        assert int(response.headers["retry-after"]) > 0
        assert _post(service, article, "").status_code == 200
        with service.client() as client:
            metrics = client.get("/v1/metrics").text
        assert "docbats_worker_restarts_total 1\n" in metrics
        assert 'docbats_documents_total{outcome="too-slow"} 1\n' in metrics


def test_a_document_that_takes_too_much_memory_is_refused(
    start: Start, article: str, long: str
) -> None:
    with start("--workers", "1", "--max-memory", "550") as service:
        response = _post(service, long * 80, "?k=500")
        assert response.status_code == 422
        assert response.json()["type"] == "urn:docbats:problem:too-much-memory"
        assert _post(service, article, "").status_code == 200


def test_no_more_requests_are_read_than_fit(start: Start, long: str) -> None:
    """Clients that never finish sending cannot fill the memory: the next ones are turned away."""
    with start("--workers", "1", "--queue", "0") as service:
        stalled = [socket.create_connection(_place(service)) for _ in range(2)]
        for connection in stalled:
            connection.sendall(
                b"POST /v1/analyze HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
                b"Content-Length: 1000\r\n\r\nThe beginning"
            )
        time.sleep(0.3)
        assert _post(service, long).json()["type"] == "urn:docbats:problem:busy"
        for connection in stalled:
            connection.close()
        time.sleep(0.3)
        assert _post(service, "Red cars. Fast cars.", "").status_code == 200


def test_a_busy_service_says_so_at_once_and_stays_responsive(start: Start, long: str) -> None:
    with start("--workers", "1", "--queue", "1") as service, ThreadPoolExecutor() as threads:
        first = threads.submit(_post, service, long)
        _wait_until_busy(service)
        second = threads.submit(_post, service, long)
        time.sleep(0.2)
        began = time.perf_counter()
        third = _post(service, "A short text.", "")
        with service.client() as client:
            assert client.get("/v1/health").status_code == 200
        assert time.perf_counter() - began < 1
        assert third.status_code == 503
        assert third.json()["type"] == "urn:docbats:problem:busy"
        assert int(third.headers["retry-after"]) > 0
        assert first.result().status_code == 200
        assert second.result().status_code == 200


def test_a_stop_finishes_what_was_accepted(start: Start, article: str, long: str) -> None:
    with start("--workers", "1") as service, ThreadPoolExecutor() as threads:
        workers = service.workers()
        under_way = threads.submit(_post, service, long)
        _wait_until_busy(service)
        waiting = threads.submit(_post, service, article, "")
        _wait_until_busy(service, waiting=1)
        assert service.stop() == 0
        assert under_way.result().status_code == 200
        assert under_way.result().text.endswith("</html>\n")
        assert waiting.result().status_code == 200
        with pytest.raises(httpx.ConnectError):
            _post(service, article, "")
        for worker in workers:
            with pytest.raises(ProcessLookupError):
                os.kill(worker, 0)


def test_no_worker_outlives_a_service_that_is_killed(start: Start, long: str) -> None:
    with start("--workers", "1") as service, ThreadPoolExecutor() as threads:
        (worker,) = service.workers()
        threads.submit(_post, service, long, SLOW.replace("=30", "=100"))
        _wait_until_busy(service)
        service.process.kill()
        service.process.wait()
        for _ in range(100):
            if not _is_alive(worker):
                return
            time.sleep(0.02)
    pytest.fail("the worker goes on")


def _is_alive(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"  # dead, but nobody has looked yet


def test_a_stop_ends_a_stream_of_many_with_a_word_of_why(start: Start, article: str) -> None:
    line = json.dumps({"text": article}) + "\n"
    enough = threading.Event()

    def lines() -> list[str]:
        with service.client() as client:
            response = client.post("/v1/analyze/many", content=parts(), headers=LINES)
            return response.text.splitlines()

    def parts() -> Iterator[bytes]:
        for _ in range(3):
            yield line.encode()
        enough.set()
        time.sleep(3)  # the client has more to say, but not yet
        yield b"\n"

    with start("--workers", "1") as service, ThreadPoolExecutor() as threads:
        answers = threads.submit(lines)
        enough.wait()
        time.sleep(0.5)
        assert service.stop() == 0
        *done, last = (json.loads(answer) for answer in answers.result())
        assert [answer["id"] for answer in done] == [1, 2, 3]
        assert all("result" in answer for answer in done)
        assert last["error"]["type"] == "urn:docbats:problem:stopping"


def test_a_client_that_goes_away_frees_its_place(start: Start, article: str, long: str) -> None:
    with start("--workers", "1", "--queue", "1") as service, ThreadPoolExecutor() as threads:
        first = threads.submit(_post, service, long)
        _wait_until_busy(service)
        with service.client() as client, pytest.raises(httpx.ReadTimeout):
            client.post(f"/v1/analyze{SLOW}", content=long, headers=PLAIN, timeout=0.3)
        time.sleep(0.2)
        assert first.result().status_code == 200
        began = time.perf_counter()
        assert _post(service, article, "").status_code == 200
        assert time.perf_counter() - began < 2


def test_ctrl_c_of_the_whole_group_lets_work_finish(start: Start, long: str) -> None:
    with start("--workers", "1") as service, ThreadPoolExecutor() as threads:
        under_way = threads.submit(_post, service, long)
        _wait_until_busy(service)
        for pid in (service.process.pid, *service.workers()):  # as a terminal does
            os.kill(pid, signal.SIGINT)
        assert under_way.result().status_code == 200
        assert service.process.wait(30) == 0


def test_nothing_of_a_document_is_logged(start: Start) -> None:
    secret = "Xylograph quartz. The xylograph is secret. "
    with start("--workers", "1") as service, service.client() as client:
        for body in (secret * 3, secret, " "):
            for query in ("", "?format=md", "?k=99", "?name=Xylograph", "?xylograph=1"):
                client.post(f"/v1/analyze{query}", content=body, headers=PLAIN)
                client.post(f"/v1/analyze{query}", json={"text": body, "xylograph": body})
        client.post("/v1/analyze/many", content=secret, headers=LINES)
        client.get("/xylograph")
        assert "xylograph" not in client.get("/v1/metrics").text.lower()
        assert service.stop() == 0
        said = service.log.read_text()
    assert "xylograph" not in said.lower()
    assert said.count("\n") == 1  # where it is, and no more


def test_a_port_that_is_taken_is_an_error(service: Running, start: Start) -> None:
    port = service.url.rstrip("/").rpartition(":")[2]
    with pytest.raises(AssertionError, match="in use"), start("--port", port, "--workers", "1"):
        pass
