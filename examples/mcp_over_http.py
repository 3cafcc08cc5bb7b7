"""A client of the tools for assistants over HTTP: search all files, read a passage, cut chunks.

Run it with docbats[mcp] installed: python examples/mcp_over_http.py [FOLDER]
"""

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2  # comes with the package mcp
from mcp.client.streamable_http import streamable_http_client

from mcp import Client


@contextmanager
def server(folder: Path) -> Iterator[tuple[str, str]]:
    """Start the server on a free port; return its address and its token."""
    command = [sys.executable, "-m", "docbats", "mcp", "--http", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--allow", str(folder)], stderr=subprocess.PIPE, text=True
    )
    try:
        lines = process.stderr.readline() + process.stderr.readline()
        address, token = re.search(r"(http://\S+).*\nThe token is (\S+)", lines).groups()
        yield address, token
    finally:
        process.terminate()
        process.communicate()


async def ask(address: str, token: str) -> None:
    """Do what an assistant does that looks for an answer."""
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):

        async def call(tool: str, **arguments: object) -> dict:
            answer = await client.call_tool(tool, arguments)
            assert not answer.is_error, answer.content
            return answer.structured_content

        tools = (await client.list_tools()).tools
        print("Tools:", ", ".join(tool.name for tool in tools))

        found = await call("search", question="How is the pension scheme funded?", most=3)
        print(f"\n{found['total']} passages in {found['files']} files; the best:")
        for match in found["matches"]:
            print(f"  {match['score']:6.2f}  {match['path']}: {match['excerpt'][:60]}")

        best = found["matches"][0]
        place = {name: best[name] for name in ("path", "start", "end")}
        part = await call("read_part", **place)
        print(f"\n{part['text']}")

        cut = await call("chunk", path=best["path"], chunk_size=200, size_unit="words")
        print(f"\n{best['path']} has {cut['total']} chunks of at most 200 words.")


if __name__ == "__main__":
    given = sys.argv[1:] or [Path(__file__).parent]
    with server(Path(given[0])) as (address, token):
        asyncio.run(ask(address, token))
