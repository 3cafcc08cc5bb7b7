"""Calls of the tools, as an assistant makes them."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

__all__ = ["ARTICLE", "EXAMPLES", "TEXT", "call", "calls", "client", "command", "values"]

EXAMPLES = Path(__file__).parents[2] / "examples"
ARTICLE = EXAMPLES / "article.txt"
TEXT = ARTICLE.read_text()


@asynccontextmanager
async def command(*options: str) -> AsyncIterator[Any]:
    """Start the command and talk to it as an assistant does."""
    from mcp import Client, StdioServerParameters

    arguments = ["-m", "docbats", "mcp", "--allow", str(EXAMPLES), *options]
    # The whole environment, or PYTHONPATH would be left out and another docbats might start.
    server = StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))
    async with Client(server) as connected:
        yield connected


@asynccontextmanager
async def client(
    *allowed: Path, max_bytes: int = 5_000_000, max_answer: int = 20_000
) -> AsyncIterator[Any]:
    """Talk to a server in this process, which starts faster."""
    from docbats.mcp.allowed_folders import AllowedFolders
    from docbats.mcp.server import make_server
    from mcp import Client

    folders = AllowedFolders.from_names(map(str, (EXAMPLES, *allowed)), max_bytes)
    async with Client(make_server(folders, max_answer)) as connected:
        yield connected


def calls(
    *made: tuple[str, dict[str, Any]], allowed: tuple[Path, ...] = (), **limits: int
) -> list[Any]:
    """Call tools of one server, one after the other; return the answers."""

    async def run() -> list[Any]:
        async with client(*allowed, **limits) as connected:
            return [await connected.call_tool(name, arguments) for name, arguments in made]

    return asyncio.run(run())


def call(name: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool of a fresh server; return its answer, or its error under ``error``."""
    (answer,) = calls((name, arguments))
    return values(answer)


def values(answer: Any) -> dict[str, Any]:
    """Return what an answer says, as compact JSON and as values alike."""
    text = answer.content[0].text
    if answer.is_error:
        return {"error": text}
    found: dict[str, Any] = json.loads(text)
    assert found == answer.structured_content
    assert text == json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    return found
