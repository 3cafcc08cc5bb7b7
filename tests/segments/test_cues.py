"""Cues: which ones sentences have, how they are stored, and what they add to the odds."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import docbats
from docbats.pipeline import prepare
from docbats.segments.costs import FLAT, LengthPrior
from docbats.segments.cues import (
    CueModel,
    CueVocabulary,
    CueWeights,
    FirstWords,
    find_first_words,
    load_cues,
)
from docbats.segments.dirichlet import likelihood_cost
from docbats.settings import Settings

WORDS = ["is", "it", "now", "tea", "to", "turn", "we"]
NUMBER = {word: i for i, word in enumerate(WORDS)}
BASE = len(WORDS) + 1
PAIRS = np.sort([NUMBER["is"] * BASE + NUMBER["it"], NUMBER["now"] * BASE + NUMBER["we"]])
NOW_WE = int(np.searchsorted(PAIRS, NUMBER["now"] * BASE + NUMBER["we"]))
VOCABULARY = CueVocabulary(WORDS, PAIRS, np.array([NOW_WE * BASE + NUMBER["turn"]]))
ALPHABET = [*WORDS, "unknown", ".", "?", "“", ")", "…", ","]


def first_words(*sentences: str) -> FirstWords:
    text = prepare(list(sentences), Settings(language="en"))
    sizes = np.maximum(
        np.bincount(text.tokens.sentence[text.tokens.is_word], minlength=len(text)), 1
    )
    return find_first_words(text.tokens, sizes)


def expected_cues(sentences: list[list[str]]) -> list[tuple[int, int]]:
    """Return what `find` must return, sentence by sentence, in plain Python."""
    n, marks, found = len(WORDS), ".?!:;,…", []
    n_other = 3 + len(marks) + 10
    for i, here in enumerate(sentences):
        for tokens, is_next in ((here, 0), (sentences[i - 1], 1)):
            words = [token for token in tokens if token[0].isalnum()]
            shown = [token for token in tokens if token not in "\"'”’»)]}*_"]
            last = shown[-1] if shown else ""
            mark = 1 if last[:1].isalnum() else 3 + marks.find(last) if last in marks else 2
            mark = mark if last else 0
            length = sum(max(1, len(words)) >= step for step in (2, 4, 7, 10, 14, 19, 25, 33, 45))
            own = [NUMBER[words[0]]] if words and words[0] in NUMBER else []
            own += [n + NUMBER[word] for word in words[:12] if word in NUMBER]
            own = [cue + 2 * n * is_next for cue in own]
            base = 4 * n + n_other * is_next
            found += [(i, cue) for cue in [*own, base + mark, base + 3 + len(marks) + length]]
            if not is_next:
                base = 4 * n + 2 * n_other
                for j, pair in enumerate(PAIRS.tolist()):
                    if words[:2] == [WORDS[pair // BASE], WORDS[pair % BASE]]:
                        found.append((i, base + j))
                if words[:3] == ["now", "we", "turn"]:
                    found.append((i, base + len(PAIRS)))
    return sorted(cue for cue in found if cue[0])


def found_cues(*sentences: str) -> list[tuple[int, int]]:
    uses = VOCABULARY.find(first_words(*sentences))
    return sorted(zip(uses.sentence.tolist(), uses.cue.tolist(), strict=True))


def test_cues_of_a_sentence() -> None:
    texts = ["Is it late?", "Now, “we” turn to tea (at last.)"]
    tokens = [
        ["is", "it", "late", "?"],
        ["now", ",", "“", "we", "”", "turn", "to", "tea", "(", "at", "last", ".", ")"],
    ]
    assert found_cues(*texts) == expected_cues(tokens)
    assert len(found_cues(*texts)) == 15


@given(
    st.lists(st.lists(st.sampled_from(ALPHABET), min_size=1, max_size=16), min_size=2, max_size=6)
)
def test_cues_are_those_of_a_plain_count(sentences: list[list[str]]) -> None:
    sentences = [[*WORDS[:1], *tokens] for tokens in sentences]
    assert found_cues(*map(" ".join, sentences)) == expected_cues(sentences)


def test_a_model_is_stored_whole() -> None:
    rng = np.random.default_rng(0)
    weights = [
        CueWeights(rng.normal(size=VOCABULARY.n_cues), rng.normal(size=n), -0.75, -2.5)
        for n in (5, 14)
    ]
    packed = CueModel(VOCABULARY, *weights).pack()
    assert packed == CueModel(VOCABULARY, *weights).pack()
    found = CueModel.unpack(packed)
    assert found.vocabulary.words == VOCABULARY.words
    np.testing.assert_array_equal(found.vocabulary.pairs, VOCABULARY.pairs)
    np.testing.assert_array_equal(found.vocabulary.triples, VOCABULARY.triples)
    for read, written in zip((found.lists, found.paragraphs), weights, strict=True):
        np.testing.assert_allclose(read.cues, written.cues, atol=1 / 64 + 1e-9)
        np.testing.assert_allclose(read.features, written.features, atol=0.001)
        assert (read.places, read.constant) == (-0.75, -2.5)
    assert found.pack() == packed


def test_the_file_of_the_package_is_that_of_the_laboratory() -> None:
    root = Path(__file__).parents[2]
    facts = json.loads((root / "benchmarks/results/lab/cues/facts.json").read_text("utf-8"))
    data = Path(docbats.__file__).with_name("text").joinpath("data", "cues-en.npz").read_bytes()
    assert len(data) == facts["file"]["bytes"] <= 300_000
    assert hashlib.sha256(data).hexdigest() == facts["file"]["sha256"]


def test_only_languages_that_were_learned_have_cues() -> None:
    assert load_cues("en") is not None
    assert load_cues("de") is None


def test_english_opens_parts_as_authors_do() -> None:
    model = load_cues("en")
    assert model is not None
    sentences = [
        "The kettle is on.", "In this chapter we turn to the harbour.", "It was old, too.",
        "But he said so, and then he left.", "Let us now look at the tides.",
    ]  # fmt: skip
    text = prepare(sentences, Settings(language="en"))
    sizes = np.bincount(text.tokens.sentence[text.tokens.is_word])
    uses = model.vocabulary.find(find_first_words(text.tokens, sizes))
    odds = model.lists.cue_odds(uses, len(sentences), 4)
    assert odds[0] == 0
    more = model.lists.cue_odds(uses, len(sentences), 8)
    np.testing.assert_allclose((more - odds)[1:], model.lists.places * np.log(2))
    assert odds[1] > max(odds[2:]) > odds[3]
    assert odds[4] > odds[3] + 1


@pytest.mark.parametrize("n", [6, 12, 25])
def test_a_short_text_has_at_most_two_parts(n: int) -> None:
    subjects = [
        "The ferry carried {} cars.",
        "A nurse saw {} patients.",
        "The choir sang {} songs.",
    ]
    text = "\n".join(subjects[i % 3].format(i) for i in range(n))
    found = docbats.analyze(text, sentences="lines").segments
    assert len(found) <= 2
    assert all(len(range(*segment.sentences)) > 1 for segment in found)
    assert len(docbats.analyze(text, sentences="lines", k=4).segments) == 4


def test_joined_texts_are_cut_without_cues() -> None:
    joined = (
        [f"The ferry carried cars to harbour quay number {i}." for i in range(30)]
        + [f"A nurse weighed patients on ward bed {i} daily." for i in range(30)]
        + [f"Our choir sang hymns and psalms for mass {i}." for i in range(30)]
    )
    for sentences, is_joined in ((joined, True), (joined[:30], False)):
        result = docbats.analyze(sentences, language="en")
        k_model, choice = result.analysis.cost.k_model, result.choice
        assert k_model is not None
        assert choice is not None
        assert (k_model.expected is None) is choice.has_plain_breaks is is_joined
        if is_joined:
            assert [s.sentences[0] for s in result.segments] == [0, 30, 60]


def test_ends_and_single_sentences_cost_what_the_model_says() -> None:
    text = prepare([f"Bats hunt moths at night {i}." for i in range(12)], Settings(language="en"))
    evidence = likelihood_cost(text, Settings(language="en")).evidence
    edges = np.arange(13)
    plain, single, ends = (
        LengthPrior(evidence, model).table(edges, 12, 3)
        for model in (FLAT, replace(FLAT, single=7.0), replace(FLAT, min_end=3.0))
    )
    scale = FLAT.expectation_scale(evidence.n_tokens, 3)
    np.testing.assert_allclose((single - plain)[:, 0], 7 * scale)
    np.testing.assert_allclose((single - plain)[:, 1:][1:], 0, atol=1e-9)
    wider = LengthPrior(evidence, replace(FLAT, first_share=0.75, last_share=0.75))
    np.testing.assert_allclose(ends, wider.table(edges, 12, 3))  # 3 of a mean of 4 sentences


def test_headings_of_the_author_are_plain_breaks() -> None:
    parts = [f"## {name}\n\nThe {name} is here. It is a good {name}.\n" for name in ("A", "B", "C")]
    strengths = [s.strength for s in docbats.analyze("\n".join(parts)).segments[1:]]
    assert all(strength is not None and strength > 0.9 for strength in strengths)
