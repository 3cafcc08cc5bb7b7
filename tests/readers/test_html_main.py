"""Which part of a page is its text: by our own walk, and with trafilatura."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats.readers import html_main as html_page
from docbats.readers import html_main as html_trafilatura
from docbats.readers.html import walk_page
from docbats.readers.html_main import find_main, html_blocks

BATS = "Bats hunt moths by night, and moths hear them from afar and dive to the ground. " * 4
TEA = "Tea needs hot water, a clean pot, and some minutes of patience before it is strong. " * 4
TEASER = '<div class="teaser"><a href="/x">Ten ships that you must see</a> Ships are large.</div>'


def _own(page: str) -> str:
    return "\n".join(block.text for block in find_main(walk_page(page, is_xml=False)))


@pytest.mark.parametrize(
    "names",
    [
        "content-sidebar-wrap",
        "article-body pagination-first",
        "entry-content no-share",
        "page__section--ads",
        "single-page hidden-contents-menu",
        "sidebar",
        "has-nav",
    ],
)
@pytest.mark.parametrize("tag", ["div", "section", "form"])
def test_what_holds_most_of_the_text_is_kept_whatever_its_class(names: str, tag: str) -> None:
    text = _own(f'<body><{tag} class="{names}"><p>{BATS}</p></{tag}><p>Imprint, and so on.</p>')
    assert BATS.strip() in text


@pytest.mark.parametrize(
    "names",
    ["share", "post-share", "comments", "related-posts", "site-footer", "ads"],
)
def test_what_is_of_the_site_is_left_out(names: str) -> None:
    text = _own(f'<body><p>{BATS}</p><div class="{names}"><p>{TEA[:170]}</p></div><p>{BATS}</p>')
    assert "Tea" not in text
    assert text.count("Bats hunt") == 8


def test_comments_are_left_out_even_if_they_are_longer_than_the_text() -> None:
    text = _own(f'<body><p>{BATS}</p><div id="comments"><p>{TEA * 5}</p></div>')
    assert text == BATS.strip()


def test_the_main_part_is_found_where_nothing_marks_it() -> None:
    page = (
        f"<body><div><h3>Latest</h3><p>Ships wait for the tide outside.</p></div><div><div>"
        f"<h1>Bats</h1><div><p>{BATS}</p><p>{TEA}</p></div></div><div><p>Read about the ferry of "
        "the harbour, too.</p></div></div>"
    )
    assert _own(page).split("\n")[0] == "Bats"
    assert "ferry" not in _own(page)
    assert "Ships" not in _own(page)


def test_short_articles_with_links_lead_elsewhere() -> None:
    teasers = f"<article>{TEASER}</article>" * 3
    page = f"<body><article><p>{BATS}</p></article><article><p>{TEA}</p></article>{teasers}"
    assert "hips" not in _own(page)
    assert "Tea needs" in _own(page)


SITE = (
    "<html><body><div><ul>" + '<li><a href="/x">Section of the paper</a>' * 40 + "</ul></div>"
    "<article><h1>Bats</h1><p>{}</p>{}<p>{}</p></article>"
    "<div><h2>More of today</h2>" + TEASER * 20 + "</div></body></html>"
)


@pytest.fixture
def trafilatura() -> Any:
    return pytest.importorskip("trafilatura")


def test_trafilatura_chooses_and_the_blocks_stay(trafilatura: Any) -> None:
    assert trafilatura
    middle = "<h2>1. Food</h2><ul><li>moths<li>flies</ul><pre>x = 1\n  y = 2</pre>"
    found = [(b.kind, b.level, b.text) for b in html_blocks(SITE.format(BATS, middle, TEA))]
    assert found == [
        ("heading", 1, "Bats"),
        ("paragraph", None, BATS.strip()),
        ("heading", 2, "1. Food"),
        ("list_item", 1, "moths"),
        ("list_item", 1, "flies"),
        ("code", None, "x = 1\n  y = 2"),
        ("paragraph", None, TEA.strip()),
    ]


def test_text_that_only_trafilatura_finds_is_read_by_lines(
    trafilatura: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert trafilatura
    monkeypatch.setattr(html_page, "extract_main", lambda *_: f"{BATS}\n{TEA}")
    found = html_blocks(f"<body>{TEASER * 5}</body>")
    assert [block.text for block in found] == [BATS, TEA]


@pytest.mark.parametrize("error", [ValueError, RecursionError, AttributeError])
def test_whatever_trafilatura_raises_the_page_is_read(
    trafilatura: Any, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(trafilatura, "extract", fail)
    assert BATS.strip() in [block.text for block in html_blocks(SITE.format(BATS, "", TEA))]


def test_a_page_that_is_hardly_more_than_text_is_read_whole(
    trafilatura: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert trafilatura
    monkeypatch.setattr(html_page, "extract_main", lambda *_: f"{BATS}\n{BATS}")
    page = f"<body><p>{BATS}</p><dl><dt>pot<dd>{TEA}</dl><p>{BATS}</p></body>"
    assert [block.text for block in html_blocks(page)] == [
        BATS.strip(),
        "pot",
        TEA.strip(),
        BATS.strip(),
    ]


@given(
    st.lists(st.sampled_from([BATS, TEA, "Bats.", "a b c d e", "a b c d", "x"]), max_size=8),
    st.lists(st.sampled_from([BATS, TEA, "Bats.", "a b c d e f", "a b"]), max_size=8),
)
def test_chosen_blocks_are_those_of_the_page_in_order(blocks: list[str], main: list[str]) -> None:
    page = walk_page("".join(f"<p>{text}</p>" for text in blocks), is_xml=False)
    own = find_main(page)
    found = html_trafilatura.choose_blocks(page, own, "\n".join(main))
    places = [i for block in found for i, b in enumerate(page.blocks) if b is block]
    assert places == sorted(places)
    assert len(places) == len(found) or not places


def test_decomposed_letters_become_whole() -> None:
    assert html_blocks("<p>gepru\u0308ft</p>")[0].text == "gepr\u00fcft"


def test_numbers_tell_sections_from_chapters_with_the_same_tag() -> None:
    headings = "<h2>3. Bats</h2>{0}<h2>3.1 Wings</h2>{0}<h3>Skin</h3>{0}<h2>3.2 Ears</h2>{0}"
    page = headings.format(f"<p>{BATS}</p>") + f"<h2>4. Tea</h2><p>{TEA}</p>"
    assert [b.level for b in html_blocks(f"<body>{page}</body>") if b.kind == "heading"] == [
        *(2, 3, 4, 3),
        2,
    ]
    others = page.replace("3.1", "7.1")
    assert [b.level for b in html_blocks(f"<body>{others}</body>") if b.kind == "heading"] == [
        *(2, 2, 3, 2),
        2,
    ]
