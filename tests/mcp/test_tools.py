"""What each tool returns, beside what the library says."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.long_book import make_book
from tests.mcp.assistant import ARTICLE, EXAMPLES, TEXT, call, calls, client, values

from docbats import analyze

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.integrations("mcp", "docbats[mcp]")


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


def test_segments_of_a_long_text_have_their_parts() -> None:
    text = make_book(400).text
    result = analyze(text)
    segments = call("analyze", text=text)["segments"]
    for number, (segment, entry) in enumerate(zip(segments, result.outline, strict=True), 1):
        below = [(part["number"], part["title"]) for part in segment.get("parts", ())]
        expected = [(f"{number}.{i}", part.title) for i, part in enumerate(entry.children, 1)]
        assert below == expected
    assert any("parts" in segment for segment in segments)
    assert all("parts" not in s for s in call("analyze", path="article.txt")["segments"])


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


def test_lines_can_be_sentences() -> None:
    assert call("analyze", text="bats fly\nbats hunt\ntea cools", lines=True)["sentences"] == 3
