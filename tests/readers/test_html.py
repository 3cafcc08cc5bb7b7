from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats import ReadError
from docbats.readers.parsers.html_page import html_blocks
from docbats.readers.read_file import read_file

PAGE = """<!DOCTYPE html>
<html><head><title>Not this</title><style>p { color: red }</style></head>
<body>
<header><a href="/">Site</a></header>
<nav><ul><li><a href="/a">Home</a><li><a href="/b">About us</a></ul></nav>
<main>
<h1>Bats &amp; <em>moths</em></h1>
<script>if (a < b) { document.write("<p>scripted</p>") }</script>
<p>Bats hunt   moths<br>by night.
<p>Moths&nbsp;dive.</p>
<pre><code>code = 1</code></pre>
<div class="share-buttons">Share this on everything</div>
<div hidden>hidden words</div><p style="display: none">also hidden</p>
<h2>Tea</h2>
<table><tr><th>cup</th><td>big</td></tr></table>
<ul><li>Tea needs water.<li>It cools, says <a href="x">a guide</a> to tea.</ul>
<!-- a comment <p>nothing</p> -->
</main>
<footer>All rights reserved</footer>
</body></html>"""


def test_running_text_is_kept_and_the_rest_is_not() -> None:
    assert [(block.level, block.text) for block in html_blocks(PAGE)] == [
        (1, "Bats & moths"),
        (None, "Bats hunt moths\nby night."),
        (None, "Moths\xa0dive."),
        (2, "Tea"),
        (None, "cup\tbig"),
        (None, "Tea needs water."),
        (None, "It cools, says a guide to tea."),
    ]


def test_headings_map_back() -> None:
    read = read_file(PAGE.encode())
    assert read.kind == "html"
    assert read.places is not None
    assert [read.text[h.start : h.end] for h in read.places.headings] == ["Bats & moths", "Tea"]
    place = read.document().place(read.text.index("Tea needs"), len(read.text))
    assert place is not None
    assert place.under == ("Bats & moths", "Tea")


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        ('<meta charset="iso-8859-1">', "cp1252"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">', "cp1251"),
        ("<meta charset=shift_jis>", "shift_jis"),
    ],
)
def test_page_may_declare_its_encoding(head: str, encoding: str) -> None:
    words = {"cp1252": "“Mäuse”", "cp1251": "мыши", "shift_jis": "蝙蝠"}[encoding]
    page = f"<html>{head}<p>{words}".encode(encoding)
    assert read_file(page).text == words


def test_page_that_lies_about_its_encoding_is_read_as_utf8() -> None:
    assert read_file("<html><meta charset=ascii-something><p>Mäuse".encode()).text == "Mäuse"


def test_a_part_of_a_page_is_read_by_its_name() -> None:
    assert read_file(b"<p>Bats fly.</p>", name="part.html").text == "Bats fly."


def test_page_without_text_is_refused() -> None:
    with pytest.raises(ReadError, match="a page without text: if its text is made by scripts"):
        read_file(b"<html><script>document.write('bats')</script></html>")


def test_menu_is_better_than_nothing() -> None:
    text = read_file(f"<html><body><nav>{'Bats are here. ' * 30}</nav></body></html>".encode()).text
    assert text.startswith("Bats are here.")


@pytest.mark.parametrize(
    "piece",
    [
        "<div>", "<a '\">", "<a \"x", "<!--", "<![CDATA[", "</p", "<p", "<", "&amp", "<script>",
        "<svg><math>", "</x>", "<li>", "<td>", "<a href='", "<p class=\"" + "a" * 100,
    ],
)  # fmt: skip
def test_no_page_takes_long(piece: str) -> None:
    started = time.perf_counter()
    html_blocks("<p>Bats." + piece * (400_000 // len(piece)))
    assert time.perf_counter() - started < 10


@given(st.lists(st.sampled_from([*PAGE.split("\n"), "<", ">", "'", '"', "</main>", "<p>"])))
def test_any_mess_is_read(pieces: list[str]) -> None:
    for whole in (True, False):
        for block in html_blocks("".join(pieces), whole=whole):
            assert block.text.strip()


def test_nothing_is_fetched_or_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        msg = "the network was asked for"
        raise AssertionError(msg)

    monkeypatch.setattr("socket.socket.connect", refuse)
    page = (
        '<html><img src="http://example.org/x.png"><iframe src="http://example.org"></iframe>Bats.'
    )
    assert read_file(page.encode()).text == "Bats."
