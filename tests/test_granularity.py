"""How finely the text is divided where it decides on the number of segments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

import pytest

from docbats import Document, Result, SettingsError, analyze
from docbats.settings import Granularity

if TYPE_CHECKING:
    from pathlib import Path

SUBJECTS = ["silt", "lamp", "dues", "storm", "rope", "crane", "tide", "gull", "mast", "fog"]


def sentences_on(word: str, number: int) -> str:
    return " ".join(f"The {word} {verb} the {word}." for verb in ("has", "needs", "meets") * number)


def manual(sections: int, below: int = 0) -> Document:
    """Sections under headings, each with as many sections below it."""
    blocks: list[dict[str, Any]] = []
    for number in range(sections):
        word = SUBJECTS[number % len(SUBJECTS)]
        blocks.append({"kind": "heading", "text": f"Section {number + 1}", "level": 1})
        blocks.append({"kind": "paragraph", "text": sentences_on(word, 2)})
        for letter in "abcdefgh"[:below]:
            blocks.append({"kind": "heading", "text": f"{number + 1}{letter}", "level": 2})
            blocks.append({"kind": "paragraph", "text": sentences_on(word, 1)})
    return Document.from_blocks(blocks)


def titles(result: Result) -> list[str]:
    return [segment.title for segment in result.segments]


def test_finer_is_never_fewer() -> None:
    text = " ".join(sentences_on(word, 4) for word in SUBJECTS)
    found = [len(analyze(text, granularity=name).segments) for name in get_args(Granularity)]
    assert found == sorted(found)
    assert analyze(text).settings.granularity == "medium"


def test_fine_follows_headings_of_the_next_level_too() -> None:
    document = manual(4, below=2)
    assert titles(analyze(document)) == [f"Section {n}" for n in (1, 2, 3, 4)]
    fine = analyze(document, granularity="fine")
    wanted = [title for n in range(1, 5) for title in (f"Section {n}", f"{n}a", f"{n}b")]
    assert titles(fine) == wanted
    assert fine.choice is not None
    assert fine.choice.reason == "The headings of the text divide it into 12 parts."


def test_fine_keeps_to_the_top_where_there_is_no_next_level() -> None:
    document = manual(4)
    assert titles(analyze(document, granularity="fine")) == titles(analyze(document))


def test_fine_keeps_to_the_top_where_the_next_level_is_too_long_a_list() -> None:
    fine = analyze(manual(8, below=8), granularity="fine")
    assert titles(fine) == [f"Section {n}" for n in range(1, 9)]


def test_coarse_follows_few_headings_and_gathers_many() -> None:
    assert len(analyze(manual(4), granularity="coarse").segments) == 4
    coarse = analyze(manual(9), granularity="coarse")
    assert coarse.choice is not None
    assert coarse.choice.reason == "The 9 sections of the text are gathered into 3 parts."
    assert all(title.startswith("Section") for title in titles(coarse))
    assert len(coarse.segments) == 3


def test_a_k_of_your_own_goes_before() -> None:
    for name in get_args(Granularity):
        assert len(analyze(manual(4, below=2), k=5, granularity=name).segments) == 5


def test_other_words_are_refused() -> None:
    with pytest.raises(SettingsError, match="granularity must be one of coarse, medium, fine"):
        analyze("Bats fly.", granularity="rough")  # type: ignore[arg-type]


@pytest.mark.parametrize("structure", ["auto", "ignore"])
def test_people_get_fewer_and_more_parts(example: Path, structure: Any) -> None:
    text = example.read_text(encoding="utf-8")
    coarse, medium, fine = (
        len(analyze(text, granularity=name, structure=structure).segments)
        for name in get_args(Granularity)
    )
    assert coarse <= 2 / 3 * medium
    assert fine >= 1.5 * medium
