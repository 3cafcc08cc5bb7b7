"""Documents with headings, paragraphs, lists and speakers, from the blocks to the result."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import docbats
from docbats import Document, InputError, analyze
from docbats.blocks import BLOCK_KINDS, Block
from docbats.parts import AUTHORS_TITLES

SUBJECTS = {
    "Dredging": "Silt fills the harbour. The dredger lifts silt. Silt is sold by its weight.",
    "Lights": "A lamp burns on the pier. The keeper trims the lamp. Oil feeds the lamp at night.",
    "Dues": "Each vessel pays dues. The clerk counts the dues. Dues are paid by the ton.",
    "Storms": "A storm closes the port. A flag warns of the storm. The storm breaks the boats.",
}
HEADING = {"kind": "heading", "text": "Bats"}
TURN = {"kind": "turn", "text": "Bats fly.", "speaker": "Ann"}


def heading(text: str, level: int = 1, number: str | None = None) -> dict[str, Any]:
    return {"kind": "heading", "text": text, "level": level, "number": number}


def paragraph(text: str, kind: str = "paragraph") -> dict[str, Any]:
    return {"kind": kind, "text": text}


def handbook() -> list[dict[str, Any]]:
    """A title, four sections, and two sections below the first."""
    blocks = [heading("The Handbook"), paragraph("A guide for those who keep harbours.")]
    for number, (title, text) in enumerate(SUBJECTS.items(), 1):
        blocks += [heading(title, 2, f"{number}."), paragraph(text), paragraph(text.upper())]
        if number == 1:
            blocks += [heading("Depth", 3), paragraph("The depth is sounded. Depth falls by silt.")]
            blocks += [heading("Ground", 3), paragraph("Silt is dumped. The ground is far out.")]
    return blocks


def titles(result: docbats.Result) -> list[str]:
    return [segment.title for segment in result.segments]


def test_segments_follow_the_headings_and_bear_them() -> None:
    result = analyze(Document.from_blocks(handbook()))
    wanted = ["The Handbook", "1. Dredging", "2. Lights", "3. Dues", "4. Storms"]
    assert titles(result) == wanted
    assert {segment.title_source for segment in result.segments} == {"document", "heading"}
    assert sum(bool(segment.subtitle) for segment in result.segments) >= 1
    assert not any(s.subtitle and s.subtitle.lower() in s.title.lower() for s in result.segments)
    assert result.segments[1].heading_path == ("The Handbook", "1. Dredging")
    assert result.choice is not None
    assert result.choice.follows_headings
    assert result.choice.reason == "The headings of the text divide it into 5 parts."
    assert "".join(segment.text for segment in result.segments) == result.document.text
    assert all((segment.strength or 1) > 0.9 for segment in result.segments)


def test_the_title_of_the_document_is_told_from_those_of_its_parts() -> None:
    parts = [f"## {name}\n\nThe {name} is here. It is a good {name}.\n" for name in "ABC"]
    result = docbats.analyze("# Letters\n\nThis is about letters.\n\n" + "\n".join(parts))
    assert [segment.title for segment in result.segments] == ["Letters", "A", "B", "C"]
    sources = [segment.title_source for segment in result.segments]
    assert sources == ["document", "heading", "heading", "heading"]


def test_the_outline_follows_the_levels() -> None:
    outline = analyze(Document.from_blocks(handbook())).outline
    children = outline[1].children
    assert [child.title for child in children[1:]] == ["Depth", "Ground"]
    assert [child.title_source for child in children][1:] == ["heading", "heading"]
    assert children[0].title_source not in AUTHORS_TITLES
    assert (children[0].start, children[-1].end) == (outline[1].start, outline[1].end)
    assert [a.end for a in children[:-1]] == [b.start for b in children[1:]]


@pytest.mark.parametrize("k", range(1, 20))
def test_k_holds_exactly_and_headings_come_first(k: int) -> None:
    result = analyze(Document.from_blocks(handbook()), k=k)
    assert len(result.segments) == k
    begins = [segment.title_source for segment in result.segments[1:]]
    assert begins.count("heading") == min(k - 1, 6)
    if k <= 5:
        assert set(titles(result)[1:]) <= {"1. Dredging", "2. Lights", "3. Dues", "4. Storms"}


def test_a_title_over_the_first_section_does_not_hide_it() -> None:
    blocks = [heading("All of it"), *handbook()[2:]]
    assert titles(analyze(Document.from_blocks(blocks)))[0] == "1. Dredging"


def test_boundaries_fall_between_paragraphs() -> None:
    blocks = [paragraph(f"{text} {text}") for text in SUBJECTS.values() for _ in range(4)]
    document = Document.from_blocks(blocks)
    starts = {block.start for block in document.blocks}
    for k in (2, 4, 7, 16):
        result = analyze(document, k=k)
        assert all(segment.start in starts for segment in result.segments)
    found = analyze(document)
    assert [segment.start for segment in found.segments] == [
        document.blocks[i].start for i in (0, 4, 8, 12)
    ]
    assert AUTHORS_TITLES.isdisjoint(segment.title_source for segment in found.segments)


@pytest.mark.parametrize("kind", ["list_item", "table", "code"])
def test_what_belongs_together_is_not_torn(kind: str) -> None:
    blocks = []
    for text in SUBJECTS.values():
        sentences = text.split(". ")
        blocks += [paragraph(f"{text} These are:"), *(paragraph(s, kind) for s in sentences)]
    document = Document.from_blocks(blocks)
    kinds = {block.start: block.kind for block in document.blocks}
    for k in (2, 3, 4):
        result = analyze(document, k=k)
        assert [kinds[segment.start] for segment in result.segments] == ["paragraph"] * k


def test_a_size_may_tear_what_is_too_large() -> None:
    blocks = [paragraph(" ".join(SUBJECTS.values())) for _ in range(3)]
    result = analyze(Document.from_blocks(blocks), max_size=4)
    sizes = [b - a for a, b in (segment.sentences for segment in result.segments)]
    assert max(sizes) <= 4


def test_structure_can_be_ignored() -> None:
    document = Document.from_blocks(handbook())
    bare = Document(document.text, document.spans)
    ignored = analyze(document, structure="ignore")
    assert [s.sentences for s in ignored.segments] == [s.sentences for s in analyze(bare).segments]
    assert AUTHORS_TITLES.isdisjoint(segment.title_source for segment in ignored.segments)


def test_strict_never_cuts_a_paragraph() -> None:
    long = " ".join(f"{text} " * 5 for text in SUBJECTS.values())
    blocks = [paragraph("A first word on harbours."), paragraph(long), paragraph("A last word.")]
    document = Document.from_blocks(blocks)
    assert len(analyze(document, k=3).segments) == 3
    strict = analyze(document, structure="strict")
    starts = {block.start for block in document.blocks}
    assert all(segment.start in starts for segment in strict.segments)
    loose = analyze(document, k=4)
    assert not all(segment.start in starts for segment in loose.segments)


def test_what_is_no_prose_stays_in_the_text_and_says_nothing() -> None:
    blocks = handbook()
    blocks.insert(3, paragraph("zzqx = zzqx + zzqx\nprint(zzqx, zzqx)", "code"))
    blocks.insert(8, paragraph("zzqx | zzqx | zzqx", "table"))
    result = analyze(Document.from_blocks(blocks))
    assert "zzqx" in result.document.text
    assert "".join(segment.text for segment in result.segments) == result.document.text
    shown = result.to_dict(outline=True)
    for segment in shown["segments"]:
        segment.pop("text")
    assert "zzqx" not in str(shown)
    assert all("zzqx" not in sentence.text for sentence in result.summary(4))


def test_speakers_are_named() -> None:
    turns = [("Ann", SUBJECTS["Lights"]), ("Bo", SUBJECTS["Dues"]), ("Ann", SUBJECTS["Storms"])]
    blocks = [
        {"kind": "turn", "speaker": who, "text": text, "seconds": (10 * i, 10 * i + 9)}
        for i, (who, text) in enumerate(turns)
    ]
    result = analyze(Document.from_blocks(blocks), k=2)
    assert set().union(*(segment.speakers for segment in result.segments)) == {"Ann", "Bo"}
    assert analyze(Document.from_blocks(blocks), k=1).segments[0].speakers == ("Ann", "Bo")
    assert result.document.blocks[1].seconds == (10.0, 19.0)


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ({"kind": "poem", "text": "x"}, "the kind of block 0 must be one of heading"),
        ({"kind": "paragraph", "text": 3}, "the text of block 0 must be a string, got int"),
        ({"kind": "paragraph", "text": "x", "colour": 1}, "block 0 has colour: it may have kind"),
        ({"kind": ["heading"], "text": "x"}, "the kind of block 0 must be one of heading"),
        ({**HEADING, "number": 1}, "the number of block 0 must be a string, got 1"),
        ({**HEADING, "level": "2"}, "the level of block 0 must be a whole number from 1, got '2'"),
        ({**HEADING, "level": 1.5}, "the level of block 0 must be a whole number from 1, got 1.5"),
        ({**HEADING, "level": True}, "the level of block 0 must be a whole number"),
        ({**HEADING, "level": 0}, "the level of block 0 must be a whole number from 1, got 0"),
        ({**TURN, "speaker": 3}, "the speaker of block 0 must be a string, got 3"),
        ({**TURN, "seconds": 5}, "the seconds of block 0 must be two numbers, .* got 5"),
        ({**TURN, "seconds": (1,)}, "the seconds of block 0 must be two numbers"),
        ({**TURN, "seconds": (1, 2, 3)}, "the seconds of block 0 must be two numbers"),
        ({**TURN, "seconds": "12"}, "the seconds of block 0 must be two numbers"),
        ({**TURN, "seconds": (1, float("nan"))}, "the seconds of block 0 must be two numbers"),
        ("Bats fly.", "block 0 must be a mapping with kind and text, got str"),
        (None, "block 0 must be a mapping with kind and text, got NoneType"),
    ],
)
def test_blocks_that_are_wrong_are_refused(block: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Document.from_blocks([block])


@pytest.mark.parametrize("blocks", [None, 3, "Bats fly.", {"kind": "paragraph", "text": "Bats."}])
def test_what_is_no_list_of_blocks_is_refused(blocks: Any) -> None:
    with pytest.raises(InputError, match=r"must be a (list of mappings|mapping)"):
        Document.from_blocks(blocks)


def test_numbers_of_numpy_are_numbers() -> None:
    seconds = np.array([1, 2.5], np.float32)
    blocks: list[dict[str, Any]] = [{**HEADING, "level": np.int64(2)}, {**TURN, "seconds": seconds}]
    made = Document.from_blocks(blocks).blocks
    assert (made[0].level, made[1].seconds) == (2, (1.0, 2.5))


@pytest.mark.parametrize("spans", [[(0, 3), (2, 5)], [(4, 2)], [(0, 99)], [(-1, 2)]])
def test_blocks_that_overlap_or_leave_the_text_are_refused(spans: list[tuple[int, int]]) -> None:
    blocks = tuple(Block("paragraph", a, b) for a, b in spans)
    with pytest.raises(InputError, match="blocks must lie in order"):
        Document("One two.", np.array([[0, 8]]), blocks=blocks)


@given(
    st.lists(
        st.tuples(st.sampled_from(BLOCK_KINDS), st.integers(1, 4), st.text("ab. \n", max_size=30)),
        min_size=1,
        max_size=12,
    ),
    st.integers(1, 6),
)
def test_any_blocks_tile_the_text(blocks: list[tuple[str, int, str]], k: int) -> None:
    made = [
        {"kind": kind, "text": text, **({"level": level} if kind == "heading" else {})}
        for kind, level, text in blocks
    ]
    try:
        document = Document.from_blocks(made)
        result = analyze(document, k=min(k, len(document)))
    except InputError:
        return
    assert "".join(segment.text for segment in result.segments) == document.text
    assert len(result.segments) == min(k, len(document))
    free = analyze(document)
    for entry in free.outline:
        ends = [child.end for child in entry.children]
        assert not ends or ends[-1] == entry.end


HOSTILE = {
    "10,000 headings": [heading(f"Part {i}", 1 + i % 5) for i in range(10_000)],
    "10,000 sections": [
        block
        for i in range(5000)
        for block in (heading(f"Part {i}", 2), paragraph(f"Word{i % 7} is here. So is it{i % 5}."))
    ],
    "one paragraph of 1 MB": [paragraph("Bats fly at night and hear the walls. " * 26_000)],
    "turns of one word": [
        {"kind": "turn", "speaker": f"S{i % 3}", "text": f"Yes{i % 11}."} for i in range(20_000)
    ],
    "a list of 20,000 items": [
        paragraph(f"item{i % 13} of many", "list_item") for i in range(20_000)
    ],
    "contents of 500 lines": [paragraph(f"Part {i} .... {i}", "contents") for i in range(500)],
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_structure_has_a_result(name: str) -> None:
    document = Document.from_blocks(HOSTILE[name])
    result = analyze(document)
    assert "".join(segment.text for segment in result.segments) == document.text
    assert result.outline
