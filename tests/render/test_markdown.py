from __future__ import annotations

import html
import re
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt

import docbats

TEXT = (
    "Bats hunt moths by night. Moths hear the bats and dive. Bats follow the moths. "
    "Tea needs hot water. Hot tea cools in the cup. A cup of tea wants water. "
)


def _html(markdown: str) -> str:
    return str(MarkdownIt("commonmark").enable("table").render(markdown))


def test_lines_hold_the_segments_and_the_topics() -> None:
    result = docbats.analyze(TEXT, k=2, window=1, tagger=None)
    lines = result.to_markdown(title="report.txt").splitlines()
    first, second = result.segments
    assert first.summary == second.summary == ""  # no sentence says enough
    cut, end = first.end, len(TEXT)
    assert lines[:9] == [
        "# report.txt",
        "",
        "## Segments",
        "",
        f"1. **{first.title}** (sentences 1-3, characters 0-{cut}, topic {_topic(first)})  ",
        f"   {' '.join(first.text.split())}",
        f"2. **{second.title}** (sentences 4-6, characters {cut}-{end}, topic {_topic(second)})  ",
        f"   {' '.join(second.text.split())}",
        "",
    ]
    assert lines[9:13] == [
        *("## Topics", ""),
        *("| topic | share | label | words |", "|---:|---:|---|---|"),
    ]
    assert len(lines) == 13 + len(result.topics)
    for number, (line, topic) in enumerate(zip(lines[13:], result.topics, strict=True), start=1):
        words = ", ".join(word for word, _ in topic.words)
        assert line == f"| {number} | {topic.weight:.0%} | {topic.label} | {words} |"


def _topic(segment: docbats.Segment) -> int:
    assert segment.topic is not None
    return segment.topic + 1


def test_title_is_left_out_where_there_is_none() -> None:
    assert docbats.analyze(TEXT, k=2).to_markdown().startswith("## Segments\n")


def test_top_words_limits_the_words_of_a_topic() -> None:
    markdown = docbats.analyze(TEXT, k=1).to_markdown(top_words=2)
    (row,) = re.findall(r"^\| 1 \|.*\|$", markdown, re.MULTILINE)
    assert row.split("|")[4].count(",") == 1


def test_notes_are_quoted_at_the_end() -> None:
    result = docbats.analyze("Bats hunt. Bats hear. Tea cools.", k=3, n_topics=3)
    assert result.notes
    assert result.to_markdown().endswith(f"\n> {result.notes[0]}\n")


def test_notes_that_quote_the_document_are_shown_as_they_are() -> None:
    note = "The break before “<img src=x> [hot](javascript:alert(1)) \x1b[31m” is plain."
    result = replace(docbats.analyze(TEXT, k=2), notes=(note,))
    shown = _html(result.to_markdown().splitlines()[-1])
    visible = note.replace("\x1b", " ").replace("  ", " ")
    assert shown == f"<blockquote>\n<p>{html.escape(visible)}</p>\n</blockquote>\n"


def test_topics_are_left_out_where_there_are_none() -> None:
    assert "Topics" not in docbats.analyze("Bats.", k=1).to_markdown()


@pytest.mark.parametrize(
    "hostile",
    [
        "# heading",
        "=====",
        "-----",
        "1. item",
        "- item",
        "+ item",
        "* item",
        "> quote",
        "```code",
        "~~~code",
        "<script>alert(1)</script>",
        "<!-- comment",
        "[text](javascript:alert(1))",
        "![image](x.png)",
        "**bold** and _slanted_ and `code`",
        "&copy; &#35; &amp;",
        "a | b | c",
        "a \\ b \\* c",
        "one  \ntwo\n\n# three",
    ],
)
def test_what_the_document_says_never_becomes_markup(hostile: str) -> None:
    result = docbats.analyze([hostile, "Bats hunt.", "Bats hear."], k=3)
    tame = docbats.analyze(["Tame words", "Bats hunt.", "Bats hear."], k=3)
    html = _html(result.to_markdown(title=hostile))
    tags = re.findall(r"<[^>]+>", html)
    assert tags == re.findall(r"<[^>]+>", _html(tame.to_markdown(title="Tame words")))
    shown = " ".join(hostile.split())
    escaped = shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert f"<h1>{escaped}</h1>" in html


def test_control_characters_are_taken_out() -> None:
    markdown = docbats.analyze("\x1b]0;title\x07 \u202ebats\x00.", k=1).to_markdown(title="\x1b[2J")
    assert all(line.isprintable() for line in markdown.splitlines())
