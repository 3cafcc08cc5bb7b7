"""Standard input and output of the server: every line gets an answer, whatever is in it."""

from __future__ import annotations

import asyncio
import io
import json
import sys
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp.types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    jsonrpc_message_adapter,
)

from docbats.corpus.documents import replace_surrogates_within

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer


def run_stdio(server: MCPServer[Any]) -> None:
    """Answer the lines of standard input until it ends."""
    asyncio.run(_run(server))


async def _run(server: MCPServer[Any]) -> None:
    low = server._lowlevel_server
    lines = _Lines()
    async with stdio_server(stdin=lines) as (read, write):  # type: ignore[arg-type]
        lines.answers = write
        await low.run(read, write, low.create_initialization_options())


class _Lines:
    """The messages on standard input; the SDK would give no answer to lines that are none.

    Lone surrogates, which JSON can escape but UTF-8 cannot encode, become replacement characters.
    """

    answers: Any = None

    def __init__(self) -> None:
        text = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace", newline="\n")
        self._lines = anyio.wrap_file(text)

    def __aiter__(self) -> _Lines:
        return self

    async def __anext__(self) -> str:
        while line := await self._lines.readline():
            if not line.strip():
                continue
            message, error = check_line(line)
            if error is None:
                return message
            await self.answers.send(SessionMessage(error))
        raise StopAsyncIteration


def check_line(line: str) -> tuple[str, JSONRPCError | None]:
    r"""Return a line as the SDK can read it, or the error to answer it with.

    >>> check_line('{"jsonrpc": "2.0", "id": 1, "method": "\\ud800"}')
    ('{"jsonrpc": "2.0", "id": 1, "method": "\ufffd"}', None)
    >>> error = check_line("[")[1]
    >>> error.id, error.error.message
    (None, 'the line is not JSON: send one JSON-RPC message a line')
    """
    try:
        jsonrpc_message_adapter.validate_json(line, by_name=False)
    except Exception:  # what is wrong is found out below
        return _repair(line)
    return line, None


def _repair(line: str) -> tuple[str, JSONRPCError | None]:
    try:
        values = replace_surrogates_within(json.loads(line))
    except (ValueError, RecursionError):
        return "", _error(
            PARSE_ERROR, "the line is not JSON: send one JSON-RPC message a line", None
        )
    repaired = json.dumps(values, ensure_ascii=False)
    try:
        jsonrpc_message_adapter.validate_json(repaired, by_name=False)
    except Exception:  # of several kinds, which quote what was sent
        given = values.get("id") if isinstance(values, dict) else None
        id_ = given if isinstance(given, str | int) and not isinstance(given, bool) else None
        return "", _error(INVALID_REQUEST, "the line is not a JSON-RPC message", id_)
    return repaired, None


def _error(code: int, message: str, id_: str | int | None) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=id_, error=ErrorData(code=code, message=message))
