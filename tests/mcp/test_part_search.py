from __future__ import annotations

import math
import re
from collections import Counter
from pathlib import Path

import pytest

from docbats import Document, InputError, analyze
from docbats.mcp.search import search_parts

TEXT = (Path(__file__).parents[2] / "examples" / "annual-report.txt").read_text()


def test_scores_are_those_of_the_formula() -> None:
    """Against the formula written out, on words that are their own stems."""
    parts = ["bat bat moth\nmoth hear bat", "tea cup\ntea pot cup tea", "moth tea\nrain sun"]
    result = analyze("\n".join(parts).split("\n"), k=3)
    found = search_parts(result, [(0, 2), (2, 4), (4, 6)], "moth tea")
    counts = [Counter(re.findall(r"\w+", part.lower())) for part in parts]
    lengths = [count.total() for count in counts]
    mean = sum(lengths) / 3
    expected = {}
    for i, count in enumerate(counts):
        score = 0.0
        for word in ("moth", "tea"):
            holding = sum(other[word] > 0 for other in counts)
            rarity = math.log(1 + (3 - holding + 0.5) / (holding + 0.5))
            norm = 1.5 * (0.25 + 0.75 * lengths[i] / mean)
            score += rarity * count[word] * 2.5 / (count[word] + norm)
        expected[i] = score
    assert {match.part: pytest.approx(match.score) for match in found} == expected
    assert [match.score for match in found] == sorted(expected.values(), reverse=True)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("How is the pension scheme funded?", ["pension", "scheme"]),
        ("near misses and drills", ["miss", "drill"]),
        ("dredging silt in the harbour", ["silt"]),
    ],
)
def test_questions_find_their_parts(question: str, words: list[str]) -> None:
    result = analyze(TEXT)
    parts = [segment.sentences for segment in result.segments]
    best = search_parts(result, parts, question)[0]
    assert all(word in result.segments[best.part].text.lower() for word in words)
    first, end = parts[best.part]
    assert first <= best.sentence < end


def test_other_forms_of_words_and_code_are_found() -> None:
    document = Document.read(
        b"# Bats\n\nBats were hunting. Moths fled.\n\n# Tea\n\nTea cools. It steams.\n\n"
        b"```\nkettle = boil(water)\n```\n",
        name="a.md",
    )
    result = analyze(document, k=2)
    parts = [segment.sentences for segment in result.segments]
    assert [match.part for match in search_parts(result, parts, "Who hunts moths?")] == [0]
    assert [match.part for match in search_parts(result, parts, "kettle")] == [1]


def test_stop_words_count_only_alone() -> None:
    result = analyze(TEXT)
    parts = [segment.sentences for segment in result.segments]
    assert search_parts(result, parts, "the xylophone") == []
    assert search_parts(result, parts, "the and of")
    with pytest.raises(InputError, match="the question is empty"):
        search_parts(result, parts, " ")


def test_a_question_with_a_lone_surrogate_is_searched_for() -> None:
    from docbats.text.words import stemming

    assert stemming("english")(["bats", "\ud800ing"]) == ["bat", "\ud800ing"]
