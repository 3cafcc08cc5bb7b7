"""What a document says never becomes markup; pages are small, and the same every time."""

from __future__ import annotations

import base64
import hashlib
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.matrices import slow_except
from tests.render.html_samples import EXAMPLES, TEXT, long_text
from tests.render.html_tree import Tree

import docbats
from docbats.render.html import asset

HOSTILE = [
    "<script>alert(1)</script>",
    "</script></style></article></body>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "<!-- comment -->",
    "<![CDATA[ x ]]> <?php x ?>",
    "&lt;b&gt; &amp; &#60; &notanentity; &copy",
    "javascript:alert(1)",
    "\u202eoverridden \u2066isolated \u200fmarks",
    "a NUL \x00 and a surrogate \ud800 and \x1b[2J",
    "w" * 5000,
    "{{ template }} ${expression} `tick` \\u003c",
]


def _shown(text: str) -> str:
    return re.sub("[\x00\ud800-\udfff]", "\ufffd", text)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_what_the_document_says_never_becomes_markup(hostile: str) -> None:
    def tree(words: str) -> Tree:
        sentences = [f"{words} bats hunt", "bats hear", f"tea {words}", "tea cools", "bats, tea"]
        return Tree(docbats.analyze(sentences, k=2, min_sentences=1).to_html(words))

    page, tame = tree(hostile), tree("Tame words")
    assert page.odd == []
    assert {n.tag for n in page.nodes} == {n.tag for n in tame.nodes}
    assert {a for n in page.nodes for a in n.attributes} == {
        a for n in tame.nodes for a in n.attributes
    }
    assert page.document_text.count(_shown(hostile)) == 2
    assert [n.text for n in page.nodes if n.tag in {"style", "script"} and not n.attributes] == [
        asset("view.css"),
        asset("view.js"),
    ]
    for name in ("title", "h1", "h3"):
        for node in page.nodes:
            assert node.tag != name or (node.text.isprintable() and len(node.text) < 200)


@given(st.lists(st.text(alphabet="ab<>&\"'/!-;#\x00\ud800\u202e\n\r= ", max_size=12), min_size=1))
def test_any_characters_are_text(sentences: list[str]) -> None:
    if not "".join(sentences).strip():
        return
    result = docbats.analyze(sentences, k=1, min_sentences=1)
    page = result.to_html(sentences[0])
    page.encode()
    assert Tree(page).document_text == _shown(result.document.text)


def _overhead(result: docbats.Result) -> int:
    text = result.document.text
    escapes = 4 * text.count("&") + 3 * (text.count("<") + text.count(">"))
    return len(result.to_html("name").encode()) - len(text.encode()) - escapes


def test_page_is_small(result: docbats.Result) -> None:
    assert _overhead(result) < 150_000


@pytest.mark.parametrize("sentences", slow_except({1_300}, [1_300, 4_000]))
def test_page_of_along_text_is_small(sentences: int, preset: str) -> None:
    result = docbats.analyze(long_text(sentences), preset=preset)
    assert _overhead(result) < 400_000
    tree = Tree(result.to_html())
    assert tree.document_text == result.document.text
    assert len(tree.of_class("s")) == sentences


def test_page_of_many_segments_says_what_it_leaves_out() -> None:
    result = docbats.analyze(long_text(1_300), k=150, n_topics=150)
    tree = Tree(result.to_html())
    assert "too large for this page" in tree.root.text
    assert "Not shown: the" in tree.root.text
    assert tree.data["masses"] is None
    assert _overhead(result) < 400_000


def test_same_bytes_every_time(result: docbats.Result) -> None:
    assert result.to_html("a") == result.to_html("a")


@pytest.mark.parametrize("seed", ["0", "1"])
def test_same_bytes_in_another_process(seed: str) -> None:
    path = EXAMPLES / "how-to.txt"
    code = (
        "import docbats, sys, hashlib; text = open(sys.argv[1], encoding='utf-8').read(); "
        "page = docbats.analyze(text).to_html('x'); "
        "print(hashlib.sha256(page.encode()).hexdigest())"
    )
    other = subprocess.run(
        [sys.executable, "-c", code, str(path)], check=True, capture_output=True, text=True,
        env={"PYTHONHASHSEED": seed},
    ).stdout.strip()  # fmt: skip
    page = docbats.analyze(path.read_text(encoding="utf-8")).to_html("x")
    assert other == hashlib.sha256(page.encode()).hexdigest()


def test_policy_allows_our_style_and_script_alone() -> None:
    tree = Tree(docbats.analyze(TEXT, k=2).to_html())
    (policy,) = (n.attributes["content"] for n in tree.nodes if n.attributes.get("http-equiv"))
    hashes = [
        base64.b64encode(hashlib.sha256(asset(name).encode()).digest()).decode()
        for name in ("view.css", "view.js")
    ]
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{hashes[0]}'; script-src 'sha256-{hashes[1]}'; "
        "base-uri 'none'; form-action 'none'"
    )


@pytest.mark.parametrize("name", ["view.css", "view.js"])
def test_assets_ask_for_nothing(name: str) -> None:
    text = asset(name).replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|//\w+\.|url\(|@import|fetch\(|</|innerHTML|\.style\b", text)
