from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import takes_linear_time

from docbats import ReadError
from docbats.blocks import check_blocks
from docbats.readers.html_main import html_blocks
from docbats.readers.read_file import read_file

if TYPE_CHECKING:
    from docbats.readers.content import FileText

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
    assert [(block.kind, block.level, block.text) for block in html_blocks(PAGE)] == [
        ("heading", 1, "Bats & moths"),
        ("paragraph", None, "Bats hunt moths\nby night."),
        ("paragraph", None, "Moths\xa0dive."),
        ("code", None, "code = 1"),
        ("heading", 2, "Tea"),
        ("table", None, "cup\tbig"),
        ("list_item", 1, "Tea needs water."),
        ("list_item", 1, "It cools, says a guide to tea."),
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
    with pytest.raises(ReadError, match="a page without text: if scripts make its text"):
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
def test_odd_tags_without_end_are_read_in_linear_time(piece: str) -> None:
    def read(size: int) -> None:
        blocks = html_blocks("<p>Bats." + piece * (size // len(piece)))
        assert blocks[0].text.startswith("Bats.")

    assert takes_linear_time(read, 2_500)


@given(st.lists(st.sampled_from([*PAGE.split("\n"), "<", ">", "'", '"', "</main>", "<p>"])))
def test_any_mess_is_read(pieces: list[str]) -> None:
    for whole in (True, False):
        for block in html_blocks("".join(pieces), whole=whole):
            assert block.text.strip()


# Blocks

LONG = "Bats hunt moths by night, and moths hear them from afar. " * 5


def _read(body: str) -> FileText:
    read = read_file(f"<html><body><main>{body}<p>{LONG}</p></main></body></html>".encode())
    check_blocks(read.blocks, len(read.text))
    assert read.document().sentences
    return read


def _blocks(body: str) -> list[tuple[str, int | None, str]]:
    read = _read(body)
    found = [(b.kind, b.level, read.text[b.start : b.end]) for b in read.blocks]
    assert found.pop() == ("paragraph", None, LONG.strip())
    return [(kind, level, text) for kind, level, text in found]


@pytest.mark.parametrize(
    ("heading", "number", "title"),
    [
        ('<h2><span class="section-number">1.2. </span>Bats<a class="headerlink">¶</a></h2>',
         "1.2.", "Bats"),
        ('<h2><span class="header-section-number">3</span> bats</h2>', "3", "bats"),
        ('<h2>Bats <a href="#bats">#</a></h2>', None, "Bats"),
        ("<h2>C#</h2>", None, "C#"),
        ("<h1>Chapter 4<br>The ships</h1>", "Chapter 4", "The ships"),
        ('<hgroup><h2 epub:type="z3998:ordinal">IV</h2><p>Ships</p></hgroup>', "IV", "Ships"),
        ("<h2><div>Part I</div><div>Ships</div></h2>", "Part I", "Ships"),
        ("<h2>Ships<ul><li>not this</ul>", None, "Ships"),
    ],
)  # fmt: skip
def test_numbers_and_marks_are_no_part_of_a_title(
    heading: str, number: str | None, title: str
) -> None:
    found = [(b.number, b.title) for b in _read(heading).blocks if b.kind == "heading"]
    assert found == [(number, title)]


def test_a_heading_is_one_sentence_with_its_number() -> None:
    assert _read("<h1>1. Bats. And tea</h1>").document().sentences[0] == "1. Bats. And tea"


def test_code_is_no_prose() -> None:
    read = _read('<div class="highlight"><pre><span>x</span> = 1\n  y</pre></div>')
    block = read.blocks[0]
    assert (block.kind, read.text[block.start : block.end]) == ("code", "x = 1\n  y")
    assert read.prose is not None
    assert read.prose.split() == LONG.split()
    assert read.document().sentences[:2] == ("x = 1", "y")


def test_a_page_of_nothing_but_preformatted_text_is_read() -> None:
    read = read_file(f"<html><pre>{LONG}</pre></html>".encode())
    assert [block.kind for block in read.blocks] == ["paragraph"]


def test_lists_and_quotations() -> None:
    body = (
        "<ol><li>a <b>bat</b><ul><li>moths</ul><li><p>tea</p><pre>x = 1</pre></ol>"
        "<blockquote><p>said</p><ul><li>more</ul></blockquote><dl><dt>cup<dd>big</dl>"
        "<figure><figcaption>A bat.</figcaption></figure>"
    )
    assert _blocks(body) == [
        ("list_item", 1, "a bat"),
        ("list_item", 2, "moths"),
        ("list_item", 1, "tea"),
        ("list_item", 1, "x = 1"),
        ("quote", None, "said"),
        ("quote", 1, "more"),
        ("paragraph", None, "cup"),
        ("paragraph", None, "big"),
        ("paragraph", None, "A bat."),
    ]


def test_tables_of_data_are_one_block() -> None:
    table = "<table><tr><th>cup<th>size<tr><td><p>big</p><td>3<br>4</table>"
    assert _blocks(table) == [("table", None, "cup\tsize\nbig\t3 4")]


@pytest.mark.parametrize(
    "table",
    [
        f"<table><tr><td>x<td>{LONG * 2}</table>",
        "<table><tr><td><h2>Bats</h2><td>x</table>",
        "<table><tr><td>x<td><table><tr><td>y</table></table>",
        "<table><tr><td>x</table>",
    ],
)
def test_tables_for_layout_are_what_is_in_them(table: str) -> None:
    assert all(kind != "table" for kind, _, _ in _blocks(table))


def test_contents_and_notes_are_no_prose() -> None:
    body = (
        '<nav><ul><li><a href="#a">Bats</a></ul></nav>'
        '<div class="toc"><p>On tea</p></div>'
        '<ul><li><a href="a">Bats</a><li><a href="b">Green tea</a>, too</ul>'
        '<ul><li><a href="a">Bats</a><li>are not birds</ul>'
        '<aside class="footnote">As said.</aside>'
    )
    assert [kind for kind, _, _ in _blocks(body)] == [
        *["contents"] * 4,
        *["list_item"] * 2,
        "references",
    ]


@pytest.mark.parametrize(
    "piece",
    ["<h1>1. Bats", "<ul><li>bats", "<table><tr><td>bats", "<tr><td>bats<td>tea", "<h1>x<p>",
     "<blockquote>bats", "<pre>x<div>", "<hgroup>x", "<a href=x>bats</a><br>"],
)  # fmt: skip
def test_hostile_structure_is_read(piece: str) -> None:
    read = read_file(f"<html><p>{LONG}</p><table>{piece * 20_000}".encode())
    read.document()
    check_blocks(read.blocks, len(read.text))


def test_nothing_is_fetched_or_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        msg = "the network was asked for"
        raise AssertionError(msg)

    monkeypatch.setattr("socket.socket.connect", refuse)
    page = (
        '<html><img src="http://example.org/x.png"><iframe src="http://example.org"></iframe>Bats.'
    )
    assert read_file(page.encode()).text == "Bats."
