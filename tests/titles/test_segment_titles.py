from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.titles.sample_phrases import BATS, SENTENCES, TEA, phrases_of

from docbats.document import Document
from docbats.parts import Title
from docbats.text.languages.english import LANGUAGE as ENGLISH
from docbats.text.languages.english import STOP_WORDS
from docbats.titles.titles import quote_opening, title_segments

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def titles_of(sentences: Sequence[str], starts: Sequence[int]) -> tuple[str, ...]:
    document = Document.from_sentences(sentences)
    titles = title_segments(document, phrases_of(document)[0], np.array(starts, np.int64))
    return tuple(title.text for title in titles)


def test_a_case_by_hand() -> None:
    # Moths are in all three sentences there and in none here, and so is the kettle.
    assert titles_of([*BATS, *TEA], [0, 3]) == ("Moths and animal", "Kettle and cold water")


def test_one_segment_is_titled_by_what_is_common() -> None:
    # What else recurs joins it, since the two meet.
    assert titles_of(BATS, [0]) == ("Moths and animal",)
    assert titles_of(TEA, [0]) == ("Kettle and cold water",)


def test_measures_and_vague_nouns_give_way() -> None:
    sentences = [
        "In the first year the harbour was dredged for a year.",
        "It took a year and two square metres of the harbour.",
        "Then there was one more year of square metres.",
        "She sang to them about the wind and the rain.",
    ]
    assert titles_of(sentences, [0, 3])[0] == "Harbour"


def test_without_a_noun_the_first_words_make_the_title() -> None:
    said = "we were there and then they were here and so it was and will be again"
    assert titles_of(["It was so.", *BATS, "", said], [0, 1, 4]) == (
        "“It was so.”",
        "Moths and animal",
        "“We were there…”",
    )
    assert titles_of(["", " ", "."], [0, 1, 2]) == ("…", "… (2)", ".")
    assert titles_of(["the" * 40], [0]) == ("“The" + "the" * 21 + "t…”",)


def test_a_phrase_that_is_too_doubtful_is_not_shown() -> None:
    document = Document.from_sentences([*BATS, *TEA])
    phrases, _ = phrases_of(document)
    starts = np.array([0, 3])
    certain = title_segments(document, phrases, starts)
    assert [title.source for title in certain] == ["phrase"] * 2
    least, most = sorted(title.confidence for title in certain)
    assert 0 < least < most < 1
    found = title_segments(document, phrases, starts, threshold=most)
    assert sorted(title.source for title in found) == ["opening", "phrase"]
    assert [title.confidence for title in found] == [title.confidence for title in certain]
    none = title_segments(document, phrases, starts, threshold=1.0)
    assert [title.text for title in none] == [
        "“The animal hunts moths with its ears.”",
        "“He put the cold water into the old kettle.”",
    ]


def test_openings_are_quoted_without_fillers() -> None:
    said = ["Yeah.", "Okay, thanks.", "Um, so the grant for the new boats ran out in May."]
    document = Document.from_sentences(said)
    quoted = quote_opening(document, range(3), ENGLISH)
    assert quoted == Title("“The grant for the new boats ran out in May.”", "opening", 0.0)
    assert quote_opening(document, range(2), ENGLISH).text == "Yeah."


def test_who_speaks_is_named_before_their_words() -> None:
    turns = [("Ann", "Yeah."), ("Bo", "“The pumps failed again,” she said, on the second day.")]
    document = Document.from_blocks(
        [{"kind": "turn", "speaker": name, "text": text} for name, text in turns]
    )
    quoted = quote_opening(document, range(len(document)), ENGLISH)
    assert quoted.source == "speaker"
    assert quoted.text == "Bo: “The pumps failed again, she said, on the second day.”"


def test_thanks_are_not_quoted() -> None:
    said = ["Thank you for your continued interest in it.", "The harbour needs a second dredger."]
    quoted = quote_opening(Document.from_sentences(said), range(2), ENGLISH)
    assert quoted.text == "“The harbour needs a second dredger.”"


def test_the_same_segment_many_times_is_numbered() -> None:
    assert titles_of(["They saw the moths."] * 3, range(3)) == (
        "Moths",
        "“They saw the moths.”",
        "“They saw the moths.” (2)",
    )


def test_loose_words_where_the_tagger_is_of_no_use() -> None:
    sentences = [
        *("Die Fledermaus jagt nachts.", "Nachts schläft keine Fledermaus."),
        *("Der Kaffee kocht.", "Der Kaffee steht im Kessel."),
    ]
    first, second = titles_of(sentences, [0, 2])
    assert "Fledermaus" in first.split(", ")
    assert "Kaffee" in second.split(", ")


def test_pairs_of_characters_that_overlap_do_not_meet_in_a_title() -> None:
    title = titles_of(["蝙蝠在夜间捕猎。", "蝙蝠睡觉。"], [0])[0]
    assert title.startswith("蝙蝠")
    assert len(set(title)) == len(title)


@given(SENTENCES, st.data())
def test_titles_are_distinct_short_and_repeatable(
    sentences: list[str], data: st.DataObject
) -> None:
    cuts = data.draw(st.sets(st.integers(1, max(1, len(sentences) - 1))))
    starts = sorted({0, *(cut for cut in cuts if cut < len(sentences))})
    titles = titles_of(sentences, starts)
    assert titles == titles_of(sentences, starts)
    assert len(titles) == len(starts)
    assert len({title.casefold() for title in titles}) == len(titles)
    for title in titles:
        assert 0 < len(re.sub(r" \(\d+\)$", "", title)) <= 60
        assert title[0] == title[0].upper()
        assert title.lower() not in STOP_WORDS - {word for s in sentences for word in s.split()}


def test_many_segments() -> None:
    rng = np.random.default_rng(0)
    nouns = ["lake", "hill", "wood", "road", "barn", "mill", "farm", "yard", "pond", "field"]
    sentences = [f"The {a} is in the {b}." for a, b in rng.choice(nouns, (400, 2)).tolist()]
    assert len(set(titles_of(sentences, range(0, 400, 2)))) == 200


def test_titles_of_our_examples_say_what_their_segments_say(example: Path) -> None:
    text = example.read_text("utf-8")
    document = Document.from_text(text)
    reference = json.loads(example.with_suffix(".segments.json").read_text("utf-8"))["segments"]
    offsets = [segment["start"] for segment in reference]
    starts = np.searchsorted(document.spans[:, 0], offsets)
    titles = title_segments(document, phrases_of(document)[0], starts)
    for title, segment in zip(titles, reference, strict=True):
        inside = text[segment["start"] : segment["end"]].lower()
        for word in title.text.lower().replace(" and ", " ").split():
            assert word.removesuffix("ing")[:-1] in inside, title  # "writing" of "to write"
