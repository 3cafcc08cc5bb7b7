"""Turns among the paragraphs of files, and transcripts with odd times and names."""

from __future__ import annotations

import pytest
from tests.growth import takes_linear_time
from tests.sample_files import Files

import docbats
from docbats import Document
from docbats.render.html.report import render_page
from docbats.text.languages import load_language
from docbats.text.structure import find_structure

SAID = [
    ("Anna Lee", 3, "Shall we begin? I have the draft here."),
    ("Ben Okafor", 9, "Yes, please. I wonder what it costs."),
    ("Anna Lee", 15, "Nine thousand, I am told."),
    ("Ben Okafor", 21, "Then we need a second offer."),
]
TURNS = [("Anna Lee", (3, 9)), ("Ben Okafor", (9, 15)), ("Anna Lee", (15, 21)),
         ("Ben Okafor", (21, 21))]  # fmt: skip


def turns(document: Document) -> list[tuple[str | None, tuple[float, float] | None]]:
    return [(block.speaker, block.seconds) for block in document.blocks if block.kind == "turn"]


def test_turns_of_a_word_document_have_speakers_and_times() -> None:
    body = "".join(
        f"<w:p><w:r><w:t>{name}   0:{second:02}</w:t></w:r><w:r><w:br/></w:r>"
        f"<w:r><w:t>{said}</w:t></w:r></w:p>"
        for name, second, said in SAID
    )
    document = Document.read(Files().docx(body), name="meeting.docx")
    assert turns(document) == TURNS
    assert document.without_marks(*document.spans[0].tolist()) == "Shall we begin?"
    place = document.place(*document.spans[2].tolist())
    assert place is not None
    assert place.seconds is not None
    assert place.seconds[0] == 9


def test_turns_of_a_page_have_speakers() -> None:
    rows = "".join(f"<p><b>{name}:</b> {said}</p>" for name, _, said in SAID * 3)
    page = f"<!doctype html><html><body><h1>Roof</h1>{rows}</body></html>"
    document = Document.read(page.encode(), name="page.html")
    assert [name for name, _ in turns(document)] == [name for name, _, _ in SAID * 3]
    assert document.blocks[0].kind == "heading"


def test_blocks_of_your_own_stay_as_they_are() -> None:
    blocks = [{"kind": "paragraph", "text": f"{name}: {said}"} for name, _, said in SAID]
    assert {block.kind for block in Document.from_blocks(blocks).blocks} == {"paragraph"}


def test_headings_between_turns_stay_headings() -> None:
    rows = [f"**{name}** (0:{second:02}): {said}" for name, second, said in SAID]
    text = "\n\n".join(["# Roof", *rows[:2], "## Costs", *rows[2:], "- a list", "- of two"])
    document = Document.of(text)
    assert [block.kind for block in document.blocks] == [
        "heading", "turn", "turn", "heading", "turn", "turn", "list_item", "list_item",
    ]  # fmt: skip
    assert turns(document) == TURNS


# Odd times and names


def cue(begins: str, ends: str, said: str) -> str:
    return f"{begins} --> {ends}\n{said}\n"


@pytest.mark.parametrize("as_file", [True, False])
@pytest.mark.parametrize(
    ("begins", "ends", "seconds"),
    [
        ("-00:00:05.000", "00:00:02.000", (0, 2)),
        ("00:00:05.000", "00:00:02.000", (5, 5)),
        ("99:59:58.000", "99:59:59.000", (359998, 359999)),
        ("0:0:1.5", "0:0:2.25", (1.5, 2.25)),
    ],
)
def test_times_of_cues_may_be_odd(
    begins: str, ends: str, seconds: tuple[float, float], *, as_file: bool
) -> None:
    text = "WEBVTT\n\n" + "\n".join(
        cue(begins, ends, f"I hear {i} bats, do you?") for i in range(3)
    )
    document = Document.of(text.encode() if as_file else text)
    assert {block.seconds for block in document.blocks} == {seconds}
    assert "I hear 0 bats, do you?" in [
        document.without_marks(start, end) for start, end in document.spans.tolist()
    ]


def test_cues_out_of_order_are_sorted_in_files_and_kept_in_texts() -> None:
    order = [3, 1, 2, 0]
    text = "WEBVTT\n\n" + "\n".join(
        cue(f"00:0{i}:00.000", f"00:0{i}:30.000", f"I am number {i}.") for i in order
    )
    assert Document.of(text.encode()).text.split() == [
        word for i in range(4) for word in f"I am number {i}.".split()
    ]
    pasted = Document.of(text)
    assert pasted.text == text
    assert [block.seconds for block in pasted.blocks] == [(60 * i, 60 * i + 30) for i in order]


NAMES = [
    "N" * 10_000, "<script>alert(1)</script>", "\u202bדנה לוי\u202c", "محمد", "a\u0301" * 50, "<b>",
    "{{7*7}}", "'\";--", "\x00", "= 1 + 1", "🌿",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_names_may_be_odd(name: str) -> None:
    rows = [
        f"[12/03/2024, 09:1{i}:32] {who}: I hear the bats. Do you?"
        for i, who in enumerate([name, "Bob", name, "Bob", name])
    ]
    text = "\n".join(rows)
    result = docbats.analyze(text, k=2)
    assert "".join(segment.text for segment in result.segments) == text
    page = render_page(result, "talk")
    assert "<script>alert(1)" not in page
    assert "<b>:" not in page


def test_direction_marks_are_no_part_of_names() -> None:
    rows = [f"[12/03/2024, 09:1{i}:32] \u202bדנה לוי\u202c: שלום" for i in range(4)]
    assert {name for name, _ in turns(Document.of("\n".join(rows)))} == {"דנה לוי"}


HOSTILE = {
    "cues": "00:01.000 --> 00:02.000\nhello you\n\n",
    "one moment": "[0:01] yes I do\n",
    "chat": "12/03/2024, 09:15 - anna: hi you\n",
    "names above": "Anna Lee\n9:15 AM\nhi you\n",
    "names": "ANNA: yes you\nBOB: no I\n",
    "dates": "1/2/3 " * 20 + "\n",
    "brackets": "(" * 100 + "1:23)\n",
    "voices": "<v " * 30 + "\n",
    "tags": "00:01.000 --> 00:02.000\n<<<<<<b>>\n\n",
    "dashes": "Mr. A.- " * 10 + "\n",
    "numbers": "1  a\n2  b\n",
    "titles": "Mr. " * 30 + ":\n",
    "spaces": "A" + " " * 150 + ":\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE)
def test_labels_are_read_in_linear_time(unit: str) -> None:
    english = load_language("en")
    assert takes_linear_time(lambda size: find_structure(unit * size, english), 300)
