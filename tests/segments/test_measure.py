from __future__ import annotations

import doctest
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats import EmptyDocumentError, InputError, SettingsError, analyze
from docbats.segments import sizes as measure

if TYPE_CHECKING:
    from docbats import Result

EXAMPLES = Path(__file__).parents[2] / "examples"
TEXT = (EXAMPLES / "annual-report.txt").read_text(encoding="utf-8")


def words(text: str) -> int:
    return len(text.split())


def tokens(text: str) -> int:
    """Count as tokenizers do: a blank goes with the word after it, long words have several."""
    return sum(-(-len(token) // 5) for token in re.findall(r"\s?\w+|[^\w\s]|\s+", text))


def tokens_with_marks(text: str) -> int:
    """Count a mark before and after each text, too."""
    return tokens(text) + 2


def more_than_its_parts(text: str) -> int:
    """Be larger for a whole than its parts are together."""
    return len(text) + len(text) ** 2 // 300


def jumpy(text: str) -> int:
    """Be smaller for some longer texts."""
    return len(text) // 4 + (7 if len(text) % 3 else 0)


MEASURES = [words, tokens, tokens_with_marks, more_than_its_parts, jumpy]


def check_sizes(result: Result, max_size: int, overlap: int, unit: Any) -> None:
    text = result.document.text
    assert "".join(segment.text for segment in result.segments) == text
    for segment in result.segments:
        chunk = text[segment.overlap_start : segment.end]
        assert unit(chunk) <= max_size
        assert unit(chunk.strip()) <= max_size
        if segment.overlap_start < segment.start:
            assert unit(text[segment.overlap_start : segment.start]) <= overlap


@pytest.mark.parametrize("unit", MEASURES)
@pytest.mark.parametrize(("max_size", "overlap"), [(12, 0), (40, 9), (150, 30), (400, 0)])
def test_a_size_is_never_exceeded_whatever_measures_it(
    unit: Any, max_size: int, overlap: int
) -> None:
    result = analyze(TEXT, max_size=max_size, overlap=overlap, size_unit=unit)
    check_sizes(result, max_size, overlap, unit)


@given(st.text(st.sampled_from("ab.! \n,é-"), max_size=120), st.sampled_from(MEASURES))
def test_any_text_is_cut_within_the_size(text: str, unit: Any) -> None:
    try:
        result = analyze(text, max_size=20, overlap=4, size_unit=unit)
    except EmptyDocumentError:
        return
    check_sizes(result, 20, 4, unit)


def test_chunks_are_as_large_as_by_the_same_unit_by_name() -> None:
    by_name = analyze(TEXT, max_size=300, size_unit="characters")
    by_function = analyze(TEXT, max_size=300, size_unit=len)
    assert [s.start for s in by_name.segments] == [s.start for s in by_function.segments]
    with_marks = analyze(TEXT, max_size=100, size_unit=tokens_with_marks)
    without = analyze(TEXT, max_size=98, size_unit=tokens)
    assert abs(len(with_marks.segments) - len(without.segments)) <= 2


def test_a_sentence_is_split_where_it_hurts_least() -> None:
    text = "Bats hunt moths at night, moths hear the bats, and both of them fly on."
    pieces = [s.text for s in analyze(text, max_size=6, size_unit=words).segments]
    assert pieces == [
        "Bats hunt moths at night, ",
        "moths hear the bats, ",
        "and both of them fly on.",
    ]


def test_k_is_kept_or_refused_by_name() -> None:
    assert len(analyze(TEXT, k=40, max_size=100, size_unit=tokens).segments) == 40
    with pytest.raises(SettingsError, match=r"at most 10 units of tokens cannot hold this text"):
        analyze(TEXT, k=3, max_size=10, size_unit=tokens)


def test_overlap_and_minimum_without_a_maximum() -> None:
    result = analyze(TEXT, min_size=150, overlap=10, size_unit=words)
    assert min(words(segment.text) for segment in result.segments) >= 150
    second = result.segments[1]
    assert words(TEXT[second.overlap_start : second.start]) == 10


def test_wrong_measures_are_refused() -> None:
    with pytest.raises(SettingsError, match="must return a whole number, at least 0"):
        analyze(TEXT, max_size=9, size_unit=lambda text: len(text) / 2)  # type: ignore[arg-type, return-value]
    with pytest.raises(InputError, match=r"alone has a size of 50, but max_size .* is 9"):
        analyze(TEXT, max_size=9, size_unit=lambda text: 50 * bool(text))
    with pytest.raises(SettingsError, match=r"or a function from a text to its size, got 'token'"):
        analyze(TEXT, max_size=9, size_unit="token")  # type: ignore[arg-type]


def test_settings_and_the_page_name_the_function() -> None:
    result = analyze(TEXT, max_size=90, overlap=9, size_unit=tokens)
    assert result.to_dict()["settings"]["size_unit"] == "function:tokens"
    assert "overlap by 9 units of tokens" in result.to_html()


def test_docstrings_tell_the_truth() -> None:
    assert doctest.testmod(measure).failed == 0
