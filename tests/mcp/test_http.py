"""The tools over HTTP: the same answers, a token, and only for those that are meant."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from click.testing import CliRunner
from tests.mcp.assistant import EXAMPLES, calls, values

from docbats.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.integrations("mcp", "docbats[mcp]")

PING = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
ACCEPT = {"Accept": "application/json, text/event-stream"}


@contextmanager
def running(folder: Path, *options: str) -> Iterator[tuple[str, str, Any]]:
    """Start the command on a free port; return its address, what it said, and its process."""
    log = folder / "log.txt"
    command = [sys.executable, "-m", "docbats", "mcp", "--http", "--port", "0", *options]
    with log.open("wb") as file:
        process = subprocess.Popen([*command, "--allow", str(EXAMPLES)], stderr=file)
    try:
        for _ in range(600):
            if found := re.search(r"http://\S+", log.read_text()):
                break
            time.sleep(0.05)
        else:
            raise AssertionError(log.read_text())
        time.sleep(0.1)  # the token comes on the next line
        yield found[0], log.read_text(), process
    finally:
        process.terminate()
        process.wait(30)


def ask(url: str, token: str | None, **headers: str) -> httpx.Response:
    """Send one request without a client of the protocol."""
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    return httpx.post(url, json=PING, headers={**ACCEPT, **headers}, timeout=60, trust_env=False)


def test_the_answers_are_those_of_standard_input(tmp_path: Path) -> None:
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    from mcp import Client

    made: list[tuple[str, dict[str, Any]]] = [
        ("list_files", {}),
        ("search", {"question": "pension scheme"}),
        ("chunk", {"path": "article.txt", "chunk_size": 400}),
        ("analyze", {"path": "/etc/passwd"}),
    ]

    async def run(url: str, token: str) -> list[Any]:
        headers = {"Authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60, trust_env=False) as http,
            Client(streamable_http_client(url, http_client=http)) as connected,
        ):
            return [await connected.call_tool(name, arguments) for name, arguments in made]

    with running(tmp_path) as (url, said, process):
        token = re.search(r"The token is (\S+)", said)
        assert token is not None
        assert url.endswith("/mcp")
        answers = asyncio.run(run(url, token[1]))
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
    assert [values(answer) for answer in answers] == [values(answer) for answer in calls(*made)]
    assert "outside the allowed folders" in values(answers[3])["error"]


def test_only_those_with_the_token_on_the_right_host_get_in(tmp_path: Path) -> None:
    with running(tmp_path, "--token", "secret") as (url, said, _):
        assert "secret" not in said
        assert ask(url, "secret").status_code == 200
        assert ask(url, None).status_code == 401
        assert ask(url, "wrong").status_code == 401
        assert ask(url, None).headers["www-authenticate"].startswith("Bearer")
        assert ask(url, "secret", Host="evil.example").status_code == 400
        assert ask(url, "secret", Origin="https://evil.example").status_code == 403
        assert ask(url.replace("/mcp", "/"), "secret").status_code == 404
        large = httpx.post(
            url, content=b" " * 40_000_000, headers={"Authorization": "Bearer secret"}
        )
        assert large.status_code == 413


def test_the_token_can_be_left_out(tmp_path: Path) -> None:
    with running(tmp_path, "--no-token") as (url, said, _):
        assert "anyone who can reach this address can read the folders" in said
        assert ask(url, None).status_code == 200


@pytest.mark.parametrize(
    "options",
    [
        ("--port", "80"),
        ("--token", "secret"),
        ("--no-token",),
        ("--allow-host", "bats"),
        ("--http", "--token", "sécret"),
        ("--http", "--token", "secret", "--no-token"),
    ],
)
def test_wrong_options_are_wrong_use(options: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, ["mcp", *options])
    assert result.exit_code == 2
    assert "--http" in result.output or "--token" in result.output


def test_the_journey_of_the_examples_works() -> None:
    script = EXAMPLES / "mcp_over_http.py"
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert "annual-report.txt: " in done.stdout
    assert "The pension scheme has 611 members" in done.stdout
