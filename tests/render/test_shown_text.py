"""The text of the report without the marks of its author, and all of them still in the page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.render.html_tree import Node, Tree

import docbats
from docbats.render.html import render_page
from docbats.render.html.shown_text import ShownText, inline_styles

if TYPE_CHECKING:
    from tests.sample_files import Files

MARKDOWN = """\
---
title: Bats
---

# Bats at **night**

Some *emphasis* here, and [a link](https://example.org/a(b)) with `code **x**`. A second
sentence is wrapped over lines. It has ![an image](bat.png) too.

## Lists

- One item with **bold words** in it. And a second sentence.
- Two
  - A nested item

1. A first step
2. A second step

> A quote of bats.
> It goes on.

Underlined
----------

| name | size |
|------|-----:|
| bat | 12 |
| tea \\| cup | 3 |

```python
def f():
    return {
    }
```

---

<!-- a comment -->

### Third

Last words [^1]. A snake_case_name stays, \\*no emphasis\\*. __Strong__ and ***both***.

[^1]: A footnote here.
"""
PARTS = ["# A title", "- item *x*", "> said", "| a | b |\n|---|---|\n| 1 | 2 |", "```\ncode\n```",
         "Text with **bold** and [a](b).", "Over\nlines. And more.", "Under\n---", "<b>tag</b>",
         "*", "**", "`", "[", "](", "---", "![x](y)", "1. one", "  - deep", "<!-- c -->", "~~x~~",
         "Tea  \nand cake", "{{ macro }}", "\\*", "___", "<script>alert(1)</script>"]  # fmt: skip


def _read(text: str, name: str = "a.md") -> docbats.Document:
    return docbats.Document.read(text.encode(), name=name)


def _hidden(node: Node | str, name: str = "m") -> bool:
    return not isinstance(node, str) and bool({name, "gap"} & set(node.classes))


def _shown(node: Node) -> str:
    parts = (n if isinstance(n, str) else _shown(n) for n in node.children if not _hidden(n))
    return "".join(parts)


def _lines(tree: Tree) -> list[str]:
    return [" ".join(_shown(node).split()) for node in tree.of_class("s")]


def test_marks_are_in_the_page_but_not_shown() -> None:
    document = _read(MARKDOWN)
    tree = Tree(render_page(docbats.analyze(document)))
    assert tree.document_text == MARKDOWN
    assert [node.text for node in tree.of_class("s")] == list(document.sentences)
    assert [line for line in _lines(tree) if line] == [
        "Bats at night",
        "Some emphasis here, and a link with code **x**.",
        "A second sentence is wrapped over lines.",
        "It has an image too.",
        "Lists",
        "One item with bold words in it.",
        "And a second sentence.",
        "Two",
        "A nested item",
        "1. A first step",
        "2. A second step",
        "A quote of bats.",
        "It goes on.",
        "Underlined",
        "name size",
        "bat 12",
        "tea | cup 3",
        "def f():",
        "return {",
        "Third",
        "Last words 1.",
        "A snake_case_name stays, *no emphasis*.",
        "Strong and both.",
        "1 A footnote here.",
    ]
    shown = "".join(_shown(node) for node in tree.of_class("piece"))
    assert not re.search(r"title:|---|comment|```|\*\*b|\]\(", shown)
    assert "}" in shown


def test_blocks_have_elements_of_their_own() -> None:
    tree = Tree(render_page(docbats.analyze(_read(MARKDOWN), k=1)))
    levels = [node.classes for node in tree.of_class("title")]
    assert [names[-1] for names in levels] == ["l1", "l2", "l2", "l3"]
    assert all(n.attributes["role"] == "heading" for n in tree.of_class("title"))
    items = [(n.classes[-1], "bullet" in n.classes) for n in tree.of_class("item")
             if "on" not in n.classes]  # fmt: skip
    assert items == [("l1", True), ("l1", True), ("l2", True), ("l1", False), ("l1", False)]
    cells = [n.text.strip() for n in tree.of_class("cell")]
    assert cells == ["name", "size", "bat", "12", r"tea \| cup", "3"]
    assert _shown(next(iter(tree.of_class("quote")))).startswith("A quote of bats.")
    (code,) = {n.text for n in tree.of_class("code")}
    assert code.startswith("```python")


def test_a_heading_that_is_the_title_is_not_shown_again(files: Files) -> None:
    text = "# Bats\n\n" + " ".join(files.bats) + "\n\n# Tea\n\n" + " ".join(files.tea)
    result = docbats.analyze(_read(text), k=2)
    assert [segment.title for segment in result.segments] == ["Bats", "Tea"]
    tree = Tree(render_page(result))
    assert ["above" in node.classes for node in tree.of_class("title")] == [True, True]
    cuts = tree.data["cuts"]
    assert cuts[0]["above"] == [1]
    assert cuts[1]["above"] == [1, 1]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Bats\n====\n\nThey fly. They hear.\n\nTea\n===\n\nIt is hot. It cools.\n", "a.txt"),
        ("= Bats =\n\nThey fly. They hear.\n\n= = Tea = =\n\nIt is hot. It cools.\n", "a.txt"),
        ("Bats\n----\n\nThey fly. They hear.\n\nTea\n---\n\nIt is hot. It cools.\n", "a.md"),
    ],
)
def test_headings_of_all_styles_lose_their_marks(text: str, name: str) -> None:
    tree = Tree(render_page(docbats.analyze(_read(text, name), k=1)))
    assert tree.document_text == text
    assert [" ".join(_shown(node).split()) for node in tree.of_class("title")] == ["Bats", "Tea"]


def test_marks_of_plain_text_are_only_those_of_its_blocks() -> None:
    text = "Bats *hunt* by `night`.\n\n- One moth.\n- Two moths.\n\n1. Tea | cup.\n2. More tea.\n"
    tree = Tree(render_page(docbats.analyze(text, k=1)))
    lines = ["Bats *hunt* by `night`.", "One moth.", "Two moths.", "1. Tea | cup.", "2. More tea."]
    assert _lines(tree) == lines
    assert tree.document_text == text


def test_a_very_long_markdown_text_keeps_its_headings() -> None:
    parts = [f"## Part {i}\n\nBats *fly* in part {i}. " + "They hunt. " * 60 for i in range(120)]
    text = "\n\n".join(parts)
    tree = Tree(render_page(docbats.analyze(_read(text), k=4)))
    assert tree.document_text == text
    assert len(tree.of_class("title")) == 120
    assert len(tree.of_class("s")) < 7000
    assert len(tree.data["lengths"]) == len(tree.of_class("s"))


@given(st.lists(st.sampled_from(PARTS), min_size=1, max_size=8), st.sampled_from(["\n\n", "\n"]))
def test_all_of_any_markdown_is_in_the_page(parts: list[str], glue: str) -> None:
    text = glue.join([*parts, "Bats fly."])
    document = _read(text)
    tree = Tree(render_page(docbats.analyze(document)))
    assert tree.document_text == text
    assert [node.text for node in tree.of_class("s")] == list(document.sentences)
    assert tree.odd == []


@pytest.mark.parametrize("mark", [" <b>", "<br>", "<!-- x -->", "{{x}}", " **", "\\", " [^1]"])
def test_marks_between_two_sentences_of_a_line(mark: str) -> None:
    text = f"Bats fly at night.{mark}Moths hear bats. Tea is hot.\n"
    tree = Tree(render_page(docbats.analyze(_read(text))))
    assert tree.document_text == text


def test_only_blanks_at_the_end_of_a_line_are_marks() -> None:
    def hidden(text: str) -> list[tuple[int, int]]:
        return [(style.start, style.end) for style in inline_styles(text) if style.name == "m"]

    assert hidden("a  b   \nc \nd\\\n") == [(4, 7), (12, 13)]
    assert hidden("a" + " " * 200_000 + "b") == []  # in linear time


@given(st.text(alphabet="ab *_`[]()!<>~\\\n#{}^:", max_size=60))
def test_styles_lie_within_the_text(text: str) -> None:
    for style in inline_styles(text):
        assert 0 <= style.start < style.end <= len(text)
        assert style.name


def test_shown_text_has_all_stretches_in_order() -> None:
    document = _read(MARKDOWN)
    shown = ShownText(document)
    for start in range(0, len(MARKDOWN), 7):
        tree = Tree(shown.markup(start, len(MARKDOWN)))
        assert tree.root.text == MARKDOWN[start:]


def test_titles_have_no_marks() -> None:
    text = "Under\n-----\n\n| **tea** | cup |\n|---|---|\n| 1 | 2 |\n\nBats fly. Bats fly."
    result = docbats.analyze(_read(text))
    titles = {entry.title for _, entry in result.outline.walk()}
    titles |= {segment.title for k in range(1, 6) for segment in result.cut(k).segments}
    assert not [title for title in titles if re.search(r"--|^\||\*", title)]
