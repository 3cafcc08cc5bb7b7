"""The blocks of Markdown: lists, quotations, code, tables and so on."""

from __future__ import annotations

import pytest
from tests.readers.markdown_page import PAGE

from docbats import Document
from docbats.blocks import check_blocks
from docbats.readers.markdown import read_markdown


def _blocks(text: str) -> list[tuple[str, int | None, str]]:
    read = read_markdown(text)
    return [(b.kind, b.level, text[b.start : b.end]) for b in read.blocks]


def test_every_kind_of_block_is_found() -> None:
    assert _blocks(PAGE) == [
        ("heading", 1, "# Bats and *tea*"),
        ("paragraph", None, 'Bats hunt moths. See [the `guide`](docs/guide.md "Guide").'),
        ("code", None, "```python\n# not a heading\nmoths = 3\n```"),
        ("paragraph", None, "Moths dive."),
        ("heading", 2, "Tea\n---"),
        ("paragraph", None, "Tea needs water."),
        ("table", None, "| cup | size |\n|-----|-----:|\n| big | 3    |"),
        ("heading", 2, "## Water {#water}"),
        ("paragraph", None, "Hot water. ![picture](pictures/x.png)"),
        ("references", None, "[guide]: https://example.org/guide"),
    ]


def test_what_is_no_prose_is_blank_in_the_prose() -> None:
    prose = read_markdown(PAGE).prose
    assert prose is not None
    assert " ".join(prose.split()) == (
        "Bats and *tea* Bats hunt moths. See [the `guide`]( ). Moths dive. Tea Tea needs water. "
        "Water Hot water."
    )


def test_a_list_is_all_items_with_their_depth() -> None:
    text = (
        "1. Bats\n   - hunt\n\n     ```\n     code\n     ```\n     * moths\n"
        "2. [x] Tea\n\n   > quoted\n"
    )
    assert _blocks(text) == [
        ("list_item", 1, "1. Bats"),
        ("list_item", 2, "- hunt"),
        ("list_item", 2, "```\n     code\n     ```"),
        ("list_item", 3, "* moths"),
        ("list_item", 1, "2. [x] Tea"),
        ("list_item", 1, "> quoted"),
    ]
    read = read_markdown(text)
    assert read.prose is not None
    assert read.prose.split() == ["Bats", "hunt", "moths", "Tea", "quoted"]
    assert read.document().sentences[:2] == ("1. Bats", "- hunt")


def test_quotations_code_by_indent_and_footnotes() -> None:
    text = (
        "> Bats *fly*.\n> > Far.\n\nSo.[^1]\n\n    x = 1\n    y = 2\n\n"
        "[^1]: As said by all.\n\n    And more.\n"
    )
    assert _blocks(text) == [
        ("quote", None, "> Bats *fly*."),
        ("quote", None, "> > Far."),
        ("paragraph", None, "So.[^1]"),
        ("code", None, "x = 1\n    y = 2"),
        ("references", None, "[^1]: As said by all."),
        ("references", None, "And more."),
    ]


def test_indented_sentences_are_no_code() -> None:
    long = "The bats of this town fly over the river every night to hunt"
    assert _blocks(f"So it is:\n\n    {long}\n") == [
        ("paragraph", None, "So it is:"),
        ("paragraph", None, long),
    ]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("- [Bats](#bats)\n  - [Food](#food)\n\nText.", ["contents", "contents", "paragraph"]),
        ("- [Bats](a.md)\n- [Tea](b.md)\n\nText.", ["list_item", "list_item", "paragraph"]),
        ("- [a](a.md)\n- [b](b.md)\n- [c](c.md)\n\nText.", [*["contents"] * 3, "paragraph"]),
        ("- [a](a.md): bats\n- [b](b.md)\n- [c](c.md)\n\nText.",
         [*["list_item"] * 3, "paragraph"]),
        ("# Table of Contents\n\n1. Bats\n2. Tea\n\n# Bats\n\nText.",
         ["contents", "contents", "contents", "heading", "paragraph"]),
        ("# Contents\n\nThis tin holds bats and tea.\n", ["heading", "paragraph"]),
        ("# A\n\nText.\n\n# References\n\n- Bat (1999), Nights.\n- https://example.org\n",
         ["heading", "paragraph", "heading", "references", "references"]),
        ("# References\n\nA reference points to a value.\n", ["heading", "paragraph"]),
    ],
)  # fmt: skip
def test_contents_and_references_are_told_from_lists(text: str, kinds: list[str]) -> None:
    assert [kind for kind, _, _ in _blocks(text)] == kinds


