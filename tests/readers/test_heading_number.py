from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats.text.headings import split_number


@pytest.mark.parametrize(
    ("heading", "number", "title"),
    [
        ("1 Introduction", "1", "Introduction"),
        ("1.2. bats at night", "1.2.", "bats at night"),
        ("3.2 Bats", "3.2", "Bats"),
        ("1) Bats", "1)", "Bats"),
        ("A. Background", "A.", "Background"),
        ("A.1 Tables", "A.1", "Tables"),
        ("IV. Ships", "IV.", "Ships"),
        ("IV: Ships", "IV", "Ships"),
        ("Chapter 4: The Storm", "Chapter 4", "The Storm"),
        ("Chapter 4 The Storm", "Chapter 4", "The Storm"),
        ("Chapter One\nThe Storm", "Chapter One", "The Storm"),
        ("PART II — ON TEA", "PART II", "ON TEA"),
        ("Appendix A Tables", "Appendix A", "Tables"),
        ("§ 5 Zweck", "§ 5", "Zweck"),
        ("Article 3 Scope", "Article 3", "Scope"),
        ("Artículo 5. De las cosas", "Artículo 5.", "De las cosas"),
        ("Artículo 14 bis. De más cosas", "Artículo 14 bis.", "De más cosas"),
        ("CAPÍTULO IV Sanciones", "CAPÍTULO IV", "Sanciones"),
        ("TÍTULO PRELIMINAR. Objeto", "TÍTULO PRELIMINAR.", "Objeto"),
        ("Sección 1.ª Iniciación", "Sección 1.ª", "Iniciación"),
        ("Teil 1: Anfang", "Teil 1", "Anfang"),
        ("Kapitel 2 Mäuse", "Kapitel 2", "Mäuse"),
        ("Chapitre 3 : Le thé", "Chapitre 3", "Le thé"),
        ("Глава 3. Чай", "Глава 3.", "Чай"),
        ("第一章 蝙蝠", "第一章", "蝙蝠"),
        ("제1장 박쥐", "제1장", "박쥐"),
    ],
)
def test_numbers_are_taken_off(heading: str, number: str, title: str) -> None:
    assert split_number(heading) == (number, title)


@pytest.mark.parametrize(
    "heading",
    [
        "2020 in review", "1984 Revisited", "3D printing", "3-D printing", "I am here", "10 things",
        "1.5 million users", "A Study in Scarlet", "Part of the story", "Part I of the story",
        "Section on bats", "Chapter Onerous", "E. coli", "J. R. Smith", "IV Therapy", "MIX. Tape",
        "7 % of all", "3.11.0 (2024)", "Book A Hotel", "Chapter 4", "12", "1.", "", "...",
    ],
)  # fmt: skip
def test_other_headings_have_none(heading: str) -> None:
    assert split_number(heading) == (None, heading)


@given(st.text(max_size=60))
def test_nothing_is_lost(heading: str) -> None:
    number, title = split_number(heading)
    assert title == " ".join(title.split())
    written = " ".join(heading.split())
    assert written.startswith(number or "")
    assert written.endswith(title)


@pytest.mark.parametrize("piece", ["1.", "I", "Chapter ", " ", "1 ", "第", "Chapter 1 ", "A.1"])
def test_what_is_odd_and_long_keeps_its_end(piece: str) -> None:
    for many in (900 // len(piece), 500_000):
        assert split_number("Chapter 1" + piece * many + "x")[1].endswith("x")
        assert split_number(piece * many + "x")[1].endswith("x")
