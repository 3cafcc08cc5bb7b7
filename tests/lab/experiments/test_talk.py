"""Talk in the forms of many exporters is read as it was written; what looks like it is not talk."""

from __future__ import annotations

from itertools import groupby, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from docbats import Document
from docbats_lab.documents import StructuredDocument
from docbats_lab.experiments.request import Request
from docbats_lab.experiments.talk import is_taken_for_talk, page, run, score_sample
from docbats_lab.experiments.talk_cuts import NAMED, WEIGHTS, as_talk, cut_facts, cut_talk
from docbats_lab.results import read_facts
from docbats_lab.talk_samples import look_alikes, samples

if TYPE_CHECKING:
    from docbats_lab.talk_samples import Sample

FACTS = Path(__file__).parents[3] / "benchmarks" / "results" / "lab" / "talk"
BY_SHAPE = {shape: list(found) for shape, found in groupby(samples(), lambda each: each.shape)}


@pytest.mark.parametrize("as_file", [False, True], ids=["pasted", "file"])
@pytest.mark.parametrize("shape", BY_SHAPE)
def test_every_turn_is_found_with_its_speaker_and_its_time(shape: str, *, as_file: bool) -> None:
    found = BY_SHAPE[shape]
    assert len(found) >= 3
    scores = {sample.version: score_sample(sample, as_file=as_file) for sample in found}
    assert {name: score.n_right / score.n_turns for name, score in scores.items()} == dict.fromkeys(
        scores, 1.0
    )


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.name)
def test_offsets_of_what_is_pasted_are_those_of_the_text(sample: Sample) -> None:
    document = Document.of(sample.text)
    if sample.text[:1] in "{[s" and document.text != sample.text:
        return  # data, of which only what is said is text
    assert document.text == sample.text
    spans = document.spans.tolist()
    assert all(start < end for start, end in spans)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    for sentence in (document.without_marks(start, end) for start, end in spans):
        assert "-->" not in sentence


@pytest.mark.parametrize("name", look_alikes())
def test_what_looks_like_talk_is_not_taken_for_it(name: str) -> None:
    assert not is_taken_for_talk(look_alikes()[name])


def test_the_page_shows_what_was_read(tmp_path: Path) -> None:
    run(Request(data=tmp_path, output=tmp_path))
    shown = "".join(page(tmp_path / "talk", tmp_path))
    assert "| **all** |" in shown
    assert "0 are taken for talk" in shown


def record(source: str = "s") -> StructuredDocument:
    """A meeting of three parts, each with two speakers of its own."""
    blocks: list[dict[str, object]] = []
    for part, names in enumerate((("Ann", "Bo"), ("Cy", "Di"), ("Ed", "Flo"))):
        blocks.append({"type": "heading", "level": 2, "text": f"Item {part}"})
        for i in range(12):
            text = f"I think we should talk of item {part}, and of number {i}.  You know it."
            blocks.append({"type": "turn", "speaker": f"{names[i % 2]}.", "text": text})
        blocks.append({"type": "paragraph", "text": "And so on."})
    return StructuredDocument("a", source, "en", tuple(blocks))


def test_a_record_is_read_as_turns() -> None:
    talk = as_talk(record())
    assert talk is not None
    assert talk.starts == (0, 13, 26)
    assert [block.get("speaker") for block in talk.blocks[10:15]] == ["Ann", "Bo", "Bo", "Cy", "Di"]
    assert "  " not in talk.blocks[0]["text"]
    turns, plain = talk.document(turns=True), talk.document(turns=False)
    assert turns.text == plain.text
    assert {block.kind for block in plain.blocks} == {"paragraph"}


def test_notes_and_records_of_one_part_are_no_talk() -> None:
    whole = record()
    notes = [{**block, "type": "paragraph"} for block in whole.blocks if "speaker" in block]
    assert as_talk(StructuredDocument("a", "s", "en", tuple(notes))) is None
    assert as_talk(StructuredDocument("a", "s", "en", whole.blocks[:14])) is None


def test_the_cut_with_speakers_is_compared_with_the_one_without() -> None:
    found = []
    for source in NAMED:
        talk = as_talk(record(source))
        assert talk is not None
        scores = cut_talk(talk)
        assert scores is not None
        found.append(scores)
    assert found[0]["scores"]["with"][:4] == [0.0, 0.0, 1.0, 1.0]
    assert found[0]["recognized"] == 1.0
    assert found[0]["speakers"] == 39
    facts = cut_facts(found, 0)
    assert set(facts["sources"]) == set(facts["left out"]["sources"]) == set(NAMED)
    assert facts["left out"]["weights"]["icsi"] in WEIGHTS
    mean, low, high = facts["difference"]["true k"]["pk"]
    assert low <= mean <= high <= 0


def test_speakers_help_in_the_mean_and_harm_no_source() -> None:
    facts = read_facts(FACTS)["cuts"]
    for number in ("true k", "found k"):
        mean, _, high = facts["difference"][number]["pk"]
        assert mean <= high < 0
    for source in facts["sources"].values():
        gains = [source["difference"][number]["pk"][0] for number in ("true k", "found k")]
        assert sum(gains) <= 0


def test_the_page_shows_the_committed_facts(tmp_path: Path) -> None:
    shown = "".join(page(FACTS, tmp_path))
    assert "## Where talk is cut" in shown
    assert "| scotus-oral |" in shown
