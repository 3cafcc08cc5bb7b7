from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats.document import Document
from docbats.text.languages.english import STOP_WORDS
from docbats.text.tags import find_classes
from docbats.text.words import find_words, tokenize
from docbats.titles.phrases import MAX_PHRASE_WORDS, Phrases, find_phrases

KINDS = {"n": "NOUN", "p": "PROPN", "a": "ADJ", "v": "VERB"}


def phrases_of(source: str | list[str], kinds: str | None = None) -> Phrases:
    """Find phrases by the built-in tagger, or with one letter of `kinds` for each token."""
    if isinstance(source, str):
        document = Document.from_text(source)
    else:
        document = Document.from_sentences(source)
    tokens = tokenize(document)
    words = find_words(document, tokens, STOP_WORDS)
    if kinds is None:
        return find_phrases(document, tokens, words, find_classes(tokens, "docbats"))
    letters = iter(kinds.replace(" ", ""))
    classes = find_classes(tokens, lambda forms: [KINDS.get(next(letters), "X") for _ in forms])
    assert next(letters, None) is None, "a letter for each token"
    return find_phrases(document, tokens, words, classes)


def spelt(phrases: Phrases) -> dict[str, int]:
    uses = np.bincount(phrases.phrase, minlength=len(phrases))
    return {phrases.spell(i): int(uses[i]) for i in range(len(phrases))}


def test_a_case_by_hand() -> None:
    phrases = phrases_of(
        "Deep neural networks learn. A neural network learns from data.",
        "aanv. .anv.n.",
    )
    assert spelt(phrases) == {
        "networks": 2,
        "data": 1,
        "neural networks": 2,
        "deep neural networks": 1,
    }
    weight = {phrases.spell(i): 0.0 for i in range(len(phrases))}
    for phrase, amount in zip(phrases.phrase.tolist(), phrases.weight.tolist(), strict=True):
        weight[phrases.spell(phrase)] += amount
    assert weight == {
        "networks": 0,  # always part of a neural network
        "data": 1,
        "neural networks": 1.5,  # once alone, and once in a phrase used half as often
        "deep neural networks": 1,
    }


@pytest.mark.parametrize(
    ("text", "kinds", "wanted"),
    [
        ("in the Bank of England today", "..p.p.", {"Bank", "England", "Bank of England"}),
        ("in the Lord of the Rings saga", "..p..pn", {"Lord of the Rings", "Lord"}),
        ("a number of sheep and a flock of sheep", ".n.n..n.n", {"number", "sheep", "flock"}),
        ("rate of return is a rate of return", "n.n..n.n", {"rate", "return", "rate of return"}),
        ("the Second World War was long", ".appva", {"Second World War", "World War"}),
        ("and then to John F. Kennedy", "...pp.p", {"John F. Kennedy"}),
        ("a computer-based test of X-rays", ".n.vn.p.n", {"computer-based test", "test", "X-rays"}),
        ("red cars, fast boats", "an.an", {"cars", "red cars", "boats", "fast boats"}),
        ("red cars\nfast boats", "anan", {"cars", "red cars", "boats", "fast boats"}),
        ("so in the New York University halls", "...pppn", {"New York University", "halls"}),
        ("a new car is a different car", ".an..an", {"car"}),
        (
            "in New Orleans a Newton's law",
            ".pp.pn",
            {"New Orleans", "law", "Newton", "Newton's law"},
        ),
        ("it is red and 1999 is old", "n.a.n.a", set()),
    ],
)
def test_what_is_a_phrase(text: str, kinds: str, wanted: set[str]) -> None:
    found = set(spelt(phrases_of(text, kinds)))
    assert wanted <= found
    assert all(len(phrase.split()) <= MAX_PHRASE_WORDS for phrase in found)
    for fragment in ("York University", "Bank of", "number of sheep", "Lord of the", "new car"):
        assert fragment not in found


def test_no_phrase_ends_in_an_adjective_or_is_too_long() -> None:
    found = spelt(phrases_of("the red cold wet soft cars are red", ".aaaan.a"))
    assert set(found) == {"cars", "soft cars", "wet soft cars", "cold wet soft cars"}


def test_capitals_are_those_of_names() -> None:
    text = "Bats fly. The bats sleep. In Paris the NASA bats met Paris bats. Paris NASA."
    found = spelt(phrases_of(text, "nv. .nv. .p.pnvpn. pp."))
    assert {"bats", "Paris"} <= set(found)
    assert "Bats" not in found
    assert "NASA bats" in found


def test_the_commonest_way_of_writing_is_shown() -> None:
    found = spelt(phrases_of("a wing and two wings and three wings", ".n..n..n"))
    assert found == {"wings": 3}


