"""The tool that cuts chunks: those of the library, with all their options."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.mcp.assistant import ARTICLE, TEXT, call, calls, client, values

import docbats
from docbats.chunks.options import chunk_options

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.integrations("mcp", "docbats[mcp]")


def test_the_chunks_are_those_of_the_library() -> None:
    options: dict[str, Any] = {"chunk_size": 200, "size_unit": "words", "context": "title"}
    made = [("chunk", {**given, **options}) for given in ({"path": "article.txt"}, {"text": TEXT})]
    found, same = map(values, calls(*made, max_answer=100_000))
    for chunk in (*found["chunks"], *same["chunks"]):
        chunk.pop("id", None)  # made of the path, or of the text
    assert same == found
    expected = docbats.chunk(ARTICLE, **options)
    assert found["total"] == len(expected) == len(found["chunks"])
    for chunk, wanted in zip(found["chunks"], expected, strict=True):
        assert (chunk["start"], chunk["end"], chunk["text"]) == (
            wanted.start, wanted.end, wanted.text,
        )  # fmt: skip
        assert chunk.get("content", chunk["text"]) == wanted.content
        assert chunk["topics"] == list(wanted.topics or ())


def test_every_option_is_described() -> None:
    async def run() -> Any:
        async with client() as connected:
            return (await connected.list_tools()).tools

    (tool,) = [tool for tool in asyncio.run(run()) if tool.name == "chunk"]
    properties = tool.input_schema["properties"]
    assert set(properties) == {"path", "text", "first", *chunk_options()}
    for name, option in chunk_options().items():
        assert properties[name]["default"] == option.default
        assert properties[name]["description"] == option.help


def test_a_long_document_takes_several_calls() -> None:
    made = [("chunk", {"path": "article.txt", "chunk_size": 300, "first": n}) for n in (1, 5)]
    first, second = map(values, calls(*made, max_answer=4000))
    assert first["next"] > 5
    assert second["chunks"][: first["next"] - 5] == first["chunks"][4:]


def test_a_blank_text_has_no_chunks() -> None:
    assert call("chunk", text=" ") == {"chunks": [], "total": 0}


def test_tokens_need_a_tokenizer_that_was_allowed(tmp_path: Path) -> None:
    for asked in ({"size_unit": "tokens"}, {"tokenizer": str(tmp_path / "tokenizer.json")}):
        assert "--tokenizer" in call("chunk", text=TEXT, **asked)["error"]
