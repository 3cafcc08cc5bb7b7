"""Too little text: none, one word, or fewer sentences or words than segments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from tests.bad_input.outcome import TEXT, check, command

import docbats

if TYPE_CHECKING:
    from pathlib import Path

REPEATED = "Bats hunt moths near rivers. "


@pytest.mark.parametrize("blank", ["", " ", "\n" * 10**6, " \t\r\n\x0b\x0c\x1c\x85\u2028\u3000"])
@pytest.mark.parametrize("sentences", ["auto", "lines"])
def test_blank_text_is_refused(blank: str, sentences: str, tmp_path: Path) -> None:
    with pytest.raises(docbats.EmptyDocumentError, match="give a text with at least one sentence"):
        docbats.analyze(blank, k=1, sentences=sentences)  # type: ignore[arg-type]
    code, stdout, stderr = command(tmp_path / "a", blank, "-k", "1", "--sentences", sentences)
    assert (code, stdout) == (1, "")
    assert "give a text with at least one sentence" in stderr


@pytest.mark.parametrize("sentences", [[], [""], ["", "  ", "\n"], ()])
def test_list_without_any_text_is_refused(sentences: list[str]) -> None:
    with pytest.raises(docbats.EmptyDocumentError, match="give a text"):
        docbats.analyze(sentences, k=1)


@pytest.mark.parametrize("text", ["Bats", "a", ".", "7", "Bats hunt moths by night.", "\0", "🦇"])
def test_one_word_or_sentence_is_one_segment(text: str, tmp_path: Path) -> None:
    result = docbats.analyze(text, k=1)
    check(result, text, 1)
    assert result.topics == ()
    code, stdout, _ = command(tmp_path / "a", text, "-k", "1", "--encoding", "utf-8")
    assert code == 0
    assert "1 sentence, 1 segment, 0 topics" in " ".join(stdout.split())


@pytest.mark.parametrize("text", ["Bats", "Bats hunt moths by night."])
def test_one_sentence_cannot_be_two_segments(text: str, tmp_path: Path) -> None:
    with pytest.raises(docbats.TooFewSentencesError, match="sentences, which is 1, got 2: "):
        docbats.analyze(text, k=2)
    assert command(tmp_path / "a", text, "-k", "2")[0] == 1


def test_more_segments_than_sentences_are_refused(tmp_path: Path) -> None:
    with pytest.raises(docbats.TooFewSentencesError, match="sentences, which is 6, got 7: "):
        docbats.analyze(TEXT, k=7)
    code, _, stderr = command(tmp_path / "a", TEXT, "-k", "7")
    assert code == 1
    assert "which is 6, got 7: give a smaller k" in stderr


@pytest.mark.parametrize("k", range(1, 7))
def test_every_k_up_to_the_sentences_works(k: int) -> None:
    check(docbats.analyze(TEXT, k=k), TEXT, k)


def test_fewer_kept_words_than_topics_give_fewer_topics_and_a_note(tmp_path: Path) -> None:
    text = "Bats hunt. Bats fly. Tea cools. Bats sleep."
    result = docbats.analyze(text, k=3, n_topics=3)
    check(result, text, 3)
    assert len(result.topics) == 1
    assert len(result.notes) == 1
    code, stdout, _ = command(tmp_path / "a", text, "-k", "3", "--n-topics", "3")
    assert code == 0
    assert result.notes[0][:30] in stdout


@pytest.mark.parametrize("k", ["auto", 2])
def test_fewer_kept_words_than_topics_asked_for_give_a_note(k: Any) -> None:
    result = docbats.analyze(TEXT, k=k, n_topics=50)
    n_words = len(result.analysis.text.counts.words)
    assert len(result.topics) == n_words < 50
    assert result.notes == (f"Only {n_words} words were kept, so there are {n_words} topics.",)
    assert docbats.analyze(TEXT).notes == ()


def test_notes_still_hold_of_another_cut() -> None:
    result = docbats.analyze("Bats hunt. Bats fly. Tea cools. Bats sleep.", k=3, n_topics=3)
    assert result.cut(2).notes == result.notes != ()
    assert result.cut(2).topics == result.topics


@pytest.mark.parametrize("k", [True, False, 0, 7, 2.0, "2"])
def test_a_cut_takes_whole_numbers_only(k: Any) -> None:
    with pytest.raises(docbats.SettingsError, match=f"number from 1 to 6, got {k!r}"):
        docbats.analyze(TEXT).cut(k)


@pytest.mark.parametrize(
    "text", ["Bats hunt. Tea cools.", "It is. Are they? We were.", "1 2. 1 2."]
)
def test_no_kept_word_is_one_segment_without_topics(text: str, tmp_path: Path) -> None:
    result = docbats.analyze(text, k=1)
    check(result, text, 1)
    assert result.topics == ()
    assert result.segments[0].topic is None
    assert result.notes
    with pytest.raises(
        docbats.NoKeptWordsError, match=r"give a longer text, a k of 1, or set min_sentences to 1"
    ):
        docbats.analyze(["Bats hunt.", "Tea cools."], k=2)
    assert command(tmp_path / "a", text, "-k", "1")[0] == 0


def test_no_kept_word_gives_empty_vectors() -> None:
    vectors = docbats.analyze("Bats hunt. Tea cools.", k=1, vectors=True).vectors
    assert vectors is not None
    assert vectors.words.shape == (0, 1)
    assert vectors.sentences.shape == (2, 1)
    assert np.isfinite(vectors.singular_values).all()


@pytest.mark.parametrize("k", [1, 2, 7, 50])
@pytest.mark.parametrize("laplacian", ["regularized", "plain", "none"])
def test_one_repeated_sentence_is_cut_into_k(k: int, laplacian: str) -> None:
    result = docbats.analyze(REPEATED * 50, k=k, laplacian=laplacian)  # type: ignore[arg-type]
    check(result, REPEATED * 50, k)
    assert len(result.topics) == 1
    asked = docbats.analyze(REPEATED * 50, k=k, n_topics=k, laplacian=laplacian)  # type: ignore[arg-type]
    assert len(asked.topics) == min(k, 4)


def test_blank_sentences_of_a_list_stay_sentences() -> None:
    sentences = ["Bats hunt.", "", "Bats fly.", "  ", "Tea cools.", "Tea."]
    result = docbats.analyze(sentences, k=2)
    check(result, "\n".join(sentences), 2)
    assert len(result.document) == 6
