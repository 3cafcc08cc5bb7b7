from __future__ import annotations

import io
import re
from dataclasses import replace
from typing import Literal

import pytest
from rich.cells import cell_len
from rich.console import Console
from tests.talks import talk_vtt

import docbats
from docbats.render.terminal import to_rich

THEMES = [
    "bats moths night wings echo",
    "tea water cup kettle leaves",
    "boats river sail oars wind",
]
TEXT = "".join(
    f"The {a} and the {b} met near the {c}. "
    for theme in map(str.split, THEMES)
    for a, b, c in zip(theme, theme[1:] + theme[:1], theme[2:] + theme[:2], strict=True)
)
CHINESE = "蝙蝠在夜里飞行。蝙蝠捕食飞蛾。飞蛾在夜里飞行。热茶需要热水。热茶会变凉。热水泡热茶。"
WORD = "x" * 300


def _shown(renderable: object, width: int, *, terminal: bool = False) -> str:
    buffer = io.StringIO()
    colours: Literal["standard"] | None = "standard" if terminal else None
    console = Console(file=buffer, width=width, force_terminal=terminal, color_system=colours)
    console.print(renderable)
    return buffer.getvalue()


@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize("k", [1, 3, 15])
def test_lines_keep_to_the_width(width: int, k: int) -> None:
    shown = _shown(docbats.analyze(TEXT, k=k, n_topics=k), width)
    assert max(map(cell_len, shown.splitlines())) <= width
    s = "" if k == 1 else "s"
    assert shown.startswith(f"15 sentences, {k} segment{s}, {k} topic{s}")
    assert [f"T{i}" in shown for i in range(1, k + 1)] == [True] * k


@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize(
    ("text", "k"),
    [(CHINESE, 2), ([WORD, WORD], 2), ("🦇🍵 " * 90, 1), (f"{TEXT}\n\n" * 4, 60)],
    ids=["chinese", "one long word", "emoji", "sixty segments"],
)
def test_odd_documents_keep_to_the_width_too(width: int, text: str | list[str], k: int) -> None:
    shown = _shown(to_rich(docbats.analyze(text, k=k), title="a/long/path/" * 12), width)
    assert max(map(cell_len, shown.splitlines())) <= width


def test_every_word_is_shown_however_narrow() -> None:
    result = docbats.analyze(TEXT, k=3)
    shown = _shown(result, 40)
    words = [word for topic in result.topics for word, _ in topic.words[:10]]
    assert [word for word in words if word not in shown] == []


def test_top_words_limits_the_words_of_a_topic() -> None:
    result = docbats.analyze(TEXT, k=1)
    last = _shown(to_rich(result, top_words=3), 80).splitlines()[-1]
    assert last.count(",") == 2


def test_topics_are_left_out_where_there_are_none() -> None:
    shown = _shown(docbats.analyze("Bats.", k=1), 80)
    assert "Topics" not in shown
    assert "Bats." in shown


def test_notes_are_shown() -> None:
    result = docbats.analyze("Bats hunt. Bats hear. Tea cools.", k=3, n_topics=3)
    assert result.notes[0] in _shown(result, 120)


def test_brackets_are_not_taken_for_markup() -> None:
    result = docbats.analyze(["[bold]Bats[/bold] :bat:", "[/] Bats"], k=2)
    shown = _shown(to_rich(result, title="[red]name[/red]"), 80)
    assert all(part in shown for part in ["[red]name[/red]", "[bold]Bats[/bold] :bat:", "[/] Bats"])


def test_terminal_gets_colours_but_nothing_of_the_documents_own() -> None:
    hostile = "\x1b]0;title\x07Bats \x1b[2J hunt\u202e. Bats \x9b31m hear.\b\x7f Bats."
    shown = _shown(to_rich(docbats.analyze(hostile, k=2), title="\x1b[2Jname"), 80, terminal=True)
    assert re.search(r"\x1b\[[0-9;]*3\dm", shown)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert all(line.isprintable() for line in plain.split("\n"))


def test_notes_that_quote_the_document_do_not_change_the_terminal() -> None:
    result = replace(docbats.analyze(TEXT), notes=("Before “\x1b[31mEVIL\u202e”.",))
    assert result.choice is not None
    choice = replace(result.choice, reason="Before “\x9b31mWORSE”.")
    shown = _shown(replace(result, choice=choice), 80)
    assert "EVIL" in shown
    assert "WORSE" in shown
    assert all(line.isprintable() for line in shown.split("\n"))


@pytest.mark.parametrize("width", [20, 40, 63, 64, 120])
def test_speakers_and_times_are_shown_at_every_width(width: int) -> None:
    names = ("Marit Olsen", "Piet", "Right Hon. Judith Arkwright", "مريم", "米娜")
    talk = docbats.Document.read(talk_vtt(names, rounds=9).encode(), name="talk.vtt")
    result = docbats.analyze(talk, k=2)
    text = _shown(to_rich(result, summaries=True), width)
    assert max(map(cell_len, text.splitlines())) <= width
    assert result.segments[0].place is not None
    for part in (str(result.segments[0].place), "Speakers", "Marit"):
        assert part in text
