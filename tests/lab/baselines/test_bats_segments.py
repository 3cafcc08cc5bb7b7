from __future__ import annotations

from dataclasses import replace

import pytest

from docbats import Document, analyze
from docbats_lab.documents import SegmentedDocument
from docbats_lab.method_registry import SEGMENTERS as BY_NAME
from docbats_lab.methods import prepare, prepare_document

SENTENCES = (
    "Bats hunt moths at night.", "Moths hear bats at night.", "Bats hunt.", "Moths hear bats.",
    "Hot tea needs a clean cup.", "A clean cup cools hot tea.", "Hot tea cools.", "A cup of tea.",
)  # fmt: skip
# Two sentences a paragraph.
TEXT = "\n\n".join(" ".join(SENTENCES[i : i + 2]) for i in range(0, len(SENTENCES), 2))


def test_each_takes_or_finds_its_k() -> None:
    prepared = prepare(SENTENCES)
    for k in (1, 2, len(SENTENCES)):
        for name in ("BATS", "docbats (k)"):
            assert BY_NAME[name].takes_k
            assert len(BY_NAME[name].cut(prepared, k, 0)) == k
    found = [BY_NAME["docbats"].cut(prepared, k, 0) for k in (1, 2, len(SENTENCES))]
    assert not BY_NAME["docbats"].takes_k
    assert found[0] == found[1] == found[2]


def test_each_gives_the_segments_of_the_engine() -> None:
    prepared = prepare(SENTENCES)
    for name, settings in (
        ("BATS", {"k": 2, "preset": "paper"}),
        ("docbats (k)", {"k": 2, "preset": "sharp"}),
        ("docbats", {"preset": "sharp"}),
    ):
        expected = [s.sentences[0] for s in analyze(SENTENCES, **settings).segments]
        assert BY_NAME[name].cut(prepared, 2, 0) == expected


def test_paragraphs_are_used_where_they_are_known() -> None:
    prepared = prepare_document(SegmentedDocument("a", (SENTENCES,), text=TEXT))
    for k in (2, 3, 4):
        starts = BY_NAME["docbats (k), paragraphs"].cut(prepared, k, 0)
        expected = analyze(Document.from_text(TEXT), k=k).segments
        assert starts == [segment.sentences[0] for segment in expected]
        assert all(start % 2 == 0 for start in starts)
    own = BY_NAME["docbats, paragraphs"]
    assert not own.takes_k
    expected = analyze(Document.from_text(TEXT)).segments
    assert own.cut(prepared, 1, 0) == [segment.sentences[0] for segment in expected]


def test_without_paragraphs_the_cut_is_that_of_the_namesake() -> None:
    prepared = prepare(SENTENCES)
    for name in ("docbats", "docbats (k)"):
        expected = BY_NAME[name].cut(prepared, 2, 0)
        assert BY_NAME[f"{name}, paragraphs"].cut(prepared, 2, 0) == expected


def test_a_text_of_other_sentences_is_refused() -> None:
    prepared = replace(prepare(SENTENCES), text="Bats hunt moths at night. Another one.")
    with pytest.raises(ValueError, match="2 sentences that differ"):
        BY_NAME["docbats, paragraphs"].cut(prepared, 2, 0)


def test_the_method_of_the_paper_is_told_the_language() -> None:
    bats = "Les chauves-souris chassent les papillons de la nuit."
    sentences = (bats, "Les papillons de la nuit volent.") * 3 + ("Le thé est dans la tasse.",) * 4
    prepared = prepare_document(SegmentedDocument("a", (sentences,), language="fr"))
    expected = analyze(sentences, k=2, preset="paper", language="fr").segments
    assert BY_NAME["BATS"].cut(prepared, 2, 0) == [s.sentences[0] for s in expected]
