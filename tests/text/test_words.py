from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats.document import Document
from docbats.text import words as words_module
from docbats.text.languages.english import STOP_WORDS
from docbats.text.words import find_words, normal_form, tokenize


def words_of(text: str, *, stem: bool = False) -> list[str]:
    document = Document.from_text(text)
    words = find_words(document, tokenize(document), STOP_WORDS, stem=stem)
    return [words.names[word] for word in words.word]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The Bats of 1999 flew 3.5 km, didn't they?", ["bats", "flew", "km"]),
        ("the patient's and the patient’s file", ["patient", "patient", "file"]),
        ("vitamin b12, covid19, mp3 and 10th of 5km in a3f900", ["vitamin", "covid19", "mp3"]),
        ("see https://example.org/bats?x=1 or www.bats.net now", []),
        ("write to someone.else@bats.example.org about bats", ["write", "bats"]),
        ("at bats.com/page and bats", ["bats"]),
        ("<p class='wing'>bats &amp; moths</p> &nbsp;", ["bats", "moths"]),
        (r"\textbf{bats} in \LaTeX", ["bats"]),
        ("if a < b and c > d then bats", ["bats"]),
        ("______ snake_case _bats_ __moths__", ["snake_case", "bats", "moths"]),
        ("see example.co.uk or bit.ly/abc and docs.foo.xyz/path about bats", ["bats"]),
        ("[Bats](https://example.org) hunt", ["bats", "hunt"]),
        ("bats—www.example.com—moths", ["bats", "moths"]),
        ("bats &nbsp moths &lt b", ["bats", "moths"]),
        ("<script>var wing = 1;</script> bats <STYLE>p {}</STYLE> moths", ["bats", "moths"]),
        ("let q <- wing be set. So wing > tail holds.", ["wing", "set", "wing", "tail", "holds"]),
        ("He wrote <b and left. Then bats > moths.", ["wrote", "left", "bats", "moths"]),
        ("a1b2c3d4 e29b e4 h2o", ["h2o"]),
        ("x y z R", []),
        ("蝙蝠", ["蝙蝠"]),
    ],
)
def test_numbers_addresses_and_markup_are_no_words(text: str, words: list[str]) -> None:
    assert words_of(text) == words


_PARTS = ["a", "é", "w", "www.", "@", ".", "com", "io/", "://", "x.uk/y", " ", "co.uk", "-"]


@given(st.lists(st.sampled_from(_PARTS)).map("".join))
def test_no_address_is_missed_for_speed(text: str) -> None:
    found = [match.span() for match in words_module._address_marks(text)]
    assert found == [match.span() for match in words_module._ADDRESS.finditer(text)]


def test_words_of_one_stem_are_shown_as_the_commonest_form() -> None:
    text = "A flying bat. It flies. The flies fly. Flies!"
    assert words_of(text, stem=True) == ["flies", "bat", "flies", "flies", "flies", "flies"]
    assert words_of("hunting hunted hunts", stem=True) == ["hunting"] * 3


def test_uses_within_debris_do_not_count_towards_the_shown_form() -> None:
    assert words_of("wing <wings> <wings> <wings> wing wings", stem=True) == ["wing"] * 3


@pytest.mark.parametrize(
    ("form", "name"),
    [("Bats", "bats"), ("BAT’S", "bat"), ("co\u00adop", "coop"), ("cafe\u0301", "café")],
)
def test_normal_form(form: str, name: str) -> None:
    assert normal_form(form) == name


def test_stop_words_are_in_their_normal_form() -> None:
    assert {normal_form(word) for word in STOP_WORDS} <= STOP_WORDS | {"let"}
    assert all(word == word.lower() for word in STOP_WORDS)
