"""Headings to the left of the text, and terms over their definitions."""

from __future__ import annotations

import textwrap

from tests.text.structure.sample_text import BODY, OTHER, blocks_of, headings, kinds, levels, titles

from docbats.readers.content import join_broken_words


def indented(text: str, column: int) -> str:
    return textwrap.fill(text, 72, initial_indent=" " * column, subsequent_indent=" " * column)


TEXT = indented(f"{BODY} {OTHER}", 7)
PAGE = (
    "BAT(1)                        General Manual                        BAT(1)\n\n"
    "NAME\n       bat - fly at night\n\nSYNOPSIS\n       bat [-q]\n\n"
    f"DESCRIPTION\n{TEXT}\n\n{TEXT}\n\n"
    f"   Why do they hunt?\n{TEXT}\n\n   What do they eat?\n{TEXT}\n\nSEE ALSO\n{TEXT}\n"
)


def test_a_manual_page_has_headings_in_two_columns() -> None:
    names = [
        "NAME",
        "SYNOPSIS",
        "DESCRIPTION",
        "Why do they hunt?",
        "What do they eat?",
        "SEE ALSO",
    ]
    assert titles(PAGE) == names
    assert levels(PAGE) == [1, 1, 1, 2, 2, 1]


def test_a_wrapped_heading_goes_on_in_the_column_of_the_text() -> None:
    long = "   Why do bats of this kind and all others hunt for moths at night, and"
    text = PAGE.replace("   Why do they hunt?", f"{long}\n       not by day?")
    assert titles(text)[3] == f"{long.strip()} not by day?"


def test_a_short_heading_does_not_go_on_before_a_long_word() -> None:
    path = "/home/bat/" + "moth/" * 12
    text = PAGE.replace("hunt?\n", f"hunt?\n       {path}\n\n", 1)
    assert titles(text) == titles(PAGE)


def test_lines_that_announce_a_list_are_not_a_heading() -> None:
    lines = textwrap.fill(f"{BODY} These are their ways to do so:", 72)
    text = f"{PAGE}\n{lines}\n\n         {OTHER}\n"
    assert titles(text) == titles(PAGE)


def test_questions_over_answers_are_not_headings_in_a_column_of_text() -> None:
    answers = "".join(f"       Why {n}?\n{indented(BODY + ' ' + OTHER, 11)}\n\n" for n in range(9))
    text = f"{PAGE}\nFAQ\n{answers}"
    assert titles(text)[-1] == "FAQ"
    found = [text[block.start : block.end] for block in blocks_of(text)]
    assert "Why 3?" in found  # but by themselves


def test_headings_without_a_number_are_beside_those_with_one() -> None:
    part = f"{indented(BODY, 3)}\n\n{indented(OTHER, 3)}\n\n"
    text = "".join(
        f"{title}\n\n{part}"
        for title in ("Abstract", "1.  Bats", "1.1.  Wings", "2.  Tea", "Thanks", "Addresses")
    )
    assert titles(text) == ["Abstract", "Bats", "Wings", "Tea", "Thanks", "Addresses"]
    assert levels(text) == [1, 1, 2, 1, 1, 1]


def test_terms_and_definitions_are_paragraphs_of_their_own() -> None:
    text = f"{indented(BODY, 0)}\n\n-q\n{indented(BODY, 5)}\n-v, --verbose\n{indented(OTHER, 5)}\n"
    assert kinds(text) == ["paragraph"] * 5
    hanging = textwrap.fill(f"{BODY} {OTHER}", 72, subsequent_indent="     ")
    assert kinds(f"{BODY}\n\n{hanging}") == ["paragraph"] * 2


def test_an_item_that_goes_on_further_right_is_one_paragraph() -> None:
    item = (
        "   3. Grant of bats. Subject to the terms of this cave,\n      each bat may hunt at night."
    )
    text = f"{indented(BODY + OTHER, 3)}\n\n{item}\n\n{indented(OTHER + BODY, 3)}\n\n"
    assert item.strip() in [text[block.start : block.end] for block in blocks_of(text)]


def test_speakers_over_what_they_say_are_not_headings() -> None:
    turns = "".join(f"{name}\n{indented(BODY, 4)}\n\n" for name in ["Ann", "Ben", "Cat"] * 5)
    assert not headings(turns)


def test_verse_keeps_its_stanzas() -> None:
    stanza = "The bats are out\n    and so are we\nThe moths about\n    are two or three\n\n"
    assert set(kinds(stanza * 6)) <= {"paragraph"}
    assert len(kinds(stanza * 6)) in {0, 6}


def test_a_title_may_begin_with_a_sign_or_end_with_a_question_in_brackets() -> None:
    pages = "".join(f"   {title}\n{TEXT}\n\n" for title in ("Food", "--quiet", "Wings", "Caves"))
    text = f"{PAGE}\nOPTIONS (WHICH?)\n{pages}"
    assert titles(text)[-5:] == ["OPTIONS (WHICH?)", "Food", "--quiet", "Wings", "Caves"]


def test_options_over_their_meanings_are_not_headings() -> None:
    options = "".join(f"  --{name}\n{TEXT}\n\n" for name in ("bats", "tea", "moths", "cups"))
    assert titles(f"{indented(BODY, 0)}\n\n{options}") == []


def test_terms_next_to_a_table_are_by_themselves() -> None:
    terms = "".join(f"       The {n} bat\n{indented(OTHER, 11)}\n\n" for n in ("red", "big", "old"))
    cells = "       moth{n}     Food of\n                 bats and\n                 of owls\n\n"
    text = f"{PAGE}\nKINDS\n{terms}" + "".join(cells.format(n=n) for n in range(9))
    found = [text[block.start : block.end] for block in blocks_of(text)]
    assert {"The red bat", "The big bat", "The old bat"} <= set(found)


def test_justified_text_is_not_a_table() -> None:
    lines = (
        "Bats  hunt  at  night,  and  most of them sleep by day",
        "in  caves  where  they  hear the walls and the others,",
        "and  they  leave  when  the  sun is gone to hunt moths",
        "near the lake.",
    )
    assert kinds(f"{BODY}\n\n" + "\n".join(lines) + f"\n\n{OTHER}") == ["paragraph"] * 3


def test_broken_words_do_not_hide_the_terms_of_justified_text() -> None:
    meaning = (
        "              the  bats  of the cave hunt by night and sleep by day, and\n"
        "              most of them hear a moth that flies near the wall, or hear\n"
        "              it  when  it  is  still far away, since all of them listen\n"
        "              to echoes."
    )
    text = "".join(f"       --{name}\n{meaning}\n\n" for name in ("bats", "moths", "tea", "cups"))
    broken = (
        "       Moths hear the bats, too. In the dark of night, some of them let them\u2010\n"
        "       selves fall as soon as they hear one. The others do not li\u2010\n"
        "       sten to it.\n\n"
    )
    page = f"NAME\n       bat - fly\n\nOPTIONS\n{text}{broken * 3}"
    joined = join_broken_words(page)
    assert max(map(len, joined.split("\n"))) > max(map(len, page.split("\n")))
    found = [joined[block.start : block.end] for block in blocks_of(joined)]
    assert {"--moths", "--tea", "--cups"} <= set(found)
