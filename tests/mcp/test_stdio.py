"""Frames on standard input: each gets an answer, and none ends the server."""

from __future__ import annotations

import doctest
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

pytestmark = pytest.mark.integrations("mcp", "docbats[mcp]")

_HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}}
_START = [
    {
        "jsonrpc": "2.0",
        "id": 0,
        "method": "initialize",
        "params": {**_HELLO, "clientInfo": {"name": "test", "version": "1"}},
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
]


def answers(
    folder: Path, *lines: bytes | dict[str, Any], wanted: Collection[int] = ()
) -> dict[Any, Any]:
    """Send lines to the command; return its answers by ids, once all wanted ones are there."""
    sent = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in lines]
    command = [sys.executable, "-m", "docbats", "mcp", "--allow", str(folder)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        start = [json.dumps(each).encode() for each in _START]
        server.stdin.write(b"\n".join([*start, *sent, b""]))
        server.stdin.flush()
        found: dict[Any, Any] = {}
        ids = {each["id"] for each in lines if isinstance(each, dict)} | {*wanted}
        while not ids <= found.keys() and (line := server.stdout.readline()):
            value = json.loads(line)
            found[value["id"]] = value
        server.stdin.close()
        assert server.wait(60) == 0
    return found


def call(id_: int, name: str, **arguments: Any) -> dict[str, Any]:
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": id_, "method": "tools/call", "params": params}


def test_every_frame_gets_an_answer(tmp_path: Path) -> None:
    (tmp_path / "bats.txt").write_text("Bats hunt moths. Moths hear bats.")
    try:
        (tmp_path / os.fsdecode(b"caf\xe9.txt")).write_text("Tea is hot.")
    except OSError:
        pytest.skip("this file system has no names that are not UTF-8")
    found = answers(
        tmp_path,
        call(1, "list_files"),
        b"[1, 2",
        b"{" * 100_000,
        b"\xff\xfe",
        b"",
        {"jsonrpc": "2.0", "id": 2, "method": 5},
        {"id": 3},
        call(4, "summarize", text="Bats \ud800 fly. Moths hear them."),
        call(5, "summarize", path="\ud800.txt"),
        call(6, "summarize", path=os.fsdecode(b"caf\xe9.txt")),
        call(7, "list_files", pattern="*\udfff*"),
    )
    listed = found[1]["result"]["structuredContent"]["files"]
    assert [file["path"] for file in listed] == ["bats.txt"]
    assert found[None]["error"]["message"].startswith("the line is not JSON")
    assert found[2]["error"]["message"] == "the line is not a JSON-RPC message"
    assert found[3]["error"]["message"] == "the line is not a JSON-RPC message"
    assert "Bats \ufffd fly." in json.dumps(found[4], ensure_ascii=False)
    assert found[5]["result"]["isError"]
    assert found[6]["result"]["isError"]
    assert found[7]["result"]["structuredContent"]["files"] == []


def test_a_folder_whose_name_is_not_utf8_can_be_allowed(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    try:
        folder.mkdir()
    except OSError:
        pytest.skip("this file system has no names that are not UTF-8")
    (folder / "bats.txt").write_text("Bats hunt moths. Moths hear bats.")
    found = answers(folder, call(1, "list_files"), call(2, "summarize", path="bats.txt"))
    assert "caf\ufffd" in found[0]["result"]["instructions"]
    assert not found[1]["result"].get("isError")
    assert not found[2]["result"].get("isError")


def test_calls_at_once_are_all_answered_even_if_some_are_cancelled(tmp_path: Path) -> None:
    (tmp_path / "bats.txt").write_text("Bats hunt moths. Moths hear bats. " * 300)
    cancelled = [
        {
            "jsonrpc": "2.0",
            "method": "notifications/cancelled",
            "params": {"requestId": id_, "reason": "too late"},
        }
        for id_ in (3, 4, 7, 9999, "x")
    ]
    made = [call(id_, "analyze", path="bats.txt", k=2 + id_ % 3) for id_ in range(1, 13)]
    frames = [json.dumps(each).encode() for each in (*made[:8], *cancelled, *made[8:])]
    found = answers(tmp_path, *frames, call(99, "list_files"), wanted={*range(1, 13)} - {3, 4, 7})
    for id_ in {*range(1, 13), 99} - {3, 4, 7}:
        assert not found[id_]["result"].get("isError"), found[id_]
    assert len(found[1]["result"]["structuredContent"]["segments"]) == 3


def test_docstrings_tell_the_truth() -> None:
    from docbats.mcp import stdio  # needs the extra

    assert doctest.testmod(stdio).failed == 0
