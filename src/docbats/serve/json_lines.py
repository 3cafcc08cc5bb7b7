"""Many documents in one request: a line of JSON for each, and one for each answer, in order."""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from docbats.processes import error_location
from docbats.serve.problems import Kind, Problem
from docbats.serve.requests import too_large
from docbats.serve.schema import explain, parse_json

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable

    from pydantic import BaseModel
    from starlette.types import Message, Receive, Scope, Send

    from docbats.serve.analysis_job import AnalysisJob, ChunkJob
    from docbats.serve.service import Service

_log = logging.getLogger("docbats.serve")

# A client that neither sends nor reads for this long is cut off; larger values let idle clients
# keep their places longer.
MAX_STALL_SECONDS = 60.0


async def split_lines(parts: AsyncIterator[bytes], limit: int) -> AsyncIterator[bytes | None]:
    """Yield the lines of a stream; None for one that is longer than `limit` bytes.

    At most one line and one part are in memory at a time.
    """
    held, too_long = bytearray(), False
    async for part in parts:
        *ends, rest = part.split(b"\n")
        for end in ends:
            held += end
            yield None if too_long or len(held) > limit else bytes(held)
            held.clear()
            too_long = False
        held += rest
        if len(held) > limit:
            held.clear()
            too_long = True
    if held or too_long:
        yield None if too_long else bytes(held)


class JsonLinesResponse(Response):
    """Answers each line of `parts`, a document as `model` describes it, by its job.

    It reads no faster than documents are analyzed and the client reads the answers.
    """

    media_type = "application/jsonl"

    def __init__(
        self,
        service: Service,
        parts: AsyncIterator[bytes],
        model: type[BaseModel],
        make_job: Callable[[dict[str, Any]], AnalysisJob | ChunkJob],
    ) -> None:
        super().__init__()
        del self.headers["content-length"]
        self._service, self._parts, self._model, self._make_job = service, parts, model, make_job

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Send each answer as soon as it is ready."""
        with self._service.hold_place():
            await self._answer_all(send)

    async def _answer_all(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        with suppress(TimeoutError, ClientDisconnect):
            async with aclosing(self._answers()) as answers:
                async for answer in answers:
                    async with asyncio.timeout(MAX_STALL_SECONDS):
                        await send(_body(answer, more=True))
            await send(_body(b"", more=False))

    async def _answers(self) -> AsyncGenerator[bytes]:
        """Yield an answer for each line, in order, and one more if the rest is not read."""
        queue: asyncio.Queue[asyncio.Task[bytes] | None] = asyncio.Queue(
            self._service.options.workers
        )
        started: set[asyncio.Task[bytes]] = set()
        reader = asyncio.create_task(self._read(queue, started))
        stopper = asyncio.create_task(self._stop_reading_with_service(reader))
        try:
            while (task := await queue.get()) is not None:
                yield await task
                started.discard(task)
            with suppress(asyncio.CancelledError):
                await reader
        except TimeoutError:
            msg = f"No line came for {MAX_STALL_SECONDS:g} seconds: send the rest again."
            yield _error_line(None, Problem(Kind.TOO_SLOW_TO_ARRIVE, msg))
        else:
            if reader.cancelled():
                msg = "The service is stopping and reads no more lines: send the rest again later."
                yield _error_line(None, Problem(Kind.STOPPING, msg))
        finally:
            for unfinished in (reader, stopper, *started):
                unfinished.cancel()
            while not queue.empty():  # or the reader waits forever for room for its end mark
                queue.get_nowait()
            await asyncio.gather(reader, stopper, return_exceptions=True)

    async def _read(
        self, queue: asyncio.Queue[asyncio.Task[bytes] | None], started: set[asyncio.Task[bytes]]
    ) -> None:
        """Start a task for each line; wait while too many are running."""
        number = 0
        try:
            parts = _raise_if_stalled(self._parts)
            async for line in split_lines(parts, self._service.options.max_bytes):
                number += 1
                if line is not None and not line.strip():
                    continue
                task = asyncio.create_task(self._answer(number, line))
                started.add(task)
                await queue.put(task)
        finally:
            await asyncio.shield(queue.put(None))

    async def _stop_reading_with_service(self, reader: asyncio.Task[None]) -> None:
        await self._service.stopping.wait()
        reader.cancel()

    async def _answer(self, number: int, line: bytes | None) -> bytes:
        id_: str | int | None = number
        if line is None:
            return _error_line(id_, too_large(self._service.options.max_bytes))
        try:
            try:
                parsed = await asyncio.to_thread(parse_json, self._model, line)
                values = parsed.model_dump(exclude_unset=True)
            except ValidationError as error:
                id_ = _find_id(line, number)
                raise explain(error) from None
            own_id = values.get("id")
            id_ = number if own_id is None else own_id
            result = await self._service.run(self._make_job(values), patiently=True)
        except Problem as problem:
            return _error_line(id_, problem)
        except Exception as error:  # each line has its answer, whatever happens
            _log.error("a line failed: %s", error_location(error))
            return _error_line(id_, Problem(Kind.FAILED, "The service failed unexpectedly."))
        return b'{"id": ' + json.dumps(id_).encode() + b', "result": ' + result[:-1] + b"}\n"


def _body(content: bytes, *, more: bool) -> Message:
    return {"type": "http.response.body", "body": content, "more_body": more}


async def _raise_if_stalled(parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the parts; raise TimeoutError for a client that has stopped sending."""
    while True:
        try:
            async with asyncio.timeout(MAX_STALL_SECONDS):
                part = await anext(parts)
        except StopAsyncIteration:
            return
        yield part


def _find_id(line: bytes, number: int) -> str | int:
    """Return the id of a line that is otherwise invalid; its number if it has none."""
    with suppress(ValueError, RecursionError):
        values = json.loads(line)
        if isinstance(values, dict) and isinstance(values.get("id"), str | int):
            id_: str | int = values["id"]
            return id_
    return number


def _error_line(id_: str | int | None, error: Problem) -> bytes:
    return json.dumps({"id": id_, "error": error.to_dict()}).encode() + b"\n"
