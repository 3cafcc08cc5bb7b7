from __future__ import annotations

from docbats import Settings
from docbats_lab.documents import SegmentedDocument
from docbats_lab.methods import prepare, prepare_document


def test_kept_and_other_words_sentence_by_sentence() -> None:
    prepared = prepare(
        ["The bats hunt moths.", "", "A moth hears bats hunting.", "Tea."], Settings(award=0)
    )
    assert prepared.words == ("bats", "hunt", "moths")
    assert prepared.counts.toarray().tolist() == [[1, 1, 1], [0, 0, 0], [1, 1, 1], [0, 0, 0]]
    assert [ids.tolist() for ids in prepared.sequence] == [[0, 1, 2], [], [2, 0, 1], []]
    assert [len(ids) for ids in prepared.content] == [3, 0, 4, 1]
    assert prepared.content_words == ("bats", "hunt", "moths", "hears", "tea")
    assert prepared.content_size == 5


FRENCH = (
    "Les chauves-souris chassent les papillons pendant la nuit.",
    "Un papillon entend les chauves-souris qui chassent.",
)


def test_a_document_is_prepared_in_its_own_language() -> None:
    prepared = prepare_document(SegmentedDocument("a", (FRENCH,), language="fr"))
    assert prepared.language == "fr"
    assert {"les", "la", "un", "qui", "pendant"}.isdisjoint(prepared.content_words)
    assert "les" in prepare_document(SegmentedDocument("a", (FRENCH,))).content_words
    assert "papillons" in prepared.words  # by its stem in both sentences


def test_a_language_may_be_detected() -> None:
    detected = prepare_document(SegmentedDocument("a", (FRENCH * 3,), language="auto"))
    assert detected.language == "fr"
    korean = ("박쥐는 밤에 난다.", "차는 뜨겁다.")
    assert prepare_document(SegmentedDocument("a", (korean,), language="auto")).language is None


def test_english_documents_are_prepared_as_ever() -> None:
    sentences = ("The bats hunt moths.", "A moth hears bats hunting.")
    ours = prepare_document(SegmentedDocument("a", (sentences,), text="The bats …"))
    plain = prepare(sentences)
    assert (ours.words, ours.content_words) == (plain.words, plain.content_words)
    assert (ours.counts != plain.counts).nnz == 0
    assert (plain.language, plain.text, ours.text) == ("en", None, "The bats …")
