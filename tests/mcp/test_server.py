"""The server and its command: what it offers, and what it refuses."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest
from click.testing import CliRunner
from tests.mcp.assistant import ARTICLE, EXAMPLES, calls, client, command

from docbats import InputError, analyze
from docbats.cli import main

pytestmark = pytest.mark.integrations("mcp", "docbats[mcp]")


def test_tools_that_only_read_and_say_what_they_take_and_return() -> None:
    async def run() -> Any:
        async with client() as connected:
            return connected.instructions, (await connected.list_tools()).tools

    instructions, tools = asyncio.run(run())
    assert str(EXAMPLES) in instructions
    assert "20,000" in instructions
    assert [tool.name for tool in tools] == [
        "list_files",
        "outline",
        "read_part",
        "search",
        "analyze",
        "summarize",
        "chunk",
    ]
    for tool in tools:
        assert tool.annotations.read_only_hint
        assert tool.description == tool.description.strip()
        assert "    " not in tool.description
        assert tool.input_schema["additionalProperties"] is False
        for parameter in tool.input_schema["properties"].values():
            assert parameter["description"]
        assert tool.output_schema["type"] == "object"
        assert len(tool.output_schema["properties"]) > 1


def test_the_command_serves_one_call_after_another() -> None:
    made: list[tuple[str, dict[str, Any]]] = [
        ("analyze", {"path": "article.txt"}),
        ("analyze", {"path": "/etc/passwd"}),
        ("analyze", {"k": "many", "path": "article.txt"}),
        ("nothing", {}),
        ("summarize", {"path": str(ARTICLE), "sentences": 2}),
    ]

    async def run() -> list[Any]:
        async with command("--max-answer", "5000") as connected:
            return [await connected.call_tool(name, arguments) for name, arguments in made]

    answers = asyncio.run(run())
    assert max(len(answer.content[0].text) for answer in answers) <= 5000
    assert [answer.is_error for answer in answers] == [False, True, True, True, False]
    outside = answers[1].content[0].text
    assert outside.endswith(f"/etc/passwd: this is outside the allowed folders: {EXAMPLES}")


def test_unknown_arguments_are_refused() -> None:
    right: dict[str, dict[str, Any]] = {
        "list_files": {},
        "outline": {"path": "article.txt"},
        "read_part": {"path": "article.txt", "number": 1},
        "search": {"path": "article.txt", "question": "bats"},
        "analyze": {"path": "article.txt"},
        "summarize": {"path": "article.txt"},
        "chunk": {"path": "article.txt"},
    }
    wrong = [(name, {**given, "max_words": 9}) for name, given in right.items()]
    answers = calls(*right.items(), *wrong)
    assert [answer.is_error for answer in answers] == [False] * 7 + [True] * 7
    assert all("max_words" in answer.content[0].text for answer in answers[7:])


def _error_of(text: str, **settings: Any) -> str:
    with pytest.raises(InputError) as error:
        analyze(text, **settings)
    return str(error.value)


def test_errors_are_shown_to_the_assistant() -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({}, "pass either path, a file, or text, the text itself"),
        ({"path": "a.txt", "text": "A."}, "pass either path"),
        ({"text": " "}, _error_of(" ")),
        ({"text": "One.", "k": 5}, _error_of("One.", k=5)),
        ({"path": "../README.md"}, "outside the allowed folders"),
        ({"path": "article.txt"}, "bytes, but at most 50 are allowed"),
        ({"text": "A bat. " * 20}, "the text has 140 bytes, but at most 50 are allowed"),
    ]

    async def run() -> list[Any]:
        async with client(max_bytes=50) as connected:
            return [await connected.call_tool("analyze", arguments) for arguments, _ in wrong]

    for answer, (_, message) in zip(asyncio.run(run()), wrong, strict=True):
        assert answer.is_error
        assert message in answer.content[0].text


def test_a_folder_that_is_not_there_is_wrong_use() -> None:
    result = CliRunner().invoke(main, ["mcp", "--allow", "/none"])
    assert result.exit_code == 2
    assert "/none: there is no such folder" in result.output


def test_a_missing_sdk_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("docbats.mcp.server")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    result = CliRunner().invoke(main, ["mcp"])
    assert result.exit_code == 1
    assert 'pip install "docbats[mcp]"' in result.output
