from __future__ import annotations

import pytest

import docbats
from docbats.text.languages import load_language
from docbats.text.structure import find_structure

ENGLISH = load_language("en")

Turn = tuple[str, str | None, tuple[float, float] | None]


def turns(text: str) -> list[Turn]:
    blocks = find_structure(text, ENGLISH).blocks
    return [(block.kind, block.speaker, block.seconds) for block in blocks]


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        ("ANNA: ", "BOB: ", ("ANNA", "BOB")),
        ("Erik St. Martin: ", "Dr. Lee: ", ("Erik St. Martin", "Dr. Lee")),
        ("**Anna van Dyke:** ", "**Bob:** ", ("Anna van Dyke", "Bob")),
        ("Speaker 1: ", "Speaker 2: ", ("Speaker 1", "Speaker 2")),
        ("王伟：", "李娜：", ("王伟", "李娜")),
    ],
)
def test_names_before_colons_speak(
    first: str, second: str, names: tuple[str, str], gap: str
) -> None:
    text = gap.join([f"{first}Hello there.", f"{second}Hello. Well?", f"{first}Yes."])
    assert turns(text) == [("turn", name, None) for name in (*names, names[0])]
    prose = find_structure(text, ENGLISH).prose(text)
    assert prose.split() == ["Hello", "there.", "Hello.", "Well?", "Yes."]


@pytest.mark.parametrize(
    "text",
    [
        "[00:00:03] Anna: Hi.\n\n[00:00:10] Bob: Yes.\n\n[00:01:12] Anna: No.",
        "00:03 Anna: Hi.\n\n00:10 Bob: Yes.\n\n01:12 Anna: No.",
        "Anna (0:03): Hi.\n\nBob (0:10): Yes.\n\nAnna (1:12): No.",
        "Anna  0:03\nHi.\n\nBob  0:10\nYes.\n\nAnna  1:12\nNo.",
    ],
)
def test_times_beside_names_are_known(text: str) -> None:
    assert turns(text) == [
        ("turn", "Anna", (3, 10)),
        ("turn", "Bob", (10, 72)),
        ("turn", "Anna", (72, 72)),
    ]
    assert find_structure(text, ENGLISH).prose(text).split() == ["Hi.", "Yes.", "No."]


def test_paragraphs_after_a_turn_belong_to_it() -> None:
    text = "Before.\n\nANNA: Hi.\n\nI went there. It was.\n\nBOB: No.\n\nANNA: Yes."
    assert [speaker for _, speaker, _ in turns(text)] == [None, "ANNA", "ANNA", "BOB", "ANNA"]


def test_times_without_names_are_joined_to_stretches() -> None:
    lines = [f"0:{second:02} bats fly and\n" for second in range(0, 60, 5)]
    lines[7] = "0:35 they hear.\n"
    found = turns("".join(lines) + "1:05 moths\n1:30 dive.")
    assert found == [("turn", None, (0, 40)), ("turn", None, (40, 90))]


@pytest.mark.parametrize(
    "text",
    [
        "Bat: a mammal. It flies.\n\nMoth: an insect. It flies.\n\nTea: a drink. It cools.",
        ("Bats fly. They do.\n\n" * 3 + "Note: they hear. Well.\n\n") * 2,
        "He said so: it was. And so: it went.\n\nBats fly. They do.",
        "At 10:30 they fly. They do.\n\nAt 9:30 they sleep. They do.",
    ],
)
def test_other_words_before_colons_do_not_speak(text: str) -> None:
    assert all(kind == "paragraph" for kind, _, _ in turns(text))


def test_a_line_of_asterisks_is_no_label() -> None:
    text = "First.\n\n***\n\nSecond one.\n\n* *\n\n**\n\nThird."
    assert "".join(segment.text for segment in docbats.analyze(text).segments) == text
