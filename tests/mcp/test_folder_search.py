"""Search in the files of all folders."""

from __future__ import annotations

import math
import os
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from tests.mcp.assistant import EXAMPLES, calls, values

from docbats import InputError
from docbats.mcp.allowed_folders import AllowedFolders
from docbats.mcp.search import FolderIndex

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = {
    "one.txt": "bat bat moth hear.",
    "below/two.txt": "tea cup pot cup tea.",
    "three.md": "# rain\n\nmoth tea sun.",
}


def _index(folder: Path, texts: dict[str, str] = TEXTS) -> FolderIndex:
    for name, text in texts.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return FolderIndex(AllowedFolders.from_names([str(folder)], 5_000_000))


def test_scores_are_those_of_the_formula(tmp_path: Path) -> None:
    """Against the formula written out, on words that are their own stems."""
    found = _index(tmp_path).search("moth tea", 10, 60)
    counts = {
        "one.txt": Counter(["bat", "bat", "moth", "hear"]),
        "below/two.txt": Counter(["tea", "cup", "pot", "cup", "tea"]),
        "three.md": Counter(["rain", "moth", "tea", "sun"]),
    }
    mean = sum(count.total() for count in counts.values()) / 3
    expected = {}
    for name, count in counts.items():
        norm = 1.5 * (0.25 + 0.75 * count.total() / mean)
        rarity = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))  # two passages have each word
        expected[name] = sum(
            rarity * count[word] * 2.5 / (count[word] + norm) for word in ("moth", "tea")
        )
    assert {p.path: pytest.approx(p.score) for p in found.passages} == expected
    assert (found.total, found.files, found.files_left) == (3, 3, 0)
    assert found.passages[0].path == "three.md"
    assert found.passages[0].title == "rain"


def test_files_that_change_are_read_again_and_those_gone_are_forgotten(tmp_path: Path) -> None:
    index = _index(tmp_path)
    assert index.search("kettle", 5, 60).total == 0
    (tmp_path / "one.txt").write_text("A kettle is heard.")
    os.utime(tmp_path / "one.txt", ns=(1, 1))
    (tmp_path / "three.md").unlink()
    found = index.search("kettle", 5, 60)
    assert [passage.path for passage in found.passages] == ["one.txt"]
    assert found.passages[0].sentence == "A kettle is heard."
    assert found.files == 2


def test_what_there_is_no_time_for_is_read_by_the_next_search(tmp_path: Path) -> None:
    index = _index(tmp_path)
    left = [index.search("tea", 5, 0).files_left for _ in range(4)]
    assert left == [2, 1, 0, 0]


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    index = _index(tmp_path, {**TEXTS, "broken.docx": "PK\x03\x04 broken"})
    found = index.search("tea", 5, 60)
    assert found.unreadable == ("broken.docx",)
    assert found.files == 3


def test_each_language_has_its_own_stems(tmp_path: Path) -> None:
    german = "Die Häfen waren im Winter vereist. Kein Schiff fuhr durch das Eis der Bucht."
    english = "The harbours were closed. No ship sailed through the ice of the bay."
    index = _index(tmp_path, {"a.txt": english, "b.txt": german})
    for question, path in (("Hafen", "b.txt"), ("Schiffe", "b.txt"), ("harbour", "a.txt")):
        assert [p.path for p in index.search(question, 5, 60).passages] == [path]


def test_an_empty_question_and_empty_files(tmp_path: Path) -> None:
    index = _index(tmp_path, {"blank.txt": " ", "dots.txt": "...", "tea.txt": "Tea."})
    assert index.search("tea", 5, 60).total == 1
    assert index.search("...", 5, 60).total == 0
    with pytest.raises(InputError, match="the question is empty"):
        index.search(" ", 5, 60)


@pytest.mark.integrations("mcp", "docbats[mcp]")
def test_the_tool_finds_passages_that_can_be_read() -> None:
    (answer,) = calls(("search", {"question": "How is the pension scheme funded?", "most": 3}))
    found = values(answer)
    assert found["files"] >= 4
    best: dict[str, Any] = found["matches"][0]
    assert best["path"] == "annual-report.txt"
    assert "number" not in best
    read = {"path": best["path"], "start": best["start"], "end": best["end"]}
    (part,) = calls(("read_part", read))
    text = (EXAMPLES / "annual-report.txt").read_text()
    assert values(part)["text"] == text[best["start"] : best["end"]]
    assert "pension scheme" in values(part)["text"]


@pytest.mark.integrations("mcp", "docbats[mcp]")
def test_without_folders_a_document_is_needed() -> None:
    from docbats.mcp.tools import ToolCall, ToolCalls

    run = ToolCalls(AllowedFolders((), 1000), 20_000)
    arguments = {"question": "tea", "most": 5, "path": None, "text": None, "lines": False}
    with pytest.raises(InputError, match="no folder is allowed"):
        run(ToolCall("search", arguments))
