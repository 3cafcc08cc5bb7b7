from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from docbats.parts import Segment
from docbats.render.one_line import after_title, excerpt, sentence_range, sparkline, visible

if TYPE_CHECKING:
    from docbats.parts import TitleSource


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, 茶, é, 🦇", "plain text, 茶, é, 🦇"),
        ("\x1b[2Jcleared", " [2Jcleared"),
        ("\x1b]0;title\x07", " ]0;title "),
        ("\x9b31mred", " 31mred"),
        ("one\r\ntwo\tthree", "one  two three"),
        ("\u202eevil\u202c \u2066isolate\u2069", "evil isolate"),
        ("co\u00adoperate", "cooperate"),
        ("\ufefftext\u200b", "text"),
        ("a\ud800b", "a b"),
        ("\ue000private", " private"),
        ("", ""),
    ],
)
def test_visible_takes_out_what_cannot_be_printed(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_visible_is_printable_for_every_character() -> None:
    assert all(visible(chr(code)).isprintable() for code in range(0x110000))


@pytest.mark.parametrize(
    ("text", "width", "opening"),
    [
        ("Short.", 20, "Short."),
        ("exactly ten", 11, "exactly ten"),
        ("cut between the words", 12, "cut between…"),
        ("cut between the words", 10, "cut…"),
        ("unbreakable", 5, "unbr…"),
        ("  several \n\n spaces\t here ", 40, "several spaces here"),
        ("\n" * 1000 + "after blank lines", 20, "after blank lines"),
        ("a" + " " * 1000 + "b", 10, "a…"),
        ("\x1b[1mbold\x1b[0m", 20, "[1mbold [0m"),
        ("", 10, ""),
    ],
)
def test_excerpt_is_the_opening_cut_at_a_word(text: str, width: int, opening: str) -> None:
    assert excerpt(text, width) == opening


@pytest.mark.parametrize("width", [2, 5, 17, 80])
@pytest.mark.parametrize("text", ["word " * 500, "x" * 5000, "a\n" * 500])
def test_excerpt_keeps_to_its_width(text: str, width: int) -> None:
    assert 0 < len(excerpt(text, width)) <= width


@pytest.mark.parametrize(
    ("values", "bars"),
    [([0.0, 1.0], "▁█"), ([0.5], "▅"), ([], ""), ([0.01, 0.99], "▁█"), ([1.0000001], "█")],
)
def test_spark_draws_a_bar_for_each_value(values: list[float], bars: str) -> None:
    assert sparkline(values) == bars


@pytest.mark.parametrize(
    ("sentences", "shown"),
    [((0, 1), "sentence 1"), ((0, 2), "sentences 1-2"), ((6, 10), "sentences 7-10")],
)
def test_sentence_range_counts_as_people_do(sentences: tuple[int, int], shown: str) -> None:
    segment = Segment(
        start=0,
        end=1,
        sentences=sentences,
        text="x",
        title="X",
        topic_weights=(),
        keywords=(),
        strength=None,
        overlap_start=0,
    )
    assert sentence_range(segment) == shown


@pytest.mark.parametrize(
    ("title", "source", "shown"),
    [
        ("“Bats hunt at…”", "opening", "… night by the river."),
        ("« Bats hunt at… »", "opening", "… night by the river."),
        ("“bats hunt at…”", "opening", "… night by the river."),
        ("“Bats hunt at night by the river.”", "opening", "Bats hunt at night by the river."),
        ("“The river is wide…”", "opening", "Bats hunt at night by the river."),
        ("Bats hunt at…", "phrase", "Bats hunt at night by the river."),
    ],
)
def test_the_beginning_goes_on_where_a_quoted_title_ends(
    title: str, source: TitleSource, shown: str
) -> None:
    text = "Bats hunt at night by the river."
    segment = Segment(0, 32, (0, 1), text, title, (), (), None, 0, title_source=source)
    assert after_title(segment, text, 80) == shown
