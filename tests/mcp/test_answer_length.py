"""No answer is longer than allowed, and the next call continues it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.mcp.assistant import EXAMPLES, TEXT, calls, client, values

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.integrations("mcp", "docbats[mcp]")


@pytest.mark.parametrize("characters", [2000, 5000])
def test_no_answer_is_longer_than_allowed(characters: int, tmp_path: Path) -> None:
    # Nothing but quotation marks and line breaks, which JSON writes with two characters.
    quotes = tmp_path / "quotes.txt"
    quotes.write_text('"Bats", "moths"\n"and" "tea".\n' * 400, encoding="utf-8")
    long = tmp_path / "long.txt"
    long.write_text("Bats and moths " * 3000, encoding="utf-8")
    report = tmp_path / "report.txt"
    report.write_text((EXAMPLES / "annual-report.txt").read_text() * 6, encoding="utf-8")
    for i in range(200):
        (tmp_path / f"one of many files, number {i:04}.txt").write_text("Tea cools.")
    given: list[tuple[str, dict[str, Any]]] = [("list_files", {})]
    for path in map(str, (quotes, long, report)):
        given += [
            ("outline", {"path": path, "k": 40 if path != str(long) else 1}),
            ("analyze", {"path": path, "k": 40 if path != str(long) else 1}),
            ("read_part", {"path": path, "start": 0}),
            ("search", {"path": path, "question": "bats moths tea harbour", "most": 50}),
            ("summarize", {"path": path, "sentences": 300}),
        ]
    answers = calls(*given, allowed=(tmp_path,), max_answer=characters)
    for (name, arguments), answer in zip(given, answers, strict=True):
        assert not answer.is_error, (name, arguments, answer.content[0].text)
        values(answer)
        assert len(answer.content[0].text) <= characters, (name, arguments)
    assert values(answers[0])["next"] > 1


@pytest.mark.parametrize("tool", ["list_files", "outline", "analyze"])
def test_lists_continue_where_they_ended(tool: str, tmp_path: Path) -> None:
    for i in range(90):
        (tmp_path / f"one of many files, number {i:04}.txt").write_text("Tea cools.")
    path = tmp_path / "report.txt"
    path.write_text((EXAMPLES / "annual-report.txt").read_text() * 4, encoding="utf-8")
    given = {} if tool == "list_files" else {"path": str(path), "k": 30}
    things = {"list_files": "files", "outline": "parts", "analyze": "segments"}[tool]

    async def run(max_answer: int) -> tuple[list[Any], int]:
        found, first, n_calls = [], 1, 0
        async with client(tmp_path, max_answer=max_answer) as connected:
            while first is not None:
                answer = await connected.call_tool(tool, {**given, "first": first})
                found += answer.structured_content[things]
                first = answer.structured_content.get("next")
                n_calls += 1
        return found, n_calls

    paged, n_calls = asyncio.run(run(2000))
    whole, one = asyncio.run(run(1_000_000))
    assert (paged, one) == (whole, 1)
    assert n_calls > 1


def test_a_long_part_is_read_piece_by_piece() -> None:
    async def run() -> str:
        text, start = "", 0
        async with client(max_answer=3000) as connected:
            while start is not None:
                answer = await connected.call_tool(
                    "read_part", {"path": "article.txt", "start": start}
                )
                text += answer.structured_content["text"]
                start = answer.structured_content.get("next")
        return text

    assert asyncio.run(run()) == TEXT
