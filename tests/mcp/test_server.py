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


def test_six_tools_that_only_read_and_say_what_they_take_and_return() -> None:
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
    }
    wrong = [(name, {**given, "max_words": 9}) for name, given in right.items()]
    answers = calls(*right.items(), *wrong)
    assert [answer.is_error for answer in answers] == [False] * 6 + [True] * 6
    assert all("max_words" in answer.content[0].text for answer in answers[6:])


def test_files_are_listed_and_can_be_read_by_their_paths() -> None:
    found = call("list_files", pattern="*.txt")
    paths = [file["path"] for file in found["files"]]
    assert paths == sorted(
        path.relative_to(EXAMPLES).as_posix() for path in EXAMPLES.rglob("*.txt")
    )
    assert found["total"] == len(paths)
    sizes = {file["path"]: file["bytes"] for file in found["files"]}
    assert sizes["article.txt"] == ARTICLE.stat().st_size
    assert call("list_files", pattern="*.none") == {"files": [], "total": 0}
    assert "first must be between 1 and" in call("list_files", first=999)["error"]


def test_analyze_returns_topics_and_segments_but_no_texts() -> None:
    found = call("analyze", path="article.txt")
    result = analyze(TEXT)
    assert [segment["title"] for segment in found["segments"]] == [s.title for s in result.segments]
    assert [segment["start"] for segment in found["segments"]] == [s.start for s in result.segments]
    assert [topic["label"] for topic in found["topics"]] == [t.label for t in result.topics]
    assert result.choice is not None
    assert found["reason"] == result.choice.reason
    assert len(json.dumps(found)) < len(TEXT)
    assert len(call("analyze", text=TEXT, k=3)["segments"]) == 3


def test_outline_is_that_of_the_library() -> None:
    found = call("outline", path="article.txt")["parts"]
    expected = analyze(TEXT).outline
    top = [part for part in found if "." not in part["number"]]
    assert [part["title"] for part in top] == [entry.title for entry in expected]
    assert [part["number"] for part in top] == [str(i) for i in range(1, len(expected) + 1)]
    assert call("outline", path="article.txt", depth=1)["parts"] == top
    below = [part for part in found if part["number"].startswith("1.")]
    assert [part["start"] for part in below] == [child.start for child in expected[0].children]


def test_parts_are_read_by_number_or_by_offsets() -> None:
    outline, by_number, by_offsets, tail = calls(
        ("outline", {"path": "article.txt"}),
        ("read_part", {"path": "article.txt", "number": 2}),
        ("read_part", {"path": "article.txt", "start": 10, "end": 200}),
        ("read_part", {"path": "article.txt", "start": len(TEXT) - 50}),
    )
    second = next(part for part in values(outline)["parts"] if part["number"] == "2")
    assert values(by_number)["text"] == TEXT[second["start"] : second["end"]]
    assert values(by_number)["title"] == second["title"]
    assert values(by_offsets)["text"] == TEXT[10:200]
    assert values(tail)["text"] == TEXT[-50:]
    wrong: list[dict[str, Any]] = [
        {},
        {"number": 1, "start": 3},
        {"end": 3},
        {"number": "1.99"},
        {"start": 5, "end": 5},
        {"start": len(TEXT)},
    ]
    answers = calls(*(("read_part", {"path": "article.txt", **given}) for given in wrong))
    assert [answer.is_error for answer in answers] == [True] * len(wrong)


def test_a_question_finds_the_part_to_read() -> None:
    found = call("search", path="annual-report.txt", question="How is the pension funded?", most=2)
    assert len(found["matches"]) == 2
    assert found["total"] >= 2
    best = found["matches"][0]
    assert "pension" in best["excerpt"].lower()
    part = call("read_part", path="annual-report.txt", number=best["number"])
    assert (part["start"], part["end"]) == (best["start"], best["end"])
    assert "pension" in part["text"].lower()
    assert call("search", path="article.txt", question="xylophone") == {"matches": [], "total": 0}


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


def test_pages_times_and_headings_are_told(tmp_path: Path) -> None:
    captions = tmp_path / "talk.vtt"
    captions.write_text(
        "WEBVTT\n\n00:00:01.000 --> 00:00:04.000\n<v Ann>Bats hunt moths. Moths hear bats.\n\n"
        "00:00:04.000 --> 00:00:09.000\n<v Bob>Tea needs hot water. Hot tea cools.\n"
    )
    notes = tmp_path / "notes.md"
    notes.write_text("# Bats\n\nBats fly. Bats hunt.\n\n# Tea\n\nTea cools. Tea steams.\n")
    outline, analysis, part = calls(
        ("outline", {"path": "talk.vtt", "k": 2}),
        ("analyze", {"path": "talk.vtt", "k": 2}),
        ("read_part", {"path": "notes.md", "number": "2", "k": 2}),
        allowed=(tmp_path,),
    )
    assert [part["seconds"] for part in values(outline)["parts"]] == [[1.0, 4.0], [4.0, 9.0]]
    assert [s["speakers"] for s in values(analysis)["segments"]] == [["Ann"], ["Bob"]]
    assert values(part)["heading_path"] == ["Tea"]
    assert values(part)["text"].startswith("# Tea")


def test_a_file_that_has_changed_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Bats fly. Bats hunt.")

    async def run() -> list[int]:
        found = []
        async with client(tmp_path) as connected:
            for text in ("Tea cools.", "Tea cools. Tea steams. Cups break."):
                path.write_text(text)
                answer = await connected.call_tool("analyze", {"path": "a.txt"})
                found.append(answer.structured_content["sentences"])
        return found

    assert asyncio.run(run()) == [1, 3]


def test_summary_is_that_of_the_library() -> None:
    found = call("summarize", path="article.txt", sentences=3)["summary"]
    assert [sentence["text"] for sentence in found] == [
        " ".join(s.text.split()) for s in analyze(TEXT).summary(3)
    ]


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
