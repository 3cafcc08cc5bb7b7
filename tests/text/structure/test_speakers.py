from __future__ import annotations

import pytest

import docbats
from docbats.text.labels import is_name
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
    lines = [f"0:{second:02} we fly and\n" for second in range(0, 60, 5)]
    lines[7] = "0:35 they hear you.\n"
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


@pytest.mark.parametrize(
    "name",
    ["Anna", "Anna B. Lee", "ANNA VAN DYKE", "Anna of the Hills", "李娜", "Anna Maria Lee Ray",
     "Émile", "Speaker 12", "M" * 40, "O'Neil-Lee", "Vincent van Gogh"],
)  # fmt: skip
def test_names(name: str) -> None:
    assert is_name(name)


@pytest.mark.parametrize(
    "name",
    ["", "anna", "12 Anna", "(Anna", "Anna, Bob", "Anna Maria Lee Ray Doe", "M" * 41, "Anna van",
     "As they say", "Anna?", "a.b", "Www.example", "Anna/Bob", "Anna.. Lee", "Anna has Tea"],
)  # fmt: skip
def test_what_is_no_name(name: str) -> None:
    assert not is_name(name)


def rest(text: str) -> list[str]:
    return find_structure(text, ENGLISH).prose(text).split()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Anna:", "Bob:"),
        ("*Anna:*", "*Bob:*"),
        ("**Anna**:", "**Bob**:"),
        ("__Anna:__", "__Bob:__"),
        ("12:30 Anna:", "12:31 Bob:"),
        ("(1:02:03) Anna:", "(1:02:04) Bob:"),
        ("[12:30.5] - Anna:", "[12:31,25] - Bob:"),
        ("Anna 12:30:", "Bob 12:31:"),
        ("Anna - 12:30", "Bob - 12:31"),
        ("M" * 40 + ":", "Bob:"),
    ],
)
def test_labels_are_no_prose(first: str, second: str) -> None:
    text = f"{first} Hello there.\n\n{second} Well, yes.\n\n{first} Good."
    if first.endswith("0"):
        text = text.replace(f"{first} ", f"{first}\n").replace(f"{second} ", f"{second}\n")
    assert rest(text) == ["Hello", "there.", "Well,", "yes.", "Good."]
    assert {kind for kind, _, _ in turns(text)} == {"turn"}
    assert [name for _, name, _ in turns(text)][1] == "Bob"


@pytest.mark.parametrize("label", ["Anna:x", "12:30x", "M" * 41 + ":", "At 12:30 I said:", "a: "])
def test_what_is_no_label(label: str) -> None:
    text = f"{label} Hello there. So.\n\n{label} Well, yes. So.\n\n{label} Good. So."
    assert "turn" not in [kind for kind, _, _ in turns(text)]


def test_times_are_hours_minutes_and_seconds() -> None:
    text = "[0:59] Anna: Hi.\n\n[1:00] Bob: Yes.\n\n[1:02:03] Anna: No."
    assert [seconds for _, _, seconds in turns(text)] == [(59, 60), (60, 3723), (3723, 3723)]
    mixed = "Anna: Hi.\n\n[0:30] Bob: Yes.\n\nAnna: So.\n\n[0:20] Bob: No.\n\nAnna: Well."
    found = [seconds for _, _, seconds in turns(mixed)]
    assert found == [None, (30, 30), None, (20, 20), None]  # none ends before it begins


SAID = "I went there. It was cold."


def speakers(*names: str, others: int = 0) -> list[str | None]:
    said = "\n\n".join([f"{name}: {SAID}" for name in names] + [SAID] * others)
    return [speaker for _, speaker, _ in turns(said)]


def test_a_third_of_the_paragraphs_must_have_speakers() -> None:
    assert set(speakers("Anna", "Bob", "Anna", "Bob", others=8)) == {"Anna", "Bob"}
    assert set(speakers("Anna", "Bob", "Anna", "Bob", others=9)) == {None}


def test_one_speaker_must_have_most_of_them() -> None:
    assert set(speakers("Anna", "Anna", "Anna", others=2)) == {"Anna"}
    assert set(speakers("Anna", "Anna", "Anna", others=3)) == {None}


def test_rare_names_speak_where_most_paragraphs_have_names() -> None:
    assert speakers("Anna", "Bob", "Anna", "Bob", "Eve") == ["Anna", "Bob", "Anna", "Bob", "Eve"]
    assert speakers("Anna", "Bob", "Anna", "Bob", "Eve", others=4)[4:] == ["Bob"] * 5
    assert set(speakers("Anna", "Anna", "Bob", "Eve", "Lee")) == {None}  # a glossary


def test_times_alone_must_go_up_and_be_three() -> None:
    said = "0:{} they went there.\n\n0:{} It was cold. So.\n\n0:{} It rained."
    assert {kind for kind, _, _ in turns(said.format("01", "02", "03"))} == {"turn"}
    assert {kind for kind, _, _ in turns(said.format("01", "01", "03"))} == {"turn"}
    assert "turn" not in {kind for kind, _, _ in turns(said.format("01", "03", "02"))}
    two = "0:01 They went there. So.\n\n0:02 It was cold. So."
    assert "turn" not in {kind for kind, _, _ in turns(two)}
    assert "turn" not in {kind for kind, _, _ in turns("\n\n".join([said, *[SAID] * 7]))}


@pytest.mark.parametrize(
    ("seconds", "end", "n"),
    [(29, ".", 1), (30, ".", 2), (30, "", 1), (59, "", 1), (60, "", 2)],
)
def test_stretches_are_joined_to_half_a_minute_and_to_the_end_of_a_sentence(
    seconds: int, end: str, n: int
) -> None:
    later = f"{seconds // 60}:{seconds % 60:02}"
    first, second = "They went there and it was cold and dark", "I was cold. " * 25
    text = f"0:00 {first}{end}\n\n{later} {second}\n\n9:02 It rained."
    found = turns(text)
    assert len(found) == n + 1
    assert found[0][2] == (0, 542 if n == 1 else seconds)
    assert found[-1][2] == (542, 542)


def test_a_heading_ends_a_turn() -> None:
    text = f"ANNA: {SAID}\n\nBOB: {SAID}\n\nANNA: {SAID}\n\nBats\n====\n\n{SAID}"
    assert [(kind, speaker) for kind, speaker, _ in turns(text)][3:] == [
        ("heading", None),
        ("paragraph", None),
    ]
