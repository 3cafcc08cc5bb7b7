"""Reasons for a number of segments, in words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docbats
from docbats.describe import explain_choice
from docbats.parts import Segment
from docbats.segments.choose_k import Choice

if TYPE_CHECKING:
    from collections.abc import Sequence

HOW_TO = Path(__file__).parent.parent / "examples" / "how-to.txt"
TITLES = ("Soil", "Shed", "Bees", "Water", "Jars", "Beds", "Mice", "Frost", "Rent")


def segments_of(strengths: Sequence[float | None], titles: Sequence[str] = TITLES) -> list[Segment]:
    """Return a segment before each boundary of these strengths, and one after the last."""
    return [
        Segment(i, i + 1, (i, i + 1), "x", titles[i % len(titles)], (), (), strength, i)
        for i, strength in enumerate([None, *strengths])
    ]


def choice_of(k: int, runner_up: int | None = None, **others: object) -> Choice:
    known = {"confidence": 0.9, "scores": (), **others}
    return Choice(k, runner_up, (0.0,) * (k + 1), 1.0, **known)  # type: ignore[arg-type]


def reason(
    choice: Choice, strengths: Sequence[float | None], titles: Sequence[str] = TITLES
) -> str:
    explained = explain_choice(choice, segments_of(strengths, titles))
    assert explained == choice  # the reason does not count
    return explained.reason


def test_one_sentence_cannot_be_cut() -> None:
    assert reason(Choice(1, None, (0.0,), 1.0), []) == "The text is too short to be cut."


def test_one_part() -> None:
    assert reason(choice_of(1, 2), []) == (
        "The text stays in one piece: no break in it is plain enough to be worth a boundary."
    )


def test_headings() -> None:
    choice = Choice(3, None, (), 1.0, follows_headings=True, n_sections=3)
    assert reason(choice, [0.5, 0.5]) == "The headings of the text divide it into 3 parts."


def test_gathered_sections() -> None:
    choice = Choice(3, None, (), 1.0, follows_headings=True, n_sections=9)
    assert reason(choice, [0.5, 0.5]) == "The 9 sections of the text are gathered into 3 parts."


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        (choice_of(2, 3), "The words speak for two parts; the limits on sizes make it 4."),
        (choice_of(1, 2), "The words speak for one part; the limits on sizes make it 4."),
        (
            Choice(3, None, (), 1.0, follows_headings=True, n_sections=3),
            "The headings of the text divide it into 3 parts; the limits on sizes make it 4.",
        ),
        (
            Choice(3, None, (), 1.0, follows_headings=True, n_sections=9),
            "The 9 sections of the text are gathered into 3 parts; the limits on sizes make it 4.",
        ),
    ],
)
def test_limits_on_sizes(choice: Choice, expected: str) -> None:
    assert reason(choice, [0.5] * 3) == expected


@pytest.mark.parametrize(
    ("strengths", "expected"),
    [
        ([0.9], "Two parts: the break is plain."),
        ([0.9, 0.7], "Three parts: both breaks are plain."),
        ([0.9, 0.7, 0.8], "Four parts: all breaks are plain."),
        ([0.5, 0.7], "Three parts: the break before “Bees” is plain."),
        ([0.8, 0.5, 0.7], "Four parts: the breaks before “Shed” and “Water” are plain."),
        (
            [0.8, 0.7, 0.5, 0.9],
            "Five parts: the breaks before “Shed”, “Bees” and “Jars” are plain.",
        ),
        (  # the clearest three, in the order of the text
            [0.75, 0.8, 0.9, 0.6, 0.99],
            "Six parts: the breaks before “Bees”, “Water” and “Beds” are plain.",
        ),
        (
            [0.5, 0.69],
            (
                "Three parts: as many as texts of this length usually have; "
                "the break before “Bees” is the clearest."
            ),
        ),
        (
            [0.1, 0.39],
            "Three parts: as many as texts of this length usually have, with no plain break.",
        ),
        (  # by the paper's cut, whose boundaries are not rated
            [None, None],
            "Three parts: no other number explains the words better for the boundaries it takes.",
        ),
    ],
)
def test_which_breaks_are_plain(strengths: list[float | None], expected: str) -> None:
    assert reason(choice_of(len(strengths) + 1), strengths) == expected


@pytest.mark.parametrize("strengths", [[0.2], [0.9, 0.3, 0.5], [None, None]])
def test_parts_like_texts_of_their_own(strengths: list[float | None]) -> None:
    found = reason(choice_of(len(strengths) + 1, has_plain_breaks=True), strengths)
    assert found.endswith(" parts: each has a subject of its own.")


@pytest.mark.parametrize(
    ("runner_up", "confidence", "expected"),
    [
        (8, 0.5, "; an eighth would be weak."),
        (8, 0.49, "; an eighth would be nearly as good."),
        (6, 0.5, "; six would be the next best."),
        (6, 0.49, "; six would do nearly as well."),
        (13, 0.9, "; 13 would be the next best."),
    ],
)
def test_the_runner_up_and_how_sure_it_is(runner_up: int, confidence: float, expected: str) -> None:
    choice = choice_of(7, runner_up, confidence=confidence)
    assert reason(choice, [0.9] * 6) == f"Seven parts: all breaks are plain{expected}"


@pytest.mark.parametrize(
    ("k", "more"), [(2, "a third"), (9, "a tenth"), (10, "one more"), (40, "one more")]
)
def test_one_part_more(k: int, more: str) -> None:
    assert reason(choice_of(k, k + 1), [0.9] * (k - 1)).endswith(f"; {more} would be weak.")


def test_titles_stand_on_one_line() -> None:
    found = reason(choice_of(3), [0.9, 0.1], ["", "Of mice\n and\tmen", "Jars"])
    assert found == "Three parts: the break before “Of mice and men” is plain."


def test_a_cost_of_the_users_own_has_its_penalty_alone() -> None:
    found = reason(choice_of(3, 2, confidence=None), [0.9, 0.1])
    assert found == (
        "Three parts: no other number costs less, with the penalty of its boundaries; "
        "two would be the next best."
    )


@given(st.data(), st.integers(1, 30), st.integers(0, 30))
def test_a_reason_is_one_line_that_ends_with_a_full_stop(
    data: st.DataObject, k: int, n_boundaries: int
) -> None:
    strength = st.none() | st.floats(0, 1)
    strengths = data.draw(
        st.lists(strength, min_size=n_boundaries, max_size=n_boundaries)
        | st.lists(strength, min_size=k - 1, max_size=k - 1)
    )
    titles = data.draw(st.lists(st.text(), min_size=1, max_size=4))
    choice = Choice(
        k,
        data.draw(st.none() | st.integers(1, 30).filter(lambda other: other != k)),
        (0.0,) * data.draw(st.integers(0, 3)),
        1.0,
        confidence=data.draw(st.none() | st.floats(0, 1)),
        has_plain_breaks=data.draw(st.booleans()),
        follows_headings=data.draw(st.booleans()),
        n_sections=data.draw(st.none() | st.integers(1, 60)),
    )
    found = reason(choice, strengths, titles)
    assert found.splitlines() == [found]
    assert found.endswith(".")
    assert not found.endswith("..")
    assert found[0].isupper() or found[0].isdigit()


@pytest.mark.parametrize("preset", ["sharp", "paper"])
def test_a_result_bears_its_reason(preset: str) -> None:
    result = docbats.analyze(HOW_TO.read_text(encoding="utf-8"), preset=preset)
    assert result.choice is not None
    assert result.choice == explain_choice(result.choice, result.segments)
    assert result.choice.reason == explain_choice(result.choice, result.segments).reason
    assert result.to_dict()["choice"]["reason"] == result.choice.reason


def test_a_number_that_a_model_of_your_own_expects() -> None:
    segments = segments_of([0.3, 0.2])
    own = explain_choice(choice_of(3), segments, "your documents of this length")
    assert own.reason == (
        "Three parts: as many as your documents of this length usually have, with no plain break."
    )


def test_a_quoted_title_is_not_quoted_again() -> None:
    segments = segments_of([0.6], ["Soil", "“The shed stands…”"])
    segments[1] = replace(segments[1], title_source="opening")
    explained = explain_choice(choice_of(2), segments).reason
    assert "before “The shed stands…” is" in explained