def test_line_ends_and_double_blanks_do_not_show() -> None:
    assert "red cars" in spelt(phrases_of("the red  cars", ".an"))
    assert "red cars" not in spelt(phrases_of(["the red\ncars"], ".an"))


@pytest.mark.parametrize("kinds", [None, "." * 11])
def test_loose_words_where_tags_are_useless(kinds: str | None) -> None:
    text = "Die Fledermaus jagt nachts. Im Winter schlafen Fledermäuse lange."
    phrases = phrases_of(text, kinds)
    assert not phrases.tagged
    assert set(spelt(phrases)) == {
        *("die", "Fledermaus", "jagt", "nachts", "im", "Winter", "schlafen", "Fledermäuse"),
        "lange",
    }
    assert (phrases.weight == 1).all()


@pytest.mark.parametrize(
    "source", [["."], ["", "", "x"], ["the of and"], ["7 7 7", "7"], ["Fish"], ["of of of"]]
)
def test_odd_documents(source: list[str]) -> None:
    phrases = phrases_of(source)
    assert phrases.words.shape == (len(phrases), MAX_PHRASE_WORDS)
    assert set(spelt(phrases)) <= {"fish", "Fish"}


@pytest.mark.parametrize("case", range(150))
def test_runs_and_weights_equal_those_found_one_by_one(case: int) -> None:
    rng = np.random.default_rng(case)
    vocabulary = {"ash": "n", "bay": "n", "cod": "a", "Dew": "p", "Elm": "p", "the": "."}
    sentences = [
        ["the", *rng.choice(list(vocabulary), size=rng.integers(0, 9)).tolist()] for _ in range(5)
    ]
    kinds = [[vocabulary[word] for word in sentence] for sentence in sentences]
    phrases = phrases_of([" ".join(s) for s in sentences], "".join(k for row in kinds for k in row))

    found: dict[tuple[int, int, int], tuple[str, ...]] = {}
    for i, (words, row) in enumerate(zip(sentences, kinds, strict=True)):
        for first in range(len(words)):
            for last in range(first + 1, min(first + MAX_PHRASE_WORDS, len(words)) + 1):
                before, after = row[first - 1 : first], row[last : last + 1]
                cut = (before == row[first : first + 1] == ["p"]) or (
                    after == row[last - 1 : last] == ["p"]
                )
                meet = "np" in "".join(row[first:last])  # a noun and a name that happen to meet
                if "." not in row[first:last] and row[last - 1] in "np" and not (cut or meet):
                    found[i, first, last] = tuple(word.lower() for word in words[first:last])
    uses = Counter(found.values())
    weights: dict[tuple[str, ...], float] = dict.fromkeys(uses, 0.0)
    for (i, first, last), phrase in found.items():
        around = [
            uses[other]
            for (j, begin, end), other in found.items()
            if j == i and begin <= first and last <= end and (begin, end) != (first, last)
        ]
        weights[phrase] += 1 - max(around, default=0) / uses[phrase]

    names = [tuple(phrases.names[w] for w in row if w >= 0) for row in phrases.words.tolist()]
    totals = np.bincount(phrases.phrase, phrases.weight, len(phrases)).tolist()
    if phrases.tagged:
        assert dict(zip(names, np.bincount(phrases.phrase).tolist(), strict=True)) == uses
        assert dict(zip(names, totals, strict=True)) == pytest.approx(weights)


PIECES = [*"aAbBéßñ漢字 .,-'’&\n\t_1?İ", "the ", " of ", "Bat ", " cold water"]
TEXTS = st.lists(st.sampled_from(PIECES)).map("".join).filter(str.strip)


@given(TEXTS)
def test_occurrences_lie_in_their_sentences_and_lines(text: str) -> None:
    phrases = phrases_of(text)
    spans = Document.from_text(text).spans
    for i, (start, end) in enumerate(zip(phrases.start, phrases.end, strict=True)):
        low, high = spans[phrases.sentence[i]]
        assert low <= start < end <= high
        assert not phrases.tagged or not set("\n\t") & set(text[start:end])
    assert all(phrases.spell(i) for i in range(len(phrases)))
    places = list(zip(phrases.phrase.tolist(), phrases.start.tolist(), strict=True))
    assert all(one < other for one, other in pairwise(places))
    assert ((phrases.weight >= 0) & (phrases.weight <= 1)).all()


@given(TEXTS)
def test_the_same_text_gives_the_same_phrases(text: str) -> None:
    one, other = phrases_of(text), phrases_of(text)
    for name in ("words", "phrase", "start", "end", "weight"):
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes()
