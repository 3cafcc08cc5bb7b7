"""Hostile runs of up to a million characters, and twenty megabytes of text."""

from __future__ import annotations

import io
import random
from typing import TYPE_CHECKING

import pytest
from tests.bad_input.outcome import command
from tests.matrices import slow_except

import docbats

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = {
    "less than": "<" * 10**5,
    "tags left open": "<a " * 10**5,
    "tags": "<p>" * 10**5,
    "comments": "<!-- bats -->" * 10**4,
    "at signs": "@" * 10**5,
    "half addresses": "a@" * 10**5,
    "addresses": "a@b.com " * 10**4,
    "schemes": "http://" * 10**4,
    "www": "www." * 10**5,
    "full stops": "." * 10**6,
    "question and exclamation marks": "?!" * 10**5,
    "closing brackets": "a.)" * 10**5,
    "spaced full stops": ". " * 10**5,
    "initials": "A. " * 10**5,
    "letters and full stops": "a." * 10**5,
    "ampersands": "&" * 10**5,
    "entities": "&amp;" * 10**4,
    "commands": "\\a" * 10**5,
    "hyphens": "-\n" * 10**5,
    "list items": "- a\n" * 10**4,
    "headings": "# a\n" * 10**4,
    "apostrophes": "a'" * 10**5,
    "brackets": "(" * 10**5,
    "quotation marks": '"' * 10**5,
    "ideographic full stops": "。" * 10**5 + "茶",
    "accents": "e" + "\u0301" * 10**5,
    "leading blanks": " " * 10**6 + "a",
    "inner blanks": "a" + "\t" * 10**6 + "a",
    "blank lines": "a" + "\n " * 10**5 + "a",
    "carriage returns": "a\r" * 10**5,
    "zero characters": "\0" * 10**5,
    "one long word": "a" * 10**6,
    "no full stop": "bats hunt moths near rivers " * 36_000,
    "one long line of Chinese": "茶" * 10**5,
    "emoji": "🦇" * 10**5,
    "joiners": "👩\u200d" * 10**5,
    "combining marks alone": "\u0301" * 10**5,
    "surrogates": "\ud800" * 10**5,
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("sentences", slow_except({"auto"}, ["auto", "lines"]))
def test_hostile_runs_are_one_segment(name: str, sentences: str) -> None:
    text = HOSTILE[name]
    result = docbats.analyze(text, k=1, sentences=sentences)  # type: ignore[arg-type]
    assert [segment.text for segment in result.segments] == [text]
    assert result.to_markdown()


@pytest.mark.parametrize(
    "name", ["less than", "full stops", "www", "one long word", "no full stop"]
)
def test_hostile_runs_pass_through_the_command(name: str, tmp_path: Path) -> None:
    code, stdout, stderr = command(tmp_path / "a", HOSTILE[name], "-k", "1")
    assert (code, stderr) == (0, "")
    assert max(map(len, stdout.splitlines())) <= 80


@pytest.mark.parametrize("megabytes", slow_except({4}, [4, 20]))
def test_megabytes_are_analysed(megabytes: int) -> None:
    text = _natural(megabytes * 1_000_000)
    result = docbats.analyze(text, k=4, restarts=1)
    assert "".join(segment.text for segment in result.segments) == text
    assert len(result.topics) == 4


def _natural(size: int) -> str:
    """Write sentences whose words follow Zipf's law, on four themes one after the other."""
    rng = random.Random(0)
    syllables = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
    words = ["".join(rng.choices(syllables, k=rng.randint(2, 4))) for _ in range(4000)]
    themes = [words[start::4] for start in range(4)]
    weights = [1 / rank for rank in range(1, len(themes[0]) + 1)]
    text = io.StringIO()
    for theme in themes:
        page = [
            " ".join(["The", *rng.choices(theme, weights, k=40), "of", rng.choice(words)])
            for _ in range(1000)
        ]
        paragraph = ". ".join(page) + ".\n\n"
        text.write(paragraph * (size // 4 // len(paragraph) + 1))
    return text.getvalue()
