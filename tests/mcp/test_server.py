from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from docbats import InputError, analyze
from docbats.cli import main

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = pytest.mark.integrations("mcp", "docbats[mcp]")

EXAMPLES = Path(__file__).parents[2] / "examples"
ARTICLE = EXAMPLES / "article.txt"
TEXT = ARTICLE.read_text()


@asynccontextmanager
async def client(*options: str) -> AsyncIterator[Any]:
    """Start the command and talk to it as an assistant does."""
    from mcp import Client, StdioServerParameters

    arguments = ["-m", "docbats", "mcp", "--allow", str(EXAMPLES), *options]
    # The whole environment, or PYTHONPATH would be left out and another docbats might start.
    server = StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))
    async with Client(server) as connected:
        yield connected


def call(name: str, *options: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool of a fresh server; return its answer, or its error under ``error``."""

    async def run() -> Any:
        async with client(*options) as connected:
            return await connected.call_tool(name, arguments)

    answer = asyncio.run(run())
    text = answer.content[0].text
    if answer.is_error:
        return {"error": text}
    found: dict[str, Any] = json.loads(text)
    assert found == answer.structured_content
    return found


def test_four_tools_that_only_read_and_say_what_they_take() -> None:
    async def run() -> Any:
        async with client() as connected:
            return connected.instructions, (await connected.list_tools()).tools

    instructions, tools = asyncio.run(run())
    assert str(EXAMPLES) in instructions
    assert [tool.name for tool in tools] == ["analyze", "outline", "segment", "summarize"]
    for tool in tools:
        assert tool.annotations.read_only_hint
        assert tool.description == tool.description.strip()
        assert "    " not in tool.description
        for parameter in tool.input_schema["properties"].values():
            assert parameter["description"]


def test_one_session_after_another() -> None:
    async def run() -> list[Any]:
        async with client() as connected:
            calls = [
                ("analyze", {"path": "article.txt"}),
                ("analyze", {"path": "/etc/passwd"}),
                ("analyze", {"k": "many", "path": "article.txt"}),
                ("nothing", {}),
                ("summarize", {"path": str(ARTICLE), "sentences": 2}),
            ]
            return [await connected.call_tool(name, given) for name, given in calls]

    answers = asyncio.run(run())
    assert [answer.is_error for answer in answers] == [False, True, True, True, False]
    outside = answers[1].content[0].text
    assert outside.endswith(f"/etc/passwd: this is outside the allowed folders: {EXAMPLES}")


def test_analyze_returns_topics_and_segments_but_no_texts() -> None:
    found = call("analyze", path="article.txt")
    result = analyze(TEXT)
    assert [segment["title"] for segment in found["segments"]] == [s.title for s in result.segments]
    assert [segment["start"] for segment in found["segments"]] == [s.start for s in result.segments]
    assert [topic["label"] for topic in found["topics"]] == [t.label for t in result.topics]
    assert result.choice is not None
    assert found["reason"] == result.choice.reason
    assert len(json.dumps(found)) < len(TEXT)
    assert call("analyze", text=TEXT, k=3)["segment_count"] == 3


def test_outline_is_that_of_the_library() -> None:
    found = call("outline", path="article.txt")["outline"]
    expected = analyze(TEXT).outline
    assert [line["title"] for line in found] == [entry.title for entry in expected]
    assert [len(line.get("children", [])) for line in found] == [len(e.children) for e in expected]


def test_an_outline_is_as_deep_and_as_fine_as_asked_for() -> None:
    expected = analyze(TEXT, granularity="coarse").outline
    found = call("outline", path="article.txt", granularity="coarse", depth=1)
    assert [line["title"] for line in found["outline"]] == [entry.title for entry in expected]
    assert found["levels"] == expected.depth
    assert not any("children" in line for line in found["outline"])
    assert "depth must be" in call("outline", path="article.txt", depth=0)["error"]


def test_segments_come_part_by_part() -> None:
    async def run() -> str:
        text, first = "", 1
        async with client("--max-answer", "6000") as connected:
            while first is not None:
                given = {"path": "article.txt", "first": first}
                answer = await connected.call_tool("segment", given)
                found = answer.structured_content
                assert 0 < sum(len(segment["text"]) for segment in found["segments"]) <= 6000
                text += "".join(segment["text"] for segment in found["segments"])
                first = found["next"]
        return text

    assert asyncio.run(run()) == TEXT
    wrong = call("segment", path="article.txt", first=99)["error"]
    assert "first must be between 1 and" in wrong


def test_segments_keep_to_limits() -> None:
    found = call("segment", path="article.txt", max_words=120, overlap_words=20)
    assert all(len(segment["text"].split()) <= 120 for segment in found["segments"])
    assert found["segments"][1]["start"] < found["segments"][0]["end"]


def test_summary_is_that_of_the_library() -> None:
    found = call("summarize", path="article.txt", sentences=3)["summary"]
    assert [sentence["text"] for sentence in found] == [s.text for s in analyze(TEXT).summary(3)]


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
        async with client("--max-bytes", "50") as connected:
            return [await connected.call_tool("analyze", arguments) for arguments, _ in wrong]

    for answer, (_, message) in zip(asyncio.run(run()), wrong, strict=True):
        assert answer.is_error
        assert message in answer.content[0].text


def test_lines_can_be_sentences() -> None:
    assert call("analyze", text="bats fly\nbats hunt\ntea cools", lines=True)["sentences"] == 3


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
