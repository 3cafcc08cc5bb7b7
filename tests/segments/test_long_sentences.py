from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats import Document, analyze
from docbats.segments.sizes import _group, _letters, split_long, unit_sizes
from docbats.text.languages import LANGUAGES, load_language

if TYPE_CHECKING:
    from docbats.settings import SizeUnit

LONG = (
    "However long it is, the sentence goes on; it never stops, and nobody reads it to the end "
    "because it bores everybody."
)


PROSE = {
    "fr": (
        "L'eau de l'école est à l'ombre, et l'élève qui l'aime n'ignore pas qu'aujourd'hui "
        "l'été s'achève. Lorsqu'il pleut, l'herbe d'à côté s'étend jusqu'au mur d'enceinte."
    ),
    "it": (
        "L'acqua dell'isola non c'è più, e nell'ombra dell'albero l'uomo s'è addormentato. "
        "Quest'anno un'amica d'infanzia gli ha portato dell'olio, com'era d'uso."
    ),
}


def pieces(text: str, most: int, unit: SizeUnit = "characters") -> list[str]:
    return list(split_long(Document(text, np.array([[0, len(text)]])), most, unit).sentences)


def test_sizes_tile_the_text() -> None:
    document = Document.from_text("  One bat.   Two, three!\n\n...\n")
    assert unit_sizes(document, "sentences").tolist() == [1, 1, 1]
    assert unit_sizes(document, "words").tolist() == [2, 2, 0]
    assert unit_sizes(document, "characters").tolist() == [13, 13, 4]


def test_what_fits_stays_as_it_is() -> None:
    document = Document.from_text(LONG)
    assert split_long(document, len(LONG), "characters") is document
    assert split_long(document, 23, "words") is document
    assert split_long(document, 1, "sentences") is document


def test_long_sentences_are_split_between_clauses() -> None:
    expected = [
        "However long it is,",
        "the sentence goes on; it never stops,",
        "and nobody reads it to the end",
        "because it bores everybody.",
    ]
    assert pieces(LONG, 40) == expected
    assert pieces(LONG, 8, "words") == expected


def test_pieces_are_as_few_as_clauses_allow_and_even() -> None:
    assert pieces("a, b, c, d, e, f", 13) == ["a, b, c,", "d, e, f"]
    assert pieces("1,000 and 2,000, or 3", 11) == ["1,000", "and 2,000,", "or 3"]


def test_long_clauses_are_split_between_words_evenly() -> None:
    assert pieces("one two three four five six", 16) == ["one two three", "four five six"]
    assert pieces("one two three four five six", 5, "words") == ["one two three", "four five six"]
    assert pieces("Yes, one two three four five six", 16) == [
        "Yes,",
        "one two three",
        "four five six",
    ]


def test_only_words_that_are_too_long_are_split_inside() -> None:
    assert pieces("an unbelievable tale", 8) == ["an", "unbeli", "evable", "tale"]
    assert pieces("abcdef ", 6) == ["abcdef", " "]
    assert pieces("well-known-name", 6) == ["well-", "known-", "name"]
    assert pieces("well-known name", 1, "words") == ["well-", "known", "name"]


def test_characters_that_belong_together_stay_together() -> None:
    assert pieces("e\u0301" * 4, 3) == ["e\u0301"] * 4
    assert pieces("\ud83d\ude00" * 2, 3) == ["\ud83d\ude00"] * 2
    assert pieces("👩\u200d🚀👩\u200d🚀", 4) == ["👩\u200d🚀"] * 2
    assert pieces("e\u0301\u0302\u0303", 2) == ["e\u0301", "\u0302\u0303"]  # it cannot be helped


def test_texts_without_blanks_are_split_too() -> None:
    assert pieces("蝙蝠飞，它们睡。", 4) == ["蝙蝠飞，", "它们睡。"]
    assert pieces("蝙蝠飞来飞去它们睡", 4, "words") == ["蝙蝠飞来", "飞去它们睡"]  # pairs


def test_blanks_between_sentences_are_split_into_empty_sentences() -> None:
    document = Document("   One.          Two.   ", np.array([[3, 7], [17, 21]]))
    split = split_long(document, 5, "characters")
    assert "".join(split.sentences) == "One.Two."
    assert unit_sizes(split, "characters").max() <= 5
    assert unit_sizes(split, "characters").sum() == 24


def test_only_long_sentences_are_touched() -> None:
    document = Document.from_sentences(["Short.", LONG, "", "Short again."])
    split = split_long(document, 40, "characters")
    assert split.sentences[0] == "Short."
    assert split.sentences[-2:] == ("", "Short again.")
    assert len(split) == 7


@given(
    st.lists(st.text("ab ,;.-—e\u0301蝙\n\ud83d\ude00", max_size=25), min_size=1, max_size=4),
    st.integers(1, 12),
    st.sampled_from(["words", "characters"]),
)
def test_nothing_is_lost_and_nothing_is_too_long(
    sentences: list[str], most: int, unit: SizeUnit
) -> None:
    document = Document.from_sentences([*sentences, "x"])
    split = split_long(document, most, unit)
    assert unit_sizes(split, unit).max() <= most
    assert unit_sizes(split, unit).sum() == unit_sizes(document, unit).sum()
    assert split.text == document.text
    old = document.spans.tolist()
    covered: set[int] = set()
    for start, end in split.spans.tolist():
        assert start == end or any(a <= start and end <= b for a, b in old)
        covered.update(range(start, end))
    lost = {i for a, b in old for i in range(a, b)} - covered
    assert not "".join(document.text[i] for i in lost).strip()
    assert split_long(document, most, unit).spans.tobytes() == split.spans.tobytes()


