from __future__ import annotations

import asyncio
import http.client
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

import docbats
from docbats.serve import json_lines
from docbats.serve.json_lines import JsonLinesResponse, split_lines
from docbats.serve.problems import Kind, Problem
from docbats.serve.schema import DocumentLine
from docbats.serve.service import Service, ServiceOptions

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    import httpx
    from starlette.types import Message
    from tests.serve.conftest import Running, Start

LINES = {"Content-Type": "application/jsonl"}
SHORT = "Red cars. Fast cars. Old boats. Slow boats."


def _post(client: httpx.Client, lines: list[str], query: str = "") -> list[dict[str, Any]]:
    body = "\n".join(lines).encode()
    response = client.post(f"/v1/analyze/many{query}", content=body, headers=LINES)
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/jsonl"
    return [json.loads(line) for line in response.text.splitlines()]


def test_answers_come_in_order_and_bad_lines_do_not_stop_the_others(client: httpx.Client) -> None:
    long = json.dumps({"id": "long", "text": "Bats fly. " * 3000})
    answers = _post(
        client,
        [
            json.dumps({"id": "a", "text": SHORT, "k": 2}),
            "",
            "no json",
            json.dumps({"text": SHORT}),
            json.dumps({"id": 7, "text": " "}),
            json.dumps({"id": "b", "text": SHORT, "k": 99}),
            json.dumps({"id": "c", "text": SHORT, "colour": "red"}),
            json.dumps({"id": "d"}),
            "[]",
            long,
            '{"id": "e", "text": "\\ud800"}',
            json.dumps({"id": "last", "text": SHORT, "preset": "paper"}),
        ],
    )
    assert [answer["id"] for answer in answers] == [
        "a", 3, 4, 7, "b", "c", "d", 9, 10, "e", "last",
    ]  # fmt: skip
    statuses = [answer["error"]["status"] if "error" in answer else 200 for answer in answers]
    assert statuses[:-2] == [200, 400, 200, 422, 422, 422, 422, 422, 413]
    assert statuses[-1] == 200
    assert all(answer["error"]["detail"] for answer in answers if "error" in answer)


def test_the_results_are_those_of_the_library(client: httpx.Client, article: str) -> None:
    texts = [article, article[:3000], SHORT]
    answers = _post(client, [json.dumps({"text": text}) for text in texts], "?k=2")
    for text, answer in zip(texts, answers, strict=True):
        expected = docbats.analyze(text, k=2).to_dict(top_words=10)
        assert answer["result"] == json.loads(json.dumps(expected))


def test_wrong_queries_and_types_are_refused_at_once(client: httpx.Client) -> None:
    body = json.dumps({"text": SHORT})
    assert client.post("/v1/analyze/many?k=x", content=body, headers=LINES).status_code == 422
    headers = {"Content-Type": "text/plain"}
    assert client.post("/v1/analyze/many", content=body, headers=headers).status_code == 415


class _Stream:
    """A request that goes on while its answer comes."""

    def __init__(self, service: Running) -> None:
        parts = urlsplit(service.url)
        self._connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=30)
        self._connection.putrequest("POST", "/v1/analyze/many")
        self._connection.putheader("Content-Type", "application/jsonl")
        self._connection.putheader("Transfer-Encoding", "chunked")
        self._connection.endheaders()

    def send(self, line: bytes) -> None:
        self._connection.send(b"%x\r\n%b\r\n" % (len(line), line))

    def end(self) -> None:
        self._connection.send(b"0\r\n\r\n")

    @cached_property
    def answers(self) -> Iterator[dict[str, Any]]:
        return map(json.loads, self._connection.getresponse())

    def close(self) -> None:
        self._connection.close()


def test_each_answer_comes_before_the_next_line_is_sent(service: Running) -> None:
    """Send a line only when the one before it is answered: nothing may wait for the end."""
    stream = _Stream(service)
    for number in range(5):
        stream.send(json.dumps({"id": number, "text": SHORT}).encode() + b"\n")
        assert next(stream.answers)["id"] == number
    stream.end()
    assert list(stream.answers) == []
    stream.close()


def test_the_service_reads_no_faster_than_it_works(start: Start, article: str) -> None:
    """An endless request neither fills the memory nor keeps others from being served."""
    line = json.dumps({"text": article * 5}).encode() + b"\n"
    sent = 0

    def send() -> None:
        nonlocal sent
        with suppress(OSError):  # the reader has seen enough
            while sent < 3000:
                stream.send(line)
                sent += 1

    with start("--workers", "1", "--queue", "4") as service, service.client() as client:
        stream = _Stream(service)
        threading.Thread(target=send, daemon=True).start()
        assert [next(stream.answers)["id"] for _ in range(5)] == [1, 2, 3, 4, 5]
        assert client.post("/v1/analyze", json={"text": article}).status_code == 200
        assert sent < 500
        stream.close()


def _lines(parts: list[bytes], limit: int) -> list[bytes | None]:
    async def stream() -> AsyncIterator[bytes]:
        for part in parts:
            yield part

    async def lines() -> list[bytes | None]:
        return [line async for line in split_lines(stream(), limit)]

    # In a thread of its own: in this one, a browser of other tests may have a loop.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, lines()).result()


def test_lines_are_cut_wherever_the_parts_end() -> None:
    whole = b"one\n\nthree33\r\nfour"
    expected = [b"one", b"", b"three33\r", b"four"]
    for size in range(1, len(whole) + 1):
        parts = [whole[i : i + size] for i in range(0, len(whole), size)]
        assert _lines(parts, 8) == expected
        assert _lines(parts, 4) == [b"one", b"", None, b"four"]
    assert _lines([b"toolong", b"er"], 4) == [None]
    assert _lines([], 4) == []


@pytest.mark.parametrize("stopping", [False, True])
def test_nothing_is_left_of_a_client_that_reads_no_more(
    monkeypatch: pytest.MonkeyPatch, *, stopping: bool
) -> None:
    """The reader waits for room among the answers when the client is given up."""
    monkeypatch.setattr(json_lines, "MAX_STALL_SECONDS", 0.1)

    async def endless_lines() -> AsyncIterator[bytes]:
        while True:
            yield b"no json\n"

    async def respond() -> set[asyncio.Task[Any]]:
        service = Service(ServiceOptions(workers=1))

        async def send(message: Message) -> None:
            if message.get("body"):
                if stopping:
                    service.stopping.set()
                await asyncio.Event().wait()

        async def receive() -> Message:
            return {"type": "http.disconnect"}

        lines = JsonLinesResponse(service, endless_lines(), DocumentLine, service.make_job)
        await lines({}, receive, send)
        for _ in range(10):
            await asyncio.sleep(0)
        return asyncio.all_tasks() - {asyncio.current_task()}

    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(asyncio.run, respond()).result() == set()


def test_lines_wait_while_the_service_is_busy() -> None:
    """A line neither fails because the queue is full, nor takes more room than its workers."""

    async def main() -> None:
        service = Service(ServiceOptions(workers=1, queue=0))
        job = service.make_job({"text": SHORT, "k": 2})
        try:
            first = asyncio.create_task(service.run(job))
            await asyncio.sleep(0)
            with pytest.raises(Problem) as refused:
                await service.run(job)
            assert refused.value.kind is Kind.BUSY
            patient = [service.run(job, patiently=True) for _ in range(3)]
            assert await asyncio.gather(*patient) == [await first] * 3
        finally:
            service.pool.close()

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, main()).result()