def test_html_in_markdown_is_read_as_what_it_is() -> None:
    text = (
        '<h1 align="center">Bats</h1>\n\n<!-- not\n\nthis -->\n\n'
        "<table><tr><td>a</td></tr></table>\n\n<div>\nThey fly.\n</div>\n\n<script>x</script>\n"
    )
    assert [(kind, level) for kind, level, _ in _blocks(text)] == [
        ("heading", 1),
        ("table", None),
        ("paragraph", None),
    ]
    assert read_markdown(text).blocks[0].title == "Bats"


def test_lines_that_show_nothing_are_no_text() -> None:
    text = "(bats)=\n:::{note}\nThey fly.\n:::\n{{Sidebar}}\n\n***\n\n![a](b.png)\n"
    assert _blocks(text) == [("paragraph", None, "They fly.")]


def test_numbers_of_headings_stand_apart() -> None:
    text = "## 3.2 Bats\n\nFly.\n\n## 2\\. Tea\n\nCools.\n\n### Chapter 4: *Ships*\n"
    read = read_markdown(text)
    headings = [(b.number, b.title) for b in read.blocks if b.kind == "heading"]
    assert headings == [("3.2", "Bats"), ("2.", "Tea"), ("Chapter 4", "Ships")]


def test_a_file_that_is_only_a_table_is_read() -> None:
    read = read_markdown("| a | b |\n|---|---|\n| Bats fly. | x. |\n")
    assert read.document().sentences == ("| a | b |", "| Bats fly. | x. |")
    assert "Bats" in (read.prose or read.text)


@pytest.mark.parametrize(
    "text",
    [
        "# 1. Bats\n" * 10_000,
        "\n".join("  " * depth + "- bats" for depth in range(500)),
        "- " * 1000 + "bats",
        ">" * 5000 + " bats",
        "Bats fly by night. " * 50_000,
        "Bats\n" + "\n" * 500_000 + "fly.",
        "| a | b |\n|---|---|\n" + "| bats | tea |\n" * 30_000 + "\nThey fly.",
        "# Contents\n\n" + "- [bats](#bats)\n" * 10_000 + "\n# Bats\n\nFly.",
        "Bats. " + "<!-- " * 50_000,
        "- [" * 50_000 + "bats",
    ],
    ids=lambda text: text[:10],
)
def test_hostile_structure_is_read(text: str) -> None:
    read = read_markdown(text)
    document = read.document()
    check_blocks(read.blocks, len(text))
    assert len(document) >= len(read.blocks) > 0
    covered = " ".join(text[b.start : b.end] for b in read.blocks)
    assert covered.split() == text.split()


def test_attributes_of_pandoc_and_quarto_are_neither_titles_nor_prose() -> None:
    text = """# Bats {#sec-bats .unnumbered}

::: {.callout-note title="Take care"}
Bats [hunt]{.smallcaps} []{#moths}moths, see [the page](p.html){.external}.
:::

## [![Build](build.svg)](https://example.org/build)

They call `loudly`{.python} {{< pagebreak >}}at night [@smith2004].
"""
    document = Document.of(text, "markdown")
    assert [block.title for block in document.blocks if block.kind == "heading"] == ["Bats"]
    assert document.prose is not None
    assert " ".join(document.prose.split()) == (
        "Bats Bats hunt moths, see [the page] . [ ]( ) They call `loudly` at night ."
    )


def test_a_term_with_a_kept_line_end_is_a_block() -> None:
    text = "bat  \nIt flies at night\nand sleeps by day.\n\ntea\\\nIt is hot.\n"
    assert [written for _, _, written in _blocks(text)] == [
        *("bat", "It flies at night\nand sleeps by day.", "tea\\", "It is hot.")
    ]


@pytest.mark.parametrize(
    "text",
    ["Bat Cave  \nEngland", "Bats fly  \nby night  \nand sleep.", "Bats fly.  \nThey hear."],
)
def test_other_kept_line_ends_do_not_end_a_block(text: str) -> None:
    assert [written for _, _, written in _blocks(text)] == [text]