def test_a_long_text_without_any_sentence_is_split_in_no_time() -> None:
    text = "word" * 50_000
    found = pieces(text, 1000)
    assert "".join(found) == text
    assert max(map(len, found)) <= 1000


@pytest.mark.parametrize("unit", ["sentences", "words", "characters"])
def test_one_word_is_one_sentence(unit: SizeUnit) -> None:
    assert pieces("Bat", 3, unit) == ["Bat"]


@pytest.mark.parametrize("most", range(1, 16))
@pytest.mark.parametrize("code", PROSE)
def test_elisions_count_as_words(code: str, most: int) -> None:
    language = load_language(code)
    document = Document.from_text(PROSE[code], language=code)
    split = split_long(document, most, "words", language)
    sizes = unit_sizes(split, "words", language=language)
    assert sizes.max() <= most
    assert sizes.sum() == unit_sizes(document, "words", language=language).sum()
    result = analyze(PROSE[code], language=code, max_size=most, size_unit="words")
    assert "".join(segment.text for segment in result.segments) == PROSE[code]


def test_an_elision_is_split_only_if_it_must_be() -> None:
    text = "L'eau de l'école est à l'ombre."
    french = load_language("fr")
    document = Document(text, np.array([[0, len(text)]]))
    assert split_long(document, 2, "words", french).sentences == (
        *("L'eau", "de", "l'école", "est à", "l'ombre."),
    )
    assert split_long(document, 1, "words", french).sentences == (
        *("L'", "eau", "de", "l'", "école", "est", "à", "l'", "ombre."),
    )


@pytest.mark.parametrize("code", LANGUAGES)
def test_words_are_those_of_the_language(code: str) -> None:
    unspaced = {
        "zh": "蝙蝠在夜间飞行捕猎飞蛾它们用耳朵看路。",
        "ja": "蝙蝠は夜に飛んで蛾を捕まえて食べる。",
    }
    text = unspaced.get(code, LONG)
    for most in range(1, 8):
        result = analyze(text, language=code, max_size=most, size_unit="words")
        assert result.analysis.limits is not None
        assert result.analysis.limits.sizes.max() <= most


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("abc", ["a", "b", "c"]),
        ("👍🏽👍", ["👍🏽", "👍"]),  # the tone belongs to the thumb
        ("👍\U0001f3fa👍", ["👍", "\U0001f3fa", "👍"]),  # and an amphora does not
        ("a\U0001f400", ["a", "\U0001f400"]),
        ("\ud83d\ude00a", ["\ud83d\ude00", "a"]),
        ("\ud83da", ["\ud83d", "a"]),  # half a pair
        ("a\ude00", ["a", "\ude00"]),
        ("\ude00\ud83d", ["\ude00", "\ud83d"]),
    ],
)
def test_letters_are_what_belongs_together(text: str, expected: list[str]) -> None:
    edges = [0, *_letters(text), len(text)]
    assert [text[a:b] for a, b in pairwise(edges)] == expected


def test_the_pieces_of_a_sentence_have_their_blanks_in_between() -> None:
    text = " ab  cd  ef "
    split = split_long(Document(text, np.array([[1, 11]])), 5, "characters")
    assert split.spans.tolist() == [[1, 3], [5, 7], [9, 11]]
    text = "one two  three four"
    split = split_long(Document(text, np.array([[0, 19]])), 2, "words")
    assert split.spans.tolist() == [[0, 7], [9, 19]]


@pytest.mark.parametrize("max_size", range(1, 30))
def test_groups_are_the_fewest_and_then_the_most_even(max_size: int) -> None:
    rng = np.random.default_rng(max_size)
    sizes = rng.integers(1, 9, 7).tolist()
    ends = [0, *np.cumsum(sizes).tolist()]
    groups = _group(ends, max_size)
    assert (groups[0], groups[-1]) == (0, 7)
    cuts = [[0, *inner, 7] for n in range(7) for inner in combinations(range(1, 7), n)]

    def rate(cut: list[int]) -> tuple[int, int]:
        parts = [(sum(sizes[a:b]), b - a) for a, b in pairwise(cut)]
        too_large = sum(size > max_size and n > 1 for size, n in parts)
        return too_large, len(parts)

    fewest = min(map(rate, cuts))
    assert rate(groups) == fewest
    if max(sizes) <= max_size:
        largest = min(max(sum(sizes[a:b]) for a, b in pairwise(cut)) for cut in cuts
                      if rate(cut) == fewest)  # fmt: skip
        assert max(sum(sizes[a:b]) for a, b in pairwise(groups)) == largest


def test_blanks_in_a_row_are_split_in_no_time() -> None:
    text = f"Bats{' ' * 200_000}and moths fly"  # quadratic time would be hours
    assert pieces(text, 100_000)[0] == "Bats"
    assert pieces("Bats   and moths fly", 10) == ["Bats", "and", "moths fly"]
