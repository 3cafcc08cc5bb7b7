"""Chunks of talk: names in the text, whole turns, and times and speakers beside them."""

from __future__ import annotations

import pytest

from docbats import Chunker, Document, chunk

LONG = "I saw the bats again. " * 30
TALK = "\n\n".join(
    [
        "Anna Lee  0:00\nShall we begin? I have the draft here.",
        "Ben  0:07\nYes, please. I wonder what it costs.",
        f"Anna Lee  0:12\n{LONG}".strip(),
        "And that was all.",
        "Ben  1:40\nThank you. I see.",
        "Anna Lee  1:44\nDo you have questions?",
    ]
)


def test_chunks_have_names_times_and_speakers() -> None:
    first, *_ = chunk(TALK, chunk_size=120)
    assert first.text.startswith("Anna Lee  0:00\nShall we")
    assert first.speakers == ("Anna Lee", "Ben")
    assert first.place is not None
    assert first.place.seconds == (0, 12)
    assert first.values()["seconds"] == [0, 12]


def test_names_of_voices_are_in_the_text() -> None:
    cues = ["00:00.000 --> 00:02.000\n<v Ann>Bats hunt.", "00:02.000 --> 00:03.000\n<v Bob>Tea."]
    (found,) = chunk("\n\n".join(["WEBVTT", *cues]).encode())
    assert found.text == "Ann: Bats hunt.\n\nBob: Tea."


@pytest.mark.parametrize("size", [60, 80, 100, 200])
def test_a_turn_is_whole_unless_it_is_too_large(size: int) -> None:
    document = Document.of(TALK)
    edges = {found.start for found in chunk(document, chunk_size=size)}
    for block in document.blocks:
        if block.end - block.start <= size and block.speaker == "Ben":
            assert not any(block.start < edge < block.end for edge in edges)


def test_paragraphs_of_one_turn_stay_together_if_they_fit() -> None:
    text = "\n\n".join(["ANN: Do you hear?", "I hear bats.", "BOB: Yes. So do I.", "ANN: Good."])
    found = [each.text for each in chunk(text, chunk_size=35)]
    assert found == ["ANN: Do you hear?\n\nI hear bats.", "BOB: Yes. So do I.\n\nANN: Good."]


def test_who_goes_on_to_speak_is_part_of_the_context() -> None:
    chunks = Chunker(chunk_size=150, context="headings")(TALK)
    assert {each.context for each in chunks} == {"", "Anna Lee"}
    for each in chunks:
        assert (each.context == "") == (each.text.startswith(("Anna", "Ben")))
        assert len(each.content) == each.size <= 150
