"""Pages as generators and sites make them: what is a heading, and what is text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.growth import takes_linear_time

from docbats.readers import html_main
from docbats.readers.html_main import html_blocks
from docbats.readers.read_file import read_file

if TYPE_CHECKING:
    from docbats.readers.html import HtmlBlock

_SUBJECTS = ("bats", "moths", "teapots", "ferries", "lanterns", "orchards", "glaciers", "violins")
# Paragraphs that have no run of four words in common.
A, B, C, D, E, F, G, H = (
    f"Old {x} of {x}land, seen by {x}ers at {x} time, need {x} care and {x} food; {x} "
    f"rarely rest before {x} dawn, when every {x} keeper counts {x} twice."
    for x in _SUBJECTS
)

PAGES = {
    "MediaWiki": (
        f"""<body class="mediawiki"><div id="content" class="mw-body" role="main">
        <h1 id="firstHeading"><span>Bat</span></h1><div id="siteSub" class="noprint">A wiki</div>
        <div class="mw-parser-output"><table class="infobox"><tr><th>Order<td>Bats</table>
        <p>{A} {B}</p>
        <div id="toc" class="toc"><h2>Contents</h2><ul><li><a href="#Food">1 Food</a></ul></div>
        <h2><span class="mw-headline" id="Food">Food</span><span class="mw-editsection">[<a
        href="/e">edit</a>]</span></h2><p>{C}</p></div></div>
        <div id="mw-panel"><nav><h3>Navigation</h3><ul><li><a href="/">Main
        page</a></ul></nav></div>
        <footer>Under a licence</footer>""",
        [(1, "Bat"), (2, "Food")],
        [f"{A} {B}", C],
        ["Navigation", "edit", "licence", "A wiki"],
    ),
    "Sphinx, single page": (
        f"""<body><div class="document"><div class="body" role="main"><section id="bats">
        <h1>Bats<a class="headerlink" href="#bats">¶</a></h1><div class="toctree-wrapper compound">
        <section id="food"><h2><span class="section-number">1. </span>Food</h2><p>{A}</p>
        <div class="admonition note"><p class="admonition-title">Note</p><p>{B}</p></div>
        <aside class="sidebar"><p class="sidebar-title">Beside</p><p>{C}</p></aside></section>
        <section id="sleep"><h2><span class="section-number">2. </span>Sleep</h2><p>{D}</p>
        <div class="toctree-wrapper compound"><ul><li><a href="#x">One more page</a></ul></div>
        </section></div></section></div></div>
        <div class="sphinxsidebar" role="navigation"><ul><li><a href="#">Bats</a></ul></div>""",
        [(1, "Bats"), (2, "1. Food"), (2, "2. Sleep")],
        [A, "Note", B, "Beside", C, D],
        ["¶"],
    ),
    "DocBook": (
        f"""<body><div class="navheader"><table><tr><th colspan="3">Chapter 1. Bats</th></tr>
        <tr><td><a href="i.html">Prev</a></td><th> </th><td><a href="2.html">Next</a></table></div>
        <div class="chapter"><div class="titlepage"><div><div><h1 class="title"><a
        id="b"></a>Chapter
        1. Bats</h1></div><div><h3 class="author">Ann Bat</h3></div></div></div>
        <div class="toc"><dl><dt><a href="#f">Food</a></dt></dl></div>
        <p>{A}</p>
        <div class="sect1"><h2 class="title">1.1. Food</h2><p>{B}</p><div class="note"><h3
        class="title">Note</h3><p>{C}</p></div><div class="sidebar"><p class="title"><b>A
        box</b></p>
        <p>{D}</p></div></div><div class="footnotes"><div id="ftn.1" class="footnote"><p><a
        href="#x"><sup>[1]</sup></a> As they say.</p></div></div></div>""",
        [(1, "Chapter 1. Bats"), (2, "1.1. Food")],
        ["Ann Bat", A, B, "Note", C, "A box", D, "[1] As they say."],
        ["Prev", "Next"],
    ),
    "Publican, mostly a list": (
        f"""<body><ul class="docnav"><li><a href="a">Prev</a><li><a href="b">Next</a></ul>
        <div class="section"><div class="titlepage"><div><h2 class="title">1.5. To
        do</h2></div></div>
        <div class="para">{A}</div><div class="itemizedlist"><ul><li><div class="para">{B} {C} {D}
        {E}</div><li><div class="para">{F} {G} {H}</div></ul></div></div>""",
        [(2, "1.5. To do")],
        [A, f"{F} {G} {H}"],
        ["Prev"],
    ),
    "Asciidoctor": (
        f"""<body class="article"><div id="header"><h1>Bats</h1><div id="toc" class="toc"><ul><li><a
        href="#_food">1. Food</a></ul></div></div><div id="content"><div class="sect1"><h2
        id="_food"><a class="anchor" href="#_food"></a>1. Food</h2><div
        class="sectionbody"><p>{A}</p>
        <div class="admonitionblock note"><table><tr><td class="icon"><div class="title">Note</div>
        <td class="content">{B}</table></div></div></div><div class="sect1"><h2
        id="_comments">2. Comments</h2><dl><dt>cup<dd><p>{C}</p></dl></div></div>
        <div id="footer">Last updated in May</div>""",
        [(1, "Bats"), (2, "1. Food"), (2, "2. Comments")],
        [A, "Note", B, "cup", C],
        ["Last updated"],
    ),
    "texinfo": (
        f"""<body><div class="top" id="Top"><div class="header"><p>Next: <a href="#Food"
        rel="next">Food</a>, Up: <a href="d" rel="up">(dir)</a> [<a href="#C"
        rel="contents">Contents</a>]</p></div><h1>Bats</h1><p>{A}</p></div><div class="chapter"
        id="Food"><div class="header"><p>Previous: <a href="#Top" rel="prev">Bats</a></p></div>
        <h2>1 Food</h2><p>{B}</p><div class="section" id="Comments"><h3>1.1 Comments</h3><p>{C}</p>
        </div><div class="section" id="Sharing-food"><h3>1.2 Sharing
        food</h3><p>{D}</p></div></div>""",
        [(1, "Bats"), (2, "1 Food"), (3, "1.1 Comments"), (3, "1.2 Sharing food")],
        [A, B, C, D],
        ["(dir)"],
    ),
    "Docusaurus": (
        f"""<body><nav class="navbar"><a href="/">Docs</a></nav><aside
        class="theme-doc-sidebar"><ul>
        <li><a href="/a">A</a></ul></aside><main><article><header><h1>Bats</h1></header><p>{A}</p>
        <div class="theme-admonition theme-admonition-tip alert"><div><h5>tip</h5></div><p>{B}</p>
        </div><h2 id="food">Food<a href="#food" class="hash-link">#</a></h2><p>{C}</p></article>
        <nav class="pagination-nav"><a href="/b">Next page</a></nav></main>""",
        [(1, "Bats"), (2, "Food")],
        [A, "tip", B, C],
        ["Docs"],
    ),
    "MDN": (
        f"""<body><main role="main"><article><h1>Bats</h1><p>{A}</p><section><h2 id="f"><a
        href="#f">Food</a></h2><div class="notecard note"><h4>Note</h4><p>{B}</p></div><dl><dt
        id="cup"><a
        href="#cup"><code>cup</code></a><dd><p>{C}</p></dl></section></article></main>""",
        [(1, "Bats"), (2, "Food")],
        [A, "Note", B, "cup", C],
        [],
    ),
    "news with a banner": (
        f"""<body><div class="cookie-banner" role="dialog"><h2>Your privacy</h2><p>{H}</p></div>
        <header><nav><a href="/">News</a></nav></header><article><h1>Bats fly</h1><p>{A} {B}</p>
        <aside class="related"><h3>More</h3><p><a href="/y">Ships sink in the harbour of the
        city</a>
        </p></aside><p>{C} {D}</p></article><footer>Copyright</footer>""",
        [(1, "Bats fly")],
        [f"{A} {B}", f"{C} {D}"],
        ["privacy", H, "Ships", "Copyright"],
    ),
    "WordPress": (
        f"""<body class="single-post"><header id="masthead"><p><a href="/">Ann</a></p></header>
        <div id="content"><main><article class="post hentry"><header class="entry-header"><h1
        class="entry-title">Bats</h1></header><div class="entry-content"><p>{A}</p><h2>Food</h2>
        <p>{B}</p></div></article><div id="comments" class="comments-area"><h2>2 thoughts</h2><p>{C}
        </p></div></main><aside id="secondary"><h2>Recent</h2><ul><li><a
        href="/x">X</a></ul></aside>
        </div>""",
        [(1, "Bats"), (2, "Food")],
        [A, B],
        ["thoughts", C, "Recent"],
    ),
    "a README with a badge": (
        f"""<body><header><h2>Menu</h2></header><main><article class="markdown-body"><h1>Bats <a
        href="https://ci"><img src="b.svg" alt="passing"></a></h1><h2><img src="logo.svg"></h2>
        <p>{A}</p><h2>Food</h2><p>{B}</p><details><summary>More</summary><p>{C}</p></details>
        </article></main>""",
        [(1, "Bats"), (2, "Food")],
        [A, B, "More", C],
        ["passing", "Menu"],
    ),
    "a forum": (
        f"""<body><div id="page-body"><h2><a href="t">Which tea?</a></h2><div class="post"><div
        class="postbody"><h3><a href="#p1">Which tea?</a></h3><div class="content">{A}
        {B}</div></div>
        </div><div class="post"><div class="postbody"><h3><a href="#p2">Re: Which tea?</a></h3><div
        class="content">{C} {D}</div></div></div></div>""",
        [(2, "Which tea?"), (3, "Which tea?"), (3, "Re: Which tea?")],
        [f"{A} {B}", f"{C} {D}"],
        [],
    ),
    "Word": (
        f"""<body lang=EN-US><div class=WordSection1><p class=MsoToc1><a href="#_Toc1">1 Food<span>
        ..... 2</span></a></p><h1><a name="_Toc1">1<span>&nbsp;&nbsp;</span>Food</a></h1><p
        class=MsoNormal>{A}</p><h2>1.1 Moths</h2><p class=MsoNormal>{B}</p></div>""",
        [(1, "1 Food"), (2, "1.1 Moths")],
        [A, B],
        [],
    ),
    "man2html": (
        f"""<BODY><H1>BAT</H1>Section: Commands (1)<HR><A NAME="lbAB">&nbsp;</A><H2>NAME</H2>
        bat - flies<H2>DESCRIPTION</H2><P>{A}<DL><DT><B>-x</B><DD>{B}</DL><H2>Index</H2><DL><DT><A
        HREF="#lbAB">NAME</A><DD><DT><A HREF="#lbAC">DESCRIPTION</A><DD></DL>""",
        [(1, "BAT"), (2, "NAME"), (2, "DESCRIPTION")],
        ["bat - flies", A, "-x", B],
        [],
    ),
    "roles": (
        f"""<body><main><div role="heading" aria-level="1">Bats</div><p>{A}</p><h3><button>What do
        they eat?</button></h3><p>{B}</p><div role="heading">Sleep</div><p>{C}</p></main>""",
        [(1, "Bats"), (3, "What do they eat?"), (2, "Sleep")],
        [A, B, C],
        [],
    ),
    "the nineties": (
        f"""<body bgcolor="#ffffff"><table><tr><td width="150"><a href="a.html">Home</a><br><a
        href="b.html">Links</a><td><font face="Arial"><h1>Bats</h1>{A}<br><br>{B}<br> <br>
        <b>{C}</b><p>{D}</font></table>""",
        [(1, "Bats")],
        [A, B, C, D],
        ["Links"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("is_installed", [True, False])
def test_headings_and_text_of_a_page(
    name: str, is_installed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_installed:
        pytest.importorskip("trafilatura")
    else:
        monkeypatch.setattr(html_main, "extract_main", lambda *_: None)
    page, headings, kept, lost = PAGES[name]
    read = read_file(f"<html>{page}</body></html>".encode())
    found = [(b.kind, b.level, " ".join(read.text[b.start : b.end].split())) for b in read.blocks]
    assert [(level, text) for kind, level, text in found if kind == "heading"] == headings
    texts = [text for kind, _, text in found if kind not in {"heading", "contents"}]
    assert [text for text in texts if text in kept] == kept
    assert not [text for text in lost if any(text in shown for shown in texts)]


def _found(page: str) -> list[tuple[str, int | None, str]]:
    return [(block.kind, block.level, block.text) for block in html_blocks(page)]


def test_only_the_label_of_an_admonition_is_no_heading() -> None:
    page = f'<main><div class="warning"><h3>Beware</h3><p>{A}</p><h3>Of bats</h3><p>{B}</p></div>'
    assert _found(page) == [
        ("paragraph", None, "Beware"),
        ("paragraph", None, A),
        ("heading", 3, "Of bats"),
        ("paragraph", None, B),
    ]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('Bats<sup><a href="#n1">1</a></sup>', "Bats"),
        ('Bats<a href="n.html#n1"><sup>[12]</sup></a> and moths', "Bats and moths"),
        ('Bats<a role="doc-noteref" href="#n1">*</a>', "Bats"),
        ('Bats<a href="#_ftn1"><span class=MsoFootnoteReference>[1]</span></a>', "Bats"),
        ('On <a href="#e">E=mc<sup>2</sup></a>', "On E=mc2"),
        ('5 m<sup>2</sup> <a href="#here">here</a>', "5 m2 here"),
        ('<sup><a href="#x">a long remark above</a></sup>', "a long remark above"),
    ],
)
def test_marks_of_notes_leave_titles(written: str, read: str) -> None:
    assert _found(f"<main><h2>{written}</h2><p>{A} {B}</p>")[0] == ("heading", 2, read)


def test_cells_keep_their_columns() -> None:
    table = "<table><tr><th>x<th>y<th>z<tr><td>1<td><td><p>2</p><p>3</p><br><br>4</table>"
    assert _found(f"<main>{table}<p>{A} {B}</p>")[0] == ("table", None, "x\ty\tz\n1\t\t2 3 4")


def test_a_list_of_links_is_a_menu_only_outside_the_text() -> None:
    links = '<ul><li><a href="/a">On bats</a><li><a href="/b">On tea</a></ul>'
    page = f'<body><h3>Recent</h3>{links}<div class="section"><p>{A} {B}</p>{links}<p>{C}</p></div>'
    assert [kind for kind, _, _ in _found(page)] == [
        *("paragraph", "contents", "contents", "paragraph")
    ]


def test_a_repeated_title_is_read_once() -> None:
    page = f"<body><h1>Bats 1.0</h1><h1>Bats</h1><p>{A} {B}</p><h2>Food</h2><p>{C}</p>"
    headings = [text for kind, _, text in _found(page) if kind == "heading"]
    assert headings == ["Bats 1.0", "Food"]


@pytest.mark.parametrize("depth", [1, 30, 300, 3000])
def test_lists_are_read_however_deep_they_are(depth: int) -> None:
    items = "".join(f"<ul><li><p>Item {i} is about bats of kind {i}.</p>" for i in range(depth))
    found = _found(f"<body><p>{A} {B}</p>{items}{'</ul>' * depth}<p>{C} {D}</p></body>")
    assert [level for kind, level, _ in found if kind == "list_item"] == [*range(1, depth + 1)]
    assert [text for kind, _, text in found if kind == "paragraph"] == [f"{A} {B}", f"{C} {D}"]


@pytest.mark.parametrize(
    "piece",
    [
        '<div class="toctree-wrapper"><p>bats', '<div class="note"><h3>Note</h3>', "<br> ",
        "<ul><li><p>bats and moths and all that flies</p>", "<dl><dt><a href='#x'>bats</a>",
        "<table><tr><td><td>x</table>", "<sup><a href='#x'>1</a>",
        '<div class="section"><h2>x</h2>',
        '<div class="section"><aside>Bats fly.</aside>', "<td><td>",
        "<h2>x</h2><ul><li><a href=x>y</a></ul>",
    ],
)  # fmt: skip
def test_marks_of_the_text_are_read_in_linear_time(
    piece: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(html_main, "extract_main", lambda *_: None)

    def read(size: int) -> list[HtmlBlock]:
        return html_blocks(f"<p>{A}</p>" + piece * (size // len(piece)))

    assert takes_linear_time(read, 5_000)


def test_a_note_says_how_much_of_a_page_was_left_out() -> None:
    comments = f'<div id="comments"><p>{B}</p><p>{C}</p><p>{D}</p></div>'
    page = (
        f"<html><body><article><h1>Bats</h1><p>{A}</p><p>{E}</p></article>{comments}</body></html>"
    )
    assert read_file(page.encode()).notes == (
        "The file is a page of which 60 % was left out as not its main text.",
    )
    assert not read_file(page.replace(comments, "").encode()).notes
