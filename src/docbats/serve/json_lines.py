"""Many documents: lines of JSON in, lines of JSON out, in their order, as they are done."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from docbats.serve.problems import Kind, Problem
from docbats.serve.reading import too_large
from docbats.serve.schema import Line, explain

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator

    from starlette.types import Message, Receive, Scope, Send

    from docbats.serve.service import Service

__all__ = ["ManyResponse", "split_lines"]

STALL_SECONDS = 60.0  # how long a client may neither send nor read


async def split_lines(parts: AsyncIterator[bytes], limit: int) -> AsyncIterator[bytes | None]:
    """Cut a stream into lines; None stands for one that is longer than `limit`.

    No more than a line and a part are held at a time.
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


class ManyResponse(Response):
    """Answers each line of `parts`; reads no faster than documents are done and answers taken."""

    media_type = "application/jsonl"

    def __init__(
        self, service: Service, parts: AsyncIterator[bytes], defaults: dict[str, Any]
    ) -> None:
        super().__init__()
        del self.headers["content-length"]
        self._service, self._parts, self._defaults = service, parts, defaults

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Send the answers as they come."""
        with self._service.place():
            await self._answer_all(send)

    async def _answer_all(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        with suppress(TimeoutError, ClientDisconnect):
            async with aclosing(self._answers()) as answers:
                async for answer in answers:
                    async with asyncio.timeout(STALL_SECONDS):
                        await send(_body(answer, more=True))
            await send(_body(b"", more=False))

    async def _answers(self) -> AsyncGenerator[bytes]:
        queue: asyncio.Queue[asyncio.Task[bytes] | None] = asyncio.Queue(
            self._service.options.workers
        )
        started: set[asyncio.Task[bytes]] = set()
        reader = asyncio.create_task(self._read(queue, started))
        stopper = asyncio.create_task(self._stop(reader))
        try:
            while (task := await queue.get()) is not None:
                yield await task
                started.discard(task)
            with suppress(asyncio.CancelledError):
                await reader
        except TimeoutError:
            msg = f"No line came for {STALL_SECONDS:g} seconds: send the rest anew."
            yield _line(None, error=Problem(Kind.TOO_SLOW_TO_ARRIVE, msg))
        else:
            if reader.cancelled():
                msg = "The service is stopping and reads no more lines: send the rest again later."
                yield _line(None, error=Problem(Kind.STOPPING, msg))
        finally:
            for unfinished in (reader, stopper, *started):
                unfinished.cancel()

    async def _read(
        self, queue: asyncio.Queue[asyncio.Task[bytes] | None], started: set[asyncio.Task[bytes]]
    ) -> None:
        """Start a task for each line; wait where too many are under way."""
        number = 0
        try:
            async for line in split_lines(_prompt(self._parts), self._service.options.max_bytes):
                number += 1
                if line is not None and not line.strip():
                    continue
                task = asyncio.create_task(self._answer(number, line))
                started.add(task)
                await queue.put(task)
        finally:
            await asyncio.shield(queue.put(None))

    async def _stop(self, reader: asyncio.Task[None]) -> None:
        await self._service.stopping.wait()
        reader.cancel()

    async def _answer(self, number: int, line: bytes | None) -> bytes:
        identity: str | int | None = number
        try:
            if line is None:
                raise too_large(self._service.options.max_bytes)
            try:
                values = Line.model_validate_json(line).model_dump(exclude_unset=True)
            except ValidationError as error:
                identity = _identity(line, number)
                raise explain(error) from None
            given = values.pop("id", None)
            identity = number if given is None else given
            job = self._service.job_of({**self._defaults, **values})
            found = await self._service.analyse(job, patiently=True)
        except Problem as problem:
            return _line(identity, error=problem)
        return b'{"id": ' + json.dumps(identity).encode() + b', "result": ' + found[:-1] + b"}\n"


def _body(content: bytes, *, more: bool) -> Message:
    return {"type": "http.response.body", "body": content, "more_body": more}


async def _prompt(parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Pass parts on, but give up on a client that has stopped sending."""
    while True:
        try:
            async with asyncio.timeout(STALL_SECONDS):
                part = await anext(parts)
        except StopAsyncIteration:
            return
        yield part


def _identity(line: bytes, number: int) -> str | int:
    """Find the id of a line that is otherwise wrong."""
    with suppress(ValueError):
        values = json.loads(line)
        if isinstance(values, dict) and isinstance(values.get("id"), str | int):
            found: str | int = values["id"]
            return found
    return number


def _line(identity: str | int | None, *, error: Problem) -> bytes:
    return json.dumps({"id": identity, "error": error.to_dict()}).encode() + b"\n"
