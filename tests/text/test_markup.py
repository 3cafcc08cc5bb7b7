"""Inline Markdown is scanned once: titles, prose and styles agree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docbats
from docbats import Document
from docbats.blocks import blank
from docbats.render.html.shown_text import inline_styles
from docbats.text.markup import inline_non_prose, looks_like_markdown, plain_text, scan_inline

PIECES = ["**", "*", "_", "__", "`", "``", "[", "](", ")", "![", "<b>", "</b>", "<!--", "-->", "\\",
          "{{", "}}", "[^1]", "[!NOTE]", "~~", "bats", " ", "\n", "  \n", "\ue000", "\ue02b", "é",
          "{#a}", "<https://x.y>", "[a][b]"]  # fmt: skip


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("*args and **kwargs", "*args and **kwargs"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("snake_case_name", "snake_case_name"),
        ("\ue02b and \ue000", "\ue02b and \ue000"),
        ("`a*b*` and *c*", "a*b* and c"),
        (r"\*args\* and \[x\](y)", "*args* and [x](y)"),
        ("***Both*** and ~~gone~~", "Both and gone"),
        ("[![A bat](b.png)](c.md) at night", "at night"),
        ("Bats[^1] <br> {{ macro }}", "Bats"),
        ("{ref}`Bats <bats>` and {term}`tea`", "Bats and tea"),
        ("Install {#install}", "Install"),
        ("Install {#install .unnumbered}", "Install"),
        ("Preface {-}", "Preface"),
        ("[]{#tea}Hot [Tea]{.smallcaps}", "Hot Tea"),
        ('[Tea](t.md){.external target="_blank"} and `pot`{.python}', "Tea and pot"),
        ("Tea [@smith2004, p. 3] and [@anna](https://example.org)", "Tea and @anna"),
        ("The set {a, b} and {x=1}", "The set {a, b} and {x=1}"),
        ('<a id="tea"></a>Tea ![Cup](cup.png){width=50%}', "Tea"),
    ],
)
def test_titles_lose_their_marks_and_nothing_else(written: str, title: str) -> None:
    assert plain_text(written) == title
    document = Document.of(f"# {written}\n\nBats fly.\n", "markdown")
    assert document.blocks[0].title == title


def test_a_part_of_a_block_loses_the_marks_that_begin_before_it() -> None:
    written = "**Bats fly. They hear.** So"
    assert plain_text(written, 0, 11) == "Bats fly."
    assert plain_text(written, 12, 24) == "They hear."


def test_summaries_lose_marks_that_span_sentences() -> None:
    text = "# Bats\n\n**Bats fly by night. They hear walls and moths with their ears.**\n"
    (segment,) = docbats.analyze(text, k=1).segments
    assert "*" not in segment.summary


def test_prose_keeps_words_and_code_and_loses_targets_and_tags() -> None:
    written = "See [the guide](a/b.md), ![x](y.png), `Box<T>`, <b>now</b>[^2] or [it][label]."
    prose = blank(written, inline_non_prose(written))
    assert prose.split() == [
        *["See", "[the", "guide](", "),", ",", "`Box<T>`,", "now", "or", "[it]"],
        ".",
    ]


@given(st.lists(st.sampled_from(PIECES), max_size=25))
def test_any_marks_are_scanned(pieces: list[str]) -> None:
    written = "".join(pieces)
    for found in scan_inline(written):
        assert 0 <= found.start <= found.words_start <= found.words_end <= found.end <= len(written)
    assert len(blank(written, inline_non_prose(written))) == len(written)
    assert all(style.start < style.end <= len(written) for style in inline_styles(written))
    shown = [sign for sign in plain_text(written) if not sign.isspace()]
    rest = iter(written)
    assert all(sign in rest for sign in shown)


def test_a_drawing_and_comments_in_code_make_no_markdown() -> None:
    drawing = "The tree is crossed here:\n\n        |\n    --- | ---\n        |\n"
    assert not looks_like_markdown(f"A manual.\n\n{drawing}\nIt goes on.\n")
    comments = "\n".join(f"# set {i}\nvalue {i}" for i in range(9))
    assert not looks_like_markdown(f"A file:\n\n# first\n\n{comments}\n\n# last\n\nIt ends.\n")
    assert looks_like_markdown("Bats:\n\n| name | food |\n|------|------|\n| Noctule | moths |\n")
