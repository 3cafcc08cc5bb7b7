from __future__ import annotations

from docbats import analyze
from docbats.document import Document
from docbats.text.words import find_widespread_words, tokenize


def everywhere(sentences: list[str]) -> frozenset[str]:
    document = Document.from_sentences(sentences)
    return find_widespread_words(tokenize(document), len(document))


def test_short_and_widespread_words_are_found() -> None:
    bats = ["Den flyger som en fladdermus."] * 12
    tea = ["Den dricker som te, fladdermus."] * 12
    assert everywhere(bats + tea) == {"den", "som", "en", "te"}


def test_in_a_short_text_only_the_shortest_words_are_found() -> None:
    assert everywhere(["Den flyger som en fladdermus."] * 3) == {"en"}


def test_characters_without_small_letters_are_no_short_words() -> None:
    assert everywhere(["박쥐 는 눈 으로"] * 30) == frozenset()


def test_they_are_the_stop_words_of_an_unknown_language() -> None:
    text = "Fladdermusen flyger på natten och den hör det som den inte kan se. " * 30
    names = analyze(text, k=1).analysis.text.words.names
    assert "fladdermusen" in names
    assert {"på", "den", "och"}.isdisjoint(names)


def test_twenty_sentences_are_enough_and_six_tenths_of_them() -> None:
    assert everywhere(["Den flyger."] * 20) == {"den"}
    assert everywhere(["Den flyger."] * 19) == frozenset()
    te = "Te är gott."
    assert everywhere(["Den flyger.", te] * 6 + [te] * 8) == {"den", "te", "är", "gott"}
    assert everywhere(["Den flyger.", te] * 5 + [te] * 10) == {"te", "är", "gott"}
    assert everywhere(["Flyger den."] * 12 + ["Fladdermus."] * 8) == {"den"}
    assert everywhere(["Flyger den."] * 10 + ["Fladdermus."] * 10) == frozenset()


def test_words_of_up_to_five_letters_are_found() -> None:
    assert everywhere(["Detta flyger abc ab."] * 20) == {"detta", "abc", "ab"}
