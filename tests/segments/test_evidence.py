from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats.pipeline import prepare
from docbats.segments.costs import CutModel
from docbats.segments.evidence import Evidence, find_evidence
from docbats.settings import Settings


def evidence_of(
    sentences: list[str], weights: dict[str, float] | None = None, *, stem: bool = True
) -> Evidence:
    """Find the evidence with every word a noun."""
    settings = Settings(stem=stem, language="en", tagger=lambda words: ["NOUN"] * len(words))
    return find_evidence(prepare(sentences, settings), weights or {}, CutModel(), stem=stem)


def table(evidence: Evidence) -> list[list[int]]:
    """Lay out the counts: a row for each root, a column for each sentence."""
    counts = np.zeros((len(evidence.weight), len(evidence)), np.int64)
    counts[evidence.root, evidence.sentence] = evidence.count
    return counts.tolist()


def test_roots_of_two_sentences_are_counted() -> None:
    evidence = evidence_of(["Bats eat moths, moths.", "A moth hides.", "Old bats sleep."])
    assert table(evidence) == [[1, 0, 1], [2, 1, 0]]
    assert evidence.weight.tolist() == [1, 1]
    assert evidence.n_tokens == 5
    assert len(evidence) == 3


def test_roots_are_coarser_than_stems() -> None:
    sentences = ["Biology thrives.", "Biological warfare.", "Biologists agree."]
    assert table(evidence_of(sentences)) == [[1, 1, 1]]
    assert table(evidence_of(sentences, stem=False)) == []


def test_whom_a_text_speaks_of_counts_less() -> None:
    evidence = evidence_of(["He's gone.", "Him!", "It was his.", "They were here.", "Her."])
    assert table(evidence) == [[1, 1, 1, 0, 0], [0, 0, 1, 1, 0]]  # he; was and were
    assert evidence.weight == pytest.approx(0.4)


def test_words_count_by_their_class() -> None:
    evidence = evidence_of(["Bats.", "Bats."], {"NOUN": 1.3, "VERB": 0.8})
    assert evidence.weight.tolist() == [1.3]
    assert evidence_of(["Bats.", "Bats."], {"VERB": 0.8}).weight.tolist() == [1]


def test_sizes_are_words_and_at_least_one() -> None:
    assert evidence_of(["One two, three’s 4!", "...", "", "Five"]).sizes.tolist() == [4, 1, 1, 1]


def test_some_first_words_go_on() -> None:
    sentences = [
        "Bats fly.",
        "“However, they sleep.",
        "It’s late.",
        "Now we eat.",
        "Let's go.",
        "!",
    ]
    assert evidence_of(sentences).continues.tolist() == [False, True, True, False, False, False]


def test_a_short_sentence_without_an_end_mark_is_a_heading() -> None:
    long = "Every sentence of this text is rather longer than that."
    evidence = evidence_of([long, "The bat", long, long, "This one", "Not this one", long, "End"])
    assert np.flatnonzero(evidence.is_heading).tolist() == [1, 4]


def test_where_few_sentences_have_an_end_mark_none_is_a_heading() -> None:
    sentences = ["so we go on and on and on and on.", "and then", *["nothing more to say here"] * 3]
    assert not evidence_of(sentences).is_heading.any()


@pytest.mark.parametrize("sentences", [["."], ["?", "!"], ["A"], ["the of", "", "the"], ["Bat"]])
def test_texts_without_shared_words_have_none(sentences: list[str]) -> None:
    evidence = evidence_of(sentences)
    assert evidence.root.size == evidence.weight.size == evidence.n_tokens == 0
    assert len(evidence.sizes) == len(evidence.continues) == len(sentences)


@given(st.lists(st.text("ab he's.\n7—", max_size=12), min_size=1, max_size=8))
def test_any_sentences_give_sorted_counts(sentences: list[str]) -> None:
    if not "".join(sentences).strip():
        sentences = [*sentences, "x"]
    evidence, again = evidence_of(sentences), evidence_of(sentences)
    places = evidence.root * len(sentences) + evidence.sentence
    assert (np.diff(places) > 0).all()
    assert (evidence.count > 0).all()
    assert (np.bincount(evidence.root, minlength=len(evidence.weight)) > 1).all()
    assert evidence.root.tobytes() == again.root.tobytes()
    assert evidence.continues.tobytes() == again.continues.tobytes()
